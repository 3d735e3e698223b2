//! The messages of a case, set against those that were sent when it was recorded. Ids are generated and no part of it.

use ananke_model::case::Attachment;
use serde_json::Value;

use super::sent::{Differs, differs};
use crate::session::{read, shortened};

/// Returns what was said otherwise than `messages`, with these files in them, say it now.
pub(super) fn difference(
    messages: &[Value],
    attachments: &[Attachment],
    recorded: &Value,
) -> Option<Differs> {
    let mut then: Vec<Value> = recorded.as_array().cloned().unwrap_or_default();
    let mut now = messages.to_vec();
    for message in now.iter_mut().chain(&mut then) {
        if let Some(members) = message.as_object_mut() {
            members.remove("id");
        }
    }
    for attachment in attachments {
        let at = format!(
            "messages/{}/content/{}",
            attachment.message, attachment.part
        );
        match read(&attachment.path) {
            Ok(content) => {
                let message = now.get_mut(attachment.message);
                let part = message.and_then(|message| message["content"].get_mut(attachment.part));
                if let Some(part) = part {
                    part["source"]["value"] = content.into();
                }
            }
            Err(why) => {
                return Some(Differs {
                    now: format!("{at}: `{}` cannot be read: {why}", attachment.shown),
                    recorded: format!("{at}: a file that could be read"),
                });
            }
        }
    }
    let now = Value::Array(shortened(&now));
    differs("messages", &now, &Value::Array(then))
}
