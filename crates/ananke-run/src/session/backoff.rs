//! Back-off within one turn: what to do when the agent refuses a request because it is busy.

use std::time::Duration;

use ananke_model::recording::{Refusal, Turn, TurnStatus};

/// The first wait when the agent does not say how long; each further one is twice as long.
const FIRST: Duration = Duration::from_millis(500);
/// The longest wait that is not the agent's own wish.
const LONGEST: Duration = Duration::from_secs(10);
/// What is suggested to those who have not turned it on.
const SUGGESTED: Duration = Duration::from_secs(30);

/// The waits of one turn.
#[derive(Debug)]
pub(crate) struct Backoff {
    /// How long the turn may wait in all; `None` if nothing is to be sent again.
    limit: Option<Duration>,
    n_waits: u32,
    waited: Duration,
}

/// What to do about a refusal.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Wait, then send again.
    Wait(Duration),
    /// The turn fails; these words say why it was not sent again.
    GiveUp(String),
}

impl Backoff {
    pub(crate) fn new(limit: Option<Duration>) -> Self {
        Self {
            limit,
            n_waits: 0,
            waited: Duration::ZERO,
        }
    }

    /// Decides what to do about a refusal.
    pub(crate) fn refused(&mut self, refusal: Refusal) -> Decision {
        let asked = asked(refusal);
        let Some(limit) = self.limit else {
            return Decision::GiveUp(hint(asked));
        };
        let own = FIRST.saturating_mul(1 << self.n_waits.min(16)).min(LONGEST);
        let wait = asked.unwrap_or(own);
        let sum = self.waited + wait;
        if sum > limit {
            return Decision::GiveUp(match asked {
                _ if self.n_waits > 0 => format!("gave up after waiting {}", shown(self.waited)),
                Some(asked) => format!(
                    "the agent asked to wait {}, longer than the back-off of {}",
                    shown(asked),
                    shown(limit)
                ),
                None => format!("a back-off of {} is too short to wait", shown(limit)),
            });
        }
        self.n_waits += 1;
        self.waited = sum;
        Decision::Wait(wait)
    }

    /// Returns what is worth telling about the waits, if there were any.
    pub(crate) fn warning(&self) -> Option<String> {
        let times = match self.n_waits {
            0 => return None,
            1 => "once".to_owned(),
            2 => "twice".to_owned(),
            n => format!("{n} times"),
        };
        let waited = shown(self.waited);
        Some(format!(
            "the agent refused the request {times} because it was busy; it was sent again after waiting {waited} in all"
        ))
    }
}

/// Returns why the agent refused the first request of a turn, if it did because it was busy: 429, or 503 with
/// `Retry-After`. Later requests answer client tools, and cannot be told from a turn that was half done.
pub(crate) fn refusal(turn: &Turn) -> Option<Refusal> {
    let TurnStatus::Broken(trouble) = &turn.status else {
        return None;
    };
    let refusal = trouble.refusal.filter(|_| turn.requests.len() <= 1)?;
    let is_busy = match refusal.status {
        429 => true,
        503 => refusal.retry_after_ms.is_some(),
        _ => false,
    };
    is_busy.then_some(refusal)
}

/// Returns how long the agent asks to wait. No time at all is no answer: sending at once is what it refused.
fn asked(refusal: Refusal) -> Option<Duration> {
    let asked = refusal.retry_after_ms.filter(|ms| *ms > 0)?;
    Some(Duration::from_millis(asked))
}

fn hint(asked: Option<Duration>) -> String {
    let enough = shown(asked.unwrap_or(SUGGESTED).max(SUGGESTED));
    match asked {
        Some(asked) => format!(
            "the agent asked to wait {}: --backoff {enough} waits and sends again",
            shown(asked)
        ),
        None => format!("--backoff {enough} waits and sends again"),
    }
}

fn shown(time: Duration) -> String {
    match time.as_millis() {
        ms if ms % 1000 == 0 => format!("{}s", ms / 1000),
        ms => format!("{ms}ms"),
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    /// Refuses until it is given up; shows the waits and the last words.
    fn waits(limit_s: Option<u64>, status: u16, retry_after_ms: Option<u64>) -> String {
        let mut backoff = Backoff::new(limit_s.map(Duration::from_secs));
        let mut lines = Vec::new();
        loop {
            let refusal = Refusal {
                status,
                retry_after_ms,
            };
            match backoff.refused(refusal) {
                Decision::Wait(wait) => lines.push(shown(wait)),
                Decision::GiveUp(why) => {
                    lines.push(why);
                    return lines.join(", ");
                }
            }
        }
    }

    #[test]
    fn what_the_agent_asks_is_waited_until_the_limit() {
        assert_snapshot!(waits(Some(5), 429, Some(2000)), @"2s, 2s, gave up after waiting 4s");
    }

    #[test]
    fn without_a_wish_the_waits_double() {
        assert_snapshot!(waits(Some(40), 429, None), @"500ms, 1s, 2s, 4s, 8s, 10s, 10s, gave up after waiting 35500ms");
        assert_eq!(waits(Some(40), 429, Some(0)), waits(Some(40), 429, None));
    }

    #[test]
    fn a_wish_beyond_the_limit_is_not_waited_for() {
        assert_snapshot!(waits(Some(30), 503, Some(60_000)), @"the agent asked to wait 60s, longer than the back-off of 30s");
    }

    #[test]
    fn those_who_have_not_turned_it_on_are_told_how() {
        assert_snapshot!(waits(None, 429, Some(1500)), @"the agent asked to wait 1500ms: --backoff 30s waits and sends again");
        assert_snapshot!(waits(None, 429, Some(90_000)), @"the agent asked to wait 90s: --backoff 90s waits and sends again");
        assert_snapshot!(waits(None, 429, None), @"--backoff 30s waits and sends again");
    }

    #[test]
    fn waits_are_told() {
        let mut backoff = Backoff::new(Some(SUGGESTED));
        assert_eq!(backoff.warning(), None);
        let mut warning = |n_waits: usize| {
            for _ in 0..n_waits {
                backoff.refused(Refusal {
                    status: 429,
                    retry_after_ms: None,
                });
            }
            backoff.warning().unwrap()
        };
        assert_snapshot!(warning(1), @"the agent refused the request once because it was busy; it was sent again after waiting 500ms in all");
        assert_snapshot!(warning(1), @"the agent refused the request twice because it was busy; it was sent again after waiting 1500ms in all");
        assert_snapshot!(warning(1), @"the agent refused the request 3 times because it was busy; it was sent again after waiting 3500ms in all");
    }
}
