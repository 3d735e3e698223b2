//! A request and what answered it. All that rules look at.

use serde_json::Value;

use crate::a2a::A2aAsked;
use crate::mcp::McpAsked;
use crate::surrogates;

/// A request and what answered it.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// The scenario, such as `hello`; `file` if it was read from one.
    pub scenario: String,
    /// What the request was for, in words: `run`, `turn 2`, `resume: cancelled`, `probe: bad JSON`.
    pub step: String,
    /// What the request was for.
    pub asked: Asked,
    /// The `RunAgentInput` or the JSON-RPC message that was sent; `None` if it is not known, or was none.
    pub request: Option<Value>,
    /// What came back.
    pub answer: Answer,
}

/// What a request was for: some rules hold for it alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A run whose answer is judged by all rules.
    Run,
    /// A run that answers interrupts of the run before.
    Resume(Resume),
    /// A run that the client left.
    Abort,
    /// A run that is to fail.
    Error,
    /// How the server takes an unusual request. Its stream, if there is one, is judged too.
    Probe(Probe),
    /// A request of A2A.
    A2a(A2aAsked),
    /// A request of MCP.
    Mcp(McpAsked),
}

/// How interrupts are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// Each is resolved.
    Resolved,
    /// Each is cancelled.
    Cancelled,
    /// There is a new message and no answer.
    Uncovered,
    /// An interrupt that never was is answered too.
    Unknown,
    /// Each is resolved with a payload that does not match what was asked for.
    WrongPayload,
}

/// An unusual request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Only `threadId`, `runId` and `messages`.
    MinimalInput,
    /// A member that the specification does not know.
    UnknownField,
    /// A content part of an unknown type.
    UnknownPart,
    /// A message with an unknown role.
    UnknownRole,
    /// A newer minor version of the protocol.
    NewerMinor,
    /// A reasoning message in the history.
    ReasoningMessage,
    /// A user message with an image beside its text.
    ImagePart,
    /// A body that is no JSON.
    BadJson,
    /// A known member with a value of the wrong type.
    BadField,
    /// A JSON body that is said to be text.
    WrongContentType,
    /// GET.
    WrongMethod,
    /// `Accept: */*`.
    AcceptAny,
    /// `Accept` that refuses the binary form: `text/event-stream, application/vnd.ag-ui.event+proto;q=0`.
    AcceptNoProtobuf,
    /// `Accept` that asks for the binary form.
    AcceptProtobuf,
}

/// What came back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The HTTP status; `None` if there was no answer, or it was read from a file that does not tell.
    pub status: Option<u16>,
    /// Headers in order, names in lower case; empty if read from a file that does not tell.
    pub headers: Vec<(String, String)>,
    /// How events were framed.
    pub framing: Framing,
    /// The events in order. What is no event of a stream, such as an error page, is in `text`; the whole JSON document of
    /// an answer of A2A or MCP is one event.
    pub events: Vec<Observed>,
    /// Facts of the bytes.
    pub wire: Wire,
    /// How it ended.
    pub ending: Ending,
    /// The beginning of a body that is no stream.
    pub text: String,
    /// How long it took.
    pub duration_us: u64,
}

/// How events are framed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// `text/event-stream`.
    #[default]
    Sse,
    /// `application/vnd.ag-ui.event+proto`.
    Protobuf,
    /// No stream of events.
    None,
}

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// When it came, since the request was sent.
    pub at_us: u64,
    /// The joined `data:`; of a protobuf event its JSON.
    pub data: String,
    /// Whether it held half a character, such as `"\ud83d"`: `data` and `value` have U+FFFD instead.
    pub has_halves: bool,
    /// The data as JSON, or why it is none.
    pub value: Result<Value, String>,
}

impl Observed {
    /// Reads an event.
    pub fn new(data: impl Into<String>, at_us: u64) -> Self {
        let data = data.into();
        let error = match serde_json::from_str(&data) {
            Ok(value) => {
                return Self {
                    at_us,
                    data,
                    has_halves: false,
                    value: Ok(value),
                };
            }
            Err(error) => error.to_string(),
        };
        let (has_halves, data, value) = match surrogates::read(&data) {
            Some((mended, value)) => (true, mended, Ok(value)),
            None => (false, data, Err(error)),
        };
        Self {
            at_us,
            data,
            has_halves,
            value,
        }
    }

    /// Returns the type, if there is one.
    pub fn kind(&self) -> Option<&str> {
        self.value.as_ref().ok()?.get("type")?.as_str()
    }

    /// Returns a member.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.value.as_ref().ok()?.get(name)
    }

    /// Returns a member that is text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }
}

