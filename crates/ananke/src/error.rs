//! How a command ends: documented exit codes, and errors with hints.

use std::process::ExitCode;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::run_event::Summary;
use ananke_run::RunOutcome;

use crate::signals::Stop;

/// Exit codes. The worst of what happened wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: everything passed.
    Passed,
    /// 1: some test failed; an agent that errs, times out, truncates or answers garbage fails its test.
    Failed,
    /// 2: a file, a flag or a variable is wrong; nothing ran.
    Configuration,
    /// 3: ananke could not do its job.
    Trouble,
    /// 4: no test matched, or none was run.
    NothingRan,
    /// 5: nothing failed, but something could not be decided.
    Inconclusive,
    /// 130 or 143: the user stopped the run.
    Stopped(Stop),
}

impl Exit {
    /// Returns the number.
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::Failed => 1,
            Self::Configuration => 2,
            Self::Trouble => 3,
            Self::NothingRan => 4,
            Self::Inconclusive => 5,
            Self::Stopped(stop) => stop.exit_code(),
        }
    }

    /// Returns the one that wins: a stop, then 2, 3, 1, 5, 4.
    pub(crate) fn or_worse(self, other: Self) -> Self {
        let rank = |exit: Self| match exit {
            Self::Stopped(_) => 6,
            Self::Configuration => 5,
            Self::Trouble => 4,
            Self::Failed => 3,
            Self::Inconclusive => 2,
            Self::NothingRan => 1,
            Self::Passed => 0,
        };
        if rank(other) > rank(self) {
            other
        } else {
            self
        }
    }

    /// Returns what `main` gives back.
    pub(crate) fn code(self) -> ExitCode {
        ExitCode::from(self.number())
    }

    /// Returns the exit of a run that came to its end.
    pub(crate) fn of(outcome: &RunOutcome, stop: Option<Stop>) -> Self {
        match stop {
            Some(stop) => Self::Stopped(stop),
            None if outcome.unreached => Self::Trouble,
            None => Self::of_summary(&outcome.summary),
        }
    }

    /// Returns the exit that the totals of a run stand for.
    pub(crate) fn of_summary(summary: &Summary) -> Self {
        if summary.failed_in_all() > 0 {
            Self::Failed
        } else if summary.inconclusive > 0 || summary.interrupted {
            // Of a run that was cut short nobody knows how the rest would have come out.
            Self::Inconclusive
        } else if summary.passed == 0 {
            Self::NothingRan
        } else {
            Self::Passed
        }
    }
}

/// A command that could not be carried out.
#[derive(Debug)]
pub(crate) struct CommandError {
    /// How the process ends.
    pub(crate) exit: Exit,
    /// What happened, as a lower-case fragment.
    pub(crate) message: String,
    /// More lines, such as the last output of a server.
    pub(crate) details: Vec<String>,
    /// The next step.
    pub(crate) hint: Option<String>,
}

impl CommandError {
    /// Returns an error with a message alone.
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
            details: Vec::new(),
            hint: None,
        }
    }

    /// Returns the error as a diagnostic, for reports.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let diagnostic =
            Diagnostic::error_anywhere(self.message.clone()).label(self.details.join("\n"));
        match &self.hint {
            Some(hint) => diagnostic.hint(hint.clone()),
            None => diagnostic,
        }
    }

    /// Adds the next step.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
