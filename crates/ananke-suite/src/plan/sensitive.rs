//! Texts of targets and connectors that may hold secrets. The files that they stand in are recorded, so they count whether or
//! not a test uses them.

use ananke_model::place::Text;
use ananke_model::plan::{OpenAiTarget, TargetAuth};
use ananke_model::sensitive::{SecretHolder, Sensitive};

use super::build::SourceTest;
use crate::assistants::Connector;
use crate::parse::{ConfigFile, TargetSpec, TestTarget};

/// Returns what may hold secrets in the config: in all targets, agents and connectors.
pub(super) fn of_config(config: &ConfigFile) -> Vec<Sensitive> {
    let named = config.targets.iter().chain(&config.agents);
    let named = named.filter_map(|(_, spec)| spec.as_ref());
    let mut found = Vec::new();
    for spec in config.target.iter().chain(named) {
        add_target(spec, &mut found);
    }
    for (_, connector) in &config.connectors {
        let Some(connector) = connector else { continue };
        add(&connector.host, SecretHolder::Url, &mut found);
        add(&connector.key, SecretHolder::Key, &mut found);
        add_headers(&connector.headers, &mut found);
    }
    // What scripts may read they may also print.
    for name in &config.scripts.env {
        let text = Text {
            text: format!("${{ENV.{}}}", name.text),
            place: name.place.clone(),
        };
        add(
            [&text],
            SecretHolder::Environment(name.text.clone()),
            &mut found,
        );
    }
    found
}

/// Returns what may hold secrets in what tests change in their targets, also in what a flag puts aside.
pub(super) fn of_tests(tests: &[SourceTest]) -> Vec<Sensitive> {
    let mut found = Vec::new();
    for source in tests {
        if let Some(TestTarget::Overrides(over)) = &source.test.target {
            add_target(over, &mut found);
        }
    }
    found
}

/// Returns what may hold secrets in a connector that has a file of its own.
pub(super) fn of_connector(connector: &Connector) -> Vec<Sensitive> {
    let mut found = Vec::new();
    add([&connector.host], SecretHolder::Url, &mut found);
    add(&connector.key, SecretHolder::Key, &mut found);
    for (name, value) in &connector.headers {
        add([value], SecretHolder::Header(name.clone()), &mut found);
    }
    found
}

/// Returns what may hold secrets in what an assistant folder says.
pub(super) fn of_chat(chat: &OpenAiTarget) -> Vec<Sensitive> {
    let mut found = Vec::new();
    add([&chat.host], SecretHolder::Url, &mut found);
    add(&chat.key, SecretHolder::Key, &mut found);
    for (name, value) in &chat.headers {
        add([value], SecretHolder::Header(name.clone()), &mut found);
    }
    let assistant = chat.assistant.iter();
    let connectors = assistant.flat_map(|assistant| assistant.connectors.values());
    for connection in connectors.flatten() {
        add([&connection.host], SecretHolder::Url, &mut found);
        add(&connection.key, SecretHolder::Key, &mut found);
        for (name, value) in &connection.headers {
            add([value], SecretHolder::Header(name.clone()), &mut found);
        }
    }
    found
}

fn add_target(spec: &TargetSpec, found: &mut Vec<Sensitive>) {
    add(&spec.endpoint, SecretHolder::Url, found);
    add(&spec.chat.host, SecretHolder::Url, found);
    add(&spec.a2a.card_url, SecretHolder::Url, found);
    add(spec.mcp.command.iter().flatten(), SecretHolder::Url, found);
    if let Some(auth) = &spec.auth {
        add(auth.auth.secrets(), SecretHolder::Key, found);
        if let TargetAuth::ClientCredentials { token_url, .. } = &auth.auth {
            add(token_url, SecretHolder::Url, found);
        }
    }
    add(&spec.chat.key, SecretHolder::Key, found);
    add(spec.cmd.iter().flatten(), SecretHolder::Url, found);
    add_headers(&spec.headers, found);
    for (name, value) in spec.env.iter().flatten() {
        add([value], SecretHolder::Environment(name.clone()), found);
    }
    for (_, changes) in spec.connectors.iter().flatten() {
        add_target(changes, found);
    }
}

fn add_headers(headers: &[(Text, Text)], found: &mut Vec<Sensitive>) {
    for (name, value) in headers {
        add([value], SecretHolder::Header(name.text.clone()), found);
    }
}

fn add<'t>(
    texts: impl IntoIterator<Item = &'t Text>,
    holder: SecretHolder,
    found: &mut Vec<Sensitive>,
) {
    found.extend(texts.into_iter().map(|text| Sensitive {
        holder: holder.clone(),
        text: text.clone(),
    }));
}
