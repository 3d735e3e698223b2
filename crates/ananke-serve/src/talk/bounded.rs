//! A store that forgets: bounded in entries and bytes, the oldest goes first.

use std::collections::VecDeque;

/// Values by their names.
#[derive(Debug)]
pub(crate) struct Bounded<T> {
    entries: VecDeque<Entry<T>>,
    n_bytes: usize,
    max_entries: usize,
    max_bytes: usize,
}

#[derive(Debug)]
struct Entry<T> {
    name: String,
    value: T,
    n_bytes: usize,
}

impl<T> Bounded<T> {
    pub(crate) fn new(max_entries: usize, max_bytes: usize) -> Self {
        Self {
            entries: VecDeque::new(),
            n_bytes: 0,
            max_entries,
            max_bytes,
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        let entry = self.entries.iter().find(|entry| entry.name == name)?;
        Some(&entry.value)
    }

    /// Goes through all values, oldest first.
    pub(crate) fn values(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.entries.iter().map(|entry| &entry.value)
    }

    pub(crate) fn take(&mut self, name: &str) -> Option<T> {
        let at = self.entries.iter().position(|entry| entry.name == name)?;
        let entry = self.entries.remove(at)?;
        self.n_bytes = self.n_bytes.saturating_sub(entry.n_bytes);
        Some(entry.value)
    }

    /// Puts a value of about this size as the newest, in place of one of the same name.
    pub(crate) fn put(&mut self, name: &str, value: T, n_bytes: usize) {
        self.take(name);
        self.entries.push_back(Entry {
            name: name.to_owned(),
            value,
            n_bytes,
        });
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        while self.entries.len() > self.max_entries
            || (self.n_bytes > self.max_bytes && self.entries.len() > 1)
        {
            let Some(oldest) = self.entries.pop_front() else {
                break;
            };
            self.n_bytes = self.n_bytes.saturating_sub(oldest.n_bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Bounded;

    #[test]
    fn the_oldest_goes_first() {
        let mut store = Bounded::new(2, 10);
        for (name, n_bytes) in [("a", 1), ("b", 1), ("c", 1), ("b", 9)] {
            store.put(name, name, n_bytes);
        }
        assert_eq!(store.values().copied().collect::<Vec<_>>(), ["c", "b"]);
        store.put("huge", "huge", 100);
        assert_eq!(store.values().copied().collect::<Vec<_>>(), ["huge"]);
        assert_eq!(store.take("huge"), Some("huge"));
        assert_eq!(store.get("huge"), None);
    }
}
