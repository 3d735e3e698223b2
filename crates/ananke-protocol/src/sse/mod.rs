//! Event streams: bytes in, events out, exactly as the WHATWG HTML standard parses them.

mod decoder;
#[cfg(test)]
mod tests;

pub use decoder::{Decoder, Event, EventTooLarge, Oddities};
