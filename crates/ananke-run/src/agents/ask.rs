//! One question to a helper agent: a message in a conversation of its own, and the text that comes back.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ananke_model::case::Identity;
use ananke_model::plan::Target;
use ananke_model::recording::{TroubleKind, Turn, TurnStatus};
use ananke_model::script::Scripts;
use ananke_model::variables::Variables;
use ananke_protocol::agui::Action;
use ananke_protocol::http::Proxies;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::redact::{Redactor, secrets_of_target};
use crate::session::{Backoff, Decision, refusal};
use crate::speakers::{Bounds, Call, Means, Speaker};
use crate::world::{Alone, World};

/// A question to a helper agent of the plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'a> {
    /// What is asked; sent as its compact JSON, in one user message.
    pub(crate) message: &'a Value,
    /// What goes beside it, `test_mode` included.
    pub(crate) metadata: &'a Map<String, Value>,
    /// How long the answer may take.
    pub(crate) timeout: Duration,
}

/// A question to an agent outside of a run.
#[derive(Clone, Copy, Debug)]
pub struct AskOptions<'a> {
    /// What is asked; sent as its compact JSON, in one user message.
    pub message: &'a Value,
    /// What goes beside it, `test_mode` included.
    pub metadata: &'a Map<String, Value>,
    /// How long the answer may take.
    pub timeout: Duration,
    /// `--var` and the environment.
    pub variables: &'a Variables,
    /// Proxies, from the environment.
    pub proxies: &'a Proxies,
    /// The folder of the config file.
    pub root: &'a Path,
    /// Who asks, if that is known.
    pub identity: Option<&'a Identity>,
    /// Hides secrets in what goes wrong.
    pub redactor: &'a Redactor,
    /// Now, in Unix milliseconds.
    pub unix_ms: i64,
    /// Stops the question when the user stops the command.
    pub cancel: &'a CancellationToken,
    /// What scripts may do and reach, if the agent is one, or is made of some.
    pub scripts: &'a Scripts,
}

impl AskOptions<'_> {
    /// Returns what the agent reaches.
    pub(super) fn world(&self) -> Arc<World> {
        World::alone(Alone {
            variables: self.variables,
            proxies: self.proxies,
            root: self.root,
            identity: self.identity,
            scripts: Some(self.scripts),
            redactor: self.redactor.clone(),
            cancel: self.cancel.clone(),
        })
    }
}

/// What a helper said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its words.
    pub text: String,
    /// Its last message: what it says once it has called its last tool.
    pub last: String,
    /// How long it took.
    pub duration_us: u64,
}

/// Why a helper has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct AskError {
    /// What kind of reason.
    pub kind: AskErrorKind,
    /// The reason as a fragment; secrets are hidden in it.
    pub message: String,
}

/// Kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskErrorKind {
    /// Nothing was ever received.
    Unreachable,
    /// It took too long.
    Timeout,
    /// It failed, or broke off.
    Failed,
    /// It waits for something that nobody gives it: it ended with an interrupt, or with a call that nobody answers.
    Unfinished,
}

/// Asks the helper of the plan that has this id.
pub(crate) async fn ask(world: &Arc<World>, agent: &str, ask: Ask<'_>) -> Result<Answer, AskError> {
    let target = world.agent(agent).map_err(failed)?;
    let means = world.means(&world.variables);
    let bounds = Bounds {
        timeout: ask.timeout,
        whole: ask.timeout,
        unix_ms: (world.unix_ms)(),
        cancel: &world.cancel,
    };
    let question = Question {
        target,
        call: Call::of_question(ask.metadata, world.plan.identity.as_ref()),
        message: ask.message,
        backoff: world.backoff,
    };
    // Waiting for others is no part of the time that an answer takes.
    let _turnstile = tokio::select! {
        turnstile = world.helpers.enter(agent, target) => turnstile,
        () = world.cancel.cancelled() => return Err(failed("interrupted".to_owned())),
    };
    let answer = question.ask(&means, bounds).await;
    answer.map_err(|error| hidden(error, &world.redactor))
}

/// Asks an agent outside of a run.
pub async fn ask_agent(target: &Target, ask: AskOptions<'_>) -> Result<Answer, AskError> {
    ask.redactor.add(&secrets_of_target(target, ask.variables));
    let world = ask.world();
    let means = world.means(ask.variables);
    let bounds = Bounds {
        timeout: ask.timeout,
        whole: ask.timeout,
        unix_ms: ask.unix_ms,
        cancel: ask.cancel,
    };
    let question = Question {
        target,
        call: Call::of_question(ask.metadata, ask.identity),
        message: ask.message,
        backoff: None,
    };
    let answer = question.ask(&means, bounds).await;
    answer.map_err(|error| {
        let mut error = hidden(error, ask.redactor);
        let is_own = bounded(target, ask.timeout) < ask.timeout;
        if error.kind == AskErrorKind::Timeout && !is_own {
            let message = error.message.replacen("(timeout_ms)", "(--timeout)", 1);
            error.message = message;
        }
        error
    })
}

