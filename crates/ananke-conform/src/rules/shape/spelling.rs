//! Names as they are shown, and names that were meant.

/// How much of a text is shown.
const MAX_SHOWN: usize = 60;

/// Returns a text in backticks, cut if it is long.
pub(super) fn quoted(text: &str) -> String {
    let one_line = text.replace(['\n', '\r'], " ");
    match one_line.split_at(one_line.floor_char_boundary(MAX_SHOWN)) {
        (all, "") => format!("`{all}`"),
        (some, _) => format!("`{some}…`"),
    }
}

/// Tells whether two names differ only in how their words are joined: `thread_id` and `threadId`.
pub(super) fn same_word(one: &str, other: &str) -> bool {
    letters(one).eq(letters(other))
}

fn letters(name: &str) -> impl Iterator<Item = char> {
    let letters = name
        .chars()
        .filter(|letter| !matches!(letter, '_' | '-' | '.'));
    letters.map(|letter| letter.to_ascii_lowercase())
}
