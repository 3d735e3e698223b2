//! The script of an agent: rules that match a request, and the steps of the answer. Plain data.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::engine::{Clock, Framing};
use crate::input::RunInput;

/// What an agent says when no rule matches and the script has no `fallback`.
const DID_NOT_UNDERSTAND: &str = "I did not understand that.";

/// An agent's whole behavior. The first rule that matches a request answers it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The rules, in order.
    pub rules: Vec<Rule>,
    /// The answer when no rule matches.
    #[serde(default = "did_not_understand")]
    pub fallback: Vec<Step>,
    /// Whether events carry timestamps. They begin at a fixed moment and advance by the scripted delays only.
    #[serde(default)]
    pub timestamps: bool,
}

impl Script {
    /// Returns the steps of the first rule that matches and that `may_answer` lets through by its number, or of the
    /// fallback.
    pub(crate) fn answer(
        &self,
        input: &RunInput,
        may_answer: impl Fn(usize, &Rule) -> bool,
    ) -> (&[Step], Framing) {
        let mut rules = self.rules.iter().enumerate();
        let rule =
            rules.find(|(number, rule)| rule.when.matches(input) && may_answer(*number, rule));
        match rule {
            Some((_, rule)) if rule.bare => (&rule.reply, Framing::Bare),
            Some((_, rule)) => (&rule.reply, Framing::Run),
            None => (&self.fallback, Framing::Run),
        }
    }

    pub(crate) fn clock(&self) -> Clock {
        if self.timestamps {
            Clock::Scripted
        } else {
            Clock::Absent
        }
    }
}

fn did_not_understand() -> Vec<Step> {
    vec![Step::Text(DID_NOT_UNDERSTAND.to_owned())]
}

/// One answer, and when it is given.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// All conditions must hold; without any the rule matches everything.
    #[serde(default)]
    pub when: When,
    /// What is sent.
    pub reply: Vec<Step>,
    /// Sends the steps alone: no `RUN_STARTED` before them, no `RUN_FINISHED` after them.
    #[serde(default)]
    pub bare: bool,
    /// Answers only this many requests; later ones go to the rules below.
    #[serde(default)]
    pub times: Option<usize>,
    /// Answers only every so many-th of the requests that it could answer; the others go to the rules below.
    #[serde(default)]
    pub every: Option<usize>,
}

impl Rule {
    /// Tells whether it answers a request after so many others that it could answer.
    pub(crate) fn takes(&self, n_before: usize) -> bool {
        let every = self.every.unwrap_or(1).max(1);
        let is_due = (n_before + 1).is_multiple_of(every);
        is_due && self.times.is_none_or(|times| n_before / every < times)
    }

    /// Tells whether it matters how many requests it could answer so far.
    pub(crate) fn counts(&self) -> bool {
        self.times.is_some() || self.every.is_some()
    }
}

/// Conditions on a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// The user message has this fragment, in any case.
    pub user_contains: Option<String>,
    /// The user message is exactly this.
    pub user_equals: Option<String>,
    /// The history holds this many user messages.
    pub turn: Option<usize>,
    /// The newest message is, or is not, the answer to a tool call.
    pub has_tool_result: Option<bool>,
    /// Interrupts are, or are not, answered.
    pub has_resume: Option<bool>,
}

impl When {
    fn matches(&self, input: &RunInput) -> bool {
        let user = input.user_text();
        let user = user.as_deref();
        self.user_contains.as_ref().is_none_or(|fragment| {
            user.is_some_and(|user| user.to_lowercase().contains(&fragment.to_lowercase()))
        }) && self
            .user_equals
            .as_ref()
            .is_none_or(|whole| user == Some(whole))
            && self.turn.is_none_or(|turn| turn == input.n_user_messages())
            && self
                .has_tool_result
                .is_none_or(|has| has == input.ends_with_tool_result())
            && self.has_resume.is_none_or(|has| has == input.has_resume())
    }
}

/// One step of an answer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// An assistant message, one delta for each word.
    Text(String),
    /// An assistant message in the given deltas.
    TextDeltas(TextDeltas),
    /// An assistant message with a part of the request as JSON.
    Echo(Echo),
    /// A tool call, with its result if one is given.
    Tool(ToolStep),
    /// Calls that are all in progress before the first result comes.
    ParallelTools(Vec<ToolStep>),
    /// The result of a call of an earlier run.
    ToolResult(ToolResultStep),
    /// A snapshot of the state.
    State(Value),
    /// A JSON Patch of the state.
    StateDelta(Vec<Value>),
    /// A reasoning span with one message, one delta for each word.
    Reasoning(String),
    /// Steps inside `STEP_STARTED` and `STEP_FINISHED`.
    Step(NamedSteps),
    /// A custom event.
    Custom(CustomStep),
    /// Any event. The strings `$threadId` and `$runId` stand for the request's ids.
    Event(Value),
    /// Text of the event stream, sent as it is.
    Raw(String),
    /// A comment line.
    Comment(String),
    /// A pause.
    DelayMs(u64),
    /// `RUN_ERROR`.
    Error(ErrorStep),
    /// `RUN_FINISHED` with one interrupt.
    Interrupt(InterruptStep),
    /// `RUN_FINISHED` with options.
    Finish(FinishStep),
    /// An HTTP response instead of a stream. Only delays can come before it.
    Http(HttpStep),
    /// The body ends here, cleanly.
    Truncate,
    /// The connection is reset here.
    Reset,
    /// The connection stays open and silent from here on.
    Stall,
}

