//! `backend-tool`: the agent calls a tool of its own and goes on with the result.

use ananke_model::conformance::ScenarioSetup;

use super::opening::{Outcome, begin, last_in_words, not_shown, own_calls, say_all, shown};
use crate::drive::driver::Driver;

/// Makes the agent call a tool of its own.
pub(in crate::drive) async fn backend_tool(
    driver: &mut Driver<'_>,
    setup: &ScenarioSetup,
) -> Outcome {
    let mut thread = begin(driver, setup).await?;
    let runs = say_all(driver, setup, &mut thread).await?;
    let own = own_calls(&runs, setup).map(|call| format!("`{}`", call.name));
    let own: Vec<String> = own.collect();
    if own.is_empty() {
        return not_shown(format!(
            "the agent called no tool of its own; {}",
            last_in_words(&runs)
        ));
    }
    shown(format!("the agent called {}", own.join(", ")))
}
