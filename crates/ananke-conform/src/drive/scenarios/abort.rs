//! `abort`: the client goes away in the middle of a run, and the server serves the next one all the same.

use ananke_model::conformance::ScenarioSetup;

use super::opening::{Outcome, begin, not_shown, shown};
use crate::drive::driver::{Driver, Step};
use crate::drive::seen::RunEnd;
use crate::drive::thread::Thread;
use crate::exchange::{Asked, CLIENT_LEFT};

/// Leaves a run, then greets the agent on another thread.
pub(in crate::drive) async fn abort(
    driver: &mut Driver<'_>,
    setup: &ScenarioSetup,
    hello: &str,
) -> Outcome {
    let mut thread = begin(driver, setup).await?;
    let mut left = None;
    for text in &setup.prompts {
        thread.say(text);
        let step = Step {
            asked: Asked::Abort,
            leave_after: setup.after_events,
            ..Step::run("abort")
        };
        left = Some(driver.run(&mut thread, step).await?);
    }
    let mut next = Thread::new(None, &[]);
    next.say(hello);
    let after = driver
        .run(&mut next, Step::run("run after the abort"))
        .await?;
    let n_events = left
        .as_ref()
        .and_then(|seen| driver.case.exchanges.get(seen.exchange))
        .map_or(0, |exchange| exchange.answer.events.len());
    let after = after.end.in_words();
    match left.map(|seen| seen.end) {
        Some(RunEnd::Open(why)) if why.starts_with(CLIENT_LEFT) => shown(format!(
            "the client went away after {n_events} events; of the run after that: {after}"
        )),
        Some(end) => not_shown(format!(
            "the client could not leave in the middle of the run: {}",
            end.in_words()
        )),
        None => not_shown("there was no run to leave"),
    }
}
