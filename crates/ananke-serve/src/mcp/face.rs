//! Reads messages of a client and does what they ask.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::ask::Waiting;
use super::offers::{discovered, initialized, listed};
use super::who::{LEGACY, MODERN, Who, named_version, unsupported};
use crate::agent::Agent;
use crate::rpc::{self, Call, INVALID_PARAMS, METHOD_NOT_FOUND};
use crate::talk::{Bounded, Fault, Talks};

/// How many sessions are kept.
const MAX_SESSIONS: usize = 1024;
/// How much of what clients say of themselves is kept.
const MAX_BYTES: usize = 16 << 20;
/// How many questions to clients may be open.
const MAX_OPEN: usize = 1024;
/// The resource is not there.
const RESOURCE_NOT_FOUND: i64 = -32002;

/// An agent as an MCP server.
#[derive(Debug)]
pub(crate) struct Mcp {
    pub(super) agent: Arc<dyn Agent>,
    pub(super) talks: Talks,
    /// The capabilities of the clients of sessions.
    sessions: Mutex<Bounded<Value>>,
    /// What was asked in sessions that are answered from recordings.
    heard: Mutex<Bounded<Vec<String>>>,
    /// Calls that a client of the modern era is to repeat with an answer.
    waiting: Mutex<Bounded<Waiting>>,
    /// Questions to clients that wait for an answer.
    open: Mutex<BTreeMap<String, oneshot::Sender<Option<Value>>>>,
    n_sessions: AtomicUsize,
    n_conversations: AtomicUsize,
    n_ids: AtomicUsize,
}

/// An answer: messages, each with its time after the request.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) messages: Vec<(Duration, Value)>,
    /// How long it takes in all.
    pub(super) length: Duration,
    pub(super) end: End,
    /// The session that begins.
    pub(super) session: Option<String>,
}

/// What comes after the last message.
#[derive(Debug)]
pub(super) enum End {
    /// Nothing: that was the answer.
    Done,
    /// The connection breaks.
    Fault(Fault),
    /// The client's answer to the question of this id, and then more.
    Ask(String, Box<Waiting>),
}

impl Answer {
    pub(super) fn of(messages: Vec<(Duration, Value)>, length: Duration, end: End) -> Self {
        Self {
            messages,
            length,
            end,
            session: None,
        }
    }

    pub(super) fn now(message: Value) -> Self {
        Self::of(vec![(Duration::ZERO, message)], Duration::ZERO, End::Done)
    }

    /// Returns the answer of a tool that failed.
    pub(super) fn tool_error(call: &Call, who: &Who, why: &str) -> Self {
        let result = json!({"content": [{"type": "text", "text": why}], "isError": true});
        Self::now(rpc::result(&call.id, who.complete(result)))
    }
}

impl Who {
    /// Adds what results of the modern era have to say.
    pub(super) fn complete(&self, mut result: Value) -> Value {
        if self.is_modern {
            result["resultType"] = "complete".into();
        }
        result
    }
}

impl Mcp {
    pub(crate) fn new(agent: Arc<dyn Agent>) -> Self {
        Self {
            agent,
            talks: Talks::default(),
            sessions: Mutex::new(Bounded::new(MAX_SESSIONS, MAX_BYTES)),
            heard: Mutex::new(Bounded::new(MAX_SESSIONS, MAX_BYTES)),
            waiting: Mutex::new(Bounded::new(MAX_OPEN, MAX_BYTES)),
            open: Mutex::default(),
            n_sessions: AtomicUsize::new(0),
            n_conversations: AtomicUsize::new(0),
            n_ids: AtomicUsize::new(0),
        }
    }

    /// Answers a request.
    pub(super) fn call(&self, call: &Call, who: Who) -> Answer {
        let who = who.with_meta(call);
        if let Some(version) = named_version(call).filter(|version| *version != MODERN) {
            return Answer::now(unsupported(&call.id, version));
        }
        if let Some(answer) = self.recorded(call, &who) {
            return answer;
        }
        let refuse = |code: i64, why: String| Answer::now(rpc::error(&call.id, code, &why));
        let done = |result: Value| Answer::now(rpc::result(&call.id, who.complete(result)));
        match call.method.as_str() {
            "initialize" if !who.is_modern => self.initialize(call),
            "server/discover" if who.is_modern => done(with_age(discovered(&*self.agent))),
            "ping" | "logging/setLevel" if !who.is_modern => done(json!({})),
            "tools/call" => self.tool(call, &who),
            "resources/read" => {
                let uri = call.params["uri"].as_str().unwrap_or_default();
                let found = self.agent.toolbox().and_then(|toolbox| toolbox.read(uri));
                match found {
                    Some(content) => {
                        let result = json!({"contents": [content]});
                        done(if who.is_modern {
                            with_age(result)
                        } else {
                            result
                        })
                    }
                    None => refuse(RESOURCE_NOT_FOUND, format!("there is no resource `{uri}`")),
                }
            }
            "prompts/get" => {
                let name = call.params["name"].as_str().unwrap_or_default();
                let toolbox = self.agent.toolbox();
                let arguments = &call.params["arguments"];
                match toolbox.and_then(|toolbox| toolbox.prompt(name, arguments)) {
                    Some(prompt) => done(prompt),
                    None => refuse(INVALID_PARAMS, format!("there is no prompt `{name}`")),
                }
            }
            method => match listed(&*self.agent, method) {
                // All of a list fits on one page, so nobody was ever given a cursor.
                Some(_) if call.params.get("cursor").is_some() => {
                    refuse(INVALID_PARAMS, "there is no such cursor".to_owned())
                }
                Some(list) => done(if who.is_modern { with_age(list) } else { list }),
                None => refuse(METHOD_NOT_FOUND, format!("there is no method `{method}`")),
            },
        }
    }

