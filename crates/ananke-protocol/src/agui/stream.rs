//! From the bytes of a response body to a folded turn: decode, log, expand chunks, check the rules, fold.

use std::borrow::Cow;

use ananke_model::recording::{EventLog, Finding};

use super::chunks::{Chunks, Expanded};
use super::event::{self, BadEvent, Envelope, Event, Thinking};
use super::fields::{self, Fields};
use super::flat;
use super::fold::{Fold, Moment, RunEnd};
use super::rules::Rules;
use crate::protobuf::{self, Decoded, FrameDecoder};
use crate::sse;

/// A finding or warning repeated without end helps nobody.
pub(crate) const MAX_NOTES: usize = 200;

/// How events are framed.
#[derive(Debug)]
pub(crate) enum Framing {
    Sse(sse::Decoder),
    Protobuf(FrameDecoder),
}

/// Why a stream cannot be read on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StreamError {
    /// An event passed its size limit.
    TooLarge(String),
    /// A frame is no event.
    BadFrame(String),
}

/// A turn's events, whatever number of response bodies they came in.
#[derive(Debug)]
pub(crate) struct Stream<'c> {
    pub(crate) fold: Fold<'c>,
    pub(crate) log: EventLog,
    pub(crate) findings: Vec<Finding>,
    pub(crate) warnings: Vec<String>,
    /// The first event that could not be read; reading goes on, the turn fails.
    pub(crate) bad_event: Option<String>,
    /// When the last terminal event came.
    pub(crate) ended_us: Option<u64>,
    /// First and last event timestamps while every event has one.
    event_clock: EventClock,
    chunks: Chunks,
    rules: Rules,
    /// The message that the last event added text to, as JSON text: more text for it needs no look-up.
    running: Option<String>,
    thinking: ThinkingIds,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum EventClock {
    Unset,
    Range(f64, f64),
    Incomplete,
}

/// Ids for the retired events that carry none.
#[derive(Debug, Default)]
struct ThinkingIds {
    n_spans: usize,
    n_messages: usize,
}

impl<'c> Stream<'c> {
    pub(crate) fn new(fold: Fold<'c>) -> Self {
        Self {
            fold,
            log: EventLog::default(),
            findings: Vec::new(),
            warnings: Vec::new(),
            bad_event: None,
            ended_us: None,
            event_clock: EventClock::Unset,
            chunks: Chunks::default(),
            rules: Rules::default(),
            running: None,
            thinking: ThinkingIds::default(),
        }
    }

    /// Begins another response body of the same turn.
    pub(crate) fn next_body(&mut self) {
        self.rules = Rules::default();
        self.running = None;
        self.ended_us = None;
        self.fold.end = None;
    }

    /// Takes bytes of the body that arrived `at_us` after the turn began.
    pub(crate) fn push(
        &mut self,
        framing: &mut Framing,
        bytes: &[u8],
        at_us: u64,
    ) -> Result<(), StreamError> {
        match framing {
            Framing::Sse(decoder) => decoder
                .push(bytes, |event| self.event(&event.data, at_us))
                .map_err(|error| StreamError::TooLarge(error.to_string())),
            Framing::Protobuf(decoder) => {
                let (frames, too_large) = match decoder.push(bytes) {
                    Ok(frames) => (frames, None),
                    Err(error) => (
                        error.frames.clone(),
                        Some(StreamError::TooLarge(error.to_string())),
                    ),
                };
                for frame in frames {
                    match protobuf::decode_event(&frame) {
                        Ok(Decoded::Event(value)) => self.event(&value.to_string(), at_us),
                        Ok(Decoded::UnknownArm(number)) => {
                            self.warn(format!(
                                "a protobuf event of unknown kind {number} was left out"
                            ));
                        }
                        Err(error) => {
                            return Err(StreamError::BadFrame(format!(
                                "event {} cannot be read: {error}",
                                self.log.len()
                            )));
                        }
                    }
                }
                too_large.map_or(Ok(()), Err)
            }
        }
    }

