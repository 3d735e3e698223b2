//! Puts results in plan order, counts them, and notices tests that take long.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::time::Duration;

use ananke_model::plan::TestId;
use ananke_model::result::TestResult;
use ananke_model::run_event::{RunEvent, RunInfo};
use ananke_model::script::ScriptLog;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::jobs::Gathering;
use super::run::Message;
use super::{RunOutcome, Tally};
use crate::redact::Redactor;
use crate::script::{add, result_json};

/// The one owner of a run's progress.
pub(super) struct Collector {
    events: mpsc::Sender<RunEvent>,
    ids: Vec<TestId>,
    began: Instant,
    slow_after: Duration,
    redactor: Redactor,
    gathering: Gathering,
    /// When each running test is worth the next notice, and when its first run began.
    running: BTreeMap<usize, (Instant, Instant)>,
    /// Results that wait for an earlier test.
    waiting: BTreeMap<usize, Box<TestResult>>,
    next: usize,
    tally: Tally,
    /// What `--after-all` is told of each result, if it is there.
    kept: Option<Vec<Value>>,
    /// What `--before-all` logged, until it is told with the first result.
    opening: Vec<ScriptLog>,
    /// The last result of the plan, which waits for what `--after-all` has to say.
    held: Option<Box<TestResult>>,
}

impl Collector {
    pub(super) fn new(
        info: &RunInfo,
        gathering: Gathering,
        slow_after: Duration,
        redactor: Redactor,
        events: mpsc::Sender<RunEvent>,
    ) -> Self {
        Self {
            events,
            ids: info.tests.clone(),
            began: Instant::now(),
            slow_after,
            redactor,
            gathering,
            running: BTreeMap::new(),
            waiting: BTreeMap::new(),
            next: 0,
            tally: Tally::default(),
            kept: None,
            opening: Vec::new(),
            held: None,
        }
    }

    /// Keeps what `--after-all` is told of each result.
    pub(super) fn keep_results(&mut self) {
        self.kept = Some(Vec::new());
    }

    /// Keeps what `--before-all` logged: it is told with the first result.
    pub(super) fn opened_with(&mut self, logs: Vec<ScriptLog>) {
        self.opening = self.hidden(logs);
    }

    /// Adds what `--after-all` logged, and why it failed, to the last result.
    pub(super) fn close(&mut self, logs: Vec<ScriptLog>, failed: Option<&str>) {
        let logs = self.hidden(logs);
        if let Some(last) = &mut self.held {
            add(&mut last.logs, logs);
            last.warnings.extend(failed.map(str::to_owned));
        }
    }

    /// Tells the result that was held back.
    pub(super) async fn release(&mut self) {
        if let Some(result) = self.held.take() {
            let index = self.next.saturating_sub(1);
            self.emit(RunEvent::TestFinished { index, result }).await;
        }
    }

    fn hidden(&self, mut logs: Vec<ScriptLog>) -> Vec<ScriptLog> {
        for log in &mut logs {
            log.text = self.redactor.text(&log.text).into_owned();
        }
        logs
    }

    /// Takes out what `--after-all` is told.
    pub(super) fn take_results(&mut self) -> Value {
        self.kept.take().unwrap_or_default().into()
    }

    /// Takes messages until every worker is done.
    pub(super) async fn collect(&mut self, mut messages: mpsc::Receiver<Message>) {
        let mut tick = tokio::time::interval(Duration::from_secs(1));
        loop {
            tokio::select! {
                message = messages.recv() => match message {
                    Some(Message::Started(index)) => self.started(index).await,
                    Some(Message::Finished(index, result)) => self.finished(index, result).await,
                    Some(Message::Notice(text)) => self.emit(RunEvent::Notice(text)).await,
                    None => break,
                },
                _ = tick.tick() => self.notice_slow().await,
            }
        }
    }

    /// Ends the run.
    pub(super) async fn finish(mut self, cancel: &CancellationToken) -> RunOutcome {
        let duration_us = u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX);
        let tally = std::mem::take(&mut self.tally);
        let outcome = tally.outcome(duration_us, cancel.is_cancelled());
        let summary = outcome.summary.clone();
        self.emit(RunEvent::RunFinished(summary)).await;
        outcome
    }

    pub(super) async fn emit(&self, mut event: RunEvent) {
        let is_clean = match &event {
            // What a session gave was redacted when it ended.
            RunEvent::TestFinished { result, .. } => {
                !result.turns.is_empty() || result.script.is_some()
            }
            _ => false,
        };
        if !is_clean {
            self.redactor.event(&mut event);
        }
        // A reporter that is gone has said why; the run goes on.
        self.events.send(event).await.ok();
    }

    /// A test begins with its first run.
    async fn started(&mut self, index: usize) {
        let now = Instant::now();
        let Entry::Vacant(first) = self.running.entry(index) else {
            return;
        };
        first.insert((now + self.slow_after, now));
        let id = self.ids[index].clone();
        self.emit(RunEvent::TestStarted { index, id }).await;
    }

    /// A test ends with its last run.
    async fn finished(&mut self, index: usize, run: Box<TestResult>) {
        let Some(result) = self.gathering.take(index, *run).map(Box::new) else {
            return;
        };
        self.running.remove(&index);
        self.tally.count(&result);
        self.waiting.insert(index, result);
        while let Some(mut result) = self.waiting.remove(&self.next) {
            let index = self.next;
            self.next += 1;
            if let Some(kept) = &mut self.kept {
                kept.push(result_json(&result));
            }
            if !self.opening.is_empty() {
                let own = std::mem::take(&mut result.logs);
                result.logs = std::mem::take(&mut self.opening);
                add(&mut result.logs, own);
            }
            if self.kept.is_some() && self.next == self.ids.len() {
                self.held = Some(result);
                return;
            }
            self.emit(RunEvent::TestFinished { index, result }).await;
        }
    }

    async fn notice_slow(&mut self) {
        let now = Instant::now();
        let mut slow = Vec::new();
        for (index, (next_notice, started)) in &mut self.running {
            if now >= *next_notice {
                *next_notice += self.slow_after;
                slow.push((*index, now - *started));
            }
        }
        for (index, elapsed) in slow {
            let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
            self.emit(RunEvent::TestSlow { index, elapsed_ms }).await;
        }
    }
}
