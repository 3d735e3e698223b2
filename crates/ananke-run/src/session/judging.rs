//! From turns to a verdict: the one flow that live sessions and recordings share, so that they cannot differ.

use std::borrow::Cow;

use ananke_assert::{CompiledBlock, Question, compile};
use ananke_model::agent::{CheckpointResult, Opinion};
use ananke_model::check::{Block, Check};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Json;
use ananke_model::plan::PlannedTest;
use ananke_model::recording::{Trouble, TroubleKind, Turn, TurnStatus};
use ananke_model::result::{CheckResult, JudgedTurn, Outcome, TestStatus};
use ananke_model::variables::Variables;
use serde_json::{Map, Value};

use super::Stopped;
use crate::dynamic::{Checkpoints, Told, goal};
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
    /// What has to happen in a conversation that a simulator leads.
    checkpoints: Option<Checkpoints>,
    /// Why such a conversation ended before it happened.
    ended: Option<Stopped>,
    /// Why judges were not waited for.
    cut: Option<Stopped>,
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
    pub(crate) checkpoints: Vec<CheckpointResult>,
}

impl Judging {
    /// Makes the blocks of a test ready.
    pub(crate) fn compile(test: &PlannedTest, variables: &Variables) -> Result<Self, Stopped> {
        let turn_blocks = test.turns.iter().map(|turn| {
            let block = turn.block.as_ref();
            block.map(|block| compile(block, variables)).transpose()
        });
        let turn_blocks: Result<Vec<_>, _> = turn_blocks.collect();
        let dynamic = test.dynamic.as_deref();
        let checkpoints = dynamic.map(|dynamic| Checkpoints::compile(dynamic, variables));
        Ok(Self {
            turn_blocks: turn_blocks.map_err(|mistakes| unusable(&mistakes))?,
            test_block: compile(&with_expected(test), variables)
                .map_err(|mistakes| unusable(&mistakes))?,
            is_case: test.case.is_some(),
            redactor: Redactor::none(),
            turns: Vec::with_capacity(test.turns.len()),
            turn_checks: Vec::with_capacity(test.turns.len()),
            checks: Vec::new(),
            checkpoints: checkpoints
                .transpose()
                .map_err(|mistakes| unusable(&mistakes))?,
            ended: None,
            cut: None,
        })
    }

    /// Hides the secrets of a live test in what is stored for later.
    pub(crate) fn hide_by(&mut self, redactor: Redactor) {
        self.redactor = redactor;
    }

    /// Returns what other agents have to be asked before the next turn is judged.
    pub(crate) fn questions(&self, turn: &Turn) -> Vec<Question> {
        let block = self.turn_blocks.get(self.turns.len());
        let block = block.and_then(Option::as_ref);
        let block = block.filter(|block| is_judged(turn, block));
        block.map_or_else(Vec::new, |block| block.questions_of_turn(turn))
    }

    /// Returns what other agents have to be asked before all turns are judged together.
    pub(crate) fn test_questions(&self) -> Vec<Question> {
        self.test_block.questions_of_test(&self.turns)
    }

    /// Keeps what other agents said, with the last turn.
    pub(crate) fn keep(&mut self, opinions: Vec<Opinion>) {
        if let Some(turn) = self.turns.last_mut() {
            turn.opinions.extend(opinions);
        }
    }

    /// Keeps why judges were not waited for: what they leave undecided is not inconclusive then.
    pub(crate) fn cut_by(&mut self, cut: Option<Stopped>) {
        self.cut = cut;
    }

    /// Returns why the test cannot go on, if judges were not waited for.
    pub(crate) fn cut(&self) -> Option<Stopped> {
        self.cut.clone()
    }

    /// Returns what a simulator is told before the next turn.
    pub(crate) fn told(&self, told: &Told) -> Map<String, Value> {
        let checkpoints = self.checkpoints.as_ref();
        checkpoints.map_or_else(Map::new, |all| told.before(&self.turns, all))
    }

    /// Returns what other agents have to be asked before the next checkpoint of the next turn is judged; nothing once all
    /// that the turn may reach are judged.
    pub(crate) fn checkpoint_questions(&mut self, turn: &Turn) -> Option<Vec<Question>> {
        let block = self.checkpoints.as_mut()?.next(turn)?;
        Some(block.questions_of_turn(turn))
    }

    /// Judges the next checkpoint of the next turn.
    pub(crate) fn checkpoint(&mut self, turn: &Turn) {
        if let Some(checkpoints) = &mut self.checkpoints {
            checkpoints.judge(turn);
        }
    }

