//! What a chat endpoint is asked with: keys of `openai` and `assistant` targets, and of connectors.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Json, Place, Text};
use ananke_model::plan::{KeyHeader, Prompt};

use super::Found;
use super::object::Object;
use super::values::{boolean, choice, items, json, mismatch, text, whole};
use crate::schema::{A2A_TARGET, KEY_HEADER, MAX_RETRIES, PROMPT, PROMPT_ROLES};
use crate::yaml::{Kind, Node};

/// Members of a request that have a place of their own, and where that is.
const DECIDED: [(&str, &str); 4] = [
    ("model", "write `model` beside `options`"),
    ("messages", "the conversation and `system` are the messages"),
    ("stream", "write `stream` in the target"),
    ("tools", "write `tools` in the target"),
];

/// Where a model is, and what it is asked with.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChatSpec {
    pub(crate) host: Option<Text>,
    pub(crate) model: Option<Text>,
    /// The model if neither the target nor its connector names one.
    pub(crate) spare_model: Option<Text>,
    pub(crate) key: Option<Text>,
    pub(crate) key_header: Option<KeyHeader>,
    pub(crate) options: Option<Json>,
    pub(crate) system: Option<Vec<Prompt>>,
    /// With its place.
    pub(crate) json: Option<(Place, bool)>,
    pub(crate) stream: Option<bool>,
    pub(crate) retries: Option<usize>,
}

/// Reads the keys of a chat endpoint that the shape of `object` has.
pub(super) fn chat(object: &Object<'_>, found: &mut Found) -> ChatSpec {
    let retries = object
        .find("retries")
        .and_then(|node| whole(node, 0, MAX_RETRIES, found));
    ChatSpec {
        host: object.find("host").and_then(|node| text(node, found)),
        model: object.find("model").and_then(|node| text(node, found)),
        spare_model: None,
        key: object.find("key").and_then(|node| text(node, found)),
        key_header: object
            .find("key_header")
            .and_then(|node| key_header(node, found)),
        options: object
            .find("options")
            .and_then(|node| parameters(node, found)),
        system: object.find("system").and_then(|node| system(node, found)),
        json: object.find("json").and_then(|node| {
            let place = node.place.clone();
            boolean(node, found).map(|value| (place, value))
        }),
        stream: object
            .find("stream")
            // There it may be `auto`.
            .filter(|_| !object.has_shape(&A2A_TARGET))
            .and_then(|node| boolean(node, found)),
        retries: retries.and_then(|retries| usize::try_from(retries).ok()),
    }
}

/// Reads `key_header`.
pub(super) fn key_header(node: &Node, found: &mut Found) -> Option<KeyHeader> {
    choice(node, KEY_HEADER, found).map(|word| match word {
        "api-key" => KeyHeader::ApiKey,
        "x-api-key" => KeyHeader::XApiKey,
        _ => KeyHeader::Bearer,
    })
}

/// Reads `options`: further members of each request.
pub(super) fn parameters(node: &Node, found: &mut Found) -> Option<Json> {
    let Kind::Map(entries) = &node.kind else {
        mismatch(node, "a map", found);
        return None;
    };
    for entry in entries {
        let name = entry.key.text.as_str();
        if let Some((_, hint)) = DECIDED.iter().find(|(decided, _)| *decided == name) {
            let message = format!("`{name}` does not belong under `options`");
            found.push(Diagnostic::error(&entry.key.place, message).hint(*hint));
        }
    }
    json(node, found)
}

fn system(node: &Node, found: &mut Found) -> Option<Vec<Prompt>> {
    match &node.kind {
        Kind::Scalar(_) => {
            let content = text(node, found)?;
            Some(vec![Prompt {
                role: "system".to_owned(),
                content,
                name: None,
                has_dollars: false,
            }])
        }
        Kind::Seq(_) => {
            let items = items(node, found)?;
            Some(
                items
                    .iter()
                    .filter_map(|item| prompt(item, found))
                    .collect(),
            )
        }
        Kind::Map(_) | Kind::Broken => {
            mismatch(node, "text or a list of prompts", found);
            None
        }
    }
}

fn prompt(node: &Node, found: &mut Found) -> Option<Prompt> {
    let object = Object::open(node, &PROMPT, found)?;
    let role = object
        .get("role")
        .and_then(|node| choice(node, PROMPT_ROLES, found));
    let content = object.get("content").and_then(|node| text(node, found));
    let name = object.get("name").and_then(|node| text(node, found));
    Some(Prompt {
        role: role?.to_owned(),
        content: content?,
        name: name.map(|name| name.text),
        has_dollars: false,
    })
}
