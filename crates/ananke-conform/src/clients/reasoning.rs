//! Owners of reasoning, as the client before 1.0 checks them: it does not ask whether reasoning is open, only whose it is.

use std::collections::BTreeMap;

use serde_json::Value;

/// Who opened what, in this run; `None` is the agent itself.
#[derive(Debug, Default)]
pub(super) struct Reasoning {
    owners: BTreeMap<String, Option<String>>,
}

impl Reasoning {
    /// Returns the number of the first event that belongs to another owner than what it goes on with, and why.
    pub(super) fn first_misplaced<'a>(
        events: impl Iterator<Item = &'a Value>,
    ) -> Option<(usize, String)> {
        let mut reasoning = Self::default();
        events
            .enumerate()
            .find_map(|(number, event)| Some((number, reasoning.take(event)?)))
    }

    fn take(&mut self, event: &Value) -> Option<String> {
        let kind = event["type"].as_str().unwrap_or_default();
        let tag = event["subagentRunId"].as_str();
        let id = event["messageId"].as_str();
        match kind {
            "RUN_STARTED" => {
                self.owners.clear();
                self.remember(&event["input"]["messages"]);
            }
            "MESSAGES_SNAPSHOT" => self.remember(&event["messages"]),
            "REASONING_START" | "REASONING_MESSAGE_START" | "REASONING_MESSAGE_CHUNK" => {
                let owner = tag.map(str::to_owned);
                self.owners.entry(id?.to_owned()).or_insert(owner);
            }
            "REASONING_MESSAGE_CONTENT" | "REASONING_MESSAGE_END" | "REASONING_END" => {
                let (id, tag) = (id?, tag?);
                let owner = self.owners.get(id)?;
                if owner.as_deref() != Some(tag) {
                    return Some(format!(
                        "reasoning '{id}' is tagged '{tag}' but another owner opened it"
                    ));
                }
            }
            _ => {}
        }
        None
    }

    fn remember(&mut self, messages: &Value) {
        let messages = messages.as_array().into_iter().flatten();
        for message in messages.filter(|message| message["role"] == "reasoning") {
            if let Some(id) = message["id"].as_str() {
                let owner = message["subagentRunId"].as_str();
                self.owners.insert(id.to_owned(), owner.map(str::to_owned));
            }
        }
    }
}
