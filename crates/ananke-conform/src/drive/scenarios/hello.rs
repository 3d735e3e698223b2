//! `hello`: one message, one run that finishes.

use ananke_model::conformance::ScenarioSetup;

use super::opening::{Outcome, begin, last_in_words, not_shown, say_all, shown};
use crate::drive::driver::Driver;

/// Says hello.
pub(in crate::drive) async fn hello(driver: &mut Driver<'_>, setup: &ScenarioSetup) -> Outcome {
    let mut thread = begin(driver, setup).await?;
    let runs = say_all(driver, setup, &mut thread).await?;
    let ended = last_in_words(&runs);
    let words = match runs.iter().any(|seen| seen.has_text) {
        true => "the agent answered in words",
        false => "the agent said nothing",
    };
    let is_finished = !runs.is_empty() && runs.iter().all(|seen| seen.end.is_finished());
    let outcome = if is_finished { shown } else { not_shown };
    outcome(format!("{words}; {ended}"))
}
