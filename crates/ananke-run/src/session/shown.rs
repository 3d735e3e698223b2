//! Agents as they are shown to a person.

use ananke_model::place::Text;
use ananke_model::plan::{Plan, Target};
use ananke_model::variables::Variables;
use ananke_protocol::http::without_secrets;

/// Returns the agents that the tests of a plan talk to, each once, in the order of the tests.
pub fn agents(plan: &Plan, variables: &Variables) -> Vec<String> {
    let mut agents: Vec<String> = Vec::new();
    // A function of a script is not an agent; where there is nothing else, the script is what is tested.
    let is_mixed = plan.tests.iter().any(|test| test.script.is_none());
    let tests = plan
        .tests
        .iter()
        .filter(|test| !is_mixed || test.script.is_none());
    for test in tests {
        let shown = shown_target(&test.target, variables);
        if !agents.contains(&shown) {
            agents.push(shown);
        }
    }
    agents
}

/// Returns an agent by its name, else by its id, else by its endpoint.
pub(crate) fn shown_target(target: &Target, variables: &Variables) -> String {
    // What only a hook can give is shown as it is written.
    let resolved = |text: &Text| variables.text(&text.text).unwrap_or(text.text.clone());
    let agent_id = || target.protocol.agent_id().map(resolved);
    match target.name.clone().or_else(agent_id) {
        Some(name) => name,
        None => {
            let address = target.protocol.address().map(resolved);
            without_secrets(&address.unwrap_or_else(|| "script".to_owned()))
        }
    }
}
