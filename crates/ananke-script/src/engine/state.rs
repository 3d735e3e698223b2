//! What the functions that scripts can call know of the engine that they are called in. It holds no values of the engine, so
//! that nothing keeps the engine from being taken down.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use ananke_model::diagnostic::Diagnostic;

use super::record::Recorder;
use super::settings::{Settings, Stop};
use crate::compile::Compiled;
use crate::host::{Fetched, Host};

/// One engine's own state.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) settings: Arc<Settings>,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) stop: Stop,
    pub(crate) recorder: RefCell<Recorder>,
    /// When the function that runs has to have ended.
    pub(super) deadline: Cell<Option<Instant>>,
    /// Whether the engine was interrupted because that time, or the user, came.
    pub(super) was_interrupted: Cell<bool>,
    /// The modules that were loaded, by the name that the engine knows them by.
    pub(super) modules: RefCell<BTreeMap<String, Arc<Compiled>>>,
    /// Their names below the root, sorted, and a digest of their texts, as they were when somebody last wanted to know.
    pub(super) loaded: RefCell<(Vec<String>, String)>,
    /// The file that the engine itself asks for: nobody else may name one that is outside the project.
    pub(super) entry: RefCell<String>,
    /// A file that shares the names of another: its own path, and that of the other.
    pub(super) shares: RefCell<Option<(PathBuf, PathBuf)>>,
    /// What was wrong with modules that could not be compiled.
    pub(super) mistakes: RefCell<Vec<Diagnostic>>,
    /// Promises that were rejected while nobody listened, by an address that tells them apart.
    pub(super) rejected: RefCell<BTreeMap<usize, ananke_model::script::ScriptFailure>>,
    /// Whether `BeforeAll` wants something to be cleaned up after everything.
    pub(crate) has_cleanups: Cell<bool>,
    timers: RefCell<BTreeMap<(Instant, u32), Timer>>,
    /// Requests that were sent and neither answered nor given up, and which function sent them.
    requests: RefCell<BTreeMap<u32, u32>>,
    /// What runs now.
    running: Cell<Span>,
    last_span: Cell<u32>,
    /// Whose timer or answer the script acts upon, if it does.
    acts_for: Cell<Option<u32>>,
    answers: (Sender<Completion>, Receiver<Completion>),
}

/// A timer that is set.
#[derive(Debug)]
struct Timer {
    /// How long after it was set it is due.
    after: Duration,
    /// When it comes again.
    every: Option<Duration>,
    /// Whether nobody need wait for it.
    is_quiet: bool,
    /// Which function set it.
    span: u32,
}

/// A function, or a hook, that runs: what it began can be told from what was there before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span(u32);

/// What belongs to no function but to the file.
const FILE: Span = Span(0);

/// What a function began that is not done.
#[derive(Debug, Default)]
pub(super) struct Left {
    pub(super) has_request: bool,
    /// When the first of its intervals is due.
    pub(super) interval: Option<Instant>,
    /// When the first of its timers is due.
    pub(super) timer: Option<Instant>,
    /// How long after they were set its timers are due.
    pub(super) timers: Vec<Duration>,
}

/// The answer to something that a script did not wait for.
#[derive(Debug)]
pub(crate) struct Completion {
    /// What the script knows it by.
    pub(crate) id: u32,
    /// The answer.
    pub(crate) result: Result<Fetched, String>,
}

impl State {
    pub(super) fn new(settings: Arc<Settings>, host: Arc<dyn Host>, stop: Stop) -> Rc<Self> {
        Rc::new(Self {
            settings,
            host,
            stop,
            recorder: RefCell::default(),
            deadline: Cell::new(None),
            was_interrupted: Cell::new(false),
            modules: RefCell::default(),
            loaded: RefCell::default(),
            entry: RefCell::default(),
            shares: RefCell::default(),
            mistakes: RefCell::default(),
            rejected: RefCell::default(),
            has_cleanups: Cell::new(false),
            timers: RefCell::default(),
            requests: RefCell::default(),
            running: Cell::new(FILE),
            last_span: Cell::new(FILE.0),
            acts_for: Cell::new(None),
            answers: channel(),
        })
    }

    /// Returns how long what runs may still take.
    pub(crate) fn remaining(&self) -> Duration {
        match self.deadline.get() {
            Some(deadline) => deadline.saturating_duration_since(Instant::now()),
            None => Duration::MAX,
        }
    }

    /// Tells whether what runs has to end.
    pub(super) fn has_to_end(&self) -> bool {
        let is_late = self
            .deadline
            .get()
            .is_some_and(|deadline| Instant::now() >= deadline);
        is_late || self.stop.is_stopped()
    }

