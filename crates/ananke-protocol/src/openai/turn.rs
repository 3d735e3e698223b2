//! One turn: a request, its answer, the answers of tools, and the end. Never fails: what went wrong is part of the turn,
//! beside all that was captured before.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ananke_model::plan::{Clock, Limits};
use ananke_model::recording::{Trouble, TroubleKind, Turn, TurnStatus, TurnTiming};
use bytes::Bytes;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::answers::ToolAnswers;
use super::body::JSON;
use super::fold::{End, Fold};
use super::request::{OpenAiOptions, build};
use super::retry::{Decision, Failure, Retry, shown};
use super::stream::Stream;
use super::words::{Keys, refusal};
use crate::agui::{Action, Conversation, args_error, say};
use crate::http::{Answer, Exchange, Headers, HttpClient, without_secrets};

/// A server may answer as a whole although a stream was asked for.
const SSE_OR_JSON: &str = "text/event-stream, application/json";
/// Requests that one turn may take to answer tools.
const MAX_REQUESTS: usize = 16;

/// Everything that one turn needs.
#[derive(Debug)]
pub struct OpenAiTurn<'a> {
    /// The shared client.
    pub client: &'a HttpClient,
    /// What every request of the test shares.
    pub options: &'a OpenAiOptions,
    /// The configured headers, the one with the key included.
    pub headers: &'a Headers,
    /// What to send: a user message or messages. A chat endpoint has nothing to connect to or to resume.
    pub action: Action,
    /// Whoever answers the model's calls, where they have no scripted answers.
    pub answers: Option<&'a dyn ToolAnswers>,
    /// Which clock timing checks use.
    pub clock: Clock,
    /// Wall-clock limit of the whole turn, back-off included.
    pub timeout: Duration,
    /// What is kept at most.
    pub limits: Limits,
    /// Now, in Unix milliseconds.
    pub unix_ms: i64,
    /// Stops the turn when the user stops the run.
    pub cancel: &'a CancellationToken,
}

/// Runs one turn on `conversation`. `new_id` gives ids for messages.
pub async fn run_turn(
    request: &OpenAiTurn<'_>,
    conversation: &mut Conversation,
    new_id: &mut (dyn FnMut() -> String + Send),
) -> Turn {
    let (news, user) = say(&request.action, conversation, new_id);
    let sends_any = !news.message_ids.is_empty();
    let started = Instant::now();
    let mut driver = Driver {
        request,
        stream: Stream::new(Fold::new(conversation, sends_any)),
        keys: Keys::of(&request.headers.0),
        started,
        deadline: started + request.timeout,
        requests: Vec::new(),
        reached: false,
        connect_us: None,
    };
    let run = driver.run(new_id).await;
    driver.into_turn(user, run)
}

/// A turn that is running.
pub(super) struct Driver<'a, 'c> {
    pub(super) request: &'a OpenAiTurn<'a>,
    pub(super) stream: Stream<'c>,
    keys: Keys,
    /// What times are counted from. Attempts that failed and the waits behind them do not count, so it moves on with them.
    started: Instant,
    pub(super) deadline: Instant,
    requests: Vec<Value>,
    reached: bool,
    connect_us: Option<u64>,
}

impl Driver<'_, '_> {
    async fn run(&mut self, new_id: &mut (dyn FnMut() -> String + Send)) -> Result<(), Trouble> {
        if let Some(needed) = self.request.action.needs() {
            let kind = self.request.action.kind();
            return Err(trouble(
                TroubleKind::BadEvent,
                format!("`{kind}` needs {needed}: a chat endpoint takes messages only"),
            ));
        }
        if let Some(answers) = self.request.answers {
            return self.run_with(answers, new_id).await;
        }
        for _ in 0..MAX_REQUESTS {
            self.stream.next_body(new_id());
            self.exchange().await?;
            let is_whole = matches!(self.stream.fold.end, Some(End::Finished));
            if !is_whole || !self.answer_tools(new_id) {
                return Ok(());
            }
        }
        Err(trouble(
            TroubleKind::Limit,
            format!("tools were called in {MAX_REQUESTS} answers one after another"),
        ))
    }

