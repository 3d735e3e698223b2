//! HTTP with events, as it was before streamable HTTP: messages go to an address that the server names first, and come
//! back over one event stream. `rmcp` no longer speaks it.

use std::io;

use ananke_model::recording::{Refusal, Trouble, TroubleKind};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Response, Url};
use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::lines::understood;
use super::options::McpEndpoint;
use super::record::Tape;
use super::refused::{next_step, no_answer};
use super::turn::trouble;
use super::words::shortened;
use crate::http::{cause, without_secrets};
use crate::sse::Decoder;

const EVENT_STREAM: &str = "text/event-stream";
/// Messages that wait to be looked at.
const WAITING: usize = 64;

type Message = RxJsonRpcMessage<RoleClient>;

/// A server that is spoken to over an event stream.
#[derive(Debug)]
pub(super) struct LegacySse {
    client: Client,
    headers: HeaderMap,
    post_to: Url,
    messages: mpsc::Receiver<Message>,
    /// Ends with the connection.
    reader: JoinSet<()>,
    tape: Tape,
}

impl LegacySse {
    /// Opens the event stream, and waits until the server says where messages go.
    pub(super) async fn open(
        endpoint: &McpEndpoint,
        tape: Tape,
        max_event: usize,
    ) -> Result<Self, Trouble> {
        let shown = without_secrets(&endpoint.url);
        let url: Url = endpoint.url.parse().map_err(|error| {
            trouble(
                TroubleKind::Unreachable,
                format!("`{shown}` is not a URL: {error}"),
            )
        })?;
        let client = endpoint.client.pooled.clone();
        let headers = endpoint.headers.0.clone();
        let request = client.get(url.clone()).headers(headers.clone());
        let request = request.header(ACCEPT, EVENT_STREAM);
        let response = request.send().await;
        let response = response.map_err(|error| no_answer(&endpoint.url, &error))?;
        tape.answered();
        check_head(&response, &shown)?;
        let mut stream = Events {
            response,
            decoder: Decoder::new(max_event),
            events: Vec::new(),
        };
        let post_to = stream.endpoint(&url, &tape).await?;
        let (sender, messages) = mpsc::channel(WAITING);
        let mut reader = JoinSet::new();
        reader.spawn(read(stream, tape.clone(), sender));
        Ok(Self {
            client,
            headers,
            post_to,
            messages,
            reader,
            tape,
        })
    }
}

impl Transport<RoleClient> for LegacySse {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let body = serde_json::to_value(&message).map(|message| {
            self.tape.sent(&message);
            message.to_string()
        });
        let url = self.post_to.clone();
        let request = self.client.post(url.clone());
        let request = request.headers(self.headers.clone());
        async move {
            let request = request.header(CONTENT_TYPE, "application/json").body(body?);
            let response = request.send().await;
            let failed = |error| io::Error::other(no_answer(url.as_str(), &error).message);
            let status = response.map_err(failed)?.status();
            if status.is_success() {
                return Ok(());
            }
            let (shown, next) = (without_secrets(url.as_str()), next_step(status));
            Err(io::Error::other(format!(
                "HTTP {status} from {shown}{next}"
            )))
        }
    }

    async fn receive(&mut self) -> Option<Message> {
        self.messages.recv().await
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.reader.abort_all();
        Ok(())
    }
}

/// An event stream, and what of it was not looked at yet.
struct Events {
    response: Response,
    decoder: Decoder,
    /// Kind and data, oldest first.
    events: Vec<(String, String)>,
}

impl Events {
    /// Reads more events; says why there are none.
    async fn more(&mut self, tape: &Tape) -> Result<(), String> {
        let bytes = match self.response.chunk().await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Err("the event stream ended".to_owned()),
            Err(error) => return Err(format!("the event stream broke off: {}", cause(&error))),
        };
        let events = &mut self.events;
        let decoded = self.decoder.push(&bytes, |event| {
            events.push((event.kind.to_owned(), event.data.into_owned()));
        });
        decoded.map_err(|error| {
            tape.too_large();
            error.to_string()
        })
    }

    /// Waits for the address that messages go to. It must be where the stream is: headers with secrets go there.
    async fn endpoint(&mut self, url: &Url, tape: &Tape) -> Result<Url, Trouble> {
        loop {
            while !self.events.is_empty() {
                let (kind, data) = self.events.remove(0);
                if kind != "endpoint" {
                    continue;
                }
                let wrong = |why: String| trouble(TroubleKind::BadEvent, why);
                let shown = shortened(&without_secrets(data.trim()));
                let target = url.join(data.trim()).map_err(|error| {
                    wrong(format!(
                        "the event `endpoint` names no URL: `{shown}`: {error}"
                    ))
                })?;
                if target.origin() != url.origin() {
                    return Err(wrong(format!(
                        "the event `endpoint` names another origin: `{shown}`; messages go only to where the stream is"
                    )));
                }
                return Ok(target);
            }
            let more = self.more(tape).await;
            more.map_err(|why| {
                let why =
                    format!("{why} before the event `endpoint`; is this the URL of an SSE server?");
                trouble(TroubleKind::Truncated, why)
            })?;
        }
    }
}

/// Reads the stream to its end.
async fn read(mut stream: Events, tape: Tape, messages: mpsc::Sender<Message>) {
    loop {
        for (kind, data) in std::mem::take(&mut stream.events) {
            if kind != "message" {
                tape.note(format!(
                    "an event of the kind `{}` was left out",
                    shortened(&kind)
                ));
                continue;
            }
            let Some(message) = understood(&tape, &data) else {
                continue;
            };
            if messages.send(message).await.is_err() {
                return;
            }
        }
        if tape.overflow().is_some() {
            return;
        }
        if let Err(why) = stream.more(&tape).await {
            tape.note(why);
            return;
        }
    }
}

/// Checks that what was opened is an event stream.
fn check_head(response: &Response, shown: &str) -> Result<(), Trouble> {
    let status = response.status();
    if !status.is_success() {
        let refusal = Refusal {
            status: status.as_u16(),
            retry_after_ms: None,
        };
        return Err(Trouble {
            refusal: Some(refusal),
            ..trouble(
                TroubleKind::HttpStatus,
                format!("HTTP {status} from {shown}{}", next_step(status)),
            )
        });
    }
    let kind = response.headers().get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| HeaderValue::to_str(kind).ok());
    let kind = kind.unwrap_or_default();
    if kind.to_ascii_lowercase().starts_with(EVENT_STREAM) {
        return Ok(());
    }
    Err(trouble(
        TroubleKind::ContentType,
        format!(
            "{shown} answers with `{}`, not with `{EVENT_STREAM}`",
            shortened(kind)
        ),
    ))
}
