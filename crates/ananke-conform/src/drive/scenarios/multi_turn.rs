//! `multi-turn`: several runs on one thread, each with the whole history.

use ananke_model::conformance::ScenarioSetup;

use super::opening::{Outcome, begin, last_in_words, not_shown, say_all, shown};
use crate::drive::driver::Driver;
use crate::drive::seen::RunEnd;

/// Goes on talking.
pub(in crate::drive) async fn multi_turn(
    driver: &mut Driver<'_>,
    setup: &ScenarioSetup,
) -> Outcome {
    let mut thread = begin(driver, setup).await?;
    let runs = say_all(driver, setup, &mut thread).await?;
    let is_good = runs.iter().all(|seen| seen.end == RunEnd::Success);
    let has_words = runs.iter().filter(|seen| seen.has_text).count();
    match runs.len() {
        n_runs if n_runs >= 2 && is_good => shown(format!(
            "{n_runs} runs on one thread, {has_words} of them answered in words"
        )),
        n_runs => not_shown(format!(
            "{n_runs} of {} runs came, {has_words} of them answered in words; {}",
            setup.prompts.len(),
            last_in_words(&runs)
        )),
    }
}
