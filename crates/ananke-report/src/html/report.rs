//! Follows a run and ends with one page.

use ananke_model::result::TestResult;
use ananke_model::run_event::{RunEvent, RunInfo, Summary};

use super::case::case_view;
use super::detail::{Scale, detail};
use super::document::{Head, document};
use super::index::Index;
use super::island::{cut, island};
use super::runs::{n_left_out, run_views, stability_view};
use super::words::Words;
use crate::asking::{Connector, asking};
use crate::report::Report;
use crate::stability::stability;
use crate::totals::RunsTally;

/// How many tests share a chunk at most; the page parses one chunk to show one test.
const CHUNK_TESTS: usize = 200;

/// A chunk of this size is full, in bytes.
const CHUNK_BYTES: usize = 1 << 20;

/// Details beyond this are shortened so that the page can still be opened, in bytes.
const ROOM: usize = 64 << 20;

/// How many notices are kept.
const MOST_NOTICES: usize = 100;

/// The HTML report: one page that needs nothing else. It holds text that is ready to be written, not results.
#[derive(Debug, Default)]
pub(crate) struct HtmlReport {
    run: RunInfo,
    index: Index,
    runs: RunsTally,
    connector: Connector,
    words: Words,
    chunks: Vec<Chunk>,
    n_bytes: usize,
    notices: Vec<String>,
    counted: Summary,
    finished: Option<Summary>,
}

/// Details of some tests, as JSON texts with commas between them.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub(super) json: String,
    pub(super) n_tests: usize,
}

impl HtmlReport {
    fn test(&mut self, result: &TestResult) {
        self.counted.count_result(result);
        self.connector.add(result);
        let stability = stability(result);
        self.index.push(result, stability.as_ref(), &mut self.words);
        self.runs.add(result, stability.as_ref());
        let least = (self.n_bytes >= ROOM).then(Scale::least);
        let scale = least.unwrap_or_else(|| Scale::of(result.status));
        let mut detail = detail(result, scale, &mut self.words);
        detail.case = case_view(result, self.run.identity.as_deref(), scale);
        detail.stability = stability.map(|stability| stability_view(stability, scale));
        detail.runs = run_views(result, least, &mut self.words);
        let n_left_out = n_left_out(result);
        if n_left_out > 0 {
            detail.cut.insert("runs", n_left_out);
        }
        let json = island(&detail);
        self.n_bytes += json.len();
        let has_room = |chunk: &Chunk| {
            chunk.n_tests < CHUNK_TESTS && chunk.json.len() + json.len() <= CHUNK_BYTES
        };
        if !self.chunks.last().is_some_and(has_room) {
            self.chunks.push(Chunk::default());
        }
        let chunk = self.chunks.last_mut().expect("one was just made");
        if chunk.n_tests > 0 {
            chunk.json.push(',');
        }
        chunk.json.push_str(&json);
        chunk.n_tests += 1;
    }
}

impl Report for HtmlReport {
    fn event(&mut self, event: &RunEvent) -> Vec<u8> {
        match event {
            RunEvent::RunStarted(run) => {
                self.run = RunInfo {
                    // The index names them.
                    tests: Vec::new(),
                    ..run.clone()
                };
            }
            RunEvent::TestFinished { result, .. } => self.test(result),
            RunEvent::Notice(notice) if self.notices.len() < MOST_NOTICES => {
                self.notices.push(cut(notice, 2_000).into_owned());
            }
            RunEvent::RunFinished(summary) => self.finished = Some(summary.clone()),
            RunEvent::Notice(_) | RunEvent::TestStarted { .. } | RunEvent::TestSlow { .. } => {}
        }
        Vec::new()
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        let summary = self.finished.unwrap_or(Summary {
            interrupted: true,
            ..self.counted
        });
        let n_results = self.index.n_results();
        let summary = if n_results.is_some() {
            self.index.by_test(&summary)
        } else {
            summary
        };
        let asking = self.run.identity.as_deref().into_iter().flat_map(asking);
        let asking = asking.map(|(name, value)| (name, cut(&value, 2_000).into_owned()));
        let runs = &self.runs;
        let head = Head {
            version: 1,
            asking: asking.collect(),
            run: &self.run,
            summary: &summary,
            n_results,
            connector: self.connector.name(),
            runs_in_words: (runs.n_tests > 0).then(|| {
                let (n_runs, rate) = (runs.n_runs, runs.pass_rate());
                let (each, classes) = (runs.runs_per_test(), runs.classes());
                format!("{each} of each test, {n_runs} in all, {rate:.1} % passed: {classes}")
            }),
            notices: &self.notices,
            words: self.words.list(),
            chunks: self.chunks.iter().map(|chunk| chunk.n_tests).collect(),
            is_shortened: self.n_bytes >= ROOM,
        };
        document(&head, &self.index, &self.chunks)
    }
}
