//! How much of a path leads to one value at most, whatever it is applied to.

/// Returns how much of a query, which was read already, leads to one value: names and indices only.
pub(super) fn stem(rooted: &str) -> &str {
    let mut stem = rooted.get(..1).unwrap_or("");
    loop {
        let rest = rooted.get(stem.len()..).unwrap_or("");
        let segment = rest.trim_start();
        let Some(length) = singular_segment(segment) else {
            return stem;
        };
        let end = rooted.len() - segment.len() + length;
        stem = rooted.get(..end).unwrap_or(stem);
    }
}

/// Returns the length of the `.name`, `["name"]` or `[0]` that `text` begins with; nothing if it begins with anything else.
fn singular_segment(text: &str) -> Option<usize> {
    if let Some(name) = text.strip_prefix('.') {
        let ends = |c: char| c == '.' || c == '[' || c.is_ascii_whitespace();
        let length = name.find(ends).unwrap_or(name.len());
        return (length > 0 && !name.starts_with('*')).then_some(length + 1);
    }
    let inside = text.strip_prefix('[')?.trim_start();
    let selector = match inside.chars().next()? {
        quote @ ('"' | '\'') => {
            let mut is_escaped = false;
            let closes = |(_, c): &(usize, char)| {
                let is_close = *c == quote && !is_escaped;
                is_escaped = *c == '\\' && !is_escaped;
                is_close
            };
            inside.char_indices().skip(1).find(closes)?.0 + 1
        }
        _ => inside
            .find(|c: char| c != '-' && !c.is_ascii_digit())
            .filter(|length| *length > 0)?,
    };
    let behind = inside.get(selector..)?.trim_start();
    behind
        .strip_prefix(']')
        .map(|after| text.len() - after.len())
}

#[cfg(test)]
mod tests {
    use super::super::JsonPath;

    #[test]
    fn the_part_that_leads_to_one_value_is_known() {
        let stem = |path: &str| match JsonPath::parse(path).unwrap().stem() {
            Some((_, text)) => text.to_owned(),
            None => "singular".to_owned(),
        };
        for path in [
            "$",
            "a.b[0].c",
            "$.a[-1]",
            "$ .a [ 'x]\\'*' ] ['b'] [ 0 ]",
            r#"$["a.*"]"#,
            "$.é",
            "need-search.0",
        ] {
            assert_eq!(stem(path), "singular", "{path}");
        }
        for (path, expected) in [
            ("$.*", "$"),
            ("$..a", "$"),
            ("a[*].b", "$.a"),
            ("$.a['b', 'c']", "$.a"),
            ("$.a[0,1]", "$.a"),
            ("$.a[0:2]", "$.a"),
            ("$.a[:2]", "$.a"),
            ("$.a[0].b [?@.c == ']'].d", "$.a[0].b"),
            ("$['a'][\"b\"]..*", "$['a'][\"b\"]"),
        ] {
            assert_eq!(stem(path), expected, "{path}");
        }
    }
}
