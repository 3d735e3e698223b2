//! `protocol: strict`: no event breaks a sequence rule of the protocol.

use crate::evidence::{Evidence, Scope};
use crate::shown::{counted, listed, shorten};
use crate::verdict::Verdict;

/// Forbids sequence findings.
#[derive(Clone, Debug)]
pub(crate) struct ProtocolStrict;

impl ProtocolStrict {
    /// Says what is demanded.
    pub(crate) fn expected(&self) -> String {
        "no violation of the protocol".to_owned()
    }

    /// Judges the evidence.
    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        let mut lines = Vec::new();
        let mut first = None;
        for (index, turn) in evidence.turns.iter().enumerate() {
            let turn_number = (evidence.scope == Scope::Test).then_some(index + 1);
            for finding in &turn.findings {
                first.get_or_insert(finding.event);
                let place = Evidence::place(turn_number, finding.event);
                let message = shorten(&finding.message);
                lines.push(format!("{place}: {}: {message}", finding.rule));
            }
        }
        if lines.is_empty() {
            return Verdict::passed("none");
        }
        Verdict::failed(counted(lines.len(), "violation"))
            .event(first)
            .details(listed(lines))
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use crate::testing::{judge_test, judge_turn, strict};

    #[test]
    fn a_clean_turn_passes() {
        assert_snapshot!(judge_turn(strict(), "say fine"), @"
        Passed protocol strict
        expected no violation of the protocol
        actual none
        ");
    }

    #[test]
    fn findings_are_listed() {
        let turn = "
            finding V8 3 content without start
            finding V2 9 second RUN_STARTED
        ";
        assert_snapshot!(judge_turn(strict(), turn), @"
        Failed protocol strict (event 3)
        expected no violation of the protocol
        actual 2 violations
        - event 3: V8: content without start
        - event 9: V2: second RUN_STARTED
        ");
        assert_snapshot!(judge_test(strict(), &format!("turn\nturn\n{turn}")), @"
        Failed protocol strict (event 3)
        expected no violation of the protocol
        actual 2 violations
        - turn 2, event 3: V8: content without start
        - turn 2, event 9: V2: second RUN_STARTED
        ");
    }

    #[test]
    fn long_lists_are_cut() {
        assert_snapshot!(judge_turn(strict(), &"finding V8 3 again\n".repeat(14)), @"
        Failed protocol strict (event 3)
        expected no violation of the protocol
        actual 14 violations
        - event 3: V8: again
        - event 3: V8: again
        - event 3: V8: again
        - event 3: V8: again
        - event 3: V8: again
        - event 3: V8: again
        - event 3: V8: again
        - event 3: V8: again
        - event 3: V8: again
        - event 3: V8: again
        - and 4 more
        ");
    }
}
