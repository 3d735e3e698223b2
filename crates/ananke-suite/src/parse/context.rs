//! The file of `--ctx`: who asks, and from where.

use ananke_model::place::{Place, Text};
use serde_json::{Map, Value};

use super::Found;
use super::object::Object;
use super::values::{boolean, json, mismatch, scalar, text};
use crate::schema::{AUTHORIZED, CLIENT, CONSTRAINTS, CONTEXT_FILE};
use crate::yaml::{Kind, Node};

/// A context file as written; every key may be absent.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContextSpec {
    pub(crate) place: Place,
    pub(crate) user: Option<Text>,
    pub(crate) team: Option<Text>,
    /// The other members of `authorized`; `None` without it.
    pub(crate) authorized: Option<Map<String, Value>>,
    pub(crate) metadata: Map<String, Value>,
    pub(crate) client_type: Option<Text>,
    pub(crate) client_ip: Option<Text>,
    pub(crate) user_agent: Option<Text>,
    pub(crate) locale: Option<Text>,
    pub(crate) referer: Option<Text>,
    pub(crate) accept: Option<Text>,
    pub(crate) chat_id: Option<Text>,
}

/// Reads a context file. `None` if it is no map, which is then reported.
pub(crate) fn context(node: &Node, found: &mut Found) -> Option<ContextSpec> {
    let object = Object::open(node, &CONTEXT_FILE, found)?;
    let mut spec = ContextSpec {
        place: node.place.clone(),
        ..ContextSpec::default()
    };
    if let Some(node) = object.get("authorized") {
        authorized(node, &mut spec, found);
    }
    if let Some(node) = object.get("client") {
        client(node, &mut spec, found);
    }
    spec.metadata = object
        .get("metadata")
        .and_then(|node| map(node, found))
        .unwrap_or_default();
    let mut word = |key| object.get(key).and_then(|node| text(node, found));
    spec.locale = word("locale");
    spec.referer = word("referer");
    spec.accept = word("accept");
    spec.chat_id = word("chat_id");
    Some(spec)
}

fn authorized(node: &Node, spec: &mut ContextSpec, found: &mut Found) {
    let Some(object) = Object::open(node, &AUTHORIZED, found) else {
        return;
    };
    let mut members = Map::new();
    let mut word = |key| object.get(key).and_then(|node| text(node, found));
    spec.user = word("user_id");
    spec.team = word("team_id");
    for key in ["sub", "client_id", "session_id", "tenant_id"] {
        if let Some(value) = word(key) {
            members.insert(key.to_owned(), Value::String(value.text));
        }
    }
    if let Some(scope) = object.get("scope").and_then(|node| scalar(node, found)) {
        members.insert("scope".to_owned(), Value::String(scope.text));
    }
    let remember_me = object.get("remember_me");
    if let Some(value) = remember_me.and_then(|node| boolean(node, found)) {
        members.insert("remember_me".to_owned(), Value::Bool(value));
    }
    let constraints = object.get("constraints");
    if let Some(value) = constraints.and_then(|node| constraints_of(node, found)) {
        members.insert("constraints".to_owned(), Value::Object(value));
    }
    spec.authorized = Some(members);
}

fn constraints_of(node: &Node, found: &mut Found) -> Option<Map<String, Value>> {
    let object = Object::open(node, &CONSTRAINTS, found)?;
    let mut members = Map::new();
    for key in ["owner_only", "creator_only", "editor_only", "team_only"] {
        if let Some(value) = object.get(key).and_then(|node| boolean(node, found)) {
            members.insert(key.to_owned(), Value::Bool(value));
        }
    }
    if let Some(extra) = object.get("extra").and_then(|node| map(node, found)) {
        members.insert("extra".to_owned(), Value::Object(extra));
    }
    Some(members)
}

fn client(node: &Node, spec: &mut ContextSpec, found: &mut Found) {
    let Some(object) = Object::open(node, &CLIENT, found) else {
        return;
    };
    let mut word = |key| object.get(key).and_then(|node| text(node, found));
    spec.client_type = word("type");
    spec.client_ip = word("ip");
    spec.user_agent = word("user_agent");
}

fn map(node: &Node, found: &mut Found) -> Option<Map<String, Value>> {
    if !matches!(node.kind, Kind::Map(_)) {
        mismatch(node, "a map", found);
        return None;
    }
    match json(node, found)?.value {
        Value::Object(members) => Some(members),
        _ => None,
    }
}
