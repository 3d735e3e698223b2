//! `hello`: a message; then the task that came of it is asked for, and told something when it has ended.

use ananke_model::conformance::ScenarioSetup;
use serde_json::json;

use super::super::asked::A2aAsked;
use super::super::requests::{Agent, Place};
use super::super::wire::Standing;
use super::prompt::prompt;
use super::reached::reached;
use crate::case::Shown;
use crate::drive::DriveError;
use crate::rpc::Driver;

/// Plays it.
pub(crate) async fn hello(
    driver: &mut Driver<'_>,
    agent: &Agent,
    setup: &ScenarioSetup,
) -> Result<(Shown, String), DriveError> {
    let params = agent.message(prompt(setup), &Place::default());
    let answer = agent.ask(driver, A2aAsked::Send, params, false).await?;
    let seen = reached(answer, agent.is_new);
    if seen.refusal.is_some() {
        return Ok((Shown::No, seen.words()));
    }
    if let Some(task) = &seen.place.task {
        let params = json!({"id": task});
        agent.ask(driver, A2aAsked::Get, params, false).await?;
        if seen.standing == Some(Standing::Terminal) && driver.closed_door().is_none() {
            let params = agent.message("And then?", &seen.place);
            agent
                .ask(driver, A2aAsked::SendFinished, params, false)
                .await?;
            let params = json!({"id": task});
            agent
                .ask(driver, A2aAsked::CancelFinished, params, false)
                .await?;
        }
    }
    Ok((Shown::Yes, seen.words()))
}
