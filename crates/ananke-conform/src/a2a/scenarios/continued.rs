//! `continue`: a message after which the agent asks for something, and the answer to that.

use ananke_model::conformance::ScenarioSetup;

use super::super::asked::A2aAsked;
use super::super::requests::{Agent, Place};
use super::super::wire::Standing;
use super::reached::reached;
use crate::case::Shown;
use crate::drive::DriveError;
use crate::rpc::Driver;

/// Plays it; only the setup knows what makes this agent ask.
pub(crate) async fn continued(
    driver: &mut Driver<'_>,
    agent: &Agent,
    setup: &ScenarioSetup,
    streams: bool,
) -> Result<(Shown, String), DriveError> {
    let [first, second, ..] = setup.prompts.as_slice() else {
        let detail = "no prompts are given: `scenarios: {continue: {prompts: [what makes it ask, the answer]}}`";
        return Ok((Shown::No, detail.to_owned()));
    };
    let params = agent.message(first, &Place::default());
    let answer = agent.ask(driver, A2aAsked::Send, params, false).await?;
    let seen = reached(answer, agent.is_new);
    if seen.standing != Some(Standing::Interrupted) {
        let detail = format!("the first prompt did not make it ask: {}", seen.words());
        return Ok((Shown::No, detail));
    }
    let params = agent.message(second, &seen.place);
    let answer = agent
        .ask(driver, A2aAsked::Continue, params, streams)
        .await?;
    let then = reached(answer, agent.is_new);
    Ok((Shown::Yes, format!("it asked; then {}", then.words())))
}
