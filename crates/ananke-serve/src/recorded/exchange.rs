//! Recorded tests, cut into exchanges: one request, and what came back for it.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use ananke_model::recording::{Trouble, TroubleKind, Turn, TurnStatus};
use ananke_model::result::TestResult;
use serde_json::Value;

use super::foreign::{Face, Foreign, cut_calls, cut_task, input};
use super::matching::Asked;
use crate::engine::HttpReply;
use crate::http::{Route, route};
use crate::input::RunInput;

/// One recorded request and its answer.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// The recording that it belongs to; each run of a test has one.
    pub(super) recording: usize,
    /// The test, as users know it.
    pub(super) test: String,
    /// The agent that answered, as users know it.
    pub(super) target: String,
    /// What was asked.
    pub(super) ask: Ask,
    /// What the user had said by then.
    pub(super) said: Vec<String>,
    /// Whether a case sent all its messages at once: the history is none of the agent's.
    pub(super) is_case: bool,
    /// The request.
    pub(super) input: RunInput,
    /// The events, each with the pause before it.
    pub(crate) events: Vec<(Duration, String)>,
    /// What came after the last event.
    pub(crate) end: End,
    /// Differs where the turn said or did something else; ids and times are no difference.
    pub(super) gist: u64,
    /// What was spoken.
    pub(super) face: Face,
    /// What only other protocols than AG-UI have.
    pub(crate) foreign: Foreign,
}

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// The answer to a user message.
    Message,
    /// To go on after a tool of the client.
    ToolResult,
    /// To go on after an interrupt.
    Resume,
    /// What the thread holds.
    Connect,
}

/// How an answer ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The body ends.
    Body,
    /// The connection breaks.
    Reset,
    /// The connection ends in the middle of the body.
    Close,
    /// Nothing comes any more.
    Stall,
    /// It never was a stream.
    Http(HttpReply),
}

/// Returns the exchanges of all tests. Of a test that was run again because it had failed they are those of the attempt
/// that counted; of one that was run several times by intention, those of each run in their order.
pub(super) fn exchanges(results: &[TestResult]) -> Vec<Exchange> {
    let mut exchanges = Vec::new();
    let runs = results.iter().flat_map(TestResult::runs);
    for (recording, result) in runs.enumerate() {
        let mut said = Vec::new();
        for judged in &result.turns {
            let face = Face::of(&judged.turn);
            if face == Face::Agui {
                said.extend(judged.turn.user.clone());
            }
            let n_before = exchanges.len();
            cut(&judged.turn, recording, result, &said, &mut exchanges);
            let last = exchanges.last().filter(|_| exchanges.len() > n_before);
            if let Some(last) = last.filter(|_| face != Face::Agui) {
                said.clone_from(&last.said);
            }
        }
    }
    exchanges
}

/// Adds the exchanges of a turn: more than one where client tools were answered.
fn cut(
    turn: &Turn,
    recording: usize,
    result: &TestResult,
    said: &[String],
    exchanges: &mut Vec<Exchange>,
) {
    let trouble = match &turn.status {
        TurnStatus::Broken(trouble) => Some(trouble),
        TurnStatus::Finished | TurnStatus::RunError { .. } => None,
    };
    if trouble.is_some_and(|trouble| trouble.kind == TroubleKind::Cancelled) {
        // Nobody knows what the agent would have sent.
        return;
    }
    let gist = gist(turn);
    let face = Face::of(turn);
    if face != Face::Agui {
        let of = Exchange {
            recording,
            test: result.id.0.clone(),
            target: result.target.clone(),
            ask: Ask::Message,
            said: said.to_vec(),
            is_case: false,
            input: input("", &[], ""),
            events: Vec::new(),
            end: End::Body,
            gist,
            face,
            foreign: Foreign::default(),
        };
        let end = trouble.map_or(End::Body, end);
        return match face {
            Face::Mcp => cut_calls(turn, end, &of, exchanges),
            _ => cut_task(turn, end, &of, exchanges),
        };
    }
    let mut segments = segments(turn).into_iter();
    let last = turn.requests.len().saturating_sub(1);
    for (number, request) in turn.requests.iter().enumerate() {
        let events = segments.next().unwrap_or_default();
        let Ok(Route::Run(input) | Route::EnvelopedRun(input) | Route::Connect(input)) =
            route("/", request.clone())
        else {
            continue;
        };
        let asked = Asked::run(&input);
        let is_case = turn.kind == "messages";
        exchanges.push(Exchange {
            recording,
            test: result.id.0.clone(),
            target: result.target.clone(),
            ask: match turn.kind.as_str() {
                _ if number > 0 => Ask::ToolResult,
                "agui:connect" => Ask::Connect,
                "agui:resume" => Ask::Resume,
                // They may end with anything.
                "messages" => asked.ask,
                _ => Ask::Message,
            },
            said: if is_case { asked.heard } else { said.to_vec() },
            is_case,
            input,
            events,
            end: match trouble {
                Some(trouble) if number == last => end(trouble),
                _ => End::Body,
            },
            gist,
            face: Face::Agui,
            foreign: Foreign::default(),
        });
    }
}

