//! `error`: something goes wrong inside the agent, and the run says so.

use ananke_model::conformance::ScenarioSetup;

use super::opening::{Outcome, begin, not_shown, shown};
use crate::drive::driver::{Driver, Step};
use crate::drive::seen::RunEnd;
use crate::exchange::Asked;

/// Makes the agent fail.
pub(in crate::drive) async fn error(driver: &mut Driver<'_>, setup: &ScenarioSetup) -> Outcome {
    let mut thread = begin(driver, setup).await?;
    let mut end = None;
    for text in &setup.prompts {
        thread.say(text);
        let step = Step {
            asked: Asked::Error,
            ..Step::run("run")
        };
        end = Some(driver.run(&mut thread, step).await?.end);
    }
    match end {
        Some(end @ (RunEnd::Failed(_) | RunEnd::Refused(_))) => shown(end.in_words()),
        Some(end) => not_shown(format!("the agent did not fail: {}", end.in_words())),
        None => not_shown("there was no run to fail"),
    }
}
