//! The rules of MCP. Each file looks at an exchange by itself, or together with those before it.

mod answers;
mod begin;
mod calls;
mod http;
mod lists;
mod refusals;
mod schemas;

use crate::case::Case;
use crate::exchange::Asked;
use crate::rule::{Findings, Rule};

/// The rules, file by file.
pub(crate) const RULES: &[&[&Rule]] = &[
    http::RULES,
    answers::RULES,
    lists::RULES,
    schemas::RULES,
    calls::RULES,
    begin::RULES,
    refusals::RULES,
];

/// Looks at everything.
pub(crate) fn look(case: &Case, found: &mut Findings) {
    for (number, exchange) in case.exchanges.iter().enumerate() {
        found.enter(number);
        let Asked::Mcp(asked) = exchange.asked else {
            continue;
        };
        let earlier = case.exchanges.get(..number).unwrap_or_default();
        answers::look(exchange, asked, found);
        begin::look(exchange, asked, earlier, found);
        lists::look(exchange, asked, earlier, found);
        schemas::look(exchange, asked, found);
        calls::look(exchange, asked, earlier, found);
        refusals::look(exchange, asked, found);
        http::look(exchange, asked, earlier, found);
    }
}
