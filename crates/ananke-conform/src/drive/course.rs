//! Goes through all scenarios, and then asks in unusual ways.

use ananke_model::conformance::{ScenarioPlan, ScenarioSetup};
use tokio::time::Instant;

use super::defaults::{self, SCENARIOS};
use super::driver::Driver;
use super::target::{DriveError, Target};
use super::{probes, scenarios};
use crate::case::{Case, ScenarioSeen, Shown};
use crate::exchange::{Asked, Exchange};

/// Plays the scenarios of `plan` on a server, and returns what was asked and answered.
///
/// `tell` hears which scenario begins. Once a server lets nobody in, nothing more is asked of it.
pub async fn drive(
    target: &Target,
    plan: &ScenarioPlan,
    tell: &dyn Fn(&str),
) -> Result<Case, DriveError> {
    let started = Instant::now();
    let mut driver = Driver::new(target)?;
    for name in SCENARIOS {
        let setup = defaults::setup(name, plan);
        driver.scenario = name;
        let (shown, detail) = if setup.is_off {
            (Shown::Off, "switched off".to_owned())
        } else if let Some(why) = driver.closed_door() {
            (Shown::No, format!("not tried, because {why}"))
        } else {
            tell(name);
            let n_before = driver.case.exchanges.len();
            let (shown, detail) = play(&mut driver, &setup, plan).await?;
            let played = driver.case.exchanges.iter().skip(n_before);
            unless_unended(played, shown, detail)
        };
        driver.case.scenarios.push(ScenarioSeen {
            name,
            shown,
            detail,
        });
    }
    let duration_ms = u64::try_from(started.elapsed().as_millis());
    driver.case.duration_ms = duration_ms.unwrap_or(u64::MAX);
    Ok(driver.case)
}

/// Takes back that a scenario was shown if a run of it, other than one that we left, did not end.
fn unless_unended<'a>(
    played: impl Iterator<Item = &'a Exchange>,
    shown: Shown,
    detail: String,
) -> (Shown, String) {
    let mut runs = played.filter(|exchange| exchange.answer.is_stream());
    let unended = runs.find_map(|exchange| {
        let why = exchange.answer.unended()?;
        (exchange.asked != Asked::Abort).then_some((&exchange.step, why))
    });
    match unended {
        Some((_, why)) if detail.contains(why) => (Shown::No, detail),
        Some((step, why)) => (
            Shown::No,
            format!("{detail}; but `{step}` did not end: {why}"),
        ),
        _ => (shown, detail),
    }
}

async fn play(
    driver: &mut Driver<'_>,
    setup: &ScenarioSetup,
    plan: &ScenarioPlan,
) -> Result<(Shown, String), DriveError> {
    let hello = || defaults::setup("hello", plan).prompts.swap_remove(0);
    match driver.scenario {
        "hello" => scenarios::hello(driver, setup).await,
        "multi-turn" => scenarios::multi_turn(driver, setup).await,
        "backend-tool" => scenarios::backend_tool(driver, setup).await,
        "parallel-tools" => scenarios::parallel_tools(driver, setup).await,
        "failing-tool" => scenarios::failing_tool(driver, setup).await,
        "frontend-tool" => scenarios::frontend_tool(driver, setup).await,
        "interrupt" => scenarios::interrupt(driver, setup, &hello()).await,
        "state" => scenarios::state(driver, setup).await,
        "abort" => scenarios::abort(driver, setup, &hello()).await,
        "error" => scenarios::error(driver, setup).await,
        _ => probes::ask_all(driver, &hello()).await,
    }
}
