//! A body as the official clients part it: at two LF, and at nothing else.

/// What a line that carries data begins with.
const DATA: &[u8] = b"data:";
/// A byte order mark, which may come before the first line.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Counts the pieces that carry data. A piece with several events in it is no JSON for such a client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces {
    /// The first bytes of this line.
    begins: Vec<u8>,
    /// Whether this line has bytes.
    in_line: bool,
    is_past_mark: bool,
    has_data: bool,
    n_pieces: u64,
}

impl Pieces {
    /// Takes some bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if *byte != b'\n' {
                self.in_line = true;
                if self.begins.len() < DATA.len() {
                    self.begin(*byte);
                }
                continue;
            }
            if !self.in_line {
                self.end_piece();
            }
            self.in_line = false;
            self.begins.clear();
        }
    }

    /// Returns how many pieces carry data; the end of the body ends the last.
    pub(crate) fn finish(mut self) -> u64 {
        self.end_piece();
        self.n_pieces
    }

    fn begin(&mut self, byte: u8) {
        self.begins.push(byte);
        if !self.is_past_mark && self.begins == MARK {
            self.begins.clear();
        }
        self.is_past_mark |= self.begins.len() >= MARK.len() || self.begins.is_empty();
        self.has_data |= self.begins == DATA;
    }

    fn end_piece(&mut self) {
        self.n_pieces += u64::from(std::mem::take(&mut self.has_data));
    }
}

#[cfg(test)]
mod tests {
    use super::Pieces;

    fn counted(body: &str) -> u64 {
        let mut whole = Pieces::default();
        whole.push(body.as_bytes());
        let mut bytewise = Pieces::default();
        body.bytes().for_each(|byte| bytewise.push(&[byte]));
        let n_pieces = whole.finish();
        assert_eq!(n_pieces, bytewise.finish(), "{body:?}");
        n_pieces
    }

    #[test]
    fn only_two_line_feeds_part_a_body() {
        assert_eq!(counted(""), 0);
        assert_eq!(counted("data: 1\n\ndata: 2\n\n"), 2);
        assert_eq!(counted("data: 1\r\n\r\ndata: 2\r\n\r\n"), 1);
        assert_eq!(counted("data: 1\r\n\ndata: 2\r\n\n"), 2);
        assert_eq!(counted("data: 1\n\ndata: 2\r\n\r\n"), 2);
        assert_eq!(counted("data: 1\n\n: hello\r\n\r\ndata: 2\n\n"), 2);
        assert_eq!(counted(": hello\n\ndata: 1\ndata: 2\n\n\n\ndata: 3"), 2);
        assert_eq!(counted("\u{feff}data: 1\n\ndata\n\nid: data:\n\n"), 1);
    }
}
