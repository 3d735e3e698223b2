//! A JSON report in few words: what was said, called and noticed, without ids and times.

use serde_json::Value;

/// Returns the report in few words.
pub(super) fn digest(report: &Value) -> String {
    let mut lines = Vec::new();
    for test in items(&report["results"]) {
        let (status, file, name) = (text(&test["status"]), text(&test["file"]), &test["name"]);
        lines.push(format!("{status} {file}: {}", text(name)));
        for key in ["error", "skip_reason"] {
            lines.extend(test[key].as_str().map(|why| format!("  {key}: {why}")));
        }
        let warnings = items(&test["warnings"]);
        lines.extend(warnings.map(|warning| format!("  warning: {}", text(warning))));
        for turn in items(&test["turns"]) {
            turn_digest(turn, &mut lines);
        }
    }
    lines.join("\n")
}

fn turn_digest(turn: &Value, lines: &mut Vec<String>) {
    let sent = turn["user"].as_str().unwrap_or_else(|| text(&turn["kind"]));
    lines.push(format!("  > {sent}"));
    let mut line = |text: String| lines.push(format!("    {text}"));
    if let Some(reasoning) = turn["reasoning"].as_str() {
        line(format!("thought {reasoning:?}"));
    }
    for call in items(&turn["tool_calls"]) {
        let result = match &call["result"] {
            Value::Null => "no result".to_owned(),
            result => result.to_string(),
        };
        let mut marks = String::new();
        for mark in ["from_snapshot", "restreamed"] {
            marks.push_str(if call[mark] == true { " " } else { "" });
            marks.push_str(if call[mark] == true { mark } else { "" });
        }
        line(format!(
            "{}({}) -> {result}{marks}",
            text(&call["name"]),
            call["args"]
        ));
    }
    for late in items(&turn["late_results"]) {
        line(format!("late result {}", late["result"]));
    }
    if turn["text"] != "" {
        line(format!("said {}", turn["text"]));
    }
    for interrupt in items(&turn["interrupts"]) {
        let (reason, message) = (text(&interrupt["reason"]), &interrupt["message"]);
        line(format!("interrupt {reason}: {message}"));
    }
    if turn["status"] != "finished" {
        line(format!("{}: {}", text(&turn["status"]), turn["error"]));
    }
    if let Some(state) = turn["task"]["state"].as_str() {
        let artifacts = items(&turn["task"]["artifacts"]);
        let names: Vec<&str> = artifacts.map(|artifact| text(&artifact["name"])).collect();
        line(match names.as_slice() {
            [] => format!("task {state}"),
            names => format!("task {state}, artifacts: {}", names.join(", ")),
        });
    }
    if let Some(state) = turn["state"].as_object().filter(|state| !state.is_empty()) {
        let members = state.iter().map(|(name, value)| match value.as_array() {
            // LangGraph keeps the conversation in the state, with ids that differ from run to run.
            Some(messages) if name == "messages" => format!("{} messages", messages.len()),
            _ => format!("{name}={value}"),
        });
        line(format!("state {}", members.collect::<Vec<_>>().join(", ")));
    }
    for usage in items(&turn["usage"]) {
        line(format!("usage {usage}"));
    }
    for finding in items(&turn["findings"]) {
        let (rule, message) = (text(&finding["rule"]), text(&finding["message"]));
        line(format!("finding {rule}: {message}"));
    }
    for warning in items(&turn["warnings"]) {
        line(format!("warning: {}", text(warning)));
    }
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
