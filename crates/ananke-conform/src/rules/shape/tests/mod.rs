//! The tables say what the protocol's own schema says, in words that help.

mod evidence;
mod examples;
mod mutants;
mod oracle;
mod texts;
