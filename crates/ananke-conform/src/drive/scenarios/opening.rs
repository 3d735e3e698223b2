//! How scenarios begin: a thread of their own, brought to where they start.

use ananke_model::conformance::ScenarioSetup;

use crate::case::Shown;
use crate::drive::driver::{Driver, Step};
use crate::drive::seen::Seen;
use crate::drive::target::DriveError;
use crate::drive::thread::{HeldCall, Thread};

/// What became of a scenario, in words.
pub(super) type Outcome = Result<(Shown, String), DriveError>;

/// The agent did what the scenario is about.
pub(super) fn shown(detail: impl Into<String>) -> Outcome {
    Ok((Shown::Yes, detail.into()))
}

/// The agent did not do what the scenario is about.
pub(super) fn not_shown(detail: impl Into<String>) -> Outcome {
    Ok((Shown::No, detail.into()))
}

/// Begins a thread and says what comes before the scenario.
pub(super) async fn begin(
    driver: &mut Driver<'_>,
    setup: &ScenarioSetup,
) -> Result<Thread, DriveError> {
    begin_for(driver, setup, "").await
}

/// Begins a thread of several; `whose` ends the names of its steps.
pub(super) async fn begin_for(
    driver: &mut Driver<'_>,
    setup: &ScenarioSetup,
    whose: &str,
) -> Result<Thread, DriveError> {
    let mut thread = Thread::new(setup.state.as_ref(), &setup.tools);
    for (number, text) in (1..).zip(&setup.before) {
        thread.say(text);
        let step = Step::run(format!("before {number}{whose}"));
        driver.run(&mut thread, step).await?;
    }
    Ok(thread)
}

/// Says every prompt, each in a run of its own, until one does not end well.
pub(super) async fn say_all(
    driver: &mut Driver<'_>,
    setup: &ScenarioSetup,
    thread: &mut Thread,
) -> Result<Vec<Seen>, DriveError> {
    say_all_for(driver, setup, thread, "").await
}

/// Says every prompt on a thread of several; `whose` ends the names of the steps.
pub(super) async fn say_all_for(
    driver: &mut Driver<'_>,
    setup: &ScenarioSetup,
    thread: &mut Thread,
    whose: &str,
) -> Result<Vec<Seen>, DriveError> {
    let mut runs = Vec::new();
    for (number, text) in (1..).zip(&setup.prompts) {
        thread.say(text);
        let words = match number {
            1 => format!("run{whose}"),
            number => format!("turn {number}{whose}"),
        };
        let seen = driver.run(thread, Step::run(words)).await?;
        let goes_on = seen.lets_go_on();
        runs.push(seen);
        if !goes_on {
            break;
        }
    }
    Ok(runs)
}

/// Returns how the last run ended, in words.
pub(super) fn last_in_words(runs: &[Seen]) -> String {
    let last = runs.last().map(|seen| seen.end.in_words());
    last.unwrap_or_else(|| "there was no run".to_owned())
}

/// Returns the calls of tools that are the agent's own: those that were not offered.
pub(super) fn own_calls<'a>(
    runs: &'a [Seen],
    setup: &ScenarioSetup,
) -> impl Iterator<Item = &'a HeldCall> {
    let is_offered = |name: &str| setup.tools.iter().any(|tool| tool.name == name);
    let calls = runs.iter().flat_map(|seen| &seen.calls);
    calls.filter(move |call| !is_offered(&call.name))
}
