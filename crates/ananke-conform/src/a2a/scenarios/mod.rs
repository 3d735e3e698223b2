//! What is asked of an agent, one file for each scenario.

mod continued;
mod hello;
mod probes;
mod reached;
mod stream;

use ananke_model::conformance::ScenarioSetup;
pub(super) use continued::continued;
pub(super) use hello::hello;
pub(super) use probes::probes;
pub(super) use stream::stream;

/// What an agent is told unless the setup says otherwise.
const HELLO: &str = "Hello";

/// Returns the first prompt.
fn prompt(setup: &ScenarioSetup) -> &str {
    setup.prompts.first().map_or(HELLO, String::as_str)
}
