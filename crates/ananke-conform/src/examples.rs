//! What breaks each rule, for users: the files that the rules are tested with.

use serde_json::Value;

/// The files, by the rule that they trip.
const FILES: &[(&str, &str)] = &include!("../fixtures/index.in");

/// Returns what breaks a rule: the events as JSON, one on a line; with the request where the rule compares with it.
pub fn example(id: &str) -> Option<String> {
    let (_, text) = FILES.iter().find(|(rule, _)| *rule == id)?;
    let fixture: Value = serde_json::from_str(text).ok()?;
    let exchanges = fixture.get("exchanges")?.as_array()?;
    let mut lines = Vec::new();
    if let Some(capabilities) = fixture.get("capabilities") {
        lines.push(format!("// capabilities: {capabilities}"));
    }
    for exchange in exchanges {
        lines.extend(told(exchange));
    }
    Some(lines.join("\n"))
}

fn told(exchange: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    let word = |name: &str| exchange.get(name).and_then(Value::as_str);
    if let Some(asked) = word("asked").filter(|asked| *asked != "run") {
        lines.push(format!("// asked: {asked}"));
    }
    if let Some(request) = exchange.get("request") {
        lines.push(format!("// request: {request}"));
    }
    for (name, label) in [("status", "HTTP status"), ("headers", "headers")] {
        if let Some(value) = exchange.get(name) {
            lines.push(format!("// {label}: {value}"));
        }
    }
    if let Some(text) = word("text") {
        lines.push(format!("// body: {text}"));
    }
    if let Some(body) = word("body") {
        lines.push(format!("// body: {}", Value::from(body)));
    }
    let events = exchange.get("events").and_then(Value::as_array);
    lines.extend(events.into_iter().flatten().map(|event| match event {
        Value::String(text) => text.clone(),
        event => event.to_string(),
    }));
    if let Some(ending) = word("ending") {
        lines.push(format!("// ending: {ending}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{FILES, example};
    use crate::fixture::Fixture;
    use crate::rules;

    #[test]
    fn every_rule_has_an_example() {
        let listed: BTreeSet<&str> = FILES.iter().map(|(rule, _)| *rule).collect();
        let rules: BTreeSet<&str> = rules::all().map(|rule| rule.id).collect();
        assert_eq!(
            listed, rules,
            "fixtures/index.in lists one file for each rule; `cargo xtask gen` writes it"
        );
        for rule in rules {
            assert!(example(rule).is_some_and(|text| !text.is_empty()), "{rule}");
        }
        assert!(Fixture::all().len() >= listed.len());
    }
}
