//! Status, headers and bytes of answers, and what a server accepts and refuses.

mod accept;
mod answer;
mod bytes;
mod ending;
mod parity;
mod refusals;
#[cfg(test)]
mod tests;
mod tolerance;

use crate::case::Case;
use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

/// The rules, file by file.
pub(super) const RULES: &[&[&Rule]] = &[
    answer::RULES,
    bytes::RULES,
    ending::RULES,
    tolerance::RULES,
    refusals::RULES,
    accept::RULES,
    parity::RULES,
];

/// Looks at an exchange.
pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    answer::look(exchange, found);
    bytes::look(exchange, found);
    ending::look(exchange, found);
    tolerance::look(exchange, found);
    refusals::look(exchange, found);
    accept::look(exchange, found);
}

/// Compares answers with one another.
pub(super) fn look_at_all(case: &Case, found: &mut Findings) {
    parity::look(case, found);
}
