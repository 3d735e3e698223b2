//! Cuts a body into frames: a 4-byte big-endian length, then that many bytes, split anywhere by the transport.

/// Says that a frame announces more bytes than the limit allows.
#[derive(Debug, thiserror::Error)]
#[error("one frame has {announced} bytes, more than the limit of {limit}")]
pub(crate) struct FrameTooLarge {
    /// The length that the frame announced.
    pub(crate) announced: usize,
    /// The limit per frame.
    pub(crate) limit: usize,
    /// The complete frames that came before it in the same bytes.
    pub(crate) frames: Vec<Vec<u8>>,
}

/// Collects bytes and hands out complete frames.
#[derive(Debug)]
pub(crate) struct FrameDecoder {
    max_frame_bytes: usize,
    /// The part of the length prefix that has arrived.
    prefix: Vec<u8>,
    /// The payload that has arrived, once the prefix is complete.
    payload: Option<Payload>,
}

#[derive(Debug)]
struct Payload {
    length: usize,
    bytes: Vec<u8>,
}

const PREFIX_BYTES: usize = 4;

impl FrameDecoder {
    /// Creates a decoder that refuses frames with more than `max_frame_bytes` of payload.
    pub(crate) fn new(max_frame_bytes: usize) -> Self {
        Self {
            max_frame_bytes,
            prefix: Vec::with_capacity(PREFIX_BYTES),
            payload: None,
        }
    }

    /// Adds `bytes` and returns the frames that they complete, without their length prefixes.
    ///
    /// After an error the stream cannot be read further: the decoder stays inside the refused frame.
    pub(crate) fn push(&mut self, mut bytes: &[u8]) -> Result<Vec<Vec<u8>>, FrameTooLarge> {
        let mut frames = Vec::new();
        loop {
            let Some(payload) = &mut self.payload else {
                let rest = fill(&mut self.prefix, PREFIX_BYTES, bytes);
                let Ok(prefix) = <[u8; PREFIX_BYTES]>::try_from(self.prefix.as_slice()) else {
                    return Ok(frames);
                };
                let length = usize::try_from(u32::from_be_bytes(prefix)).unwrap_or(usize::MAX);
                if length > self.max_frame_bytes {
                    return Err(FrameTooLarge {
                        announced: length,
                        limit: self.max_frame_bytes,
                        frames,
                    });
                }
                bytes = rest;
                self.prefix.clear();
                // The announced length allocates nothing: memory grows with the bytes that really come.
                self.payload = Some(Payload {
                    length,
                    bytes: Vec::new(),
                });
                continue;
            };
            bytes = fill(&mut payload.bytes, payload.length, bytes);
            if payload.bytes.len() < payload.length {
                return Ok(frames);
            }
            frames.push(std::mem::take(&mut payload.bytes));
            self.payload = None;
        }
    }

    /// Tells whether the bytes so far end inside a frame.
    pub(crate) fn is_mid_frame(&self) -> bool {
        !self.prefix.is_empty() || self.payload.is_some()
    }
}

/// Moves bytes into `target` until it holds `length` of them, and returns what is left.
fn fill<'a>(target: &mut Vec<u8>, length: usize, bytes: &'a [u8]) -> &'a [u8] {
    let missing = length.saturating_sub(target.len()).min(bytes.len());
    let (taken, rest) = bytes.split_at(missing);
    target.extend_from_slice(taken);
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = b"\0\0\0\x03one\0\0\0\0\0\0\0\x05three";

    #[test]
    fn frames_split_at_every_pair_of_offsets_are_the_same() {
        for first in 0..=BODY.len() {
            for second in first..=BODY.len() {
                let mut decoder = FrameDecoder::new(5);
                let mut frames = decoder.push(&BODY[..first]).unwrap();
                frames.extend(decoder.push(&BODY[first..second]).unwrap());
                frames.extend(decoder.push(&BODY[second..]).unwrap());
                assert_eq!(
                    frames,
                    [&b"one"[..], b"", b"three"],
                    "split at {first} and {second}"
                );
                assert!(!decoder.is_mid_frame());
            }
        }
    }

    #[test]
    fn a_body_cut_anywhere_but_between_frames_ends_mid_frame() {
        let mid: String = (0..=BODY.len())
            .map(|end| {
                let mut decoder = FrameDecoder::new(5);
                decoder.push(&BODY[..end]).unwrap();
                if decoder.is_mid_frame() { '#' } else { '.' }
            })
            .collect();
        insta::assert_snapshot!(mid, @".######.###.########.");
    }

    #[test]
    fn a_large_frame_is_refused_at_its_prefix_and_earlier_frames_are_kept() {
        let mut decoder = FrameDecoder::new(4);
        let error = decoder.push(BODY).unwrap_err();
        insta::assert_snapshot!(error, @"one frame has 5 bytes, more than the limit of 4");
        assert_eq!(error.frames, [&b"one"[..], b""]);
        assert!(decoder.push(b"more").is_err());
        assert!(decoder.is_mid_frame());
    }
}
