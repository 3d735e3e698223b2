//! `*.mcp.yao`: the servers whose tools an assistant uses: scripts of the app, or servers that are spoken to in MCP.

use std::path::{Path, PathBuf};

use ananke_model::assistant::{MAX_TOOLS, ScriptTool, ToolServer};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;

use super::app::App;
use super::document::Around;
use super::listing::ids;
use super::package::Package;
use super::process::process;
use super::remote_server::remote_server;
use super::schemes::scheme;
use super::server_use::ServerUse;
use super::values::{entries, suggested, text, warn_of_unknown};
use crate::discover::assistant_id;
use crate::yaml::Node;

const ENDINGS: [&str; 3] = [".mcp.yao", ".mcp.jsonc", ".mcp.json"];
const TRANSPORTS: [&str; 4] = ["process", "http", "sse", "stdio"];
const KEYS: [&str; 21] = [
    "label",
    "description",
    "transport",
    "capabilities",
    "tools",
    "resources",
    "prompts",
    "url",
    "endpoint",
    "authorization_token",
    "timeout",
    "command",
    "arguments",
    "env",
    "id",
    "name",
    "version",
    "enable_sampling",
    "enable_roots",
    "roots_list_changed",
    "enable_elicitation",
];

/// Where a server is described.
struct ServerFile {
    /// The folder `mcps`.
    folder: PathBuf,
    /// The path of the file from there.
    below: PathBuf,
}

/// Reads the tools that an assistant offers to the model, and the servers that are asked for theirs. Mistakes are reported.
pub(super) fn server_tools(
    package: &Package,
    folder: &Path,
    app: Option<&App>,
    around: &mut Around<'_>,
) -> (Vec<ScriptTool>, Vec<ToolServer>) {
    let mut tools: Vec<ScriptTool> = Vec::new();
    let mut servers = Vec::new();
    for server in &package.servers {
        let Some(file) = find(&server.id.text, folder, app) else {
            around.refuse(unknown(&server.id, folder, app));
            continue;
        };
        let Some(node) = around.object(&file.folder.join(&file.below)) else {
            continue;
        };
        warn_of_unknown(&node, "a server", &KEYS, around.found);
        match transport(server, &node, around) {
            None => continue,
            Some("process") => {}
            Some(word) => {
                servers.extend(remote_server(server, word, &node, app, around));
                continue;
            }
        }
        for (name, process) in mapped(server, &node, around) {
            let scheme = scheme(&name, &mapping(&file), around);
            let call = process.and_then(|written| self::process(&written, folder, app, around));
            let (Some(scheme), Some(call)) = (scheme, call) else {
                continue;
            };
            let offered_name = format!("{}__{}", server.id.text.replace('.', "_"), name.text);
            if tools.iter().any(|tool| tool.offered_name == offered_name) {
                let message =
                    format!("the model would get two tools with the name `{offered_name}`");
                around.refuse(Diagnostic::error(&server.id.place, message));
                continue;
            }
            tools.push(ScriptTool {
                server: server.id.text.clone(),
                name: name.text,
                offered_name,
                description: scheme.description,
                input: scheme.input,
                samples: scheme.samples,
                call: Some(call),
                arguments: scheme.arguments,
            });
        }
    }
    if tools.len() > MAX_TOOLS
        && let Some(first) = package.servers.first()
    {
        let message = format!(
            "the assistant offers {} tools: a model gets at most {MAX_TOOLS}",
            tools.len()
        );
        let hint = "name those that it needs: `{\"server_id\": \"…\", \"tools\": [\"…\"]}`";
        around.refuse(Diagnostic::error(&first.id.place, message).hint(hint));
    }
    (tools, servers)
}

