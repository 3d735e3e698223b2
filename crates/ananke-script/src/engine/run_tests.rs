//! Runs the test functions of a file, and watches over the thread that runs them.

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ananke_model::coverage::Coverage;
use ananke_model::script::{
    FailureKind, ScriptFailure, ScriptFile, ScriptLog, ScriptRecord, TestFunction,
};
use serde_json::Value;

use super::limits::GRACE;
use super::mailbox::{Reader, mailbox};
use super::on_thread::on_thread;
use super::run_file::{locate, run_file};
use super::settings::{Settings, Stop};
use crate::host::Host;

/// How often is looked for what was told, and for a stop from outside.
const LOOK: Duration = Duration::from_millis(20);

/// The functions of a file that are to be run.
#[derive(Clone, Debug)]
pub struct FileRun {
    /// What all scripts share.
    pub settings: Arc<Settings>,
    /// Whoever answers what the functions ask.
    pub host: Arc<dyn Host>,
    /// Stops everything.
    pub stop: Stop,
    /// The file.
    pub file: Arc<ScriptFile>,
    /// The functions, in order.
    pub functions: Vec<TestFunction>,
    /// The `ctx` of every function, as JSON: the members of the identity in snake case. Its `chat_id` is made for each
    /// function if it has none.
    pub context: Value,
    /// How long each function may take.
    pub timeout: Duration,
}

/// What is told while functions run; numbers are positions in [`FileRun::functions`].
#[derive(Debug)]
pub enum Told {
    /// A function begins.
    Started(usize),
    /// A function ended.
    Finished {
        /// Which.
        index: usize,
        /// What was recorded.
        record: Box<ScriptRecord>,
        /// How long it took, hooks around it included.
        duration: Duration,
    },
}

/// What is known when a file is done.
#[derive(Debug, Default)]
pub struct FileOutcome {
    /// What was run, if it was counted.
    pub coverage: Coverage,
    /// Things worth a look that belong to no function.
    pub warnings: Vec<String>,
    /// What went wrong behind all functions, such as an `AfterAll` that failed. It counts as a failure of the last one.
    pub failures: Vec<ScriptFailure>,
    /// What was logged behind all functions.
    pub logs: Vec<ScriptLog>,
}

/// What the thread of an engine tells.
#[derive(Debug)]
pub(super) enum Message {
    Told(Told),
    Coverage(Coverage),
    /// Something went wrong behind the functions.
    Failure(Box<ScriptFailure>),
    /// Something was logged behind the functions.
    Logs(Vec<ScriptLog>),
}

/// Runs the functions of a file one after another. Every function is told of exactly once, in order; `false` from `tell` means
/// that no further one is to begin.
pub fn run_tests(run: &FileRun, mut tell: impl FnMut(Told) -> bool) -> FileOutcome {
    let mut outcome = FileOutcome::default();
    let mut next = 0;
    while next < run.functions.len() && !run.stop.is_stopped() {
        let (thread_run, from) = (run.clone(), next);
        let (writer, reader) = mailbox();
        let thread = on_thread(move || run_file(&thread_run, from, &Rc::new(writer)));
        if let Err(error) = thread {
            let warning = format!("a thread cannot be started: {error}");
            outcome.warnings.push(warning);
            break;
        }
        let mut watch = Watch {
            run,
            next: &mut next,
            running: None,
            outcome: &mut outcome,
        };
        if !watch.follow(&reader, &mut tell) {
            break;
        }
    }
    for index in next..run.functions.len() {
        let failure = match run.stop.is_stopped() {
            true => failed(FailureKind::Interrupted, "interrupted"),
            false => failed(FailureKind::Load, "it was not begun"),
        };
        finish(run, index, failure, Duration::ZERO, &mut tell);
    }
    outcome
}

/// Follows one thread.
struct Watch<'a> {
    run: &'a FileRun,
    next: &'a mut usize,
    /// The function that runs, and since when.
    running: Option<(usize, Instant)>,
    outcome: &'a mut FileOutcome,
}

