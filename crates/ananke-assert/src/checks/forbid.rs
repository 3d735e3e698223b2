//! `tools.forbid`: the tool is never called. A call seen anywhere counts, without result, shown again or in a snapshot.

use ananke_model::place::Text;

use crate::evidence::{Call, Evidence};
use crate::resolver::Resolver;
use crate::shown::{counted, listed};
use crate::verdict::Verdict;

/// Forbids a tool by its whole name.
#[derive(Clone, Debug)]
pub(crate) struct Forbid {
    /// The tool.
    pub(crate) name: String,
}

impl Forbid {
    /// Compiles the check; nothing if there is a mistake in it.
    pub(crate) fn compile(name: &Text, resolver: &mut Resolver<'_>) -> Option<Self> {
        Some(Self {
            name: resolver.text(name)?,
        })
    }

    /// Says what is demanded.
    pub(crate) fn expected(&self) -> String {
        format!("no call of `{}`", self.name)
    }

    /// Judges the evidence.
    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        let Some(first) = evidence.calls_of(&self.name).next() else {
            return Verdict::passed("no call");
        };
        Verdict::failed(counted(evidence.calls_of(&self.name).count(), "call"))
            .event(Some(first.event))
            .details(listed(evidence.calls_of(&self.name).map(Call::shown)))
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use crate::testing::{forbid, judge_test, judge_turn};

    #[test]
    fn a_tool_that_was_not_called_passes() {
        assert_snapshot!(judge_turn(forbid("delete_all"), "delete({})"), @"
        Passed tools.forbid delete_all
        expected no call of `delete_all`
        actual no call
        ");
    }

    #[test]
    fn every_call_is_listed() {
        assert_snapshot!(judge_turn(forbid("delete"), r#"
            search({"q":1})
            delete({"id":1}) -> ok
            delete({"id":2}) -> ok
        "#), @r#"
        Failed tools.forbid delete (event 2)
        expected no call of `delete`
        actual 2 calls
        - event 2: delete({"id":1})
        - event 3: delete({"id":2})
        "#);
    }

    #[test]
    fn call_without_result_is_forbidden_too() {
        assert_snapshot!(judge_turn(forbid("delete"), "delete({})"), @"
        Failed tools.forbid delete (event 1)
        expected no call of `delete`
        actual 1 call
        - event 1: delete({})
        ");
    }

    #[test]
    fn names_are_whole_and_case_counts() {
        assert_snapshot!(judge_turn(forbid("delete"), "
            Delete({})
            delete_all({})
            undelete({})
        "), @"
        Passed tools.forbid delete
        expected no call of `delete`
        actual no call
        ");
    }

    #[test]
    fn call_that_is_shown_again_or_in_a_snapshot_counts() {
        assert_snapshot!(judge_turn(forbid("delete"), "
            restreamed delete({})
            snapshot delete({})
        "), @"
        Failed tools.forbid delete (event 1)
        expected no call of `delete`
        actual 2 calls
        - event 1: delete({}) (shown again)
        - event 2: delete({})
        ");
    }

    #[test]
    fn at_test_level_the_turn_is_named() {
        assert_snapshot!(judge_test(forbid("delete"), "
            turn
            search({})
            turn
            delete({})
        "), @"
        Failed tools.forbid delete (event 1)
        expected no call of `delete`
        actual 1 call
        - turn 2, event 1: delete({})
        ");
    }

    #[test]
    fn long_lists_are_cut() {
        assert_snapshot!(judge_turn(forbid("a"), &"a({})\n".repeat(13)), @"
        Failed tools.forbid a (event 1)
        expected no call of `a`
        actual 13 calls
        - event 1: a({})
        - event 2: a({})
        - event 3: a({})
        - event 4: a({})
        - event 5: a({})
        - event 6: a({})
        - event 7: a({})
        - event 8: a({})
        - event 9: a({})
        - event 10: a({})
        - and 3 more
        ");
    }
}
