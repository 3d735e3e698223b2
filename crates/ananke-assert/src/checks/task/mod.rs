//! Checks on the task of a turn, on what it made and on the agent's card: one file for each, and what they share.

mod artifacts_count;
mod artifacts_require;
mod card_capabilities;
mod card_match;
mod card_security;
mod card_skills;
mod task_match;
mod task_state;
mod task_states;
#[cfg(test)]
mod tests;

pub(crate) use task_match::TaskMatch;
