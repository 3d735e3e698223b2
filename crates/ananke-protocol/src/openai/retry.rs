//! What is sent again, and when.

use std::time::Duration;

use ananke_model::recording::Refusal;

/// The first wait when the server does not say how long; each further one is four times as long.
const FIRST: Duration = Duration::from_millis(100);
const FACTOR: u32 = 4;
/// The longest wait that is not the server's own wish.
const LONGEST: Duration = Duration::from_secs(8);
/// The code of a 429 that no waiting helps against.
const NO_QUOTA: &str = "insufficient_quota";

/// The attempts at one request.
#[derive(Debug)]
pub(crate) struct Retry {
    retries: usize,
    n_retries: usize,
}

/// Why an attempt failed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure<'a> {
    pub(crate) refusal: Option<Refusal>,
    /// The server's code for it.
    pub(crate) code: Option<&'a str>,
    /// Whether the connection ended before any byte of an answer.
    pub(crate) is_closed_early: bool,
}

/// What to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Wait, then send again.
    Wait(Duration),
    /// The turn fails; these words, if any, say why it was not sent again.
    GiveUp(Option<String>),
}

impl Retry {
    pub(crate) fn new(retries: usize) -> Self {
        Self {
            retries,
            n_retries: 0,
        }
    }

    /// Decides about a failure when the turn has `left` to live.
    pub(crate) fn failed(&mut self, failure: Failure<'_>, left: Duration) -> Decision {
        if self.retries == 0 || !is_passing(failure) {
            return Decision::GiveUp(None);
        }
        if self.n_retries == self.retries {
            let n_attempts = self.n_retries + 1;
            return Decision::GiveUp(Some(format!("gave up after {n_attempts} attempts")));
        }
        let asked = failure.refusal.and_then(|refusal| refusal.retry_after_ms);
        // No time at all is no answer: sending at once is what was refused.
        let asked = asked.filter(|ms| *ms > 0).map(Duration::from_millis);
        let n_before = u32::try_from(self.n_retries.min(8)).unwrap_or_default();
        let own = FIRST.saturating_mul(FACTOR.saturating_pow(n_before));
        let wait = asked.unwrap_or(own.min(LONGEST));
        if wait >= left {
            return Decision::GiveUp(Some(match asked {
                Some(asked) => format!(
                    "the server asks to wait {}, longer than the turn has left",
                    shown(asked)
                ),
                None => "the turn has no time left to send it again".to_owned(),
            }));
        }
        self.n_retries += 1;
        Decision::Wait(wait)
    }
}

/// Tells whether the same request may succeed later.
fn is_passing(failure: Failure<'_>) -> bool {
    match failure.refusal.map(|refusal| refusal.status) {
        Some(429) => failure.code != Some(NO_QUOTA),
        Some(status) => (500..600).contains(&status),
        None => failure.is_closed_early,
    }
}

/// Shows a time as users write it.
pub(crate) fn shown(time: Duration) -> String {
    match time.as_millis() {
        ms if ms % 1000 == 0 => format!("{}s", ms / 1000),
        ms => format!("{ms}ms"),
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    /// Fails until it is given up; shows the waits and the last words.
    fn waits(retries: usize, failure: Failure<'_>) -> String {
        let mut retry = Retry::new(retries);
        let mut lines = Vec::new();
        loop {
            match retry.failed(failure, Duration::from_secs(60)) {
                Decision::Wait(wait) => lines.push(shown(wait)),
                Decision::GiveUp(why) => {
                    lines.push(why.unwrap_or_else(|| "not sent again".to_owned()));
                    return lines.join(", ");
                }
            }
        }
    }

    fn status(status: u16, retry_after_ms: Option<u64>) -> Failure<'static> {
        Failure {
            refusal: Some(Refusal {
                status,
                retry_after_ms,
            }),
            code: None,
            is_closed_early: false,
        }
    }

    #[test]
    fn waits_grow_to_a_cap() {
        assert_snapshot!(waits(6, status(503, None)), @"100ms, 400ms, 1600ms, 6400ms, 8s, 8s, gave up after 7 attempts");
        assert_eq!(waits(6, status(429, Some(0))), waits(6, status(429, None)));
    }

    #[test]
    fn what_the_server_asks_is_waited_if_the_turn_lives_that_long() {
        assert_snapshot!(waits(2, status(429, Some(1500))), @"1500ms, 1500ms, gave up after 3 attempts");
        assert_snapshot!(waits(2, status(429, Some(90_000))), @"the server asks to wait 90s, longer than the turn has left");
    }

    #[test]
    fn what_will_not_pass_is_not_sent_again() {
        let closed = Failure {
            refusal: None,
            code: None,
            is_closed_early: true,
        };
        let no_quota = Failure {
            code: Some(NO_QUOTA),
            ..status(429, Some(1000))
        };
        assert_snapshot!(waits(1, closed), @"100ms, gave up after 2 attempts");
        for failure in [
            status(400, None),
            status(401, Some(1000)),
            status(404, None),
            no_quota,
            Failure {
                is_closed_early: false,
                ..closed
            },
        ] {
            assert_eq!(waits(3, failure), "not sent again", "{failure:?}");
        }
        assert_eq!(waits(0, status(503, None)), "not sent again");
    }

    #[test]
    fn a_turn_that_is_nearly_over_does_not_wait() {
        let decision = Retry::new(3).failed(status(500, None), Duration::from_millis(100));
        let why = "the turn has no time left to send it again".to_owned();
        assert_eq!(decision, Decision::GiveUp(Some(why)));
    }
}
