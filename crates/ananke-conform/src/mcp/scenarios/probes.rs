//! `probes`: requests that must be refused, and what HTTP has to do with it.

use serde_json::{Value, json};

use super::super::asked::{McpAsked, McpListed};
use super::super::era::{Era, NEVER};
use super::super::requests::{Request, handshake, initialize};
use crate::case::Shown;
use crate::drive::DriveError;
use crate::rpc::Driver;

/// A tool that no server has.
const NO_TOOL: &str = "ananke_no_such_tool";

/// Sends all of them: what both eras refuse in each, the rest where it belongs.
pub(crate) async fn probes(
    driver: &mut Driver<'_>,
    eras: &[Era],
) -> Result<(Shown, String), DriveError> {
    for era in eras {
        let list = McpListed::Tools.method();
        let all: [(McpAsked, &str, Value); 4] = [
            (McpAsked::UnknownMethod, "ananke/noSuchMethod", json!({})),
            (
                McpAsked::UnknownTool,
                "tools/call",
                json!({"name": NO_TOOL, "arguments": {}}),
            ),
            (McpAsked::BadParams, "tools/call", json!({"arguments": {}})),
            (
                McpAsked::BadCursor,
                list,
                json!({"cursor": "ananke no such page"}),
            ),
        ];
        send(driver, Some(era), all).await?;
    }
    let list = McpListed::Tools.method();
    if let Some(era @ Era::Legacy { session, .. }) = eras.iter().find(|era| **era != Era::Modern) {
        let http: [(McpAsked, &str, Value); 5] = [
            (McpAsked::BadJson, "", json!({})),
            (McpAsked::BadVersionHeader, list, json!({})),
            (McpAsked::ForeignOrigin, list, json!({})),
            (McpAsked::ContentType, list, json!({})),
            (McpAsked::Get, "", json!({})),
        ];
        send(driver, Some(era), http).await?;
        let version = [(McpAsked::InitializeVersion, "initialize", handshake(NEVER))];
        send(driver, None, version).await?;
        if session.is_some() {
            send(driver, Some(era), [(McpAsked::NoSession, list, json!({}))]).await?;
        }
        // Sessions of the user's own clients are left alone: only one of ours is ended.
        if session.is_some()
            && driver.closed_door().is_none()
            && let Some(other) = initialize(driver).await?
        {
            let end = [
                (McpAsked::Delete, "", json!({})),
                (McpAsked::Ended, list, json!({})),
            ];
            send(driver, Some(&other), end).await?;
        }
    } else {
        let http: [(McpAsked, &str, Value); 3] = [
            (McpAsked::BadJson, "", json!({})),
            (McpAsked::ForeignOrigin, list, json!({})),
            (McpAsked::ContentType, list, json!({})),
        ];
        send(driver, eras.first(), http).await?;
    }
    Ok(match driver.closed_door() {
        Some(why) => (Shown::No, format!("not all were sent, because {why}")),
        None => (Shown::Yes, "unusual requests were sent".to_owned()),
    })
}

async fn send<const N: usize>(
    driver: &mut Driver<'_>,
    era: Option<&Era>,
    probes: [(McpAsked, &str, Value); N],
) -> Result<(), DriveError> {
    for (asked, method, params) in probes {
        if driver.closed_door().is_some() {
            return Ok(());
        }
        let request = Request {
            asked,
            era,
            method,
            params,
        };
        request.send(driver).await?;
    }
    Ok(())
}
