//! `state`: the agent changes the state that it shares with the front end.

use ananke_model::conformance::ScenarioSetup;

use super::opening::{Outcome, begin, last_in_words, not_shown, say_all, shown};
use crate::drive::driver::Driver;

/// Makes the agent change the shared state.
pub(in crate::drive) async fn state(driver: &mut Driver<'_>, setup: &ScenarioSetup) -> Outcome {
    let mut thread = begin(driver, setup).await?;
    let runs = say_all(driver, setup, &mut thread).await?;
    let count = |kind: &str| -> usize {
        let exchanges = runs
            .iter()
            .filter_map(|seen| driver.case.exchanges.get(seen.exchange));
        exchanges
            .map(|exchange| exchange.answer.of_kind(kind).count())
            .sum()
    };
    let (n_snapshots, n_deltas) = (count("STATE_SNAPSHOT"), count("STATE_DELTA"));
    if n_snapshots + n_deltas == 0 {
        let ended = last_in_words(&runs);
        return not_shown(format!(
            "neither `STATE_SNAPSHOT` nor `STATE_DELTA` came; {ended}"
        ));
    }
    shown(format!(
        "{n_snapshots} `STATE_SNAPSHOT` and {n_deltas} `STATE_DELTA` came"
    ))
}
