//! What a card must hold.

use std::collections::BTreeSet;

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::super::wire::is_new;
use crate::exchange::Exchange;
use crate::rpc::{Kind, member, shown};
use crate::rule::{Findings, Rule};

static CARD_JSON: Rule = Rule {
    id: "a2a.card-json",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "the card is a JSON object",
    reason: "A client that cannot read the card cannot reach the agent.",
    section: "Agent card",
    advice: "Answer with the card itself, and nothing around it.",
    needs: "answer with status 200 to the request for the card",
};

static CARD_MEMBERS: Rule = Rule {
    id: "a2a.card-members",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "the card has all that it must have",
    reason: "Official clients refuse a card without its required members.",
    section: "Agent card",
    advice: "Fill in the missing members; the models of the official SDKs know which there are.",
    needs: "card",
};

static CARD_INTERFACE: Rule = Rule {
    id: "a2a.card-interface",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "every interface has an absolute address, and says what it speaks",
    reason: "A client chooses among interfaces by binding and version, and needs a whole URL to go there.",
    section: "Agent card, interfaces",
    advice: "Give each interface an `http` or `https` URL, its binding, and in 1.0 its protocol version.",
    needs: "interface in a card",
};

static CARD_SKILLS: Rule = Rule {
    id: "a2a.card-skills",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "every skill has `id`, `name`, `description` and `tags`, and an id of its own",
    reason: "Skills are found by their ids and tags.",
    section: "Agent card, skills",
    advice: "Fill in the members, and give each skill another id.",
    needs: "skill in a card",
};

static CARD_CAPABILITIES: Rule = Rule {
    id: "a2a.card-capabilities",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "capabilities are true or false",
    reason: "`\"false\"` as a string counts as true in many languages.",
    section: "Agent card, capabilities",
    advice: "Write capabilities as booleans, and `extensions` as a list of objects with a `uri`.",
    needs: "capabilities in a card",
};

pub(super) const RULES: &[&Rule] = &[
    &CARD_JSON,
    &CARD_MEMBERS,
    &CARD_INTERFACE,
    &CARD_SKILLS,
    &CARD_CAPABILITIES,
];

const COMMON: [(&str, Kind); 7] = [
    ("name", Kind::Name),
    ("description", Kind::Text),
    ("version", Kind::Name),
    ("capabilities", Kind::Object),
    ("defaultInputModes", Kind::List),
    ("defaultOutputModes", Kind::List),
    ("skills", Kind::List),
];

pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let answer = &exchange.answer;
    if answer.status != Some(200) {
        return;
    }
    found.saw(&CARD_JSON);
    let card = match answer.events.first().map(|event| &event.value) {
        Some(Ok(card)) if card.is_object() => card,
        Some(Ok(other)) => {
            let message = format!("expected an object, saw {}", shown(other));
            found.whole(&CARD_JSON, message);
            return;
        }
        Some(Err(why)) => {
            let message = format!("expected JSON, saw something else: {why}");
            found.whole(&CARD_JSON, message);
            return;
        }
        None => {
            found.whole(&CARD_JSON, "expected JSON, saw an empty body");
            return;
        }
    };
    let is_new = is_new(found.profile);
    found.saw(&CARD_MEMBERS);
    let own: &[(&str, Kind)] = match is_new {
        true => &[("supportedInterfaces", Kind::List)],
        false => &[("protocolVersion", Kind::Name), ("url", Kind::Name)],
    };
    for (name, kind) in COMMON.iter().chain(own) {
        if let Some(problem) = member(card, name, *kind) {
            found.whole(&CARD_MEMBERS, problem);
        }
    }
    interfaces(card, is_new, found);
    skills(card, found);
    capabilities(card, found);
}

fn interfaces(card: &Value, is_new: bool, found: &mut Findings) {
    let (list, binding) = match is_new {
        true => ("supportedInterfaces", "protocolBinding"),
        false => ("additionalInterfaces", "transport"),
    };
    let listed = card.get(list).and_then(Value::as_array);
    for (number, interface) in listed.into_iter().flatten().enumerate() {
        found.saw(&CARD_INTERFACE);
        let mut members = vec![binding];
        members.extend(is_new.then_some("protocolVersion"));
        let missing = members
            .iter()
            .filter_map(|name| member(interface, name, Kind::Name));
        let is_http = interface.get(binding).and_then(Value::as_str) != Some("GRPC");
        let place = format!("{list}[{number}]");
        for problem in missing.chain(address(interface, is_http)) {
            found.whole(&CARD_INTERFACE, format!("`{place}`: {problem}"));
        }
    }
    if !is_new && card.get("url").is_some() {
        found.saw(&CARD_INTERFACE);
        let transport = card.get("preferredTransport").and_then(Value::as_str);
        if let Some(problem) = address(card, transport != Some("GRPC")) {
            found.whole(&CARD_INTERFACE, problem);
        }
    }
}

fn address(holder: &Value, is_http: bool) -> Option<String> {
    if let Some(problem) = member(holder, "url", Kind::Name) {
        return Some(problem);
    }
    let url = holder.get("url").and_then(Value::as_str)?;
    // An address of gRPC has no scheme.
    let is_whole = !is_http || ananke_protocol::http::check_url(url).is_ok();
    (!is_whole).then(|| format!("`url` should be an absolute http or https URL, and is `{url}`"))
}

fn skills(card: &Value, found: &mut Findings) {
    let mut ids = BTreeSet::new();
    let skills = card.get("skills").and_then(Value::as_array);
    for (number, skill) in skills.into_iter().flatten().enumerate() {
        found.saw(&CARD_SKILLS);
        let members = [
            ("id", Kind::Name),
            ("name", Kind::Name),
            ("description", Kind::Text),
            ("tags", Kind::List),
        ];
        for problem in members
            .iter()
            .filter_map(|(name, kind)| member(skill, name, *kind))
        {
            found.whole(&CARD_SKILLS, format!("`skills[{number}]`: {problem}"));
        }
        if let Some(id) = skill.get("id").and_then(Value::as_str)
            && !ids.insert(id)
        {
            let message = format!("`skills[{number}]`: another skill has the id `{id}`");
            found.whole(&CARD_SKILLS, message);
        }
    }
}

fn capabilities(card: &Value, found: &mut Findings) {
    let Some(able) = card.get("capabilities").filter(|able| able.is_object()) else {
        return;
    };
    found.saw(&CARD_CAPABILITIES);
    let flags = [
        "streaming",
        "pushNotifications",
        "extendedAgentCard",
        "stateTransitionHistory",
    ];
    for name in flags {
        // Before 1.0 the model in Python wrote what was not set as null.
        let is_there = able.get(name).is_some_and(|value| !value.is_null());
        if let Some(problem) = member(able, name, Kind::Flag).filter(|_| is_there) {
            found.whole(&CARD_CAPABILITIES, format!("`capabilities`: {problem}"));
        }
    }
    let extensions = able.get("extensions").filter(|value| !value.is_null());
    let Some(extensions) = extensions else {
        return;
    };
    let problems = match extensions.as_array() {
        Some(list) => list
            .iter()
            .filter_map(|extension| member(extension, "uri", Kind::Name))
            .collect(),
        None => vec![format!("should be a list, and is {}", shown(extensions))],
    };
    for problem in problems {
        let message = format!("`capabilities.extensions`: {problem}");
        found.whole(&CARD_CAPABILITIES, message);
    }
}
