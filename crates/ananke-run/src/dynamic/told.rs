//! What a simulator is told before each turn.

use ananke_model::agent::SimulatedBy;
use ananke_model::recording::Turn;
use serde_json::{Map, Value, json};

use super::Checkpoints;

/// What a simulator is told by its case: `options.metadata`, references resolved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told(pub(crate) Map<String, Value>);

impl Told {
    /// Returns who is told it.
    pub(crate) fn by(&self, agent: &str) -> SimulatedBy {
        let given = |name: &str| self.0.get(name).cloned().unwrap_or_default();
        SimulatedBy {
            agent: agent.to_owned(),
            persona: given("persona"),
            goal: given("goal"),
        }
    }

    /// Returns what is told before the next turn: who the user is, what was said, and how far the conversation has come.
    pub(crate) fn before(&self, turns: &[Turn], checkpoints: &Checkpoints) -> Map<String, Value> {
        let mut told = Map::new();
        // A prompt can name them whether or not the case gives them.
        for name in ["persona", "goal"] {
            let given = self.0.get(name).cloned();
            told.insert(name.to_owned(), given.unwrap_or_else(|| json!("")));
        }
        let own = [
            ("conversation", conversation(turns)),
            ("turn_number", json!(checkpoints.turn_number())),
            ("max_turns", json!(checkpoints.max_turns())),
            ("checkpoints_reached", json!(checkpoints.ids(true))),
            ("checkpoints_pending", json!(checkpoints.ids(false))),
        ];
        told.extend(own.map(|(name, value)| (name.to_owned(), value)));
        for (name, value) in &self.0 {
            told.entry(name.as_str()).or_insert_with(|| value.clone());
        }
        told
    }
}

/// Returns what was said in `turns`, as messages.
pub(crate) fn conversation<'a>(turns: impl IntoIterator<Item = &'a Turn>) -> Value {
    let messages = turns.into_iter().flat_map(|turn| {
        let user = turn.user.iter();
        let user = user.map(|text| json!({"role": "user", "content": text}));
        user.chain([json!({"role": "assistant", "content": turn.text})])
    });
    messages.collect()
}
