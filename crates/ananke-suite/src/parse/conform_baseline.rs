//! The baseline of `ananke conform`: failures that are known.

use ananke_model::conformance::{Baseline, KnownFailure};
use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Text;

use super::Found;
use super::conform::is_rule;
use super::object::{Object, word_list};
use super::values::{items, text};
use super::version::version;
use crate::schema::{BASELINE, KNOWN_FAILURE, SCENARIOS};
use crate::yaml::Node;

/// Where failures are seen outside the scenarios of a setup: in a file that is judged, in the document of the agent's
/// capabilities, in the card of an A2A agent, and in the profile with its own way to ask.
const ELSEWHERE: [&str; 4] = ["file", "capabilities", "card", "sse-stack"];

/// Reads a baseline; `rules` are the ids that there are. `None` if it is no map, which is then reported.
pub(crate) fn conform_baseline(node: &Node, rules: &[&str], found: &mut Found) -> Option<Baseline> {
    let object = Object::open(node, &BASELINE, found)?;
    let mut known: Vec<KnownFailure> = Vec::new();
    let list = object.get("known").and_then(|node| items(node, found));
    for item in list.unwrap_or_default() {
        if let Some(failure) = failure(item, rules, found) {
            check_new(item, &failure, &known, found);
            known.push(failure);
        }
    }
    if let Some(node) = object.get("version") {
        version(node, found);
    }
    Some(Baseline { known })
}

fn failure(node: &Node, rules: &[&str], found: &mut Found) -> Option<KnownFailure> {
    let object = Object::open(node, &KNOWN_FAILURE, found)?;
    let mut word = |key| object.get(key).map(|node| text(node, found));
    let (rule, scenario, reason) = (word("rule"), word("scenario"), word("reason"));
    let rule = rule.flatten()?;
    let is_known = is_rule(&rule, rules, found);
    let scenario = match scenario {
        Some(None) => return None,
        Some(Some(name)) if is_scenario(&name, found) => Some(name.text),
        Some(Some(_)) => return None,
        None => None,
    };
    is_known.then(|| KnownFailure {
        rule: rule.text,
        scenario,
        reason: reason.flatten().map(|reason| reason.text),
        place: node.place.to_string(),
    })
}

fn is_scenario(name: &Text, found: &mut Found) -> bool {
    let names = SCENARIOS.fields.iter().map(|field| field.name);
    let names: Vec<&str> = names.chain(ELSEWHERE).collect();
    if names.contains(&name.text.as_str()) {
        return true;
    }
    let message = format!("unknown scenario `{}`", name.text);
    let label = format!("expected {}", word_list(&names));
    let diagnostic = Diagnostic::error(&name.place, message).label(label);
    found.push(match did_you_mean(&name.text, names) {
        Some(name) => diagnostic.hint(format!("did you mean `{name}`?")),
        None => diagnostic,
    });
    false
}

/// Reports an entry that says what an earlier one says.
fn check_new(node: &Node, failure: &KnownFailure, known: &[KnownFailure], found: &mut Found) {
    let mut same_rule = known.iter().filter(|one| one.rule == failure.rule);
    let twin = same_rule
        .clone()
        .find(|one| one.scenario == failure.scenario);
    let rule = &failure.rule;
    if let Some(first) = twin {
        let message = match &failure.scenario {
            Some(scenario) => format!("`{rule}` in `{scenario}` is known twice"),
            None => format!("`{rule}` is known twice"),
        };
        let label = format!("first written at {}", first.place);
        found.push(Diagnostic::error(&node.place, message).label(label));
    } else if let Some(wide) = same_rule.find(|one| one.scenario.is_none()) {
        let message = format!("`{rule}` is known in all scenarios already");
        let label = format!("written at {}", wide.place);
        let hint = "remove one of the two entries";
        found.push(
            Diagnostic::warning(&node.place, message)
                .label(label)
                .hint(hint),
        );
    }
}
