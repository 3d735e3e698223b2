//! `options` of a package: what is asked of the model with every request.

use ananke_model::diagnostic::Diagnostic;
use serde_json::{Map, Value};

use super::values::{entries, literal_json, mismatch, warn_of_unknown};
use crate::parse::Found;
use crate::yaml::{Kind, Node, ScalarKind, json};

/// The older name of a limit, which is sent under its newer one.
const OLDER_LIMIT: &str = "max_tokens";
const LIMIT: &str = "max_completion_tokens";

/// What may stand under an option.
#[derive(Clone, Copy)]
enum Expected {
    Number,
    Whole,
    Text,
    TextOrList,
    Map,
}

impl Expected {
    fn described(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Whole => "a whole number",
            Self::Text => "text",
            Self::TextOrList => "text or a list of texts",
            Self::Map => "a map",
        }
    }

    fn takes(self, node: &Node) -> bool {
        let kind = node.scalar().map(|scalar| scalar.kind);
        let is_text = kind == Some(ScalarKind::Str);
        match self {
            Self::Number => matches!(kind, Some(ScalarKind::Int | ScalarKind::Float)),
            Self::Whole => kind == Some(ScalarKind::Int),
            Self::Text => is_text,
            Self::TextOrList => is_text || matches!(node.kind, Kind::Seq(_)),
            Self::Map => matches!(node.kind, Kind::Map(_)),
        }
    }
}

const OPTIONS: [(&str, Expected); 11] = [
    ("temperature", Expected::Number),
    (OLDER_LIMIT, Expected::Whole),
    (LIMIT, Expected::Whole),
    ("top_p", Expected::Number),
    ("n", Expected::Whole),
    ("stop", Expected::TextOrList),
    ("presence_penalty", Expected::Number),
    ("frequency_penalty", Expected::Number),
    ("logit_bias", Expected::Map),
    ("user", Expected::Text),
    ("response_format", Expected::Map),
];

/// Reads `options` into members of the request.
pub(super) fn options(node: &Node, found: &mut Found) -> Map<String, Value> {
    let names = OPTIONS.map(|(name, _)| name);
    warn_of_unknown(node, "`options`", &names, found);
    let mut parameters = Map::new();
    for entry in entries(node, "`options`", found) {
        let known = OPTIONS.iter().find(|(name, _)| *name == entry.key.text);
        let Some((name, expected)) = known else {
            continue;
        };
        // An option without a value is left to the model.
        if entry.value.is_null() {
            continue;
        }
        if !expected.takes(&entry.value) {
            let what = format!("the option `{name}`");
            mismatch(&entry.value, &what, expected.described(), found);
        } else if *name == OLDER_LIMIT && node.get(LIMIT).is_some_and(|other| !other.is_null()) {
            let message = format!("`{OLDER_LIMIT}` and `{LIMIT}` are the same limit");
            found.push(Diagnostic::error(&entry.key.place, message).hint("leave one of them out"));
        } else if let Some(value) = json(&entry.value, found) {
            parameters.insert(sent_name(name).to_owned(), literal_json(value));
        }
    }
    parameters
}

/// Returns the name under which an option is sent.
pub(super) fn sent_name(name: &str) -> &str {
    if name == OLDER_LIMIT { LIMIT } else { name }
}
