//! A color for the mug: a tool that only the front end has. The run ends with the call, the next one brings the color.

use serde_json::{Value, json};

use super::assistant::say;
use crate::input::RunInput;
use crate::script::{Step, ToolStep};

/// The tool, if the front end offers it.
const TOOL: &str = "pick_color";

/// Asks the front end for a color.
pub(super) fn pick_color(input: &RunInput) -> Vec<Step> {
    if !input.offers(TOOL) {
        return vec![say("I cannot show you any colors here.")];
    }
    vec![Step::Tool(ToolStep {
        name: TOOL.to_owned(),
        args: json!({"colors": ["blue", "green", "red"]}),
        ..ToolStep::default()
    })]
}

/// Goes on once the front end has answered.
pub(super) fn picked(input: &RunInput) -> Option<Vec<Step>> {
    let answer = input.messages.last().filter(|last| last.role == "tool")?;
    let call = answer.tool_call_id.as_deref()?;
    let mut calls = input.calls();
    calls.find(|made| made.id == call && made.function.name == TOOL)?;
    let text = answer.text();
    let told: Value = serde_json::from_str(&text).unwrap_or_default();
    let color = told.get("color").and_then(Value::as_str).unwrap_or(&text);
    Some(vec![say(&format!("A mug in {color} it is."))])
}
