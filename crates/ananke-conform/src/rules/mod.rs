//! The catalogue: every rule, in a file named after what it looks at.
//!
//! A file has its rules as statics, a list of them, and one function that looks at an exchange, or at all of them where
//! runs of one thread are compared. Nothing here talks to a server.

pub mod behaviour;
pub mod http;
pub mod semantics;
pub mod sequence;
pub mod shape;

use crate::case::Case;
use crate::rule::{Findings, Profile, Rule, Spoken};
use crate::{a2a, mcp};

/// Returns every rule, protocol by protocol and layer by layer.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    let lists = [
        http::RULES,
        shape::RULES,
        sequence::RULES,
        semantics::RULES,
        behaviour::RULES,
        a2a::RULES,
        mcp::RULES,
    ];
    lists
        .into_iter()
        .flatten()
        .flat_map(|list| list.iter().copied())
}

/// Returns the rules of a profile.
pub fn of(profile: Profile) -> impl Iterator<Item = &'static Rule> {
    all().filter(move |rule| rule.level(profile).is_some())
}

/// Looks at everything.
pub fn look(case: &Case, found: &mut Findings) {
    match found.profile.spoken() {
        Spoken::AgUi => look_at_runs(case, found),
        Spoken::A2a => a2a::look(case, found),
        Spoken::Mcp => mcp::look(case, found),
    }
}

fn look_at_runs(case: &Case, found: &mut Findings) {
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

#[cfg(test)]
mod tests;
