//! Cuts a long text into pieces that can be read side by side.

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chunk<'t> {
    /// The text up to the end of the piece, so that places count from the beginning of the text.
    pub(crate) text: &'t str,
    /// Where the piece begins.
    pub(crate) offset: usize,
    /// Its first line, counted from 1.
    pub(crate) line: u32,
}

impl<'t> Chunk<'t> {
    /// Returns all of `text` in one piece.
    pub(crate) fn whole(text: &'t str) -> Self {
        Self {
            text,
            offset: 0,
            line: 1,
        }
    }
}

/// Cuts `text` into at most `n_chunks` pieces of about the same size. Each but the first begins with a line that begins
/// with `{`, which most likely is the next object; a piece that begins inside of an object cannot be read, and then the text
/// must be read as a whole.
pub(crate) fn chunks(text: &str, n_chunks: usize) -> Vec<Chunk<'_>> {
    let share = text.len().div_ceil(n_chunks.max(1)).max(1);
    let mut chunks = Vec::new();
    let (mut offset, mut line) = (0, 1_u32);
    while offset < text.len() {
        let end = next_object(text, offset + share).unwrap_or(text.len());
        chunks.push(Chunk {
            text: text.get(..end).unwrap_or(text),
            offset,
            line,
        });
        let bytes = text.as_bytes().get(offset..end).unwrap_or_default();
        line = line.saturating_add(n_lines(bytes));
        offset = end;
    }
    chunks
}

/// Returns where the next line begins that begins with `{`.
fn next_object(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes().get(from..)?;
    let at = bytes.windows(2).position(|pair| pair == b"\n{")?;
    Some(from + at + 1)
}

/// Counts line ends: line feeds, and carriage returns without one.
fn n_lines(bytes: &[u8]) -> u32 {
    let n_feeds = bytes.iter().filter(|byte| **byte == b'\n').count();
    let lone = |pair: &&[u8]| pair.first() == Some(&b'\r') && pair.get(1) != Some(&b'\n');
    let n_lone = match bytes.contains(&b'\r') {
        true => bytes.windows(2).filter(lone).count(),
        false => 0,
    };
    u32::try_from(n_feeds + n_lone).unwrap_or(u32::MAX)
}
