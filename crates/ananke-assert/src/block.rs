//! Blocks that are ready to judge: every pattern compiled, every reference resolved.

use ananke_model::check::{Block, Check, Demand, Level, Origin};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::recording::Turn;
use ananke_model::result::{CheckResult, Outcome};
use ananke_model::variables::Variables;
use serde_json::Value;

use crate::checks::{
    ExpectedError, Forbid, ForbidCalls, JudgedByAgent, MaxDuration, MaxIdle, MustMatch,
    MustNotMatch, OutputMatch, ProtocolStrict, Question, Require, SnapshotMatch, TaskMatch,
};
use crate::evidence::{Evidence, Scope};
use crate::resolver::{Resolver, Unknown};
use crate::shown::shorten;
use crate::verdict::Verdict;

/// Returns a turn without its secrets, if it has any.
pub type Hide<'a> = &'a dyn Fn(&Turn) -> Option<Turn>;

/// Everything a turn or a test is judged by, ready to use. Cheap to share between threads.
#[derive(Clone, Debug)]
pub struct CompiledBlock {
    demands: Vec<CompiledDemand>,
}

#[derive(Clone, Debug)]
struct CompiledDemand {
    key: &'static str,
    check: CompiledCheck,
    origin: Origin,
}

/// A check that is ready to use; one variant for each file in [`crate::checks`].
#[derive(Clone, Debug)]
pub(crate) enum CompiledCheck {
    Forbid(Forbid),
    Require(Require),
    ForbidCalls(ForbidCalls),
    MustMatch(MustMatch),
    MustNotMatch(MustNotMatch),
    MaxDuration(MaxDuration),
    MaxIdle(MaxIdle),
    Error(ExpectedError),
    ProtocolStrict(ProtocolStrict),
    Snapshot(SnapshotMatch),
    Output(OutputMatch),
    Agent(JudgedByAgent),
    Task(TaskMatch),
}

/// Resolves the references of `block` (in patterns, values match themselves only) and compiles it.
///
/// Returns every mistake: variables without a value, patterns and paths that cannot be read.
pub fn compile(block: &Block, variables: &Variables) -> Result<CompiledBlock, Vec<Diagnostic>> {
    let mut resolver = Resolver::new(variables, Unknown::Refuse);
    let demands = block
        .demands
        .iter()
        .filter_map(|demand| compile_demand(demand, &mut resolver))
        .collect();
    if resolver.diagnostics.is_empty() {
        Ok(CompiledBlock { demands })
    } else {
        Err(resolver.diagnostics)
    }
}

fn compile_demand(demand: &Demand, resolver: &mut Resolver<'_>) -> Option<CompiledDemand> {
    Some(CompiledDemand {
        key: demand.check.key(),
        check: CompiledCheck::compile(&demand.check, resolver)?,
        origin: demand.origin.clone(),
    })
}

impl CompiledBlock {
    /// Judges one turn by itself. Returns one result for each demand, in their order.
    pub fn judge_turn(&self, turn: &Turn) -> Vec<CheckResult> {
        self.judge(&Evidence::of_turn(turn))
    }

    /// Judges all turns together. Returns one result for each demand, in their order.
    ///
    /// A call that a later turn shows again counts once, late results complete the calls they answer, texts are joined
    /// with `\n`, and times run on from turn to turn.
    pub fn judge_test(&self, turns: &[Turn]) -> Vec<CheckResult> {
        self.judge(&Evidence::of_test(turns))
    }

    /// Judges one turn by itself; what is stored for later is taken from what `hide` makes of it, if it changes anything.
    pub fn judge_turn_hiding(&self, turn: &Turn, hide: Hide<'_>) -> Vec<CheckResult> {
        self.judge_hiding(&Evidence::of_turn(turn), hide)
    }

    /// Judges all turns together; what is stored for later is taken from what `hide` makes of them, if it changes anything.
    pub fn judge_test_hiding(&self, turns: &[Turn], hide: Hide<'_>) -> Vec<CheckResult> {
        self.judge_hiding(&Evidence::of_test(turns), hide)
    }

