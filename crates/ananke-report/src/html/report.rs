//! Follows a run and ends with one page.

use ananke_model::result::TestResult;
use ananke_model::run_event::{RunEvent, RunInfo, Summary};

use super::detail::{Scale, detail};
use super::document::{Head, document};
use super::index::Index;
use super::island::{cut, island};
use super::words::Words;
use crate::report::Report;

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
        self.index.push(result, &mut self.words);
        let scale = if self.n_bytes < ROOM {
            Scale::of(result.status)
        } else {
            Scale::least()
        };
        let json = island(&detail(result, scale, &mut self.words));
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
        let head = Head {
            version: 1,
            run: &self.run,
            summary: &summary,
            n_results,
            notices: &self.notices,
            words: self.words.list(),
            chunks: self.chunks.iter().map(|chunk| chunk.n_tests).collect(),
            is_shortened: self.n_bytes >= ROOM,
        };
        document(&head, &self.index, &self.chunks)
    }
}
