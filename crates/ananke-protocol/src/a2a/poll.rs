//! A task that goes on after its first answer: asked for again and again, and ended where the turn is given up.

use std::time::Duration;

use ananke_model::recording::{Refusal, Trouble, TroubleKind};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use tokio::time::Instant;

use super::turn::{Driver, trouble};
use super::wire::{Query, build};
use crate::auth::{Fetched, Small, Unfetched};

/// Shorter waits would only load the server.
const SHORTEST_WAIT: Duration = Duration::from_millis(10);
/// How long the end of a task that is given up may take.
const CANCEL_WAIT: Duration = Duration::from_millis(500);

impl Driver<'_, '_> {
    /// Asks for the task until it is over or waits, if the first answer came before that.
    pub(super) async fn follow_task(&mut self) -> Result<(), Trouble> {
        let is_whole = self.stream.bad_event.is_none() && self.stream.error.is_none();
        if !is_whole || self.stream.fold.is_done() || self.stream.n_folded == 0 {
            return Ok(());
        }
        let Some(task_id) = self.stream.fold.task_id.clone() else {
            return Ok(());
        };
        if self.request.options.blocking && !self.is_streamed {
            self.stream.fold.warn(
                "the agent answered before its task was done, although it was asked to wait: the task is asked for again"
                    .to_owned(),
            );
        }
        let wait = self.request.options.poll.max(SHORTEST_WAIT);
        while !self.stream.fold.is_done() && self.stream.error.is_none() {
            self.bounded(self.deadline, tokio::time::sleep(wait))
                .await?;
            self.ask_for(&task_id).await?;
            if self.stream.bad_event.is_some() {
                break;
            }
        }
        Ok(())
    }

    async fn ask_for(&mut self, task_id: &str) -> Result<(), Trouble> {
        let query = Query::Get {
            task_id,
            history_length: self.request.options.history_length,
        };
        let small = self.small("the task", query, self.deadline)?;
        let fetched = self.bounded(self.deadline, small.fetch()).await?;
        let fetched: Fetched =
            fetched.map_err(|unfetched: Unfetched| match unfetched.trouble.kind {
                TroubleKind::Timeout => self.late(),
                _ => self.unfetched(unfetched),
            })?;
        if !(200..300).contains(&fetched.status) {
            let refused = Trouble {
                kind: TroubleKind::HttpStatus,
                message: format!("HTTP {}: {}", fetched.status, fetched.body),
                refusal: Some(Refusal {
                    status: fetched.status,
                    retry_after_ms: None,
                }),
            };
            return self.refused(refused);
        }
        let n_bytes = self.stream.log.n_bytes() + fetched.body.len();
        self.check_size(n_bytes)?;
        let at_us = self.elapsed_us();
        self.stream.whole(&fetched.body, at_us);
        self.look_around()
    }

    /// Tells the agent to stop where nobody waits for its task any more.
    pub(super) async fn give_up(&mut self, run: &Result<(), Trouble>) {
        let is_left = run.as_ref().is_err_and(|trouble| {
            matches!(
                trouble.kind,
                TroubleKind::Timeout | TroubleKind::Cancelled | TroubleKind::Limit
            )
        });
        let task_id = self.stream.fold.task_id.clone();
        let (true, false, Some(task_id)) = (is_left, self.stream.fold.is_done(), task_id) else {
            return;
        };
        let query = Query::Cancel { task_id: &task_id };
        let deadline = Instant::now() + CANCEL_WAIT;
        if let Ok(small) = self.small("the end of the task", query, deadline) {
            // Whether it works is nobody's concern: the turn is lost already.
            let told = small.fetch().await;
            self.reached |= told.is_ok();
        }
    }

    fn small<'q>(
        &mut self,
        what: &'q str,
        query: Query<'_>,
        deadline: Instant,
    ) -> Result<Small<'q>, Trouble>
    where
        Self: 'q,
    {
        let wire = self.wire()?;
        self.session.n_requests += 1;
        self.stream.rpc_id = self.session.n_requests;
        let built = build(&wire, query, self.session.n_requests);
        let built = built.map_err(|why| trouble(TroubleKind::BadEvent, why))?;
        let mut url = built.url;
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        self.sign(&wire, &mut url, &mut headers)?;
        Ok(Small {
            client: self.request.client,
            what,
            method: built.method,
            url,
            headers,
            body: built.body.map(|body| body.to_string().into_bytes()),
            max_bytes: self.request.limits.event_bytes,
            deadline,
        })
    }
}
