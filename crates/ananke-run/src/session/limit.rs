//! How long a test may take, and how that is said.

use std::time::Duration;

use ananke_model::plan::{PlannedTest, PlannedTurn};

/// No test takes longer; more than this could not be added to a clock.
const LONGEST: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

/// Returns how long a test may take in all: what it says itself, else what holds for the run.
pub(crate) fn of_test(test: &PlannedTest, of_run: Duration) -> Duration {
    let own = test.timeout_ms.map(Duration::from_millis);
    own.unwrap_or(of_run).min(LONGEST)
}

/// Returns how long a turn may take: what it says itself, else what its target says. The planner gives the one turn of a
/// case a limit that is never hit where only the whole case has one.
pub(super) fn of_turn(test: &PlannedTest, turn: &PlannedTurn) -> Duration {
    let own = turn.timeout_ms;
    Duration::from_millis(own.unwrap_or_else(|| test.target.protocol.timeout_ms()))
}

/// Says that a limit was hit, as cases say it.
pub(super) fn case_timeout(limit: Duration) -> String {
    format!("timeout after {}", shown(limit))
}

/// Says that the limit of a whole test was hit, as tests of several turns say it.
pub(super) fn test_timeout(limit: Duration) -> String {
    let limit = limit.as_millis();
    format!("timeout after {limit}ms for the whole test (--timeout)")
}

/// Returns a time as a user writes it: `500ms`, `30s`, `1m30s`, `1h`.
pub(crate) fn shown(time: Duration) -> String {
    let ms = time.as_millis();
    let parts = [
        (ms / 3_600_000, "h"),
        (ms / 60_000 % 60, "m"),
        (ms / 1_000 % 60, "s"),
        (ms % 1_000, "ms"),
    ];
    let shown: String = parts
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, unit)| format!("{n}{unit}"))
        .collect();
    if shown.is_empty() {
        return "0s".to_owned();
    }
    shown
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::shown;

    #[test]
    fn times_are_shown_as_they_are_written() {
        let times = [0, 500, 30_000, 300_000, 90_000, 3_600_000, 3_661_005];
        let shown = times.map(|ms| shown(Duration::from_millis(ms))).join(" ");
        assert_eq!(shown, "0s 500ms 30s 5m 1m30s 1h 1h1m1s5ms");
    }
}
