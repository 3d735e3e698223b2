//! One turn: a request, its stream of events, the answers of client tools, and the end. Never fails: what went wrong is
//! part of the turn, beside all that was captured before.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ananke_model::plan::{Clock, Encoding, Limits};
use ananke_model::recording::{Trouble, TroubleKind, Turn};
use bytes::Bytes;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::conversation::Conversation;
use super::ending::Ending;
use super::fold::{Fold, RunEnd};
use super::request::{self, AguiOptions, Method, News};
use super::stream::{Framing, Stream, StreamError};
use super::{spoken, work};
use crate::action::Action;
use crate::http::{Answer, Exchange, Headers, HttpClient};
use crate::protobuf::FrameDecoder;
use crate::sse;

const SSE: &str = "text/event-stream";
const PROTOBUF: &str = "application/vnd.ag-ui.event+proto";
/// How long to wait for the end of the body after the terminal event: a late `RUN_ERROR` counts.
const GRACE: Duration = Duration::from_millis(250);
/// What events, calls and messages cost in memory beside their bytes, and how often text, arguments and results are held
/// at once, reports included.
const EVENT_COST: usize = 48;
const CALL_COST: usize = 2048;
const MESSAGE_COST: usize = 1024;
const TEXT_COST: usize = 6;
/// How many bytes are folded before the clock is looked at again.
const PIECE: usize = 16 << 10;
/// Requests that one turn may take to answer client tools.
const MAX_REQUESTS: usize = 16;

/// Everything that one turn needs.
#[derive(Debug)]
pub struct TurnRequest<'a> {
    /// The shared client.
    pub client: &'a HttpClient,
    /// What every request of the test shares.
    pub options: &'a AguiOptions,
    /// The configured headers.
    pub headers: &'a Headers,
    /// What to send.
    pub action: Action,
    /// Which encoding to ask for.
    pub encoding: Encoding,
    /// Which clock timing checks use.
    pub clock: Clock,
    /// Wall-clock limit of the whole turn.
    pub timeout: Duration,
    /// What is kept at most.
    pub limits: Limits,
    /// Now, in Unix milliseconds.
    pub unix_ms: i64,
    /// Stops the turn when the user stops the run.
    pub cancel: &'a CancellationToken,
}

/// Runs one turn on `conversation`. `new_id` gives ids for runs and messages.
pub async fn run_turn(
    request: &TurnRequest<'_>,
    conversation: &mut Conversation,
    new_id: &mut (dyn FnMut() -> String + Send),
) -> Turn {
    let (news, user) = spoken::say(&request.action, conversation, new_id);
    let is_connect = matches!(request.action, Action::Connect { .. });
    let user_message_id = news.message_ids.last().cloned();
    let started = Instant::now();
    let mut driver = Driver {
        request,
        stream: Stream::new(Fold::new(
            conversation,
            user_message_id.as_deref(),
            is_connect,
        )),
        started,
        deadline: started + request.timeout,
        requests: Vec::new(),
        reached: false,
        connect_us: None,
    };
    driver.stream.fold.work.until(driver.deadline);
    let trouble = if let Action::Send(_) | Action::Ask(_) = request.action {
        let needed = request.action.needs().unwrap_or_default();
        let kind = request.action.kind();
        Err(trouble(
            TroubleKind::BadEvent,
            format!("`{kind}` needs {needed}: this one speaks AG-UI"),
        ))
    } else if matches!(request.action, Action::Resume { .. }) && news.resume.is_empty() {
        Err(trouble(
            TroubleKind::BadEvent,
            "there is nothing to resume: the turn before ended without an interrupt",
        ))
    } else {
        driver.run(news, new_id).await
    };
    driver.into_turn(user, trouble)
}

struct Driver<'a, 'c> {
    request: &'a TurnRequest<'a>,
    stream: Stream<'c>,
    started: Instant,
    deadline: Instant,
    requests: Vec<Value>,
    reached: bool,
    connect_us: Option<u64>,
}

impl Driver<'_, '_> {
    async fn run(
        &mut self,
        mut news: News,
        new_id: &mut (dyn FnMut() -> String + Send),
    ) -> Result<(), Trouble> {
        for _ in 0..MAX_REQUESTS {
            self.exchange(&news, &new_id()).await?;
            if !matches!(self.stream.end(), Some(RunEnd::Finished)) {
                return Ok(());
            }
            let answered = self.answer_client_tools(new_id);
            if answered.is_empty() {
                return Ok(());
            }
            news = News {
                message_ids: answered,
                resume: Vec::new(),
            };
            self.stream.next_body();
        }
        Err(trouble(
            TroubleKind::Limit,
            format!("client tools were called in {MAX_REQUESTS} runs one after another"),
        ))
    }

