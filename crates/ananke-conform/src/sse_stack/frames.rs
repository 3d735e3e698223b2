//! Frames of an event stream with the facts that a decoder hides: which fields were there, and what was never ended.
//!
//! The data of frames is what the decoder of `ananke-protocol` gives; a property test holds the two together.

use serde_json::Value;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A block of lines with fields that a blank line ended. Blocks of comments are none.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frame {
    /// The `event:` field.
    pub(super) event: Option<String>,
    /// The `id:` field of this very frame.
    pub(super) id: Option<String>,
    /// The joined `data:` fields, if there were any.
    pub(super) data: Option<String>,
    /// What the data is.
    pub(super) payload: Payload,
    /// Two frames lie in it: the blank line between them is missing.
    pub(super) is_run_together: bool,
}

/// What the data of a frame is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Payload {
    /// There is none, or it is empty.
    Empty,
    /// JSON.
    Json(Value),
    /// No JSON; why.
    Bad(String),
}

/// A frame or line passed the size limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

/// What was left when the bytes ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Leftover {
    /// Lines that no blank line ended, comments apart.
    pub(super) is_there: bool,
    /// Two frames lie in it.
    pub(super) is_run_together: bool,
}

/// Reads frames from bytes as they come.
#[derive(Debug)]
pub(super) struct FrameReader {
    max_frame_bytes: usize,
    line: Vec<u8>,
    is_first_line: bool,
    /// The last byte was CR: an LF that follows belongs to it.
    after_cr: bool,
    block: Block,
    frames: Vec<Frame>,
}

/// The lines since the last blank one.
#[derive(Debug, Default)]
struct Block {
    n_bytes: usize,
    n_events: usize,
    event: Option<String>,
    id: Option<String>,
    /// Every `data` value followed by LF.
    data: Option<Vec<u8>>,
    has_other_lines: bool,
}

impl FrameReader {
    /// Begins a stream whose frames are no larger than this.
    pub(super) fn new(max_frame_bytes: usize) -> Self {
        Self {
            max_frame_bytes,
            line: Vec::new(),
            is_first_line: true,
            after_cr: false,
            block: Block::default(),
            frames: Vec::new(),
        }
    }

    /// Takes bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), TooLarge> {
        for &byte in bytes {
            if std::mem::take(&mut self.after_cr) && byte == b'\n' {
                continue;
            }
            match byte {
                b'\n' | b'\r' => {
                    self.after_cr = byte == b'\r';
                    let mut line = std::mem::take(&mut self.line);
                    self.end_line(&line);
                    line.clear();
                    self.line = line;
                }
                other => self.line.push(other),
            }
            if self.line.len() + self.block.n_bytes > self.max_frame_bytes {
                return Err(TooLarge);
            }
        }
        Ok(())
    }

    /// Returns the frames so far.
    pub(super) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Ends the bytes.
    pub(super) fn finish(mut self) -> (Vec<Frame>, Leftover) {
        let line = std::mem::take(&mut self.line);
        self.add_line(&line);
        let leftover = Leftover {
            is_there: self.block.has_fields() || self.block.has_other_lines,
            is_run_together: self.block.is_run_together(),
        };
        (self.frames, leftover)
    }

    fn end_line(&mut self, line: &[u8]) {
        if !self.add_line(line) {
            return;
        }
        let block = std::mem::take(&mut self.block);
        if block.has_fields() {
            self.frames.push(block.into_frame());
        }
    }

    /// Adds a line to the block; tells whether it was blank.
    fn add_line(&mut self, line: &[u8]) -> bool {
        let is_first = std::mem::take(&mut self.is_first_line);
        let line = match line.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) if is_first => rest,
            _ => line,
        };
        self.block.n_bytes += line.len();
        match line.iter().position(|byte| *byte == b':') {
            _ if line.is_empty() => return true,
            // Comments keep a connection alive for hours: they do not make a frame larger.
            Some(0) => self.block.n_bytes -= line.len(),
            Some(colon) => {
                let value = &line[colon + 1..];
                let value = value.strip_prefix(b" ").unwrap_or(value);
                self.block.add(&line[..colon], value);
            }
            None => self.block.add(line, b""),
        }
        false
    }
}

impl Block {
    fn add(&mut self, name: &[u8], value: &[u8]) {
        let text = || String::from_utf8_lossy(value).into_owned();
        match name {
            b"data" => {
                let data = self.data.get_or_insert_default();
                data.extend_from_slice(value);
                data.push(b'\n');
            }
            b"event" => {
                self.n_events += 1;
                self.event = Some(text());
            }
            b"id" if !value.contains(&0) => self.id = Some(text()),
            _ => self.has_other_lines = true,
        }
    }

    fn has_fields(&self) -> bool {
        self.event.is_some() || self.id.is_some() || self.data.is_some()
    }

    /// Two `event:` fields, or several lines of data each of which is a whole object: no server means that as one frame.
    fn is_run_together(&self) -> bool {
        let data = String::from_utf8_lossy(self.data.as_deref().unwrap_or_default());
        let is_object = |line: &str| {
            let value = serde_json::from_str::<Value>(line);
            value.is_ok_and(|value| value.is_object())
        };
        self.n_events > 1 || (data.lines().count() > 1 && data.lines().all(is_object))
    }

    fn into_frame(self) -> Frame {
        let is_run_together = self.is_run_together();
        let data = self.data.map(|mut bytes| {
            bytes.pop();
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let payload = match data.as_deref() {
            None | Some("") => Payload::Empty,
            Some(text) => match serde_json::from_str(text) {
                Ok(value) => Payload::Json(value),
                Err(error) => Payload::Bad(error.to_string()),
            },
        };
        Frame {
            event: self.event,
            id: self.id,
            data,
            payload,
            is_run_together,
        }
    }
}
