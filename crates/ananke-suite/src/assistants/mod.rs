//! Assistant folders: `package.yao` with prompts, connectors and tools, read into a target that speaks to a chat endpoint.
//!
//! `app` finds folders, `document` reads their files, `package`, `prompts`, `connector` and `servers` each read one kind of
//! file, `hooks` and `process` find the functions that are called, `refused` names what cannot be run, and `target` puts it
//! all together. The files belong to another program, so keys that are not known are warnings here; what would change the
//! test without a word is an error.

mod app;
mod assets;
mod connector;
mod connector_file;
mod connector_id;
mod document;
mod hooks;
mod listing;
mod options;
mod package;
mod process;
mod prompts;
mod refused;
mod remote_server;
mod schemes;
mod scripted;
mod server_use;
mod servers;
mod target;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use app::{App, find_app};
pub(crate) use connector::{Connector, app_connector};
pub(crate) use document::Around;
pub(crate) use target::{AssistantRequest, assistant_target};
