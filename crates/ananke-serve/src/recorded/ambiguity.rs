//! Conversations with several recordings that differ: which of them a request gets is a matter of order.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::exchange::Exchange;
use super::matching::{decisions, history, n_new_results};

/// A conversation that was recorded several times, with answers that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ambiguity {
    /// What the user said last before the answers differ; empty if nothing.
    pub message: String,
    /// The tests that recorded it, by name.
    pub tests: Vec<String>,
    /// Whether agents differ too, so that requests could be told apart by naming theirs.
    pub has_several_targets: bool,
}

/// Finds the requests that recordings answer in different ways. Where a conversation goes on after such a request, what
/// follows is not counted again.
pub(super) fn ambiguities(exchanges: &[Exchange]) -> Vec<Ambiguity> {
    let mut groups: HashMap<String, Vec<&Exchange>> = HashMap::new();
    for exchange in exchanges {
        groups.entry(request(exchange)).or_default().push(exchange);
    }
    let mut groups: Vec<Vec<&Exchange>> = groups.into_values().filter(|g| differ(g)).collect();
    // Beginnings come before what follows them.
    groups.sort_by_key(|group| group.first().map(|e| (e.said.len(), e.recording)));
    let mut said: Vec<&[String]> = Vec::new();
    let mut found = Vec::new();
    for group in groups {
        let Some(first) = group.first() else {
            continue;
        };
        if said.iter().any(|before| first.said.starts_with(before)) {
            continue;
        }
        said.push(&first.said);
        let tests: BTreeSet<&str> = group.iter().map(|e| e.test.as_str()).collect();
        found.push(Ambiguity {
            message: first.said.last().cloned().unwrap_or_default(),
            tests: tests.into_iter().map(str::to_owned).collect(),
            has_several_targets: group.iter().any(|e| e.target != first.target),
        });
    }
    found
}

/// Returns all that tells a request from others, but for the agent that it names.
fn request(exchange: &Exchange) -> String {
    let input = &exchange.input;
    // Nothing but the thread tells apart who has not said anything.
    let thread = exchange.said.is_empty().then_some(&input.thread_id);
    let history = exchange.is_case.then(|| history(input));
    format!(
        "{:?}",
        (
            (exchange.face, exchange.ask),
            history,
            &exchange.said,
            decisions(input),
            n_new_results(input),
            &input.state,
            thread
        )
    )
}

/// Tells whether tests differ. One of them may have several answers to the same request, also because it was run several
/// times: they come one after the other.
fn differ(group: &[&Exchange]) -> bool {
    let mut tests: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for exchange in group {
        let answers = tests.entry(&exchange.test).or_default();
        answers.push(exchange.gist);
    }
    let answers: BTreeSet<Vec<u64>> = tests.into_values().collect();
    answers.len() > 1
}
