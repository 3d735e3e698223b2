//! JSON for `<script type="application/json">`, and texts that are cut to a length.

use std::borrow::Cow;

use serde::Serialize;

/// Returns the value as JSON that cannot end the element it stands in: no `<`, and no line separators of JavaScript.
pub(super) fn island<T: Serialize>(value: &T) -> String {
    let json = serde_json::to_string(value).expect("all keys are strings");
    if !json.contains(['<', '\u{2028}', '\u{2029}']) {
        return json;
    }
    let mut text = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        match c {
            '<' => text.push_str("\\u003c"),
            '\u{2028}' => text.push_str("\\u2028"),
            '\u{2029}' => text.push_str("\\u2029"),
            c => text.push(c),
        }
    }
    text
}

/// Returns the text, cut to `limit` characters with a word on what is missing.
pub(super) fn cut(text: &str, limit: usize) -> Cow<'_, str> {
    // A text of few bytes has few characters: most need no counting.
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    let Some((end, _)) = text.char_indices().nth(limit) else {
        return Cow::Borrowed(text);
    };
    let (shown, rest) = text.split_at(end);
    let n_more = rest.chars().count();
    let noun = if n_more == 1 {
        "character"
    } else {
        "characters"
    };
    Cow::Owned(format!("{shown}… {n_more} more {noun}; see the bundle"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn islands_hold_no_markup() {
        let text = "</script><!-- \u{2028}\u{2029} é \u{0}";
        let island = island(&text);
        assert_eq!(island, r#""\u003c/script>\u003c!-- \u2028\u2029 é \u0000""#);
        assert_eq!(serde_json::from_str::<String>(&island).unwrap(), text);
    }

    #[test]
    fn long_texts_say_what_is_missing() {
        assert_eq!(cut("ééé", 3), "ééé");
        assert_eq!(cut("éééa", 3), "ééé… 1 more character; see the bundle");
        assert_eq!(cut("abcdef", 2), "ab… 4 more characters; see the bundle");
        assert_eq!(cut("", 0), "");
    }
}
