//! The bytes of the answers.

use std::sync::LazyLock;

/// The head of every streamed answer.
pub(super) const CHUNKED_HEAD: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
/// The end of every streamed answer.
pub(super) const LAST_CHUNK: &[u8] = b"0\r\n\r\n";
/// What is sent instead of an answer to a request that is not read.
pub(super) const REFUSAL: &[u8] =
    b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// One delta of a long message: 112 bytes with its framing.
const DELTA: &str = concat!(
    r#"data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"#,
    r#""the quick brown fox jumps over the lazy dogs."}"#,
    "\n\n"
);
/// How many deltas are written at once.
pub(super) const BLOCK_EVENTS: u64 = 512;
/// How many deltas make a MiB, to the nearest.
const EVENTS_PER_MIB: u64 = (1 << 20) / (DELTA.len() as u64);

const MESSAGE_START: &str =
    "data: {\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m1\",\"role\":\"assistant\"}\n\n";
const MESSAGE_HI: &str =
    "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m1\",\"delta\":\"Hi\"}\n\n";
const MESSAGE_END: &str = "data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m1\"}\n\n";

/// One chunk that holds [`BLOCK_EVENTS`] deltas.
static BLOCK: LazyLock<Vec<u8>> = LazyLock::new(|| chunk(DELTA.repeat(512).as_bytes()));

/// The ids of a run, as they stand in its JSON.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ids<'a> {
    pub(super) thread: &'a [u8],
    pub(super) run: &'a [u8],
}

impl Ids<'_> {
    fn push(self, out: &mut Vec<u8>, kind: &str, more: &str) {
        out.extend_from_slice(b"data: {\"type\":\"");
        out.extend_from_slice(kind.as_bytes());
        out.extend_from_slice(b"\",\"threadId\":\"");
        out.extend_from_slice(self.thread);
        out.extend_from_slice(b"\",\"runId\":\"");
        out.extend_from_slice(self.run);
        out.extend_from_slice(b"\"");
        out.extend_from_slice(more.as_bytes());
        out.extend_from_slice(b"}\n\n");
    }

    fn push_started(self, out: &mut Vec<u8>) {
        self.push(out, "RUN_STARTED", r#","protocolVersion":"1.0""#);
    }

    fn push_finished(self, out: &mut Vec<u8>) {
        self.push(out, "RUN_FINISHED", r#","outcome":{"type":"success"}"#);
    }
}

/// Writes the response of a small run, with its length up front so that one write is enough.
pub(super) fn write_run(out: &mut Vec<u8>, body: &mut Vec<u8>, ids: Ids<'_>) {
    body.clear();
    ids.push_started(body);
    for event in [MESSAGE_START, MESSAGE_HI, MESSAGE_END] {
        body.extend_from_slice(event.as_bytes());
    }
    ids.push_finished(body);
    out.clear();
    out.extend_from_slice(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ",
    );
    out.extend_from_slice(body.len().to_string().as_bytes());
    out.extend_from_slice(b"\r\n\r\n");
    out.extend_from_slice(body);
}

/// The chunks of a long message: what comes first, how many whole blocks, what comes last.
#[derive(Debug)]
pub(super) struct LongMessage {
    pub(super) first: Vec<u8>,
    pub(super) n_blocks: u64,
    pub(super) last: Vec<u8>,
}

impl LongMessage {
    /// Prepares a message of about `mib` MiB.
    pub(super) fn new(mib: u64, ids: Ids<'_>) -> Self {
        let mut first = Vec::new();
        ids.push_started(&mut first);
        first.extend_from_slice(MESSAGE_START.as_bytes());
        let n_events = mib * EVENTS_PER_MIB;
        let mut last = Vec::new();
        for _ in 0..n_events % BLOCK_EVENTS {
            last.extend_from_slice(DELTA.as_bytes());
        }
        last.extend_from_slice(MESSAGE_END.as_bytes());
        ids.push_finished(&mut last);
        Self {
            first: chunk(&first),
            n_blocks: n_events / BLOCK_EVENTS,
            last: chunk(&last),
        }
    }

    pub(super) fn block() -> &'static [u8] {
        &BLOCK
    }
}

/// Returns the chunk with the event at `index` of a run of `events` events.
pub(super) fn drip_event(index: u64, events: u64, ids: Ids<'_>) -> Vec<u8> {
    let mut event = Vec::new();
    match (index, events - index) {
        (0, _) => ids.push_started(&mut event),
        (_, 1) => ids.push_finished(&mut event),
        (1, _) => event.extend_from_slice(MESSAGE_START.as_bytes()),
        (_, 2) => event.extend_from_slice(MESSAGE_END.as_bytes()),
        _ => event.extend_from_slice(MESSAGE_HI.as_bytes()),
    }
    chunk(&event)
}

/// Returns the chunk with the event at `index` of an A2A task that takes `events` events; `id` is the one of the request.
pub(super) fn task_event(index: u64, events: u64, id: &[u8]) -> Vec<u8> {
    let result = match (index, events - index) {
        (0, _) => {
            r#"{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}"#
        }
        (_, 1) => {
            r#"{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}"#
        }
        (1, _) => {
            r#"{"artifactUpdate":{"taskId":"t1","contextId":"c1","artifact":{"artifactId":"a1","parts":[{"text":"Hi"}]}}}"#
        }
        _ => {
            r#"{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":true,"artifact":{"artifactId":"a1","parts":[{"text":"Hi"}]}}}"#
        }
    };
    let mut event = br#"data: {"jsonrpc":"2.0","id":"#.to_vec();
    event.extend_from_slice(id);
    event.extend_from_slice(br#","result":"#);
    event.extend_from_slice(result.as_bytes());
    event.extend_from_slice(b"}\n\n");
    chunk(&event)
}

fn chunk(bytes: &[u8]) -> Vec<u8> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    chunk
}