    /// Adds a tool message for each pending call that has a scripted answer; returns their ids.
    fn answer_client_tools(&mut self, new_id: &mut (dyn FnMut() -> String + Send)) -> Vec<String> {
        let tools = &self.request.options.tools;
        let answers: Vec<(String, Value)> = self
            .stream
            .fold
            .pending_calls()
            .filter_map(|call| {
                let result = tools
                    .iter()
                    .find(|tool| tool.name == call.name)?
                    .result
                    .clone()?;
                Some((call.id.clone(), result))
            })
            .collect();
        let at_us = self.elapsed_us();
        let mut ids = Vec::new();
        for (call_id, result) in answers {
            let id = new_id();
            self.stream.fold.answer(&id, &call_id, result, at_us);
            ids.push(id);
        }
        ids
    }

    /// Sends one request and reads its body to the end of the run.
    async fn exchange(&mut self, news: &News, run_id: &str) -> Result<(), Trouble> {
        let method = match self.request.action {
            Action::Connect { .. } => Method::Connect,
            Action::User(_)
            | Action::Messages(_)
            | Action::Resume { .. }
            | Action::Send(_)
            | Action::Ask(_) => Method::Run,
        };
        let options = self.request.options;
        let (url, body) =
            request::build(options, method, self.stream.fold.conversation, news, run_id);
        let exchange = Exchange {
            client: self.request.client,
            url: &url,
            headers: &self.request.headers.0,
            accept: match self.request.encoding {
                Encoding::Sse => SSE,
                Encoding::Protobuf => PROTOBUF,
            },
            body: Bytes::from(body.to_string()),
            deadline: self.deadline,
            unix_ms: self.request.unix_ms,
            is_sent_twice: AtomicBool::new(false),
        };
        self.requests.push(body);
        let sent = self.bounded(self.deadline, exchange.send()).await;
        if exchange.is_sent_twice.load(Ordering::Relaxed) {
            self.stream.warn(
                "the request was sent twice: the server closed the kept-alive connection before it answered"
                    .to_owned(),
            );
        }
        let answer = match sent? {
            Ok(answer) => answer,
            Err(refused) => {
                self.reached |= refused.reached;
                return Err(refused.trouble);
            }
        };
        if let (false, Some(connected_at)) = (self.reached, answer.connected_at) {
            // A turn is timed from sending its request; opening a connection comes before that.
            self.started = connected_at;
        }
        self.reached = true;
        let elapsed = self.elapsed_us();
        self.connect_us.get_or_insert(elapsed);
        self.read(answer).await
    }

    async fn read(&mut self, mut answer: Answer) -> Result<(), Trouble> {
        let max_event_bytes = self.request.limits.event_bytes;
        let mut framing = match answer.media_type.as_str() {
            SSE => Framing::Sse(sse::Decoder::new(max_event_bytes)),
            PROTOBUF => Framing::Protobuf(FrameDecoder::new(max_event_bytes)),
            _ => {
                let wrong = answer.wrong_type(SSE);
                let (trouble, is_empty) = self.bounded(self.deadline, wrong).await?;
                // An empty answer to a connect has nothing to replay, whatever it says that it is.
                let is_connect = matches!(self.request.action, Action::Connect { .. });
                return Err(if is_empty && is_connect {
                    self.without_end()
                } else {
                    trouble
                });
            }
        };
        let read = self.read_body(&mut answer, &mut framing).await;
        let is_whole = read
            .as_ref()
            .err()
            .is_none_or(|trouble| trouble.kind == TroubleKind::Truncated);
        self.stream.finish_body(&mut framing, is_whole);
        read?;
        if let Some(bad) = &self.stream.bad_event {
            return Err(trouble(TroubleKind::BadEvent, bad.clone()));
        }
        if self.stream.end().is_some() {
            return Ok(());
        }
        Err(self.without_end())
    }

