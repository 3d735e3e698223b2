//! Speaks to an A2A agent.

use ananke_model::plan::A2aTarget;
use ananke_model::recording::Turn;
use ananke_protocol::agui::{Action, Conversation};

use super::{Bounds, Call, Means};

#[derive(Debug)]
pub(crate) struct A2aSpeaker;

impl A2aSpeaker {
    pub(crate) fn new(_: &A2aTarget, _: &Means<'_>, _: &Call) -> Result<Self, String> {
        Err("not there yet".to_owned())
    }

    pub(crate) async fn turn(&self, _: Action, _: &mut Conversation, _: Bounds<'_>) -> Turn {
        todo!()
    }
}
