//! Sends the requests of scenarios and keeps what came of them.

use std::collections::HashSet;

use ananke_protocol::http::{Ask, HttpClient, NoAnswer};
use serde_json::Value;

use super::seen::{RunEnd, Seen, refusal};
use super::talk::{CLOSING_TIME, EVENT_STREAM, Reading, talk};
use super::target::{DriveError, Target};
use super::thread::Thread;
use crate::case::Case;
use crate::exchange::{Answer, Asked, Ending, Exchange};
use crate::rules::shape;

/// How many runs may take all their time before the server is given up.
const MAX_UNENDED: usize = 2;

/// Sends requests and keeps what came of them.
#[derive(Debug)]
pub(super) struct Driver<'a> {
    pub(super) target: &'a Target,
    pub(super) case: Case,
    /// The scenario that is being played.
    pub(super) scenario: &'static str,
    client: HttpClient,
    stays_open: bool,
}

/// What a run is for.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// In words: `run`, `turn 2`, `resume: cancelled`.
    pub(super) words: String,
    /// For the rules.
    pub(super) asked: Asked,
    /// Answers to interrupts.
    pub(super) resume: Vec<Value>,
    /// The client goes away after so many events.
    pub(super) leave_after: Option<usize>,
}

impl Step {
    /// A run that is read to its end.
    pub(super) fn run(words: impl Into<String>) -> Self {
        Self {
            words: words.into(),
            asked: Asked::Run,
            resume: Vec::new(),
            leave_after: None,
        }
    }
}

/// Any request.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) method: &'static str,
    pub(super) content_type: Option<&'static str>,
    pub(super) accept: &'static str,
    pub(super) body: Option<Vec<u8>>,
}

impl Request {
    /// A run as the protocol wants it.
    pub(super) fn run(input: &Value) -> Self {
        Self {
            method: "POST",
            content_type: Some("application/json"),
            accept: EVENT_STREAM,
            body: Some(input.to_string().into_bytes()),
        }
    }
}

impl<'a> Driver<'a> {
    /// Begins.
    pub(super) fn new(target: &'a Target) -> Result<Self, DriveError> {
        Ok(Self {
            target,
            client: target.client()?,
            case: Case {
                subject: target.shown_url(),
                ..Case::default()
            },
            scenario: "",
            stays_open: false,
        })
    }

    /// Runs the agent on a thread, and adds the answer to the thread.
    pub(super) async fn run(
        &mut self,
        thread: &mut Thread,
        step: Step,
    ) -> Result<Seen, DriveError> {
        let input = thread.input(self.target, &step.resume);
        self.check(thread, &step, &input);
        let (held, n_spoken) = (thread.calls(), thread.n_spoken());
        let request = Request::run(&input);
        let answer = self.ask(&request, step.leave_after).await?;
        thread.take(&answer);
        let held: HashSet<String> = held.into_iter().map(|call| call.id).collect();
        let seen = Seen {
            exchange: self.case.exchanges.len(),
            end: RunEnd::of(&answer),
            has_text: thread.n_spoken() > n_spoken,
            calls: thread
                .calls()
                .into_iter()
                .filter(|call| !held.contains(&call.id))
                .collect(),
        };
        self.keep(step.words, step.asked, Some(input), answer);
        Ok(seen)
    }

    /// Sends a request and reads its answer.
    pub(super) async fn ask(
        &mut self,
        request: &Request,
        leave_after: Option<usize>,
    ) -> Result<Answer, DriveError> {
        let mut own = vec![("accept", request.accept)];
        own.extend(request.content_type.map(|kind| ("content-type", kind)));
        let ask = Ask {
            method: request.method,
            url: self.target.url.clone(),
            headers: self.target.headers(&own),
            body: request.body.clone(),
        };
        let reading = Reading {
            timeout: self.target.timeout,
            limits: self.target.limits,
            leave_after,
            closing: (!self.stays_open).then_some(CLOSING_TIME),
        };
        let (answer, reason) = talk(&self.client, &ask, reading).await;
        let is_first = self.case.exchanges.is_empty();
        match reason {
            Some(NoAnswer::Wrong(why)) => return Err(DriveError::Configuration(why)),
            Some(NoAnswer::Unreachable(why)) if is_first => {
                let url = self.target.shown_url();
                return Err(DriveError::Unreachable { url, why });
            }
            _ => {}
        }
        let is_over = matches!(answer.ending, Ending::GivenUp(_));
        let last = answer.events.last().and_then(|event| event.kind());
        self.stays_open |=
            is_over && leave_after.is_none() && matches!(last, Some("RUN_FINISHED" | "RUN_ERROR"));
        Ok(answer)
    }

    /// Keeps an exchange of the scenario.
    pub(super) fn keep(
        &mut self,
        step: String,
        asked: Asked,
        request: Option<Value>,
        answer: Answer,
    ) {
        self.case.exchanges.push(Exchange {
            scenario: self.scenario.to_owned(),
            step,
            asked,
            request,
            answer,
        });
    }

    /// Says why nothing more is asked of the server, if that is so: its very first answer was no stream, or its first
    /// runs did not end, and each further one would take all its time too.
    pub(super) fn closed_door(&self) -> Option<String> {
        let exchanges = &self.case.exchanges;
        if let Some(why) = refusal(&exchanges.first()?.answer) {
            return Some(format!("the first run was refused: {why}"));
        }
        let never_ends = exchanges.len() >= MAX_UNENDED
            && exchanges
                .iter()
                .all(|exchange| exchange.answer.unended().is_some());
        never_ends.then(|| format!("none of the first {} runs ended", exchanges.len()))
    }

    /// Checks our own request. What is wrong with it is never blamed on the server.
    fn check(&mut self, thread: &Thread, step: &Step, input: &Value) {
        let Some(first) = shape::check_input(input, self.target.profile)
            .into_iter()
            .next()
        else {
            return;
        };
        let own = thread.own_input(self.target, &step.resume);
        let own = shape::check_input(&own, self.target.profile);
        let place = format!("scenario `{}`, {}", self.scenario, step.words);
        match own.into_iter().next() {
            Some(own) => {
                let message = format!("a request of ananke itself breaks the protocol: {place}: {own}");
                self.case.harness_error.get_or_insert(message);
            }
            // Each run of a thread carries the same history: once is enough.
            None if self.case.notes.iter().any(|note| note.ends_with(&first)) => {}
            None => self.case.notes.push(format!(
                "{place}: the history that the server's answers amount to breaks the protocol: {first}"
            )),
        }
    }
}
