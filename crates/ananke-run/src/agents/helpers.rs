//! How many questions a helper is asked at once, where its target says so.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ananke_model::plan::Target;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The helpers of a run that have a limit. Those with the same `group` share one. Tests have limits of their own: one that
/// waits for a helper must not be what the helper waits for.
#[derive(Debug, Default)]
pub(crate) struct Helpers(Mutex<HashMap<String, Arc<Semaphore>>>);

impl Helpers {
    /// Waits until the helper with this id may be asked; at once if it has no limit.
    pub(crate) async fn enter(&self, id: &str, target: &Target) -> Option<OwnedSemaphorePermit> {
        let limit = target.concurrency?;
        let key = match &target.group {
            Some(group) => format!("group {group}"),
            None => format!("agent {id}"),
        };
        let turnstile = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let turnstile = known.entry(key);
            Arc::clone(turnstile.or_insert_with(|| Arc::new(Semaphore::new(limit.max(1)))))
        };
        // Nobody closes it.
        turnstile.acquire_owned().await.ok()
    }
}

#[cfg(test)]
mod tests {
    use ananke_model::plan::Protocol;
    use futures_util::FutureExt as _;
    use serde_json::json;

    use super::Helpers;
    use crate::speakers::tests::{script, target};

    #[tokio::test]
    async fn a_helper_is_asked_no_more_at_once_than_it_says() {
        let mut helper = target(Protocol::Scripted(Box::new(script(json!({"rules": []})))));
        let helpers = Helpers::default();
        assert!(helpers.enter("a", &helper).await.is_none());
        helper.concurrency = Some(1);
        let first = helpers.enter("a", &helper).await;
        assert!(first.is_some());
        assert!(helpers.enter("a", &helper).now_or_never().is_none());
        assert!(helpers.enter("b", &helper).now_or_never().is_some());
        drop(first);
        assert!(helpers.enter("a", &helper).now_or_never().is_some());
        // Those of a group share its limit.
        helper.group = Some("models".to_owned());
        let _first = helpers.enter("a", &helper).await;
        assert!(helpers.enter("b", &helper).now_or_never().is_none());
    }
}
