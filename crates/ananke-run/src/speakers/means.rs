//! What speakers are made of beside their target, and what bounds a turn.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ananke_model::case::{Case, Identity};
use ananke_model::variables::Variables;
use ananke_protocol::http::Proxies;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::Scripts;
use crate::clients::Clients;
use crate::world::World;

/// What all speakers of a run share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Means<'a> {
    pub(crate) variables: &'a Variables,
    pub(crate) clients: &'a Clients,
    pub(crate) scripts: &'a Scripts,
    pub(crate) proxies: &'a Proxies,
    /// The folder of the config file: paths begin there, programs run there.
    pub(crate) root: &'a Path,
    /// What scripts that an agent is made of are called in.
    pub(crate) world: &'a Arc<World>,
}

/// What an agent is told beside the conversation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Call {
    /// What the caller has to say: of a case, or of who asks a helper.
    pub(crate) metadata: Map<String, Value>,
    /// Who asks.
    pub(crate) identity: Identity,
    /// Whether a helper is asked: it then gets the metadata whatever its target says.
    pub(crate) is_question: bool,
    /// How many agents that are scripts wait for this answer.
    pub(crate) depth: usize,
    /// The thread, if whoever asks named it.
    pub(crate) thread_id: Option<String>,
    /// The file of the test that asks: its tests may share what a server keeps.
    pub(crate) file: Option<Arc<str>>,
}

impl Call {
    /// Returns what the agent under test is told: of a case its own metadata, behind those of who asks.
    pub(crate) fn of_test(case: Option<&Case>, of_run: Option<&Identity>) -> Self {
        let identity = case.map(|case| &case.identity).or(of_run);
        let identity = identity.cloned().unwrap_or_default();
        let mut metadata = identity.metadata.clone();
        if let Some(case) = case {
            metadata.extend(case.metadata.clone());
            if let Some(Value::Object(own)) = case.options.get("metadata") {
                metadata.extend(own.clone());
            }
        }
        Self {
            metadata,
            identity,
            is_question: false,
            depth: 0,
            thread_id: None,
            file: None,
        }
    }

    /// Returns what a helper is told.
    pub(crate) fn of_question(metadata: &Map<String, Value>, of_run: Option<&Identity>) -> Self {
        Self {
            metadata: metadata.clone(),
            identity: of_run.cloned().unwrap_or_default(),
            is_question: true,
            depth: 0,
            thread_id: None,
            file: None,
        }
    }
}

/// What bounds a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds<'a> {
    /// Wall-clock limit, without what comes before the first call where that has a limit of its own.
    pub(crate) timeout: Duration,
    /// Wall-clock limit of all of it.
    pub(crate) whole: Duration,
    /// Now, in Unix milliseconds.
    pub(crate) unix_ms: i64,
    /// Stops the turn when the user stops the run.
    pub(crate) cancel: &'a CancellationToken,
}
