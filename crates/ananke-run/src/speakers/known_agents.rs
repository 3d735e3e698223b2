//! Agents that several tests speak to with the same settings: their cards and tokens are fetched once for all of them.

use std::sync::{Mutex, PoisonError};

use ananke_protocol::a2a::{A2aAgent, A2aOptions};

use super::http::HttpParts;

/// The agents of a run.
#[derive(Debug, Default)]
pub(crate) struct KnownAgents(Mutex<Vec<Known>>);

#[derive(Debug)]
struct Known {
    options: A2aOptions,
    http: HttpParts,
    agent: A2aAgent,
}

impl KnownAgents {
    /// Returns the agent that is reached with these settings.
    pub(super) fn get(&self, options: &A2aOptions, http: &HttpParts) -> A2aAgent {
        let options = reaching(options);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = known
            .iter()
            .find(|known| known.options == options && known.http == *http);
        if let Some(same) = same {
            return same.agent.clone();
        }
        let agent = A2aAgent::default();
        known.push(Known {
            options,
            http: http.clone(),
            agent: agent.clone(),
        });
        agent
    }
}

/// Returns what decides which agent is reached, without what belongs to a conversation.
fn reaching(options: &A2aOptions) -> A2aOptions {
    A2aOptions {
        context_id: None,
        metadata: None,
        accepted_output_modes: Vec::new(),
        history_length: None,
        tool_calls: Vec::new(),
        ..options.clone()
    }
}
