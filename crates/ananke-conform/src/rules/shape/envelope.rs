//! What all events have.

use super::described::{Kind, MAX_INTEGER, Member, optional};

/// Every event has these.
pub(super) const BASE: &[Member] = &[
    optional("timestamp", TIMESTAMP),
    optional("rawEvent", Kind::Value),
    optional("metadata", Kind::Data),
];

const TIMESTAMP: Kind = Kind::Changed {
    old: &Kind::Number,
    v1: &Kind::Integer {
        min: -MAX_INTEGER,
        max: MAX_INTEGER,
    },
};

/// Whose event it is, where it can be a subagent's.
pub(super) const OWNER: &[Member] = &[optional("subagentRunId", Kind::Text)];
