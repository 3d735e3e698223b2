//! Does what is asked: messages become tasks, tasks are looked up and canceled.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::card::{card, recorded_card};
use super::method::{Operation, Version};
use super::parts::{kept, said};
use super::task::{Task, is_terminal};
use super::timeline::{Ids, timeline};
use crate::agent::Agent;
use crate::engine::{HttpReply, Reply};
use crate::input::Addressee;
use crate::recorded::Face;
use crate::rpc::{INVALID_PARAMS, Refused};
use crate::talk::{Bounded, Talks, happenings};

/// How many tasks are kept.
const MAX_TASKS: usize = 1024;
/// How much of all tasks is kept.
const MAX_BYTES: usize = 64 << 20;

const TASK_NOT_FOUND: i64 = -32001;
const NOT_CANCELABLE: i64 = -32002;
const NO_PUSH: i64 = -32003;
const UNSUPPORTED: i64 = -32004;
const NO_EXTENDED_CARD: i64 = -32007;

/// An agent as an A2A server.
#[derive(Debug)]
pub(crate) struct A2a {
    agent: Arc<dyn Agent>,
    talks: Talks,
    tasks: Mutex<Bounded<Arc<Task>>>,
    /// What was said in contexts that are answered from recordings.
    heard: Mutex<Bounded<Vec<String>>>,
    n_contexts: AtomicUsize,
    n_tasks: AtomicUsize,
}

/// What is answered. So many messages of a task's history are shown.
#[derive(Debug)]
pub(super) enum Outcome {
    /// This list.
    List(Value),
    /// The task as it is now.
    Now(Arc<Task>, Option<usize>),
    /// The task as it is at first, as the answer to a message.
    First(Arc<Task>, Option<usize>),
    /// The task when it is over or waits, as the answer to a message.
    Whole(Arc<Task>, Option<usize>),
    /// The events of a task: first the task itself, if it is there, then what comes after this time.
    Stream(Arc<Task>, Option<Value>, Option<Duration>),
    /// No answer of the protocol at all.
    Http(HttpReply),
}

impl A2a {
    pub(crate) fn new(agent: Arc<dyn Agent>) -> Self {
        Self {
            agent,
            talks: Talks::default(),
            tasks: Mutex::new(Bounded::new(MAX_TASKS, MAX_BYTES)),
            heard: Mutex::new(Bounded::new(MAX_TASKS, MAX_BYTES)),
            n_contexts: AtomicUsize::new(0),
            n_tasks: AtomicUsize::new(0),
        }
    }

    pub(super) fn agent(&self) -> &dyn Agent {
        &*self.agent
    }

    /// Returns the card of the agent that is reached at `base`.
    pub(super) fn card(&self, base: &str, path: &str) -> Value {
        let recordings = self.agent.recordings();
        match recordings.and_then(|recordings| recordings.about(Face::A2a, path)) {
            Some(recorded) => recorded_card(&recorded.foreign, base),
            None => card(&self.agent.about(), base),
        }
    }

    pub(super) fn ask(
        &self,
        (version, operation): (Version, Operation),
        params: &Value,
        path: &str,
    ) -> Result<Outcome, Refused> {
        let shown = shown(params.get("historyLength"));
        match operation {
            Operation::Send | Operation::Stream => {
                let recordings = self.agent.recordings();
                match recordings.filter(|recordings| recordings.has(Face::A2a)) {
                    Some(recordings) => {
                        self.replayed(recordings, (version, operation), params, path)
                    }
                    None => self.message(operation, params, path),
                }
            }
            Operation::Get => Ok(Outcome::Now(self.task(&params["id"])?, shown)),
            Operation::List => Ok(Outcome::List(self.list(params))),
            Operation::Cancel => {
                let task = self.task(&params["id"])?;
                if !task.cancel() {
                    let why = format!("the task `{}` is over: it cannot be canceled", task.id);
                    return Err(Refused::new(NOT_CANCELABLE, why));
                }
                Ok(Outcome::Now(task, shown))
            }
            Operation::Subscribe => {
                let task = self.task(&params["id"])?;
                if is_terminal(&task.state()) {
                    let why = format!("the task `{}` is over: nothing follows", task.id);
                    return Err(Refused::new(UNSUPPORTED, why));
                }
                let now = task.started.elapsed();
                let first = task.now();
                Ok(Outcome::Stream(task, Some(first), Some(now)))
            }
            Operation::Push => Err(Refused::new(
                NO_PUSH,
                "push notifications are not supported: stream, or ask for the task",
            )),
            Operation::Card => Err(Refused::new(
                NO_EXTENDED_CARD,
                "there is no extended card: the public one says everything",
            )),
        }
    }

    fn message(
        &self,
        operation: Operation,
        params: &Value,
        path: &str,
    ) -> Result<Outcome, Refused> {
        let message = &params["message"];
        let said = said(message)?;
        let (ids, mut before) = self.ids(message)?;
        let addressee = Addressee {
            path: path.to_owned(),
            agent_id: None,
        };
        let state = self.talks.state(&ids.context);
        let thread = (ids.context.as_str(), ids.run.as_str());
        let reply = self.talks.run(&*self.agent, thread, addressee, &said);
        let actions = match reply {
            Reply::Http(reply) => return Ok(Outcome::Http(reply)),
            Reply::Stream(actions) => actions,
        };
        if let Some(history) = before["history"].as_array_mut() {
            history.push(kept(message, &ids.task, &ids.context));
        }
        let questions = self.talks.questions(&ids.context);
        let timeline = timeline(&happenings(&actions), &ids, state, &questions);
        let task = Arc::new(Task::new(ids.task, ids.context, before, timeline));
        self.keep(&task);
        let configuration = &params["configuration"];
        let shown = shown(configuration.get("historyLength"));
        let is_immediate =
            configuration["returnImmediately"] == true || configuration["blocking"] == false;
        Ok(match operation {
            Operation::Stream => {
                let first = cut(task.before.clone(), shown);
                Outcome::Stream(task, Some(first), None)
            }
            _ if is_immediate => Outcome::First(task, shown),
            _ => Outcome::Whole(task, shown),
        })
    }

