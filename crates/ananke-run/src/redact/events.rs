//! Secrets in the raw events of a turn, also where the agent sent one in several deltas.
//!
//! The deltas of one message or call are one text, in which hits are found as in the folded text. What stands for a secret
//! goes into the delta in which it begins; the rest of it is taken out of the deltas behind.

use std::collections::HashMap;
use std::ops::Range;

use ananke_model::recording::EventLog;
use ananke_protocol::agui::{Delta, DeltaKind, delta};
use ananke_protocol::openai;

use super::inner::{Edit, Inner, Weak};
use super::{growing, json_text};

/// How much of a message is gathered before it is looked at.
const GATHERED_BYTES: usize = 64 << 10;

/// Returns the events with all secrets hidden, if there are any in them.
pub(super) fn hidden(inner: &Inner, log: &EventLog) -> Option<EventLog> {
    let mut lanes = Lanes::default();
    let mut is_hit = false;
    let mut frame = Vec::new();
    for (payload, _) in log.iter() {
        let payload = std::str::from_utf8(payload).unwrap_or_default();
        let deltas = deltas(payload);
        if deltas.is_empty() {
            is_hit |= inner.may_hit(payload) || growing::may_grow(inner, payload);
            continue;
        }
        // What stands around the deltas of a message is nearly always the same: it is looked at once.
        if !is_around(payload, &deltas, &frame) {
            frame = around(payload, &deltas).collect();
            is_hit |= frame.iter().any(|part| inner.may_hit(part));
        }
        for delta in &deltas {
            let lane = lanes.of(delta);
            lanes.list[lane].look(inner, &delta.text);
        }
    }
    let is_split = lanes.list.iter_mut().fold(false, |is_split, lane| {
        lane.scan(inner);
        is_split | lane.is_hit
    });
    if !is_hit && !is_split {
        return None;
    }
    let mut changed = if is_split {
        lanes.changed_deltas(inner, log)
    } else {
        HashMap::new()
    };
    let mut hidden = EventLog::default();
    let mut is_changed = false;
    for (number, (payload, at_us)) in log.iter().enumerate() {
        // Payloads are text; decoders replace what is not UTF-8.
        let text = String::from_utf8_lossy(payload);
        let joined = changed
            .remove(&number)
            .map(|pieces| with_deltas(&text, pieces));
        let text = joined.as_deref().unwrap_or(&text);
        let clean = if growing::may_grow(inner, text) {
            json_text::hidden_growing(inner, text)
        } else {
            json_text::hidden(inner, text)
        };
        is_changed |= joined.is_some() || clean.is_some();
        hidden.push(clean.as_deref().unwrap_or(text).as_bytes(), at_us);
    }
    is_changed.then_some(hidden)
}

/// Returns the deltas that an event carries: one of AG-UI carries one at most, a chunk of a chat endpoint any number.
fn deltas(payload: &str) -> Vec<Delta<'_>> {
    match delta(payload) {
        Some(delta) => vec![delta],
        None => openai::deltas(payload),
    }
}

