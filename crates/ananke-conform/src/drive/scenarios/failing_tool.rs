//! `failing-tool`: a tool of the agent fails, and the history still holds what became of the call.

use ananke_model::conformance::ScenarioSetup;

use super::opening::{Outcome, begin, last_in_words, not_shown, own_calls, say_all, shown};
use crate::drive::driver::Driver;

/// Makes a tool of the agent fail. That it did is for the user to see to: results of all kinds look alike.
pub(in crate::drive) async fn failing_tool(
    driver: &mut Driver<'_>,
    setup: &ScenarioSetup,
) -> Outcome {
    let mut thread = begin(driver, setup).await?;
    let runs = say_all(driver, setup, &mut thread).await?;
    let own: Vec<String> = own_calls(&runs, setup)
        .map(|call| match call.is_answered {
            true => format!("`{}`, which has a result", call.name),
            false => format!("`{}`, which has no result", call.name),
        })
        .collect();
    let ended = last_in_words(&runs);
    if own.is_empty() {
        return not_shown(format!("the agent called no tool of its own; {ended}"));
    }
    shown(format!("the agent called {}; {ended}", own.join(", ")))
}
