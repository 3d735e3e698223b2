//! Speaks to a program: one JSON object on its stdin, one JSON value on its stdout, for every turn.

use std::path::PathBuf;
use std::sync::Arc;

use ananke_model::plan::{CommandTarget, Limits};
use ananke_model::recording::{Trouble, TroubleKind, Turn};
use ananke_protocol::agui::{Action, Conversation, Told, ToldTurn};
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::answer::{Said, events};
use super::{Bounds, Call, Means};
use crate::ids::new_id;
use crate::process::{Launch, Program, ProgramFailure, Within, names, run_program};
use crate::session::Resolver;

/// A program, ready to be started.
#[derive(Debug)]
pub(crate) struct CommandSpeaker {
    /// Program and arguments.
    cmd: Vec<String>,
    env: Vec<(String, String)>,
    root: PathBuf,
    limits: Limits,
    thread_id: String,
    told: Object,
    is_question: bool,
}

/// Members of what the program gets that no turn changes: `options` and `context`.
pub(super) type Object = Map<String, Value>;

impl CommandSpeaker {
    /// Resolves a target.
    pub(crate) fn new(
        command: &CommandTarget,
        connector: Option<&str>,
        means: &Means<'_>,
        call: &Call,
    ) -> Result<Self, String> {
        let mut resolver = Resolver::new(means.variables);
        let cmd = command.cmd.iter().map(|word| resolver.text(word));
        let cmd: Vec<String> = cmd.collect();
        let env = command.env.iter();
        let env: Vec<(String, String)> = env
            .map(|(name, value)| (name.clone(), resolver.text(value)))
            .collect();
        resolver.finish()?;
        if cmd.first().is_none_or(|program| program.trim().is_empty()) {
            return Err("`cmd` names no program".to_owned());
        }
        // A NUL cannot be passed to a program.
        let has_nul = |text: &String| text.contains('\0');
        if cmd
            .iter()
            .chain(env.iter().map(|(_, value)| value))
            .any(has_nul)
        {
            return Err("`cmd` and `env` must not hold NUL characters".to_owned());
        }
        Ok(Self {
            cmd,
            env,
            root: means.root.to_owned(),
            limits: command.limits,
            thread_id: new_id(),
            told: told(connector, call),
            is_question: call.is_question,
        })
    }

    /// Returns the program.
    pub(crate) fn program(&self) -> &str {
        self.cmd.first().map_or("", String::as_str)
    }

    pub(super) async fn turn(
        &self,
        action: Action,
        conversation: &mut Conversation,
        bounds: Bounds<'_>,
    ) -> Turn {
        let refused = refused(&action, "a program");
        let turn = ToldTurn::begin(action, conversation, &mut new_id);
        let run_id = new_id();
        let request = request(
            conversation,
            turn.user(),
            (&self.thread_id, &run_id),
            &self.told,
        );
        let started = Instant::now();
        let outcome = match refused {
            Some(refused) => Outcome::refused(refused),
            None => self.ask(&request, bounds).await,
        };
        let total_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        let said = outcome.said.as_ref().ok();
        let events = said.map_or_else(Vec::new, |said| events(said, &self.thread_id, &run_id));
        let told = Told {
            request,
            reached: outcome.reached,
            events: &events,
            run: outcome.said.map(|_| ()),
            warnings: outcome.warnings,
            unix_ms: bounds.unix_ms,
            total_us,
        };
        turn.end(told, conversation)
    }