    /// Returns what other agents have to be asked before the turn can be judged by itself.
    pub fn questions_of_turn(&self, turn: &Turn) -> Vec<Question> {
        self.questions(&Evidence::of_turn(turn))
    }

    /// Returns what other agents have to be asked before all turns can be judged together.
    pub fn questions_of_test(&self, turns: &[Turn]) -> Vec<Question> {
        self.questions(&Evidence::of_test(turns))
    }

    fn questions(&self, evidence: &Evidence<'_>) -> Vec<Question> {
        let questions = self
            .demands
            .iter()
            .filter_map(|demand| match &demand.check {
                CompiledCheck::Agent(check) => Some(check.question(evidence)),
                _ => None,
            });
        questions.collect()
    }

    /// Tells whether it may be what is demanded that `turn` ended with an error. A demand for the state of a task says so of
    /// tasks that were given up, and of no other error.
    pub fn expects_error(&self, turn: &Turn) -> bool {
        let is_task = turn
            .task
            .as_deref()
            .is_some_and(|task| task.state.is_some());
        let expects = |demand: &CompiledDemand| match &demand.check {
            CompiledCheck::Error(_) => true,
            CompiledCheck::Task(check) => is_task && check.accepts_failure,
            _ => false,
        };
        self.demands.iter().any(expects)
    }

    /// Snapshots are files that people read and share: they hold, and are compared with, what may be shown.
    fn judge_hiding(&self, evidence: &Evidence<'_>, hide: Hide<'_>) -> Vec<CheckResult> {
        let is_stored = |check: &CompiledCheck| matches!(check, CompiledCheck::Snapshot(_));
        if !self.demands.iter().any(|demand| is_stored(&demand.check)) {
            return self.judge(evidence);
        }
        let hidden: Vec<Option<Turn>> = evidence.turns.iter().map(hide).collect();
        if hidden.iter().all(Option::is_none) {
            return self.judge(evidence);
        }
        let hidden = hidden.into_iter().zip(evidence.turns);
        let hidden: Vec<Turn> = hidden
            .map(|(hidden, turn)| hidden.unwrap_or_else(|| turn.clone()))
            .collect();
        let shown = Evidence::of(&hidden, evidence.scope);
        let demands = self.demands.iter();
        demands
            .map(|demand| {
                let is_stored = is_stored(&demand.check);
                demand.judge(if is_stored { &shown } else { evidence })
            })
            .collect()
    }

    fn judge(&self, evidence: &Evidence<'_>) -> Vec<CheckResult> {
        self.demands
            .iter()
            .map(|demand| demand.judge(evidence))
            .collect()
    }
}

impl CompiledDemand {
    fn judge(&self, evidence: &Evidence<'_>) -> CheckResult {
        let mut verdict = self.check.judge(evidence);
        if verdict.outcome == Outcome::Failed && evidence.scope == Scope::Turn {
            verdict = verdict.details(self.inherited());
        }
        CheckResult {
            check: self.key.to_owned(),
            subject: self.check.subject(),
            outcome: verdict.outcome,
            expected: self.check.expected(),
            actual: verdict.actual,
            details: verdict.details,
            origin: self.origin.clone(),
            event: verdict.event,
            value: self.check.value(),
            negate: self.check.is_negated(),
            message: self.check.message(),
            samples: verdict.samples,
            snapshot: verdict.snapshot,
        }
    }

    /// Explains why a turn is to do what the test as a whole was meant to do, if that is so.
    fn inherited(&self) -> Option<String> {
        let asks = match &self.check {
            CompiledCheck::Require(_) | CompiledCheck::MustMatch(_) | CompiledCheck::Agent(_) => {
                true
            }
            CompiledCheck::Output(check) => check.asks(),
            CompiledCheck::Task(check) => check.asks(),
            _ => false,
        };
        let level = self.origin.level;
        (asks && level != Level::Turn).then(|| {
            format!(
                "the turn inherits this from the {level} level; `inherit: limits` in its `assert` takes over prohibitions and limits only"
            )
        })
    }
}