    /// Returns the ids of the task that a message belongs to, and the task as it was before.
    fn ids(&self, message: &Value) -> Result<(Ids, Value), Refused> {
        let named = |name: &str| message[name].as_str().filter(|id| !id.is_empty());
        let Some(task_id) = named("taskId") else {
            let context = named("contextId").map_or_else(|| self.new_context(), str::to_owned);
            let task = self.new_task();
            let status = json!({"state": "TASK_STATE_SUBMITTED"});
            let before = json!({"id": task, "contextId": context, "status": status, "history": []});
            let run = task.clone();
            return Ok((Ids { task, context, run }, before));
        };
        let task = self.task(&task_id.into())?;
        let state = task.state();
        if is_terminal(&state) {
            let why = format!(
                "the task `{task_id}` is over: leave out `taskId` to begin another in the same context"
            );
            return Err(Refused::new(UNSUPPORTED, why));
        }
        if !state.ends_with("INPUT_REQUIRED") {
            let why = format!("the task `{task_id}` is still being worked on");
            return Err(Refused::new(UNSUPPORTED, why));
        }
        if named("contextId").is_some_and(|context| context != task.context) {
            let why = format!(
                "the task `{task_id}` belongs to the context `{}`, not to that of the message",
                task.context
            );
            return Err(Refused::new(INVALID_PARAMS, why));
        }
        let mut before = task.now();
        let asked = before["status"]["message"].take();
        if let Some(history) = before["history"].as_array_mut() {
            history.push(asked);
        }
        before["status"] = json!({"state": "TASK_STATE_WORKING"});
        let n_said = before["history"].as_array().map_or(0, Vec::len);
        let ids = Ids {
            task: task.id.clone(),
            context: task.context.clone(),
            run: format!("{}-{n_said}", task.id),
        };
        Ok((ids, before))
    }

    fn task(&self, id: &Value) -> Result<Arc<Task>, Refused> {
        let Some(id) = id.as_str() else {
            return Err(Refused::new(
                INVALID_PARAMS,
                "expected `id`, that of a task",
            ));
        };
        let task = self.tasks().get(id).cloned();
        task.ok_or_else(|| {
            let shown: String = id.chars().take(100).collect();
            Refused::new(TASK_NOT_FOUND, format!("there is no task `{shown}`"))
        })
    }

    fn list(&self, params: &Value) -> Value {
        let size = params["pageSize"].as_u64().unwrap_or(50).clamp(1, 100);
        let tasks = self.tasks();
        let wanted = |task: &&Arc<Task>| {
            let context = params["contextId"].as_str().filter(|id| !id.is_empty());
            let status = params["status"]
                .as_str()
                .filter(|status| !status.is_empty());
            context.is_none_or(|context| context == task.context)
                && status.is_none_or(|status| status == task.state())
        };
        let found: Vec<&Arc<Task>> = tasks.values().rev().filter(wanted).collect();
        let first = params["pageToken"]
            .as_str()
            .and_then(|token| token.parse().ok());
        let first: usize = first.unwrap_or(0);
        let size = usize::try_from(size).unwrap_or(50);
        let page = found.iter().skip(first).take(size);
        let page: Vec<Value> = page
            .map(|task| {
                let mut task = cut(task.now(), shown(params.get("historyLength")));
                if params["includeArtifacts"] != true
                    && let Some(members) = task.as_object_mut()
                {
                    members.remove("artifacts");
                }
                task
            })
            .collect();
        let next = first + page.len();
        let token = match next < found.len() {
            true => next.to_string(),
            false => String::new(),
        };
        json!({"tasks": page, "nextPageToken": token, "pageSize": size, "totalSize": found.len()})
    }

    pub(super) fn new_context(&self) -> String {
        format!("context-{}", next(&self.n_contexts))
    }

    pub(super) fn new_task(&self) -> String {
        format!("task-{}", next(&self.n_tasks))
    }

    pub(super) fn keep(&self, task: &Arc<Task>) {
        self.tasks().put(&task.id, Arc::clone(task), task.n_bytes());
    }

    pub(super) fn heard(&self) -> MutexGuard<'_, Bounded<Vec<String>>> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn tasks(&self) -> MutexGuard<'_, Bounded<Arc<Task>>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn next(counter: &AtomicUsize) -> usize {
    counter.fetch_add(1, Ordering::Relaxed) + 1
}

fn shown(length: Option<&Value>) -> Option<usize> {
    usize::try_from(length?.as_u64()?).ok()
}

/// Leaves only so many of the newest messages in the history of a task.
pub(super) fn cut(mut task: Value, shown: Option<usize>) -> Value {
    let history = task.get_mut("history").and_then(Value::as_array_mut);
    if let (Some(shown), Some(history)) = (shown, history) {
        let n_more = history.len().saturating_sub(shown);
        history.drain(..n_more);
    }
    task
}
