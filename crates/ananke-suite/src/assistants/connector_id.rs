//! Which connector an assistant uses: what was chosen, else what the package names, else the app's default.

use std::path::PathBuf;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;

use super::app::App;
use super::connector::Wanted;
use super::connector_file::{environment_name, environment_value};
use super::document::Around;
use super::package::Package;
use super::values::{entries, suggested, text};
use crate::parse::Found;
use crate::yaml::{Node, compose};

/// What stands before a role.
const ROLE: &str = "use::";
/// The role of an assistant that names no connector.
const DEFAULT_ROLE: &str = "default";

/// Returns the connector that the package asks for. `None` is reported.
pub(super) fn wanted_by(
    package: &Package,
    app: Option<&App>,
    around: &mut Around<'_>,
) -> Option<Wanted> {
    let Some(written) = &package.connector else {
        return by_default(package, app, around);
    };
    let written = written.as_ref()?;
    match written.text.strip_prefix(ROLE) {
        Some(role) => by_role(role.trim(), written, app, around),
        None => plain(written, "`connector`", around),
    }
}

fn by_default(package: &Package, app: Option<&App>, around: &mut Around<'_>) -> Option<Wanted> {
    let n_before = around.found.len();
    let roles = app.map(|app| roles(app, around)).unwrap_or_default();
    if around.has_errors_since(n_before) {
        return None;
    }
    if let Some((_, connector)) = roles.iter().find(|(role, _)| role == DEFAULT_ROLE) {
        return plain(connector, "the default connector", around);
    }
    let message = "the assistant names no connector, and the app has no default";
    around.refuse(Diagnostic::error(&package.place, message).hint(
        "write `\"connector\": \"…\"`, or `system: {default: …}` in the app's `agent/agent.yml`",
    ));
    None
}

fn by_role(
    role: &str,
    written: &Text,
    app: Option<&App>,
    around: &mut Around<'_>,
) -> Option<Wanted> {
    let n_before = around.found.len();
    let roles = app.map(|app| roles(app, around)).unwrap_or_default();
    if around.has_errors_since(n_before) {
        return None;
    }
    if let Some((_, connector)) = roles.iter().find(|(known, _)| known == role) {
        return plain(connector, "the connector of a role", around);
    }
    let message = format!("there is no role `{role}` in the app's `agent/agent.yml`");
    let diagnostic = Diagnostic::error(&written.place, message);
    let known = roles.iter().map(|(role, _)| role.as_str());
    around.refuse(if roles.is_empty() {
        diagnostic.hint(format!("write `system: {{{role}: <connector>}}` there"))
    } else {
        suggested(diagnostic, role, known, "there are")
    });
    None
}

/// Returns a connector that is named, or that a variable of the environment names.
fn plain(written: &Text, what: &str, around: &mut Around<'_>) -> Option<Wanted> {
    let id = match environment_name(written, around)? {
        Some(name) => environment_value(&name, what, written, around)?,
        None => written.text.clone(),
    };
    Some(Wanted {
        id: id.trim().to_owned(),
        place: Some(written.place.clone()),
    })
}

/// Returns the connectors of the app by their roles.
fn roles(app: &App, around: &mut Around<'_>) -> Vec<(String, Text)> {
    let Some(path) = agent_file(app) else {
        return Vec::new();
    };
    let Some((name, source)) = around.text(&path) else {
        return Vec::new();
    };
    // A file with nothing but comments says nothing.
    let is_comment = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    if source.lines().all(is_comment) {
        return Vec::new();
    }
    let node = compose(&name, &source, around.found);
    node.map(|node| roles_of(&node, around.found))
        .unwrap_or_default()
}

fn agent_file(app: &App) -> Option<PathBuf> {
    let folder = app.root.join("agent");
    let names = ["agent.yml", "agent.yaml"];
    let mut paths = names.iter().map(|name| folder.join(name));
    paths.find(|path| path.is_file())
}

fn roles_of(node: &Node, found: &mut Found) -> Vec<(String, Text)> {
    let system = node.get("system").filter(|system| !system.is_null());
    let roles = system.map(|system| entries(system, "`system`", found));
    let mut named = Vec::new();
    for entry in roles.unwrap_or_default() {
        if entry.value.is_null() {
            continue;
        }
        if let Some(connector) = text(&entry.value, "the connector of a role", found) {
            named.push((entry.key.text.clone(), connector));
        }
    }
    named
}
