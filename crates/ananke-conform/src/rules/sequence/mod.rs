//! The order of events: what may come when, and whose it is.
//!
//! The order itself is followed by `ananke_protocol`; here what it finds is told apart, put into words, and joined with what
//! only a judge of servers asks: did the run end, and does the answer carry the ids and the version of the request.

mod calls;
mod chunks;
mod echo;
mod finish;
mod ids;
mod items;
mod messages;
mod reading;
mod reasoning;
mod runs;
mod steps;
mod subagents;
#[cfg(test)]
mod tests;
mod thinking;
mod version;

use reading::Reading;

use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

/// The rules, file by file.
pub(super) const RULES: &[&[&Rule]] = &[
    runs::RULES,
    ids::RULES,
    version::RULES,
    echo::RULES,
    messages::RULES,
    calls::RULES,
    reasoning::RULES,
    thinking::RULES,
    steps::RULES,
    subagents::RULES,
    chunks::RULES,
    finish::RULES,
];

/// Looks at an exchange.
pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let reading = Reading::new(exchange);
    runs::look(&reading, found);
    ids::look(exchange, found);
    version::look(exchange, found);
    echo::look(exchange, found);
    messages::look(&reading, found);
    calls::look(&reading, found);
    reasoning::look(&reading, found);
    thinking::look(exchange, found);
    steps::look(&reading, found);
    subagents::look(&reading, found);
    chunks::look(&reading, found);
    finish::look(&reading, found);
}
