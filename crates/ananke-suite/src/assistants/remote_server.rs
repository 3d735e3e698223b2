//! Servers that are spoken to in MCP: programs that are started, and addresses.

use ananke_model::assistant::ToolServer;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;
use ananke_model::plan::{Isolation, Limits, McpTarget, McpWay, TargetAuth, Tls};

use super::app::App;
use super::connector_file::value;
use super::document::Around;
use super::server_use::ServerUse;
use super::values::{entries, items, literal};
use crate::parse::duration;
use crate::yaml::Node;

/// How long a call may take if the server does not say.
const TIMEOUT_MS: u64 = 30_000;
/// How long a server may take to be ready.
const CONNECT_TIMEOUT_MS: u64 = 30_000;

/// Reads how a server is reached over this transport. `None` is reported.
pub(super) fn remote_server(
    server: &ServerUse,
    transport: &str,
    node: &Node,
    app: Option<&App>,
    around: &mut Around<'_>,
) -> Option<ToolServer> {
    let n_before = around.found.len();
    let way = match transport {
        "stdio" => program(server, node, app, around),
        "sse" => address(server, node, around).map(McpWay::Sse),
        _ => address(server, node, around).map(McpWay::Http),
    };
    let token = node
        .get("authorization_token")
        .filter(|token| !token.is_null());
    let token = token.and_then(|token| value(token, "`authorization_token`", around));
    let timeout = node.get("timeout").filter(|timeout| !timeout.is_null());
    let timeout = timeout.and_then(|timeout| duration(timeout, around.found));
    if around.has_errors_since(n_before) {
        return None;
    }
    let tools = server.tools.as_ref();
    Some(ToolServer {
        id: server.id.text.clone(),
        tools: tools.map(|tools| tools.iter().map(|tool| tool.text.clone()).collect()),
        target: McpTarget {
            transport: way?,
            version: None,
            user_tool: None,
            isolation: Isolation::Test,
            elicitation: Vec::new(),
            sampling: Vec::new(),
            roots: None,
            validate_output: false,
            auth: token.map(TargetAuth::Bearer),
            headers: Vec::new(),
            timeout_ms: timeout.unwrap_or(TIMEOUT_MS),
            connect_timeout_ms: CONNECT_TIMEOUT_MS,
            tls: Tls::default(),
            limits: Limits {
                event_bytes: 16 << 20,
                turn_bytes: 256 << 20,
            },
        },
    })
}

/// Returns the program of a server. It runs in the folder of the app.
fn program(
    server: &ServerUse,
    node: &Node,
    app: Option<&App>,
    around: &mut Around<'_>,
) -> Option<McpWay> {
    let Some(command) = node.get("command").filter(|command| !command.is_null()) else {
        around.refuse(missing(
            server,
            node,
            "command",
            "write `\"command\": \"python3\"`",
        ));
        return None;
    };
    let mut words = vec![value(command, "`command`", around)];
    let arguments = node.get("arguments").filter(|node| !node.is_null());
    let arguments = arguments.map(|node| items(node, "`arguments`", around.found));
    for argument in arguments.unwrap_or_default() {
        words.push(value(argument, "an argument", around));
    }
    let env = node.get("env").filter(|env| !env.is_null());
    let env = env.map(|env| entries(env, "`env`", around.found));
    let mut variables = Vec::new();
    for entry in env.unwrap_or_default() {
        let what = format!("the variable `{}`", entry.key.text);
        let value = value(&entry.value, &what, around);
        variables.extend(value.map(|value| (entry.key.text.clone(), value)));
    }
    let words: Option<Vec<Text>> = words.into_iter().collect();
    Some(McpWay::Stdio {
        command: words?,
        cwd: app.map(|app| Text {
            text: literal(&app.root.to_string_lossy()),
            place: node.place.clone(),
        }),
        env: variables,
    })
}

/// Returns the address of a server: `url`, or `endpoint`.
fn address(server: &ServerUse, node: &Node, around: &mut Around<'_>) -> Option<Text> {
    let named = ["url", "endpoint"].into_iter().find_map(|name| {
        let node = node.get(name).filter(|node| !node.is_null())?;
        Some((name, node))
    });
    let Some((name, url)) = named else {
        let hint = "write `\"url\": \"http://localhost:8000/mcp\"`";
        around.refuse(missing(server, node, "url", hint));
        return None;
    };
    value(url, &format!("`{name}`"), around)
}

fn missing(server: &ServerUse, node: &Node, key: &str, hint: &str) -> Diagnostic {
    let message = format!("`{key}` is missing in the server `{}`", server.id.text);
    Diagnostic::error(&node.place, message).hint(hint)
}
