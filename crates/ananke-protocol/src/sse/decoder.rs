//! The parser of `text/event-stream`, fed with chunks as they arrive.
//!
//! "Parsing an event stream" (WHATWG HTML) is followed to the letter. What the standard tolerates and a tester still wants
//! to hear of is counted in [`Oddities`].

use std::borrow::Cow;

/// One dispatched event.
#[derive(Debug)]
pub struct Event<'a> {
    /// The `event:` field, `message` if there was none.
    pub kind: &'a str,
    /// The `data:` lines joined with LF; bytes that are not UTF-8 are replaced.
    pub data: Cow<'a, str>,
    /// The last `id:` seen so far.
    pub last_event_id: &'a str,
}

/// An event passed the size limit. Nothing more is parsed after this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("one event is larger than {limit} bytes")]
pub struct EventTooLarge {
    /// The limit.
    pub limit: usize,
}

/// What is legal or repaired, and still worth telling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Oddities {
    /// Lines that end with CRLF.
    pub n_crlf: u64,
    /// Lines that end with a lone CR.
    pub n_cr: u64,
    /// Events or fields whose bytes are not UTF-8.
    pub n_invalid_utf8: u64,
    /// Comment lines.
    pub n_comments: u64,
    /// The body ended inside an event: its last blank line is missing.
    pub unfinished_event: bool,
}

/// The state between two chunks.
#[derive(Debug)]
pub struct Decoder {
    max_event_bytes: usize,
    /// The beginning of a line whose end has not arrived.
    line: Vec<u8>,
    /// The data buffer: every `data` value followed by LF.
    data: Vec<u8>,
    kind: String,
    id_buffer: String,
    /// What the buffer held at the last blank line.
    last_event_id: String,
    retry_ms: Option<u64>,
    /// How many bytes of a leading byte order mark were seen; `None` once it is decided.
    bom_seen: Option<usize>,
    /// The last byte was CR: an LF that follows belongs to it.
    after_cr: bool,
    oddities: Oddities,
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

impl Decoder {
    /// Returns a decoder that refuses events with more than `max_event_bytes` of data, or lines longer than that.
    pub fn new(max_event_bytes: usize) -> Self {
        Self {
            max_event_bytes,
            line: Vec::new(),
            data: Vec::new(),
            kind: String::new(),
            last_event_id: String::new(),
            id_buffer: String::new(),
            retry_ms: None,
            bom_seen: Some(0),
            after_cr: false,
            oddities: Oddities::default(),
        }
    }

    /// Parses `chunk` and hands every event that it completes to `sink`.
    pub fn push(
        &mut self,
        mut chunk: &[u8],
        mut sink: impl FnMut(Event<'_>),
    ) -> Result<(), EventTooLarge> {
        if self.bom_seen.is_some() {
            chunk = self.skip_bom(chunk);
        }
        while let Some(&first) = chunk.first() {
            if self.after_cr {
                self.after_cr = false;
                if first == b'\n' {
                    self.oddities.n_crlf += 1;
                    chunk = &chunk[1..];
                    continue;
                }
                self.oddities.n_cr += 1;
            }
            if let Some(after) = self.whole_event(chunk, &mut sink) {
                chunk = after;
                continue;
            }
            let Some(end) = memchr::memchr2(b'\n', b'\r', chunk) else {
                self.line.extend_from_slice(chunk);
                return self.check_size(0);
            };
            self.after_cr = chunk[end] == b'\r';
            if self.line.is_empty() {
                self.check_size(end)?;
                self.end_line(&chunk[..end], &mut sink);
            } else {
                self.line.extend_from_slice(&chunk[..end]);
                self.check_size(0)?;
                let mut line = std::mem::take(&mut self.line);
                self.end_line(&line, &mut sink);
                line.clear();
                self.line = line;
            }
            self.check_size(0)?;
            chunk = &chunk[end + 1..];
        }
        Ok(())
    }

    /// Dispatches an event of one `data` line that lies whole at the start of `chunk`, without copying it: nearly all of
    /// a stream looks like that. Returns what follows it.
    fn whole_event<'a>(
        &mut self,
        chunk: &'a [u8],
        sink: &mut impl FnMut(Event<'_>),
    ) -> Option<&'a [u8]> {
        // Prefixes of known length are compared without a call.
        let (b"data: ", value) = chunk.split_first_chunk()? else {
            return None;
        };
        let end = memchr::memchr2(b'\n', b'\r', value)?;
        let (b"\n\n", after) = value[end..].split_first_chunk()? else {
            return None;
        };
        let is_plain = self.line.is_empty() && self.data.is_empty() && self.kind.is_empty();
        let has_no_id = self.id_buffer.is_empty() && self.last_event_id.is_empty();
        let has_new_id = !has_no_id && self.last_event_id != self.id_buffer;
        if !is_plain || has_new_id || end > self.max_event_bytes {
            return None;
        }
        let text = simdutf8::basic::from_utf8(&value[..end]).ok()?;
        sink(Event {
            kind: "message",
            data: Cow::Borrowed(text),
            last_event_id: &self.last_event_id,
        });
        Some(after)
    }

