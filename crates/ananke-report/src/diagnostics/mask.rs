//! Credentials in a line of a file that is shown with a diagnostic: where they are, by what stands around them.

use std::ops::Range;

/// What stands in the place of a credential, however long that is.
pub(super) const MASK: &str = "********";

/// Words in the names of keys, headers and variables that hold credentials.
const NAMES: [&str; 12] = [
    "authorization",
    "authentication",
    "cookie",
    "token",
    "secret",
    "api-key",
    "api_key",
    "apikey",
    "password",
    "passwd",
    "signature",
    "x-auth",
];
/// Words before a credential, which are none themselves.
const SCHEMES: [&str; 5] = ["bearer", "basic", "token", "digest", "negotiate"];
/// A number of fewer digits is a count.
const FEWEST_DIGITS: usize = 8;
/// A shorter value is found everywhere.
const FEWEST_CHARS: usize = 4;

/// Returns where `line` holds credentials, in order and apart; `before` is the line in front of it.
pub(super) fn credentials(line: &str, before: &str) -> Vec<Range<usize>> {
    let mut found = addresses(line);
    found.extend(values(line));
    found.extend(variable(line));
    if found.is_empty() && opens_value(before) {
        found.extend(trimmed(line, 0..line.len()).filter(|range| is_literal(line, range)));
    }
    apart(found)
}

/// Returns where a line of a script holds credentials, in order and apart. Only what stands in quotes is one: the rest are
/// names and types.
pub(super) fn credentials_in_code(line: &str) -> Vec<Range<usize>> {
    let mut found = addresses(line);
    for (at, mark) in line.match_indices([':', '=']) {
        let start = at + mark.len();
        let rest = line.get(start..).unwrap_or_default().trim_start();
        let start = line.len() - rest.len();
        let value = match rest.chars().next() {
            Some('"' | '\'') => value_at(line, start),
            Some('`') => {
                let inner = rest.get(1..).unwrap_or_default();
                let end = inner.find('`').unwrap_or(inner.len());
                Some(start + 1..start + 1 + end)
            }
            _ => None,
        };
        let before = line.get(..at).unwrap_or_default();
        if value.is_some() && names_a_credential(before) {
            found.extend(value.filter(|range| is_literal(line, range)));
        }
    }
    apart(found)
}

/// Tells whether what stands before a value ends with the name of a credential, with or without a type behind it.
fn names_a_credential(before: &str) -> bool {
    let before = before.trim_end().trim_end_matches(['"', '\'', '?']);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$');
    let (rest, name) = before.split_at(before.trim_end_matches(is_name).len());
    let typed = rest.trim_end().strip_suffix(':').map(|rest| {
        let rest = rest.trim_end().trim_end_matches('?');
        rest.split_at(rest.trim_end_matches(is_name).len()).1
    });
    is_credential_name(name) || typed.is_some_and(is_credential_name)
}

/// Puts ranges in order and joins those that overlap.
fn apart(mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    found.sort_by_key(|range| range.start);
    let mut apart: Vec<Range<usize>> = Vec::new();
    for range in found {
        match apart.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}

/// Returns `text` without the `credentials` of `line`, and without those in addresses of its own.
pub(super) fn without(text: &str, line: &str, credentials: &[Range<usize>]) -> String {
    let mut text = text.to_owned();
    for range in credentials {
        let value = line.get(range.clone()).unwrap_or_default();
        let bare = bare_value(value);
        for value in [value, bare] {
            if value.chars().count() >= FEWEST_CHARS {
                text = text.replace(value, MASK);
            }
        }
    }
    let ranges = addresses(&text);
    masked(&text, &ranges)
}

/// Returns `text` with a mask in the place of each range.
fn masked(text: &str, ranges: &[Range<usize>]) -> String {
    let mut shown = String::new();
    let mut at = 0;
    for range in ranges {
        shown += text.get(at..range.start).unwrap_or_default();
        shown += MASK;
        at = range.end;
    }
    shown + text.get(at..).unwrap_or_default()
}

/// Returns a value without the word in front of a credential.
fn bare_value(value: &str) -> &str {
    match value.trim().split_once(' ') {
        Some((scheme, rest)) if SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()) => {
            rest.trim()
        }
        _ => value.trim(),
    }
}

/// Finds `scheme://user:password@` and `?key=value`.
fn addresses(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, mark) in line.match_indices("://") {
        let start = at + mark.len();
        let rest = line.get(start..).unwrap_or_default();
        let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>');
        let url = rest.get(..rest.find(is_end).unwrap_or(rest.len()));
        let url = url.unwrap_or_default();
        let authority = url.split(['/', '?', '#']).next().unwrap_or_default();
        if let Some((user, _)) = authority.rsplit_once('@') {
            let password = user.split_once(':').map_or(user, |(_, password)| password);
            let end = start + user.len();
            found.push(end - password.len()..end);
        }
        let Some((path, query)) = url.split_once('?') else {
            continue;
        };
        let mut at = start + path.len() + 1;
        for pair in query.split('#').next().unwrap_or_default().split('&') {
            if let Some((name, value)) = pair.split_once('=')
                && is_credential_name(name)
            {
                let end = at + pair.len();
                found.push(end - value.len()..end);
            }
            at += pair.len() + 1;
        }
    }
    found.retain(|range| is_literal(line, range));
    found
}

