//! `error`: the run ends with an error whose message or code matches.

use ananke_model::place::Text;
use ananke_model::recording::{Turn, TurnStatus};

use crate::evidence::{Evidence, Scope};
use crate::resolver::{Needle, Resolver};
use crate::shown::{listed, shorten};
use crate::verdict::Verdict;

/// Expects a run to fail.
#[derive(Clone, Debug)]
pub(crate) struct ExpectedError {
    /// The pattern for the message.
    pub(crate) needle: Needle,
}

impl ExpectedError {
    /// Compiles the check; nothing if there is a mistake in it.
    pub(crate) fn compile(pattern: &Text, resolver: &mut Resolver<'_>) -> Option<Self> {
        Some(Self {
            needle: resolver.pattern(pattern)?,
        })
    }

    /// Says what is demanded.
    pub(crate) fn expected(&self) -> String {
        format!("a run error matching {}", self.needle.shown)
    }

    /// Judges the evidence.
    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        for turn in evidence.turns {
            let TurnStatus::RunError { message, code } = &turn.status else {
                continue;
            };
            for text in [Some(message), code.as_ref()].into_iter().flatten() {
                match self.needle.is_match(text) {
                    Ok(true) => return Verdict::passed(ending(turn)),
                    Ok(false) => {}
                    Err(_) => return Verdict::gave_up(&self.needle.shown),
                }
            }
        }
        let Some(last) = evidence.turns.last() else {
            return Verdict::failed("no turn was run");
        };
        let verdict = Verdict::failed(ending(last));
        if evidence.scope == Scope::Turn {
            return verdict;
        }
        let endings = evidence.turns.iter().enumerate();
        verdict.details(listed(
            endings.map(|(index, turn)| format!("turn {}: {}", index + 1, ending(turn))),
        ))
    }
}

fn ending(turn: &Turn) -> String {
    match &turn.status {
        TurnStatus::Finished => "the run finished without an error".to_owned(),
        TurnStatus::RunError {
            message,
            code: None,
        } => format!("the run failed: {}", shorten(message)),
        TurnStatus::RunError {
            message,
            code: Some(code),
        } => format!(
            "the run failed: {} (code {})",
            shorten(message),
            shorten(code)
        ),
        TurnStatus::Broken(trouble) => {
            format!("the run never ended: {}", shorten(&trouble.message))
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use crate::testing::{expect_error, judge_test, judge_turn};

    #[test]
    fn the_message_or_the_code_matches() {
        assert_snapshot!(judge_turn(expect_error("quota"), "error quota is used up / E42"), @"
        Passed error /quota/
        expected a run error matching /quota/
        actual the run failed: quota is used up (code E42)
        ");
        assert_snapshot!(judge_turn(expect_error("^E42$"), "error quota is used up / E42"), @"
        Passed error /^E42$/
        expected a run error matching /^E42$/
        actual the run failed: quota is used up (code E42)
        ");
    }

    #[test]
    fn another_error_is_not_the_expected_one() {
        assert_snapshot!(judge_turn(expect_error("quota"), "error boom"), @"
        Failed error /quota/
        expected a run error matching /quota/
        actual the run failed: boom
        ");
    }

    #[test]
    fn a_run_that_finished_or_broke_is_not_an_error() {
        assert_snapshot!(judge_turn(expect_error("."), "say fine"), @"
        Failed error /./
        expected a run error matching /./
        actual the run finished without an error
        ");
        assert_snapshot!(judge_turn(expect_error("."), "broken the stream was cut"), @"
        Failed error /./
        expected a run error matching /./
        actual the run never ended: the stream was cut
        ");
    }

    #[test]
    fn at_test_level_any_turn_may_fail() {
        let turns = "
            turn
            error boom
            turn
            say fine
        ";
        assert_snapshot!(judge_test(expect_error("boom"), turns), @"
        Passed error /boom/
        expected a run error matching /boom/
        actual the run failed: boom
        ");
        assert_snapshot!(judge_test(expect_error("quota"), turns), @"
        Failed error /quota/
        expected a run error matching /quota/
        actual the run finished without an error
        - turn 1: the run failed: boom
        - turn 2: the run finished without an error
        ");
    }
}
