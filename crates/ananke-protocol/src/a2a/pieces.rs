//! Texts that come under one key: the same text again and again, or pieces of one text. Agents do both.

use std::collections::HashMap;

/// Texts by their keys, in the order in which they first came.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    list: Vec<Pieced>,
    positions: HashMap<String, usize>,
}

#[derive(Debug)]
struct Pieced {
    text: String,
    /// How often `text` came, as long as nothing else did: a text that is repeated, or pieces that are alike by chance.
    n_alike: usize,
}

impl Pieces {
    /// Takes a text; without a key it stands alone.
    pub(super) fn take(&mut self, key: &str, text: String) {
        let known = self.positions.get(key).copied();
        let Some(at) = known else {
            if !key.is_empty() {
                self.positions.insert(key.to_owned(), self.list.len());
            }
            self.list.push(Pieced { text, n_alike: 1 });
            return;
        };
        let pieced = &mut self.list[at];
        if pieced.text.is_empty() {
            *pieced = Pieced { text, n_alike: 1 };
            return;
        }
        if pieced.text == text {
            // Once it was put together, the whole again adds nothing.
            if pieced.n_alike > 0 {
                pieced.n_alike += 1;
            }
            return;
        }
        if pieced.n_alike > 1 {
            // Other words show that those before were pieces as well.
            pieced.text = pieced.text.repeat(pieced.n_alike);
        }
        pieced.n_alike = 0;
        if pieced.text != text {
            pieced.text.push_str(&text);
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.positions.contains_key(key)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = String> {
        self.list.iter().map(|pieced| pieced.text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(texts: &[&str]) -> String {
        let mut pieces = Pieces::default();
        for text in texts {
            pieces.take("m", (*text).to_owned());
        }
        pieces.texts().collect()
    }

    #[test]
    fn repetitions_count_once_and_pieces_are_joined() {
        assert_eq!(joined(&["Hi", "Hi"]), "Hi");
        assert_eq!(joined(&["It ", "is", "It is"]), "It is");
        assert_eq!(joined(&["1", "1", "2", "2", "1122"]), "1122");
        assert_eq!(joined(&["", "ha", "ha", "", "!"]), "haha!");
    }
}