impl CompiledCheck {
    /// Compiles one check; nothing if there is a mistake in it.
    pub(crate) fn compile(check: &Check, resolver: &mut Resolver<'_>) -> Option<Self> {
        Some(match check {
            Check::Forbid(name) => Self::Forbid(Forbid::compile(name, resolver)?),
            Check::Require(require) => Self::Require(Require::compile(require, resolver)?),
            Check::ForbidCall(filter) => Self::ForbidCalls(ForbidCalls::compile(filter, resolver)?),
            Check::MustMatch(pattern) => Self::MustMatch(MustMatch::compile(pattern, resolver)?),
            Check::MustNotMatch(pattern) => {
                Self::MustNotMatch(MustNotMatch::compile(pattern, resolver)?)
            }
            Check::MaxDuration(limit_ms) => Self::MaxDuration(MaxDuration {
                limit_ms: *limit_ms,
            }),
            Check::MaxIdle(limit_ms) => Self::MaxIdle(MaxIdle {
                limit_ms: *limit_ms,
            }),
            Check::Error(pattern) => Self::Error(ExpectedError::compile(pattern, resolver)?),
            Check::ProtocolStrict => Self::ProtocolStrict(ProtocolStrict),
            Check::Snapshot(snapshot) => {
                Self::Snapshot(SnapshotMatch::compile(snapshot, resolver)?)
            }
            Check::Output(check) => Self::Output(OutputMatch::compile(check, resolver)?),
            Check::Agent(check) => Self::Agent(JudgedByAgent::compile(check, resolver)?),
            Check::Script(check) => Self::Agent(JudgedByAgent::compile_script(check, resolver)?),
            Check::Task(check) => Self::Task(TaskMatch::compile(check, resolver)?),
        })
    }

    fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        if self.is_about_calls()
            && let Some(why) = evidence.no_calls_because()
        {
            return Verdict::inconclusive(format!("no call: {}", shorten(why)));
        }
        match self {
            Self::Forbid(check) => check.judge(evidence),
            Self::Require(check) => check.judge(evidence),
            Self::ForbidCalls(check) => check.judge(evidence),
            Self::MustMatch(check) => check.judge(evidence),
            Self::MustNotMatch(check) => check.judge(evidence),
            Self::MaxDuration(check) => check.judge(evidence),
            Self::MaxIdle(check) => check.judge(evidence),
            Self::Error(check) => check.judge(evidence),
            Self::ProtocolStrict(check) => check.judge(evidence),
            Self::Snapshot(check) => check.judge(evidence),
            Self::Output(check) => check.judge(evidence),
            Self::Agent(check) => check.judge(evidence),
            Self::Task(check) => check.judge(evidence),
        }
    }

    /// Tells whether it can be judged only where calls can be seen.
    fn is_about_calls(&self) -> bool {
        match self {
            Self::Forbid(_) | Self::Require(_) | Self::ForbidCalls(_) => true,
            Self::Output(check) => check.is_about_calls(),
            _ => false,
        }
    }

    fn expected(&self) -> String {
        match self {
            Self::Forbid(check) => check.expected(),
            Self::Require(check) => check.expected(),
            Self::ForbidCalls(check) => check.expected(),
            Self::MustMatch(check) => check.expected(),
            Self::MustNotMatch(check) => check.expected(),
            Self::MaxDuration(check) => check.expected(),
            Self::MaxIdle(check) => check.expected(),
            Self::Error(check) => check.expected(),
            Self::ProtocolStrict(check) => check.expected(),
            Self::Snapshot(check) => check.expected(),
            Self::Output(check) => check.expected(),
            Self::Agent(check) => check.expected(),
            Self::Task(check) => check.expected(),
        }
    }

    fn subject(&self) -> String {
        match self {
            Self::Forbid(check) => check.name.clone(),
            Self::Require(check) => check.filter.name.clone(),
            Self::ForbidCalls(check) => check.filter.name.clone(),
            Self::MustMatch(check) => check.needle.shown.clone(),
            Self::MustNotMatch(check) => check.needle.shown.clone(),
            Self::MaxDuration(check) => format!("{} ms", check.limit_ms),
            Self::MaxIdle(check) => format!("{} ms", check.limit_ms),
            Self::Error(check) => check.needle.shown.clone(),
            Self::ProtocolStrict(_) => "strict".to_owned(),
            Self::Snapshot(check) => check.snapshot.name.text.clone(),
            Self::Output(check) => check.subject(),
            Self::Agent(check) => check.subject(),
            Self::Task(check) => check.subject(),
        }
    }

    /// Returns the demand as written, of checks that have one value.
    fn value(&self) -> Option<Value> {
        match self {
            Self::Output(check) => check.value.clone(),
            Self::Agent(check) => check.value.clone(),
            _ => None,
        }
    }

    /// Tells whether the opposite is demanded.
    fn is_negated(&self) -> bool {
        match self {
            Self::Output(check) => check.negate,
            Self::Agent(check) => check.negate,
            _ => false,
        }
    }

    /// Returns what the user wants to be said when it does not hold.
    fn message(&self) -> Option<String> {
        match self {
            Self::Output(check) => check.message.clone(),
            Self::Agent(check) => check.message.clone(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        block, expect_error, forbid, max_duration, must_match, require, task_state, turns,
        variables,
    };

    #[test]
    fn every_demand_has_a_result_in_its_place() {
        let block = block([must_match("hello"), forbid("pay"), max_duration(50)]);
        let compiled = compile(&block, &variables()).unwrap();
        let results = compiled.judge_turn(&turns("say hello\npay({})")[0]);
        let outcomes: Vec<_> = results
            .iter()
            .map(|result| (result.check.as_str(), result.outcome))
            .collect();
        assert_eq!(
            outcomes,
            [
                ("text.must_match", Outcome::Passed),
                ("tools.forbid", Outcome::Failed),
                ("timing.max_duration_ms", Outcome::Failed),
            ]
        );
        assert!(
            results
                .iter()
                .all(|result| result.origin.level == Level::Turn)
        );
    }

    #[test]
    fn only_checks_of_errors_and_of_tasks_expect_an_error() {
        let expects = |check, turn: &str| {
            let compiled = compile(&block([check]), &variables()).unwrap();
            compiled.expects_error(&turns(turn)[0])
        };
        assert!(expects(expect_error("boom"), "error boom"));
        assert!(!expects(must_match("boom"), "error boom"));
        let failed = || task_state(&["completed", "rejected"]);
        assert!(expects(failed(), "task working failed"));
        // Another error, or that of an agent without tasks, is not what was meant.
        assert!(!expects(failed(), "task"));
        assert!(!expects(failed(), "error boom"));
        assert!(!expects(task_state(&["completed"]), "task failed"));
    }

    #[test]
    fn a_turn_that_fails_an_inherited_demand_is_told_how_not_to_inherit_it() {
        let mut block = block([must_match("hello"), require("pay").into(), forbid("search")]);
        for demand in &mut block.demands {
            demand.origin.level = Level::Test;
        }
        let compiled = compile(&block, &variables()).unwrap();
        let turns = turns("search({})");
        let explained = |results: Vec<CheckResult>| -> Vec<bool> {
            let is_explained = |line: &String| line.contains("inherit: limits");
            let results = results.iter();
            results
                .map(|result| result.details.iter().any(is_explained))
                .collect()
        };
        assert_eq!(
            explained(compiled.judge_turn(&turns[0])),
            [true, true, false]
        );
        assert_eq!(explained(compiled.judge_test(&turns)), [false; 3]);
        assert_eq!(
            compiled.judge_turn(&turns[0])[0].details,
            [
                "the turn inherits this from the test level; `inherit: limits` in its `assert` takes over prohibitions and limits only"
            ]
        );
    }

    #[test]
    fn a_test_without_turns_gives_no_evidence() {
        let block = block([must_match("."), expect_error(".")]);
        let results = compile(&block, &variables()).unwrap().judge_test(&[]);
        assert!(results.iter().all(CheckResult::is_failure));
    }
}
