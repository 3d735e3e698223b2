//! Chat endpoints: what a target says, and what its connector says.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Json, Place, Text};
use ananke_model::plan::{KeyHeader, OpenAiTarget};
use ananke_model::variables::Variables;
use serde_json::{Map, Value, json};

use super::complete::{CONNECT_TIMEOUT_MS, limits, tls};
use super::connector::Chosen;
use super::registry::Registry;
use super::target::laid_headers;
use crate::parse::{ChatSpec, ConnectorSpec, Found, TargetSpec};

/// Where requests go if nobody says so.
const DEFAULT_HOST: &str = "https://api.openai.com";
/// How often a refused request is sent again if nobody says so.
const RETRIES: usize = 2;

/// Fills in the defaults of an `openai` target.
///
/// The target's own keys lie on those of its connector. Where somebody else chose the connector, they are gone by now, so
/// that no key is sent to a host that it is not for.
pub(super) fn chat(
    spec: &TargetSpec,
    timeout_ms: u64,
    chosen: Option<Chosen<'_>>,
    registry: &mut Registry<'_>,
    found: &mut Found,
) -> Option<OpenAiTarget> {
    let own = &spec.chat;
    let shared = match chosen {
        Some(chosen) => registry.connector(chosen, found)?,
        None => ConnectorSpec::default(),
    };
    let or_shared =
        |own: &Option<Text>, shared: &Option<Text>| own.clone().or_else(|| shared.clone());
    let place = match chosen.filter(|_| own.host.is_none()) {
        Some(_) => &shared.place,
        None => &spec.place,
    };
    let host = or_shared(&own.host, &shared.host).unwrap_or_else(|| Text {
        text: DEFAULT_HOST.to_owned(),
        place: place.clone(),
    });
    let key = or_shared(&own.key, &shared.key);
    if key.is_none() {
        found.extend(missing_key(&host, place, registry.variables));
    }
    let model = or_shared(&own.model, &shared.model).or_else(|| own.spare_model.clone());
    if model.is_none() {
        found.push(no_model(spec, chosen));
    }
    let headers = laid_headers(&shared.headers, &spec.headers);
    Some(OpenAiTarget {
        host,
        model: model?,
        key,
        key_header: own
            .key_header
            .or(shared.key_header)
            .unwrap_or(KeyHeader::Bearer),
        headers: headers
            .into_iter()
            .map(|(name, value)| (name.text, value))
            .collect(),
        prompts: own.system.clone().unwrap_or_default(),
        parameters: parameters(shared.options.as_ref(), own, found),
        tools: spec.tools.clone().unwrap_or_default(),
        stream: own.stream.or(shared.stream).unwrap_or(true),
        retries: own.retries.unwrap_or(RETRIES),
        timeout_ms,
        connect_timeout_ms: spec.connect_timeout_ms.unwrap_or(CONNECT_TIMEOUT_MS),
        tls: tls(spec),
        limits: limits(spec),
        facts: std::collections::BTreeMap::new(),
        assistant: None,
    })
}

/// Returns what is to be said about a connector without a key, if its host asks for one.
pub(super) fn connector_without_key(
    connector: &ConnectorSpec,
    variables: &Variables,
) -> Option<Diagnostic> {
    if connector.key.is_some() {
        return None;
    }
    missing_key(&host_of(connector), &connector.place, variables)
}

/// Returns the host of a connector.
pub(super) fn host_of(connector: &ConnectorSpec) -> Text {
    connector.host.clone().unwrap_or_else(|| Text {
        text: DEFAULT_HOST.to_owned(),
        place: connector.place.clone(),
    })
}

/// Returns what is to be said about a host without a key, if it asks for one.
pub(super) fn missing_key(host: &Text, place: &Place, variables: &Variables) -> Option<Diagnostic> {
    let host = variables.text(&host.text).ok()?;
    let bare = host
        .split_once("://")
        .map_or(host.as_str(), |(_, rest)| rest);
    let bare = bare.split(['/', ':', '?']).next().unwrap_or_default();
    bare.eq_ignore_ascii_case("api.openai.com").then(|| {
        Diagnostic::error(
            place,
            "`key` is missing: api.openai.com answers nobody without one",
        )
        .hint("write `key: \"${ENV.OPENAI_API_KEY}\"`, or a `host` that needs none")
    })
}

fn no_model(spec: &TargetSpec, chosen: Option<Chosen<'_>>) -> Diagnostic {
    let message = match chosen {
        Some(chosen) => format!(
            "`model` is missing: neither the target nor the connector `{}` has one",
            chosen.id
        ),
        None => "`model` is missing in an `openai` target".to_owned(),
    };
    Diagnostic::error(&spec.place, message)
        .hint("write `model: gpt-5-mini`, or a `connector` that has one")
}

/// Lays the target's options on those of the connector.
pub(super) fn parameters(shared: Option<&Json>, own: &ChatSpec, found: &mut Found) -> Option<Json> {
    let mut members = Map::new();
    let mut place = None;
    for json in shared.into_iter().chain(&own.options) {
        if let Value::Object(more) = &json.value {
            members.extend(more.clone());
        }
        place = Some(json.place.clone());
    }
    if let Some((at, true)) = &own.json {
        let format = json!({"type": "json_object"});
        match members.get("response_format") {
            Some(other) if *other != format => found.push(
                Diagnostic::error(
                    at,
                    "`json` and `options.response_format` say different things",
                )
                .hint("leave one of them out"),
            ),
            Some(_) | None => {
                members.insert("response_format".to_owned(), format);
            }
        }
        place = place.or_else(|| Some(at.clone()));
    }
    place.map(|place| Json {
        value: Value::Object(members),
        place,
    })
}
