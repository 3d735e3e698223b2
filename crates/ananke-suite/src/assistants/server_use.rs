//! `mcp` of a package: which servers the assistant uses, and which of their tools.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;

use super::values::{entries, flag, items, mismatch, text, warn_of_unknown};
use crate::parse::Found;
use crate::yaml::{Kind, Node, ScalarKind, integer};

const OF_SERVER: [&str; 3] = ["server_id", "tools", "resources"];

/// A server that an assistant uses.
#[derive(Debug)]
pub(super) struct ServerUse {
    pub(super) id: Text,
    /// The tools that are offered; `None` for all.
    pub(super) tools: Option<Vec<Text>>,
}

/// How what tools answer goes back to the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct ToolLoop {
    /// Whether it does.
    pub(super) is_on: bool,
    /// How often at most in one turn.
    pub(super) max_turn: usize,
}

impl Default for ToolLoop {
    fn default() -> Self {
        Self {
            is_on: true,
            max_turn: 5,
        }
    }
}

/// Reads `mcp.servers`.
pub(super) fn server_uses(node: &Node, found: &mut Found) -> Vec<ServerUse> {
    warn_of_unknown(node, "`mcp`", &["servers", "options"], found);
    if !matches!(node.kind, Kind::Map(_)) {
        mismatch(node, "`mcp`", "a map", found);
        return Vec::new();
    }
    let servers = node.get("servers").filter(|node| !node.is_null());
    let servers = servers.map(|node| items(node, "`servers`", found));
    let servers = servers.unwrap_or_default().iter();
    servers.filter_map(|node| server_use(node, found)).collect()
}

/// Reads `mcp.options`.
pub(super) fn tool_loop(node: &Node, found: &mut Found) -> ToolLoop {
    let mut tool_loop = ToolLoop::default();
    let Some(node) = node.get("options").filter(|node| !node.is_null()) else {
        return tool_loop;
    };
    warn_of_unknown(node, "`mcp.options`", &["tool_loop", "max_turn"], found);
    if let Some(node) = node.get("tool_loop") {
        tool_loop.is_on = flag(node, "`tool_loop`", found).unwrap_or(true);
    }
    if let Some(node) = node.get("max_turn") {
        let whole = node
            .scalar()
            .filter(|scalar| scalar.kind == ScalarKind::Int);
        let turns = whole.and_then(|scalar| integer(&scalar.text));
        match turns.and_then(|turns| usize::try_from(turns).ok()) {
            Some(turns) if turns >= 1 => tool_loop.max_turn = turns,
            _ => mismatch(node, "`max_turn`", "a whole number from 1 on", found),
        }
    }
    tool_loop
}

/// Reads `"id"`, `{server_id, tools, resources}`, `{"id": [tools]}` or `{"id": {tools, resources}}`.
fn server_use(node: &Node, found: &mut Found) -> Option<ServerUse> {
    let Kind::Map(members) = &node.kind else {
        let id = text(node, "a server", found)?;
        return Some(ServerUse { id, tools: None });
    };
    if let Some(id) = node.get("server_id") {
        warn_of_unknown(node, "a server", &OF_SERVER, found);
        let id = text(id, "`server_id`", found);
        let tools = tools(node.get("tools"), found);
        return Some(ServerUse { id: id?, tools });
    }
    let [member] = members.as_slice() else {
        let message = "a server has no `server_id`";
        let hint = "write `\"id\"`, or `{\"server_id\": \"id\", \"tools\": [\"name\"]}`";
        found.push(Diagnostic::error(&node.place, message).hint(hint));
        return None;
    };
    let tools = match &member.value.kind {
        Kind::Seq(_) => tools(Some(&member.value), found),
        _ => {
            entries(&member.value, "what is used of a server", found);
            warn_of_unknown(&member.value, "a server", &OF_SERVER[1..], found);
            tools(member.value.get("tools"), found)
        }
    };
    Some(ServerUse {
        id: member.key.clone(),
        tools,
    })
}

fn tools(node: Option<&Node>, found: &mut Found) -> Option<Vec<Text>> {
    let node = node.filter(|node| !node.is_null())?;
    let names = items(node, "`tools`", found).iter();
    Some(
        names
            .filter_map(|node| text(node, "a tool", found))
            .collect(),
    )
}
