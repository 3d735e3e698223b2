//! Calls that an agent behind a tool made, as the tool's result tells them.

use ananke_model::recording::ToolCall;
use serde_json::{Map, Value};

use super::words::shortened;
use crate::agui::args_error;

/// Reads the list at `place`, a JSON pointer into the result of a tool. Says why it cannot be read.
pub(super) fn inner_calls(
    result: &Value,
    place: &str,
    (at_us, event): (u64, usize),
    new_id: &mut (dyn FnMut() -> String + Send),
) -> Result<Vec<ToolCall>, String> {
    let Some(list) = result.pointer(place) else {
        return Err(format!(
            "`userTool.toolCalls`: the result has nothing at `{place}`"
        ));
    };
    let Some(list) = list.as_array() else {
        let shown = shortened(&list.to_string());
        return Err(format!(
            "`userTool.toolCalls`: expected a list at `{place}` of the result, got `{shown}`"
        ));
    };
    let calls = list.iter().enumerate().map(|(number, entry)| {
        let members = entry.as_object();
        let name = members.and_then(|members| members.get("name")?.as_str());
        let (Some(members), Some(name)) = (members, name) else {
            return Err(format!(
                "`userTool.toolCalls`: `{place}/{number}` of the result is no object with a `name`"
            ));
        };
        let id = members.get("id").and_then(Value::as_str);
        let args_text = arguments(members);
        Ok(ToolCall {
            id: id.map_or_else(&mut *new_id, str::to_owned),
            name: name.to_owned(),
            args_error: args_error(&args_text),
            args_text,
            result: said(members, "result"),
            error: said(members, "error"),
            started_us: at_us,
            args_done_us: Some(at_us),
            completed_us: Some(at_us),
            event_clock: None,
            event,
            from_snapshot: false,
            restreamed: false,
        })
    });
    calls.collect()
}

fn arguments(members: &Map<String, Value>) -> String {
    match members.get("args").or_else(|| members.get("arguments")) {
        None | Some(Value::Null) => "{}".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

fn said(members: &Map<String, Value>, name: &str) -> Option<String> {
    match members.get(name)? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::json;

    use super::*;

    fn read(result: &Value) -> String {
        let mut n = 0;
        let mut new_id = || {
            n += 1;
            format!("id-{n}")
        };
        let place = "/structuredContent/toolCalls";
        match inner_calls(result, place, (5, 1), &mut new_id) {
            Err(why) => why,
            Ok(calls) => {
                let lines = calls.iter().map(|call| {
                    let (result, error) = (&call.result, &call.error);
                    let bad = call.args_error.is_some();
                    format!(
                        "{} {}({}) {result:?} {error:?} bad={bad}",
                        call.id, call.name, call.args_text
                    )
                });
                lines.collect::<Vec<_>>().join("\n")
            }
        }
    }

    #[test]
    fn a_result_tells_of_calls() {
        let calls = json!([
            {"id": "c1", "name": "add", "args": {"a": 1}, "result": {"sum": 2}},
            {"name": "send", "arguments": "{\"to\": \"x\"}", "error": "no mail"},
            {"name": "odd", "args": "{", "result": null},
        ]);
        assert_snapshot!(read(&json!({"structuredContent": {"toolCalls": calls}})), @r#"
        c1 add({"a":1}) Some("{\"sum\":2}") None bad=false
        id-1 send({"to": "x"}) None Some("no mail") bad=false
        id-2 odd({) None None bad=true
        "#);
        assert_snapshot!(read(&json!({"structuredContent": {"toolCalls": []}})), @"");
    }

    #[test]
    fn a_list_that_cannot_be_read_says_why() {
        assert_snapshot!(read(&json!({"content": []})), @"`userTool.toolCalls`: the result has nothing at `/structuredContent/toolCalls`");
        assert_snapshot!(read(&json!({"structuredContent": {"toolCalls": {"a": 1}}})), @r#"`userTool.toolCalls`: expected a list at `/structuredContent/toolCalls` of the result, got `{"a":1}`"#);
        assert_snapshot!(read(&json!({"structuredContent": {"toolCalls": [{"name": "a"}, 3]}})), @"`userTool.toolCalls`: `/structuredContent/toolCalls/1` of the result is no object with a `name`");
    }
}
