//! Whether a result has the shape that the protocol gives it. One that has not is no success without content: it says
//! something that nobody understood.

use ananke_model::plan::McpListed;
use serde_json::{Map, Value, json};

use super::action::{Listed as _, McpAction};
use super::words::shortened;

/// The code of a result with the wrong shape.
pub(super) const RESULT_SHAPE: &str = "resultShape";

/// A place in a result where something else was expected.
#[derive(Debug)]
struct Wrong {
    at: String,
    expected: &'static str,
    seen: Option<Value>,
}

type Checked = Result<(), Wrong>;

/// Says what is wrong with the shape of the result of `action`, if something is.
pub(super) fn misshapen(action: &McpAction, result: &Value) -> Option<String> {
    let (method, checked) = match action {
        McpAction::Call { .. } => ("tools/call", called(result)),
        McpAction::Read { .. } => {
            let checked = list(result, "contents").and_then(|all| each("contents", all, resource));
            ("resources/read", checked)
        }
        McpAction::Prompt { .. } => {
            let checked = list(result, "messages").and_then(|all| each("messages", all, message));
            ("prompts/get", checked)
        }
        McpAction::List(_) => return McpListed::ALL.into_iter().find_map(|l| entries(l, result)),
    };
    checked.err().map(|wrong| told(method, wrong))
}

/// Returns the error that a page of a list without a list stands for.
pub(super) fn no_list(listed: McpListed, page: &Value) -> Option<Value> {
    let wrong = list(page, listed.member()).err()?;
    Some(json!({"code": RESULT_SHAPE, "message": told(listed.method(), wrong)}))
}

/// Says what is wrong with what was listed, of all pages; lists that were not asked for are not there.
fn entries(listed: McpListed, result: &Value) -> Option<String> {
    let member = listed.member();
    result.get(member)?;
    let named = |at: String, entry: &Value| text(&at, object(&at, entry)?, listed.name());
    let checked = list(result, member).and_then(|all| each(member, all, named));
    checked.err().map(|wrong| told(listed.method(), wrong))
}

fn told(method: &str, wrong: Wrong) -> String {
    let seen = match wrong.seen {
        Some(seen) => format!("it is `{}`", shortened(&seen.to_string())),
        None => "it is missing".to_owned(),
    };
    let at = match wrong.at.as_str() {
        "" => "it".to_owned(),
        at => format!("`{at}`"),
    };
    format!(
        "the result of `{method}` has the wrong shape: {at} must be {}, but {seen}",
        wrong.expected
    )
}

fn called(result: &Value) -> Checked {
    let members = object("", result)?;
    // A failure in other words would pass for a success.
    if let Some(said) = members.get("isError").filter(|said| !said.is_boolean()) {
        return wrong("/isError", "true or false", Some(said));
    }
    // All is said in the other member, so nothing is lost.
    if !members.contains_key("content") && !result["structuredContent"].is_null() {
        return Ok(());
    }
    each("content", list(result, "content")?, block)
}

/// Checks a block of content.
fn block(at: String, block: &Value) -> Checked {
    let members = object(&at, block)?;
    match block["type"].as_str() {
        Some("text") => text(&at, members, "text"),
        Some("image" | "audio") => text(&at, members, "data"),
        Some("resource_link") => text(&at, members, "uri"),
        Some("resource") => resource(format!("{at}/resource"), there(&at, members, "resource")?),
        _ => wrong(
            &format!("{at}/type"),
            "`text`, `image`, `audio`, `resource` or `resource_link`",
            members.get("type"),
        ),
    }
}

fn resource(at: String, resource: &Value) -> Checked {
    let members = object(&at, resource)?;
    text(&at, members, "uri")?;
    if resource["text"].is_string() || resource["blob"].is_string() {
        return Ok(());
    }
    wrong(&at, "an object with `text` or `blob`", Some(resource))
}

fn message(at: String, message: &Value) -> Checked {
    let members = object(&at, message)?;
    text(&at, members, "role")?;
    block(format!("{at}/content"), there(&at, members, "content")?)
}

fn list<'a>(result: &'a Value, member: &str) -> Result<&'a [Value], Wrong> {
    match object("", result)?.get(member) {
        Some(Value::Array(entries)) => Ok(entries),
        seen => wrong(&format!("/{member}"), "a list", seen),
    }
}

fn each(member: &str, all: &[Value], check: impl Fn(String, &Value) -> Checked) -> Checked {
    let mut numbered = all.iter().enumerate();
    numbered.try_for_each(|(n, entry)| check(format!("/{member}/{n}"), entry))
}

fn object<'a>(at: &str, value: &'a Value) -> Result<&'a Map<String, Value>, Wrong> {
    match value {
        Value::Object(members) => Ok(members),
        seen => wrong(at, "an object", Some(seen)),
    }
}

fn there<'a>(at: &str, members: &'a Map<String, Value>, member: &str) -> Result<&'a Value, Wrong> {
    match members.get(member) {
        Some(value) => Ok(value),
        None => wrong(&format!("{at}/{member}"), "an object", None),
    }
}

fn text(at: &str, members: &Map<String, Value>, member: &str) -> Checked {
    match members.get(member) {
        Some(Value::String(_)) => Ok(()),
        seen => wrong(&format!("{at}/{member}"), "a string", seen),
    }
}

fn wrong<T>(at: &str, expected: &'static str, seen: Option<&Value>) -> Result<T, Wrong> {
    Err(Wrong {
        at: at.to_owned(),
        expected,
        seen: seen.cloned(),
    })
}
