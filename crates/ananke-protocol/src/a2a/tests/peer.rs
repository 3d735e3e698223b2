//! A server on a loopback port that answers one connection after another as it was told.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ananke_model::plan::{Clock, Limits};
use ananke_model::recording::{Turn, TurnStatus};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{artifact, call};
use crate::a2a::options::A2aOptions;
use crate::a2a::session::A2aSession;
use crate::a2a::turn::{A2aTurn, run_turn};
use crate::agui::{Action, Conversation};
use crate::http::{Headers, HttpClient, HttpOptions, Proxies};

/// What is done with a connection once its request is there. `ADDRESS` in an answer stands for the server's own.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// Send this and close.
    Say(String),
    /// Send this and leave the connection open.
    SayAndHold(String),
}

/// The server, and what it was asked.
pub(super) struct Peer {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Peer {
    /// Starts a server that does `acts` in order, the last one for ever.
    pub(super) fn start(acts: Vec<Act>) -> Self {
        Self::start_with_port(|_| acts)
    }

    /// Starts a server that must know its port before it can say anything.
    pub(super) fn start_with_port(acts: impl FnOnce(u16) -> Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let acts = acts(address.port());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let requests = Arc::clone(&asked);
        // It ends with the test's process.
        std::thread::spawn(move || {
            let mut acts = acts.into_iter();
            let mut act = acts.next().unwrap();
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let Some(request) = asked_for(&mut stream) else {
                    continue;
                };
                let id = rpc_id(&request);
                requests.lock().unwrap().push(request);
                let does = act.clone();
                act = acts.next().unwrap_or(act);
                // A connection that is held does not keep the next one waiting.
                std::thread::spawn(move || answer(&mut stream, &does, address, &id));
            }
        });
        Self { address, asked }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/a2a", self.address)
    }

    pub(super) fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the requests so far: the request line, the headers that matter, the body.
    pub(super) fn asked(&self) -> String {
        self.shown(&self.asked.lock().unwrap().join("\n"))
    }

    pub(super) fn n_requests(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    /// Returns `text` with the address of the peer taken out.
    pub(super) fn shown(&self, text: &str) -> String {
        text.replace(&self.address.to_string(), "ADDRESS")
            .replace(&self.address.port().to_string(), "PORT")
    }
}

fn asked_for(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        if let Some(request) = whole_request(&bytes) {
            return Some(request);
        }
        let n = stream.read(&mut buffer).ok().filter(|n| *n > 0)?;
        bytes.extend_from_slice(&buffer[..n]);
    }
}

fn whole_request(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.map_or(0, |length| length.parse().unwrap());
    if body.len() < length {
        return None;
    }
    let mut lines = head.lines();
    let mut shown = vec![lines.next()?.trim_end_matches(" HTTP/1.1").to_owned()];
    let told = ["a2a-", "x-", "authorization", "cookie"];
    let headers = lines.filter(|line| told.iter().any(|name| line.starts_with(name)));
    shown.extend(headers.map(str::to_owned));
    if !body.is_empty() {
        shown.push(body.to_owned());
    }
    Some(shown.join("\n"))
}

/// Returns the id of a request over JSON-RPC.
fn rpc_id(request: &str) -> String {
    let body = request.lines().last().unwrap_or_default();
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    body["id"].as_u64().unwrap_or(1).to_string()
}

