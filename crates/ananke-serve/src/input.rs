//! The request of a run: `RunAgentInput`, as far as an agent needs it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `RunAgentInput`. Unknown members are ignored, as the protocol demands of a producer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunInput {
    /// The conversation.
    pub thread_id: String,
    /// This run.
    pub run_id: String,
    /// The complete history, the new message included.
    pub messages: Vec<Message>,
    /// The version that the client declared.
    #[serde(default)]
    pub protocol_version: Option<String>,
    /// The shared state; null if the client sent none.
    #[serde(default)]
    pub state: Value,
    /// What the client hands on to the agent; null if the client sent none.
    #[serde(default)]
    pub forwarded_props: Value,
    /// What the client tells about its surroundings; null if the client sent none.
    #[serde(default)]
    pub context: Value,
    /// Tools that the client offers; null if it sent none.
    #[serde(default)]
    pub tools: Value,
    /// Answers to the interrupts of the last run.
    #[serde(default)]
    pub resume: Option<Vec<ResumeEntry>>,
    /// Whom the request was sent to.
    #[serde(skip)]
    pub addressee: Addressee,
}

/// Whom a request was sent to, which its input does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addressee {
    /// The path, without query.
    pub path: String,
    /// The agent that an envelope names.
    pub agent_id: Option<String>,
}

/// One message of the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// Its id; text by convention.
    #[serde(default)]
    pub id: Value,
    /// Who speaks.
    pub role: String,
    /// Text, or content parts.
    #[serde(default)]
    pub content: Value,
    /// The calls of an assistant message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<MessageCall>>,
    /// The call that a tool message answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}

/// A call inside an assistant message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageCall {
    /// Its id.
    pub id: String,
    /// What is called.
    pub function: CalledFunction,
}

/// Name and arguments of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalledFunction {
    /// The tool.
    pub name: String,
    /// JSON text by convention.
    #[serde(default)]
    pub arguments: String,
}

/// The answer to one interrupt.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResumeEntry {
    /// Which interrupt.
    pub interrupt_id: String,
    /// `resolved` or `cancelled`.
    pub status: String,
    /// What the user decided.
    #[serde(default)]
    pub payload: Value,
}

impl RunInput {
    /// Returns the text of the user message that this run is to answer.
    ///
    /// There is none if the assistant had the last word and nothing is resumed: that is how a client attaches to a thread.
    pub fn user_text(&self) -> Option<String> {
        let nothing_new =
            !self.has_resume() && self.messages.last().is_some_and(|m| m.role == "assistant");
        if nothing_new {
            return None;
        }
        let message = self.messages.iter().rev().find(|m| m.role == "user")?;
        Some(message.text())
    }

    /// Returns how many user messages the history holds.
    pub fn n_user_messages(&self) -> usize {
        self.messages.iter().filter(|m| m.role == "user").count()
    }

    /// Tells whether the newest message is the answer to a tool call.
    pub fn ends_with_tool_result(&self) -> bool {
        self.messages.last().is_some_and(|m| m.role == "tool")
    }

    /// Tells whether the client offers a tool.
    pub fn offers(&self, name: &str) -> bool {
        let tools = self.tools.as_array().into_iter().flatten();
        tools
            .filter_map(|tool| tool.get("name")?.as_str())
            .any(|offered| offered == name)
    }

    /// Tells whether interrupts are answered.
    pub fn has_resume(&self) -> bool {
        self.resume.as_ref().is_some_and(|r| !r.is_empty())
    }

    /// Returns every call in the history, oldest first.
    pub fn calls(&self) -> impl Iterator<Item = &MessageCall> {
        self.messages
            .iter()
            .flat_map(|m| m.tool_calls.iter().flatten())
    }

    /// Tells whether the history holds a result for this call.
    pub fn is_answered(&self, call: &MessageCall) -> bool {
        self.messages
            .iter()
            .any(|m| m.role == "tool" && m.tool_call_id.as_deref() == Some(&call.id))
    }
}

impl Message {
    /// Returns the text of the message, that of its text parts joined.
    pub fn text(&self) -> String {
        match &self.content {
            Value::String(text) => text.clone(),
            Value::Array(parts) => parts
                .iter()
                .filter_map(|part| part.get("text")?.as_str())
                .collect(),
            _ => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::RunInput;

    fn input(messages: serde_json::Value) -> RunInput {
        serde_json::from_value(json!({"threadId": "t", "runId": "r", "messages": messages}))
            .unwrap()
    }

    #[test]
    fn text_parts_are_joined_and_others_skipped() {
        let input = input(json!([{"id": "1", "role": "user", "content": [
            {"type": "text", "text": "look "},
            {"type": "image", "source": {"type": "url", "value": "x"}},
            {"type": "text", "text": "here"},
        ]}]));
        assert_eq!(input.user_text().unwrap(), "look here");
    }

    #[test]
    fn nothing_is_new_after_the_assistant_spoke() {
        let input = input(json!([
            {"id": "1", "role": "user", "content": "hello"},
            {"id": "2", "role": "assistant", "content": "hi"},
        ]));
        assert_eq!(input.user_text(), None);
    }

    #[test]
    fn a_tool_result_still_answers_the_last_user_message() {
        let input = input(json!([
            {"id": "1", "role": "user", "content": "hello"},
            {"id": "2", "role": "assistant", "toolCalls": [
                {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}},
            ]},
            {"id": "3", "role": "tool", "toolCallId": "c", "content": "ok"},
        ]));
        assert_eq!(input.user_text().unwrap(), "hello");
        assert!(input.ends_with_tool_result());
        assert!(input.calls().all(|call| input.is_answered(call)));
    }
}
