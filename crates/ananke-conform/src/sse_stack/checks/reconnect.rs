//! `reconnect.*`: whether what was missed can be had.

use ananke_model::conformance::{Layer, Level};

use super::wire::{counted, no_frame};
use super::{Check, Outcome, Step};
use crate::sse_stack::numbers::{Numbered, Numbers};
use crate::sse_stack::seen::{Answered, Ending, Seen};

pub(super) static CHECKS: &[Check] = &[Check {
    id: "reconnect.since_gap_free",
    layer: Layer::Http,
    level: Level::Convention,
    title: "`?since=N` gives every event after number N again, and none before",
    reason: "a client that lost the connection must be able to go on without a hole and without doubles.",
    section: "common practice of event streams",
    advice: "Keep the last events with their numbers; on `?since=N` send those with a higher number, in order, and go on live.",
    step: Step::Reconnect,
    look: since_gap_free,
}];

/// What is asked for, and what should come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sse_stack) struct Plan {
    /// The N of `?since=N`.
    pub(in crate::sse_stack) since: u64,
    /// The frames that were seen after it.
    pub(in crate::sse_stack) tail: Vec<Numbered>,
}

/// Chooses a number in the middle of what was seen; else says why there is none.
pub(in crate::sse_stack) fn plan(stream: &Answered) -> Result<Plan, String> {
    let numbers = Numbers::of(&stream.frames);
    if numbers.all.len() < 2 {
        let n_numbers = numbers.all.len();
        return Err(format!(
            "at least two frames with numbers are needed, and {n_numbers} came"
        ));
    }
    if numbers.first_that_does_not_rise().is_some() {
        return Err("the numbers of the stream do not rise".to_owned());
    }
    let middle = (numbers.all.len() - 1) / 2;
    let since = numbers.all[middle].number;
    let tail = numbers.all.into_iter().skip(middle + 1).collect();
    Ok(Plan { since, tail })
}

fn since_gap_free(seen: &Seen) -> Outcome {
    let plan = match plan(&seen.stream) {
        Ok(plan) => plan,
        Err(_) if seen.stream.frames.is_empty() => return Outcome::Inconclusive(no_frame(seen)),
        Err(why) => return Outcome::Inconclusive(why),
    };
    let answer = seen.reconnect.as_ref().map(|asked| &asked.answer);
    match answer {
        None => Outcome::inconclusive("the stream was not asked for again"),
        Some(Err(why)) => Outcome::inconclusive(format!("the second request got no answer: {why}")),
        Some(Ok(answered)) => compared(&plan, answered),
    }
}

fn compared(plan: &Plan, answered: &Answered) -> Outcome {
    let since = plan.since;
    if answered.status != 200 {
        return Outcome::fail(format!(
            "expected status 200 for `?since={since}`, seen {}",
            answered.status
        ));
    }
    let again = Numbers::of(&answered.frames).all;
    for (expected, found) in plan.tail.iter().zip(&again) {
        let (wanted, number) = (expected.number, found.number);
        if number <= since {
            return Outcome::fail_at(
                found.index,
                format!("`?since={since}` sends number {number} again, which is not after {since}"),
            );
        }
        if number != wanted {
            let what = if number > wanted {
                "a gap"
            } else {
                "a new number"
            };
            return Outcome::fail_at(
                found.index,
                format!("{what}: after `?since={since}` expected number {wanted}, seen {number}"),
            );
        }
        if found.kind != expected.kind {
            return Outcome::fail_at(
                found.index,
                format!(
                    "number {number} was `{}` at first, and is `{}` after `?since={since}`",
                    expected.kind, found.kind
                ),
            );
        }
    }
    let (n_tail, n_again) = (plan.tail.len(), again.len().min(plan.tail.len()));
    if n_again < n_tail {
        let ending = match &answered.ending {
            Ending::TooLate => format!("{} ms were over", answered.duration_ms),
            other => other.words(),
        };
        return Outcome::fail(format!(
            "`?since={since}` sent {n_again} of {n_tail} events again before {ending}"
        ));
    }
    Outcome::pass(format!(
        "`?since={since}` sent {} again, and left none out",
        counted(n_tail, "event")
    ))
}
