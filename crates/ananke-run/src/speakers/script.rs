//! Speaks to a function of a script: it gets one object and answers with one value, for every turn.

use ananke_model::plan::{Limits, ScriptTarget, Target};
use ananke_model::recording::{Trouble, TroubleKind, Turn};
use ananke_model::script::{FailureKind, LogLevel, ScriptCall, ScriptFailure, ScriptLog};
use ananke_protocol::agui::{Action, Conversation, Told, ToldTurn};
use ananke_script::Argument;
use serde_json::{Map, Value};
use tokio::time::Instant;

use super::answer::{FUNCTION, Said, events};
use super::{Bounds, Call, Means, command};
use crate::ids::new_id;
use crate::script::{Calls, assistant_id, context_within};

/// How many lines of what the function logged are told if it fails.
const LOG_LINES: usize = 20;

/// A function, ready to be called.
#[derive(Debug)]
pub(crate) struct ScriptSpeaker {
    function: ScriptCall,
    calls: Calls,
    limits: Limits,
    thread_id: String,
    /// `options` and `context`, which no turn changes.
    told: Map<String, Value>,
    /// What `ctx` is made of.
    context: Value,
    is_question: bool,
}

impl ScriptSpeaker {
    pub(crate) fn new(
        script: &ScriptTarget,
        target: &Target,
        means: &Means<'_>,
        call: &Call,
    ) -> Self {
        let thread_id = call.thread_id.clone().unwrap_or_else(new_id);
        Self {
            function: script.call.clone(),
            calls: Calls::new(means.world, call.depth),
            limits: script.limits,
            told: command::told(target.connector.as_deref(), call),
            context: context_within(call, &thread_id, assistant_id(target)),
            thread_id,
            is_question: call.is_question,
        }
    }

    /// Returns what the function calls the conversation.
    pub(super) fn chat_id(&self) -> &str {
        &self.thread_id
    }

    /// Takes out what the function logged so far.
    pub(super) fn take_logs(&self) -> Vec<ScriptLog> {
        self.calls.logs.take()
    }

    /// Returns the function.
    pub(crate) fn function(&self) -> &ScriptCall {
        &self.function
    }

    pub(super) async fn turn(
        &self,
        action: Action,
        conversation: &mut Conversation,
        bounds: Bounds<'_>,
    ) -> Turn {
        let refused = command::refused(&action, "a script");
        let turn = ToldTurn::begin(action, conversation, &mut new_id);
        let run_id = new_id();
        let request = command::request(
            conversation,
            turn.user(),
            (&self.thread_id, &run_id),
            &self.told,
        );
        let started = Instant::now();
        let mut warnings = Vec::new();
        let said = match refused {
            Some(refused) => Err(refused),
            None => self.ask(&request, bounds, &mut warnings).await,
        };
        let total_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        let events = match &said {
            Ok(said) => events(said, &self.thread_id, &run_id),
            Err(_) => Vec::new(),
        };
        let told = Told {
            request,
            reached: true,
            events: &events,
            run: said.map(|_| ()),
            warnings,
            unix_ms: bounds.unix_ms,
            total_us,
        };
        turn.end(told, conversation)
    }

    async fn ask(
        &self,
        request: &Value,
        bounds: Bounds<'_>,
        warnings: &mut Vec<String>,
    ) -> Result<Said, Trouble> {
        let arguments = vec![
            Argument::Json(request.clone()),
            Argument::Context(self.context.clone()),
        ];
        let called = self
            .calls
            .answer(&self.function, arguments, bounds.timeout)
            .await;
        let said = called
            .result
            .map_err(|failure| self.failed(&failure, bounds))
            .and_then(|value| self.read(value));
        match &said {
            Ok(said) => warnings.extend(said.warnings.iter().cloned()),
            Err(_) => warnings.extend(told_logs(&called.logs)),
        }
        said
    }

    fn read(&self, value: Value) -> Result<Said, Trouble> {
        let n_bytes = value.to_string().len();
        if n_bytes > self.limits.turn_bytes {
            let max = self.limits.turn_bytes;
            let why = format!(
                "the function returned {n_bytes} bytes, more than {max} (limits.turn_bytes)"
            );
            return Err(trouble(TroubleKind::Limit, why));
        }
        Said::of_value(value, self.is_question, FUNCTION).map_err(|(kind, why)| trouble(kind, why))
    }

    fn failed(&self, failure: &ScriptFailure, bounds: Bounds<'_>) -> Trouble {
        let name = &self.function.reference;
        match failure.kind {
            FailureKind::Timeout => trouble(
                TroubleKind::Timeout,
                format!(
                    "timeout after {}ms (timeout_ms): `{name}` had not answered",
                    bounds.timeout.as_millis()
                ),
            ),
            FailureKind::Interrupted => trouble(TroubleKind::Cancelled, "interrupted"),
            _ => trouble(
                TroubleKind::Transport,
                format!("`{name}` failed: {}", crate::script::in_one_line(failure)),
            ),
        }
    }
}

/// Returns the last lines of what was logged.
pub(super) fn told_logs(logs: &[ScriptLog]) -> impl Iterator<Item = String> {
    let skipped = logs.len().saturating_sub(LOG_LINES);
    logs.iter().skip(skipped).map(|log| {
        let level = match log.level {
            LogLevel::Debug => "debug",
            LogLevel::Info => "log",
            LogLevel::Warn => "warn",
            LogLevel::Error => "error",
        };
        format!("{level}: {}", log.text)
    })
}

fn trouble(kind: TroubleKind, message: impl Into<String>) -> Trouble {
    Trouble {
        kind,
        message: message.into(),
        refusal: None,
    }
}