/// A part of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Echo {
    /// Every message.
    Messages,
    /// The newest message.
    LastMessage,
    /// `forwardedProps`.
    ForwardedProps,
    /// `context`.
    Context,
    /// `state`.
    State,
}

/// A message in given deltas.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextDeltas {
    /// The deltas.
    pub deltas: Vec<String>,
    /// A pause before each of them.
    #[serde(default)]
    pub every_ms: u64,
}

/// A tool call. Without `result` and `error` it is left for the client to answer.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolStep {
    /// The tool.
    pub name: String,
    /// Its arguments; a string is sent as it is, so that it need not be JSON.
    #[serde(default = "no_args")]
    pub args: Value,
    /// The call's id, if it is to be fixed.
    #[serde(default)]
    pub id: Option<String>,
    /// The result; a string is sent as it is, anything else as JSON text.
    #[serde(default)]
    pub result: Option<Value>,
    /// A failure, sent as the result `{"error": …}`.
    #[serde(default)]
    pub error: Option<String>,
    /// How long the tool takes.
    #[serde(default)]
    pub delay_ms: u64,
}

fn no_args() -> Value {
    Value::Object(serde_json::Map::new())
}

/// The result of a call of an earlier run.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolResultStep {
    /// The call.
    pub tool_call_id: String,
    /// The result; a string is sent as it is, anything else as JSON text.
    pub result: Value,
}

/// Steps under a name.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedSteps {
    /// The name of the step.
    pub name: String,
    /// What happens in it.
    pub reply: Vec<Step>,
}

/// A custom event.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomStep {
    /// Its name.
    pub name: String,
    /// Its value.
    #[serde(default)]
    pub value: Value,
}

/// The failure of a run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorStep {
    /// What went wrong.
    pub message: String,
    /// A code for it.
    #[serde(default)]
    pub code: Option<String>,
}

/// A question that ends the run.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterruptStep {
    /// Its id, if it is to be fixed.
    #[serde(default)]
    pub id: Option<String>,
    /// Why the run stops.
    pub reason: String,
    /// What the user is asked.
    #[serde(default)]
    pub message: Option<String>,
    /// The tool whose newest call in this run waits for the answer.
    #[serde(default)]
    pub tool: Option<String>,
    /// A JSON Schema of the answer.
    #[serde(default)]
    pub response_schema: Option<Value>,
    /// Until when an answer is accepted.
    #[serde(default)]
    pub expires_at: Option<String>,
}

/// How a run finishes.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FinishStep {
    /// The result of the run.
    #[serde(default)]
    pub result: Option<Value>,
    /// The outcome, instead of success.
    #[serde(default)]
    pub outcome: Option<Value>,
    /// Token usage.
    #[serde(default)]
    pub usage: Option<Value>,
}

/// An HTTP response.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpStep {
    /// The status.
    pub status: u16,
    /// Headers.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The body; a string is sent as it is, anything else as JSON.
    #[serde(default)]
    pub body: Value,
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::Script;

    fn mistake(script: &str) -> String {
        serde_json::from_str::<Script>(script)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn mistakes_are_refused() {
        assert_snapshot!(mistake(r#"{"rules": [{"when": {"user_contain": "x"}, "reply": []}]}"#), @"unknown field `user_contain`, expected one of `user_contains`, `user_equals`, `turn`, `has_tool_result`, `has_resume` at line 1 column 35");
        assert_snapshot!(mistake(r#"{"rules": [{"reply": [{"txt": "x"}]}]}"#), @"unknown variant `txt`, expected one of `text`, `text_deltas`, `echo`, `tool`, `parallel_tools`, `tool_result`, `state`, `state_delta`, `reasoning`, `step`, `custom`, `event`, `raw`, `comment`, `delay_ms`, `error`, `interrupt`, `finish`, `http`, `truncate`, `reset`, `stall` at line 1 column 28");
        assert_snapshot!(mistake(r#"{"rules": [{"reply": [{"echo": "user"}]}]}"#), @"unknown variant `user`, expected one of `messages`, `last_message`, `forwarded_props`, `context`, `state` at line 1 column 37");
        assert_snapshot!(mistake(r#"{"rules": [{"reply": [{"tool": {"args": {}}}]}]}"#), @"missing field `name` at line 1 column 43");
    }
}
