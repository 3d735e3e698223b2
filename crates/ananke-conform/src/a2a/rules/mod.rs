//! The rules of A2A. Each file looks at an exchange by itself, or, where answers are compared, at all of them.

mod answers;
mod card;
mod card_members;
mod parts;
mod refusals;
mod shapes;
mod stream;
mod stream_artifacts;
mod tasks;

use super::asked::A2aAsked;
use crate::case::Case;
use crate::exchange::Asked;
use crate::rule::{Findings, Rule};

/// The rules, layer by layer.
pub(crate) const RULES: &[&[&Rule]] = &[
    card::RULES,
    answers::RULES,
    card_members::RULES,
    shapes::RULES,
    parts::RULES,
    stream::RULES,
    stream_artifacts::RULES,
    tasks::RULES,
    refusals::RULES,
];

/// Looks at everything.
pub(crate) fn look(case: &Case, found: &mut Findings) {
    for (number, exchange) in case.exchanges.iter().enumerate() {
        found.enter(number);
        let Asked::A2a(asked) = exchange.asked else {
            continue;
        };
        if asked == A2aAsked::Card {
            card::look(exchange, found);
            card_members::look(exchange, found);
            continue;
        }
        answers::look(exchange, asked, found);
        shapes::look(exchange, asked, found);
        parts::look(exchange, asked, found);
        stream::look(exchange, asked, found);
        stream_artifacts::look(exchange, asked, found);
        refusals::look(exchange, asked, found);
        let earlier = case.exchanges.get(..number).unwrap_or_default();
        tasks::look(exchange, asked, earlier, found);
    }
}
