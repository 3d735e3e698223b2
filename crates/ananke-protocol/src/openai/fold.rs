//! Folding: the chunks of a turn's answers into texts, calls and messages.

use std::collections::HashMap;
use std::sync::Arc;

use ananke_model::recording::ToolCall;
use serde_json::{Map, Value, json};

use super::chunk::{CallPiece, Chunk, Delta};
use crate::agui::{Conversation, MAX_NOTES};

/// One chunk may hold a great many calls, and each takes far more memory than its text.
const MAX_CALLS: usize = 4096;

/// How an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Finished,
    /// At the limit of tokens: what came is not whole.
    Cut,
    Error {
        message: String,
        code: Option<String>,
    },
}

/// What a turn has brought so far.
#[derive(Debug)]
pub(crate) struct Fold<'c> {
    pub(crate) conversation: &'c mut Conversation,
    /// Where this turn's messages begin.
    first_message: usize,
    answer: Answer,
    /// The texts of the answers before.
    texts: Vec<String>,
    pub(crate) reasoning: String,
    pub(crate) calls: Vec<ToolCall>,
    pub(crate) usage: Vec<Value>,
    pub(crate) end: Option<End>,
    pub(crate) first_text_us: Option<u64>,
    pub(crate) first_tool_us: Option<u64>,
    /// Bytes of text, reasoning and arguments taken so far.
    pub(crate) n_text_bytes: usize,
    /// Whether calls were left out because there are too many.
    pub(crate) has_too_many_calls: bool,
    pub(crate) warnings: Vec<String>,
}

/// The answer to one request, while it comes.
#[derive(Debug, Default)]
struct Answer {
    message_id: String,
    text: String,
    reasoning: String,
    usage: Option<Value>,
    /// Where its calls begin, and the newest call with an index.
    first_call: usize,
    by_index: HashMap<u64, usize>,
}

impl<'c> Fold<'c> {
    /// Begins a turn on `conversation`, whose last message is the last that this turn sends, if it sends any.
    pub(crate) fn new(conversation: &'c mut Conversation, sends_any: bool) -> Self {
        let n_messages = conversation.messages().len();
        Self {
            first_message: n_messages.saturating_sub(usize::from(sends_any)),
            conversation,
            answer: Answer::default(),
            texts: Vec::new(),
            reasoning: String::new(),
            calls: Vec::new(),
            usage: Vec::new(),
            end: None,
            first_text_us: None,
            first_tool_us: None,
            n_text_bytes: 0,
            has_too_many_calls: false,
            warnings: Vec::new(),
        }
    }

    /// Begins the answer to another request.
    pub(crate) fn begin_answer(&mut self, message_id: String) {
        self.end = None;
        self.answer = Answer {
            message_id,
            first_call: self.calls.len(),
            ..Answer::default()
        };
    }

    /// Takes chunk number `event`, which came at `at_us`.
    pub(crate) fn take(&mut self, chunk: Chunk, event: usize, at_us: u64) {
        for delta in chunk.deltas {
            self.add(delta, event, at_us);
        }
        if chunk.has_other_choices {
            self.warn_once("the answer has several choices: only the first is read");
        }
        if chunk.is_strange {
            self.warn_once(&format!(
                "event {event} holds neither choices nor usage: kept, not folded"
            ));
        }
        // A server that counts as it goes tells the sum each time.
        self.answer.usage = chunk.usage.or_else(|| self.answer.usage.take());
        if let Some(reason) = chunk.finish_reason {
            self.finish(&reason);
        }
        if let Some(error) = chunk.error {
            self.end = Some(End::Error {
                message: error.message,
                code: error.code,
            });
        }
    }

    fn add(&mut self, delta: Delta, event: usize, at_us: u64) {
        if !delta.refusal.is_empty() {
            self.warn_once("the model refused to answer: `refusal` is read as its text");
        }
        for text in [delta.text, delta.refusal] {
            if !text.is_empty() {
                self.first_text_us.get_or_insert(at_us);
                self.n_text_bytes += text.len();
                self.answer.text.push_str(&text);
            }
        }
        self.n_text_bytes += delta.reasoning.len();
        self.answer.reasoning.push_str(&delta.reasoning);
        for piece in delta.calls {
            self.add_piece(piece, event, at_us);
        }
    }

    fn add_piece(&mut self, piece: CallPiece, event: usize, at_us: u64) {
        let Some(at) = self
            .known_call(&piece)
            .or_else(|| self.begin_call(event, at_us))
        else {
            return;
        };
        if let Some(index) = piece.index {
            self.answer.by_index.insert(index, at);
        }
        self.n_text_bytes += piece.arguments.len();
        let call = &mut self.calls[at];
        if call.id.is_empty() {
            call.id = piece.id;
        }
        if call.name != piece.name {
            call.name.push_str(&piece.name);
        }
        call.args_text.push_str(&piece.arguments);
        // The last piece is not known as such when it comes.
        call.args_done_us = Some(at_us);
    }

    /// Returns the call that a piece goes on with. It is told by its index; where that is missing by its id, and where
    /// that is missing too it is the last one.
    fn known_call(&self, piece: &CallPiece) -> Option<usize> {
        let first = self.answer.first_call;
        let last = self.calls.len().checked_sub(1).filter(|at| *at >= first);
        let at = match piece.index {
            Some(index) => *self.answer.by_index.get(&index)?,
            None if piece.id.is_empty() => last?,
            None => (first..self.calls.len())
                .rfind(|at| self.calls[*at].id.is_empty() || self.calls[*at].id == piece.id)?,
        };
        // Some servers give every call the index 0, and some a new id to every piece: only a piece with a name begins
        // another call. A name may come in pieces too, before the arguments.
        let call = &self.calls[at];
        let has_other_id = !piece.id.is_empty() && !call.id.is_empty() && piece.id != call.id;
        let is_named =
            !call.name.is_empty() && (!call.args_text.is_empty() || piece.index.is_none());
        let has_other_name = is_named && piece.name != call.name;
        let is_other = !piece.name.is_empty() && (has_other_id || has_other_name);
        (!is_other).then_some(at)
    }