/// Returns what stands before, between and behind the deltas of an event.
fn around<'p>(payload: &'p str, deltas: &[Delta<'_>]) -> impl Iterator<Item = &'p str> {
    let starts = deltas.iter().map(|delta| delta.range.start);
    let ends = deltas.iter().map(|delta| delta.range.end);
    let (starts, ends) = (starts.chain([payload.len()]), [0].into_iter().chain(ends));
    ends.zip(starts)
        .map(|(from, to)| payload.get(from..to).unwrap_or_default())
}

fn is_around(payload: &str, deltas: &[Delta<'_>], frame: &[&str]) -> bool {
    frame.len() == deltas.len() + 1 && around(payload, deltas).eq(frame.iter().copied())
}

/// A delta that is to be replaced.
struct Piece {
    /// Where it stands in its payload, as JSON text.
    range: Range<usize>,
    text: String,
}

fn with_deltas(payload: &str, mut pieces: Vec<Piece>) -> String {
    pieces.sort_by_key(|piece| piece.range.start);
    let mut out = String::with_capacity(payload.len());
    let mut at = 0;
    for Piece { range, text } in pieces {
        out.push_str(payload.get(at..range.start).unwrap_or_default());
        out.push_str(&serde_json::Value::from(text).to_string());
        at = range.end;
    }
    out.push_str(payload.get(at..).unwrap_or_default());
    out
}

/// The messages and calls whose deltas a turn has.
#[derive(Default)]
struct Lanes {
    list: Vec<Lane>,
    by_id: HashMap<(DeltaKind, String), usize>,
    /// The lane of the delta before, which nearly always goes on.
    last: Option<(DeltaKind, String, usize)>,
    /// What chunks without an id go on with.
    open: HashMap<DeltaKind, usize>,
}

impl Lanes {
    fn of(&mut self, delta: &Delta<'_>) -> usize {
        let kind = delta.kind;
        let id = match (delta.id, self.open.get(&kind)) {
            (None, Some(open)) => return *open,
            (id, _) => id.unwrap_or(""),
        };
        if let Some((last_kind, last_id, lane)) = &self.last
            && *last_kind == kind
            && last_id == id
        {
            return *lane;
        }
        let lane = *self
            .by_id
            .entry((kind, id.to_owned()))
            .or_insert_with(|| self.list.len());
        if lane == self.list.len() {
            self.list.push(Lane::new(kind));
        }
        self.last = Some((kind, id.to_owned(), lane));
        self.open.insert(kind, lane);
        lane
    }

    /// Returns the deltas that change, by the number of their event.
    fn changed_deltas(&mut self, inner: &Inner, log: &EventLog) -> HashMap<usize, Vec<Piece>> {
        self.last = None;
        self.open.clear();
        for (number, (payload, _)) in log.iter().enumerate() {
            let payload = std::str::from_utf8(payload).unwrap_or_default();
            for delta in deltas(payload) {
                let lane = self.of(&delta);
                self.list[lane].gather(number, &delta);
            }
        }
        let mut changed: HashMap<usize, Vec<Piece>> = HashMap::new();
        let hit = self.list.iter().filter(|lane| lane.is_hit);
        for (number, piece) in hit.flat_map(|lane| lane.changed(inner)) {
            changed.entry(number).or_default().push(piece);
        }
        changed
    }
}

/// The deltas of one message or call.
struct Lane {
    kind: DeltaKind,
    /// What was not looked at yet; everything, once it is known that there is something to change.
    text: String,
    is_hit: bool,
    /// The deltas: event, where it begins in `text`, and where it stands in the payload.
    pieces: Vec<(usize, usize, Range<usize>)>,
}

impl Lane {
    fn new(kind: DeltaKind) -> Self {
        Self {
            kind,
            text: String::new(),
            is_hit: false,
            pieces: Vec::new(),
        }
    }

    /// Adds a delta and looks at what was gathered from time to time.
    fn look(&mut self, inner: &Inner, delta: &str) {
        if self.is_hit {
            return;
        }
        self.text.push_str(delta);
        if self.text.len() >= GATHERED_BYTES.max(4 * inner.patterns.longest()) {
            self.scan(inner);
        }
    }

    fn scan(&mut self, inner: &Inner) {
        self.is_hit = self.is_hit || inner.may_hit(&self.text);
        if self.is_hit {
            self.text = String::new();
            return;
        }
        // A secret may have begun at the end.
        let kept = self.text.len().saturating_sub(inner.patterns.longest());
        self.text.drain(..self.text.floor_char_boundary(kept));
    }

    fn gather(&mut self, event: usize, delta: &Delta<'_>) {
        if self.is_hit {
            self.pieces
                .push((event, self.text.len(), delta.range.clone()));
            self.text.push_str(&delta.text);
        }
    }

    /// Returns the deltas that change. Hits are found as in the folded text.
    fn changed(&self, inner: &Inner) -> Vec<(usize, Piece)> {
        let edits = match self.kind {
            DeltaKind::Args => json_text::edits(inner, &self.text),
            DeltaKind::Text | DeltaKind::Reasoning => inner.edits(&self.text, Weak::Hide),
        };
        let mut changed = Vec::new();
        let mut waiting = edits.as_slice();
        for (index, (event, start, range)) in self.pieces.iter().enumerate() {
            let next = self.pieces.get(index + 1);
            let end = next.map_or(self.text.len(), |(_, start, _)| *start);
            let n_done = waiting
                .iter()
                .take_while(|edit| edit.range.end <= *start)
                .count();
            waiting = waiting.get(n_done..).unwrap_or_default();
            if let Some(text) = self.edited(*start..end, waiting) {
                let range = range.clone();
                changed.push((*event, Piece { range, text }));
            }
        }
        changed
    }

    /// Returns the part `span` of the text with the edits made that touch it, if any does.
    fn edited(&self, span: Range<usize>, edits: &[Edit]) -> Option<String> {
        let mut out = String::new();
        let mut at = span.start;
        let mut is_touched = false;
        for edit in edits.iter().take_while(|edit| edit.range.start < span.end) {
            is_touched = true;
            out.push_str(self.text.get(at..edit.range.start).unwrap_or(""));
            if edit.range.start >= span.start {
                out.push_str(&edit.shown);
            }
            at = edit.range.end.min(span.end);
        }
        out.push_str(self.text.get(at..span.end).unwrap_or(""));
        is_touched.then_some(out)
    }
}
