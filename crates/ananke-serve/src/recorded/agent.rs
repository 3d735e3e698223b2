//! Picks a recorded exchange for each request, and plays it.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ananke_model::result::TestResult;
use bytes::Bytes;
use serde_json::json;

use super::ambiguity::{Ambiguity, ambiguities};
use super::exchange::{Ask, End, Exchange, exchanges};
use super::foreign::{Face, input};
use super::matching::{Asked, Fit, Rank};
use super::rename::Renames;
use crate::agent::Agent;
use crate::engine::{Action, HttpReply, Reply};
use crate::input::RunInput;

/// How many threads are followed; the oldest is forgotten first.
const MAX_THREADS: usize = 1024;

/// Answers with what recorded agents sent, with the pauses between events.
///
/// A request gets the recording of the same conversation, else that of the same message as the same turn, else that of
/// the same message. Among those, the recordings of the agent that the request names come first, then those with the same
/// state. Several that are left take turns. A thread stays with its recording.
#[derive(Debug)]
pub struct RecordedAgent {
    exchanges: Vec<Exchange>,
    progress: Mutex<Progress>,
}

/// A request of another protocol than AG-UI.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForeignAsk<'a> {
    pub(crate) face: Face,
    /// The conversation; none where nobody knows what came before.
    pub(crate) thread: Option<&'a str>,
    /// What was said so far, this request included.
    pub(crate) said: &'a [String],
    /// Where it was sent.
    pub(crate) path: &'a str,
}

#[derive(Debug, Default)]
struct Progress {
    /// How often each exchange was played.
    n_played: Vec<usize>,
    /// The exchange that each thread heard last.
    threads: VecDeque<(String, usize)>,
}

impl RecordedAgent {
    /// Returns an agent that answers from these tests.
    pub fn new(results: &[TestResult]) -> Self {
        let exchanges = exchanges(results);
        let progress = Progress {
            n_played: vec![0; exchanges.len()],
            threads: VecDeque::new(),
        };
        Self {
            exchanges,
            progress: Mutex::new(progress),
        }
    }

    /// Returns how many requests are recorded.
    pub fn n_exchanges(&self) -> usize {
        self.exchanges.len()
    }

    /// Returns the conversations that were recorded several times with answers that differ.
    pub fn ambiguities(&self) -> Vec<Ambiguity> {
        ambiguities(&self.exchanges)
    }

    /// Leaves out the pauses.
    #[must_use]
    pub fn without_pauses(mut self) -> Self {
        for exchange in &mut self.exchanges {
            for (pause, _) in &mut exchange.events {
                *pause = Duration::ZERO;
            }
        }
        self
    }

    /// Tells whether there are recordings of a protocol.
    pub(crate) fn has(&self, face: Face) -> bool {
        self.exchanges.iter().any(|exchange| exchange.face == face)
    }

    /// Returns the exchange that answers a request of another protocol, or says that none does.
    pub(crate) fn play(&self, ask: ForeignAsk<'_>) -> Result<&Exchange, String> {
        let input = input(ask.thread.unwrap_or_default(), ask.said, ask.path);
        let asked = Asked::foreign(ask.face, &input, ask.thread.is_none());
        self.pick(&asked).ok_or_else(|| self.missing(&asked).0)
    }

    /// Returns an exchange that tells what the agent says of itself: one of the agent that the path names, if it names one.
    pub(crate) fn about(&self, face: Face, path: &str) -> Option<&Exchange> {
        let input = input("", &[], path);
        let asked = Asked::foreign(face, &input, true);
        let own = self
            .exchanges
            .iter()
            .filter(|exchange| exchange.face == face);
        let own = own.filter(|exchange| exchange.foreign.about.is_object());
        // Of several that are as good, the first.
        own.rev()
            .max_by_key(|exchange| asked.rank(Fit::Turn, exchange))
    }

    /// Returns what was asked of a protocol's agents.
    pub(crate) fn asked(&self, face: Face) -> impl Iterator<Item = &Exchange> {
        self.exchanges
            .iter()
            .filter(move |exchange| exchange.face == face)
    }