/// Facts of the bytes of an event stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wire {
    /// Lines that end with CRLF.
    pub n_crlf: u64,
    /// Lines that end with CR alone.
    pub n_cr: u64,
    /// Pieces with data between which there are two LF.
    pub n_lf_pieces: u64,
    /// Events with bytes that are no UTF-8.
    pub n_invalid_utf8: u64,
    /// Comment lines.
    pub n_comments: u64,
    /// The body ended inside an event.
    pub is_unfinished: bool,
    /// Bytes in all.
    pub n_bytes: u64,
}

/// How the reason of [`Ending::GivenUp`] begins if the time was over.
pub(crate) const TIME_IS_OVER: &str = "the time was over";
/// How the reason of [`Ending::GivenUp`] begins if there was more than we read.
pub(crate) const LIMIT_REACHED: &str = "the limit was reached";
/// How the reason of [`Ending::GivenUp`] begins if the scenario wanted it.
pub(crate) const CLIENT_LEFT: &str = "the client went away";

/// How an answer ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// The server closed it as HTTP wants.
    #[default]
    Closed,
    /// The connection broke; why.
    Broken(String),
    /// We stopped reading; why: the time was over, enough was seen, the scenario wanted it.
    GivenUp(String),
    /// There was no answer; why.
    NoAnswer(String),
    /// It was read from a file that does not tell.
    Unknown,
}

impl Answer {
    /// Tells whether the server wants to know first who asks: then it has said nothing about the request.
    pub(crate) fn is_locked(&self) -> bool {
        self.status == Some(401)
    }

    /// Returns the first header with this name, in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let (_, value) = headers.find(|(key, _)| key == name)?;
        Some(value)
    }

    /// Returns the media type without parameters, in lower case.
    pub fn media_type(&self) -> Option<String> {
        let value = self.header("content-type")?;
        let media = value.split(';').next().unwrap_or_default();
        Some(media.trim().to_ascii_lowercase())
    }

    /// Tells whether there is a stream of events to be judged.
    pub fn is_stream(&self) -> bool {
        self.framing != Framing::None && self.status.is_none_or(|status| status == 200)
    }

    /// Tells whether the whole stream was seen: the server ended it, or a file holds it.
    pub fn is_whole(&self) -> bool {
        matches!(
            self.ending,
            Ending::Closed | Ending::Broken(_) | Ending::Unknown
        )
    }

    /// Says why we stopped waiting for the server: its time was over, or it sent more than we read. What we stopped for
    /// reasons of our own, such as a client that goes away, is nobody's fault.
    pub(crate) fn overdue(&self) -> Option<&str> {
        match &self.ending {
            Ending::GivenUp(why) => {
                let mut faults = [TIME_IS_OVER, LIMIT_REACHED].iter();
                faults.any(|fault| why.starts_with(fault)).then_some(why)
            }
            _ => None,
        }
    }

    /// Says why we stopped waiting for the end of a run that had not come to it.
    pub(crate) fn unended(&self) -> Option<&str> {
        let why = self.overdue()?;
        let is_over = matches!(self.last_word(), Some((_, "RUN_FINISHED" | "RUN_ERROR")));
        (!is_over).then_some(why)
    }

    /// Returns the last event that begins or ends a run.
    pub(crate) fn last_word(&self) -> Option<(usize, &str)> {
        let mut events = self.events.iter().enumerate().rev();
        events.find_map(|(number, event)| match event.kind()? {
            kind @ ("RUN_STARTED" | "RUN_FINISHED" | "RUN_ERROR") => Some((number, kind)),
            _ => None,
        })
    }

    /// Returns the events of a type.
    pub fn of_kind<'a>(&'a self, kind: &str) -> impl Iterator<Item = (usize, &'a Observed)> {
        let events = self.events.iter().enumerate();
        events.filter(move |(_, event)| event.kind() == Some(kind))
    }
}

impl Exchange {
    /// Returns the messages that the request held.
    pub fn sent_messages(&self) -> &[Value] {
        let messages = self
            .request
            .as_ref()
            .and_then(|input| input.get("messages"));
        messages
            .and_then(Value::as_array)
            .map_or(&[], Vec::as_slice)
    }

    /// Returns the names of the tools that the request offered.
    pub fn offered_tools(&self) -> Vec<&str> {
        let tools = self.request.as_ref().and_then(|input| input.get("tools"));
        let tools = tools.and_then(Value::as_array).into_iter().flatten();
        tools
            .filter_map(|tool| tool.get("name").and_then(Value::as_str))
            .collect()
    }
}
