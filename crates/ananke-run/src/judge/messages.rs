//! The messages of a case, set against those that were sent when it was recorded. Ids are generated and no part of it.

use ananke_model::case::Attachment;
use serde_json::Value;

use super::sent::{Differs, differs_in};
use crate::session::{read, shorten};
use crate::speakers::Sent;

/// Returns what was said otherwise than `messages`, with these files in them, say it now.
pub(super) fn difference(
    sent: &Sent,
    messages: &[Value],
    attachments: &[Attachment],
    body: &Value,
) -> Option<Differs> {
    let mut now = messages.to_vec();
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
    match sent.messages(&now, body) {
        Ok(mut pair) => {
            // As a recording holds them.
            pair.now
                .as_array_mut()
                .into_iter()
                .flatten()
                .for_each(shorten);
            differs_in(&pair)
        }
        Err(why) => Some(Differs {
            now: format!("messages: {why}"),
            recorded: "messages: they could be sent".to_owned(),
        }),
    }
}
