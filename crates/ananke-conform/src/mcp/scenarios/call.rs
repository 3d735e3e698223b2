//! `call`: a tool is called. Without a setup only one that says it changes nothing, and that needs no arguments: a checker
//! must not do harm.

use ananke_model::conformance::ScenarioSetup;
use serde_json::{Value, json};

use super::super::asked::McpAsked;
use super::super::era::Era;
use super::super::requests::Request;
use crate::case::Shown;
use crate::drive::DriveError;
use crate::rpc::{Driver, response};

/// Plays it.
pub(crate) async fn call(
    driver: &mut Driver<'_>,
    eras: &[Era],
    tools: &[Value],
    setup: &ScenarioSetup,
) -> Result<(Shown, String), DriveError> {
    let given = setup.tool.clone().map(|name| {
        let args = setup.args.clone().unwrap_or_else(|| json!({}));
        (name, args)
    });
    let harmless = || {
        tools
            .iter()
            .find_map(harmless)
            .map(|name| (name, json!({})))
    };
    let Some((name, args)) = given.or_else(harmless) else {
        let detail = "no tool is given, and none says that it changes nothing and needs no arguments: `scenarios: {call: {tool: …, args: {…}}}`";
        return Ok((Shown::No, detail.to_owned()));
    };
    let mut is_answered = true;
    for era in eras {
        if let Some(why) = driver.closed_door() {
            return Ok((Shown::No, format!("not tried, because {why}")));
        }
        let request = Request {
            asked: McpAsked::Call,
            era: Some(era),
            method: "tools/call",
            params: json!({"name": name, "arguments": args}),
        };
        let answer = request.send(driver).await?;
        is_answered &= response(answer).is_some_and(|reply| reply.result().is_some());
    }
    Ok(match is_answered {
        true => (Shown::Yes, format!("`{name}` was called")),
        false => (Shown::No, format!("`{name}` gave no result")),
    })
}

fn harmless(tool: &Value) -> Option<String> {
    let hints = tool.get("annotations")?;
    let is_read_only = hints.get("readOnlyHint")? == true;
    let schema = tool.get("inputSchema")?;
    let required = schema.get("required").and_then(Value::as_array);
    let needs_nothing = required.is_none_or(Vec::is_empty);
    let name = tool.get("name")?.as_str()?;
    (is_read_only && needs_nothing).then(|| name.to_owned())
}
