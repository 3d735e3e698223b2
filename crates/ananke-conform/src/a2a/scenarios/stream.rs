//! `stream`: a message whose answer is streamed; then the task is asked for, to hold the two together.

use ananke_model::conformance::ScenarioSetup;
use serde_json::json;

use super::super::asked::A2aAsked;
use super::super::requests::{Agent, Place};
use super::prompt::prompt;
use super::reached::reached;
use crate::case::Shown;
use crate::drive::DriveError;
use crate::exchange::Framing;
use crate::rpc::Driver;

/// Plays it.
pub(crate) async fn stream(
    driver: &mut Driver<'_>,
    agent: &Agent,
    setup: &ScenarioSetup,
) -> Result<(Shown, String), DriveError> {
    let params = agent.message(prompt(setup), &Place::default());
    let answer = agent.ask(driver, A2aAsked::Stream, params, true).await?;
    let seen = reached(answer, agent.is_new);
    let is_stream = answer.framing == Framing::Sse;
    if seen.refusal.is_some() || !is_stream {
        return Ok((Shown::No, seen.words()));
    }
    if let Some(task) = seen
        .place
        .task
        .as_ref()
        .filter(|_| driver.closed_door().is_none())
    {
        let params = json!({"id": task});
        agent.ask(driver, A2aAsked::Get, params, false).await?;
    }
    Ok((Shown::Yes, seen.words()))
}
