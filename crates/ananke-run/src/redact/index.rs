//! Finds which of many texts stand in another, while texts come and go.
//!
//! An automaton would have to be built anew for each text that comes, and a run may learn a token with each of its tests.
//! Here the texts stand in one ordered map, which finds the longest that begins at a place; filters of a few bits per text
//! keep it from being asked at nearly all places.

use std::collections::BTreeMap;
use std::ops::Bound::{Included, Unbounded};
use std::ops::Range;

/// How many bytes are looked at together. No text of an index is shorter.
const BLOCK: usize = 4;
/// A text of this length holds a whole block out of every fourth place, wherever it begins: one place in four is enough.
const LONG: usize = 8;

/// Texts to look for, each with something that is known of it.
pub(super) struct Index<T> {
    entries: BTreeMap<String, Entry<T>>,
    /// The blocks with which texts begin, and those up to three bytes further in long ones.
    blocks: Filter,
    /// The first bytes of texts.
    heads: Filter,
    /// How many texts are too short to be found at every fourth place.
    n_short: usize,
    /// The length of the longest text there ever was, in bytes.
    longest: usize,
}

struct Entry<T> {
    value: T,
    /// How often it was put in.
    n_times: usize,
}

impl<T> Default for Index<T> {
    fn default() -> Self {
        Self {
            entries: BTreeMap::new(),
            blocks: Filter::for_keys(0),
            heads: Filter::for_keys(0),
            n_short: 0,
            longest: BLOCK,
        }
    }
}

impl<T> Index<T> {
    /// Puts a text in. What is known of it stays if it is there already; it is then to be taken out as often.
    pub(super) fn insert(&mut self, text: &str, value: T) {
        if text.len() < BLOCK {
            return;
        }
        if let Some(entry) = self.entries.get_mut(text) {
            entry.n_times += 1;
            return;
        }
        self.n_short += usize::from(text.len() < LONG);
        self.longest = self.longest.max(text.len());
        let entry = Entry { value, n_times: 1 };
        self.entries.insert(text.to_owned(), entry);
        if self.blocks.is_full() || self.heads.is_full() {
            self.filter_anew();
        } else {
            add_to(&mut self.blocks, &mut self.heads, text);
        }
    }

    /// Takes a text out that was put in.
    pub(super) fn remove(&mut self, text: &str) {
        let Some(entry) = self.entries.get_mut(text) else {
            return;
        };
        entry.n_times -= 1;
        if entry.n_times == 0 {
            // Its bits stay until the filters are made anew: they cost time and hide nothing.
            self.entries.remove(text);
            self.n_short -= usize::from(text.len() < LONG);
        }
    }

    /// Returns the length of the longest text there ever was, in bytes.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// Finds the first place at or behind `from` where a text stands; of several the longest.
    pub(super) fn find(&self, text: &str, from: usize) -> Option<(Range<usize>, &T)> {
        if self.entries.is_empty() {
            return None;
        }
        let mut at = from;
        loop {
            let rest = text.as_bytes().get(at..)?;
            let (block, n_before) = if self.n_short > 0 {
                let mut blocks = rest.windows(BLOCK);
                (blocks.position(|block| self.blocks.has(key(block)))?, 0)
            } else {
                let (blocks, _) = rest.as_chunks::<BLOCK>();
                let mut blocks = blocks.iter();
                let block = blocks.position(|block| self.blocks.has(key(block)))?;
                (block * BLOCK, BLOCK - 1)
            };
            let block = at + block;
            let mut starts = block.saturating_sub(n_before).max(at)..=block;
            if let Some(found) = starts.find_map(|start| self.at(text, start)) {
                return Some(found);
            }
            // Every text that begins before the next block was looked for.
            at = block + 1;
        }
    }

    /// Returns the longest text that begins at `start`.
    fn at(&self, text: &str, start: usize) -> Option<(Range<usize>, &T)> {
        let rest = text.as_bytes().get(start..)?;
        let has = |n_bytes| {
            rest.get(..n_bytes)
                .is_some_and(|head| self.heads.has(key(head)))
        };
        if !has(LONG) && (self.n_short == 0 || !has(BLOCK)) {
            return None;
        }
        let (found, entry) = prefixes(&self.entries, text.get(start..)?).next()?;
        Some((start..start + found.len(), &entry.value))
    }

    /// Tells whether a text may begin with the first bytes of `text`.
    pub(super) fn may_begin(&self, text: &str) -> bool {
        let head = text.as_bytes().get(..BLOCK);
        head.is_some_and(|head| self.blocks.has(key(head)))
    }

    /// Returns the texts that begin with `head`.
    pub(super) fn beginning_with(&self, head: &str) -> impl Iterator<Item = (&str, &T)> {
        let from = self.entries.range::<str, _>((Included(head), Unbounded));
        let from = from.take_while(move |(text, _)| text.starts_with(head));
        from.map(|(text, entry)| (text.as_str(), &entry.value))
    }

    fn filter_anew(&mut self) {
        // Room for as many again, so that this is done seldom.
        let n_keys = 2 * self.entries.len();
        self.blocks = Filter::for_keys(BLOCK * n_keys);
        self.heads = Filter::for_keys(n_keys);
        for text in self.entries.keys() {
            add_to(&mut self.blocks, &mut self.heads, text);
        }
    }
}

