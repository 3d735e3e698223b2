//! `timing.max_duration_ms`: an inclusive limit on the time from the request to the terminal event.

use crate::evidence::Evidence;
use crate::shown::milliseconds;
use crate::verdict::Verdict;

/// Limits the duration.
#[derive(Clone, Debug)]
pub(crate) struct MaxDuration {
    /// The limit.
    pub(crate) limit_ms: u64,
}

impl MaxDuration {
    /// Says what is demanded.
    pub(crate) fn expected(&self) -> String {
        format!("at most {} ms", self.limit_ms)
    }

    /// Judges the evidence.
    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        let actual = milliseconds(evidence.total_us);
        let verdict = if evidence.total_us <= self.limit_ms.saturating_mul(1000) {
            Verdict::passed(actual)
        } else {
            Verdict::failed(actual)
        };
        verdict.details(clock_note(evidence))
    }
}

/// Says that event timestamps were asked for and could not be used.
pub(super) fn clock_note(evidence: &Evidence<'_>) -> Option<String> {
    if evidence.without_event_clock.is_empty() {
        return None;
    }
    Some("measured by arrival: not every event has a usable timestamp".to_owned())
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use crate::testing::{judge_test, judge_turn, max_duration};

    #[test]
    fn the_limit_is_inclusive() {
        assert_snapshot!(judge_turn(max_duration(100), "turn 100"), @"
        Passed timing.max_duration_ms 100 ms
        expected at most 100 ms
        actual 100 ms
        ");
        assert_snapshot!(judge_turn(max_duration(100), "turn 100.001"), @"
        Failed timing.max_duration_ms 100 ms
        expected at most 100 ms
        actual 100.001 ms
        ");
    }

    #[test]
    fn a_test_takes_as_long_as_its_turns_together() {
        assert_snapshot!(judge_test(max_duration(100), "
            turn 60
            turn 41
        "), @"
        Failed timing.max_duration_ms 100 ms
        expected at most 100 ms
        actual 101 ms
        ");
    }

    #[test]
    fn event_timestamps_are_used_on_request() {
        assert_snapshot!(judge_turn(max_duration(100), "turn 500 events 1000..1100"), @"
        Passed timing.max_duration_ms 100 ms
        expected at most 100 ms
        actual 100 ms
        ");
        assert_snapshot!(judge_turn(max_duration(100), "turn 50 events 1000..1101"), @"
        Failed timing.max_duration_ms 100 ms
        expected at most 100 ms
        actual 101 ms
        ");
    }

    #[test]
    fn without_usable_timestamps_arrival_counts_and_it_is_said() {
        assert_snapshot!(judge_turn(max_duration(100), "turn 50 events none"), @"
        Passed timing.max_duration_ms 100 ms
        expected at most 100 ms
        actual 50 ms
        - measured by arrival: not every event has a usable timestamp
        ");
        assert_snapshot!(judge_turn(max_duration(100), "turn 500 events 1000..900"), @"
        Failed timing.max_duration_ms 100 ms
        expected at most 100 ms
        actual 500 ms
        - measured by arrival: not every event has a usable timestamp
        ");
    }
}