    /// Ends a body; notes what was odd about it. `is_whole` tells whether it came to its end, or was given up.
    pub(crate) fn finish_body(&mut self, framing: &mut Framing, is_whole: bool) {
        let n_events = self.log.len();
        let last = Moment {
            event: n_events.saturating_sub(1),
            at_us: self.ended_us.unwrap_or_default(),
            timestamp: None,
        };
        let fold = &mut self.fold;
        self.chunks.finish(|expanded| {
            if let Expanded::Event(event, _) = expanded {
                fold.take(event, last);
            }
        });
        match framing {
            Framing::Sse(decoder) => {
                decoder.finish();
                let odd = decoder.oddities();
                if odd.n_crlf > 0 {
                    self.warn(format!(
                        "{} with CRLF; AG-UI producers must end lines with LF",
                        counted(odd.n_crlf, "line ends", "lines end")
                    ));
                }
                if odd.n_cr > 0 {
                    self.warn(format!(
                        "{} with CR; AG-UI producers must end lines with LF",
                        counted(odd.n_cr, "line ends", "lines end")
                    ));
                }
                if odd.n_invalid_utf8 > 0 {
                    self.warn(format!(
                        "{} held bytes that are not UTF-8; they were replaced by U+FFFD",
                        counted(odd.n_invalid_utf8, "event", "events")
                    ));
                }
                if odd.unfinished_event && is_whole {
                    self.warn(
                        "the body ended inside an event: its last blank line is missing".to_owned(),
                    );
                }
            }
            Framing::Protobuf(decoder) => {
                if decoder.is_mid_frame() && is_whole {
                    self.warn("the body ended inside a protobuf frame".to_owned());
                }
            }
        }
    }

    /// Returns the first and last timestamp in milliseconds, if every event has one.
    pub(crate) fn event_clock(&self) -> Option<(f64, f64)> {
        match self.event_clock {
            EventClock::Range(first, last) => Some((first, last)),
            EventClock::Unset | EventClock::Incomplete => None,
        }
    }

    /// Returns how the last run ended, if it did.
    pub(crate) fn end(&self) -> Option<&RunEnd> {
        self.fold.end.as_ref()
    }

    pub(super) fn event(&mut self, payload: &str, at_us: u64) {
        let number = self.log.len();
        self.log.push(payload.as_bytes(), at_us);
        if self.take_text_delta(payload, at_us).is_some() {
            return;
        }
        self.running = None;
        let fields = match Fields::parse(payload) {
            Ok(fields) => fields,
            Err(error) => return self.bad(number, payload, &BadEvent::Json(error)),
        };
        let envelope = match event::decode(&fields) {
            Ok(envelope) => envelope,
            Err(error) => return self.bad(number, payload, &error),
        };
        let moment = Moment {
            event: number,
            at_us,
            timestamp: self.tick(envelope.timestamp),
        };
        for member in &envelope.nulls {
            self.find(
                "V5",
                number,
                format!("{} carries `{member}: null`", envelope.kind),
            );
        }
        let Envelope {
            kind, event, owner, ..
        } = envelope;
        match event {
            Event::Unknown => {
                self.warn(format!(
                    "event {number} has the unknown type {kind}: kept, not folded"
                ));
            }
            Event::Thinking(thinking) => {
                let event = self.translate(thinking);
                self.expand(&kind, event, owner, moment);
            }
            Event::RunFinished { .. } | Event::RunError { .. } => {
                self.expand(&kind, event, owner, moment);
                self.ended_us = Some(at_us);
            }
            Event::RunStarted { .. } => {
                self.ended_us = None;
                self.expand(&kind, event, owner, moment);
            }
            event => self.expand(&kind, event, owner, moment),
        }
    }