impl Watch<'_> {
    /// Follows a thread to its end, or gives it up. Returns whether another one may be started for the rest.
    fn follow(&mut self, reader: &Reader, tell: &mut impl FnMut(Told) -> bool) -> bool {
        let began_with = *self.next;
        loop {
            let mail = reader.take(LOOK);
            let is_quiet = mail.messages.is_empty();
            for message in mail.messages {
                if !self.take(message, tell) {
                    return false;
                }
            }
            if mail.is_over {
                break;
            }
            let is_stopped = self.run.stop.is_stopped();
            let is_late = mail.running > self.run.timeout + GRACE;
            if is_quiet && (is_late || (is_stopped && mail.running > GRACE)) {
                self.give_up(tell);
                return !is_stopped;
            }
        }
        if self.running.is_some() {
            // The thread is gone in the middle of a function.
            self.end(failed(FailureKind::Load, "the engine broke"), tell);
        }
        // A thread that did nothing would do nothing again.
        if *self.next == began_with && began_with < self.run.functions.len() {
            self.end(failed(FailureKind::Load, "the engine broke"), tell);
        }
        true
    }

    fn take(&mut self, message: Message, tell: &mut impl FnMut(Told) -> bool) -> bool {
        match message {
            Message::Told(Told::Started(index)) => {
                self.running = Some((index, Instant::now()));
                tell(Told::Started(index))
            }
            Message::Told(told) => {
                self.running = None;
                *self.next += 1;
                tell(told)
            }
            Message::Coverage(coverage) => {
                self.outcome.coverage.add(coverage);
                true
            }
            Message::Failure(failure) => {
                self.outcome.failures.push(*failure);
                true
            }
            Message::Logs(logs) => {
                self.outcome.logs.extend(logs);
                true
            }
        }
    }

    /// Leaves a thread behind that does not come back from what it does.
    fn give_up(&mut self, tell: &mut impl FnMut(Told) -> bool) {
        let mut failure = match self.run.stop.is_stopped() {
            true => failed(FailureKind::Interrupted, "interrupted"),
            false => timeout(self.run.timeout),
        };
        if failure.kind == FailureKind::Timeout {
            let why = " (it was inside a function of the engine that cannot be interrupted; its thread was left behind)";
            failure.message.push_str(why);
        }
        self.end(failure, tell);
    }

    /// Ends the function that runs, or the one that was to run next.
    fn end(&mut self, failure: ScriptFailure, tell: &mut impl FnMut(Told) -> bool) {
        let (index, duration) = match self.running.take() {
            Some((index, since)) => (index, since.elapsed()),
            None => (*self.next, Duration::ZERO),
        };
        *self.next = index + 1;
        finish(self.run, index, failure, duration, tell);
    }
}

fn finish(
    run: &FileRun,
    index: usize,
    failure: ScriptFailure,
    duration: Duration,
    tell: &mut impl FnMut(Told) -> bool,
) {
    let function = &run.functions[index];
    let mut failure = failure;
    locate(&mut failure, function, &run.file.path);
    let record = Box::new(ScriptRecord {
        function: function.name.clone(),
        script: run.file.id.clone(),
        failures: vec![failure],
        fails_by_itself: function.fails_by_itself,
        ..ScriptRecord::default()
    });
    tell(Told::Finished {
        index,
        record,
        duration,
    });
}

/// Says that the time is over.
pub(super) fn timeout(limit: Duration) -> ScriptFailure {
    let shown = shown(limit);
    failed(FailureKind::Timeout, &format!("timeout after {shown}"))
}

/// Adds the limit to the words of a failure that came of it.
pub(super) fn limited(failure: ScriptFailure, limit: Duration) -> ScriptFailure {
    match failure.kind {
        FailureKind::Timeout => timeout(limit),
        _ => failure,
    }
}

/// Says of a file that it, and no function, took too long.
pub(super) fn loading(failure: ScriptFailure, limit: Duration) -> ScriptFailure {
    let message = match failure.kind {
        FailureKind::Timeout => format!("loading the file took longer than {}", shown(limit)),
        _ => return failure,
    };
    ScriptFailure { message, ..failure }
}

/// Writes a limit as people would.
pub(super) fn shown(limit: Duration) -> String {
    match limit.subsec_millis() {
        0 => format!("{}s", limit.as_secs()),
        _ => format!("{}ms", limit.as_millis()),
    }
}

fn failed(kind: FailureKind, message: &str) -> ScriptFailure {
    ScriptFailure {
        kind,
        message: message.to_owned(),
        ..ScriptFailure::default()
    }
}
