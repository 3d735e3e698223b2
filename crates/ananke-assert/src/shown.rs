//! How evidence is shown: shortened, and a few lines of it at most.

use std::borrow::Cow;

/// How many characters of a value are shown.
const VALUE_CHARS: usize = 200;
/// How many lines of a list are shown.
const LINES: usize = 10;

/// Returns the beginning of `text`, and an ellipsis if there is more.
pub(crate) fn shorten(text: &str) -> Cow<'_, str> {
    shorten_to(text, VALUE_CHARS)
}

/// Returns the first `n_chars` characters of `text`, and an ellipsis if there is more.
pub(crate) fn shorten_to(text: &str, n_chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(n_chars) {
        None => Cow::Borrowed(text),
        Some((at, _)) => Cow::Owned(format!("{}…", text.split_at(at).0)),
    }
}

/// Returns the first lines of a list, and how many there are beyond.
pub(crate) fn listed(lines: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut lines = lines.into_iter();
    let mut shown: Vec<String> = lines.by_ref().take(LINES).collect();
    let more = lines.count();
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    shown
}

/// Returns a number of things: `1 call`, `2 calls`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Returns how many of the calls match: `1 of 2 calls`.
pub(crate) fn matching(n_matching: usize, n_calls: usize) -> String {
    format!("{n_matching} of {}", counted(n_calls, "call"))
}

/// Returns microseconds as milliseconds, without rounding a limit away.
pub(crate) fn milliseconds(us: u64) -> String {
    let (whole, fraction) = (us / 1000, us % 1000);
    if fraction == 0 {
        return format!("{whole} ms");
    }
    let digits = format!("{fraction:03}");
    format!("{whole}.{} ms", digits.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_cut_between_characters() {
        assert_eq!(shorten_to("héé", 3), "héé");
        assert_eq!(shorten_to("héé", 2), "hé…");
    }

    #[test]
    fn lists_end_with_what_is_left_out() {
        let lines = listed((0..13).map(|number| number.to_string()));
        assert_eq!(lines.len(), 11);
        assert_eq!(lines.last().map(String::as_str), Some("and 3 more"));
    }

    #[test]
    fn limits_are_not_rounded_away() {
        assert_eq!(milliseconds(5_000_000), "5000 ms");
        assert_eq!(milliseconds(5_000_040), "5000.04 ms");
    }
}
