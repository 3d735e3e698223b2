//! `*.mcp.yao`: the servers whose tools an assistant uses. They are read and checked; none can be run yet.

use std::path::{Path, PathBuf};

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;

use super::app::App;
use super::document::Around;
use super::listing::ids;
use super::refused::INSTEAD;
use super::schemes::check_scheme;
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

/// Reports for each server that it cannot be run, and what is wrong with it besides.
pub(super) fn refuse_servers(
    servers: &[ServerUse],
    folder: &Path,
    app: Option<&App>,
    around: &mut Around<'_>,
) {
    for server in servers {
        let Some(file) = find(&server.id.text, folder, app) else {
            around.refuse(unknown(&server.id, folder, app));
            continue;
        };
        let Some(node) = around.object(&file.folder.join(&file.below)) else {
            continue;
        };
        warn_of_unknown(&node, "a server", &KEYS, around.found);
        refuse_server(server, &node, &file, around);
    }
}

fn refuse_server(server: &ServerUse, node: &Node, file: &ServerFile, around: &mut Around<'_>) {
    let id = &server.id;
    let Some(transport) = node.get("transport") else {
        let message = format!("`transport` is missing in the server `{}`", id.text);
        let diagnostic = Diagnostic::error(&node.place, message);
        around.refuse(diagnostic.hint("write `\"transport\": \"process\"`"));
        return;
    };
    let Some(transport) = text(transport, "`transport`", around.found) else {
        return;
    };
    let (needs, label) = match transport.text.as_str() {
        "process" => {
            let tools = tools(server, node, around);
            for tool in &tools {
                check_scheme(tool, &mapping(file), around);
            }
            let names: Vec<_> = tools.iter().map(|tool| tool.text.as_str()).collect();
            let label = match names.as_slice() {
                [] => "it runs scripts of the app".to_owned(),
                names => format!("its tools run scripts of the app: `{}`", names.join("`, `")),
            };
            ("a script engine", label)
        }
        word @ ("http" | "sse" | "stdio") => {
            ("an MCP client", format!("its transport is `{word}`"))
        }
        word => {
            let message = format!("unknown transport `{word}`");
            let diagnostic = Diagnostic::error(&transport.place, message);
            let known = TRANSPORTS.iter().copied();
            around.refuse(suggested(diagnostic, word, known, "there are"));
            return;
        }
    };
    let message = format!(
        "the server `{}` needs {needs}, which this version does not have",
        id.text
    );
    let diagnostic = Diagnostic::error(&id.place, message).label(label);
    around.refuse(diagnostic.hint(INSTEAD));
}

/// Returns the tools that the assistant uses, each where it is written.
fn tools(server: &ServerUse, node: &Node, around: &mut Around<'_>) -> Vec<Text> {
    let mapped = node.get("tools").filter(|tools| !tools.is_null());
    let mapped = mapped.map(|tools| entries(tools, "`tools`", around.found));
    let mapped = mapped.unwrap_or_default();
    for entry in mapped {
        let what = format!("the process of the tool `{}`", entry.key.text);
        text(&entry.value, &what, around.found);
    }
    let Some(wanted) = &server.tools else {
        return mapped.iter().map(|entry| entry.key.clone()).collect();
    };
    let known = mapped.iter().map(|entry| entry.key.text.as_str());
    let mut tools = Vec::new();
    for tool in wanted {
        if known.clone().any(|known| known == tool.text) {
            tools.push(tool.clone());
        } else {
            let message = format!(
                "the server `{}` has no tool `{}`",
                server.id.text, tool.text
            );
            let diagnostic = Diagnostic::error(&tool.place, message);
            around.refuse(suggested(diagnostic, &tool.text, known.clone(), "it has"));
        }
    }
    tools
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