/// A question that can be sent again.
struct Question<'a> {
    target: &'a Target,
    call: Call,
    message: &'a Value,
    /// How long to wait for a busy agent, where its target does not say.
    backoff: Option<Duration>,
}

impl Question<'_> {
    async fn ask(&self, means: &Means<'_>, bounds: Bounds<'_>) -> Result<Answer, AskError> {
        let speaker = Speaker::new(self.target, means, &self.call).map_err(failed)?;
        let bounds = Bounds {
            timeout: bounded(self.target, bounds.timeout),
            ..bounds
        };
        let answer = self.ask_speaker(&speaker, bounds).await;
        // What a helper leaves behind is nobody's news.
        speaker.close().await;
        answer
    }

    async fn ask_speaker(&self, speaker: &Speaker, bounds: Bounds<'_>) -> Result<Answer, AskError> {
        let own = self.target.backoff_ms.map(Duration::from_millis);
        let mut backoff = Backoff::new(own.or(self.backoff));
        loop {
            let mut conversation = speaker.conversation();
            let action = Action::User(self.message.to_string());
            let turn = speaker.turn(action, &mut conversation, bounds).await;
            match refusal(&turn).map(|refusal| backoff.refused(refusal)) {
                None => return read(turn),
                Some(Decision::Wait(wait)) => tokio::select! {
                    // The turn then ends as interrupted.
                    () = bounds.cancel.cancelled() => {}
                    () = tokio::time::sleep(wait) => {}
                },
                Some(Decision::GiveUp(why)) => {
                    return read(turn).map_err(|error| AskError {
                        message: format!("{}; {why}", error.message),
                        ..error
                    });
                }
            }
        }
    }
}

/// Returns what was said, or why nothing was.
fn read(turn: Turn) -> Result<Answer, AskError> {
    match turn.status {
        TurnStatus::Finished => {
            let last = last_message(&turn).map_err(|why| AskError {
                kind: AskErrorKind::Unfinished,
                message: format!("the agent did not finish: {why}"),
            })?;
            Ok(Answer {
                last,
                text: turn.text,
                duration_us: turn.timing.total_us,
            })
        }
        TurnStatus::RunError { message, code } => {
            let code = code.map_or_else(String::new, |code| format!(" ({code})"));
            Err(failed(format!(
                "the agent ended with an error: {message}{code}"
            )))
        }
        TurnStatus::Broken(trouble) => {
            let kind = match trouble.kind {
                TroubleKind::Unreachable => AskErrorKind::Unreachable,
                TroubleKind::Timeout => AskErrorKind::Timeout,
                _ => AskErrorKind::Failed,
            };
            let message = trouble.message;
            Err(AskError { kind, message })
        }
    }
}

/// Returns the text of the last message, or what the agent waits for.
fn last_message(turn: &Turn) -> Result<String, String> {
    if !turn.interrupts.is_empty() {
        return Err("it ended with an interrupt".to_owned());
    }
    let mut spoken = turn.messages.iter().rev();
    let Some(last) = spoken.find(|message| matches!(role(message), "assistant" | "tool")) else {
        // What it said is no part of the conversation.
        return Ok(turn.text.clone());
    };
    if role(last) == "tool" {
        return Ok(String::new());
    }
    let calls = last["toolCalls"].as_array().into_iter().flatten();
    let mut calls = calls.filter_map(|call| call["id"].as_str());
    let open = calls.find_map(|id| {
        let mut made = turn.tool_calls.iter();
        made.find(|made| made.id == id && made.result.is_none() && made.error.is_none())
    });
    if let Some(open) = open {
        return Err(format!("nobody answered its call of `{}`", open.name));
    }
    Ok(match &last["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part["text"].as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    })
}

fn role(message: &Value) -> &str {
    message["role"].as_str().unwrap_or_default()
}

/// Returns how long a question may take: no longer than the agent's own `timeout_ms`, if that is written.
pub(crate) fn bounded(target: &Target, timeout: Duration) -> Duration {
    let own = target.own_timeout_ms.map(Duration::from_millis);
    own.map_or(timeout, |own| own.min(timeout))
}

pub(super) fn failed(message: String) -> AskError {
    AskError {
        kind: AskErrorKind::Failed,
        message,
    }
}

pub(super) fn hidden(error: AskError, redactor: &Redactor) -> AskError {
    AskError {
        message: redactor.text(&error.message).into_owned(),
        ..error
    }
}
