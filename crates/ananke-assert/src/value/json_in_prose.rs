//! Objects and arrays between other words.
//!
//! The text is hostile. The search is bounded: it stops after a number of steps that grows with the length of the text.

use std::ops::Range;

use serde_json::Value;

use super::json_in_text::{MAX_VALUES, too_many};
use super::raw_json::RawJson;

/// How deep values may be nested; what lies deeper is not read.
const MAX_DEPTH: usize = 128;
/// Steps that every search may take, and for each byte of the text.
const STEPS: usize = 1 << 20;
const STEPS_PER_BYTE: usize = 16;

/// The objects and arrays between other words, none of them inside another.
#[derive(Default)]
pub(super) struct Prose {
    /// In their order.
    pub(super) values: Vec<Value>,
    /// Where each of them stands.
    pub(super) ranges: Vec<Range<usize>>,
    /// Why there may be more, as a lower-case fragment.
    pub(super) unread: Option<String>,
}

impl Prose {
    /// Searches `text`, except where it was read already.
    pub(super) fn of(text: &str, known: &[Range<usize>]) -> Self {
        let bytes = text.as_bytes();
        let mut steps = STEPS + bytes.len().saturating_mul(STEPS_PER_BYTE);
        let mut prose = Self::default();
        let mut known = known.iter().peekable();
        let mut at = 0;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(start) = rest.iter().position(|byte| matches!(byte, b'{' | b'[')) else {
                return prose;
            };
            let start = at + start;
            while known.next_if(|range| range.end <= start).is_some() {}
            if let Some(range) = known.next_if(|range| range.start <= start) {
                at = range.end;
                continue;
            }
            at = start + 1;
            let end = balanced_end(bytes, start, &mut steps);
            if steps == 0 {
                let why = "the text has too many brackets to search them all";
                prose.unread = Some(why.to_owned());
                return prose;
            }
            let part = match end {
                End::At(end) => text.get(start..end).unwrap_or(""),
                End::Nowhere => continue,
                End::TooDeep => {
                    prose.unread.get_or_insert(format!(
                        "some brackets stand more than {MAX_DEPTH} deep in one another"
                    ));
                    continue;
                }
            };
            steps = steps.saturating_sub(part.len());
            match serde_json::from_str(part) {
                Ok(_) if prose.values.len() == MAX_VALUES => {
                    prose.unread = Some(too_many());
                    return prose;
                }
                Ok(value) => {
                    prose.values.push(value);
                    at = start + part.len();
                    prose.ranges.push(start..at);
                }
                // It is JSON, but with a number that is too large.
                Err(error) if RawJson::parse(part).is_some() => {
                    let why = format!("some of the JSON cannot be read: {error}");
                    prose.unread.get_or_insert(why);
                }
                Err(_) => {}
            }
        }
    }
}

/// Where a bracket is closed.
enum End {
    /// Behind this byte.
    At(usize),
    /// It is not.
    Nowhere,
    /// What lies between is nested too deep to go on.
    TooDeep,
}

fn balanced_end(bytes: &[u8], start: usize, steps: &mut usize) -> End {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        *steps = steps.saturating_sub(1);
        if *steps == 0 {
            return End::Nowhere;
        }
        at += 1;
        match byte {
            b'\\' if in_string => at += 1,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return End::TooDeep;
                }
            }
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return End::At(at);
                }
            }
            _ => {}
        }
    }
    End::Nowhere
}