    /// Ends the stream. An event without its blank line is dropped, as the standard says, and noted.
    pub fn finish(&mut self) {
        self.oddities.unfinished_event = self.is_inside_event();
        self.n_trailing_cr();
        self.line.clear();
        self.data.clear();
    }

    /// Tells whether bytes have arrived that no blank line has closed yet.
    pub fn is_inside_event(&self) -> bool {
        !self.line.is_empty() || !self.data.is_empty()
    }

    /// Returns what was odd so far.
    pub fn oddities(&self) -> Oddities {
        self.oddities
    }

    /// Returns the last `retry:` in milliseconds.
    pub fn retry_ms(&self) -> Option<u64> {
        self.retry_ms
    }

    /// Returns the last event id as of the last blank line.
    pub fn last_event_id(&self) -> &str {
        &self.last_event_id
    }

    fn n_trailing_cr(&mut self) {
        if std::mem::take(&mut self.after_cr) {
            self.oddities.n_cr += 1;
        }
    }

    /// "One leading U+FEFF BYTE ORDER MARK character must be ignored if any are present"; it may be split over chunks.
    fn skip_bom<'a>(&mut self, mut chunk: &'a [u8]) -> &'a [u8] {
        while let (Some(seen), Some(&byte)) = (self.bom_seen, chunk.first()) {
            if byte != BOM[seen] {
                self.line.extend_from_slice(&BOM[..seen]);
                self.bom_seen = None;
            } else {
                chunk = &chunk[1..];
                self.bom_seen = (seen + 1 < BOM.len()).then_some(seen + 1);
            }
        }
        chunk
    }

    fn check_size(&self, more: usize) -> Result<(), EventTooLarge> {
        let limit = self.max_event_bytes;
        if self.line.len() + more > limit || self.data.len() > limit {
            return Err(EventTooLarge { limit });
        }
        Ok(())
    }

    fn end_line(&mut self, line: &[u8], sink: &mut impl FnMut(Event<'_>)) {
        // The one line that matters for speed.
        if let Some(value) = line.strip_prefix(b"data: ") {
            self.data.extend_from_slice(value);
            self.data.push(b'\n');
            return;
        }
        if line.is_empty() {
            return self.dispatch(sink);
        }
        let (name, value) = match memchr::memchr(b':', line) {
            Some(0) => {
                self.oddities.n_comments += 1;
                return;
            }
            Some(colon) => {
                let value = &line[colon + 1..];
                (&line[..colon], value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (line, &line[line.len()..]),
        };
        match name {
            b"data" => {
                self.data.extend_from_slice(value);
                self.data.push(b'\n');
            }
            b"event" => self.kind = self.decoded(value),
            // "If the field value does not contain U+0000 NULL, then set the last event ID buffer".
            b"id" if !value.contains(&0) => self.id_buffer = self.decoded(value),
            // "If the field value consists of only ASCII digits"
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                self.retry_ms = std::str::from_utf8(value)
                    .ok()
                    .and_then(|digits| digits.parse().ok());
            }
            _ => {}
        }
    }

    fn decoded(&mut self, value: &[u8]) -> String {
        let text = String::from_utf8_lossy(value);
        if matches!(text, Cow::Owned(_)) {
            self.oddities.n_invalid_utf8 += 1;
        }
        text.into_owned()
    }

    fn dispatch(&mut self, sink: &mut impl FnMut(Event<'_>)) {
        if self.last_event_id != self.id_buffer {
            self.last_event_id.clone_from(&self.id_buffer);
        }
        // "If the data buffer is an empty string, set the data buffer and the event type buffer to the empty string and
        // return." A `data` field with an empty value leaves an LF in the buffer, so it does dispatch.
        if self.data.pop().is_some() {
            let data = match simdutf8::basic::from_utf8(&self.data) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => {
                    self.oddities.n_invalid_utf8 += 1;
                    String::from_utf8_lossy(&self.data)
                }
            };
            let kind = if self.kind.is_empty() {
                "message"
            } else {
                &self.kind
            };
            sink(Event {
                kind,
                data,
                last_event_id: &self.last_event_id,
            });
        }
        self.data.clear();
        self.kind.clear();
    }
}
