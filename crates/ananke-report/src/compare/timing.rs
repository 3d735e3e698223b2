//! What took notably more or less time: by more than a fifth and by more than 50 ms. Never a regression by itself.

use super::comparison::TimingChange;
use super::side::SideTest;

/// Differences below this are noise.
const LEAST_US: u64 = 50_000;

/// Returns what took notably more or less time in two single results.
pub(super) fn changes(a: &SideTest, b: &SideTest) -> Vec<TimingChange> {
    let mut changes = Vec::new();
    changes.extend(change("test", a.duration_us, b.duration_us));
    for (index, (left, right)) in a.turns.iter().zip(&b.turns).enumerate() {
        let turn = index + 1;
        if a.turns.len() > 1 {
            changes.extend(change(
                &format!("turn {turn}"),
                left.total_us,
                right.total_us,
            ));
        }
        if let (Some(left), Some(right)) = (left.first_text_us, right.first_text_us) {
            changes.extend(change(&format!("first text of turn {turn}"), left, right));
        }
    }
    changes
}

/// Returns the difference between two times, if it is notable.
pub(super) fn change(what: &str, a_us: u64, b_us: u64) -> Option<TimingChange> {
    let difference = a_us.abs_diff(b_us);
    let is_notable = difference > LEAST_US && difference > a_us / 5;
    is_notable.then(|| TimingChange {
        what: what.to_owned(),
        a_us,
        b_us,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_differences_are_noise() {
        let notable = |a_us, b_us| change("test", a_us, b_us).is_some();
        assert!(!notable(100_000, 150_000));
        assert!(notable(100_000, 150_001));
        assert!(!notable(1_000_000, 1_200_000));
        assert!(notable(1_000_000, 1_200_001));
        assert!(notable(1_000_000, 700_000));
        assert!(notable(0, 60_000));
    }
}