/// Returns the events of each request with the pauses before them. A run that begins after one has ended belongs to the
/// next request, as long as there is one.
fn segments(turn: &Turn) -> Vec<Vec<(Duration, String)>> {
    let mut n_more = turn.requests.len().saturating_sub(1);
    let mut segments = vec![Vec::new()];
    let mut is_over = false;
    let mut before_us = 0;
    for (payload, at_us) in turn.events.iter() {
        let payload = String::from_utf8_lossy(payload).into_owned();
        if n_more > 0 {
            let kind = kind(&payload);
            if is_over && kind.as_deref() == Some("RUN_STARTED") {
                segments.push(Vec::new());
                n_more -= 1;
                is_over = false;
            }
            is_over |= matches!(kind.as_deref(), Some("RUN_FINISHED" | "RUN_ERROR"));
        }
        let pause = Duration::from_micros(at_us.saturating_sub(before_us));
        before_us = at_us;
        if let Some(segment) = segments.last_mut() {
            segment.push((pause, payload));
        }
    }
    segments
}

fn kind(payload: &str) -> Option<String> {
    let event: Value = serde_json::from_str(payload).ok()?;
    Some(event.get("type")?.as_str()?.to_owned())
}

fn gist(turn: &Turn) -> u64 {
    let calls = turn.tool_calls.iter();
    let calls: Vec<_> = calls
        .map(|call| (&call.name, &call.args_text, &call.result, &call.error))
        .collect();
    let status = format!("{:?}", turn.status);
    let state = turn.state.to_string();
    let mut hasher = DefaultHasher::new();
    (&turn.text, calls, state, turn.interrupts.len(), status).hash(&mut hasher);
    hasher.finish()
}

fn end(trouble: &Trouble) -> End {
    match trouble.kind {
        TroubleKind::Timeout => End::Stall,
        TroubleKind::Unreachable | TroubleKind::Transport => End::Reset,
        TroubleKind::HttpStatus | TroubleKind::Redirect => {
            refusal(trouble).map_or(End::Body, End::Http)
        }
        TroubleKind::Truncated => truncated(&trouble.message),
        // What the body was is not recorded, only what was wrong with it.
        TroubleKind::ContentType => End::Http(http(200, &trouble.message)),
        TroubleKind::Empty
        | TroubleKind::NothingToReplay
        | TroubleKind::Limit
        | TroubleKind::BadEvent
        | TroubleKind::Cancelled => End::Body,
    }
}

/// Tells a connection that broke from a body that ended: only the former has a cause.
fn truncated(message: &str) -> End {
    match message.strip_prefix("the stream ended before RUN_FINISHED: ") {
        None => End::Body,
        Some(cause) if cause.contains("reset") => End::Reset,
        Some(_) => End::Close,
    }
}

/// Reads `HTTP 429 Too Many Requests: body` back.
fn refusal(trouble: &Trouble) -> Option<HttpReply> {
    let (head, body) = trouble
        .message
        .split_once(": ")
        .unwrap_or((&trouble.message, ""));
    let told = head
        .strip_prefix("HTTP ")
        .and_then(|rest| rest.split(' ').next()?.parse().ok());
    let status = trouble.refusal.map(|refusal| refusal.status).or(told)?;
    let mut reply = http(status, body);
    let wait_ms = trouble.refusal.and_then(|refusal| refusal.retry_after_ms);
    reply.headers.extend(wait_ms.map(|wait_ms| {
        let seconds = wait_ms.div_ceil(1000);
        ("retry-after".to_owned(), seconds.to_string())
    }));
    Some(reply)
}

fn http(status: u16, body: &str) -> HttpReply {
    let is_json = serde_json::from_str::<Value>(body).is_ok();
    let media_type = if is_json {
        "application/json"
    } else {
        "text/plain; charset=utf-8"
    };
    HttpReply {
        after: Duration::ZERO,
        status,
        headers: vec![("content-type".to_owned(), media_type.to_owned())],
        body: body.to_owned(),
    }
}
