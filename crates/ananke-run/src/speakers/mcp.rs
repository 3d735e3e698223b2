//! Speaks to an MCP server.

use ananke_model::plan::McpTarget;
use ananke_model::recording::Turn;
use ananke_protocol::agui::{Action, Conversation};

use super::{Bounds, Call, Means};

#[derive(Debug)]
pub(crate) struct McpSpeaker;

impl McpSpeaker {
    pub(crate) fn new(_: &McpTarget, _: &Means<'_>, _: &Call) -> Result<Self, String> {
        Err("not there yet".to_owned())
    }

    pub(crate) async fn turn(&self, _: Action, _: &mut Conversation, _: Bounds<'_>) -> Turn {
        todo!()
    }
}
