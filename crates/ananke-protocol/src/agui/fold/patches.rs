//! State and activities: JSON Patch on what a snapshot set; encrypted values on what was streamed.

use serde_json::{Value, json};

use super::turn_fold::Fold;
use crate::agui::conversation::id_of;
use crate::agui::patch;

impl Fold<'_> {
    pub(super) fn state_delta(&mut self, delta: &Value) {
        if self.conversation.state.is_null() {
            self.conversation.state = json!({}); // "absent = {}"
        }
        let patched = patch::apply(&mut self.conversation.state, delta);
        self.note_patch(patched, "state", "/delta");
    }

    pub(super) fn activity_delta(&mut self, id: &str, activity_type: &str, operations: &Value) {
        let Some(message) = self
            .conversation
            .get_mut(id)
            .filter(|message| message["role"] == "activity")
        else {
            self.warnings.push(format!(
                "ACTIVITY_DELTA for activity '{id}' that has no snapshot"
            ));
            return;
        };
        let mut content = message["content"].clone();
        let mut patched = patch::apply(&mut content, operations);
        if patched.is_ok() && !content.is_object() {
            patched = Err("the content would no longer be an object".to_owned());
        }
        if patched.is_ok() {
            message["content"] = content;
            message["activityType"] = activity_type.into();
        }
        self.note_patch(patched, "activity", "/patch");
    }

    fn note_patch(&mut self, patched: Result<Vec<usize>, String>, what: &str, member: &str) {
        match patched {
            Ok(dropped) => {
                let warnings = dropped
                    .into_iter()
                    .map(|at| format!("{member}/{at} is no operation of JSON Patch: left out"));
                self.warnings.extend(warnings);
            }
            Err(error) => self
                .warnings
                .push(format!("Failed to apply {what} patch: {error}")),
        }
    }

    pub(super) fn encrypted(&mut self, subtype: &str, entity: &str, value: &str) {
        if subtype != "tool-call" {
            if let Some(message) = self.conversation.get_mut(entity) {
                message["encryptedValue"] = value.into();
            }
            return;
        }
        let owner = self.conversation.messages().iter().rev().find(|message| {
            message["toolCalls"]
                .as_array()
                .into_iter()
                .flatten()
                .any(|call| call["id"] == entity)
        });
        let Some(owner) = owner.map(|message| id_of(message).to_owned()) else {
            return;
        };
        let message = self.conversation.get_mut(&owner).expect("just found");
        for call in message["toolCalls"]
            .as_array_mut()
            .into_iter()
            .flatten()
            .filter(|call| call["id"] == entity)
        {
            call["encryptedValue"] = value.into();
        }
    }
}
