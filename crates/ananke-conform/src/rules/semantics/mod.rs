//! What events mean together with the request: calls and their results, ids, snapshots, state, usage, time.
//!
//! `story` tells what an answer says, which `unfold` reads from its events; `held` what somebody holds already, be it a
//! request or a snapshot. The other files have the rules.

mod activity;
mod arguments;
mod calls;
mod custom;
mod encrypted;
mod held;
mod history;
mod interrupts;
mod parents;
mod patches;
mod renamed;
mod reopened;
mod restreamed;
mod results;
mod reused;
pub(super) mod run;
mod shown;
mod snapshots;
mod stable;
mod state;
mod story;
mod suspended;
#[cfg(test)]
mod tests;
mod timestamps;
mod unfold;
mod unstreamed;
mod usage;
mod waiting;

use story::Story;

use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

/// The rules, file by file.
pub(super) const RULES: &[&[&Rule]] = &[
    calls::RULES,
    results::RULES,
    arguments::RULES,
    parents::RULES,
    restreamed::RULES,
    reused::RULES,
    reopened::RULES,
    encrypted::RULES,
    snapshots::RULES,
    shown::RULES,
    stable::RULES,
    history::RULES,
    state::RULES,
    activity::RULES,
    usage::RULES,
    timestamps::RULES,
    custom::RULES,
    interrupts::RULES,
    waiting::RULES,
    suspended::RULES,
];

/// Looks at an exchange.
pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let story = Story::of(exchange);
    calls::look(exchange, &story, found);
    results::look(exchange, &story, found);
    arguments::look(&story, found);
    parents::look(&story, found);
    restreamed::look(exchange, &story, found);
    reused::look(exchange, &story, found);
    reopened::look(&story, found);
    encrypted::look(exchange, &story, found);
    snapshots::look(exchange, &story, found);
    stable::look(exchange, &story, found);
    history::look(exchange, &story, found);
    state::look(exchange, found);
    usage::look(exchange, found);
    timestamps::look(exchange, found);
    custom::look(exchange, found);
    interrupts::look(exchange, found);
    waiting::look(exchange, &story, found);
    suspended::look(exchange, found);
}

/// Compares the runs of each thread.
pub(super) fn look_at_threads(exchanges: &[Exchange], found: &mut Findings) {
    reused::look_at_threads(exchanges, found);
    stable::look_at_threads(exchanges, found);
    activity::look_at_threads(exchanges, found);
    suspended::look_at_threads(exchanges, found);
}
