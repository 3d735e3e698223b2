//! Answers what scripts ask of the world while a run goes on.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ananke_assert::{Pattern, at_path};
use ananke_model::agent::Opinion;
use ananke_model::recording::Turn;
use ananke_model::script::{FailureKind, ScriptFailure, ScriptLog};
use ananke_script::{AgentCall, Fetched, Host, Judged, Request, Verdict};
use serde_json::Value;

use super::{fetch, processes, stream};
use crate::opinions;
use crate::session::shown_time;
use crate::world::World;

/// How many agents that are scripts may wait for each other.
const MAX_DEPTH: usize = 8;
/// What is said when they are more.
pub(super) const TOO_DEEP: &str = "agents that are scripts call each other more than 8 deep";
/// What a script is told when its time was over before an agent had answered.
const LATE: &str = "no answer in the time that is left";
/// How much earlier an agent may give up than the script that waits for it.
const ALMOST: Duration = Duration::from_millis(50);

/// What test functions asked agents, by the function that asked.
#[derive(Debug, Default)]
pub(crate) struct Asked(Mutex<Asking>);

#[derive(Debug, Default)]
struct Asking {
    /// The function that runs; none before the first.
    running: String,
    by: HashMap<String, Said>,
}

/// What agents said to one function.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) turns: Vec<Turn>,
    pub(crate) opinions: Vec<Opinion>,
    /// What the agents logged that are scripts themselves.
    pub(crate) logs: Vec<ScriptLog>,
}

impl Asked {
    fn begins(&self, function: &str) {
        let mut asking = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        function.clone_into(&mut asking.running);
    }

    fn keep(&self, add: impl FnOnce(&mut Said)) {
        let mut asking = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let running = asking.running.clone();
        add(asking.by.entry(running).or_default());
    }

    /// Takes out what agents said to a function; what was said before any of them began goes with the first.
    pub(crate) fn take(&self, function: &str) -> Said {
        let mut asking = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if asking.by.is_empty() {
            return Said::default();
        }
        let mut said = asking.by.remove("").unwrap_or_default();
        let own = asking.by.remove(function).unwrap_or_default();
        said.turns.extend(own.turns);
        said.opinions.extend(own.opinions);
        said.logs.extend(own.logs);
        said
    }
}

/// Whoever answers the scripts of a run.
#[derive(Debug)]
pub(crate) struct RunHost {
    world: Arc<World>,
    /// How many agents that are scripts wait for this one.
    depth: usize,
    /// What is asked, where that is recorded: by test functions.
    pub(crate) asked: Option<Asked>,
    /// The agent that had not answered when the time of the script was over.
    late: Mutex<Option<String>>,
}

impl RunHost {
    /// Returns a host for what is called beside a test.
    pub(crate) fn new(world: &Arc<World>, depth: usize) -> Self {
        Self {
            world: Arc::clone(world),
            depth,
            asked: None,
            late: Mutex::default(),
        }
    }

    /// Returns a host that records what test functions ask.
    pub(crate) fn recording(world: &Arc<World>) -> Self {
        Self {
            asked: Some(Asked::default()),
            ..Self::new(world, 0)
        }
    }

    /// Puts the limit of a function in the place of what it was told when its time was over while an agent answered.
    pub(crate) fn tell_late(&self, failure: &mut ScriptFailure, limit: Duration) {
        let late = self.late.lock().unwrap_or_else(PoisonError::into_inner);
        let late = late.as_ref().filter(|_| failure.message.contains(LATE));
        if let Some(agent) = late {
            failure.kind = FailureKind::Timeout;
            failure.message = format!(
                "timeout after {}: the agent `{agent}` had not answered",
                shown_time(limit)
            );
        }
    }

    /// Waits for an answer on the script's own thread.
    fn wait<T>(&self, answer: impl Future<Output = Result<T, String>>) -> Result<T, String> {
        let Some(handle) = &self.world.handle else {
            return Err("nobody can be reached from here".to_owned());
        };
        handle.block_on(async {
            tokio::select! {
                answer = answer => answer,
                () = self.world.cancel.cancelled() => Err("interrupted".to_owned()),
            }
        })
    }
}

impl Host for RunHost {
    fn begins(&self, function: &str) {
        if let Some(asked) = &self.asked {
            asked.begins(function);
        }
    }

    fn stream(&self, call: AgentCall) -> Result<Value, String> {
        if self.depth >= MAX_DEPTH {
            return Err(TOO_DEEP.to_owned());
        }
        let since = Instant::now();
        let answered = self.wait(async {
            let turn = stream::turn(&self.world, &call, self.depth + 1);
            match tokio::time::timeout(call.timeout, turn).await {
                Ok(turn) => turn,
                Err(_) => Err(LATE.to_owned()),
            }
        });
        let answer = match answered {
            Ok((turn, logs)) => {
                let answer = stream::answer(&turn);
                if let Some(asked) = &self.asked {
                    asked.keep(|said| {
                        said.turns.push(turn);
                        said.logs.extend(logs);
                    });
                }
                answer
            }
            Err(why) => Err(why),
        };
        if answer.is_err() && since.elapsed() + ALMOST >= call.timeout {
            let mut late = self.late.lock().unwrap_or_else(PoisonError::into_inner);
            *late = Some(call.agent);
            return Err(LATE.to_owned());
        }
        answer
    }

    fn judge(&self, question: Judged) -> Result<Verdict, String> {
        let judged = Box::pin(opinions::judged(&self.world, &question));
        let opinion = self.wait(async { Ok(judged.await) })?;
        let sample = opinion.samples.first().cloned();
        if let Some(asked) = &self.asked {
            asked.keep(|said| said.opinions.push(opinion));
        }
        let sample = sample.ok_or_else(|| "it was not asked".to_owned())?;
        match sample.passed {
            Some(passed) => Ok(Verdict {
                passed,
                reason: sample.reason,
            }),
            None => Err(sample.reason),
        }
    }

    fn script(&self, process: &str) -> Option<Result<(PathBuf, String), String>> {
        processes::find(&self.world.plan.scripts.root, process)
    }

    fn fetch(
        &self,
        request: Request,
        done: Box<dyn FnOnce(Result<Fetched, String>) + Send + 'static>,
    ) {
        let Some(handle) = &self.world.handle else {
            return done(Err("nobody can be reached from here".to_owned()));
        };
        let world = Arc::clone(&self.world);
        handle.spawn(async move {
            let fetched = tokio::select! {
                fetched = fetch::fetch(&world, request) => fetched,
                () = world.cancel.cancelled() => Err("interrupted".to_owned()),
            };
            done(fetched);
        });
    }

    fn env(&self, name: &str) -> Option<String> {
        let is_granted = |granted: &String| granted == name;
        let granted = self.world.plan.scripts.grants.env.iter().any(is_granted);
        let environment = &self.world.variables.environment;
        environment.get(name).filter(|_| granted).cloned()
    }

    fn matches(&self, pattern: &str, text: &str) -> Result<bool, String> {
        matches(pattern, text)
    }

    fn json_path(&self, value: &Value, path: &str) -> Result<Option<Value>, String> {
        at_path(value, path)
    }
}

/// Tells whether a pattern is found in a text.
pub(super) fn matches(pattern: &str, text: &str) -> Result<bool, String> {
    let pattern = Pattern::compile(pattern).map_err(|error| error.to_string())?;
    pattern.is_match(text).map_err(|error| error.to_string())
}
