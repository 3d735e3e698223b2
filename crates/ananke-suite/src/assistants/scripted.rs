//! What scripts of an assistant do, and what they can choose from: prompts and connectors.

use std::collections::BTreeMap;

use ananke_model::assistant::{Assistant, Connection, Hooks, ScriptTool, ToolServer};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Json;
use ananke_model::plan::Prompt;
use serde_json::Value;

use super::app::App;
use super::connector::{Connector, app_connector};
use super::document::Around;
use super::package::Package;
use super::prompts::{Prompts, presets, prompts};
use super::target::AssistantRequest;
use crate::discover::assistant_id;

/// What was read of an assistant already.
pub(super) struct Read<'a> {
    /// The id of its connector.
    pub(super) connector: &'a str,
    pub(super) hooks: Option<Hooks>,
    pub(super) tools: Vec<ScriptTool>,
    pub(super) servers: Vec<ToolServer>,
    pub(super) prompts: &'a Prompts,
}

/// Reads what scripts of an assistant can choose from.
pub(super) fn assistant(
    package: &Package,
    read: Read<'_>,
    request: &AssistantRequest<'_>,
    app: Option<&App>,
    around: &mut Around<'_>,
) -> Assistant {
    let folder = request.folder;
    let chooses = read
        .hooks
        .as_ref()
        .is_some_and(|hooks| hooks.create.is_some());
    let mut assistant = Assistant {
        id: assistant_id(folder),
        connector: read.connector.to_owned(),
        n_app_prompts: read.prompts.of_app.len(),
        tools: read.tools,
        servers: read.servers,
        hooks: read.hooks,
        tool_loop: package.tool_loop.is_on,
        max_turn: package.tool_loop.max_turn,
        ..Assistant::default()
    };
    if chooses {
        assistant.app_prompts = match package.has_global_prompts {
            true => read.prompts.of_app.clone(),
            false => of_app(request, app, around),
        };
        assistant.presets = presets(folder, app, around);
        assistant.connectors = connectors(package, request.connectors, app, around);
    }
    assistant
}

/// Returns the prompts of the app where the package leaves them out.
fn of_app(
    request: &AssistantRequest<'_>,
    app: Option<&App>,
    around: &mut Around<'_>,
) -> Vec<Prompt> {
    let prompts = prompts(request.folder, app, true, request.preset, around);
    prompts.map(|prompts| prompts.of_app).unwrap_or_default()
}

/// Reads all connectors of the config and of the app. One that cannot be used is no mistake before it is chosen.
fn connectors(
    package: &Package,
    configured: &[Connector],
    app: Option<&App>,
    around: &mut Around<'_>,
) -> BTreeMap<String, Result<Connection, String>> {
    let mut connectors = BTreeMap::new();
    for id in app.map(App::connector_ids).unwrap_or_default() {
        let mut found = Vec::new();
        let mut aside = Around {
            cwd: around.cwd,
            variables: around.variables,
            find_functions: around.find_functions,
            sources: &mut *around.sources,
            found: &mut found,
        };
        let connector = app.and_then(|app| app_connector(app, &id, &mut aside));
        let connector = connector.filter(|_| !found.iter().any(Diagnostic::is_error));
        let connection = connector.map(|connector| connection(connector, package));
        let connection = connection.ok_or_else(|| {
            let mut errors = found.iter().filter(|diagnostic| diagnostic.is_error());
            let why = errors.next().map(|diagnostic| diagnostic.message.clone());
            why.unwrap_or_else(|| "its file cannot be read".to_owned())
        });
        connectors.insert(id, connection);
    }
    for connector in configured {
        let connection = connection(connector.clone(), package);
        connectors.insert(connector.id.clone(), Ok(connection));
    }
    connectors
}

/// Returns how the model of a connector is reached; what the package wants of it goes first.
pub(super) fn connection(connector: Connector, package: &Package) -> Connection {
    let mut parameters = connector.parameters;
    parameters.extend(package.parameters.clone());
    Connection {
        host: connector.host,
        model: connector.model,
        key: connector.key,
        key_header: connector.key_header,
        headers: connector.headers,
        parameters: (!parameters.is_empty()).then(|| Json {
            value: Value::Object(parameters),
            place: package.place.clone(),
        }),
        stream: connector.stream,
    }
}
