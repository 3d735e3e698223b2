//! `timing.max_idle_ms`: an inclusive limit on every stretch in which no tool call is in progress.

use crate::checks::max_duration_ms::clock_note;
use crate::evidence::{Call, Evidence};
use crate::shown::{listed, milliseconds};
use crate::verdict::Verdict;

/// Limits idleness.
#[derive(Clone, Debug)]
pub(crate) struct MaxIdle {
    /// The limit.
    pub(crate) limit_ms: u64,
}

/// A stretch without a call in progress, and what stands on either side.
struct Gap<'e, 'a> {
    length_us: u64,
    before: Option<&'e Call<'a>>,
    after: Option<&'e Call<'a>>,
}

impl MaxIdle {
    /// Says what is demanded.
    pub(crate) fn expected(&self) -> String {
        format!(
            "at most {} ms without a tool call in progress",
            self.limit_ms
        )
    }

    /// Judges the evidence.
    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        let gaps = gaps(evidence);
        let limit_us = self.limit_ms.saturating_mul(1000);
        // The first of several equally long stretches.
        let longest = gaps.iter().rev().max_by_key(|gap| gap.length_us);
        let Some(longest) = longest else {
            return Verdict::passed(milliseconds(0)).details(clock_note(evidence));
        };
        if longest.length_us <= limit_us {
            return Verdict::passed(longest.shown()).details(clock_note(evidence));
        }
        let too_long: Vec<&Gap<'_, '_>> =
            gaps.iter().filter(|gap| gap.length_us > limit_us).collect();
        let mut details = Vec::new();
        if too_long.len() > 1 {
            details.push(format!("{} stretches are too long:", too_long.len()));
            details.extend(listed(too_long.iter().map(|gap| gap.shown())));
        }
        if evidence.calls.is_empty() {
            details.push("no tool was called".to_owned());
        }
        Verdict::failed(longest.shown())
            .event(longest.after.map(|call| call.event))
            .details(details)
            .details(clock_note(evidence))
    }
}

/// Returns the stretches without a call in progress, in order.
fn gaps<'e, 'a>(evidence: &'e Evidence<'a>) -> Vec<Gap<'e, 'a>> {
    let mut busy: Vec<(u64, u64, &Call<'a>)> = evidence
        .calls
        .iter()
        .filter_map(|call| call.busy_us.map(|(start, end)| (start, end, call)))
        .collect();
    // Event timestamps need not be in the order of arrival.
    busy.sort_by_key(|(start, _, _)| *start);
    let mut gaps = Vec::new();
    let mut idle_from = 0;
    let mut before = None;
    for (start, end, call) in busy {
        if start > idle_from {
            gaps.push(Gap {
                length_us: start - idle_from,
                before,
                after: Some(call),
            });
        }
        if end >= idle_from {
            idle_from = end;
            before = Some(call);
        }
    }
    if evidence.total_us > idle_from {
        gaps.push(Gap {
            length_us: evidence.total_us - idle_from,
            before,
            after: None,
        });
    }
    gaps
}

impl Gap<'_, '_> {
    fn shown(&self) -> String {
        let before = self
            .before
            .map_or_else(|| "the start".to_owned(), Call::label);
        let after = self.after.map_or_else(|| "the end".to_owned(), Call::label);
        format!(
            "{} between {before} and {after}",
            milliseconds(self.length_us)
        )
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use crate::testing::{judge_test, judge_turn, max_idle};

    #[test]
    fn the_limit_is_inclusive() {
        let turn = "
            turn 100
            a({}) -> ok @50..60
        ";
        assert_snapshot!(judge_turn(max_idle(50), turn), @"
        Passed timing.max_idle_ms 50 ms
        expected at most 50 ms without a tool call in progress
        actual 50 ms between the start and `a` (event 1)
        ");
        assert_snapshot!(judge_turn(max_idle(49), turn), @"
        Failed timing.max_idle_ms 49 ms (event 1)
        expected at most 49 ms without a tool call in progress
        actual 50 ms between the start and `a` (event 1)
        ");
    }

    #[test]
    fn without_tools_the_whole_time_is_idle() {
        assert_snapshot!(judge_turn(max_idle(99), "turn 100"), @"
        Failed timing.max_idle_ms 99 ms
        expected at most 99 ms without a tool call in progress
        actual 100 ms between the start and the end
        - no tool was called
        ");
    }

    #[test]
    fn a_long_running_tool_is_not_idle() {
        assert_snapshot!(judge_turn(max_idle(10), "
            turn 1000
            slow({}) -> ok @10..990
        "), @"
        Passed timing.max_idle_ms 10 ms
        expected at most 10 ms without a tool call in progress
        actual 10 ms between the start and `slow` (event 1)
        ");
    }

    #[test]
    fn calls_that_overlap_leave_no_gap() {
        assert_snapshot!(judge_turn(max_idle(10), "
            turn 100
            a({}) -> ok @0..60
            b({}) -> ok @10..20
            c({}) -> ok @50..100
        "), @"
        Passed timing.max_idle_ms 10 ms
        expected at most 10 ms without a tool call in progress
        actual 0 ms
        ");
    }

    #[test]
    fn a_call_without_result_is_in_progress_until_its_arguments_end() {
        assert_snapshot!(judge_turn(max_idle(50), "
            turn 100
            a({}) @10..20
        "), @"
        Failed timing.max_idle_ms 50 ms
        expected at most 50 ms without a tool call in progress
        actual 80 ms between `a` (event 1) and the end
        ");
    }

    #[test]
    fn every_stretch_that_is_too_long_is_listed() {
        assert_snapshot!(judge_turn(max_idle(10), "
            turn 100
            a({}) -> ok @20..30
            b({}) -> ok @35..40
        "), @"
        Failed timing.max_idle_ms 10 ms
        expected at most 10 ms without a tool call in progress
        actual 60 ms between `b` (event 2) and the end
        - 2 stretches are too long:
        - 20 ms between the start and `a` (event 1)
        - 60 ms between `b` (event 2) and the end
        ");
    }

    #[test]
    fn turns_are_laid_end_to_end() {
        assert_snapshot!(judge_test(max_idle(50), "
            turn 100
            a({}) -> ok @0..70
            turn 100
            b({}) -> ok @30..100
        "), @"
        Failed timing.max_idle_ms 50 ms (event 1)
        expected at most 50 ms without a tool call in progress
        actual 60 ms between `a` (turn 1, event 1) and `b` (turn 2, event 1)
        ");
    }

    #[test]
    fn event_timestamps_are_used_on_request() {
        assert_snapshot!(judge_turn(max_idle(40), "
            turn 500 events 1000..1100
            a({}) -> ok @400..450 events 1050..1060
        "), @"
        Failed timing.max_idle_ms 40 ms (event 1)
        expected at most 40 ms without a tool call in progress
        actual 50 ms between the start and `a` (event 1)
        ");
    }
}
