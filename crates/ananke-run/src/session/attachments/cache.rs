//! Files that were read lately, shared by all tests of a run.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ananke_model::case::Messages;
use serde_json::Value;
use tokio::sync::OnceCell;

use super::read;
use crate::session::Stopped;

/// How much of what was read is kept, in bytes of base64.
const MAX_KEPT: usize = 64 << 20;

type Content = Arc<OnceCell<Arc<str>>>;

/// Files that were read lately, the oldest first. One that many cases name is read once.
#[derive(Debug, Default)]
pub(crate) struct Attachments(Mutex<VecDeque<(PathBuf, Content)>>);

impl Attachments {
    /// Puts the content of the attached files into `list`, the resolved messages.
    pub(crate) async fn fill(
        &self,
        list: &mut [Value],
        messages: &Messages,
    ) -> Result<(), Stopped> {
        for attachment in &messages.attachments {
            let content = self.content(&attachment.path).await.map_err(|why| {
                let (shown, place) = (&attachment.shown, &attachment.place);
                Stopped::error(format!("the attachment `{shown}` cannot be read: {why}"))
                    .details([format!("it is named at {place}")])
            })?;
            let part = list.get_mut(attachment.message);
            let part = part.and_then(|message| message["content"].get_mut(attachment.part));
            if let Some(part) = part {
                part["source"]["value"] = Value::from(&*content);
            }
        }
        Ok(())
    }

    async fn content(&self, path: &Path) -> Result<Arc<str>, String> {
        let cell = self.cell(path);
        let owned = path.to_owned();
        let read = || async move {
            let reading = tokio::task::spawn_blocking(move || read(&owned)).await;
            let content = reading.map_err(|error| error.to_string())??;
            Ok::<_, String>(Arc::from(content))
        };
        let content = Arc::clone(cell.get_or_try_init(read).await?);
        self.forget_oldest();
        Ok(content)
    }

    /// Returns where the content of a file is, or will be once somebody has read it.
    fn cell(&self, path: &Path) -> Content {
        let mut files = self.lock();
        if let Some((_, cell)) = files.iter().find(|(known, _)| known == path) {
            return Arc::clone(cell);
        }
        let cell = Content::default();
        files.push_back((path.to_owned(), Arc::clone(&cell)));
        cell
    }

    fn forget_oldest(&self) {
        let mut files = self.lock();
        let n_bytes = |cell: &Content| cell.get().map_or(0, |content| content.len());
        let mut kept: usize = files.iter().map(|(_, cell)| n_bytes(cell)).sum();
        while kept > MAX_KEPT
            && let Some((_, cell)) = files.pop_front()
        {
            kept -= n_bytes(&cell);
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(PathBuf, Content)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
