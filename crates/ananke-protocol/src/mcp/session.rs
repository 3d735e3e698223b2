//! A server for as long as a test, or a file of tests, needs it: connected by the first turn, closed at the end.

use std::time::Duration;

use ananke_model::plan::McpListed;
use ananke_model::recording::{Trouble, TroubleKind, Turn};
use serde_json::{Map, Value};
use tokio::time::Instant;

use super::action::{Listed as _, McpAction};
use super::connect::{Connection, Failure, with_stderr};
use super::noted::Reply;
use super::options::McpOptions;
use super::turn::{McpTurn, Outcome, since_us, turn_of};
use crate::agui::Conversation;

/// A server, and the connection to it once there is one.
#[derive(Debug)]
pub struct McpSession {
    options: McpOptions,
    connection: Option<Connection>,
    /// The last token that was fetched.
    token: Option<String>,
}

impl McpSession {
    /// Returns a session that is not connected yet.
    pub fn new(options: McpOptions) -> Self {
        Self {
            options,
            connection: None,
            token: None,
        }
    }

    #[cfg(test)]
    pub(super) fn connected(options: McpOptions, connection: Connection) -> Self {
        Self {
            options,
            connection: Some(connection),
            token: None,
        }
    }

    /// Runs one turn. `new_id` gives ids for messages and calls.
    pub async fn turn(
        &mut self,
        request: &McpTurn<'_>,
        conversation: &mut Conversation,
        new_id: &mut (dyn FnMut() -> String + Send),
    ) -> Turn {
        let began = Instant::now();
        let mut connect_us = None;
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => match Connection::open(&self.options, request.whole, request.cancel).await {
                Ok(connection) => {
                    connect_us = Some(connection.connect_us);
                    connection
                }
                Err(mut failure) => {
                    self.token = failure.token.take().or(self.token.take());
                    let outcome = without(failure, request);
                    return turn_of(request, outcome, conversation, new_id);
                }
            },
        };
        if connection.token.is_some() {
            self.token.clone_from(&connection.token);
        }
        let started = Instant::now();
        // Connecting has a time of its own, but there may be no more for all of it.
        let left = request.whole.saturating_sub(began.elapsed());
        let timeout = request.timeout.min(left);
        connection.tape.begin(started);
        let mut reply = connection.answer(request, started, timeout).await;
        let total_us = since_us(started);
        let is_lost = matches!(&reply, Err(trouble) if is_end(trouble));
        let mut notes = Vec::new();
        if let Err(trouble) = &mut reply {
            if trouble.kind == TroubleKind::Timeout {
                trouble.message = late(timeout, connection.tape.n_events());
            }
            connection.explain(trouble, &mut notes).await;
        }
        let mut taken = connection.tape.take();
        taken.notes.extend(connection.answers.take_notes());
        taken.notes.extend(notes);
        let schema = match &request.action {
            McpAction::Call { tool, .. } => connection.schemas.get(tool).cloned(),
            _ => None,
        };
        let outcome = Outcome {
            reply,
            taken,
            schema,
            server: connection.server.clone(),
            reached: connection.tape.is_heard(),
            connect_us,
            total_us,
        };
        if is_lost {
            // The next turn begins with a server that runs.
            connection.close().await;
        } else {
            self.connection = Some(connection);
        }
        turn_of(request, outcome, conversation, new_id)
    }

    /// Forgets which scripted answers were given, so that a new test gets those again that are given once.
    pub fn forget_answers(&self) {
        if let Some(connection) = &self.connection {
            connection.answers.forget();
        }
    }

    /// Returns the token that was fetched, so that it can be hidden where the server repeats it.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Closes the connection and ends the process of the server. Returns what was not as it should be.
    pub async fn close(mut self) -> Vec<String> {
        self.disconnect().await
    }

    /// Closes the connection and ends the process of the server; the next turn connects anew.
    pub async fn disconnect(&mut self) -> Vec<String> {
        match self.connection.take() {
            Some(connection) => connection.close().await,
            None => Vec::new(),
        }
    }
}

impl Connection {
    /// Does what a turn asks.
    async fn answer(
        &self,
        request: &McpTurn<'_>,
        started: Instant,
        timeout: Duration,
    ) -> Result<Reply, Trouble> {
        let deadline = started + timeout;
        let cancel = request.cancel;
        let McpAction::List(wanted) = &request.action else {
            let (method, params) = request.action.request().unwrap_or_default();
            return self.ask(method, params, deadline, cancel).await;
        };
        let mut lists = Map::new();
        let mut outcome = Ok(());
        for listed in McpListed::ALL {
            let is_wanted = match wanted {
                Some(wanted) => *wanted == listed,
                None => self.has(listed),
            };
            if !is_wanted || outcome.is_err() {
                continue;
            }
            match self.pages(listed, deadline, cancel).await? {
                Ok(entries) => {
                    lists.insert(listed.member().to_owned(), entries.into());
                }
                Err(error) => outcome = Err(error),
            }
        }
        Ok(Reply {
            outcome: outcome.map(|()| Value::Object(lists)),
            at_us: since_us(started),
            event: self.tape.n_events().saturating_sub(1),
        })
    }

    /// Adds to what went wrong what is known of the server's process.
    async fn explain(&mut self, trouble: &mut Trouble, notes: &mut Vec<String>) {
        let Some(program) = &mut self.program else {
            return;
        };
        if trouble.kind == TroubleKind::Transport
            && let Some(ended) = program.ending().await
        {
            trouble.message = format!("{ended} before the answer came");
        }
        if trouble.kind != TroubleKind::Cancelled {
            with_stderr(trouble, program, notes);
        }
    }
}

fn late(timeout: Duration, n_events: usize) -> String {
    let limit = timeout.as_millis();
    let so_far = match n_events {
        0 => "no message came".to_owned(),
        1 => "1 message came".to_owned(),
        n => format!("{n} messages came"),
    };
    format!("timeout after {limit}ms (timeout_ms): {so_far} before")
}

/// Tells whether nothing more can come over a connection after this.
fn is_end(trouble: &Trouble) -> bool {
    matches!(
        trouble.kind,
        TroubleKind::Transport | TroubleKind::Unreachable | TroubleKind::Limit
    )
}

/// Returns what comes of a turn without a connection.
fn without(failure: Failure, request: &McpTurn<'_>) -> Outcome {
    let mut taken = failure.taken;
    if taken.sent.is_empty() {
        // It was tried, even if the server was not there to be told.
        taken.sent.extend(request.action.shown());
    }
    Outcome {
        reply: Err(failure.trouble),
        taken,
        schema: None,
        server: Value::Null,
        reached: failure.reached,
        connect_us: None,
        total_us: 0,
    }
}
