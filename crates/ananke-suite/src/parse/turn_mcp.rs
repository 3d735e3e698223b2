//! `mcp:call`, `mcp:list`, `mcp:read` and `mcp:prompt`: what a turn asks of a server.

use ananke_model::plan::{McpListed, ServerAsk};

use super::Found;
use super::object::Object;
use super::target_a2a::json_map;
use super::tool_name::tool_name;
use super::turn_kind::TurnKind;
use super::values::{choice, text};
use crate::schema::LISTED;

/// Reads what a turn asks of a server. `None` if the kind is none of the four, or if something is missing, which is reported.
pub(super) fn server_ask(
    object: &Object<'_>,
    kind: TurnKind,
    found: &mut Found,
) -> Option<ServerAsk> {
    match kind {
        TurnKind::Call => {
            let tool = object.get("tool").and_then(|node| tool_name(node, found));
            let args = object.get("args").and_then(|node| json_map(node, found));
            Some(ServerAsk::Call { tool: tool?, args })
        }
        TurnKind::List => {
            let what = object
                .get("what")
                .and_then(|node| choice(node, LISTED, found));
            Some(ServerAsk::List(what.map(|word| match word {
                "tools" => McpListed::Tools,
                "resources" => McpListed::Resources,
                "templates" => McpListed::Templates,
                _ => McpListed::Prompts,
            })))
        }
        TurnKind::Read => Some(ServerAsk::Read {
            uri: text(object.get("uri")?, found)?,
        }),
        TurnKind::Prompt => {
            let name = object.get("name").and_then(|node| text(node, found));
            let args = object.get("args").and_then(|node| json_map(node, found));
            Some(ServerAsk::Prompt { name: name?, args })
        }
        TurnKind::User | TurnKind::Connect | TurnKind::Resume | TurnKind::Send => None,
    }
}
