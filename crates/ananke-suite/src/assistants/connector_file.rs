//! `*.conn.yao`: a connector in a file of its own.

use std::path::Path;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;
use ananke_model::plan::KeyHeader;
use serde_json::{Map, Value};

use super::connector::Connector;
use super::document::Around;
use super::options::sent_name;
use super::values::{flag, literal, literal_json, mismatch, suggested, text, warn_of_unknown};
use crate::yaml::{Kind, Node, json};

/// The host of a connector that names none, which answers nobody without a key.
const DEFAULT_HOST: &str = "https://api.openai.com";
const DEFAULT_NAME: &str = "api.openai.com";

/// The one type that is spoken.
const OPENAI: &str = "openai";

const KEYS: [&str; 6] = ["label", "name", "version", "type", "options", "auth_mode"];
const OPTIONS: [&str; 11] = [
    "model",
    "host",
    "proxy",
    "key",
    "auth_mode",
    "capabilities",
    "protocols",
    "thinking",
    "max_tokens",
    "temperature",
    "extra_body",
];
/// Options that are members of every request.
const SENT: [&str; 3] = ["thinking", "max_tokens", "temperature"];
const AUTH_MODES: [(&str, KeyHeader); 3] = [
    ("bearer", KeyHeader::Bearer),
    ("api-key", KeyHeader::ApiKey),
    ("x-api-key", KeyHeader::XApiKey),
];

/// Reads the file of a connector. `None` is reported.
pub(super) fn connector_file(id: &str, path: &Path, around: &mut Around<'_>) -> Option<Connector> {
    let node = around.object(path)?;
    let n_before = around.found.len();
    warn_of_unknown(&node, "a connector", &KEYS, around.found);
    is_spoken(&node, id, around).then_some(())?;
    let Some(options) = node.get("options") else {
        let message = format!("`options` is missing in the connector `{id}`");
        around.refuse(Diagnostic::error(&node.place, message).hint(
            "write `\"options\": {\"model\": \"…\", \"host\": \"…\", \"key\": \"$ENV.NAME\"}`",
        ));
        return None;
    };
    if !matches!(options.kind, Kind::Map(_)) {
        mismatch(options, "`options`", "a map", around.found);
        return None;
    }
    warn_of_unknown(options, "`options` of a connector", &OPTIONS, around.found);
    let host = host(options, around);
    let model = match options.get("model") {
        Some(node) => value(node, "`model`", around),
        None => {
            let message = format!("`model` is missing in the connector `{id}`");
            let diagnostic = Diagnostic::error(&options.place, message);
            around.refuse(diagnostic.hint("write `\"model\": \"…\"`"));
            None
        }
    };
    let key = options.get("key").map(|node| value(node, "`key`", around));
    let has_host = ["host", "proxy"]
        .iter()
        .any(|key| options.get(key).is_some());
    let is_default = match &host {
        Some(host) => host.text.contains(DEFAULT_NAME),
        None => !has_host,
    };
    if key.is_none() && is_default {
        let message = format!("the connector `{id}` has no key");
        let label = format!("`{DEFAULT_NAME}` answers nobody without one");
        let diagnostic = Diagnostic::error(&options.place, message).label(label);
        around.refuse(diagnostic.hint("write `\"key\": \"$ENV.NAME\"`, or another `host`"));
    }
    let auth_mode = options.get("auth_mode").or_else(|| node.get("auth_mode"));
    let key_header = auth_mode.and_then(|node| key_header(node, around));
    let stream = options
        .get("capabilities")
        .and_then(|node| node.get("streaming"))
        .and_then(|node| flag(node, "`streaming`", around.found));
    let parameters = parameters(options, around);
    if around.has_errors_since(n_before) {
        return None;
    }
    let default_host = || Text {
        text: DEFAULT_HOST.to_owned(),
        place: options.place.clone(),
    };
    Some(Connector {
        id: id.to_owned(),
        host: host.unwrap_or_else(default_host),
        model: model?,
        key: key.flatten(),
        key_header: key_header.unwrap_or(KeyHeader::Bearer),
        headers: Vec::new(),
        parameters,
        stream: stream.unwrap_or(true),
    })
}

fn is_spoken(node: &Node, id: &str, around: &mut Around<'_>) -> bool {
    let Some(kind) = node.get("type") else {
        let message = format!("`type` is missing in the connector `{id}`");
        let diagnostic = Diagnostic::error(&node.place, message);
        around.refuse(diagnostic.hint("write `\"type\": \"openai\"`"));
        return false;
    };
    let Some(kind) = text(kind, "`type`", around.found) else {
        return false;
    };
    if kind.text != OPENAI {
        let message = format!(
            "the connector `{id}` is of type `{}`, which is not spoken",
            kind.text
        );
        let diagnostic = Diagnostic::error(&kind.place, message)
            .label("expected `openai`: any endpoint that speaks OpenAI's chat format");
        around.refuse(suggested(diagnostic, &kind.text, [OPENAI].into_iter(), ""));
    }
    kind.text == OPENAI
}

