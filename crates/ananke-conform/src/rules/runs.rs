//! Looks at the runs of an AG-UI agent, layer by layer.

use super::{behaviour, http, semantics, sequence, shape};
use crate::case::Case;
use crate::rule::Findings;

/// Looks at every exchange, and at all of them together.
pub(super) fn look(case: &Case, found: &mut Findings) {
    for (number, exchange) in case.exchanges.iter().enumerate() {
        found.enter(number);
        http::look(exchange, found);
        if exchange.answer.is_stream() {
            shape::look(exchange, found);
            sequence::look(exchange, found);
            semantics::look(exchange, found);
        }
        behaviour::look(exchange, found);
    }
    http::look_at_all(case, found);
    semantics::look_at_threads(&case.exchanges, found);
    behaviour::look_at_all(case, found);
}