    fn initialize(&self, call: &Call) -> Answer {
        let asked = call.params["protocolVersion"].as_str().unwrap_or_default();
        let version = LEGACY.iter().find(|known| **known == asked);
        let version = version.unwrap_or(&LEGACY[0]);
        let session = self.new_session(call.params["capabilities"].clone());
        let result = initialized(&*self.agent, version);
        Answer {
            session: Some(session),
            ..Answer::now(rpc::result(&call.id, result))
        }
    }

    /// Begins a session with a client that can do this.
    pub(super) fn new_session(&self, capabilities: Value) -> String {
        let session = format!("session-{}", next(&self.n_sessions));
        let n_bytes = capabilities.to_string().len();
        self.sessions().put(&session, capabilities, n_bytes);
        session
    }

    fn tool(&self, call: &Call, who: &Who) -> Answer {
        let name = call.params["name"].as_str().unwrap_or_default();
        let arguments = &call.params["arguments"];
        if !matches!(arguments, Value::Null | Value::Object(_)) {
            return Answer::tool_error(call, who, "expected `arguments` to be an object");
        }
        if name == "ask" {
            return self.asked(call, who);
        }
        let thread = who.session.clone().unwrap_or_default();
        let mut state = self.talks.state(&thread);
        let toolbox = self.agent.toolbox();
        match toolbox.and_then(|toolbox| toolbox.call(name, arguments, &mut state)) {
            None => {
                let why =
                    format!("there is no tool `{name}`; `tools/list` names those that there are");
                Answer::now(rpc::error(&call.id, INVALID_PARAMS, &why))
            }
            Some(Err(why)) => Answer::tool_error(call, who, &why),
            Some(Ok(result)) => {
                if !thread.is_empty() {
                    self.talks.set_state(&thread, state);
                }
                let content = json!([{"type": "text", "text": result.to_string()}]);
                let result =
                    json!({"content": content, "structuredContent": result, "isError": false});
                Answer::now(rpc::result(&call.id, who.complete(result)))
            }
        }
    }

    /// Returns what the client of a session can do, if there is such a session.
    pub(super) fn session(&self, name: &str) -> Option<Value> {
        self.sessions().get(name).cloned()
    }

    pub(super) fn end_session(&self, name: &str) -> bool {
        self.talks.forget(name);
        self.sessions().take(name).is_some()
    }

    /// Begins to wait for the client's answer to a question.
    pub(super) fn wait_for(&self, id: &str) -> oneshot::Receiver<Option<Value>> {
        let (sender, receiver) = oneshot::channel();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, sender| !sender.is_closed());
        if open.len() < MAX_OPEN {
            open.insert(id.to_owned(), sender);
        }
        receiver
    }

    /// Hands on a client's answer.
    pub(super) fn answered(&self, id: &Value, result: Option<Value>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = id.as_str().and_then(|id| open.remove(id));
        if let Some(sender) = sender {
            // Whoever asked may be gone.
            sender.send(result).ok();
        }
    }

    pub(super) fn new_conversation(&self) -> String {
        format!("conversation-{}", next(&self.n_conversations))
    }

    pub(super) fn next_number(&self) -> usize {
        next(&self.n_ids)
    }

    pub(super) fn heard(&self) -> MutexGuard<'_, Bounded<Vec<String>>> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn waiting(&self) -> MutexGuard<'_, Bounded<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sessions(&self) -> MutexGuard<'_, Bounded<Value>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn next(counter: &AtomicUsize) -> usize {
    counter.fetch_add(1, Ordering::Relaxed) + 1
}

/// Says how long a result may be kept: not at all.
fn with_age(mut result: Value) -> Value {
    result["ttlMs"] = 0.into();
    result["cacheScope"] = "private".into();
    result
}
