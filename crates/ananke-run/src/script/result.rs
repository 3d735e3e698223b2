//! The result of a test function: what was recorded of it decides, live and from a recording alike.

use std::time::Duration;

use ananke_model::plan::PlannedTest;
use ananke_model::recording::Turn;
use ananke_model::result::{INTERRUPTED, JudgedTurn, Reach, TestResult, TestStatus};
use ananke_model::script::{FailureKind, ScriptLog, ScriptRecord};
use ananke_model::variables::Variables;

use super::add;
use super::shown::{details, reason};
use crate::session::{Stopped, not_run};

/// The reason of a test that demanded nothing.
const NO_ASSERTION: &str = "no assertion was evaluated: a test that demands nothing shows nothing";
/// The reason of a test that skipped itself without one.
const SKIPPED: &str = "skipped by the test itself";

/// Returns how a test function came out, and why.
pub(crate) fn came_out(record: &ScriptRecord) -> Stopped {
    let first = record.failures.first();
    if first.is_some_and(|failure| failure.kind == FailureKind::Interrupted) {
        return Stopped {
            status: TestStatus::Skipped,
            reason: INTERRUPTED.to_owned(),
            details: Vec::new(),
        };
    }
    let status = record.status();
    // What failed for sure speaks before what could not be found out.
    let is_sure = |kind: FailureKind| kind != FailureKind::Undecided;
    let sure = record.failures.iter().find(|failure| is_sure(failure.kind));
    let (reason, mut lines) = match (sure.or(first), &record.skipped) {
        (Some(failure), _) => (reason(failure), details(failure)),
        (None, Some(why)) if why.trim().is_empty() => (SKIPPED.to_owned(), Vec::new()),
        (None, Some(why)) => (why.clone(), Vec::new()),
        (None, None) if status == TestStatus::Inconclusive => {
            let next = "call a method of `t.assert`, or allow it with --allow-unchecked";
            (NO_ASSERTION.to_owned(), vec![next.to_owned()])
        }
        (None, None) => (String::new(), Vec::new()),
    };
    let told = sure.or(first);
    let others = record.failures.iter();
    let others = others.filter(|one| !told.is_some_and(|told| std::ptr::eq(told, *one)));
    lines.extend(others.map(|failure| format!("also: {}", super::in_one_line(failure))));
    if record.more_failures > 0 {
        lines.push(format!("and {} more", record.more_failures));
    }
    Stopped {
        status,
        reason,
        details: lines,
    }
}

/// What a function left beside its record.
#[derive(Debug, Default)]
pub(crate) struct Around {
    /// What it asked agents.
    pub(crate) turns: Vec<Turn>,
    pub(crate) warnings: Vec<String>,
    /// What agents that are scripts logged.
    pub(crate) logs: Vec<ScriptLog>,
    pub(crate) duration: Duration,
}

/// Returns the result of a test function; secrets are still in it.
pub(crate) fn script_result(
    test: &PlannedTest,
    variables: &Variables,
    record: Box<ScriptRecord>,
    around: Around,
) -> TestResult {
    let Around {
        turns,
        mut warnings,
        logs: agents,
        duration,
    } = around;
    let mut logs = Vec::new();
    add(&mut logs, agents);
    if record.more_logs > 0 {
        warnings.push(format!("{} lines of logs were left out", record.more_logs));
    }
    let Stopped {
        status,
        reason,
        details,
    } = came_out(&record);
    let reach = match turns.as_slice() {
        [] => Reach::NotTried,
        turns if turns.iter().any(|turn| turn.reached) => Reach::Reached,
        _ => Reach::Unreached,
    };
    let started_at_ms = turns.first().map(|turn| turn.timing.started_at_ms);
    let ended_at_ms = turns.last().map(|turn| {
        let total_ms = i64::try_from(turn.timing.total_us / 1000).unwrap_or(i64::MAX);
        turn.timing.started_at_ms.saturating_add(total_ms)
    });
    let turns = turns.into_iter().map(|turn| JudgedTurn {
        turn,
        checks: Vec::new(),
    });
    let turns: Vec<JudgedTurn> = turns.collect();
    TestResult {
        status,
        reason: Some(reason).filter(|reason| !reason.is_empty()),
        reason_details: details,
        n_turns: turns.len(),
        turns,
        warnings,
        reach,
        started_at_ms,
        ended_at_ms,
        duration_us: u64::try_from(duration.as_micros()).unwrap_or(u64::MAX),
        script: Some(record),
        logs,
        ..not_run(test, variables, "")
    }
}

#[cfg(test)]
mod tests {
    use ananke_model::script::ScriptFailure;
    use insta::assert_snapshot;

    use super::*;

    fn shown(record: &ScriptRecord) -> String {
        let Stopped {
            status,
            reason,
            details,
        } = came_out(record);
        format!("{} {reason:?} {details:?}", status.word())
    }

    fn failed(kinds: &[FailureKind]) -> ScriptRecord {
        let failures = kinds.iter().map(|kind| ScriptFailure {
            kind: *kind,
            message: format!("{kind:?}"),
            ..ScriptFailure::default()
        });
        ScriptRecord {
            failures: failures.collect(),
            ..ScriptRecord::default()
        }
    }

    #[test]
    fn the_record_decides() {
        use FailureKind::{Assertion, Hook, Interrupted, Thrown, Timeout, Undecided};
        let record = ScriptRecord::default();
        assert_snapshot!(shown(&record), @r#"INCONCLUSIVE "no assertion was evaluated: a test that demands nothing shows nothing" ["call a method of `t.assert`, or allow it with --allow-unchecked"]"#);
        let passed = ScriptRecord {
            assertions: 1,
            ..record.clone()
        };
        assert_snapshot!(shown(&passed), @r#"PASSED "" []"#);
        let skipped = ScriptRecord {
            skipped: Some(String::new()),
            ..record.clone()
        };
        assert_snapshot!(shown(&skipped), @r#"SKIPPED "skipped by the test itself" []"#);
        let skipped = ScriptRecord {
            skipped: Some("no key".to_owned()),
            ..record
        };
        assert_snapshot!(shown(&skipped), @r#"SKIPPED "no key" []"#);
        assert_snapshot!(shown(&failed(&[Assertion, Thrown])), @r#"FAILED "assertion failed: Assertion" ["also: Thrown"]"#);
        assert_snapshot!(shown(&failed(&[Undecided])), @r#"INCONCLUSIVE "Undecided" []"#);
        assert_snapshot!(shown(&failed(&[Undecided, Assertion])), @r#"FAILED "assertion failed: Assertion" ["also: Undecided"]"#);
        assert_snapshot!(shown(&failed(&[Timeout])), @r#"TIMEOUT "Timeout" []"#);
        assert_snapshot!(shown(&failed(&[Hook])), @r#"ERROR "Hook" []"#);
        assert_snapshot!(shown(&failed(&[Interrupted])), @r#"SKIPPED "interrupted" []"#);
    }
}
