//! What a server answered, in the words of a turn. An error of the protocol, an error of the tool, and success stay apart.

use ananke_model::plan::McpListed;
use ananke_model::recording::TurnStatus;
use serde_json::Value;

use super::action::{Listed as _, McpAction};
use super::schema::mismatch;
use super::shape::{RESULT_SHAPE, misshapen};
use super::words::{rpc_error, text_blocks};

/// The code of a tool that says itself that it failed.
const IS_ERROR: &str = "isError";
/// The code of a result that does not fit what the tool announced.
const OUTPUT_SCHEMA: &str = "outputSchema";

/// An answer in the words of a turn.
#[derive(Debug, PartialEq)]
pub(super) struct Told {
    pub(super) status: TurnStatus,
    /// The text of the answer.
    pub(super) text: String,
    /// What of it is data.
    pub(super) data: Value,
    /// Of a call: what the tool returned, as text.
    pub(super) result: Option<String>,
}

impl Told {
    /// Puts the answer to `action` into words; `schema` is what the tool that was called announced.
    pub(super) fn of(
        action: &McpAction,
        outcome: &Result<Value, Value>,
        schema: Option<&Value>,
    ) -> Self {
        let result = match outcome {
            Ok(result) => result,
            Err(error) => return Self::refused(error),
        };
        let told = match action {
            McpAction::Call { tool, .. } => Self::called(tool, result, schema),
            McpAction::List(_) => Self::finished(listed_names(result), result),
            McpAction::Read { .. } => Self::finished(contents(result), result),
            McpAction::Prompt { .. } => Self::finished(messages(result), result),
        };
        match misshapen(action, result) {
            None => told,
            Some(why) => Self {
                status: failed(why, RESULT_SHAPE),
                // What was not understood is shown as it came.
                result: told.result.map(|_| result.to_string()),
                ..told
            },
        }
    }

    /// Says what is wrong with the tool that was called, if something is.
    pub(super) fn error(&self) -> Option<String> {
        match &self.status {
            TurnStatus::RunError { message, .. } => Some(message.clone()),
            TurnStatus::Finished | TurnStatus::Broken(_) => None,
        }
    }

    fn refused(error: &Value) -> Self {
        let (message, code) = rpc_error(error);
        // Codes of our own are words.
        let code = error["code"].as_str().map(str::to_owned).or(code);
        Self {
            status: TurnStatus::RunError { message, code },
            text: String::new(),
            data: Value::Null,
            result: None,
        }
    }

    fn finished(text: String, data: &Value) -> Self {
        Self {
            status: TurnStatus::Finished,
            text,
            data: data.clone(),
            result: None,
        }
    }

    fn called(tool: &str, result: &Value, schema: Option<&Value>) -> Self {
        let text = text_blocks(&result["content"]);
        let status = if result["isError"] == true {
            let said = if text.is_empty() {
                format!("the tool `{tool}` failed without a word")
            } else {
                text.clone()
            };
            failed(said, IS_ERROR)
        } else {
            match schema.and_then(|schema| mismatch(tool, schema, result)) {
                Some(why) => failed(why, OUTPUT_SCHEMA),
                None => TurnStatus::Finished,
            }
        };
        Self {
            status,
            data: result.get("structuredContent").cloned().unwrap_or_default(),
            result: Some(returned(result, &text)),
            text,
        }
    }
}

fn failed(message: String, code: &str) -> TurnStatus {
    TurnStatus::RunError {
        message,
        code: Some(code.to_owned()),
    }
}

/// Returns what a tool returned: its structured content; else its text, or its content if that is more than text.
fn returned(result: &Value, text: &str) -> String {
    if let Some(content) = result.get("structuredContent") {
        return content.to_string();
    }
    let content = &result["content"];
    let mut blocks = content.as_array().into_iter().flatten();
    if blocks.all(|block| block["type"] == "text") {
        text.to_owned()
    } else {
        content.to_string()
    }
}

/// Returns the names of what is listed, one on a line.
fn listed_names(result: &Value) -> String {
    let all = McpListed::ALL.into_iter();
    let names = all.flat_map(|listed| {
        let entries = result[listed.member()].as_array().into_iter().flatten();
        entries.filter_map(move |entry| entry[listed.name()].as_str())
    });
    names.collect::<Vec<_>>().join("\n")
}

fn contents(result: &Value) -> String {
    let contents = result["contents"].as_array().into_iter().flatten();
    let texts = contents.filter_map(|content| content["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

fn messages(result: &Value) -> String {
    let messages = result["messages"].as_array().into_iter().flatten();
    let texts = messages.filter_map(|message| message["content"]["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}
