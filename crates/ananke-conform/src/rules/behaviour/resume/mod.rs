//! Answers to interrupts: what a server does with those that resolve, cancel, are missing, unknown or wrong.
//!
//! Whether a call was carried out cannot be seen from outside. What can be seen is a result: one that is the same as after
//! the approval shows that the answer made no difference. Nothing less is held against a server.

mod look;
mod resumed;
mod rules;

pub(super) use look::look_at_all;
pub(super) use rules::RULES;
