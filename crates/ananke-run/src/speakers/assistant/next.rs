//! The hook `Next`: what it gets, what it returns, and what becomes of a turn by it.

use ananke_model::assistant::Hooks;
use ananke_model::diagnostic::did_you_mean;
use ananke_model::recording::{Trouble, TroubleKind, Turn, TurnStatus};
use ananke_model::variables::text_form;
use ananke_script::Argument;
use serde_json::{Map, Value, json};

use super::create::kind;
use super::delegate::Delegate;
use super::hook::{call_hook, failed};
use super::speaker::{AssistantSpeaker, Within};
use super::tools::Answered;

/// What `Next` makes of a turn.
#[derive(Debug, PartialEq)]
pub(super) enum Decision {
    /// What the model said stays.
    Keep,
    /// This is said in its place.
    Say(String),
    /// Another agent goes on.
    Delegate(Delegate),
}

impl Decision {
    /// Reads what `Next` returned, and says what of it nobody reads.
    pub(super) fn read(value: Value, warnings: &mut Vec<String>) -> Result<Self, String> {
        let mut members = match value {
            Value::Null => return Ok(Self::Keep),
            Value::Object(members) => members,
            other => {
                let kind = kind(&other);
                return Err(format!(
                    "it returned {kind}, expected null or an object with `data` or `delegate`"
                ));
            }
        };
        let delegate = members
            .remove("delegate")
            .filter(|delegate| !delegate.is_null());
        let data = members.remove("data").filter(|data| !data.is_null());
        members.remove("metadata");
        for name in members.keys() {
            let message = format!("`Next` returned `{name}`, which nobody reads");
            let meant = did_you_mean(name, ["data", "delegate", "metadata"]);
            warnings.push(match meant {
                Some(meant) => format!("{message}: did you mean `{meant}`?"),
                None => message,
            });
        }
        match (delegate, data) {
            (Some(delegate), data) => {
                if data.is_some() {
                    let why = "`Next` returned `data` and `delegate`: another agent goes on, and nobody reads `data`";
                    warnings.push(why.to_owned());
                }
                Delegate::read(delegate).map(Self::Delegate)
            }
            (None, Some(Value::String(text))) => Ok(Self::Say(text)),
            (None, Some(data)) => Ok(Self::Say(text_form(&data))),
            (None, None) => Ok(Self::Keep),
        }
    }
}

impl AssistantSpeaker {
    /// Lets `Next` decide what becomes of a turn.
    pub(super) async fn next(
        &self,
        hooks: &Hooks,
        payload: Value,
        context: &Value,
        turn: &mut Turn,
        within: Within<'_>,
    ) -> Result<Decision, Trouble> {
        let Some(next) = &hooks.next else {
            if !turn.tool_calls.is_empty() {
                turn.warnings.push(format!(
                    "what tools answer goes to the hook `Next`, which {} does not have, and not back to the model",
                    hooks.shown
                ));
            }
            return Ok(Decision::Keep);
        };
        if let TurnStatus::Broken(trouble) = &turn.status
            && is_final(trouble)
        {
            return Ok(Decision::Keep);
        }
        let arguments = vec![Argument::Context(context.clone()), Argument::Json(payload)];
        let warnings = &mut turn.warnings;
        let called = call_hook(&self.calls, next, arguments, within.course, warnings);
        let value = called.await?;
        let decision = Decision::read(value, &mut turn.warnings);
        let decision = decision.map_err(|why| failed(next, &why))?;
        turn.timing.total_us = within.course.elapsed_us();
        if decision != Decision::Keep {
            let error = match &turn.status {
                TurnStatus::Finished => None,
                TurnStatus::RunError { message, .. } => Some(message),
                TurnStatus::Broken(trouble) => Some(&trouble.message),
            };
            if let Some(error) = error {
                let warning = format!("the model failed, and the hook `Next` answered: {error}");
                turn.warnings.push(warning);
            }
            turn.status = TurnStatus::Finished;
        }
        Ok(decision)
    }
}

/// Tells whether nothing can be made of a turn: there is no time left, or it will be sent again.
fn is_final(trouble: &Trouble) -> bool {
    let is_busy = trouble
        .refusal
        .is_some_and(|refusal| matches!(refusal.status, 429 | 503));
    is_busy || matches!(trouble.kind, TroubleKind::Timeout | TroubleKind::Cancelled)
}

/// Returns what `Next` gets beside its `ctx`: what the model was sent, what it said, and what came of its calls.
pub(super) fn payload(messages: Vec<Value>, turn: Option<&Turn>, answered: &[Answered]) -> Value {
    let tools = answered.iter().map(Answered::told);
    let mut payload = Map::from_iter([
        ("messages".to_owned(), Value::Array(messages)),
        (
            "completion".to_owned(),
            turn.map_or(Value::Null, completion),
        ),
        ("tools".to_owned(), tools.collect()),
    ]);
    let error = turn.and_then(|turn| match &turn.status {
        TurnStatus::Finished => None,
        TurnStatus::RunError { message, .. } => Some(message),
        TurnStatus::Broken(trouble) => Some(&trouble.message),
    });
    if let Some(error) = error {
        payload.insert("error".to_owned(), error.as_str().into());
    }
    Value::Object(payload)
}

fn completion(turn: &Turn) -> Value {
    let messages = turn.messages.iter();
    let calls = messages.filter_map(|message| message["toolCalls"].as_array());
    let calls: Vec<&Value> = calls.flatten().collect();
    let mut completion = json!({"role": "assistant", "content": turn.text});
    if !calls.is_empty() {
        completion["tool_calls"] = json!(calls);
    }
    if !turn.reasoning.is_empty() {
        completion["reasoning_content"] = turn.reasoning.as_str().into();
    }
    if let Some(usage) = turn.usage.last() {
        completion["usage"] = usage.clone();
    }
    completion
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_beside_a_delegate_is_told() {
        let mut warnings = Vec::new();
        let both = json!({"data": 1, "delegate": {"agent_id": "desk", "messages": []}});
        let read = Decision::read(both, &mut warnings);
        assert!(matches!(read, Ok(Decision::Delegate(_))), "{read:?}");
        assert_eq!(
            warnings,
            [
                "`Next` returned `data` and `delegate`: another agent goes on, and nobody reads `data`"
            ]
        );
    }
}
