//! `MESSAGES_SNAPSHOT`: what a snapshot shows of this turn that was never streamed.

use ananke_model::recording::ToolCall;
use serde_json::Value;

use super::calls::new_call;
use super::turn_fold::{Fold, Moment};
use crate::agui::conversation::{id_of, role_and_text, strip_unknown_parts, text_of};

impl Fold<'_> {
    pub(super) fn messages_snapshot(&mut self, messages: Value, moment: Moment) {
        self.flush();
        let Value::Array(mut messages) = messages else {
            return;
        };
        // Small snapshots again and again would go through everything that is held again and again.
        let n_held = self.conversation.messages().len() + self.texts.len();
        if self.work.copy(n_held).is_err() {
            return;
        }
        for path in strip_unknown_parts(&mut messages) {
            self.warn(format!(
                "{path} is a content part that 1.0 does not describe: left out"
            ));
        }
        // What was streamed counts, even if the snapshot drops or rewrites it.
        for (id, saved) in &mut self.texts {
            if saved.is_none() {
                *saved = self.conversation.get(id).map(text_of);
                self.saved_texts.extend(saved.clone());
            }
        }
        self.take_new_from(&messages, moment);
        self.leave_out_unusable(&mut messages);
        self.conversation.reconcile(&messages);
    }

    /// Leaves out what cannot be held, because nothing could refer to it. What it says and calls has been taken.
    fn leave_out_unusable(&mut self, messages: &mut Vec<Value>) {
        let mut position = 0;
        messages.retain(|message| {
            let is_usable = message.is_object() && !id_of(message).is_empty();
            if !is_usable {
                let what = if message.is_object() {
                    "has no id: it is not kept for the next turn"
                } else {
                    "is no message: left out"
                };
                self.warn(format!("/messages/{position} {what}"));
            }
            position += 1;
            is_usable
        });
    }

    /// Takes calls, results and texts that only the snapshot shows, if they belong to this turn.
    fn take_new_from(&mut self, messages: &[Value], moment: Moment) {
        let begin = if self.is_connect {
            0
        } else {
            self.first_new_in(messages)
        };
        for message in messages.iter().skip(begin) {
            for call in message["toolCalls"].as_array().into_iter().flatten() {
                let Some(id) = call["id"].as_str() else {
                    continue;
                };
                let is_old = self.known_calls.contains(id) && !self.is_connect;
                if is_old || self.call_positions.contains_key(id) {
                    continue;
                }
                self.first_tool_us.get_or_insert(moment.at_us);
                self.call_positions.insert(id.to_owned(), self.calls.len());
                let arguments = &call["function"]["arguments"];
                self.calls.push(ToolCall {
                    args_text: arguments
                        .as_str()
                        .map_or_else(|| arguments.to_string(), str::to_owned),
                    args_done_us: Some(moment.at_us),
                    from_snapshot: true,
                    ..new_call(
                        id,
                        call["function"]["name"].as_str().unwrap_or_default(),
                        moment,
                    )
                });
            }
            match message["role"].as_str() {
                Some("tool") => self.take_snapshot_result(message, moment),
                Some("assistant") => self.take_snapshot_text(message, moment),
                _ => {}
            }
        }
    }

    /// Returns where the messages of this turn begin: behind the last one that was sent.
    fn first_new_in(&self, messages: &[Value]) -> usize {
        let last = self.user_message_id.as_deref();
        let is_last = |message: &Value| Some(id_of(message)) == last;
        if let Some(own) = messages.iter().position(is_last) {
            return own + 1;
        }
        // The server gave ids of its own.
        let user = messages
            .iter()
            .rposition(|message| message["role"] == "user");
        let Some(user) = user else {
            return 0;
        };
        let behind = messages.iter().skip(user + 1).map(role_and_text);
        let same = behind.zip(&self.sent_last).take_while(|(a, b)| a == *b);
        user + 1 + same.count()
    }

    fn take_snapshot_result(&mut self, message: &Value, moment: Moment) {
        let at = message["toolCallId"]
            .as_str()
            .and_then(|id| self.call_positions.get(id));
        let Some(call) = at
            .map(|at| &mut self.calls[*at])
            .filter(|call| call.result.is_none())
        else {
            return;
        };
        call.result = Some(match &message["content"] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        call.error = message["error"].as_str().map(str::to_owned);
        call.completed_us = Some(moment.at_us);
    }

    fn take_snapshot_text(&mut self, message: &Value, moment: Moment) {
        let id = id_of(message);
        let text = text_of(message);
        let is_old = self.known_messages.contains(id) && !self.is_connect;
        let is_streamed = self.noted_texts.contains(id) || self.saved_texts.contains(&text);
        if text.is_empty() || is_old || is_streamed {
            return;
        }
        self.first_text_us.get_or_insert(moment.at_us);
        self.n_text_bytes += text.len();
        if !id.is_empty() {
            self.noted_texts.insert(id.to_owned());
        }
        self.saved_texts.insert(text.clone());
        self.texts.push((id.to_owned(), Some(text)));
    }
}
