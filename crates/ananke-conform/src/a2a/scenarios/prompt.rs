//! What an agent is told.

use ananke_model::conformance::ScenarioSetup;

/// What an agent is told unless the setup says otherwise.
pub(super) const HELLO: &str = "Hello";

/// Returns the first prompt.
pub(super) fn prompt(setup: &ScenarioSetup) -> &str {
    setup.prompts.first().map_or(HELLO, String::as_str)
}
