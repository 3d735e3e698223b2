//! An assistant folder to a target: its prompts in front, its connector behind.

use std::collections::BTreeMap;
use std::path::Path;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};
use ananke_model::plan::{Limits, OpenAiTarget, Protocol, Target, Tls};

use super::app::find_app;
use super::connector::{Connector, Wanted, find_connector};
use super::connector_id::wanted_by;
use super::document::Around;
use super::hooks::hooks;
use super::package::{Package, package};
use super::prompts::prompts;
use super::refused::refuse_files;
use super::scripted::{Read, assistant, connection};
use super::servers::server_tools;
use crate::discover::{PACKAGE, assistant_id, nearest_sibling};

/// An assistant that is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AssistantRequest<'a> {
    /// Its folder, absolute.
    pub(crate) folder: &'a Path,
    /// Where it is asked for, if that is written somewhere.
    pub(crate) place: Option<&'a Place>,
    /// The connectors of the config. They come before those of the app.
    pub(crate) connectors: &'a [Connector],
    /// The connector that was chosen in the place of its own, and where; nowhere for `-c`.
    pub(crate) connector: Option<(&'a str, Option<&'a Place>)>,
    /// The prompts that were chosen in the place of the default ones.
    pub(crate) preset: Option<&'a Text>,
}

/// Reads an assistant folder. `None` if it cannot be run, which is then reported.
///
/// Limits, timeouts and the like have their defaults; the caller changes what the config says.
pub(crate) fn assistant_target(
    request: &AssistantRequest<'_>,
    around: &mut Around<'_>,
) -> Option<Target> {
    let folder = request.folder;
    let n_before = around.found.len();
    let file = folder.join(PACKAGE);
    if !file.is_file() {
        around.refuse(no_package(request, around));
        return None;
    }
    let app = find_app(folder);
    let app = app.as_ref();
    let node = around.object(&file)?;
    let package = package(&node, around.found);
    refuse_files(folder, around);
    let hooks = hooks(folder, around);
    let (tools, servers) = server_tools(&package, folder, app, around);
    let has_app_prompts = package.has_global_prompts;
    let prompts = prompts(folder, app, has_app_prompts, request.preset, around);
    let calls_any = hooks
        .iter()
        .any(|hooks| hooks.create.is_some() || hooks.next.is_some());
    let has_prompts = prompts
        .as_ref()
        .is_none_or(|prompts| !prompts.own.is_empty());
    if !has_prompts && package.servers.is_empty() && !calls_any {
        around.refuse(nothing_to_send(&package));
    }
    let wanted = match request.connector {
        Some((id, place)) => Some(Wanted {
            id: id.to_owned(),
            place: place.cloned(),
        }),
        None => wanted_by(&package, app, around),
    };
    let connector =
        wanted.and_then(|wanted| find_connector(&wanted, request.connectors, app, around));
    if around.has_errors_since(n_before) {
        return None;
    }
    let connector = connector?;
    let prompts = prompts?;
    let facts = facts(&package, folder);
    let place = request.place.unwrap_or(&package.place).clone();
    let assistant = (calls_any || !tools.is_empty() || !servers.is_empty()).then(|| {
        let read = Read {
            connector: &connector.id,
            hooks,
            tools,
            servers,
            prompts: &prompts,
        };
        Box::new(assistant(&package, read, request, app, around))
    });
    if around.has_errors_since(n_before) {
        return None;
    }
    let connection = connection(connector, &package);
    Some(Target {
        name: None,
        place: place.clone(),
        protocol: Protocol::OpenAi(Box::new(OpenAiTarget {
            host: connection.host,
            model: connection.model,
            key: connection.key,
            key_header: connection.key_header,
            headers: connection.headers,
            prompts: [prompts.of_app, prompts.own].concat(),
            parameters: connection.parameters,
            tools: Vec::new(),
            stream: connection.stream,
            retries: 2,
            timeout_ms: 120_000,
            connect_timeout_ms: 10_000,
            tls: Tls::default(),
            limits: Limits {
                event_bytes: 16 << 20,
                turn_bytes: 256 << 20,
            },
            facts,
            assistant,
        })),
        concurrency: None,
        group: None,
        backoff_ms: None,
        connector: request.connector.map(|(id, _)| id.to_owned()),
        own_timeout_ms: None,
    })
}

fn nothing_to_send(package: &Package) -> Diagnostic {
    let message = "the assistant has neither prompts nor tools: nothing would be sent";
    Diagnostic::error(&package.place, message)
        .hint("write `prompts.yml` beside `package.yao`: a list of `role` and `content`")
}

/// Returns what prompts can name with `$CTX.`.
fn facts(package: &Package, folder: &Path) -> BTreeMap<String, String> {
    let facts = [
        ("ASSISTANT_ID", assistant_id(folder)),
        ("ASSISTANT_NAME", package.name.clone()),
        ("ASSISTANT_DESCRIPTION", package.description.clone()),
        ("ASSISTANT_TYPE", package.kind.clone()),
    ];
    facts.map(|(key, value)| (key.to_owned(), value)).into()
}

fn no_package(request: &AssistantRequest<'_>, around: &Around<'_>) -> Diagnostic {
    let folder = request.folder;
    let shown = around.shown(folder);
    let (message, hint) = if folder.is_dir() {
        let message = format!("the folder `{shown}` is no assistant: it has no `{PACKAGE}`");
        let near = nearest_sibling(&folder.join(PACKAGE), around.cwd);
        (message, near)
    } else {
        let message = format!("there is no folder `{shown}`");
        (message, nearest_sibling(folder, around.cwd))
    };
    let diagnostic = match request.place {
        Some(place) => Diagnostic::error(place, message),
        None => Diagnostic::error_anywhere(message),
    };
    match hint {
        Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}
