//! A part of the report that grows entry by entry and never past its limit.

/// Entries of one kind.
#[derive(Debug)]
pub(super) struct Section {
    text: String,
    limit: usize,
    n_entries: usize,
    n_left_out: usize,
}

impl Section {
    /// Returns a section that holds at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            text: String::new(),
            limit,
            n_entries: 0,
            n_left_out: 0,
        }
    }

    /// Adds an entry, or counts it if it does not fit.
    pub(super) fn add(&mut self, entry: &str) {
        self.n_entries += 1;
        if self.n_left_out > 0 || self.text.len() + entry.len() > self.limit {
            self.n_left_out += 1;
        } else {
            self.text.push_str(entry);
        }
    }

    /// Returns how many entries were added, those included that did not fit.
    pub(super) fn n_entries(&self) -> usize {
        self.n_entries
    }

    /// Returns how many entries did not fit.
    pub(super) fn n_left_out(&self) -> usize {
        self.n_left_out
    }

    /// Returns the entries.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}
