//! What a server does in a scenario: it waits for approval, takes answers, survives a client that leaves, tells failures,
//! and can do what it says it can.

mod abort;
mod approval;
mod capabilities;
mod failure;
mod resume;
#[cfg(test)]
mod tests;

use crate::case::Case;
use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

/// The rules, file by file.
pub(super) const RULES: &[&[&Rule]] = &[
    approval::RULES,
    resume::RULES,
    abort::RULES,
    failure::RULES,
    capabilities::RULES,
];

/// Looks at an exchange.
pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    if exchange.answer.is_stream() {
        approval::look(exchange, found);
    }
    failure::look(exchange, found);
}

/// Compares answers with one another.
pub(super) fn look_at_all(case: &Case, found: &mut Findings) {
    resume::look_at_all(case, found);
    abort::look_at_all(case, found);
    capabilities::look_at_all(case, found);
}
