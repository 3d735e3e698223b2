//! Trees to typed files. Every function reports what is wrong and goes on, so that all mistakes are known at once.

mod agent_reference;
mod assert;
mod case;
mod case_assert;
mod case_options;
mod case_spec;
#[cfg(test)]
mod check_tests;
mod checkpoints;
mod checks;
mod command;
mod config;
mod config_connectors;
mod connectors;
mod context;
mod duration;
mod dynamic;
mod found;
mod identity;
mod judge;
#[cfg(test)]
mod judge_tests;
mod message_parts;
mod messages;
mod mime_type;
mod object;
mod pattern;
mod references;
mod require;
mod script;
mod script_check;
mod script_grants;
mod script_steps;
mod snapshot;
mod source;
mod target;
mod target_chat;
mod target_kind;
mod target_parts;
mod target_run;
mod test;
#[cfg(test)]
mod tests;
mod tool_calls;
mod tool_name;
mod turn;
mod values;
mod version;

pub(crate) use agent_reference::{Prefix, agent_reference};
pub(crate) use assert::{AssertSpec, Inherit, Slot, Strictness};
pub(crate) use case::{CaseFolders, CaseList, Cases, message_case};
pub(crate) use case_spec::CaseSpec;
pub(crate) use checkpoints::unchecked;
pub(crate) use config::{ConfigFile, config};
pub(crate) use config_connectors::ConnectorSpec;
pub(crate) use context::{ContextSpec, context};
pub(crate) use dynamic::{CheckpointSpec, DynamicSpec, SimulatorSpec};
pub(crate) use found::Found;
pub(crate) use identity::{IdentitySpec, Mapping};
pub(crate) use script::script;
pub(crate) use target::TargetSpec;
pub(crate) use target_chat::ChatSpec;
pub(crate) use target_kind::TargetKind;
pub(crate) use target_run::ScriptSpec;
pub(crate) use test::{TestFile, TestTarget, test};
