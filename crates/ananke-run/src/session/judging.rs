//! From turns to a verdict: the one flow that live sessions and recordings share, so that they cannot differ.

use ananke_assert::{CompiledBlock, compile};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::plan::PlannedTest;
use ananke_model::recording::{Trouble, TroubleKind, Turn, TurnStatus};
use ananke_model::result::{CheckResult, JudgedTurn, Outcome, TestStatus};
use ananke_model::variables::Variables;

use super::Stopped;
use crate::redact::Redactor;

/// A test being judged. It is fed with turns, one after the other.
#[derive(Debug)]
pub(crate) struct Judging {
    turn_blocks: Vec<Option<CompiledBlock>>,
    test_block: CompiledBlock,
    /// Cases have one turn, and words of their own.
    is_case: bool,
    /// Hides secrets in what is stored for later: snapshots. A recording has none left.
    redactor: Redactor,
    turns: Vec<Turn>,
    turn_checks: Vec<Vec<CheckResult>>,
    checks: Vec<CheckResult>,
}

/// What a turn leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// The next turn, if the test has one.
    Turn,
    /// The verdict, whatever turns are left.
    Verdict,
}

/// What came of a test.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) status: TestStatus,
    pub(crate) reason: Option<String>,
    pub(crate) details: Vec<String>,
    pub(crate) turns: Vec<JudgedTurn>,
    pub(crate) checks: Vec<CheckResult>,
}

impl Judging {
    /// Makes the blocks of a test ready.
    pub(crate) fn compile(test: &PlannedTest, variables: &Variables) -> Result<Self, Stopped> {
        let turn_blocks = test.turns.iter().map(|turn| {
            let block = turn.block.as_ref();
            block.map(|block| compile(block, variables)).transpose()
        });
        let turn_blocks: Result<Vec<_>, _> = turn_blocks.collect();
        Ok(Self {
            turn_blocks: turn_blocks.map_err(|mistakes| unusable(&mistakes))?,
            test_block: compile(&test.block, variables).map_err(|mistakes| unusable(&mistakes))?,
            is_case: test.case.is_some(),
            redactor: Redactor::none(),
            turns: Vec::with_capacity(test.turns.len()),
            turn_checks: Vec::with_capacity(test.turns.len()),
            checks: Vec::new(),
        })
    }

    /// Hides the secrets of a live test in what is stored for later.
    pub(crate) fn hide_by(&mut self, redactor: Redactor) {
        self.redactor = redactor;
    }

    /// Judges the next turn.
    pub(crate) fn turn(&mut self, turn: Turn) -> Result<Next, Stopped> {
        let block = self.turn_blocks.get(self.turns.len());
        let block = block.and_then(Option::as_ref);
        let expects_error = block.is_some_and(CompiledBlock::expects_error);
        let checks = match (&turn.status, block) {
            (TurnStatus::Broken(_), _) | (_, None) => Vec::new(),
            (TurnStatus::RunError { .. }, Some(_)) if !expects_error => Vec::new(),
            (_, Some(block)) => block.judge_turn_hiding(&turn, &|turn| self.redactor.hidden(turn)),
        };
        let number = self.turns.len() + 1;
        let next = match &turn.status {
            TurnStatus::Broken(trouble) => Err(self.broken(number, trouble)),
            TurnStatus::RunError { message, code } if !expects_error => {
                // If the test block expects it, the verdict is the test's.
                if self.test_block.expects_error() {
                    Ok(Next::Verdict)
                } else {
                    Err(self.run_error(number, message, code.as_deref()))
                }
            }
            // "Turn-level failure => immediate FAIL": the checks say why.
            _ if checks.iter().any(CheckResult::is_failure) => Err(Stopped {
                status: TestStatus::Failed,
                reason: String::new(),
                details: Vec::new(),
            }),
            TurnStatus::RunError { .. } | TurnStatus::Finished => Ok(Next::Turn),
        };
        self.turns.push(turn);
        self.turn_checks.push(checks);
        next
    }

    fn broken(&self, number: usize, trouble: &Trouble) -> Stopped {
        let status = match trouble.kind {
            TroubleKind::Timeout => TestStatus::Timeout,
            TroubleKind::Cancelled => TestStatus::Skipped,
            _ => TestStatus::Error,
        };
        let message = &trouble.message;
        let reason = match status {
            // Without its turn an interruption reads like that of a test that never began.
            TestStatus::Error | TestStatus::Timeout if self.is_case => message.clone(),
            _ => format!("turn {number}: {message}"),
        };
        Stopped {
            status,
            reason,
            details: Vec::new(),
        }
    }

    fn run_error(&self, number: usize, message: &str, code: Option<&str>) -> Stopped {
        if self.is_case {
            let code = code.map(|code| format!("code: {code}"));
            return Stopped::error(format!("agent error: {message}")).details(code);
        }
        let code = code.map_or_else(String::new, |code| format!(" ({code})"));
        Stopped::error(format!(
            "turn {number}: the agent ended with an error: {message}{code}"
        ))
    }

    /// Judges all turns together, once they are there.
    pub(crate) fn test(&mut self) {
        let hide = |turn: &Turn| self.redactor.hidden(turn);
        self.checks = self.test_block.judge_test_hiding(&self.turns, &hide);
    }

    /// Returns the turns so far.
    pub(crate) fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Returns what came of it.
    pub(crate) fn verdict(self, stopped: Option<Stopped>) -> Verdict {
        let all = || self.turn_checks.iter().flatten().chain(&self.checks);
        let judged = if all().any(CheckResult::is_failure) {
            TestStatus::Failed
        } else if all().any(|check| check.outcome == Outcome::Inconclusive) {
            TestStatus::Inconclusive
        } else {
            TestStatus::Passed
        };
        let turns = self.turns.into_iter().zip(self.turn_checks);
        let turns = turns
            .map(|(turn, checks)| JudgedTurn { turn, checks })
            .collect();
        let checks = self.checks;
        match stopped {
            Some(stopped) => Verdict {
                turns,
                checks,
                ..Verdict::stopped(stopped)
            },
            None => Verdict {
                status: judged,
                reason: None,
                details: Vec::new(),
                turns,
                checks,
            },
        }
    }
}

impl Verdict {
    /// Returns what came of a test that stopped before its first turn.
    pub(crate) fn stopped(stopped: Stopped) -> Self {
        Self {
            status: stopped.status,
            reason: Some(stopped.reason).filter(|reason| !reason.is_empty()),
            details: stopped.details,
            turns: Vec::new(),
            checks: Vec::new(),
        }
    }
}

/// Says what is wrong with a block that could not be made ready.
fn unusable(mistakes: &[Diagnostic]) -> Stopped {
    let mut lines = mistakes.iter().map(|mistake| match &mistake.place {
        Some(place) => format!("{place}: {}", mistake.message),
        None => mistake.message.clone(),
    });
    Stopped::error(lines.next().unwrap_or_default()).details(lines)
}