fn answer(stream: &mut TcpStream, act: &Act, address: SocketAddr, id: &str) {
    let (Act::Say(text) | Act::SayAndHold(text)) = act;
    let text = text.replace("ADDRESS", &address.to_string());
    let text = text.replace(r#""2.0","id":1,"#, &format!(r#""2.0","id":{id},"#));
    stream.write_all(text.as_bytes()).ok();
    if matches!(act, Act::SayAndHold(_)) {
        // Until the client leaves.
        while matches!(stream.read(&mut [0; 64]), Ok(1..)) {}
    }
}

/// Returns a response that is an event stream over JSON-RPC.
pub(super) fn streamed(lines: &str) -> String {
    respond("200 OK", "text/event-stream", &super::sse(lines))
}

/// Returns a response over JSON-RPC.
pub(super) fn result(result: &str) -> String {
    json(&format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#))
}

/// Returns an error over JSON-RPC, which comes as a success of HTTP.
pub(super) fn error(code: i64, message: &str) -> String {
    json(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":"{message}"}}}}"#
    ))
}

pub(super) fn json(body: &str) -> String {
    respond("200 OK", "application/json", body)
}

/// Returns a response whose body ends with its connection.
pub(super) fn respond(status: &str, content_type: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\nconnection: close\r\n\r\n{body}")
}

/// How turns are run; what differs between tests.
pub(super) struct Setup {
    pub(super) options: A2aOptions,
    pub(super) timeout: Duration,
    pub(super) limits: Limits,
    pub(super) cancel: CancellationToken,
}

impl Setup {
    /// Speaks to the endpoint of `peer` without a card.
    pub(super) fn new(peer: &Peer) -> Self {
        Self::with(super::options(Some(peer.url())))
    }

    pub(super) fn with(options: A2aOptions) -> Self {
        Self {
            options,
            timeout: Duration::from_secs(20),
            limits: Limits {
                event_bytes: 1 << 20,
                turn_bytes: 1 << 22,
            },
            cancel: CancellationToken::new(),
        }
    }

    /// Runs turns one after another in one session.
    pub(super) fn run(&self, sayings: Vec<Action>) -> Vec<Turn> {
        let client = HttpClient::build(&HttpOptions {
            connect_timeout: Duration::from_secs(10),
            ca_pem: None,
            identity: None,
            insecure: false,
            needs_tls: false,
            proxies: Proxies::default(),
        })
        .unwrap();
        let headers = Headers::build([("x-team", "blue")]).unwrap();
        let mut conversation = Conversation::default();
        let mut session = A2aSession::new();
        let mut n_ids = 0;
        let mut new_id = || {
            n_ids += 1;
            format!("m{n_ids}")
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let mut turns = Vec::new();
        for saying in sayings {
            let turn = A2aTurn {
                client: &client,
                options: &self.options,
                headers: &headers,
                action: saying,
                clock: Clock::Arrival,
                timeout: self.timeout,
                limits: self.limits,
                unix_ms: 0,
                cancel: &self.cancel,
            };
            let running = run_turn(&turn, &mut session, &mut conversation, &mut new_id);
            turns.push(runtime.block_on(running));
        }
        turns
    }

    /// Says each of `words` in a turn of its own and renders what came of them.
    pub(super) fn say(&self, peer: &Peer, words: &[&str]) -> String {
        let sayings = words.iter().map(|words| user(words)).collect();
        let turns = self.run(sayings);
        peer.shown(&turns.iter().map(render).collect::<Vec<_>>().join("\n"))
    }
}

pub(super) fn user(words: &str) -> Action {
    Action::User(words.to_owned())
}

/// Renders what a turn brought, but times.
pub(super) fn render(turn: &Turn) -> String {
    let mut lines = vec![match &turn.status {
        TurnStatus::Finished => "finished".to_owned(),
        TurnStatus::RunError { message, code } => format!("run error: {message} {code:?}"),
        TurnStatus::Broken(trouble) => format!("{:?}: {}", trouble.kind, trouble.message),
    }];
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            lines.push(format!("{name}: {value}"));
        }
    };
    line("text", turn.text.clone());
    for one in &turn.tool_calls {
        line("call", call(one));
    }
    for late in &turn.late_results {
        line("late", format!("{} -> {}", late.id, late.result));
    }
    for interrupt in &turn.interrupts {
        line("interrupt", interrupt.to_string());
    }
    let task = turn.task.as_ref().unwrap();
    let states: Vec<&str> = task
        .states
        .iter()
        .map(|change| change.state.as_str())
        .collect();
    line("states", states.join(" "));
    let ids = [task.id.as_deref(), task.context_id.as_deref()];
    line(
        "ids",
        ids.into_iter().flatten().collect::<Vec<_>>().join(" "),
    );
    for one in &task.artifacts {
        line("artifact", artifact(one));
    }
    if let Some(error) = &task.error {
        line("layer", format!("{:?}", error.layer));
    }
    for warning in &turn.warnings {
        line("warning", warning.clone());
    }
    line("events", turn.events.len().to_string());
    line("reached", turn.reached.to_string());
    lines.join("\n")
}
