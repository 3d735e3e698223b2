//! What a result says of a case: what the file says, references resolved.

use std::sync::Arc;

use ananke_model::case::{Case, Identity};
use ananke_model::variables::{Variables, strings};
use serde_json::{Map, Value};

/// Returns a case with its references resolved; what has no value stays as it is written. Nearly always there is nothing
/// to resolve, and the case is shared.
pub(crate) fn resolved_case(case: &Arc<Case>, variables: &Variables) -> Arc<Case> {
    if !has_references(case) {
        return Arc::clone(case);
    }
    let value = |value: &Value| variables.json(value).unwrap_or_else(|_| value.clone());
    let members = |members: &Map<String, Value>| match value(&Value::Object(members.clone())) {
        Value::Object(resolved) => resolved,
        _ => members.clone(),
    };
    let text = |text: &String| variables.text(text).unwrap_or_else(|_| text.clone());
    let identity = &case.identity;
    Arc::new(Case {
        input: value(&case.input),
        expected: case.expected.as_ref().map(value),
        metadata: members(&case.metadata),
        options: members(&case.options),
        identity: Identity {
            user_id: text(&identity.user_id),
            team_id: text(&identity.team_id),
            locale: text(&identity.locale),
            client_type: text(&identity.client_type),
            client_ip: text(&identity.client_ip),
            user_agent: identity.user_agent.as_ref().map(text),
            referer: text(&identity.referer),
            accept: text(&identity.accept),
            authorized: members(&identity.authorized),
            metadata: members(&identity.metadata),
            chat_id: identity.chat_id.as_ref().map(text),
        },
        ..Case::clone(case)
    })
}

fn has_references(case: &Case) -> bool {
    let identity = &case.identity;
    let maps = [
        &case.metadata,
        &case.options,
        &identity.authorized,
        &identity.metadata,
    ];
    let values = maps.into_iter().flat_map(Map::values);
    let mut values = values.chain([&case.input]).chain(&case.expected);
    let texts = [
        &identity.user_id,
        &identity.team_id,
        &identity.locale,
        &identity.client_type,
        &identity.client_ip,
        &identity.referer,
        &identity.accept,
    ];
    let texts = texts.into_iter().chain(&identity.user_agent);
    let mut texts = texts.chain(&identity.chat_id);
    let refers = |text: &str| text.contains("${");
    texts.any(|text| refers(text)) || values.any(|value| strings(value).into_iter().any(refers))
}
