//! A server on a loopback port that answers one connection after another as it was told.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ananke_model::plan::{Clock, Limits};
use ananke_model::recording::{Turn, TurnStatus};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::call;
use crate::agui::{Action, Conversation};
use crate::http::{Headers, HttpClient, HttpOptions, Proxies};
use crate::openai::request::OpenAiOptions;
use crate::openai::turn::{OpenAiTurn, run_turn};

/// What is done with a connection once its request is there.
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
    bodies: Arc<Mutex<Vec<Value>>>,
}

impl Peer {
    /// Starts a server that does `acts` in order, the last one for ever.
    pub(super) fn start(acts: Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let bodies = Arc::new(Mutex::new(Vec::new()));
        let asked = Arc::clone(&bodies);
        // It ends with the test's process.
        std::thread::spawn(move || {
            let mut acts = acts.into_iter();
            let mut act = acts.next().unwrap();
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let Some(body) = asked_for(&mut stream) else {
                    continue;
                };
                asked.lock().unwrap().push(body);
                answer(&mut stream, &act);
                act = acts.next().unwrap_or(act);
            }
        });
        Self { address, bodies }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/v1/chat/completions", self.address)
    }

    pub(super) fn n_requests(&self) -> usize {
        self.bodies.lock().unwrap().len()
    }
}

fn asked_for(stream: &mut TcpStream) -> Option<Value> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        if let Some(body) = whole_body(&bytes) {
            return Some(body);
        }
        let n = stream.read(&mut buffer).ok().filter(|n| *n > 0)?;
        bytes.extend_from_slice(&buffer[..n]);
    }
}

fn answer(stream: &mut TcpStream, act: &Act) {
    let (Act::Say(text) | Act::SayAndHold(text)) = act;
    stream.write_all(text.as_bytes()).ok();
    if matches!(act, Act::SayAndHold(_)) {
        // Until the client leaves.
        while matches!(stream.read(&mut [0; 64]), Ok(1..)) {}
    }
}

fn whole_body(bytes: &[u8]) -> Option<Value> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))?;
    (body.len() == length.parse::<usize>().ok()?).then(|| serde_json::from_str(body).unwrap())
}

/// Returns a response that is an event stream.
pub(super) fn streamed(lines: &str) -> String {
    respond(
        "200 OK",
        "text/event-stream; charset=utf-8",
        &super::sse(lines),
    )
}

/// Returns a response whose body ends with its connection.
pub(super) fn respond(status: &str, content_type: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\nconnection: close\r\n\r\n{body}")
}

/// How a turn is run; what differs between tests.
pub(super) struct Setup {
    pub(super) options: OpenAiOptions,
    pub(super) timeout: Duration,
    pub(super) limits: Limits,
    pub(super) cancel: CancellationToken,
}

impl Setup {
    pub(super) fn new(peer: &Peer) -> Self {
        Self {
            options: super::options(&peer.url()),
            timeout: Duration::from_secs(20),
            limits: Limits {
                event_bytes: 1 << 20,
                turn_bytes: 1 << 22,
            },
            cancel: CancellationToken::new(),
        }
    }

    /// Runs turns one after another on one conversation.
    pub(super) fn run(&self, actions: Vec<Action>) -> Vec<Turn> {
        let client = HttpClient::build(&HttpOptions {
            connect_timeout: Duration::from_secs(10),
            ca_pem: None,
            identity: None,
            insecure: false,
            needs_tls: false,
            proxies: Proxies::default(),
        })
        .unwrap();
        let headers = Headers::build([("authorization", "Bearer sk-secret-1")]).unwrap();
        let mut conversation = Conversation::default();
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
        for action in actions {
            let turn = OpenAiTurn {
                answers: None,
                client: &client,
                options: &self.options,
                headers: &headers,
                action,
                clock: Clock::Arrival,
                timeout: self.timeout,
                limits: self.limits,
                unix_ms: 0,
                cancel: &self.cancel,
            };
            let running = run_turn(&turn, &mut conversation, &mut new_id);
            turns.push(runtime.block_on(running));
        }
        turns
    }

    /// Says `Hi` and renders the turn, with the address of the peer taken out.
    pub(super) fn say_hi(&self) -> String {
        let turns = self.run(vec![Action::User("Hi".to_owned())]);
        let port = self.options.url.trim_start_matches("http://127.0.0.1:");
        let port = port.split('/').next().unwrap();
        turns
            .iter()
            .map(render)
            .collect::<Vec<_>>()
            .join("\n")
            .replace(port, "PORT")
    }
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
    line("kind", turn.kind.clone());
    line("text", turn.text.clone());
    line("reasoning", turn.reasoning.clone());
    for one in &turn.tool_calls {
        line("call", call(one));
    }
    for message in &turn.messages {
        line("message", message.to_string());
    }
    for usage in &turn.usage {
        line("usage", usage.to_string());
    }
    for warning in &turn.warnings {
        line("warning", warning.clone());
    }
    line("events", turn.events.len().to_string());
    line("reached", turn.reached.to_string());
    lines.join("\n")
}