    fn begin_call(&mut self, event: usize, at_us: u64) -> Option<usize> {
        if self.calls.len() >= MAX_CALLS {
            self.has_too_many_calls = true;
            return None;
        }
        self.first_tool_us.get_or_insert(at_us);
        self.calls.push(ToolCall {
            id: String::new(),
            name: String::new(),
            args_text: String::new(),
            args_error: None,
            result: None,
            error: None,
            started_us: at_us,
            args_done_us: None,
            completed_us: None,
            event_clock: None,
            event,
            from_snapshot: false,
            restreamed: false,
        });
        Some(self.calls.len() - 1)
    }

    fn finish(&mut self, reason: &str) {
        if matches!(self.end, Some(End::Error { .. })) {
            return;
        }
        self.end = Some(match reason {
            "stop" | "tool_calls" | "function_call" => End::Finished,
            "length" => End::Cut,
            "content_filter" => End::Error {
                message: "the content filter stopped the answer".to_owned(),
                code: Some(reason.to_owned()),
            },
            "error" => End::Error {
                message: "the server stopped the answer with an error".to_owned(),
                code: Some(reason.to_owned()),
            },
            other => {
                let shown: String = other.chars().take(100).collect();
                self.warn_once(&format!(
                    "the answer has the unknown finish_reason `{shown}`: read as its end"
                ));
                End::Finished
            }
        });
    }

    /// Ends the answer and puts it into the conversation.
    pub(crate) fn end_answer(&mut self) {
        let answer = std::mem::take(&mut self.answer);
        let is_whole = matches!(self.end, Some(End::Finished));
        for number in answer.first_call..self.calls.len() {
            let call = &mut self.calls[number];
            call.args_done_us = call.args_done_us.filter(|_| is_whole);
            let is_nameless = call.name.is_empty();
            let has_no_id = call.id.is_empty();
            if has_no_id {
                let nth = number - answer.first_call + 1;
                call.id = format!("{}-call-{nth}", answer.message_id);
            }
            if has_no_id {
                self.warn_once("a tool call came without an id: it was given one");
            }
            if is_nameless {
                self.warn_once("a tool call came without a name");
            }
        }
        // The next answer's calls begin behind these.
        self.answer.first_call = self.calls.len();
        self.usage.extend(answer.usage);
        if !answer.reasoning.is_empty() {
            if !self.reasoning.is_empty() {
                self.reasoning.push('\n');
            }
            self.reasoning.push_str(&answer.reasoning);
            let id = format!("{}-reasoning", answer.message_id);
            let message = json!({"id": id, "role": "reasoning", "content": answer.reasoning});
            self.conversation.put(message);
        }
        let calls = self.calls.get(answer.first_call..).unwrap_or_default();
        if answer.text.is_empty() && calls.is_empty() {
            return;
        }
        let mut message = Map::new();
        message.insert("id".to_owned(), answer.message_id.as_str().into());
        message.insert("role".to_owned(), "assistant".into());
        if !answer.text.is_empty() {
            message.insert("content".to_owned(), answer.text.as_str().into());
            self.texts.push(answer.text);
        }
        if !calls.is_empty() {
            let made: Vec<Value> = calls
                .iter()
                .map(|call| {
                    let function = json!({"name": call.name, "arguments": call.args_text});
                    json!({"id": call.id, "type": "function", "function": function})
                })
                .collect();
            message.insert("toolCalls".to_owned(), made.into());
        }
        self.conversation.put(Value::Object(message));
    }

    /// Answers call number `number` in the client's name.
    pub(crate) fn answer_call(
        &mut self,
        number: usize,
        message_id: &str,
        result: &Value,
        at_us: u64,
    ) {
        let content = match result {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let call = &mut self.calls[number];
        call.completed_us = Some(at_us);
        let id = call.id.clone();
        let message =
            json!({"id": message_id, "role": "tool", "toolCallId": id, "content": content});
        call.result = Some(content);
        self.conversation.put_result(&id, message);
    }

    /// Tells what went wrong in the tool of call number `number`.
    pub(crate) fn refuse_call(
        &mut self,
        number: usize,
        message_id: &str,
        error: String,
        at_us: u64,
    ) {
        let call = &mut self.calls[number];
        call.completed_us = Some(at_us);
        let id = call.id.clone();
        let message = json!({
            "id": message_id,
            "role": "tool",
            "toolCallId": id,
            "content": error,
            "error": error,
        });
        call.error = Some(error);
        self.conversation.put_result(&id, message);
    }

    /// Returns the texts of all answers joined with LF.
    pub(crate) fn text(&self) -> String {
        self.texts.join("\n")
    }

    /// Returns the last message that this turn sent, and all that came since.
    pub(crate) fn new_messages(&self) -> Vec<Arc<Value>> {
        let messages = self.conversation.messages().get(self.first_message..);
        messages.unwrap_or_default().to_vec()
    }

    pub(crate) fn warn(&mut self, message: String) {
        if self.warnings.len() < MAX_NOTES {
            self.warnings.push(message);
        }
    }

    fn warn_once(&mut self, message: &str) {
        if !self.warnings.iter().any(|known| known == message) {
            self.warn(message.to_owned());
        }
    }
}

/// Says what a turn has passed.
pub(crate) fn too_many_calls() -> String {
    format!("the turn makes more than {MAX_CALLS} tool calls")
}