    /// Returns the exchange that answers a request, and notes that it was played.
    fn pick(&self, asked: &Asked<'_>) -> Option<&Exchange> {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        let thread = &asked.input.thread_id;
        let next = self.next_on(&progress, thread);
        let fits = self
            .exchanges
            .iter()
            .enumerate()
            .filter_map(|(at, exchange)| {
                let fit = if next == Some(at) && asked.is_continued_by(exchange) {
                    Some(Fit::Conversation)
                } else {
                    asked.fit(exchange)
                };
                Some((asked.rank(fit?, exchange), at))
            });
        let fits: Vec<(Rank, usize)> = fits.collect();
        let best = fits.iter().map(|(rank, _)| *rank).max()?;
        let candidates = || {
            fits.iter()
                .filter(|(rank, _)| *rank == best)
                .map(|(_, at)| *at)
        };
        let least_played = || candidates().min_by_key(|at| progress.n_played.get(*at).copied());
        // A client that sends its last message alone leaves the rest to the thread.
        let is_told_apart = asked.heard.len() > 1;
        let is_next = |(rank, at): &(Rank, usize)| {
            Some(*at) == next && (rank.fit == best.fit || !is_told_apart)
        };
        let at = match fits.iter().find(|found| is_next(found)) {
            Some((_, at)) => *at,
            None => least_played()?,
        };
        progress.played(at, thread);
        self.exchanges.get(at)
    }

    /// Returns the exchange that follows what a thread heard last in its recording.
    fn next_on(&self, progress: &Progress, thread: &str) -> Option<usize> {
        let (_, at) = progress.threads.iter().find(|(known, _)| known == thread)?;
        let (heard, next) = (self.exchanges.get(*at)?, self.exchanges.get(at + 1)?);
        (heard.recording == next.recording).then_some(at + 1)
    }

    /// Says that nothing fits, and what comes nearest.
    fn unknown(&self, asked: &Asked<'_>) -> Reply {
        let (error, nearest) = self.missing(asked);
        Reply::Http(HttpReply {
            after: Duration::ZERO,
            status: 404,
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: json!({"error": error, "nearest": nearest}).to_string(),
        })
    }

    fn missing(&self, asked: &Asked<'_>) -> (String, Option<&str>) {
        let message = asked.heard.last().map_or("", String::as_str);
        let turn = asked.heard.len();
        let mut error = match asked.ask {
            Ask::Message => format!("no recording answers `{message}` (turn {turn})"),
            Ask::ToolResult => format!("no recording goes on after a client tool for `{message}`"),
            Ask::Resume => {
                format!("no recording has this answer to the interrupt after `{message}`")
            }
            Ask::Connect => "no recording attaches to this thread".to_owned(),
        };
        let nearest = asked.nearest(&self.exchanges);
        if let Some((text, test)) = nearest {
            write!(error, "; the nearest recorded message is `{text}` ({test})").ok();
        }
        (error, nearest.map(|(text, _)| text))
    }
}

impl Progress {
    fn played(&mut self, at: usize, thread: &str) {
        if let Some(n_played) = self.n_played.get_mut(at) {
            *n_played += 1;
        }
        self.threads.retain(|(known, _)| known != thread);
        if self.threads.len() == MAX_THREADS {
            self.threads.pop_front();
        }
        self.threads.push_back((thread.to_owned(), at));
    }
}

impl Agent for RecordedAgent {
    fn reply(&self, input: &RunInput) -> Reply {
        let asked = Asked::run(input);
        match self.pick(&asked) {
            Some(exchange) => play(exchange, input),
            None => self.unknown(&asked),
        }
    }

    fn connect(&self, input: &RunInput) -> Option<Reply> {
        let exchange = self.pick(&Asked::connect(input))?;
        Some(play(exchange, input))
    }

    fn recordings(&self) -> Option<&RecordedAgent> {
        Some(self)
    }
}

fn play(exchange: &Exchange, input: &RunInput) -> Reply {
    if let (End::Http(reply), true) = (&exchange.end, exchange.events.is_empty()) {
        return Reply::Http(reply.clone());
    }
    let renames = Renames::new(&exchange.input, input);
    let mut actions = Vec::with_capacity(2 * exchange.events.len() + 1);
    for (pause, payload) in &exchange.events {
        if !pause.is_zero() {
            actions.push(Action::Wait(*pause));
        }
        actions.push(Action::Send(Bytes::from(event(&renames.apply(payload)))));
    }
    match exchange.end {
        End::Reset => actions.push(Action::Reset),
        End::Close => actions.push(Action::Close),
        End::Stall => actions.push(Action::Stall),
        End::Body | End::Http(_) => {}
    }
    Reply::Stream(actions)
}

/// Writes an event of the stream; a payload of several lines takes as many.
fn event(payload: &str) -> String {
    let mut event = String::with_capacity(payload.len() + 8);
    for line in payload.split('\n') {
        event.push_str("data: ");
        event.push_str(line);
        event.push('\n');
    }
    event.push('\n');
    event
}
