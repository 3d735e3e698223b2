//! A connector: which model answers, and how it is reached.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};
use ananke_model::plan::KeyHeader;
use serde_json::{Map, Value};

use super::app::{App, CONNECTOR_ENDINGS};
use super::connector_file::connector_file;
use super::document::Around;
use super::listing::ids;
use super::values::suggested;

/// A connector, of the config or of a file.
#[derive(Clone, Debug)]
pub(crate) struct Connector {
    /// Its id.
    pub(crate) id: String,
    /// The host, or the whole address.
    pub(crate) host: Text,
    /// The model.
    pub(crate) model: Text,
    /// The key; none is sent without it.
    pub(crate) key: Option<Text>,
    /// In which header the key is sent.
    pub(crate) key_header: KeyHeader,
    /// Additional request headers.
    pub(crate) headers: Vec<(String, Text)>,
    /// Members of every request.
    pub(crate) parameters: Map<String, Value>,
    /// Whether answers are streamed.
    pub(crate) stream: bool,
}

/// A connector that is asked for.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) id: String,
    /// Where it is asked for; `None` on the command line.
    pub(super) place: Option<Place>,
}

impl Wanted {
    /// Returns an error about what is asked for.
    pub(super) fn error(&self, message: &str) -> Diagnostic {
        match &self.place {
            Some(place) => Diagnostic::error(place, message),
            None => Diagnostic::error_anywhere(format!("-c: {message}")),
        }
    }
}

/// Reads the connector that a file of the app describes. `None` if there is no such file, which nobody has reported then, or
/// if it cannot be used, which is reported.
pub(crate) fn app_connector(app: &App, id: &str, around: &mut Around<'_>) -> Option<Connector> {
    let folder = app.connectors();
    let file = ids(&folder, &CONNECTOR_ENDINGS).remove(id)?;
    connector_file(id, &folder.join(file), around)
}

/// Finds the connector that is asked for: one of the config, else one of the app. `None` is reported.
pub(super) fn find_connector(
    wanted: &Wanted,
    configured: &[Connector],
    app: Option<&App>,
    around: &mut Around<'_>,
) -> Option<Connector> {
    let id = wanted.id.as_str();
    if let Some(connector) = configured.iter().find(|connector| connector.id == id) {
        return Some(connector.clone());
    }
    let n_before = around.found.len();
    if let Some(connector) = app.and_then(|app| app_connector(app, id, around)) {
        return Some(connector);
    }
    if around.found.len() > n_before {
        return None;
    }
    let mut names: Vec<String> = app.map(App::connector_ids).unwrap_or_default();
    names.extend(configured.iter().map(|connector| connector.id.clone()));
    let diagnostic = wanted.error(&format!("there is no connector `{id}`"));
    let diagnostic = if names.is_empty() {
        let path = id.replace('.', "/");
        diagnostic.hint(format!(
            "write `connectors/{path}.conn.yao` in the app, or `connectors` in the config"
        ))
    } else {
        let names = names.iter().map(String::as_str);
        suggested(diagnostic, id, names, "there are")
    };
    around.refuse(diagnostic);
    None
}