/// Finds `name: value` with a name that says what the value is.
fn values(line: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (colon, _) in line.match_indices(':') {
        if found.last().is_some_and(|last| colon < last.end) {
            continue;
        }
        let before = line.get(..colon).unwrap_or_default().trim_end();
        let before = before.trim_end_matches(['"', '\'']);
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let start = before.trim_end_matches(is_name).len();
        if is_credential_name(before.get(start..).unwrap_or_default()) {
            found.extend(value_at(line, colon + 1).filter(|range| is_literal(line, range)));
        }
    }
    found
}

/// Finds `NAME=value`, which is all that a line of an env file holds.
fn variable(line: &str) -> Option<Range<usize>> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim().trim_start_matches("export ").trim();
    let range = trimmed(line, line.len() - value.len()..line.len())?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && is_credential_name(name) && is_literal(line, &range)).then_some(range)
}

/// Returns where the value is that follows a colon, without its quotes.
fn value_at(line: &str, at: usize) -> Option<Range<usize>> {
    let rest = line.get(at..)?;
    let start = at + (rest.len() - rest.trim_start().len());
    let rest = line.get(start..)?;
    match rest.chars().next()? {
        // A map has names of its own; an alias stands for what is written elsewhere.
        '{' | '*' | '|' | '>' => None,
        quote @ ('"' | '\'') => {
            let mut is_escaped = false;
            let mut chars = rest.char_indices().skip(1);
            let end = chars.find(|(_, c)| {
                let is_end = *c == quote && !is_escaped;
                is_escaped = *c == '\\' && quote == '"' && !is_escaped;
                is_end
            });
            Some(start + 1..start + end.map_or(rest.len(), |(end, _)| end))
        }
        _ => {
            let is_flow = line.get(..at)?.contains(['{', '[']);
            let end = if is_flow {
                // A comma may be part of it: a reference, or a list, ends later.
                rest.find([',', '}', ']']).map(|end| match rest.find("${") {
                    Some(open) if open < end => closed(rest, open),
                    _ => end,
                })
            } else {
                rest.find(" #")
            };
            trimmed(line, start..start + end.unwrap_or(rest.len()))
        }
    }
}

/// Returns where the value ends that has a reference at `open`.
fn closed(rest: &str, open: usize) -> usize {
    let close = rest.get(open..).and_then(|text| text.find('}'));
    let from = open + close.map_or(0, |close| close + 1);
    let after = rest.get(from..).unwrap_or_default();
    from + after.find([',', '}', ']']).unwrap_or(after.len())
}

fn trimmed(line: &str, range: Range<usize>) -> Option<Range<usize>> {
    let text = line.get(range.clone())?;
    let start = range.start + (text.len() - text.trim_start().len());
    let end = start + text.trim().len();
    (start < end).then_some(start..end)
}

/// Tells whether the value of the line `before` follows on the next one.
fn opens_value(before: &str) -> bool {
    let before = before.trim_end().trim_end_matches(['-', '+', '|', '>']);
    let Some(name) = before.trim_end().strip_suffix(':') else {
        return false;
    };
    let name = name.trim().trim_start_matches("- ");
    is_credential_name(name.trim_matches(['"', '\'']))
}

/// Tells whether a value says more than where to take the credential from.
fn is_literal(line: &str, range: &Range<usize>) -> bool {
    let text = line.get(range.clone()).unwrap_or_default();
    let value = bare_value(text);
    let is_scheme = SCHEMES.contains(&value.to_ascii_lowercase().as_str());
    let is_count = value.len() < FEWEST_DIGITS && value.parse::<f64>().is_ok();
    let is_word = matches!(value, "" | "~" | "null" | "true" | "false" | MASK);
    if is_scheme || is_count || is_word {
        return false;
    }
    // What is left when references are taken away was written here; so was the default of a reference.
    let mut rest = value;
    while let Some((own, from)) = rest.split_once("${") {
        let (reference, after) = from.split_once('}').unwrap_or((from, ""));
        let default = reference
            .split_once(":-")
            .map_or("", |(_, default)| default);
        if !own.trim().is_empty() || !default.is_empty() {
            return true;
        }
        rest = after;
    }
    let is_variable = rest
        .strip_prefix("$ENV.")
        .is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
    !rest.trim().is_empty() && !is_variable
}

/// Tells whether a name says that its value is a credential. Tokens are also what answers are counted in.
fn is_credential_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_key = name == "key"
        || ["-key", "_key", ".key"]
            .iter()
            .any(|end| name.ends_with(end));
    is_key || !name.ends_with('s') && NAMES.iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_code_only_quoted_values_are_credentials() {
        let shown = |line: &str| masked(line, &credentials_in_code(line));
        let cases = [
            (
                "const password = \"hunter2\";",
                "const password = \"********\";",
            ),
            (
                "let apiKey: string = 'sk-1234';",
                "let apiKey: string = '********';",
            ),
            (
                "call({token: `abcd`, size: 3})",
                "call({token: `********`, size: 3})",
            ),
            (
                "fetch(\"https://a:b@c/d\")",
                "fetch(\"https://a:********@c/d\")",
            ),
            (
                "function f(token: string, secret?: Secret) {",
                "function f(token: string, secret?: Secret) {",
            ),
            (
                "const token = await login();",
                "const token = await login();",
            ),
            (
                "assert.Equal(result.id, 1, \"token: x\");",
                "assert.Equal(result.id, 1, \"token: x\");",
            ),
        ];
        for (line, wanted) in cases {
            assert_eq!(shown(line), wanted);
        }
    }
}
