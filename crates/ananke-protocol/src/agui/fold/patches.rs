//! State and activities: JSON Patch on what a snapshot set; encrypted values on what was streamed.

use serde_json::{Value, json};

use super::turn_fold::Fold;
use crate::agui::conversation::set_member;
use crate::agui::patch::{self, Root};
use crate::agui::stream::MAX_NOTES;

impl Fold<'_> {
    pub(super) fn state_delta(&mut self, delta: &Value) {
        let state = &mut self.conversation.state;
        if state.is_null() {
            *state = json!({}); // "absent = {}"
        }
        let patched = patch::apply(state, delta, Root::Anything, &mut self.work);
        self.note_patch(patched, "state", "/delta");
    }

    pub(super) fn activity_delta(&mut self, id: &str, activity_type: &str, operations: &Value) {
        let Some(message) = self
            .conversation
            .get_mut(id)
            .filter(|message| message["role"] == "activity")
        else {
            self.warn(format!(
                "ACTIVITY_DELTA for activity '{id}' that has no snapshot"
            ));
            return;
        };
        let patched = match message.get_mut("content") {
            Some(content @ Value::Object(_)) => {
                patch::apply(content, operations, Root::Object, &mut self.work)
            }
            _ => Err("the content is no object".to_owned()),
        };
        if patched.is_ok() {
            set_member(message, "activityType", activity_type);
        }
        self.note_patch(patched, "activity", "/patch");
    }

    fn note_patch(&mut self, patched: Result<Vec<usize>, String>, what: &str, member: &str) {
        match patched {
            Ok(dropped) => {
                for at in dropped.into_iter().take(MAX_NOTES) {
                    self.warn(format!(
                        "{member}/{at} is no operation of JSON Patch: left out"
                    ));
                }
            }
            // That fails the turn.
            Err(_) if self.work.is_spent() => {}
            Err(error) => self.warn(format!("Failed to apply {what} patch: {error}")),
        }
    }

    pub(super) fn encrypted(&mut self, subtype: &str, entity: &str, value: &str) {
        if subtype == "tool-call" {
            if let Some(call) = self.conversation.call_mut(entity) {
                call.insert("encryptedValue".to_owned(), value.into());
            }
        } else if let Some(message) = self.conversation.get_mut(entity) {
            set_member(message, "encryptedValue", value);
        }
    }
}
