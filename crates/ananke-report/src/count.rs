//! Counts in words: `1 test`, `2 tests`, `2 tests, 1 turn`.

/// Returns `n` with the noun in the right number; all nouns here take an `s`.
pub(crate) fn count(n: usize, noun: &str) -> String {
    let ending = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{ending}")
}

/// Returns the number of tests, and of results if several runs of the same tests were joined.
pub(crate) fn results_of(n_results: usize, n_tests: usize) -> String {
    let tests = count(n_tests, "test");
    if n_results == n_tests {
        return tests;
    }
    format!("{} of {tests}", count(n_results, "result"))
}

/// Joins the counts that are not zero with commas.
pub(crate) fn counts(parts: &[(usize, &str)]) -> String {
    let some = parts.iter().filter(|(n, _)| *n > 0);
    let words: Vec<String> = some.map(|(n, noun)| count(*n, noun)).collect();
    words.join(", ")
}

/// Joins at most `limit` of the words with commas and counts the others.
pub(crate) fn some_of(words: &[String], limit: usize) -> String {
    let shown: Vec<&str> = words.iter().take(limit).map(String::as_str).collect();
    let list = shown.join(", ");
    match words.len().saturating_sub(limit) {
        0 => list,
        more => format!("{list} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_take_the_right_number() {
        assert_eq!(
            [count(0, "test"), count(1, "test"), count(2, "test")],
            ["0 tests", "1 test", "2 tests"]
        );
        assert_eq!(
            counts(&[(1, "error"), (0, "turn"), (2, "warning")]),
            "1 error, 2 warnings"
        );
        assert_eq!(counts(&[(0, "error")]), "");
    }

    #[test]
    fn long_lists_end_with_a_count() {
        let words = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(some_of(&words, 3), "a, b, c");
        assert_eq!(some_of(&words, 1), "a and 2 more");
    }
}
