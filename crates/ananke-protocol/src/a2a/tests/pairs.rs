//! The same task as a whole and as a stream, in both versions, gives the same. The one exception, words of a task at work
//! that then ends in silence, is in `strays`.

use serde_json::{Value, json};

use super::{fold, fold_whole};
use crate::a2a::wire::Version;

/// What an agent does, step by step.
enum Step {
    Say(&'static str, &'static str),
    State(&'static str),
    Chunk(&'static str, Value, bool),
    Answer(&'static str),
}
use Step::{Answer, Chunk, Say, State};

fn cases() -> Vec<(&'static str, Vec<Step>)> {
    let call = json!({"data": {"id": "c1", "name": "find", "args": {"n": 3}}, "metadata": {"adk_type": "function_call"}});
    let response = json!({"data": {"id": "c1", "name": "find", "response": {"ok": true}}, "metadata": {"adk_type": "function_response"}});
    let thought = json!({"text": "Hm.", "metadata": {"adk_thought": true}});
    let text = |text: &str| json!({"text": text});
    vec![
        ("message", vec![Answer("Hello")]),
        (
            "one artifact",
            vec![
                State("working"),
                Chunk("a", text("Hello"), false),
                State("completed"),
            ],
        ),
        (
            "chunks",
            vec![
                State("working"),
                Chunk("a", text("Hel"), false),
                Chunk("a", text("lo"), true),
                State("completed"),
            ],
        ),
        (
            "replaced",
            vec![
                Chunk("a", text("Hel"), false),
                Chunk("a", text("Hello"), false),
                State("completed"),
            ],
        ),
        (
            "two artifacts",
            vec![
                Chunk("a", text("A"), false),
                Chunk("b", text("B"), false),
                State("completed"),
            ],
        ),
        (
            "status text",
            vec![Say("working", "one moment"), Say("completed", "Hello")],
        ),
        ("silent end", vec![State("working"), State("completed")]),
        (
            "question",
            vec![
                Say("working", "one moment"),
                Say("input-required", "which?"),
            ],
        ),
        ("login", vec![Say("auth-required", "log in")]),
        (
            "failure",
            vec![Say("working", "one moment"), Say("failed", "broken")],
        ),
        ("refusal", vec![Say("rejected", "no")]),
        (
            "partly",
            vec![Chunk("a", text("Hel"), false), Say("failed", "broken")],
        ),
        (
            "tools",
            vec![
                State("working"),
                Chunk("a", call, false),
                Chunk("a", response, true),
                Chunk("a", text("done"), true),
                State("completed"),
            ],
        ),
        (
            "thoughts",
            vec![
                Chunk("a", thought, false),
                Chunk("a", text("Hello"), true),
                State("completed"),
            ],
        ),
        (
            "data",
            vec![
                Chunk("a", json!({"data": {"n": 3}}), false),
                State("completed"),
            ],
        ),
        (
            "file",
            vec![
                Chunk(
                    "a",
                    json!({"url": "http://f/x", "mediaType": "text/plain"}),
                    false,
                ),
                State("completed"),
            ],
        ),
    ]
}

fn part(version: Version, part: &Value) -> Value {
    if version == Version::V1 {
        return part.clone();
    }
    let mut old = match (&part["text"], &part["data"]) {
        (Value::Null, Value::Null) => {
            json!({"kind": "file", "file": {"uri": part["url"], "mimeType": part["mediaType"]}})
        }
        (Value::Null, data) => json!({"kind": "data", "data": data}),
        (text, _) => json!({"kind": "text", "text": text}),
    };
    if !part["metadata"].is_null() {
        old["metadata"] = part["metadata"].clone();
    }
    old
}

fn message(version: Version, text: &str) -> Value {
    let parts = [part(version, &json!({"text": text}))];
    match version {
        Version::V1 => json!({"messageId": text, "role": "ROLE_AGENT", "parts": parts}),
        Version::V03 => {
            json!({"kind": "message", "messageId": text, "role": "agent", "parts": parts})
        }
    }
}

fn state(version: Version, state: &str, said: Option<&str>) -> Value {
    let state = match version {
        Version::V1 => format!(
            "TASK_STATE_{}",
            state.to_ascii_uppercase().replace('-', "_")
        ),
        Version::V03 => state.to_owned(),
    };
    let mut status = json!({"state": state});
    if let Some(said) = said {
        status["message"] = message(version, said);
    }
    status
}

fn streamed(version: Version, steps: &[Step]) -> String {
    let wrap = |name: &str, kind: &str, mut value: Value| match version {
        Version::V1 => json!({name: value}).to_string(),
        Version::V03 => {
            value["kind"] = kind.into();
            value.to_string()
        }
    };
    let status = |status: Value| {
        let update = json!({"taskId": "t", "contextId": "c", "status": status});
        wrap("statusUpdate", "status-update", update)
    };
    let mut lines = Vec::new();
    for step in steps {
        lines.push(match step {
            Say(name, said) => status(state(version, name, Some(said))),
            State(name) => status(state(version, name, None)),
            Chunk(id, chunk, is_append) => {
                let parts = [part(version, chunk)];
                let artifact = json!({"artifactId": id, "parts": parts});
                let update = json!({"taskId": "t", "contextId": "c", "artifact": artifact, "append": is_append});
                wrap("artifactUpdate", "artifact-update", update)
            }
            Answer(said) => wrap("message", "message", message(version, said)),
        });
    }
    lines.join("\n")
}

fn whole(version: Version, steps: &[Step]) -> String {
    let mut artifacts: Vec<Value> = Vec::new();
    let mut history = Vec::new();
    let mut last = Value::Null;
    for step in steps {
        match step {
            Answer(said) => {
                let said = message(version, said);
                return match version {
                    Version::V1 => json!({"message": said}).to_string(),
                    Version::V03 => said.to_string(),
                };
            }
            Say(name, said) => {
                history.push(message(version, said));
                last = state(version, name, Some(said));
            }
            State(name) => last = state(version, name, None),
            Chunk(id, chunk, is_append) => {
                let chunk = part(version, chunk);
                let known = artifacts
                    .iter_mut()
                    .find(|artifact| artifact["artifactId"] == *id);
                match known {
                    Some(artifact) if *is_append => {
                        artifact["parts"].as_array_mut().unwrap().push(chunk);
                    }
                    Some(artifact) => artifact["parts"] = json!([chunk]),
                    None => artifacts.push(json!({"artifactId": id, "parts": [chunk]})),
                }
            }
        }
    }
    let mut task = json!({"id": "t", "contextId": "c", "status": last, "artifacts": artifacts, "history": history});
    match version {
        Version::V1 => json!({"task": task}).to_string(),
        Version::V03 => {
            task["kind"] = "task".into();
            task.to_string()
        }
    }
}

#[test]
fn sent_and_streamed_are_the_same_in_both_versions() {
    for (name, steps) in cases() {
        let expected = fold_whole(Version::V1, &whole(Version::V1, &steps), &[]);
        assert!(!expected.contains("warning"), "{name}: {expected}");
        for version in [Version::V1, Version::V03] {
            let sent = fold_whole(version, &whole(version, &steps), &[]);
            let stream = fold(version, &streamed(version, &steps));
            assert_eq!(sent, expected, "{name}, sent in {}", version.name());
            assert_eq!(stream, expected, "{name}, streamed in {}", version.name());
        }
    }
}
