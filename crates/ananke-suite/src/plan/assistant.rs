//! Assistant folders as targets: what the folder says, and what the config changes.

use std::path::PathBuf;

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Text;
use ananke_model::plan::{OpenAiTarget, Protocol};

use super::chat::{missing_key, parameters};
use super::complete::{limits, tls};
use super::connector::Chosen;
use super::registry::Registry;
use super::sensitive::of_chat;
use crate::assistants::{App, AssistantRequest, assistant_target};
use crate::parse::{Found, TargetSpec};

/// Reads the folder of an `assistant` target, and changes what the target says.
pub(super) fn assistant(
    spec: &TargetSpec,
    timeout_ms: u64,
    chosen: Option<Chosen<'_>>,
    registry: &mut Registry<'_>,
    found: &mut Found,
) -> Option<OpenAiTarget> {
    let folder = folder(spec, registry, found)?;
    if let Some(chosen) = chosen
        && let Some(Some(own)) = registry.own_connector(chosen.id)
        && own.model.is_none()
    {
        let message = format!("the connector `{}` has no `model`", chosen.id);
        found.push(
            chosen
                .error(message)
                .label("an assistant takes the model of its connector"),
        );
        return None;
    }
    // A connector that could not be read was reported.
    if let Some(chosen) = chosen
        && matches!(registry.own_connector(chosen.id), Some(None))
    {
        return None;
    }
    let named = spec.folder.as_ref().or(spec.id.as_ref());
    let connectors = registry.connectors_with_model();
    let request = AssistantRequest {
        folder: &folder,
        // Nobody wrote the target of a folder that was found by itself.
        place: named
            .filter(|_| !spec.keys.is_empty())
            .map(|text| &text.place),
        connectors: &connectors,
        connector: chosen.map(|chosen| (chosen.id, chosen.place)),
        preset: spec.preset.as_ref(),
    };
    let target = assistant_target(&request, &mut registry.around(found))?;
    let Protocol::OpenAi(mut chat) = target.protocol else {
        return None;
    };
    registry.sensitive.extend(of_chat(&chat));
    if chat.key.is_none() {
        found.extend(missing_key(
            &chat.host,
            &chat.host.place,
            registry.variables,
        ));
    }
    chat.parameters = parameters(chat.parameters.as_ref(), &spec.chat, found);
    lay_headers(&mut chat.headers, spec);
    chat.stream = spec.chat.stream.unwrap_or(chat.stream);
    let assistant = chat.assistant.iter_mut();
    let connectors = assistant.flat_map(|assistant| assistant.connectors.values_mut());
    for connection in connectors.flatten() {
        // What is wrong with the options was said above.
        let options = connection.parameters.as_ref();
        connection.parameters = parameters(options, &spec.chat, &mut Found::new());
        lay_headers(&mut connection.headers, spec);
        connection.stream = spec.chat.stream.unwrap_or(connection.stream);
    }
    chat.retries = spec.chat.retries.unwrap_or(chat.retries);
    chat.timeout_ms = timeout_ms;
    chat.connect_timeout_ms = spec.connect_timeout_ms.unwrap_or(chat.connect_timeout_ms);
    chat.tls = tls(spec);
    chat.limits = limits(spec);
    Some(*chat)
}

/// Puts the headers of the target over those of a connector.
fn lay_headers(headers: &mut Vec<(String, Text)>, spec: &TargetSpec) {
    let own = |name: &str| {
        let is_same = |(own, _): &&(Text, Text)| own.text.eq_ignore_ascii_case(name);
        spec.headers.iter().find(is_same)
    };
    headers.retain(|(name, _)| own(name).is_none());
    let more = spec.headers.iter();
    headers.extend(more.map(|(name, value)| (name.text.clone(), value.clone())));
}

/// Returns the folder of an assistant, by its path or by its id.
fn folder(spec: &TargetSpec, registry: &Registry<'_>, found: &mut Found) -> Option<PathBuf> {
    let id = match (&spec.folder, &spec.id) {
        (Some(folder), None) => return Some(registry.root.join(&folder.text)),
        (Some(_), Some(id)) => {
            let message = "an `assistant` target has `folder` or `id`, not both";
            found.push(Diagnostic::error(&id.place, message).hint("leave one of them out"));
            return None;
        }
        (None, None) => {
            let message = "`folder` is missing in an `assistant` target";
            found.push(
                Diagnostic::error(&spec.place, message)
                    .hint("write `folder: assistants/shop/refund`, or `id: shop.refund`"),
            );
            return None;
        }
        (None, Some(id)) => id,
    };
    let folder = registry.app().and_then(|app| app.assistant(&id.text));
    if folder.is_none() {
        let message = format!("there is no assistant `{}`", id.text);
        let diagnostic = Diagnostic::error(&id.place, message);
        let known = registry.app().map(App::assistant_ids).unwrap_or_default();
        let known = known.iter().map(String::as_str);
        found.push(match did_you_mean(&id.text, known) {
            Some(word) => diagnostic.hint(format!("did you mean `{word}`?")),
            None => {
                let path = id.text.replace('.', "/");
                diagnostic.label(format!("expected `assistants/{path}/package.yao`"))
            }
        });
    }
    folder
}
