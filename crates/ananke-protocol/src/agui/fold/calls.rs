//! Tool calls and their results.

use ananke_model::recording::{CallEventClock, LateResult, ToolCall};
use serde_json::{Value, json};

use super::turn_fold::{Fold, Moment};
use crate::agui::conversation::{assistant, set_member};

impl Fold<'_> {
    pub(super) fn begin_call(
        &mut self,
        id: &str,
        name: &str,
        parent: Option<&str>,
        moment: Moment,
    ) {
        self.flush();
        self.first_tool_us.get_or_insert(moment.at_us);
        let reopened = self
            .call_positions
            .get(id)
            .is_some_and(|at| self.calls[*at].name == name)
            && !self.open_calls.contains(id);
        self.open_calls.insert(id.to_owned());
        if reopened {
            return;
        }
        let restreamed = self.known_calls.contains(id);
        if !restreamed && !self.call_positions.contains_key(id) {
            self.add_call_to_message(id, name, parent.unwrap_or(id));
        }
        self.call_positions.insert(id.to_owned(), self.calls.len());
        self.calls.push(ToolCall {
            restreamed,
            event_clock: moment.timestamp.map(|at| CallEventClock {
                started: at,
                ended: at,
            }),
            ..new_call(id, name, moment)
        });
    }

    fn add_call_to_message(&mut self, id: &str, name: &str, owner: &str) {
        if self
            .conversation
            .get(owner)
            .is_none_or(|message| message["role"] != "assistant")
        {
            self.conversation.put(assistant(owner));
        }
        self.note_text(owner, "assistant");
        let message = self.conversation.get_mut(owner).expect("just put there");
        let call =
            json!({"id": id, "type": "function", "function": {"name": name, "arguments": ""}});
        let number = match message.get_mut("toolCalls").and_then(Value::as_array_mut) {
            Some(calls) => {
                calls.push(call);
                calls.len() - 1
            }
            None => {
                set_member(message, "toolCalls", vec![call]);
                0
            }
        };
        self.conversation.note_call(id, owner, number);
    }

    pub(super) fn end_call(&mut self, id: &str, moment: Moment) {
        self.open_calls.remove(id);
        let Some(at) = self.call_positions.get(id) else {
            return;
        };
        let call = &mut self.calls[*at];
        call.args_done_us = Some(moment.at_us);
        if let (Some(clock), Some(timestamp)) = (&mut call.event_clock, moment.timestamp) {
            clock.ended = timestamp;
        }
        let (arguments, appended) = (call.args_text.clone(), call.restreamed && !self.is_connect);
        self.write_arguments(id, &arguments, appended);
    }

    /// Writes a call's arguments into its message. Re-streaming a call appends to it, as it does in every client; a replay
    /// tells it from its beginning.
    fn write_arguments(&mut self, id: &str, arguments: &str, appended: bool) {
        if let Some(call) = self.conversation.call_mut(id) {
            let function = call.entry("function").or_insert(Value::Null);
            if function.is_null() {
                *function = json!({});
            }
            match function.get_mut("arguments") {
                Some(Value::String(text)) if appended => text.push_str(arguments),
                _ => set_member(function, "arguments", arguments),
            }
        }
    }

    pub(super) fn tool_result(
        &mut self,
        message_id: &str,
        id: &str,
        content: Value,
        error: Option<&str>,
        moment: Moment,
    ) {
        self.flush();
        // The protocol allows a string or parts; anything else is what an older server meant as JSON text.
        let content = match content {
            Value::String(_) | Value::Array(_) => content,
            other => Value::String(other.to_string()),
        };
        let text = content
            .as_str()
            .map_or_else(|| content.to_string(), str::to_owned);
        self.n_text_bytes += text.len();
        if let Some(at) = self.call_positions.get(id) {
            let call = &mut self.calls[*at];
            call.result = Some(text);
            call.error = error.map(str::to_owned);
            call.completed_us = Some(moment.at_us);
            if let (Some(clock), Some(timestamp)) = (&mut call.event_clock, moment.timestamp) {
                clock.ended = timestamp;
            }
        } else if self.known_calls.contains(id) {
            self.late_results.push(LateResult {
                id: id.to_owned(),
                result: text,
            });
        } else {
            self.warn(format!("a result answers the unknown tool call '{id}'"));
        }
        let mut message =
            json!({"id": message_id, "role": "tool", "toolCallId": id, "content": content});
        if let Some(error) = error {
            message["error"] = error.into();
        }
        self.conversation.put_result(id, message);
    }

    /// Answers a pending call in the client's name.
    pub(crate) fn answer(&mut self, message_id: &str, call_id: &str, result: Value, at_us: u64) {
        let content = match result {
            Value::String(text) => text,
            other => other.to_string(),
        };
        let event = self.calls.last().map_or(0, |call| call.event);
        let moment = Moment {
            event,
            at_us,
            timestamp: None,
        };
        self.tool_result(message_id, call_id, content.into(), None, moment);
    }

    /// Returns the calls that nobody has answered, in order.
    pub(crate) fn pending_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.calls.iter().filter(|call| call.result.is_none())
    }
}

/// Returns a call that has just begun.
pub(super) fn new_call(id: &str, name: &str, moment: Moment) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        args_text: String::new(),
        args_error: None,
        result: None,
        error: None,
        started_us: moment.at_us,
        args_done_us: None,
        completed_us: None,
        event_clock: None,
        event: moment.event,
        from_snapshot: false,
        restreamed: false,
    }
}
