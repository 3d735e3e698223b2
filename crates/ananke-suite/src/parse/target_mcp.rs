//! Where an MCP server is, and what is said to it: keys of `mcp` targets.

use ananke_model::place::{Json, Place, Text};
use ananke_model::plan::{ElicitAction, Isolation, McpAnswer, UserTool};
use serde_json::Value;

use super::Found;
use super::command::command_under;
use super::dotted_path::dotted_path;
use super::object::Object;
use super::target_a2a::json_map;
use super::tool_name::tool_name;
use super::values::{boolean, choice, items, json, mismatch, text};
use crate::schema::{
    ELICIT_ACTIONS, ELICITATION, ISOLATIONS, ROOT, SAMPLING, TRANSPORTS, USER_TOOL,
};
use crate::yaml::{Kind, Node};

/// Where an MCP server is, and what is said to it. What targets of several types have stands in the target.
#[derive(Clone, Debug, Default)]
pub(crate) struct McpSpec {
    /// One of [`TRANSPORTS`], with the place of the word.
    pub(crate) transport: Option<(Place, &'static str)>,
    /// Program and arguments.
    pub(crate) command: Option<Vec<Text>>,
    pub(crate) cwd: Option<Text>,
    pub(crate) user_tool: Option<UserTool>,
    pub(crate) isolation: Option<Isolation>,
    pub(crate) elicitation: Option<Vec<McpAnswer>>,
    pub(crate) sampling: Option<Vec<McpAnswer>>,
    pub(crate) roots: Option<Json>,
    pub(crate) validate_output: Option<bool>,
}

/// Reads the keys of an MCP server that the shape of `object` has.
pub(super) fn mcp(object: &Object<'_>, found: &mut Found) -> McpSpec {
    let isolation = object
        .find("isolation")
        .and_then(|node| choice(node, ISOLATIONS, found));
    McpSpec {
        transport: object.find("transport").and_then(|node| {
            choice(node, TRANSPORTS, found).map(|word| (node.place.clone(), word))
        }),
        command: object
            .find("command")
            .and_then(|node| command_under(node, "command", found)),
        cwd: object.find("cwd").and_then(|node| text(node, found)),
        user_tool: object
            .find("userTool")
            .and_then(|node| user_tool(node, found)),
        isolation: isolation.map(|word| match word {
            "file" => Isolation::File,
            _ => Isolation::Test,
        }),
        elicitation: object
            .find("elicitation")
            .and_then(|node| answers(node, elicited, found)),
        sampling: object
            .find("sampling")
            .and_then(|node| answers(node, sampled, found)),
        roots: object.find("roots").and_then(|node| roots(node, found)),
        validate_output: object
            .find("validateOutput")
            .and_then(|node| boolean(node, found)),
    }
}

fn user_tool(node: &Node, found: &mut Found) -> Option<UserTool> {
    let object = Object::open(node, &USER_TOOL, found)?;
    let name = object.get("name").and_then(|node| tool_name(node, found));
    let argument = object.get("argument").and_then(|node| text(node, found));
    let conversation = object
        .get("conversation")
        .and_then(|node| text(node, found));
    let args = object.get("args").and_then(|node| json_map(node, found));
    let tool_calls = object
        .get("toolCalls")
        .and_then(|node| dotted_path(node, found));
    Some(UserTool {
        name: name?,
        argument: argument?,
        conversation,
        args,
        tool_calls,
    })
}

fn answers(
    node: &Node,
    read: impl Fn(&Node, &mut Found) -> Option<McpAnswer>,
    found: &mut Found,
) -> Option<Vec<McpAnswer>> {
    let items = items(node, found)?;
    Some(items.iter().filter_map(|item| read(item, found)).collect())
}

fn elicited(node: &Node, found: &mut Found) -> Option<McpAnswer> {
    let object = Object::open(node, &ELICITATION, found)?;
    let action = object
        .get("action")
        .and_then(|node| choice(node, ELICIT_ACTIONS, found));
    let content = object.get("content").and_then(|node| json_map(node, found));
    Some(McpAnswer {
        when: object.get("when").and_then(|node| text(node, found)),
        once: once(&object, found),
        action: match action {
            Some("decline") => ElicitAction::Decline,
            Some("cancel") => ElicitAction::Cancel,
            _ => ElicitAction::Accept,
        },
        content,
    })
}

fn sampled(node: &Node, found: &mut Found) -> Option<McpAnswer> {
    let object = Object::open(node, &SAMPLING, found)?;
    let when = object.get("when").and_then(|node| text(node, found));
    let once = once(&object, found);
    let content = object.get("content").and_then(|node| match node.kind {
        Kind::Map(_) => json(node, found),
        Kind::Scalar(_) => text(node, found).map(|text| Json {
            value: Value::String(text.text),
            place: text.place,
        }),
        Kind::Seq(_) | Kind::Broken => {
            mismatch(node, "text or a map", found);
            None
        }
    });
    Some(McpAnswer {
        when,
        once,
        action: ElicitAction::Accept,
        content: Some(content?),
    })
}

fn once(object: &Object<'_>, found: &mut Found) -> bool {
    let once = object.get("once").and_then(|node| boolean(node, found));
    once.unwrap_or(false)
}

fn roots(node: &Node, found: &mut Found) -> Option<Json> {
    for item in items(node, found)? {
        if let Some(object) = Object::open(item, &ROOT, found) {
            for key in ["uri", "name"] {
                object.get(key).and_then(|node| text(node, found));
            }
        }
    }
    json(node, found)
}
