//! The types that a turn can have.

use crate::schema::{
    Shape, TURN_CALL, TURN_CONNECT, TURN_LIST, TURN_PROMPT, TURN_READ, TURN_RESUME, TURN_SEND,
    TURN_USER,
};

/// What a turn does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnKind {
    /// `type: user`.
    User,
    /// `type: agui:connect`.
    Connect,
    /// `type: agui:resume`.
    Resume,
    /// `type: a2a:send`.
    Send,
    /// `type: mcp:call`.
    Call,
    /// `type: mcp:list`.
    List,
    /// `type: mcp:read`.
    Read,
    /// `type: mcp:prompt`.
    Prompt,
}

impl TurnKind {
    /// All of them.
    pub(super) const ALL: [Self; 8] = [
        Self::User,
        Self::Connect,
        Self::Resume,
        Self::Send,
        Self::Call,
        Self::List,
        Self::Read,
        Self::Prompt,
    ];

    /// Returns the word that stands under `type`.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Connect => "agui:connect",
            Self::Resume => "agui:resume",
            Self::Send => "a2a:send",
            Self::Call => "mcp:call",
            Self::List => "mcp:list",
            Self::Read => "mcp:read",
            Self::Prompt => "mcp:prompt",
        }
    }

    /// Returns the kind whose word this is without its prefix: it is too far from the whole word to be taken for a slip.
    pub(super) fn without_prefix(word: &str) -> Option<Self> {
        let bare = |kind: &Self| kind.word().split_once(':').map(|(_, bare)| bare);
        Self::ALL.into_iter().find(|kind| bare(kind) == Some(word))
    }

    /// Returns the keys of such a turn.
    pub(super) fn shape(self) -> &'static Shape {
        match self {
            Self::User => &TURN_USER,
            Self::Connect => &TURN_CONNECT,
            Self::Resume => &TURN_RESUME,
            Self::Send => &TURN_SEND,
            Self::Call => &TURN_CALL,
            Self::List => &TURN_LIST,
            Self::Read => &TURN_READ,
            Self::Prompt => &TURN_PROMPT,
        }
    }
}