/// Returns `host`, or `proxy`, which is its older name.
fn host(options: &Node, around: &mut Around<'_>) -> Option<Text> {
    let (host, proxy) = (options.get("host"), options.get("proxy"));
    if let (Some(_), Some(proxy)) = (host, proxy) {
        let message = "`proxy` is the older name of `host`: both are there";
        around.refuse(Diagnostic::error(&proxy.place, message).hint("leave one of them out"));
        return None;
    }
    let name = if host.is_some() { "`host`" } else { "`proxy`" };
    value(host.or(proxy)?, name, around)
}

fn key_header(node: &Node, around: &mut Around<'_>) -> Option<KeyHeader> {
    let mode = text(node, "`auth_mode`", around.found)?;
    let known = AUTH_MODES.iter().find(|(word, _)| *word == mode.text);
    if known.is_none() {
        let message = format!("unknown `auth_mode` `{}`", mode.text);
        let words = AUTH_MODES.iter().map(|(word, _)| *word);
        let diagnostic = Diagnostic::error(&mode.place, message);
        around.refuse(suggested(diagnostic, &mode.text, words, "there are"));
    }
    known.map(|(_, header)| *header)
}

/// Returns the members of every request: what the connector sets, and `extra_body`.
fn parameters(options: &Node, around: &mut Around<'_>) -> Map<String, Value> {
    let mut parameters = Map::new();
    for name in SENT {
        let node = options.get(name).filter(|node| !node.is_null());
        if let Some(value) = node.and_then(|node| json(node, around.found)) {
            parameters.insert(sent_name(name).to_owned(), literal_json(value));
        }
    }
    let Some(extra) = options.get("extra_body").filter(|node| !node.is_null()) else {
        return parameters;
    };
    let Kind::Map(entries) = &extra.kind else {
        mismatch(extra, "`extra_body`", "a map", around.found);
        return parameters;
    };
    for entry in entries {
        let name = entry.key.text.as_str();
        if matches!(name, "model" | "messages" | "stream" | "tools") {
            let message = format!("`extra_body` cannot set `{name}`");
            around.refuse(Diagnostic::error(&entry.key.place, message));
        } else if let Some(value) = json(&entry.value, around.found) {
            parameters.insert(name.to_owned(), literal_json(value));
        }
    }
    parameters
}

/// Reads a value that may be `$ENV.NAME` as a whole. It stays a reference, so that the value is hidden wherever it would show.
pub(super) fn value(node: &Node, what: &str, around: &mut Around<'_>) -> Option<Text> {
    let written = text(node, what, around.found)?;
    let Some(name) = environment_name(&written, around)? else {
        return Some(Text {
            text: literal(&written.text),
            place: written.place,
        });
    };
    environment_value(&name, what, &written, around)?;
    Some(Text {
        text: format!("${{ENV.{name}}}"),
        place: written.place,
    })
}

/// Returns the name of the variable that `written` is; an inner `None` if it is none. `None` is reported.
pub(super) fn environment_name(written: &Text, around: &mut Around<'_>) -> Option<Option<String>> {
    if !written.text.contains("$ENV.") {
        return Some(None);
    }
    let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = written.text.strip_prefix("$ENV.");
    match name.filter(|name| !name.is_empty() && name.chars().all(is_inner)) {
        Some(name) => Some(Some(name.to_owned())),
        None => {
            let message = "`$ENV.` stands for a value only where nothing else stands beside it";
            let diagnostic = Diagnostic::error(&written.place, message);
            around.refuse(diagnostic.hint("put all of it into the environment: `\"$ENV.NAME\"`"));
            None
        }
    }
}

/// Returns the value of a variable of the environment. `None` is reported.
pub(super) fn environment_value(
    name: &str,
    what: &str,
    written: &Text,
    around: &mut Around<'_>,
) -> Option<String> {
    let value = around.variables.environment.get(name);
    let problem = match value {
        None => format!("the environment has no `{name}`"),
        Some(value) if value.trim().is_empty() => format!("`{name}` is empty"),
        Some(value) => return Some(value.clone()),
    };
    let message = format!("{what} has no value");
    let diagnostic = Diagnostic::error(&written.place, message).label(problem);
    around.refuse(diagnostic.hint(format!("set `{name}`")));
    None
}