/// Returns how a server is reached. What is not known is reported.
fn transport(server: &ServerUse, node: &Node, around: &mut Around<'_>) -> Option<&'static str> {
    let id = &server.id;
    let Some(transport) = node.get("transport") else {
        let message = format!("`transport` is missing in the server `{}`", id.text);
        let diagnostic = Diagnostic::error(&node.place, message);
        around.refuse(diagnostic.hint("write `\"transport\": \"process\"`"));
        return None;
    };
    let transport = text(transport, "`transport`", around.found)?;
    let word = transport.text.as_str();
    let known = TRANSPORTS.into_iter().find(|known| *known == word);
    if known.is_none() {
        let diagnostic = Diagnostic::error(&transport.place, format!("unknown transport `{word}`"));
        around.refuse(suggested(
            diagnostic,
            word,
            TRANSPORTS.into_iter(),
            "there are",
        ));
    }
    known
}

/// Returns the tools that the assistant uses, each where it is written, with their processes.
fn mapped(server: &ServerUse, node: &Node, around: &mut Around<'_>) -> Vec<(Text, Option<Text>)> {
    let tools = node.get("tools").filter(|tools| !tools.is_null());
    let tools = tools.map(|tools| entries(tools, "`tools`", around.found));
    let mut all = Vec::new();
    for entry in tools.unwrap_or_default() {
        let what = format!("the process of the tool `{}`", entry.key.text);
        all.push((entry.key.clone(), text(&entry.value, &what, around.found)));
    }
    let Some(wanted) = &server.tools else {
        return all;
    };
    let mut used = Vec::new();
    for tool in wanted {
        let known = all.iter().map(|(name, _)| name.text.as_str());
        match all.iter().find(|(name, _)| name.text == tool.text) {
            Some((_, process)) => used.push((tool.clone(), process.clone())),
            None => {
                let message = format!(
                    "the server `{}` has no tool `{}`",
                    server.id.text, tool.text
                );
                let diagnostic = Diagnostic::error(&tool.place, message);
                around.refuse(suggested(diagnostic, &tool.text, known, "it has"));
            }
        }
    }
    used
}

/// Returns the folder that holds what is known of the server's tools.
fn mapping(file: &ServerFile) -> PathBuf {
    let name = file.below.file_name().and_then(|name| name.to_str());
    let name = name.and_then(|name| {
        let mut endings = ENDINGS.iter();
        endings.find_map(|ending| name.strip_suffix(ending))
    });
    let path = file.below.with_file_name(name.unwrap_or_default());
    file.folder.join("mapping").join(path).join("schemes")
}

/// Returns the folders in which servers of this assistant can be described, each with what stands before their ids.
fn places(id: &str, folder: &Path, app: Option<&App>) -> Vec<(String, PathBuf)> {
    let own = format!("agents.{}.", assistant_id(folder));
    let mut places = vec![(own, folder.join("mcps"))];
    let Some(app) = app else {
        return places;
    };
    places.push((String::new(), app.root.join("mcps")));
    // A server of another assistant: the longest id that is one.
    let words: Vec<_> = id
        .strip_prefix("agents.")
        .map(|rest| rest.split('.').collect())
        .unwrap_or_default();
    for end in (1..words.len()).rev() {
        let other = words.get(..end).unwrap_or_default().join(".");
        if let Some(folder) = app.assistant(&other) {
            places.push((format!("agents.{other}."), folder.join("mcps")));
        }
    }
    places
}

fn find(id: &str, folder: &Path, app: Option<&App>) -> Option<ServerFile> {
    places(id, folder, app)
        .into_iter()
        .find_map(|(before, folder)| {
            let below = ids(&folder, &ENDINGS).remove(id.strip_prefix(&before)?)?;
            Some(ServerFile { folder, below })
        })
}

fn unknown(id: &Text, folder: &Path, app: Option<&App>) -> Diagnostic {
    let message = format!("there is no server `{}`", id.text);
    let diagnostic = Diagnostic::error(&id.place, message);
    let known: Vec<String> = places(&id.text, folder, app)
        .iter()
        .flat_map(|(before, folder)| {
            let ids = ids(folder, &ENDINGS).into_keys();
            ids.map(|id| format!("{before}{id}")).collect::<Vec<_>>()
        })
        .collect();
    let names = known.iter().map(String::as_str);
    suggested(diagnostic, &id.text, names, "there are")
}