fn add_to(blocks: &mut Filter, heads: &mut Filter, text: &str) {
    let bytes = text.as_bytes();
    let (n_head, n_blocks) = if bytes.len() < LONG {
        (BLOCK, 1)
    } else {
        (LONG, BLOCK)
    };
    heads.add(key(bytes.get(..n_head).unwrap_or(bytes)));
    for block in bytes.windows(BLOCK).take(n_blocks) {
        blocks.add(key(block));
    }
}

/// Returns the texts of `map` with which `text` begins, the longest first.
pub(super) fn prefixes<'m, T>(
    map: &'m BTreeMap<String, T>,
    text: &str,
) -> impl Iterator<Item = (&'m str, &'m T)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        loop {
            let until = (Unbounded, Included(rest?));
            let (before, value) = map.range::<str, _>(until).next_back()?;
            let whole = rest?;
            let n_same = before
                .bytes()
                .zip(whole.bytes())
                .take_while(|(a, b)| a == b)
                .count();
            if n_same == before.len() {
                // What is shorter still is a prefix of this one.
                rest = n_same
                    .checked_sub(1)
                    .and_then(|n_bytes| whole.get(..whole.floor_char_boundary(n_bytes)));
                return Some((before.as_str(), value));
            }
            // Whatever `text` begins with stands before this one, and this one begins with it.
            rest = whole.get(..whole.floor_char_boundary(n_same));
        }
    })
}

/// Returns up to eight bytes as one number.
fn key(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0, |key, byte| key << 8 | u64::from(*byte))
}

/// Tells which keys are certainly not there.
struct Filter {
    words: Vec<u64>,
    /// How far a hash is shifted to be the number of a bit.
    shift: u32,
    n_keys: usize,
}

impl Filter {
    /// So many bits per key let about one place in as many pass by chance.
    const BITS_PER_KEY: usize = 32;
    const FEWEST_BITS: usize = 1 << 12;

    fn for_keys(n_keys: usize) -> Self {
        let n_bits = (n_keys * Self::BITS_PER_KEY).next_power_of_two();
        let n_bits = n_bits.max(Self::FEWEST_BITS);
        Self {
            words: vec![0; n_bits / 64],
            shift: 64 - n_bits.trailing_zeros(),
            n_keys: 0,
        }
    }

    fn is_full(&self) -> bool {
        self.n_keys * Self::BITS_PER_KEY >= self.words.len() * 64
    }

    fn add(&mut self, key: u64) {
        let (word, bit) = self.place(key);
        if let Some(word) = self.words.get_mut(word) {
            *word |= bit;
        }
        self.n_keys += 1;
    }

    fn has(&self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    fn place(&self, key: u64) -> (usize, u64) {
        // Multiplying by an odd number that is about 2^64 divided by the golden ratio spreads neighbors apart.
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift;
        let word = usize::try_from(hash / 64).unwrap_or_default();
        (word, 1 << (hash % 64))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn index(texts: &[String]) -> Index<()> {
        let mut index = Index::default();
        for text in texts {
            index.insert(text, ());
        }
        index
    }

    /// Looks everywhere for everything.
    fn found_slowly(texts: &[String], text: &str, from: usize) -> Option<Range<usize>> {
        let starts = from..text.len();
        starts
            .filter(|at| text.is_char_boundary(*at))
            .find_map(|at| {
                let here = texts
                    .iter()
                    .filter(|known| text.get(at..).is_some_and(|rest| rest.starts_with(*known)));
                here.map(|known| at..at + known.len())
                    .max_by_key(|range| range.end)
            })
    }

    proptest! {
        #[test]
        fn the_first_and_longest_is_found(
            texts in proptest::collection::vec("[abé]{4,6}|[abé]{8,14}", 0..6),
            long in proptest::collection::vec("[abé]{8,14}", 0..6),
            text in "[abé]{0,80}",
            from in 0usize..20,
        ) {
            for texts in [texts, long] {
                let found = index(&texts).find(&text, from).map(|(range, ())| range);
                prop_assert_eq!(found, found_slowly(&texts, &text, from));
            }
        }
    }

    #[test]
    fn what_was_taken_out_as_often_as_put_in_is_gone() {
        let mut index = index(&["abcdefgh".to_owned(), "abcdefgh".to_owned()]);
        index.remove("abcdefgh");
        assert!(index.find("..abcdefgh", 0).is_some());
        index.remove("abcdefgh");
        assert!(index.find("..abcdefgh", 0).is_none());
    }

    #[test]
    fn many_texts_are_found_all() {
        let texts: Vec<String> = (0..5000)
            .map(|number| format!("token-{number}-x"))
            .collect();
        let index = index(&texts);
        for text in &texts {
            assert_eq!(
                index.find(&format!("a {text}"), 0).map(|found| found.0),
                Some(2..2 + text.len())
            );
        }
        assert!(index.find("token-5000-x token-x", 0).is_none());
    }

    #[test]
    fn texts_are_found_by_how_they_begin() {
        let index = index(&["abcdefgh".to_owned(), "abcdxyz".to_owned()]);
        let beginning: Vec<&str> = index.beginning_with("abcd").map(|found| found.0).collect();
        assert_eq!(beginning, ["abcdefgh", "abcdxyz"]);
        assert!(index.may_begin("abcd") && index.beginning_with("bcde").next().is_none());
    }
}