    async fn read_body(
        &mut self,
        answer: &mut Answer,
        framing: &mut Framing,
    ) -> Result<(), Trouble> {
        let max_turn_bytes = self.request.limits.turn_bytes;
        let mut n_bytes = self.stream.log.n_bytes();
        let mut close_by = None;
        loop {
            let until = close_by.map_or(self.deadline, |at: Instant| at.min(self.deadline));
            let chunk = match self.bounded(until, answer.response.chunk()).await {
                Ok(Ok(chunk)) => chunk,
                // After the terminal event the end of the connection is nobody's concern.
                _ if close_by.is_some() => return Ok(()),
                Ok(Err(error)) => {
                    let why = crate::http::cause(&error);
                    return Err(trouble(
                        TroubleKind::Truncated,
                        format!("the stream ended before RUN_FINISHED: {why}"),
                    ));
                }
                Err(trouble) => return Err(trouble),
            };
            let Some(bytes) = chunk else { return Ok(()) };
            let at_us = self.elapsed_us();
            n_bytes += bytes.len();
            // Half as much again may be needed to hold it: a limit on what comes alone would not bound the memory.
            let is_costly = n_bytes + self.n_held() > max_turn_bytes + max_turn_bytes / 2;
            if n_bytes > max_turn_bytes || is_costly {
                return Err(trouble(
                    TroubleKind::Limit,
                    format!(
                        "the turn's answer needs more than {max_turn_bytes} bytes (limits.turn_bytes)"
                    ),
                ));
            }
            for piece in bytes.chunks(PIECE) {
                self.stream
                    .push(framing, piece, at_us)
                    .map_err(|error| match error {
                        StreamError::TooLarge(why) => {
                            trouble(TroubleKind::Limit, format!("{why} (limits.event_bytes)"))
                        }
                        StreamError::BadFrame(why) => trouble(TroubleKind::BadEvent, why),
                    })?;
                // What came in time may have taken too long to fold: the end of the run included.
                if Instant::now() >= self.deadline {
                    return Err(self.late());
                }
                if self.stream.fold.work.is_spent() {
                    return Err(trouble(TroubleKind::Limit, work::spent()));
                }
            }
            close_by = match (self.stream.ended_us, close_by) {
                (Some(_), None) => Some(Instant::now() + GRACE),
                (Some(_), open) => open,
                (None, _) => None,
            };
        }
    }

    /// Returns about how much memory is held beside the bytes that came.
    fn n_held(&self) -> usize {
        let fold = &self.stream.fold;
        EVENT_COST * self.stream.log.len()
            + CALL_COST * fold.calls.len()
            + MESSAGE_COST * fold.conversation.messages().len()
            + TEXT_COST * fold.n_text_bytes
    }

    /// Says why a body that simply ended is not the end of a run.
    fn without_end(&self) -> Trouble {
        let n_events = self.stream.log.len();
        if n_events > 0 {
            let events = if n_events == 1 {
                "1 event".to_owned()
            } else {
                format!("{n_events} events")
            };
            return trouble(
                TroubleKind::Truncated,
                format!("truncated: the stream ended before RUN_FINISHED, after {events}"),
            );
        }
        match self.request.action {
            Action::Connect { .. } => trouble(
                TroubleKind::NothingToReplay,
                "nothing to replay: the agent does not know this thread",
            ),
            Action::User(_)
            | Action::Messages(_)
            | Action::Resume { .. }
            | Action::Send(_)
            | Action::Ask(_) => trouble(
                TroubleKind::Empty,
                "the stream is empty: the agent sent no event at all",
            ),
        }
    }

    /// Waits for `future`, the deadline or the user, whichever comes first.
    async fn bounded<T>(
        &self,
        until: Instant,
        future: impl Future<Output = T>,
    ) -> Result<T, Trouble> {
        // A body that is always ready would never let `timeout_at` look at the clock.
        if Instant::now() >= until {
            return Err(self.late());
        }
        tokio::select! {
            biased;
            () = self.request.cancel.cancelled() => Err(trouble(TroubleKind::Cancelled, "interrupted")),
            done = timeout_at(until, future) => done.map_err(|_| self.late()),
        }
    }

    fn late(&self) -> Trouble {
        let limit = self.request.timeout.as_millis();
        let so_far = match self.stream.log.len() {
            0 if self.reached => "no event came".to_owned(),
            0 => "no response came".to_owned(),
            1 => "1 event came".to_owned(),
            n => format!("{n} events came"),
        };
        trouble(
            TroubleKind::Timeout,
            format!("timeout after {limit}ms (timeout_ms): {so_far} before"),
        )
    }

    fn elapsed_us(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn into_turn(self, user: Option<String>, run: Result<(), Trouble>) -> Turn {
        let ended_us = self.stream.ended_us.filter(|_| run.is_ok());
        let ending = Ending {
            user,
            reached: self.reached,
            run,
            unix_ms: self.request.unix_ms,
            connect_us: self.connect_us,
            total_us: ended_us.unwrap_or_else(|| self.elapsed_us()),
            clock: self.request.clock,
            requests: self.requests,
        };
        ending.turn(self.stream, &self.request.action)
    }
}

fn trouble(kind: TroubleKind, message: impl Into<String>) -> Trouble {
    Trouble {
        kind,
        message: message.into(),
        refusal: None,
    }
}
