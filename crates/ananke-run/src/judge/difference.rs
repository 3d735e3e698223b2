//! Whether a recorded turn is the one that a test asks for, and what differs if it is not.

use std::borrow::Cow;
use std::fmt;

use ananke_model::recording::Turn;
use ananke_protocol::agui::{Action, last_user_text};

/// How much of a message is shown.
const SHOWN_CHARS: usize = 200;

/// What a turn says: its kind, and the user's words if there are any.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Said<'a> {
    pub(super) kind: &'a str,
    pub(super) user: Option<Cow<'a, str>>,
}

impl<'a> Said<'a> {
    /// Returns what a test is going to say.
    pub(super) fn planned(action: &'a Action) -> Self {
        let (kind, user) = match action {
            Action::User(text) => ("user", Some(Cow::from(text))),
            Action::Messages(messages) => ("messages", last_user_text(messages).map(Cow::from)),
            Action::Connect { .. } => ("agui:connect", None),
            Action::Resume { .. } => ("agui:resume", None),
            Action::Send(send) => (action.kind(), send.text().map(Cow::from)),
            Action::Ask(_) => (action.kind(), None),
        };
        Self { kind, user }
    }

    /// Returns what was said.
    pub(super) fn recorded(turn: &'a Turn) -> Self {
        Self {
            kind: &turn.kind,
            user: turn.user.as_deref().map(Cow::from),
        }
    }
}

impl fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind)?;
        let Some(user) = &self.user else {
            return Ok(());
        };
        let shown: String = user.chars().take(SHOWN_CHARS).collect();
        let ellipsis = if shown.len() < user.len() { "…" } else { "" };
        write!(f, " {shown:?}{ellipsis}")
    }
}

/// Returns lines that set two turns against each other.
pub(super) fn both(
    number: usize,
    planned: impl fmt::Display,
    recorded: impl fmt::Display,
) -> [String; 2] {
    [
        format!("turn {number} now:      {planned}"),
        format!("turn {number} recorded: {recorded}"),
    ]
}

/// Returns a number of turns in words.
pub(super) fn n_turns(n: usize) -> String {
    match n {
        1 => "1 turn".to_owned(),
        n => format!("{n} turns"),
    }
}
