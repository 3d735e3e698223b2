//! `probes`: requests that must be refused, each with its own code.

use serde_json::json;

use super::super::asked::A2aAsked;
use super::super::requests::{Agent, Place};
use super::prompt::HELLO;
use crate::case::Shown;
use crate::drive::DriveError;
use crate::rpc::Driver;

/// A task that never was.
const NO_TASK: &str = "00000000-0000-4000-8000-000000000000";

/// Sends all of them.
pub(crate) async fn probes(
    driver: &mut Driver<'_>,
    agent: &Agent,
) -> Result<(Shown, String), DriveError> {
    let message = || agent.message(HELLO, &Place::default());
    let probes = [
        (A2aAsked::UnknownTask, json!({"id": NO_TASK})),
        (A2aAsked::UnknownMethod, json!({})),
        (A2aAsked::BadJson, json!({})),
        (A2aAsked::BadParams, json!({"message": "Hello"})),
        (A2aAsked::BadVersion, message()),
    ];
    for (asked, params) in probes {
        // Before 1.0 nobody said which version a request has.
        if asked == A2aAsked::BadVersion && !agent.is_new {
            continue;
        }
        if let Some(why) = driver.closed_door() {
            return Ok((Shown::No, format!("not all were sent, because {why}")));
        }
        agent.ask(driver, asked, params, false).await?;
    }
    Ok((Shown::Yes, "unusual requests were sent".to_owned()))
}
