//! The events of a task, with their times: what an agent does, in the words of A2A 1.0.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Value, json};

use crate::talk::{Fault, Happening, Question};

/// What happens to a task, and when after its start.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Timeline {
    pub(super) events: Vec<(Duration, Value)>,
    /// How long it takes in all.
    pub(super) length: Duration,
    /// How it breaks off, if it does.
    pub(super) fault: Option<Fault>,
}

/// The ids of a task, of its conversation and of its run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ids {
    pub(super) task: String,
    pub(super) context: String,
    pub(super) run: String,
}

/// Puts what an agent does into events. `state` is the one before; `questions` are what it waits for at the end.
pub(super) fn timeline(
    happenings: &[Happening],
    ids: &Ids,
    state: Value,
    questions: &[Question],
) -> Timeline {
    let mut writer = Writer {
        ids,
        questions,
        now: Duration::ZERO,
        n_messages: 0,
        texts: BTreeSet::new(),
        calls: BTreeMap::new(),
        thought: String::new(),
        state,
        events: Vec::new(),
    };
    writer.status("WORKING", None, Value::Null);
    let mut fault = None;
    for (at, happening) in happenings.iter().enumerate() {
        match happening {
            Happening::Wait(time) => writer.now = writer.now.saturating_add(*time),
            Happening::Event(event) => {
                let rest = happenings.get(at + 1..).unwrap_or_default();
                writer.event(event, rest);
            }
            Happening::Fault(found) => {
                fault = Some(*found);
                break;
            }
        }
    }
    Timeline {
        length: writer.now,
        events: writer.events,
        fault,
    }
}

struct Writer<'a> {
    ids: &'a Ids,
    questions: &'a [Question],
    now: Duration,
    n_messages: usize,
    /// Artifacts of text that have begun.
    texts: BTreeSet<String>,
    /// Calls by their ids: name and arguments.
    calls: BTreeMap<String, (String, String)>,
    thought: String,
    state: Value,
    events: Vec<(Duration, Value)>,
}

impl Writer<'_> {
    fn event(&mut self, event: &Value, rest: &[Happening]) {
        let text = |name: &str| event[name].as_str().unwrap_or_default();
        match text("type") {
            "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_CHUNK" => {
                let id = text("messageId");
                self.text(id, text("delta"), is_last(id, rest));
            }
            "REASONING_MESSAGE_CONTENT" => self.thought.push_str(text("delta")),
            "REASONING_MESSAGE_END" => {
                let thought = std::mem::take(&mut self.thought);
                let part = json!({"text": thought, "metadata": {"adk_thought": true}});
                self.status("WORKING", Some(part), Value::Null);
            }
            "TOOL_CALL_START" => {
                let name = text("toolCallName").to_owned();
                let id = text("toolCallId").to_owned();
                self.calls.insert(id, (name, String::new()));
            }
            "TOOL_CALL_ARGS" => {
                if let Some((_, args)) = self.calls.get_mut(text("toolCallId")) {
                    args.push_str(text("delta"));
                }
            }
            "TOOL_CALL_END" => {
                let id = text("toolCallId");
                if let Some((name, args)) = self.calls.get(id) {
                    let data = json!({"id": id, "name": name, "args": json_or_text(args)});
                    self.data("function_call", &data);
                }
            }
            "TOOL_CALL_RESULT" => {
                let id = text("toolCallId");
                let name = self.calls.get(id).map(|(name, _)| name.as_str());
                let mut data = json!({"id": id, "response": json_or_text(text("content"))});
                if let Some(name) = name {
                    data["name"] = name.into();
                }
                self.data("function_response", &data);
            }
            "STATE_SNAPSHOT" => {
                self.state = event["snapshot"].clone();
                self.state();
            }
            "STATE_DELTA" => {
                crate::talk::patch(&mut self.state, &event["delta"]);
                self.state();
            }
            "CUSTOM" => {
                let custom = json!({"name": event["name"], "value": event["value"]});
                self.status("WORKING", None, json!({"custom": custom}));
            }
            "RUN_ERROR" => {
                let part = json!({"text": event["message"]});
                let metadata = match &event["code"] {
                    Value::Null => Value::Null,
                    code => json!({"code": code}),
                };
                self.status("FAILED", Some(part), metadata);
            }
            "RUN_FINISHED" => self.finish(),
            _ => {}
        }
    }

    fn finish(&mut self) {
        let Some(question) = self.questions.first() else {
            return self.status("COMPLETED", None, Value::Null);
        };
        let (words, metadata) = match question {
            Question::Interrupt(interrupt) => {
                let words = interrupt["message"].as_str();
                let words = words.or(interrupt["reason"].as_str());
                let words = words.unwrap_or("I need an answer.").to_owned();
                (words, json!({"interrupt": interrupt}))
            }
            Question::Call(_, name) => {
                let words = format!("the result of `{name}`, a tool of the client");
                (format!("I wait for {words}."), Value::Null)
            }
        };
        self.status("INPUT_REQUIRED", Some(json!({"text": words})), metadata);
    }

    /// Adds text to the artifact that stands for a message.
    fn text(&mut self, id: &str, delta: &str, is_last: bool) {
        let is_more = !self.texts.insert(id.to_owned());
        let artifact = json!({"artifactId": id, "name": "answer", "parts": [{"text": delta}]});
        self.artifact(artifact, is_more, is_last);
    }

    /// Sends the whole state in place of the one before.
    fn state(&mut self) {
        let parts = json!([{"data": self.state}]);
        let artifact = json!({"artifactId": "state", "name": "state", "parts": parts});
        self.artifact(artifact, false, true);
    }

    fn artifact(&mut self, artifact: Value, is_append: bool, is_last: bool) {
        let mut update = self.update();
        update["artifact"] = artifact;
        if is_append {
            update["append"] = true.into();
        }
        if is_last {
            update["lastChunk"] = true.into();
        }
        self.events
            .push((self.now, json!({"artifactUpdate": update})));
    }

    fn data(&mut self, kind: &str, data: &Value) {
        let part = json!({"data": data, "metadata": {"adk_type": kind}});
        self.status("WORKING", Some(part), Value::Null);
    }

    fn status(&mut self, state: &str, part: Option<Value>, metadata: Value) {
        let mut update = self.update();
        update["status"] = json!({"state": format!("TASK_STATE_{state}")});
        if let Some(part) = part {
            self.n_messages += 1;
            update["status"]["message"] = json!({
                "messageId": format!("{}-{}", self.ids.run, self.n_messages),
                "contextId": self.ids.context,
                "taskId": self.ids.task,
                "role": "ROLE_AGENT",
                "parts": [part],
            });
        }
        if !metadata.is_null() {
            update["metadata"] = metadata;
        }
        self.events
            .push((self.now, json!({"statusUpdate": update})));
    }

    fn update(&self) -> Value {
        json!({"taskId": self.ids.task, "contextId": self.ids.context})
    }
}

/// Tells whether a message ends before more of its text comes.
fn is_last(id: &str, rest: &[Happening]) -> bool {
    let events = rest.iter().filter_map(|happening| match happening {
        Happening::Event(event) if event["messageId"] == id => event["type"].as_str(),
        _ => None,
    });
    events.into_iter().next() == Some("TEXT_MESSAGE_END")
}

fn json_or_text(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}
