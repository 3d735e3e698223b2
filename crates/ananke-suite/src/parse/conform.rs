//! The setup of `ananke conform`: where the server is, what brings about each scenario, and what rules do.

use ananke_model::conformance::Severity;
use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::{Json, Text};
use ananke_model::plan::ClientTool;

use super::Found;
use super::case_options::json_map;
use super::object::Object;
use super::target_parts::{headers, tools_like};
use super::values::{
    choice, entries, items, json, mismatch, positive, text, texts as text_or_texts,
};
use super::version::version;
use crate::schema::{
    ABORT_SCENARIO, CALL_SCENARIO, CONFORM, INTERRUPT_SCENARIO, OFFERED_TOOL, PROFILES, SCENARIO,
    SCENARIOS, SEVERITIES,
};
use crate::yaml::{Kind, Node, ScalarKind};

/// A setup as written.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConformSpec {
    pub(crate) url: Option<Text>,
    pub(crate) headers: Vec<(Text, Text)>,
    pub(crate) profile: Option<&'static str>,
    pub(crate) capabilities: Option<Text>,
    pub(crate) forwarded_props: Option<Json>,
    /// By name; those that are left out have no spec.
    pub(crate) scenarios: Vec<(&'static str, Option<ScenarioSpec>)>,
    pub(crate) rules: Vec<(Text, Severity)>,
}

/// A scenario as written.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScenarioSpec {
    pub(crate) prompts: Vec<Text>,
    pub(crate) before: Vec<Text>,
    pub(crate) tools: Vec<ClientTool>,
    pub(crate) state: Option<Json>,
    pub(crate) resolve: Option<Json>,
    pub(crate) wrong: Option<Json>,
    pub(crate) after_events: Option<usize>,
    pub(crate) tool: Option<Text>,
    pub(crate) args: Option<Json>,
}

/// Reads a setup; `rules` are the ids that there are. `None` if it is no map, which is then reported.
pub(crate) fn conform(node: &Node, rules: &[&str], found: &mut Found) -> Option<ConformSpec> {
    let object = Object::open(node, &CONFORM, found)?;
    let spec = ConformSpec {
        url: object.get("url").and_then(|node| text(node, found)),
        headers: object
            .get("headers")
            .map(|node| headers(node, found))
            .unwrap_or_default(),
        profile: object
            .get("profile")
            .and_then(|node| choice(node, PROFILES, found)),
        capabilities: object
            .get("capabilities")
            .and_then(|node| text(node, found)),
        forwarded_props: object
            .get("forwardedProps")
            .and_then(|node| json(node, found)),
        scenarios: object
            .get("scenarios")
            .map(|node| scenarios(node, found))
            .unwrap_or_default(),
        rules: object
            .get("rules")
            .map(|node| severities(node, rules, found))
            .unwrap_or_default(),
    };
    if let Some(node) = object.get("version") {
        version(node, found);
    }
    Some(spec)
}

/// Tells whether there is a rule of this name, and reports it if there is none.
pub(super) fn is_rule(name: &Text, rules: &[&str], found: &mut Found) -> bool {
    if rules.contains(&name.text.as_str()) {
        return true;
    }
    let message = format!("unknown rule `{}`", name.text);
    let diagnostic = Diagnostic::error(&name.place, message);
    // Many know only what comes after the layer.
    let last = |id: &&&str| {
        id.split_once('.')
            .is_some_and(|(_, last)| last == name.text)
    };
    let meant = rules.iter().find(last).copied();
    let meant = meant.or_else(|| did_you_mean(&name.text, rules.iter().copied()));
    found.push(match meant {
        Some(id) => diagnostic.hint(format!("did you mean `{id}`?")),
        None => diagnostic.label("expected an id as reports show it, such as `shape.null`"),
    });
    false
}

fn severities(node: &Node, rules: &[&str], found: &mut Found) -> Vec<(Text, Severity)> {
    let mut severities = Vec::new();
    for entry in entries(node, found).unwrap_or_default() {
        let word = choice(&entry.value, SEVERITIES, found);
        let is_known = is_rule(&entry.key, rules, found);
        let severity = match word {
            Some("off") => Severity::Off,
            Some("warn") => Severity::Warn,
            Some(_) => Severity::Error,
            None => continue,
        };
        if is_known {
            severities.push((entry.key.clone(), severity));
        }
    }
    severities
}

fn scenarios(node: &Node, found: &mut Found) -> Vec<(&'static str, Option<ScenarioSpec>)> {
    let Some(object) = Object::open(node, &SCENARIOS, found) else {
        return Vec::new();
    };
    let mut scenarios = Vec::new();
    for field in SCENARIOS.fields {
        let Some(node) = object.get(field.name) else {
            continue;
        };
        if is_off(node) {
            scenarios.push((field.name, None));
        } else if let Some(spec) = scenario(field.name, node, found) {
            scenarios.push((field.name, Some(spec)));
        }
    }
    scenarios
}

fn is_off(node: &Node) -> bool {
    let off = |scalar: &crate::yaml::Scalar| scalar.kind == ScalarKind::Str && scalar.text == "off";
    node.is_false() || node.scalar().is_some_and(off)
}

fn scenario(name: &str, node: &Node, found: &mut Found) -> Option<ScenarioSpec> {
    if let Kind::Scalar(_) = node.kind {
        mismatch(node, "a map or `off`", found);
        return None;
    }
    let shape = match name {
        "interrupt" => &INTERRUPT_SCENARIO,
        "abort" => &ABORT_SCENARIO,
        "call" => &CALL_SCENARIO,
        _ => &SCENARIO,
    };
    let object = Object::open(node, shape, found)?;
    let prompts = match (object.find("prompt"), object.find("prompts")) {
        (Some(_), Some(_)) => {
            let message = "a scenario has `prompt` or `prompts`, not both";
            let place = object.key_place("prompts");
            found.push(
                Diagnostic::error(&place, message).hint("make `prompt` the first of `prompts`"),
            );
            Vec::new()
        }
        (Some(one), None) => text(one, found).into_iter().collect(),
        (None, Some(list)) => texts(list, found),
        (None, None) => Vec::new(),
    };
    let before = object
        .find("before")
        .and_then(|node| text_or_texts(node, found));
    let mut any = |key| object.find(key).and_then(|node| json(node, found));
    let (state, resolve, wrong) = (any("state"), any("resolve"), any("wrong"));
    let args = object.find("args").and_then(|node| json_map(node, found));
    Some(ScenarioSpec {
        prompts,
        before: before.unwrap_or_default(),
        tools: object
            .find("tools")
            .and_then(|node| tools_like(node, &OFFERED_TOOL, found))
            .unwrap_or_default(),
        state,
        resolve,
        wrong,
        after_events: object
            .find("after_events")
            .and_then(|node| positive(node, found)),
        tool: object.find("tool").and_then(|node| text(node, found)),
        args,
    })
}

fn texts(node: &Node, found: &mut Found) -> Vec<Text> {
    let Some(items) = items(node, found) else {
        return Vec::new();
    };
    if items.is_empty() {
        let message = "`prompts` is empty";
        found.push(Diagnostic::error(&node.place, message).hint("leave it out for the default"));
    }
    items.iter().filter_map(|item| text(item, found)).collect()
}
