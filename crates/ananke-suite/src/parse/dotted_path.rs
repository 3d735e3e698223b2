//! Paths with dots, `data.calls[0].name` or `metadata["odd.key"]`, as JSON pointers.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};

use super::Found;
use super::values::text;
use crate::yaml::Node;

/// Reads a path. It is looked up in answers as it is, so it holds no references.
pub(super) fn dotted_path(node: &Node, found: &mut Found) -> Option<String> {
    let Text { text, place } = text(node, found)?;
    pointer_at(&text, &place, found)
}

/// Returns the pointer of a path that is written at `place`.
pub(super) fn pointer_at(path: &str, place: &Place, found: &mut Found) -> Option<String> {
    let pointer = match path.contains("${") {
        true => Err("a path holds no references"),
        false => pointer(path),
    };
    match pointer {
        Ok(pointer) => Some(pointer),
        Err(problem) => {
            let message = format!("`{}` is not a path", path.escape_debug());
            found.push(
                Diagnostic::error(place, message)
                    .label(problem)
                    .hint("paths look like `data.name`, `items[0].id` or `metadata[\"odd.key\"]`"),
            );
            None
        }
    }
}

fn pointer(path: &str) -> Result<String, &'static str> {
    let mut pointer = String::new();
    let mut rest = path;
    let mut may_name = true;
    loop {
        if let Some(inner) = rest.strip_prefix('[') {
            let (step, after) = bracket(inner)?;
            push(&mut pointer, step);
            rest = after;
        } else if may_name {
            let end = rest.find(['.', '[', ']']).unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            match name {
                "" => return Err("a name is missing"),
                "$" => return Err("a path begins with a name, without `$`"),
                "*" => return Err("a path leads to one value: write a number in place of `*`"),
                _ => push(&mut pointer, name),
            }
            rest = after;
        } else {
            return Err("expected a dot or a bracket");
        }
        match rest.strip_prefix('.') {
            Some(after) if after.starts_with('[') => return Err("a bracket follows the dot"),
            Some(after) => {
                rest = after;
                may_name = true;
            }
            None if rest.is_empty() => return Ok(pointer),
            None => may_name = false,
        }
    }
}

/// Reads what stands in a bracket, and returns what is behind it.
fn bracket(inner: &str) -> Result<(&str, &str), &'static str> {
    for quote in ['"', '\''] {
        if let Some(quoted) = inner.strip_prefix(quote) {
            let (key, after) = quoted.split_once(quote).ok_or("a quote is not closed")?;
            let after = after.strip_prefix(']').ok_or("a bracket is not closed")?;
            return Ok((key, after));
        }
    }
    let (index, after) = inner.split_once(']').ok_or("a bracket is not closed")?;
    let is_index = !index.is_empty() && index.chars().all(|c| c.is_ascii_digit());
    match is_index {
        true => Ok((index, after)),
        false => Err("a number or a quoted name stands in brackets"),
    }
}

fn push(pointer: &mut String, step: &str) {
    pointer.push('/');
    pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_pointers() {
        let pointers = [
            ("data.id", "/data/id"),
            ("items[0].id", "/items/0/id"),
            ("items.0", "/items/0"),
            ("metadata[\"odd.key\"][1]", "/metadata/odd.key/1"),
            ("['a/b'].c~d", "/a~1b/c~0d"),
            ("text", "/text"),
        ];
        for (path, expected) in pointers {
            assert_eq!(pointer(path).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let odd = [
            "", ".", "a.", ".a", "a..b", "a[", "a[x]", "a[]", "a[\"b]", "a[\"b\"", "a]", "$.a",
            "a.*", "a.[0]", "a[0]b",
        ];
        for path in odd {
            assert!(pointer(path).is_err(), "{path}");
        }
    }
}
