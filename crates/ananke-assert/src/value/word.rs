//! Numbers and words in prose: `4` is in "4 mugs" and "4.", but neither in "14" nor in "4.5".

/// Tells whether `word`, a number or a plain word, stands in `text` and is not part of a longer number or word.
pub(crate) fn holds_word(text: &str, word: &str) -> bool {
    let is_whole = |(at, _): (usize, &str)| {
        let before = text.get(..at).unwrap_or("");
        let behind = text.get(at + word.len()..).unwrap_or("");
        !goes_on_before(before, word) && !goes_on_behind(behind, word)
    };
    text.match_indices(word).any(is_whole)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// Tells whether the word began earlier: `14`, `1.4`, `-4`, `1,234`.
fn goes_on_before(before: &str, word: &str) -> bool {
    let mut chars = before.chars().rev();
    let (last, second) = (chars.next(), chars.next());
    match last {
        Some(c) if is_word(c) => true,
        _ if !starts_with_digit(word) => false,
        Some('.') => true,
        // In `2-4` and `order-4` it is not a sign.
        Some('-' | '\u{2212}') => !second.is_some_and(is_word),
        Some(',') => second.is_some_and(|c| c.is_ascii_digit()) && is_thousands(word),
        _ => false,
    }
}

/// Tells whether the word goes on: `42`, `4th`, `4.5`, `4,000`.
fn goes_on_behind(behind: &str, word: &str) -> bool {
    let mut chars = behind.chars();
    match chars.next() {
        Some(c) if is_word(c) => true,
        _ if !word.ends_with(|c: char| c.is_ascii_digit()) => false,
        Some('.') => starts_with_digit(chars.as_str()),
        Some(',') => is_thousands(chars.as_str()),
        _ => false,
    }
}

/// Tells whether a text begins with exactly three digits.
fn is_thousands(text: &str) -> bool {
    let digits = text.chars().take_while(char::is_ascii_digit);
    digits.take(4).count() == 3
}

#[cfg(test)]
mod tests {
    use super::holds_word;

    #[test]
    fn words_and_numbers_are_found_as_a_whole_only() {
        for text in [
            "4", "4 mugs", "mugs: 4.", "(4)", "$4", "order-4", "2-4", "1, 4, 5", "1,4,5", "14 or 4",
        ] {
            assert!(holds_word(text, "4"), "{text}");
        }
        for text in [
            "14", "42", "4.5", "1.4", ".4", "-4", "x -4", "4,000", "v4", "4th", "4e2", "_4",
            "10.4.1",
        ] {
            assert!(!holds_word(text, "4"), "{text}");
        }
        assert!(!holds_word("1,234", "234") && holds_word("at 234,", "234"));
        assert!(holds_word("it is -4.", "-4") && !holds_word("2-4", "-4"));
        assert!(holds_word("1.5.", "1.5") && !holds_word("11.5", "1.5"));
        assert!(holds_word("is \"true\"", "true") && !holds_word("untrue", "true"));
        assert!(!holds_word("nullable", "null") && !holds_word("énull", "null"));
    }
}
