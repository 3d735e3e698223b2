//! Finds the few facts that matter in the bytes of a request.

use memchr::memmem;

/// The longest request head that is read.
const MAX_HEAD_BYTES: usize = 64 << 10;
/// The longest body that is read.
const MAX_BODY_BYTES: usize = 16 << 20;
/// The longest stream, in MiB.
const MAX_MIB: u64 = 4096;
/// The longest drip, in events.
const MAX_EVENTS: u64 = 100_000;
/// The slowest drip.
const MAX_EVERY_MS: u64 = 60_000;

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    Run,
    Stream { mib: u64 },
    Drip { events: u64, every_ms: u64 },
    Task { events: u64, every_ms: u64 },
}

/// The start of a buffer, read as a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Scan<'a> {
    /// More bytes are needed.
    Partial,
    /// A whole request.
    Whole {
        route: Route,
        body: &'a [u8],
        n_bytes: usize,
        is_last: bool,
    },
    /// Something that this server does not read.
    Refused,
}

/// Reads the first request in `buffer`.
pub(super) fn scan(buffer: &[u8]) -> Scan<'_> {
    let Some(head_end) = memmem::find(buffer, b"\r\n\r\n") else {
        return if buffer.len() > MAX_HEAD_BYTES {
            Scan::Refused
        } else {
            Scan::Partial
        };
    };
    let (head, rest) = buffer.split_at(head_end + 4);
    let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let Some(route) = lines.next().and_then(read_route) else {
        return Scan::Refused;
    };
    let mut n_body = 0;
    let mut is_last = false;
    for line in lines {
        let Some(colon) = memchr::memchr(b':', line) else {
            continue;
        };
        let (name, value) = line.split_at(colon);
        let value = value.get(1..).unwrap_or_default().trim_ascii();
        if name.eq_ignore_ascii_case(b"content-length") {
            match number(value)
                .and_then(|n| usize::try_from(n).ok())
                .filter(|n| *n <= MAX_BODY_BYTES)
            {
                Some(n) => n_body = n,
                None => return Scan::Refused,
            }
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            return Scan::Refused;
        } else if name.eq_ignore_ascii_case(b"connection") {
            is_last = value.eq_ignore_ascii_case(b"close");
        }
    }
    match rest.get(..n_body) {
        Some(body) => Scan::Whole {
            route,
            body,
            n_bytes: head.len() + n_body,
            is_last,
        },
        None => Scan::Partial,
    }
}

fn read_route(request_line: &[u8]) -> Option<Route> {
    let target = request_line.split(|byte| *byte == b' ').nth(1)?;
    let mut parts = target.splitn(2, |byte| *byte == b'?');
    let path = parts.next()?;
    let query = parts.next().unwrap_or_default();
    Some(match path {
        b"/stream" => Route::Stream {
            mib: parameter(query, b"mib", 64).min(MAX_MIB),
        },
        b"/drip" => Route::Drip {
            events: parameter(query, b"events", 20).min(MAX_EVENTS),
            every_ms: parameter(query, b"every_ms", 100).min(MAX_EVERY_MS),
        },
        b"/task" => Route::Task {
            events: parameter(query, b"events", 20).min(MAX_EVENTS),
            every_ms: parameter(query, b"every_ms", 100).min(MAX_EVERY_MS),
        },
        _ => Route::Run,
    })
}

fn parameter(query: &[u8], name: &[u8], default: u64) -> u64 {
    let pairs = query.split(|byte| *byte == b'&');
    let mut values = pairs.filter_map(|pair| pair.strip_prefix(name)?.strip_prefix(b"="));
    values.next().and_then(number).unwrap_or(default)
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Returns the text of the first `"key": "…"` in a JSON body, escapes and all, so that it can be put into JSON again.
pub(super) fn raw_string<'a>(body: &'a [u8], quoted_key: &[u8]) -> Option<&'a [u8]> {
    let rest = body.get(memmem::find(body, quoted_key)? + quoted_key.len()..)?;
    let rest = rest
        .trim_ascii_start()
        .strip_prefix(b":")?
        .trim_ascii_start()
        .strip_prefix(b"\"")?;
    let mut is_escaped = false;
    for (index, byte) in rest.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return rest.get(..index),
            _ => {}
        }
    }
    None
}

/// Returns the `id` of a JSON-RPC request as it stands there: a number, or text with its quotes.
pub(super) fn raw_id(body: &[u8]) -> Option<&[u8]> {
    let rest = body.get(memmem::find(body, b"\"id\"")? + 4..)?;
    let rest = rest.trim_ascii_start().strip_prefix(b":")?;
    let rest = rest.trim_ascii_start();
    let n_bytes = rest.iter().position(|byte| matches!(byte, b',' | b'}'))?;
    Some(rest.get(..n_bytes)?.trim_ascii_end())
}
