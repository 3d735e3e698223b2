//! What an agent said and did, as the result of a tool.

use std::time::Duration;

use serde_json::{Value, json};

use crate::talk::{Fault, Happening, Question};

/// An answer of an agent; more than one, where a question was answered on the way.
#[derive(Clone, Debug, Default)]
pub(super) struct Spoken {
    /// Messages by their ids.
    texts: Vec<(String, String)>,
    calls: Vec<Value>,
    late: Vec<Value>,
    error: Option<String>,
    /// When each piece of text came.
    pub(super) progress: Vec<(Duration, String)>,
    /// How long it took in all.
    pub(super) length: Duration,
    /// How it breaks off, if it does.
    pub(super) fault: Option<Fault>,
    /// Whether it came to its end.
    pub(super) is_over: bool,
}

impl Spoken {
    /// Adds what an agent does.
    pub(super) fn hear(&mut self, happenings: &[Happening]) {
        self.progress.clear();
        self.length = Duration::ZERO;
        self.is_over = false;
        for happening in happenings {
            match happening {
                Happening::Wait(time) => self.length = self.length.saturating_add(*time),
                Happening::Event(event) => self.event(event),
                Happening::Fault(fault) => {
                    self.fault = Some(*fault);
                    return;
                }
            }
        }
    }

    fn event(&mut self, event: &Value) {
        let text = |name: &str| event[name].as_str().unwrap_or_default();
        match text("type") {
            "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_CHUNK" => {
                let id = text("messageId");
                match self.texts.iter_mut().find(|(known, _)| known == id) {
                    Some((_, said)) => said.push_str(text("delta")),
                    None => self.texts.push((id.to_owned(), text("delta").to_owned())),
                }
                self.progress.push((self.length, text("delta").to_owned()));
            }
            "TOOL_CALL_START" => {
                let call =
                    json!({"id": text("toolCallId"), "name": text("toolCallName"), "args": ""});
                self.calls.push(call);
            }
            "TOOL_CALL_ARGS" => {
                if let Some(call) = self.call(text("toolCallId")) {
                    let args = call["args"].as_str().unwrap_or_default();
                    call["args"] = format!("{args}{}", text("delta")).into();
                }
            }
            "TOOL_CALL_END" => {
                if let Some(call) = self.call(text("toolCallId")) {
                    let args = call["args"].as_str().unwrap_or_default();
                    call["args"] = json_or_text(args);
                }
            }
            "TOOL_CALL_RESULT" => {
                let result = json_or_text(text("content"));
                match self.call(text("toolCallId")) {
                    Some(call) => call["result"] = result,
                    None => {
                        let late = json!({"id": text("toolCallId"), "result": result});
                        self.late.push(late);
                    }
                }
            }
            "RUN_ERROR" => {
                self.error = Some(text("message").to_owned());
                self.is_over = true;
            }
            "RUN_FINISHED" => self.is_over = true,
            _ => {}
        }
    }

    fn call(&mut self, id: &str) -> Option<&mut Value> {
        self.calls.iter_mut().find(|call| call["id"] == id)
    }

    fn text(&self) -> String {
        let texts: Vec<&str> = self.texts.iter().map(|(_, text)| text.as_str()).collect();
        texts.join("\n")
    }

    /// Returns how large it is, about.
    pub(super) fn n_bytes(&self) -> usize {
        let calls: usize = self.calls.iter().map(|call| call.to_string().len()).sum();
        calls + self.text().len()
    }

    /// Returns the result of the tool.
    pub(super) fn result(&self, state: Value, conversation: &str, open: &[Question]) -> Value {
        let mut text = self.text();
        let mut add = |words: &str| {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(words);
        };
        if let Some(error) = &self.error {
            add(error);
        } else if !self.is_over {
            add("the agent's answer broke off");
        }
        let question = open.first().map(words);
        if let Some(question) = question
            .as_ref()
            .filter(|words| !self.text().ends_with(*words))
        {
            add(question);
        }
        let mut content = json!({
            "text": text,
            "toolCalls": self.calls,
            "conversation": conversation,
        });
        if !self.late.is_empty() {
            content["lateResults"] = json!(self.late);
        }
        if !state.is_null() {
            content["state"] = state;
        }
        if let Some(question) = question {
            content["question"] = question.into();
        }
        json!({
            "content": [{"type": "text", "text": text}],
            "structuredContent": content,
            "isError": self.error.is_some() || !self.is_over,
        })
    }
}

/// Returns what an agent wants to know.
pub(super) fn words(question: &Question) -> String {
    match question {
        Question::Interrupt(interrupt) => {
            let words = interrupt["message"].as_str();
            let words = words.or(interrupt["reason"].as_str());
            words.unwrap_or("the agent waits for an answer").to_owned()
        }
        Question::Call(_, name) => format!("the agent waits for the result of `{name}`"),
    }
}

fn json_or_text(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}
