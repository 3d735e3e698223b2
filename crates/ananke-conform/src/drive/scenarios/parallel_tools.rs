//! `parallel-tools`: several calls are under way before the first result comes.

use std::collections::BTreeSet;

use ananke_model::conformance::ScenarioSetup;

use super::opening::{Outcome, begin, last_in_words, not_shown, say_all, shown};
use crate::drive::driver::Driver;
use crate::exchange::Answer;

/// Makes the agent call several tools at once.
pub(in crate::drive) async fn parallel_tools(
    driver: &mut Driver<'_>,
    setup: &ScenarioSetup,
) -> Outcome {
    let mut thread = begin(driver, setup).await?;
    let runs = say_all(driver, setup, &mut thread).await?;
    let exchanges = &driver.case.exchanges;
    let at_once = runs
        .iter()
        .filter_map(|seen| exchanges.get(seen.exchange))
        .map(|exchange| n_at_once(&exchange.answer))
        .max()
        .unwrap_or_default();
    if at_once >= 2 {
        return shown(format!(
            "{at_once} calls were under way before the first result"
        ));
    }
    let n_calls: usize = runs.iter().map(|seen| seen.calls.len()).sum();
    not_shown(format!(
        "the agent made {n_calls} calls, never two at once; {}",
        last_in_words(&runs)
    ))
}

/// Returns the largest number of calls that began with no result between them, or that one message holds.
fn n_at_once(answer: &Answer) -> usize {
    let mut most = 0;
    let mut begun: BTreeSet<&str> = BTreeSet::new();
    for event in &answer.events {
        match event.kind() {
            Some("TOOL_CALL_START" | "TOOL_CALL_CHUNK") => begun.extend(event.text("toolCallId")),
            Some("TOOL_CALL_RESULT") => begun.clear(),
            Some("MESSAGES_SNAPSHOT") => {
                let messages = event.get("messages").and_then(|list| list.as_array());
                let calls = messages.into_iter().flatten();
                let held = calls.filter_map(|message| message.get("toolCalls")?.as_array());
                most = held.map(Vec::len).max().unwrap_or_default().max(most);
            }
            _ => {}
        }
        most = most.max(begun.len());
    }
    most
}
