//! Tools that scripts and servers answer.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ananke_model::assistant::{ScriptTool, ToolArgument};
use ananke_model::diagnostic::did_you_mean;
use ananke_model::recording::{ToolCall, Turn};
use ananke_model::script::FailureKind;
use ananke_protocol::openai::{Answering, ToolAnswer, ToolAnswers};
use ananke_script::Argument;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::schema::mistakes;
use super::servers::{Called, Servers};
use crate::script::{Calls, in_one_line};
use crate::speakers::Bounds;

/// The tools of one turn.
#[derive(Debug)]
pub(super) struct Tools<'t> {
    pub(super) offered: Vec<&'t ScriptTool>,
    pub(super) calls: &'t Calls,
    /// Those that answer themselves.
    pub(super) servers: &'t Servers,
    pub(super) bounds: Bounds<'t>,
    /// What `ctx` is made of.
    pub(super) context: Value,
    /// How often answers go back to the model.
    pub(super) max_rounds: usize,
    /// What was answered so far.
    answered: Mutex<Vec<Answered>>,
    /// The tool that has not returned yet.
    running: Mutex<Option<String>>,
}

/// A call that was answered.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    id: String,
    server: String,
    tool: String,
    arguments: Value,
    answer: ToolAnswer,
}

impl Answered {
    /// Returns it as the hook `Next` sees it.
    pub(super) fn told(&self) -> Value {
        let mut told = json!({
            "toolcall_id": self.id,
            "server": self.server,
            "tool": self.tool,
            "arguments": self.arguments,
        });
        match &self.answer {
            Ok(result) => told["result"] = result.clone(),
            Err(why) => told["error"] = why.as_str().into(),
        }
        told
    }
}

impl<'t> Tools<'t> {
    pub(super) fn new(
        offered: Vec<&'t ScriptTool>,
        (calls, servers): (&'t Calls, &'t Servers),
        context: Value,
        max_rounds: usize,
        bounds: Bounds<'t>,
    ) -> Self {
        Self {
            offered,
            calls,
            servers,
            bounds,
            context,
            max_rounds,
            answered: Mutex::default(),
            running: Mutex::default(),
        }
    }

    /// Returns what was answered, in order.
    pub(super) fn answered(&self) -> Vec<Answered> {
        let answered = self.answered.lock();
        answered.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the tool that has not returned.
    pub(super) fn unfinished(&self) -> Option<String> {
        self.running().clone()
    }

    /// Gives the calls of a turn the names that tools have at their servers, where that says which one is meant.
    pub(super) fn rename(&self, turn: &mut Turn) {
        for call in &mut turn.tool_calls {
            let mut offered = self.offered.iter();
            let tool = offered.find(|tool| tool.offered_name == call.name);
            let Some(tool) = tool else { continue };
            let n_alike = self.offered.iter().filter(|other| other.name == tool.name);
            if n_alike.count() == 1 {
                call.name.clone_from(&tool.name);
            }
        }
    }

    async fn one(&self, call: &ToolCall, left: Duration) -> ToolAnswer {
        let tool = self
            .offered
            .iter()
            .find(|tool| tool.offered_name == call.name);
        let (arguments, answer) = match tool {
            None => (Value::Null, Err(self.no_tool(&call.name))),
            Some(tool) => match arguments(&call.args_text, tool) {
                Ok(arguments) => {
                    let answer = self.run(tool, &arguments, left).await;
                    (arguments, answer)
                }
                Err(why) => (call.args_text.as_str().into(), Err(why)),
            },
        };
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        answered.push(Answered {
            id: call.id.clone(),
            server: tool.map(|tool| tool.server.clone()).unwrap_or_default(),
            tool: tool.map_or_else(|| call.name.clone(), |tool| tool.name.clone()),
            arguments,
            answer: answer.clone(),
        });
        answer
    }

    async fn run(&self, tool: &ScriptTool, arguments: &Value, left: Duration) -> ToolAnswer {
        let Some(call) = &tool.call else {
            return Box::pin(self.run_on_server(tool, arguments, left)).await;
        };
        let mut all: Vec<Argument> = match &tool.arguments {
            None => vec![Argument::Json(arguments.clone())],
            Some(wanted) => {
                let wanted = wanted.iter().map(|one| value_of(one, arguments));
                wanted.map(Argument::Json).collect()
            }
        };
        all.push(Argument::Context(self.context.clone()));
        *self.running() = Some(tool.name.clone());
        let called = self.calls.answer(call, all, left).await;
        match called.result {
            // The turn ends at the same moment: nobody is left who could be told.
            Err(failure)
                if matches!(
                    failure.kind,
                    FailureKind::Timeout | FailureKind::Interrupted
                ) =>
            {
                std::future::pending().await
            }
            result => {
                *self.running() = None;
                result.map_err(|failure| in_one_line(&failure))
            }
        }
    }

    async fn run_on_server(
        &self,
        tool: &ScriptTool,
        arguments: &Value,
        left: Duration,
    ) -> ToolAnswer {
        let bounds = Bounds {
            timeout: left,
            whole: left,
            ..self.bounds
        };
        *self.running() = Some(tool.name.clone());
        match self.servers.call(tool, arguments, bounds).await {
            // As above.
            Called::Late => std::future::pending().await,
            Called::Answer(answer) => {
                *self.running() = None;
                answer
            }
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<String>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn no_tool(&self, name: &str) -> String {
        let known = self.offered.iter().map(|tool| tool.offered_name.as_str());
        match did_you_mean(name, known) {
            Some(meant) => format!("there is no tool `{name}`: did you mean `{meant}`?"),
            None => format!("there is no tool `{name}`"),
        }
    }
}

impl ToolAnswers for Tools<'_> {
    fn answer<'a>(&'a self, calls: Vec<&'a ToolCall>, left: Duration) -> Answering<'a> {
        let until = Instant::now() + left;
        Box::pin(async move {
            let mut answers = Vec::with_capacity(calls.len());
            for call in calls {
                let left = until.saturating_duration_since(Instant::now());
                answers.push(self.one(call, left).await);
            }
            answers
        })
    }

    fn max_rounds(&self) -> usize {
        self.max_rounds
    }
}

/// Reads the arguments of a call; says what is wrong with them.
fn arguments(text: &str, tool: &ScriptTool) -> Result<Value, String> {
    let text = match text.trim() {
        "" => "{}",
        text => text,
    };
    let arguments: Value = serde_json::from_str(text)
        .map_err(|error| format!("the arguments of `{}` are not JSON: {error}", tool.name))?;
    match mistakes(&arguments, &tool.input).as_slice() {
        [] => Ok(arguments),
        wrong => Err(format!(
            "the arguments of `{}` are wrong: {}",
            tool.name,
            wrong.join("; ")
        )),
    }
}

fn value_of(argument: &ToolArgument, arguments: &Value) -> Value {
    match argument {
        ToolArgument::All => arguments.clone(),
        ToolArgument::Constant(value) => value.clone(),
        ToolArgument::Member(path) => {
            let mut at = Some(arguments);
            for name in path {
                at = at.and_then(|value| match value {
                    Value::Array(items) => items.get(name.parse::<usize>().ok()?),
                    value => value.get(name),
                });
            }
            at.cloned().unwrap_or_default()
        }
    }
}
