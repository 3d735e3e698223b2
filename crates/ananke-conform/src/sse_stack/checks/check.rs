//! What a check is.

use ananke_model::conformance::{Layer, Level, RuleFacts};

use crate::sse_stack::seen::Seen;

/// A check. All texts are for users.
#[derive(Debug)]
pub(in crate::sse_stack) struct Check {
    /// Stable: others know it by this id.
    pub(super) id: &'static str,
    /// What it looks at.
    pub(super) layer: Layer,
    /// How binding it is: most of the stack is convention.
    pub(super) level: Level,
    /// What must hold, in one line.
    pub(super) title: &'static str,
    /// Why, in one sentence.
    pub(super) reason: &'static str,
    /// Where that is said.
    pub(super) section: &'static str,
    /// What a server's author does about it.
    pub(super) advice: &'static str,
    /// The request whose answer it looks at.
    pub(super) step: Step,
    /// Looks.
    pub(super) look: fn(&Seen) -> Outcome,
}

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sse_stack) enum Step {
    /// The stream.
    Stream,
    /// The stream from its middle on.
    Reconnect,
    /// The stream without a token.
    MissingBearer,
    /// A write with a token that may only read.
    Write,
    /// The stream with a bound token and no proof.
    Bound,
}

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sse_stack) enum Outcome {
    /// Nothing is wrong; what was seen.
    Pass(String),
    /// Something is wrong; at least one problem.
    Fail(Vec<Problem>),
    /// There is no telling; why.
    Inconclusive(String),
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sse_stack) struct Problem {
    /// Number of the frame, counted from 0.
    pub(super) event: Option<usize>,
    /// What was expected, what was seen.
    pub(super) message: String,
}

impl Step {
    /// Returns it in words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Stream => "stream",
            Self::Reconnect => "reconnect",
            Self::MissingBearer => "probe: no bearer",
            Self::Write => "probe: insufficient scope",
            Self::Bound => "probe: bound token",
        }
    }
}

impl Outcome {
    pub(super) fn pass(seen: impl Into<String>) -> Self {
        Self::Pass(seen.into())
    }

    pub(super) fn fail(message: impl Into<String>) -> Self {
        Self::Fail(vec![Problem {
            event: None,
            message: message.into(),
        }])
    }

    pub(super) fn fail_at(event: usize, message: impl Into<String>) -> Self {
        Self::Fail(vec![Problem::at(event, message)])
    }

    pub(super) fn inconclusive(why: impl Into<String>) -> Self {
        Self::Inconclusive(why.into())
    }
}

impl Problem {
    pub(super) fn at(event: usize, message: impl Into<String>) -> Self {
        Self {
            event: Some(event),
            message: message.into(),
        }
    }
}

impl Check {
    pub(super) fn facts(&self) -> RuleFacts {
        RuleFacts {
            id: self.id.to_owned(),
            level: self.level,
            layer: self.layer,
            title: self.title.to_owned(),
            reason: self.reason.to_owned(),
            section: self.section.to_owned(),
            advice: self.advice.to_owned(),
        }
    }
}