    /// Returns the ids of the required checkpoints that are not reached.
    pub(crate) fn missing(&self) -> Vec<&str> {
        let checkpoints = self.checkpoints.as_ref();
        checkpoints.map(Checkpoints::missing).unwrap_or_default()
    }

    /// Ends a conversation whose simulator thinks that its goal is achieved and says nothing more.
    pub(crate) fn goal_achieved(&mut self, details: Vec<String>) {
        self.ended = Some(goal(&self.missing(), details));
    }

    /// Judges the next turn.
    pub(crate) fn turn(&mut self, turn: Turn) -> Result<Next, Stopped> {
        let block = self.turn_blocks.get(self.turns.len());
        let block = block.and_then(Option::as_ref);
        let expects_error = block.is_some_and(|block| block.expects_error(&turn));
        let checks = match block.filter(|block| is_judged(&turn, block)) {
            Some(block) => block.judge_turn_hiding(&turn, &|turn| self.redactor.hidden(turn)),
            None => Vec::new(),
        };
        let number = self.turns.len() + 1;
        let checkpoints = self.checkpoints.as_mut();
        let is_wanted = checkpoints.is_some_and(|checkpoints| checkpoints.finish(&turn));
        let expects_error = expects_error || is_wanted;
        let next = match &turn.status {
            TurnStatus::Broken(trouble) => Err(self.broken(number, trouble)),
            TurnStatus::RunError { message, code } if !expects_error => {
                // If the test block expects it, the verdict is the test's.
                if self.test_block.expects_error(&turn) {
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
        let next = next.and_then(|next| self.checked(&turn, next));
        self.turns.push(turn);
        self.turn_checks.push(checks);
        next
    }

    /// Tells whether the conversation goes on, by the checkpoints if there are any.
    fn checked(&mut self, turn: &Turn, next: Next) -> Result<Next, Stopped> {
        let Some(checkpoints) = &mut self.checkpoints else {
            return Ok(next);
        };
        match checkpoints.end_turn(turn) {
            Some(Ok(())) => Ok(Next::Verdict),
            Some(Err(stopped)) if stopped.status == TestStatus::Failed => {
                self.ended = Some(stopped);
                Ok(Next::Verdict)
            }
            Some(Err(stopped)) => Err(stopped),
            // An error that the case wants ends the conversation.
            None if next == Next::Verdict => {
                self.ended = Some(goal(&checkpoints.missing(), Vec::new()));
                Ok(Next::Verdict)
            }
            None => Ok(Next::Turn),
        }
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
        let checkpoints = self.checkpoints.map(Checkpoints::into_results);
        let checkpoints = checkpoints.unwrap_or_default();
        let stopped = stopped.or(self.ended);
        let status = stopped.as_ref().map_or(judged, |stopped| stopped.status);
        let cut = self.cut.filter(|_| status == TestStatus::Inconclusive);
        match cut.or(stopped) {
            Some(stopped) => Verdict {
                turns,
                checks,
                checkpoints,
                ..Verdict::stopped(stopped)
            },
            None => Verdict {
                status: judged,
                reason: None,
                details: Vec::new(),
                turns,
                checks,
                checkpoints,
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
            checkpoints: Vec::new(),
        }
    }
}

/// Hands what a case expects to the functions that judge its output, where their checks say nothing themselves.
fn with_expected(test: &PlannedTest) -> Cow<'_, Block> {
    let expected = test.case.as_ref().and_then(|case| case.expected.as_ref());
    let is_open = |check: &Check| matches!(check, Check::Script(script) if script.value.is_none());
    let (Some(expected), true) = (
        expected,
        test.block
            .demands
            .iter()
            .any(|demand| is_open(&demand.check)),
    ) else {
        return Cow::Borrowed(&test.block);
    };
    let mut block = test.block.clone();
    for demand in &mut block.demands {
        if let Check::Script(script) = &mut demand.check
            && script.value.is_none()
        {
            script.value = Some(Json {
                value: expected.clone(),
                place: script.call.place.clone(),
            });
        }
    }
    Cow::Owned(block)
}

/// Tells whether a turn came to an end that its block can judge.
fn is_judged(turn: &Turn, block: &CompiledBlock) -> bool {
    match turn.status {
        TurnStatus::Broken(_) => false,
        TurnStatus::RunError { .. } => block.expects_error(turn),
        TurnStatus::Finished => true,
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
