//! Trees to typed files. Every function reports what is wrong and goes on, so that all mistakes are known at once.

mod assert;
mod case;
mod case_assert;
mod case_options;
mod case_spec;
#[cfg(test)]
mod check_tests;
mod checks;
mod command;
mod config;
mod connectors;
mod context;
mod duration;
mod found;
mod identity;
mod message_parts;
mod messages;
mod mime_type;
mod object;
mod pattern;
mod references;
mod require;
mod script;
mod script_steps;
mod snapshot;
mod source;
mod target;
mod test;
#[cfg(test)]
mod tests;
mod tool_calls;
mod tool_name;
mod turn;
mod values;
mod version;

pub(crate) use assert::{AssertSpec, Inherit, Slot, Strictness};
pub(crate) use case::{CaseFolders, CaseList, Cases, message_case};
pub(crate) use case_spec::CaseSpec;
pub(crate) use config::{ConfigFile, config};
pub(crate) use context::{ContextSpec, context};
pub(crate) use found::Found;
pub(crate) use identity::{IdentitySpec, Mapping};
pub(crate) use script::script;
pub(crate) use target::TargetSpec;
pub(crate) use test::{TestFile, TestTarget, test};