    /// Takes the event that nearly all of a stream consists of, if no rule can be broken by it: the general way would do
    /// just this, in several times the time.
    fn take_text_delta(&mut self, payload: &str, at_us: u64) -> Option<()> {
        let plain = flat::text_delta(payload)?;
        if self.running.as_deref() != Some(plain.message_id) {
            let message_id = fields::text(plain.message_id)?;
            if !self.chunks.is_idle() || !self.rules.is_open_text(&message_id) {
                return None;
            }
            self.fold.go_on_with(&message_id);
            self.running = Some(plain.message_id.to_owned());
        }
        self.tick(plain.timestamp.and_then(|text| text.parse().ok()));
        if plain.is_escaped {
            self.fold.append(&fields::text(plain.delta)?, at_us);
        } else {
            self.fold.append(plain.delta.trim_matches('"'), at_us);
        }
        Some(())
    }

    /// Keeps the first event that cannot be read.
    fn bad(&mut self, number: usize, payload: &str, error: &BadEvent) {
        let shown: String = payload.chars().take(200).collect();
        self.bad_event
            .get_or_insert_with(|| format!("event {number} cannot be read: {error}: {shown}"));
    }

    fn expand<'a>(
        &mut self,
        kind: &str,
        event: Event<'a>,
        owner: Option<Cow<'a, str>>,
        moment: Moment,
    ) {
        let Self {
            chunks,
            rules,
            fold,
            findings,
            ..
        } = self;
        let mut find = |rule: &'static str, message: String| {
            if findings.len() < MAX_NOTES {
                findings.push(Finding {
                    rule: rule.to_owned(),
                    event: moment.event,
                    message,
                });
            }
        };
        chunks.expand(event, owner, |expanded| match expanded {
            Expanded::Event(event, owner) => {
                rules.check(kind, &event, owner.as_deref(), &mut find);
                fold.take(event, moment);
            }
            Expanded::Finding(rule, message) => find(rule, message),
        });
    }

    /// Follows the events' own clock; milliseconds and seconds are told apart by size.
    fn tick(&mut self, timestamp: Option<f64>) -> Option<f64> {
        let Some(at) = timestamp else {
            self.event_clock = EventClock::Incomplete;
            return None;
        };
        // Seconds since 1970 stay below this until the year 5138, milliseconds passed it in 1973.
        let at = if at.abs() < 1e11 { at * 1000.0 } else { at };
        self.event_clock = match self.event_clock {
            EventClock::Unset => EventClock::Range(at, at),
            EventClock::Range(first, _) => EventClock::Range(first, at),
            EventClock::Incomplete => EventClock::Incomplete,
        };
        Some(at)
    }

    /// Translates a retired event into the one that 1.0 has for it.
    fn translate(&mut self, thinking: Thinking<'_>) -> Event<'static> {
        let span = |n: usize| Cow::Owned(format!("thinking-{n}"));
        let message = |n: usize| Cow::Owned(format!("thinking-message-{n}"));
        match thinking {
            Thinking::Start { has_title } => {
                if has_title {
                    self.warn(
                        "THINKING_START carries a title, which AG-UI 1.0 has no place for"
                            .to_owned(),
                    );
                }
                self.thinking.n_spans += 1;
                Event::ReasoningStart {
                    id: span(self.thinking.n_spans),
                }
            }
            Thinking::End => Event::ReasoningEnd {
                id: span(self.thinking.n_spans),
            },
            Thinking::MessageStart => {
                self.thinking.n_messages += 1;
                Event::ReasoningMessageStart {
                    id: message(self.thinking.n_messages),
                }
            }
            Thinking::Content { delta } => Event::ReasoningContent {
                id: message(self.thinking.n_messages),
                delta: Cow::Owned(delta.into_owned()),
            },
            Thinking::MessageEnd => Event::ReasoningMessageEnd {
                id: message(self.thinking.n_messages),
            },
        }
    }

    fn find(&mut self, rule: &str, event: usize, message: String) {
        if self.findings.len() < MAX_NOTES {
            self.findings.push(Finding {
                rule: rule.to_owned(),
                event,
                message,
            });
        }
    }

    pub(crate) fn warn(&mut self, message: String) {
        if self.warnings.len() < MAX_NOTES {
            self.warnings.push(message);
        }
    }
}

fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