    async fn ask(&self, request: &Value, bounds: Bounds<'_>) -> Outcome {
        let launch = Launch {
            cmd: &self.cmd,
            cwd: &self.root,
            env: self.env.clone(),
        };
        let within = Within {
            timeout: bounds.timeout,
            max_stdout: self.limits.turn_bytes,
            cancel: bounds.cancel,
        };
        let input = format!("{request}\n").into_bytes();
        let Program {
            answer,
            stderr,
            left,
        } = run_program(&launch, input, within).await;
        let mut warnings = Vec::new();
        if !left.is_empty() {
            let left = names(&left);
            warnings.push(format!(
                "the program left processes in the background, which were ended: {left}"
            ));
        }
        let reached = !matches!(answer, Err(ProgramFailure::Start(_)));
        let said = answer
            .map_err(|failure| self.failed(&failure, &stderr, bounds))
            .and_then(|stdout| {
                let said = Said::read(&stdout, self.is_question);
                said.map_err(|(kind, why)| trouble(kind, why))
            });
        if let Ok(said) = &said {
            warnings.extend(said.warnings.iter().cloned());
        } else {
            let lines = stderr.iter();
            warnings.extend(lines.map(|line| format!("stderr: {line}")));
        }
        Outcome {
            said,
            reached,
            warnings,
        }
    }

    fn failed(&self, failure: &ProgramFailure, stderr: &[String], bounds: Bounds<'_>) -> Trouble {
        let program = self.program();
        match failure {
            ProgramFailure::Start(error) => trouble(
                TroubleKind::Unreachable,
                format!("`{program}` cannot be started: {error}"),
            ),
            ProgramFailure::Exit(status) => {
                let last = stderr.last();
                let last = last.map_or_else(String::new, |line| format!(": {line}"));
                trouble(
                    TroubleKind::Transport,
                    format!("`{program}` failed: {status}{last}"),
                )
            }
            ProgramFailure::Flood => trouble(
                TroubleKind::Limit,
                format!(
                    "`{program}` printed more than {} bytes (limits.turn_bytes); it was killed",
                    self.limits.turn_bytes
                ),
            ),
            ProgramFailure::Timeout => trouble(
                TroubleKind::Timeout,
                format!(
                    "timeout after {}ms (timeout_ms): `{program}` had not ended, and was killed",
                    bounds.timeout.as_millis()
                ),
            ),
            ProgramFailure::Cancelled => trouble(TroubleKind::Cancelled, "interrupted"),
        }
    }
}

/// What came of a question.
struct Outcome {
    said: Result<Said, Trouble>,
    reached: bool,
    warnings: Vec<String>,
}

impl Outcome {
    fn refused(trouble: Trouble) -> Self {
        Self {
            said: Err(trouble),
            reached: false,
            warnings: Vec::new(),
        }
    }
}

/// Says that a turn needs an agent of another kind than `who`, if it does.
pub(super) fn refused(action: &Action, who: &str) -> Option<Trouble> {
    let needed = action.needs()?;
    Some(trouble(
        TroubleKind::BadEvent,
        format!(
            "`{}` needs {needed}: {who} takes messages only",
            action.kind()
        ),
    ))
}

/// Returns what a program, or a function, gets for a turn of this thread and run; `told` is what no turn changes.
pub(super) fn request(
    conversation: &Conversation,
    user: Option<&str>,
    (thread_id, run_id): (&str, &str),
    told: &Object,
) -> Value {
    let messages = conversation.messages().iter().map(Arc::as_ref);
    let messages: Vec<&Value> = messages
        .filter(|message| message["role"] != "activity")
        .collect();
    let mut request = json!({
        "messages": messages,
        "input": user.unwrap_or_default(),
        "thread_id": thread_id,
        "run_id": run_id,
    });
    for (name, value) in told {
        request[name.as_str()] = value.clone();
    }
    request
}

/// Returns what a program is told beside the conversation: `options` and `context`.
pub(super) fn told(connector: Option<&str>, call: &Call) -> Object {
    let mut options = Map::from_iter([("metadata".to_owned(), call.metadata.clone().into())]);
    if let Some(connector) = connector {
        options.insert("connector".to_owned(), connector.into());
    }
    let context = match serde_json::to_value(&call.identity) {
        Ok(Value::Object(mut members)) => {
            // They are in `options` already.
            members.remove("metadata");
            members
        }
        _ => Map::new(),
    };
    Map::from_iter([
        ("options".to_owned(), options.into()),
        ("context".to_owned(), context.into()),
    ])
}

fn trouble(kind: TroubleKind, message: impl Into<String>) -> Trouble {
    Trouble {
        kind,
        message: message.into(),
        refusal: None,
    }
}
