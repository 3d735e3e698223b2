//! Reads a row of zstd frames, one frame at a time. A frame's text counts only when its checksum was right.

use std::io::{self, Read};

use zstd::zstd_safe::{DCtx, InBuffer, OutBuffer, get_error_name};

/// Packed bytes are read in pieces of this size.
const PIECE_BYTES: usize = 1 << 17;

/// What came of reading a frame.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// Its text was added.
    Whole,
    /// There is none: the input ended.
    None,
    /// The input ended inside the frame, after this many bytes of it.
    Torn(u64),
    /// It is no frame, or not as it was written.
    Damaged(String),
}

/// A row of frames.
pub(super) struct Frames<R> {
    input: R,
    context: DCtx<'static>,
    piece: Box<[u8]>,
    /// What of `piece` is not used yet.
    unused: std::ops::Range<usize>,
    offset: u64,
    frame_start: u64,
    max_frame_bytes: usize,
}

impl<R: Read> Frames<R> {
    /// Reads from `input`; a frame that is larger than `max_frame_bytes` counts as damaged.
    pub(super) fn new(input: R, max_frame_bytes: usize) -> io::Result<Self> {
        Ok(Self {
            input,
            context: DCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?,
            piece: vec![0; PIECE_BYTES].into_boxed_slice(),
            unused: 0..0,
            offset: 0,
            frame_start: 0,
            max_frame_bytes,
        })
    }

    /// Returns where the frame begins that was read last.
    pub(super) fn frame_start(&self) -> u64 {
        self.frame_start
    }

    /// Returns what the frames are read from.
    pub(super) fn input_mut(&mut self) -> &mut R {
        &mut self.input
    }

    /// Adds the text of the next frame to `text`; leaves it alone unless the frame is whole.
    pub(super) fn read(&mut self, text: &mut Vec<u8>) -> io::Result<Frame> {
        let before = text.len();
        let frame = self.read_unchecked(text);
        if !matches!(frame, Ok(Frame::Whole)) {
            text.truncate(before);
        }
        frame
    }

    fn read_unchecked(&mut self, text: &mut Vec<u8>) -> io::Result<Frame> {
        let before = text.len();
        self.frame_start = self.offset;
        let mut has_more_output = false;
        loop {
            if self.unused.is_empty() && !has_more_output {
                let n_read = self.fill()?;
                if n_read == 0 && self.offset == self.frame_start {
                    return Ok(Frame::None);
                }
                if n_read == 0 {
                    return Ok(Frame::Torn(self.offset - self.frame_start));
                }
            }
            if text.len() - before > self.max_frame_bytes {
                return Ok(Frame::Damaged(format!(
                    "one frame unpacks to more than {} MiB",
                    self.max_frame_bytes >> 20
                )));
            }
            if text.capacity() - text.len() < PIECE_BYTES {
                text.reserve(PIECE_BYTES);
            }
            let at = text.len();
            let mut input = InBuffer::around(&self.piece[self.unused.clone()]);
            let mut output = OutBuffer::around_pos(text, at);
            let step = self.context.decompress_stream(&mut output, &mut input);
            has_more_output = output.pos() == output.capacity();
            let n_used = input.pos();
            self.unused.start += n_used;
            self.offset += n_used as u64;
            match step {
                Ok(0) => return Ok(Frame::Whole),
                Ok(_) => {}
                Err(code) => return Ok(Frame::Damaged(get_error_name(code).to_owned())),
            }
        }
    }

    fn fill(&mut self) -> io::Result<usize> {
        loop {
            match self.input.read(&mut self.piece) {
                Ok(n_read) => {
                    self.unused = 0..n_read;
                    return Ok(n_read);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl<R> std::fmt::Debug for Frames<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Frames")
            .field("offset", &self.offset)
            .finish_non_exhaustive()
    }
}