    /// Lets somebody answer the calls of every answer, and sends what came of them as often as that is wanted.
    async fn run_with(
        &mut self,
        answers: &dyn ToolAnswers,
        new_id: &mut (dyn FnMut() -> String + Send),
    ) -> Result<(), Trouble> {
        let max_rounds = answers.max_rounds();
        for round in 0.. {
            self.stream.next_body(new_id());
            self.exchange().await?;
            let calls = &self.stream.fold.calls;
            let open: Vec<usize> = (0..calls.len())
                .filter(|number| calls[*number].completed_us.is_none())
                .collect();
            let is_whole = matches!(self.stream.fold.end, Some(End::Finished));
            if !is_whole || open.is_empty() {
                return Ok(());
            }
            if round > 0 && round == max_rounds {
                break;
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            let asked = open.iter().map(|number| &calls[*number]).collect();
            let answers = self.bounded(self.deadline, answers.answer(asked, left));
            let answers = answers.await?;
            let at_us = self.elapsed_us();
            for (number, answer) in open.into_iter().zip(answers) {
                let id = new_id();
                match answer {
                    Ok(result) => self.stream.fold.answer_call(number, &id, &result, at_us),
                    Err(why) => self.stream.fold.refuse_call(number, &id, why, at_us),
                }
            }
            if round == max_rounds {
                return Ok(());
            }
        }
        Err(trouble(
            TroubleKind::Limit,
            format!(
                "the model went on calling tools after their answers had gone back to it {max_rounds} times (max_turn)"
            ),
        ))
    }

    /// Answers the calls that are open, if there is a scripted answer to every one: an endpoint takes all results or none.
    fn answer_tools(&mut self, new_id: &mut (dyn FnMut() -> String + Send)) -> bool {
        let tools = &self.request.options.tools;
        let calls = self.stream.fold.calls.iter().enumerate();
        let open = calls.filter(|(_, call)| call.result.is_none());
        let (mut answers, mut silent) = (Vec::new(), Vec::new());
        for (number, call) in open {
            let tool = tools.iter().find(|tool| tool.name == call.name);
            match tool.and_then(|tool| tool.result.as_ref()) {
                Some(result) => answers.push((number, result)),
                None => silent.push(format!("`{}`", call.name)),
            }
        }
        if answers.is_empty() {
            return false;
        }
        if !silent.is_empty() {
            self.stream.fold.warn(format!(
                "no call was answered, because {} has no `result`: an endpoint takes all results or none",
                silent.join(", ")
            ));
            return false;
        }
        let at_us = self.elapsed_us();
        for (number, result) in answers {
            let id = new_id();
            self.stream.fold.answer_call(number, &id, result, at_us);
        }
        true
    }

    /// Sends one request and reads its answer to the end.
    async fn exchange(&mut self) -> Result<(), Trouble> {
        let built = build(self.request.options, self.stream.fold.conversation);
        let built = built.map_err(|why| trouble(TroubleKind::BadEvent, why))?;
        for warning in built.warnings {
            self.stream.fold.warn(warning);
        }
        let body = Bytes::from(built.body.to_string());
        self.requests.push(built.body);
        let answer = self.send(body).await?;
        let elapsed = self.elapsed_us();
        self.connect_us.get_or_insert(elapsed);
        self.read(answer).await?;
        if let Some(bad) = &self.stream.bad_event {
            return Err(trouble(TroubleKind::BadEvent, bad.clone()));
        }
        match self.stream.fold.end {
            Some(End::Cut) => Err(trouble(
                TroubleKind::Truncated,
                "truncated: the answer is cut at the token limit (finish_reason `length`); a larger `max_tokens` may help",
            )),
            Some(End::Finished | End::Error { .. }) => Ok(()),
            None => Err(self.without_end()),
        }
    }

    /// Sends a request, and sends it again where that may help.
    async fn send(&mut self, body: Bytes) -> Result<Answer, Trouble> {
        let mut retry = Retry::new(self.request.options.retries);
        loop {
            let began = Instant::now();
            let exchange = Exchange {
                client: self.request.client,
                url: &self.request.options.url,
                headers: &self.request.headers.0,
                accept: if self.request.options.stream {
                    SSE_OR_JSON
                } else {
                    JSON
                },
                body: body.clone(),
                deadline: self.deadline,
                unix_ms: self.request.unix_ms,
                is_sent_twice: AtomicBool::new(false),
            };
            let sent = self.bounded(self.deadline, exchange.send()).await;
            if exchange.is_sent_twice.load(Ordering::Relaxed) {
                self.stream.fold.warn(
                    "the request was sent twice: the server closed the kept-alive connection before it answered"
                        .to_owned(),
                );
            }
            let refused = match sent? {
                Ok(answer) => {
                    self.reached = true;
                    if let (1, Some(connected_at)) = (self.requests.len(), answer.connected_at) {
                        // A turn is timed from sending its request; opening a connection comes before that.
                        self.started = connected_at;
                    }
                    return Ok(answer);
                }
                Err(refused) => refused,
            };
            self.reached |= refused.reached;
            let (trouble, code) = self.in_words(refused.trouble);
            let failure = Failure {
                refusal: trouble.refusal,
                code: code.as_deref(),
                is_closed_early: refused.is_closed_early,
            };
            let left = self.deadline.saturating_duration_since(Instant::now());
            match retry.failed(failure, left) {
                Decision::Wait(wait) => {
                    let why = &trouble.message;
                    self.stream
                        .fold
                        .warn(format!("sent again after {}: {why}", shown(wait)));
                    self.bounded(self.deadline, tokio::time::sleep(wait))
                        .await?;
                    self.started += began.elapsed();
                }
                Decision::GiveUp(None) => return Err(trouble),
                Decision::GiveUp(Some(why)) => {
                    let message = format!("{}; {why}", trouble.message);
                    return Err(Trouble { message, ..trouble });
                }
            }
        }
    }

    /// Puts what the server said in the place of its JSON, without the key; also returns the server's code.
    fn in_words(&self, refused: Trouble) -> (Trouble, Option<String>) {
        let Some(status) = refused.refusal.map(|refusal| refusal.status) else {
            let message = self.keys.hidden(refused.message);
            return (Trouble { message, ..refused }, None);
        };
        let (words, code) = refusal(&refused.message);
        let options = self.request.options;
        let next = match status {
            401 | 403 => "; is the key right?".to_owned(),
            404 => format!(
                "; is {} the right URL, and `{}` a model that it has?",
                without_secrets(&options.url),
                options.model
            ),
            _ => String::new(),
        };
        let message = self.keys.hidden(words) + &next;
        (Trouble { message, ..refused }, code)
    }

    /// Says why a body that simply ended is not the end of an answer.
    fn without_end(&self) -> Trouble {
        match self.stream.n_events {
            0 => trouble(
                TroubleKind::Empty,
                "the answer is empty: the server sent no event at all",
            ),
            n => trouble(
                TroubleKind::Truncated,
                format!(
                    "truncated: the stream ended before a finish_reason or [DONE], after {}",
                    counted(n)
                ),
            ),
        }
    }

    /// Waits for `future`, the deadline or the user, whichever comes first.
    pub(super) async fn bounded<T>(
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

    pub(super) fn late(&self) -> Trouble {
        let limit = self.request.timeout.as_millis();
        let so_far = match self.stream.log.len() {
            0 if self.reached => "no event came".to_owned(),
            0 => "no response came".to_owned(),
            n => format!("{} came", counted(n)),
        };
        trouble(
            TroubleKind::Timeout,
            format!("timeout after {limit}ms (timeout_ms): {so_far} before"),
        )
    }

    pub(super) fn elapsed_us(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn into_turn(mut self, user: Option<String>, run: Result<(), Trouble>) -> Turn {
        let ended_us = self.stream.ended_us.filter(|_| run.is_ok());
        let total_us = ended_us.unwrap_or_else(|| self.elapsed_us());
        let fold = &mut self.stream.fold;
        let status = match (run, fold.end.take()) {
            (Ok(()), Some(End::Error { message, code })) => TurnStatus::RunError {
                message: self.keys.hidden(message),
                code,
            },
            (Ok(()), _) => TurnStatus::Finished,
            (Err(trouble), _) => TurnStatus::Broken(trouble),
        };
        let mut tool_calls = std::mem::take(&mut fold.calls);
        for call in &mut tool_calls {
            call.args_error = args_error(&call.args_text);
        }
        Turn {
            kind: self.request.action.kind().to_owned(),
            user,
            requests: self.requests,
            reached: self.reached,
            status,
            text: fold.text(),
            reasoning: std::mem::take(&mut fold.reasoning),
            messages: fold.new_messages(),
            tool_calls,
            late_results: Vec::new(),
            state: fold.conversation.state.clone(),
            activities: Vec::new(),
            opinions: Vec::new(),
            simulated: None,
            task: None,
            data: Value::Null,
            server: Value::Null,
            no_calls_because: None,
            interrupts: Vec::new(),
            usage: std::mem::take(&mut fold.usage),
            timing: TurnTiming {
                started_at_ms: self.request.unix_ms,
                connect_us: self.connect_us,
                first_event_us: self.stream.log.get(0).map(|(_, at_us)| at_us),
                first_text_us: fold.first_text_us,
                first_tool_us: fold.first_tool_us,
                total_us,
                clock: Some(self.request.clock),
                // Chunks tell the second in which their answer began, all the same one.
                event_clock: None,
            },
            findings: Vec::new(),
            warnings: std::mem::take(&mut fold.warnings),
            events: std::mem::take(&mut self.stream.log),
        }
    }
}

fn counted(n_events: usize) -> String {
    match n_events {
        1 => "1 event".to_owned(),
        n => format!("{n} events"),
    }
}

pub(super) fn trouble(kind: TroubleKind, message: impl Into<String>) -> Trouble {
    Trouble {
        kind,
        message: message.into(),
        refusal: None,
    }
}
