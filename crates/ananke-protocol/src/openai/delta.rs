//! The pieces that an answer is put together from, found in a raw chunk and in nothing else of it.
//!
//! What reads recorded chunks with this sees the same members as folding does.

use std::collections::HashMap;

use serde_json::value::RawValue;

use crate::agui::{Delta, DeltaKind, delta_at};

type Members<'a> = HashMap<String, &'a RawValue>;

/// Returns the pieces that `payload` carries, if it is a chunk that carries any, in the order in which they stand.
///
/// The id of a piece of text is the number of its choice, that of a piece of arguments the number of its call.
pub fn deltas(payload: &str) -> Vec<Delta<'_>> {
    let mut found = Vec::new();
    if payload.contains("\"choices\"") {
        find(payload, &mut found);
    }
    found.sort_by_key(|delta| delta.range.start);
    found
}

fn find<'a>(payload: &'a str, found: &mut Vec<Delta<'a>>) -> Option<()> {
    let chunk: Members<'a> = serde_json::from_str(payload).ok()?;
    for choice in list(chunk.get("choices")?)? {
        let Some(choice) = members(choice) else {
            continue;
        };
        let number = choice.get("index").map(|raw| raw.get());
        let said = ["delta", "message"].into_iter();
        for said in said.filter_map(|name| members(choice.get(name)?)) {
            let mut add = |kind, id: Option<&'a str>, raw: &'a RawValue| {
                found.extend(delta_at(payload, kind, id, raw.get()));
            };
            for (name, kind) in [
                ("refusal", DeltaKind::Text),
                ("reasoning_content", DeltaKind::Reasoning),
                ("reasoning", DeltaKind::Reasoning),
                ("content", DeltaKind::Text),
            ] {
                if let Some(raw) = said.get(name) {
                    add(kind, number, raw);
                }
            }
            let parts = said.get("content").and_then(|raw| list(raw));
            for text in parts.into_iter().flatten().filter_map(text) {
                add(DeltaKind::Text, number, text);
            }
            let calls = said.get("tool_calls").and_then(|raw| list(raw));
            for call in calls.into_iter().flatten().filter_map(members) {
                let function = call.get("function").and_then(|raw| members(raw));
                let arguments = function.and_then(|function| function.get("arguments").copied());
                if let Some(arguments) = arguments {
                    let number = call.get("index").map(|raw| raw.get());
                    add(DeltaKind::Args, number, arguments);
                }
            }
        }
    }
    Some(())
}

fn members(raw: &RawValue) -> Option<Members<'_>> {
    serde_json::from_str(raw.get()).ok()
}

fn list(raw: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(raw.get()).ok()
}

/// Returns the text of a content part.
fn text(part: &RawValue) -> Option<&RawValue> {
    members(part)?.get("text").copied()
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::deltas;

    fn shown(payload: &str) -> String {
        let found = deltas(payload).into_iter().map(|delta| {
            let id = delta.id.unwrap_or("-");
            let raw = payload.get(delta.range).unwrap();
            format!("{:?} {id} {} from {raw}", delta.kind, delta.text)
        });
        found.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn every_member_that_carries_a_piece_is_known() {
        assert_snapshot!(shown(r#"{"id":"x","choices":[{"index":0,"delta":{"content":"a\n"}}]}"#), @r#"
        Text 0 a
         from "a\n"
        "#);
        assert_snapshot!(shown(r#"{"choices":[{"delta":{"reasoning_content":"why","content":"a"}}]}"#), @r#"Reasoning - why from "why" | Text - a from "a""#);
        assert_snapshot!(shown(r#"{"choices":[{"index":1,"message":{"content":[{"type":"text","text":"a"},{"text":"b"}],"refusal":"no"}}]}"#), @r#"Text 1 a from "a" | Text 1 b from "b" | Text 1 no from "no""#);
        assert_snapshot!(shown(r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\""}},{"index":1,"function":{"name":"f","arguments":"x"}}]}}]}"#), @r#"Args 0 {" from "{\"" | Args 1 x from "x""#);
    }

    #[test]
    fn anything_else_carries_none() {
        for payload in [
            "",
            "choices",
            r#"{"choices":null}"#,
            r#"{"choices":[7,{"delta":7},{"delta":{"content":7,"tool_calls":[7,{"function":{}}]}}]}"#,
            r#"{"content":"a"}"#,
        ] {
            assert_eq!(shown(payload), "", "{payload}");
        }
    }
}
