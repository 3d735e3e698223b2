//! `tools.forbid_calls`: no call of the tool meets all conditions. Without conditions, no call at all.

use ananke_model::check::CallFilter as Written;

use crate::call_filter::{CallFilter, GaveUp};
use crate::evidence::{Call, Evidence};
use crate::resolver::Resolver;
use crate::shown::{self, listed, shorten};
use crate::verdict::Verdict;

/// Forbids some calls of a tool.
#[derive(Clone, Debug)]
pub(crate) struct ForbidCalls {
    /// Which calls.
    pub(crate) filter: CallFilter,
}

impl ForbidCalls {
    /// Compiles the check; nothing if there is a mistake in it.
    pub(crate) fn compile(written: &Written, resolver: &mut Resolver<'_>) -> Option<Self> {
        Some(Self {
            filter: CallFilter::compile(written, resolver)?,
        })
    }

    /// Says what is demanded.
    pub(crate) fn expected(&self) -> String {
        format!("no call of `{}`{}", self.filter.name, self.filter.words())
    }

    /// Judges the evidence.
    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        let mut matching: Vec<&Call<'_>> = Vec::new();
        let mut n_calls = 0;
        for call in evidence.calls_of(&self.filter.name) {
            n_calls += 1;
            match self.filter.matches(call) {
                Ok(true) => matching.push(call),
                Ok(false) => {}
                Err(GaveUp(pattern)) => {
                    return Verdict::gave_up(&pattern).event(Some(call.event));
                }
            }
        }
        let actual = match n_calls {
            0 => "no call".to_owned(),
            _ => shown::matching(matching.len(), n_calls),
        };
        let Some(first) = matching.first() else {
            return Verdict::passed(actual);
        };
        Verdict::failed(actual)
            .event(Some(first.event))
            .details(listed(matching.iter().map(|call| self.line(call))))
    }

    /// Returns the call, with its result if that is what it is forbidden for.
    fn line(&self, call: &Call<'_>) -> String {
        match call.result {
            Some(result) if self.filter.looks_at_results() => {
                format!("{} -> {}", call.shown(), shorten(result))
            }
            _ => call.shown(),
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use crate::testing::{forbid_calls, judge_turn};

    const QUERIES: &str = r#"
        query({"table":"users"}) -> {"password": "x"}
        query({"table":"users"}) -> {"name": "Ann"}
        query({"table":"orders"}) -> {"password": "y"}
        query({"table":"users"})
    "#;

    #[test]
    fn all_conditions_must_hold_for_a_call() {
        let check = forbid_calls("query")
            .arg("table", "users")
            .result("password");
        assert_snapshot!(judge_turn(check, QUERIES), @r#"
        Failed tools.forbid_calls query (event 1)
        expected no call of `query` with table matching /users/ and result matching /password/
        actual 1 of 4 calls
        - event 1: query({"table":"users"}) -> {"password": "x"}
        "#);
    }

    #[test]
    fn every_matching_call_is_listed() {
        assert_snapshot!(judge_turn(forbid_calls("query").arg("table", "^users$"), QUERIES), @r#"
        Failed tools.forbid_calls query (event 1)
        expected no call of `query` with table matching /^users$/
        actual 3 of 4 calls
        - event 1: query({"table":"users"})
        - event 2: query({"table":"users"})
        - event 4: query({"table":"users"})
        "#);
    }

    #[test]
    fn without_conditions_all_calls_are_forbidden() {
        assert_snapshot!(judge_turn(forbid_calls("query"), "query({})"), @"
        Failed tools.forbid_calls query (event 1)
        expected no call of `query`
        actual 1 of 1 call
        - event 1: query({})
        ");
    }

    #[test]
    fn arg_that_is_missing_does_not_match() {
        assert_snapshot!(judge_turn(forbid_calls("query").arg("limit", "."), QUERIES), @"
        Passed tools.forbid_calls query
        expected no call of `query` with limit matching /./
        actual 0 of 4 calls
        ");
    }

    #[test]
    fn args_not_match_forbids_what_is_not_on_the_list() {
        let check = forbid_calls("query").arg_not("table", "^orders$");
        assert_snapshot!(judge_turn(check, QUERIES), @r#"
        Failed tools.forbid_calls query (event 1)
        expected no call of `query` with table not matching /^orders$/
        actual 3 of 4 calls
        - event 1: query({"table":"users"})
        - event 2: query({"table":"users"})
        - event 4: query({"table":"users"})
        "#);
    }

    #[test]
    fn result_not_match_meets_a_call_without_result() {
        let check = forbid_calls("query").result_not("password|name");
        assert_snapshot!(judge_turn(check, QUERIES), @r#"
        Failed tools.forbid_calls query (event 4)
        expected no call of `query` with result not matching /password|name/
        actual 1 of 4 calls
        - event 4: query({"table":"users"})
        "#);
    }

    #[test]
    fn a_search_that_is_given_up_is_never_a_pass() {
        let check = forbid_calls("query").arg("table", "^(?:a+|(?!x)a)+(?=b)");
        let turn = format!(r#"query({{"table":"{}!"}})"#, "a".repeat(40));
        assert_snapshot!(judge_turn(check, &turn), @"
        Failed tools.forbid_calls query (event 1)
        expected no call of `query` with table matching /^(?:a+|(?!x)a)+(?=b)/
        actual the pattern took too many steps
        - /^(?:a+|(?!x)a)+(?=b)/ needs backtracking on this text; write it without look-around, back-references or nested repetitions
        ");
    }
}