    /// Sets a timer; `every` is when it comes again. Nobody waits for one that is quiet.
    pub(crate) fn set_timer(
        &self,
        id: u32,
        after: Duration,
        every: Option<Duration>,
        is_quiet: bool,
    ) {
        let due = Instant::now() + after.min(Duration::from_secs(86_400));
        let timer = Timer {
            after,
            every,
            is_quiet,
            span: self.acting(),
        };
        self.timers.borrow_mut().insert((due, id), timer);
    }

    /// Begins with a function; returns what ran before, for those that run inside others.
    pub(super) fn begin(&self) -> Span {
        let number = self.last_span.get().wrapping_add(1);
        self.last_span.set(number);
        self.acts_for.set(None);
        self.running.replace(Span(number))
    }

    /// Goes on with what ran before.
    pub(super) fn go_on(&self, span: Span) {
        self.acts_for.set(None);
        self.running.set(span);
    }

    /// Acts for the function that runs again.
    pub(super) fn act_for_itself(&self) {
        self.acts_for.set(None);
    }

    /// Returns whose what is begun now is: a timer that a timer sets belongs to whoever set the first one.
    fn acting(&self) -> u32 {
        self.acts_for.get().unwrap_or(self.running.get().0)
    }

    /// Tells what the function that runs began and has not done.
    pub(super) fn left(&self) -> Left {
        let Span(number) = self.running.get();
        let mut left = Left {
            has_request: self.requests.borrow().values().any(|span| *span == number),
            ..Left::default()
        };
        for ((due, _), timer) in self.timers.borrow().iter() {
            if timer.span != number || timer.is_quiet {
                continue;
            }
            // The first one is due first.
            if timer.every.is_some() {
                left.interval.get_or_insert(*due);
            } else {
                left.timer.get_or_insert(*due);
                left.timers.push(timer.after);
            }
        }
        left
    }

    /// Clears a timer.
    pub(crate) fn clear_timer(&self, id: u32) {
        self.timers
            .borrow_mut()
            .retain(|(_, other), _| *other != id);
    }

    /// Clears the timers of the function that has ended, and forgets what it asked for and what was rejected.
    pub(super) fn clear(&self) {
        let Span(number) = self.running.get();
        self.timers
            .borrow_mut()
            .retain(|_, timer| timer.span != number);
        self.forget(number);
    }

    /// Gives the timers of the hook that has ended to the file; forgets what it asked for and what was rejected.
    pub(super) fn hand_over(&self) {
        let Span(number) = self.running.get();
        for timer in self.timers.borrow_mut().values_mut() {
            if timer.span == number {
                timer.span = FILE.0;
            }
        }
        self.forget(number);
    }

    fn forget(&self, number: u32) {
        self.requests.borrow_mut().retain(|_, span| *span != number);
        self.rejected.borrow_mut().clear();
    }

    /// Returns when the next timer is due.
    pub(super) fn next_timer(&self) -> Option<Instant> {
        self.timers.borrow().keys().next().map(|(due, _)| *due)
    }

    /// Takes a timer that is due.
    pub(super) fn due_timer(&self) -> Option<u32> {
        let mut timers = self.timers.borrow_mut();
        let first = timers.first_entry()?;
        let (due, id) = *first.key();
        if due > Instant::now() {
            return None;
        }
        let timer = first.remove();
        self.acts_for.set(Some(timer.span));
        if let Some(every) = timer.every {
            let due = Instant::now() + every.max(Duration::from_millis(1));
            timers.insert((due, id), timer);
        }
        Some(id)
    }

    /// Returns where the answer to a request goes that a script did not wait for. The script is told of it when it has nothing
    /// else to do.
    pub(crate) fn expect_answer(&self, id: u32) -> Sender<Completion> {
        self.requests.borrow_mut().insert(id, self.acting());
        self.answers.0.clone()
    }

    /// Gives a request up: its answer is ignored.
    pub(crate) fn give_up(&self, id: u32) {
        self.requests.borrow_mut().remove(&id);
    }

    /// Tells whether there are requests that may be answered.
    pub(super) fn expects_answers(&self) -> bool {
        !self.requests.borrow().is_empty()
    }

    /// Waits for such an answer. Those to requests that were given up, or whose function has ended, are dropped.
    pub(super) fn answer(&self, wait: Duration) -> Option<Completion> {
        let answer = self.answers.1.recv_timeout(wait).ok()?;
        let span = self.requests.borrow_mut().remove(&answer.id)?;
        self.acts_for.set(Some(span));
        Some(answer)
    }
}
