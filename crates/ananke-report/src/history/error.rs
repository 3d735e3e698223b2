//! Why a conversation cannot be written as a test.

use std::fmt;

/// Why a conversation cannot be written as a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HistoryError {
    /// No turn of it was run.
    NotRun,
    /// It is a function of a script.
    Script,
    /// A turn cannot be written.
    Turn {
        /// The turn, counted from 1.
        turn: usize,
        /// Why, as a fragment.
        why: String,
    },
    /// There is no turn with this number.
    NoSuchTurn {
        /// The number that was asked for.
        turn: usize,
        /// How many turns were run.
        n_turns: usize,
    },
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRun => {
                f.write_str("no turn of this test was run, so there is no conversation")
            }
            Self::Script => f.write_str(
                "it is a function of a script, which has no conversation; \
                 the script itself is the test to be changed",
            ),
            Self::Turn { turn, why } => write!(f, "turn {turn} cannot be written: {why}"),
            Self::NoSuchTurn { turn, n_turns } => {
                write!(f, "there is no turn {turn}: {n_turns} were run")
            }
        }
    }
}

impl std::error::Error for HistoryError {}
