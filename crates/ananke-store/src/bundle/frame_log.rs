//! Appends frames to a file. A frame is there as a whole, or the file ends where the last whole frame does.

use std::fs::File;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use zstd::zstd_safe::zstd_sys::ZSTD_EndDirective;
use zstd::zstd_safe::{CCtx, CParameter, InBuffer, OutBuffer, get_error_name};

/// No frame is larger than this, unpacked: a reader has to hold it.
pub(super) const MAX_FRAME_BYTES: usize = 1 << 30;

/// A frame is ended after the record that makes it larger than this, unpacked.
const FRAME_BYTES: usize = 1 << 20;

/// Text is packed in pieces of this size.
const PIECE_BYTES: usize = 1 << 17;

/// Packed bytes of an unfinished frame are handed over from this size on.
const PACKED_BYTES: usize = 1 << 22;

/// How often the system is asked to put bytes on the disk.
const SYNC_EVERY: Duration = Duration::from_millis(500);

/// Where frames go: a file, or a disk that is full.
pub(super) trait Disk: Write {
    /// Cuts off everything behind `len`.
    fn truncate(&mut self, len: u64) -> io::Result<()>;
    /// Waits until everything is on the disk.
    fn sync(&mut self) -> io::Result<()>;
}

impl Disk for File {
    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.set_len(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// The end of a growing file. What is written goes into a frame, until [`Self::end_frame`].
///
/// After an error the file has been cut back to its last whole frame, and the log is not to be used again.
pub(super) struct FrameLog<D: Disk> {
    disk: D,
    context: CCtx<'static>,
    /// Text of this frame that is not packed yet.
    plain: Vec<u8>,
    /// Packed bytes of this frame that are not handed over yet.
    packed: Vec<u8>,
    /// The size of this frame, unpacked.
    n_plain: usize,
    max_frame_bytes: usize,
    /// Where the last whole frame ends.
    good_len: u64,
    /// How much was handed over behind it.
    n_handed: u64,
    synced_len: u64,
    synced_at: Instant,
}

impl<D: Disk> FrameLog<D> {
    /// Begins with an empty file.
    pub(super) fn new(disk: D, max_frame_bytes: usize) -> io::Result<Self> {
        let mut context = CCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
        for parameter in [
            CParameter::CompressionLevel(1),
            CParameter::ChecksumFlag(true),
        ] {
            context.set_parameter(parameter).map_err(zstd_error)?;
        }
        Ok(Self {
            disk,
            context,
            plain: Vec::with_capacity(PIECE_BYTES),
            packed: Vec::new(),
            n_plain: 0,
            max_frame_bytes,
            good_len: 0,
            n_handed: 0,
            synced_len: 0,
            synced_at: Instant::now(),
        })
    }

    /// Tells whether the frame is large enough to be ended.
    pub(super) fn is_full(&self) -> bool {
        self.n_plain >= FRAME_BYTES
    }

    /// Ends the frame, if one was begun, and hands it to the system.
    pub(super) fn end_frame(&mut self) -> io::Result<()> {
        if self.n_plain == 0 {
            return Ok(());
        }
        let ended = self
            .pack(ZSTD_EndDirective::ZSTD_e_end)
            .and_then(|()| self.hand_over());
        self.or_cut_back(ended)?;
        self.n_plain = 0;
        self.good_len += self.n_handed;
        self.n_handed = 0;
        Ok(())
    }

    /// Puts whole frames on the disk, if that was last done long enough before `now`.
    pub(super) fn sync_if_due(&mut self, now: Instant) -> io::Result<()> {
        if now.saturating_duration_since(self.synced_at) < SYNC_EVERY {
            return Ok(());
        }
        self.synced_at = now;
        self.sync()
    }

    /// Puts whole frames on the disk.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        if self.synced_len < self.good_len {
            self.disk.sync()?;
            self.synced_len = self.good_len;
        }
        Ok(())
    }

    fn pack(&mut self, end: ZSTD_EndDirective) -> io::Result<()> {
        let mut input = InBuffer::around(&self.plain);
        loop {
            self.packed
                .reserve(zstd::zstd_safe::compress_bound(PIECE_BYTES));
            let start = self.packed.len();
            let mut output = OutBuffer::around_pos(&mut self.packed, start);
            let n_left = self
                .context
                .compress_stream2(&mut output, &mut input, end)
                .map_err(zstd_error)?;
            let is_done = match end {
                ZSTD_EndDirective::ZSTD_e_continue => input.pos() == self.plain.len(),
                _ => n_left == 0,
            };
            if is_done {
                break;
            }
        }
        self.plain.clear();
        Ok(())
    }

    fn hand_over(&mut self) -> io::Result<()> {
        self.disk.write_all(&self.packed)?;
        self.n_handed += self.packed.len() as u64;
        self.packed.clear();
        Ok(())
    }

    fn or_cut_back<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        if result.is_err() {
            // A reader copes with half a frame; it is only tidier without.
            self.disk.truncate(self.good_len).ok();
        }
        result
    }
}

impl<D: Disk> Write for FrameLog<D> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        // JSON comes in thousands of small pieces: this is the path that has to be short.
        self.n_plain += bytes.len();
        self.plain.extend_from_slice(bytes);
        if self.plain.len() < PIECE_BYTES {
            return Ok(());
        }
        self.pack_piece()
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<D: Disk> FrameLog<D> {
    fn pack_piece(&mut self) -> io::Result<()> {
        if self.n_plain > self.max_frame_bytes {
            let error = io::Error::new(
                io::ErrorKind::FileTooLarge,
                format!(
                    "what was recorded of one test is larger than {} MiB",
                    self.max_frame_bytes >> 20
                ),
            );
            return self.or_cut_back(Err(error));
        }
        let mut packed = self.pack(ZSTD_EndDirective::ZSTD_e_continue);
        if packed.is_ok() && self.packed.len() >= PACKED_BYTES {
            packed = self.hand_over();
        }
        self.or_cut_back(packed)
    }
}

impl<D: Disk> std::fmt::Debug for FrameLog<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FrameLog")
            .field("good_len", &self.good_len)
            .field("n_plain", &self.n_plain)
            .finish_non_exhaustive()
    }
}

fn zstd_error(code: usize) -> io::Error {
    io::Error::other(get_error_name(code))
}
