//! What every turn with an agent shares, once all references are resolved.

use std::time::Duration;

use ananke_model::plan::CallRule;
use serde_json::Value;

use super::wire::{Binding, Version};
use crate::auth::Auth;

/// Where what an agent says of itself comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum CardSource {
    /// A base URL, whose well-known path is asked, or the URL of the card itself.
    Url(String),
    /// The card, as it was configured.
    Inline(Value),
    /// There is none; the endpoint is all that is known.
    None,
}

/// Whether answers are asked for as streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streaming {
    /// As the card says; tried where there is no card.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What every turn of a test shares.
#[derive(Clone, Debug, PartialEq)]
pub struct A2aOptions {
    /// Where the card comes from.
    pub card: CardSource,
    /// Where to speak to the agent, whatever the card says.
    pub endpoint: Option<String>,
    /// The version to speak; by the card and by errors if it is not given.
    pub version: Option<Version>,
    /// The binding to use; by the card if it is not given.
    pub binding: Option<Binding>,
    /// The tenant, in place of the card's.
    pub tenant: Option<String>,
    /// URIs of extensions to ask for.
    pub extensions: Vec<String>,
    /// The conversation's id, if the server is not to make one.
    pub context_id: Option<String>,
    /// Whether an answer that is not streamed is to come when the task is done; otherwise it is asked for again and again.
    pub blocking: bool,
    /// Whether to stream.
    pub stream: Streaming,
    /// How long to wait before a task is asked for again.
    pub poll: Duration,
    /// Media types that the client takes.
    pub accepted_output_modes: Vec<String>,
    /// How many messages of its history a task is to bring.
    pub history_length: Option<u64>,
    /// Handed over with every request.
    pub metadata: Option<Value>,
    /// Conventions beside the known ones.
    pub tool_calls: Vec<CallRule>,
    /// Who the client is.
    pub auth: Auth,
    /// Whether to follow a card to another origin than its own, credentials included.
    pub allow_other_origin: bool,
}
