//! Patterns that match one text and hardly anything else, and paths to arguments.

/// Returns a pattern that finds `text` itself.
pub(super) fn pattern(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    // A pattern that begins with a slash is taken for `/pattern/flags`.
    if text.starts_with('/') {
        out.push('\\');
    }
    for c in text.chars() {
        if matches!(
            c,
            '\\' | '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Returns a pattern that matches `text` as a whole.
pub(super) fn whole_pattern(text: &str) -> String {
    format!("^{}$", pattern(text))
}

/// Returns the path to the member `key` of what `path` leads to.
pub(super) fn below(path: &str, key: &str) -> String {
    let is_plain = !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    match (is_plain, path.is_empty()) {
        (true, true) => key.to_owned(),
        (true, false) => format!("{path}.{key}"),
        (false, _) => {
            let key = key.replace('\\', "\\\\").replace('"', "\\\"");
            format!("{path}[\"{key}\"]")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_find_the_text_itself() {
        assert_eq!(pattern("/a.b/ ${X} (1+1)?"), r"\/a\.b/ \$\{X\} \(1\+1\)\?");
        assert_eq!(whole_pattern("10"), "^10$");
    }

    #[test]
    fn odd_keys_stand_in_brackets() {
        assert_eq!(below("", "user"), "user");
        assert_eq!(below("user", "first-name"), "user.first-name");
        assert_eq!(below("user", r#"a."b"\"#), r#"user["a.\"b\"\\"]"#);
        assert_eq!(below("", ""), r#"[""]"#);
    }
}
