//! What lasts from turn to turn: the agent as its card describes it, the conversation's id, and the task that waits.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::Mutex;

use super::fold::Memory;
use super::wire::Wire;
use crate::auth::Token;

/// An agent that several conversations are with: its card and its token are fetched once.
#[derive(Clone, Debug, Default)]
pub struct A2aAgent(pub(super) Arc<Mutex<Known>>);

/// What is known of an agent.
#[derive(Debug, Default)]
pub(super) enum Known {
    /// Nobody asked yet.
    #[default]
    Nothing,
    /// How it is spoken to.
    Agent(Peer, Option<Token>),
    /// Asking failed once: everybody asks alone.
    Failure,
}

/// A conversation with an agent.
#[derive(Clone, Debug, Default)]
pub struct A2aSession {
    pub(super) known: Option<A2aAgent>,
    pub(super) peer: Option<Peer>,
    pub(super) token: Option<Token>,
    /// As the server made it, or as it was sent.
    pub(super) context_id: Option<String>,
    /// The task that waits for the client's next message.
    pub(super) open_task: Option<String>,
    pub(super) memory: Memory,
    /// Requests so far; the ids of JSON-RPC count on.
    pub(super) n_requests: u64,
}

/// The agent, once it is known how to speak to it.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    pub(super) wire: Wire,
    pub(super) card: Option<Arc<Value>>,
    /// Whether it streams; `None` if nobody said so.
    pub(super) streams: Option<bool>,
    /// Whether the version has been tried.
    pub(super) is_version_settled: bool,
    /// The ways in which a client may prove who it is, by the names in the card.
    pub(super) security: Vec<String>,
    /// Where a token may be fetched, if the card says so and may be believed.
    pub(super) token_url: Result<Option<String>, String>,
    /// What is odd about the agent.
    pub(super) odd: Vec<String>,
}

impl A2aSession {
    /// Returns a conversation that has not begun, with an agent of which nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a conversation that has not begun, with an agent that others speak to as well, with the same options.
    pub fn with(agent: &A2aAgent) -> Self {
        Self {
            known: Some(agent.clone()),
            ..Self::default()
        }
    }

    /// Returns the token that was fetched, so that it can be hidden where the agent repeats it.
    pub fn token(&self) -> Option<&str> {
        self.token.as_ref().map(|token| token.value.as_str())
    }
}
