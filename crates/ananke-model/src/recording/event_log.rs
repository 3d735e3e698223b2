//! The events of a turn as they arrived: bytes and arrival times, append-only, without one allocation per event.
//!
//! Written as JSON it is a list of `[arrival in µs, payload]`. Payloads are text: decoders replace what is not UTF-8.

use std::fmt;

use serde::de::{self, DeserializeSeed, SeqAccess, Visitor};
use serde::ser::SerializeSeq as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes are kept in segments of this size so that growing never copies what is there.
const SEGMENT_BYTES: usize = 1 << 20;

/// An append-only log of event payloads with arrival times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventLog {
    segments: Vec<Vec<u8>>,
    entries: Vec<Entry>,
    n_bytes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    segment: u32,
    start: u32,
    len: u32,
    at_us: u64,
}

impl EventLog {
    /// Appends the payload of an event that arrived `at_us` microseconds after the request.
    pub fn push(&mut self, payload: &[u8], at_us: u64) {
        let fits = self
            .segments
            .last()
            .is_some_and(|segment| segment.len() + payload.len() <= segment.capacity());
        if !fits {
            // The first segment is small: most turns have a handful of events.
            let size = if self.segments.is_empty() {
                1 << 12
            } else {
                SEGMENT_BYTES
            };
            self.segments
                .push(Vec::with_capacity(size.max(payload.len())));
        }
        let segment_index = self.segments.len() - 1;
        let segment = &mut self.segments[segment_index];
        self.entries.push(Entry {
            segment: index(segment_index),
            start: index(segment.len()),
            len: index(payload.len()),
            at_us,
        });
        segment.extend_from_slice(payload);
        self.n_bytes += payload.len();
    }

    /// Returns the payload of event `number` and its arrival time.
    pub fn get(&self, number: usize) -> Option<(&[u8], u64)> {
        let entry = self.entries.get(number)?;
        let start = entry.start as usize;
        let payload = self
            .segments
            .get(entry.segment as usize)?
            .get(start..start + entry.len as usize)?;
        Some((payload, entry.at_us))
    }

    /// Returns the number of events.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Tells whether no event arrived.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the number of payload bytes.
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// Goes through all events in order.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], u64)> {
        (0..self.len()).filter_map(|number| self.get(number))
    }
}

impl Serialize for EventLog {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for (payload, at_us) in self.iter() {
            match std::str::from_utf8(payload) {
                // Nearly always, and much faster to find out.
                Ok(text) => list.serialize_element(&(at_us, text))?,
                Err(_) => list.serialize_element(&(at_us, String::from_utf8_lossy(payload)))?,
            }
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for EventLog {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(LogVisitor)
    }
}

struct LogVisitor;

impl<'de> Visitor<'de> for LogVisitor {
    type Value = EventLog;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of [arrival in µs, payload]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<EventLog, A::Error> {
        let mut log = EventLog::default();
        while list.next_element_seed(OneEvent(&mut log))?.is_some() {}
        // Recordings are read by the thousand and not added to.
        if let Some(last) = log.segments.last_mut() {
            last.shrink_to_fit();
        }
        Ok(log)
    }
}

/// Reads `[arrival in µs, payload]` to the end of a log.
struct OneEvent<'a>(&'a mut EventLog);

impl<'de> DeserializeSeed<'de> for OneEvent<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for OneEvent<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[arrival in µs, payload]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut pair: A) -> Result<(), A::Error> {
        let at_us = pair
            .next_element()?
            .ok_or_else(|| de::Error::invalid_length(0, &self))?;
        let log = &mut *self.0;
        pair.next_element_seed(Payload { log, at_us })?
            .ok_or_else(|| de::Error::invalid_length(1, &self))
    }
}

/// Copies a payload from where the JSON was unescaped, without a string in between.
struct Payload<'a> {
    log: &'a mut EventLog,
    at_us: u64,
}

impl<'de> DeserializeSeed<'de> for Payload<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Payload<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the payload as text")
    }

    fn visit_str<E: de::Error>(self, payload: &str) -> Result<(), E> {
        self.log.push(payload.as_bytes(), self.at_us);
        Ok(())
    }
}

fn index(number: usize) -> u32 {
    u32::try_from(number).expect("turns are limited to less than 4 GiB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order_bytes_and_times_over_segments() {
        let mut log = EventLog::default();
        let large = vec![b'x'; SEGMENT_BYTES + 1];
        for (payload, at_us) in [
            (&b"a"[..], 1),
            (&large[..], 2),
            (&b""[..], 3),
            (&b"bc"[..], 4),
        ] {
            log.push(payload, at_us);
        }
        assert_eq!(log.len(), 4);
        assert_eq!(log.n_bytes(), large.len() + 3);
        assert_eq!(log.get(3), Some((&b"bc"[..], 4)));
        assert_eq!(
            log.iter()
                .map(|(payload, _)| payload.len())
                .collect::<Vec<_>>(),
            [1, large.len(), 0, 2]
        );
        assert_eq!(log.get(4), None);
    }

    #[test]
    fn goes_through_json_and_back() {
        let mut log = EventLog::default();
        log.push("{\"type\":\"X\",\"é\":\"\\n\"}".as_bytes(), 7);
        log.push(b"", 7);
        let text = serde_json::to_string(&log).unwrap();
        assert_eq!(text, r#"[[7,"{\"type\":\"X\",\"é\":\"\\n\"}"],[7,""]]"#);
        assert_eq!(serde_json::from_str::<EventLog>(&text).unwrap(), log);
    }

    #[test]
    fn other_json_is_no_log() {
        for text in [
            "{}",
            "[7]",
            "[[]]",
            "[[7]]",
            "[[-1,\"a\"]]",
            "[[7,8]]",
            "[[7,\"a\",9]]",
        ] {
            assert!(serde_json::from_str::<EventLog>(text).is_err(), "{text}");
        }
    }
}
