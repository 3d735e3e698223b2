//! Differences between texts, word by word.

use similar::{ChangeTag, TextDiff};

use super::comparison::{PieceKind, TextChange, TextPiece};

/// What follows after this many characters of a difference is cut: comparing takes time that grows with the square.
const LONGEST: usize = 8_000;

/// How much of a stretch without a difference is kept on each side.
const CONTEXT: usize = 40;

/// Pieces beyond this many are left out.
const MOST: usize = 60;

/// Returns the difference between the texts of turn `turn`, if there is one.
pub(super) fn change(turn: usize, a: &str, b: &str) -> Option<TextChange> {
    (a != b).then(|| TextChange {
        turn,
        pieces: pieces(a, b),
    })
}

/// Returns the difference between two texts on one line: `Found [-3-]{+2+} mugs`.
pub(crate) fn text_difference(a: &str, b: &str) -> String {
    let shown = |piece: TextPiece| match piece.kind {
        PieceKind::Same => piece.text,
        PieceKind::Removed => format!("[-{}-]", piece.text),
        PieceKind::Added => format!("{{+{}+}}", piece.text),
    };
    pieces(a, b).into_iter().map(shown).collect()
}

fn pieces(a: &str, b: &str) -> Vec<TextPiece> {
    let (shared, a, b) = without_shared_beginning(a, b);
    let (a, a_is_cut) = cut(a);
    let (b, b_is_cut) = cut(b);
    let diff = TextDiff::from_words(a, b);
    let changes: Vec<(ChangeTag, &str)> = diff
        .iter_all_changes()
        .map(|change| (change.tag(), change.value()))
        .collect();
    let mut pieces = Pieces::default();
    pieces.push(PieceKind::Same, shared);
    let (mut removed, mut added) = (String::new(), String::new());
    for (index, (tag, word)) in changes.iter().enumerate() {
        // A blank between two changed words belongs to the change.
        let is_between = word.trim().is_empty()
            && !(removed.is_empty() && added.is_empty())
            && changes
                .get(index + 1)
                .is_some_and(|(tag, _)| *tag != ChangeTag::Equal);
        match tag {
            ChangeTag::Delete => removed.push_str(word),
            ChangeTag::Insert => added.push_str(word),
            ChangeTag::Equal if is_between => {
                removed.push_str(word);
                added.push_str(word);
            }
            ChangeTag::Equal => {
                pieces.flush(&mut removed, &mut added);
                pieces.push(PieceKind::Same, word);
            }
        }
    }
    pieces.flush(&mut removed, &mut added);
    if a_is_cut || b_is_cut {
        pieces.push(PieceKind::Same, "…");
    }
    pieces.finish()
}

/// Splits off what both texts begin with, up to the end of a word.
fn without_shared_beginning<'t>(a: &'t str, b: &'t str) -> (&'t str, &'t str, &'t str) {
    let mut end = 0;
    let mut word_end = 0;
    for (left, right) in a.chars().zip(b.chars()) {
        if left != right {
            break;
        }
        end += left.len_utf8();
        if left.is_whitespace() {
            word_end = end;
        }
    }
    let (shared, a) = a.split_at(word_end);
    let (_, b) = b.split_at(word_end);
    (shared, a, b)
}

fn cut(text: &str) -> (&str, bool) {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => (text.split_at(end).0, true),
        None => (text, false),
    }
}

/// Pieces that grow; neighbors of one kind are one.
#[derive(Debug, Default)]
struct Pieces(Vec<TextPiece>);

impl Pieces {
    fn push(&mut self, kind: PieceKind, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.kind == kind => last.text.push_str(text),
            _ => self.0.push(TextPiece {
                kind,
                text: text.to_owned(),
            }),
        }
    }

    fn flush(&mut self, removed: &mut String, added: &mut String) {
        self.push(PieceKind::Removed, &std::mem::take(removed));
        self.push(PieceKind::Added, &std::mem::take(added));
    }

    /// Cuts long stretches without a difference, and the whole list.
    fn finish(mut self) -> Vec<TextPiece> {
        let last = self.0.len().saturating_sub(1);
        for (index, piece) in self.0.iter_mut().enumerate() {
            if piece.kind == PieceKind::Same {
                let head = if index == 0 { 0 } else { CONTEXT };
                let tail = if index == last { 0 } else { CONTEXT };
                piece.text = middle_cut(&piece.text, head, tail);
            }
        }
        if self.0.len() > MOST {
            self.0.truncate(MOST);
            self.push(PieceKind::Same, "…");
        }
        self.0
    }
}

/// Keeps the first `head` and the last `tail` characters.
fn middle_cut(text: &str, head: usize, tail: usize) -> String {
    let n_chars = text.chars().count();
    if n_chars <= head + tail {
        return text.to_owned();
    }
    let first: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(n_chars - tail).collect();
    format!("{first}…{end}")
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::{prop_assert_eq, prop_assume, proptest};

    use super::{text_difference as difference, *};

    #[test]
    fn words_that_changed_are_marked() {
        assert_snapshot!(difference("Found 3 red mugs.", "Found 2 blue mugs."), @"Found [-3 red-]{+2 blue+} mugs.");
        assert_snapshot!(difference("", "Hello there"), @"{+Hello there+}");
        assert_snapshot!(difference("Grüße, 世界", "Grüße"), @"[-Grüße, 世界-]{+Grüße+}");
        assert_snapshot!(difference("a\nb\nc", "a\nx\nc"), @"
        a
        [-b-]{+x+}
        c
        ");
    }

    #[test]
    fn long_stretches_are_cut() {
        let same = "word ".repeat(40);
        let a = format!("{same}one {same}end");
        let b = format!("{same}two {same}end");
        assert_snapshot!(difference(&a, &b), @"…word word word word word word word word [-one-]{+two+} word word word word word word word word…");
        let long = "x ".repeat(10_000);
        assert!(difference(&long, "y").len() < 20_000);
    }

    proptest! {
        #[test]
        fn each_side_can_be_read_from_the_pieces(a in "[ab \n]{0,30}", b in "[ab \n]{0,30}") {
            // What is the same on both sides is cut, and never asked for.
            prop_assume!(a != b);
            let side = |kind: PieceKind| -> String {
                let pieces = pieces(&a, &b);
                let on_side = pieces.iter().filter(|piece| piece.kind == PieceKind::Same || piece.kind == kind);
                on_side.map(|piece| piece.text.clone()).collect()
            };
            prop_assert_eq!(side(PieceKind::Removed), a.clone());
            prop_assert_eq!(side(PieceKind::Added), b.clone());
        }
    }
}
