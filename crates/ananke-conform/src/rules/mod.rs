//! The catalogue: every rule, in a file named after what it looks at.
//!
//! A file has its rules as statics, a list of them, and one function that looks at an exchange, or at all of them where
//! runs of one thread are compared. Nothing here talks to a server.

pub mod behaviour;
pub mod http;
mod runs;
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
        Spoken::AgUi => runs::look(case, found),
        Spoken::A2a => a2a::look(case, found),
        Spoken::Mcp => mcp::look(case, found),
    }
}

#[cfg(test)]
mod tests;
