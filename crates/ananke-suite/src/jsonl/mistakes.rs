//! What is said about text that is no JSON: what was expected, what stands there, and how to write it.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};

use super::cursor::{Cursor, Start, Syntax};
use super::string::BadString;
use crate::yaml::{MAX_DEPTH, MAX_NODES};

/// Returns the word at the beginning of `rest`.
pub(super) fn word(rest: &str) -> &str {
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
    let end = rest.find(|c| !is_inner(c)).unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

/// There is no key where one must be.
pub(super) fn key(cursor: &mut Cursor<'_>, outermost: Start) -> Diagnostic {
    if let Some(diagnostic) = not_closed(cursor, outermost) {
        return diagnostic;
    }
    let name = word(cursor.rest());
    let expected = "expected a key in double quotes";
    if name.is_empty() {
        return other(cursor, expected);
    }
    let message = format!("{expected}, found `{}`", short(name));
    Diagnostic::error(&cursor.place_here(name.len()), message)
        .hint(format!("write `\"{}\"`", short(name)))
}

/// There is no value where one must be.
pub(super) fn value(cursor: &mut Cursor<'_>, outermost: Start) -> Diagnostic {
    if let Some(diagnostic) = not_closed(cursor, outermost) {
        return diagnostic;
    }
    let name = word(cursor.rest());
    if name.is_empty() {
        return other(cursor, "expected a value");
    }
    let message = format!("expected a value, found `{}`", short(name));
    let diagnostic = Diagnostic::error(&cursor.place_here(name.len()), message);
    match name {
        "True" | "TRUE" | "yes" => diagnostic.hint("write `true`"),
        "False" | "FALSE" | "no" => diagnostic.hint("write `false`"),
        "None" | "Null" | "NULL" | "nil" | "undefined" => diagnostic.hint("write `null`"),
        "NaN" | "Infinity" | "-Infinity" => diagnostic.hint("JSON has no such number"),
        _ => diagnostic.hint("text stands in double quotes"),
    }
}

/// There is no colon behind a key.
pub(super) fn after_key(cursor: &mut Cursor<'_>, key: &Text) -> Diagnostic {
    let message = format!("expected `:` behind the key `{}`", short(&key.text));
    Diagnostic::error(&cursor.place_here(1), message).label(format!("found {}", here(cursor)))
}

/// There is neither a comma nor the end behind a value.
pub(super) fn after_value(cursor: &mut Cursor<'_>, outermost: Start, close: char) -> Diagnostic {
    if let Some(diagnostic) = not_closed(cursor, outermost) {
        return diagnostic;
    }
    let expected = format!("expected `,` or `{close}`");
    let begins_more = matches!(cursor.peek(), b'"' | b'{' | b'[' | b'-' | b'0'..=b'9')
        || !word(cursor.rest()).is_empty();
    let diagnostic = other(cursor, &expected);
    match begins_more {
        true => diagnostic.hint("put a comma between the two"),
        false => diagnostic,
    }
}

/// A comma with nothing behind it.
pub(super) fn trailing_comma(cursor: &mut Cursor<'_>, close: char) -> Diagnostic {
    let message = format!("a comma stands before `{close}`");
    Diagnostic::error(&cursor.place_here(1), message)
        .hint("JSON has no comma behind the last entry: remove it")
}

/// A string that cannot be read. The cursor stands at the mistake.
pub(super) fn string(cursor: &mut Cursor<'_>, start: Start, bad: BadString) -> Diagnostic {
    match bad {
        BadString::NotClosed => {
            let message = "the text is not closed on its line";
            Diagnostic::error(&cursor.place(start), message)
                .hint("end it with `\"`; a line break inside a text is written `\\n`")
        }
        BadString::Control => {
            let code = u32::from(cursor.peek());
            let message = format!("the character U+{code:04X} must be escaped in a text");
            let hint = match code {
                0x09 => "write `\\t`".to_owned(),
                _ => format!("write `\\u{code:04x}`"),
            };
            Diagnostic::error(&cursor.place_here(1), message).hint(hint)
        }
        BadString::Escape => {
            let shown: String = cursor.rest().chars().take(2).collect();
            let n_bytes = shown.trim_end().len();
            let message = format!("`{}` is no escape", shown.trim_end());
            Diagnostic::error(&cursor.place_here(n_bytes), message)
                .label("expected `\\\"`, `\\\\`, `\\/`, `\\b`, `\\f`, `\\n`, `\\r`, `\\t` or `\\u` with four hex digits")
                .hint("a backslash itself is written `\\\\`")
        }
        BadString::Surrogate => {
            let message = "the escape is half of a character";
            Diagnostic::error(&cursor.place_here(6), message)
                .hint("write the character itself, or both halves: `\\ud83d\\ude00`")
        }
    }
}

/// Something that begins like a number and is none.
pub(super) fn number(cursor: &mut Cursor<'_>, start: Start) -> Diagnostic {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-' | '_');
    let rest = cursor.rest();
    cursor.skip(rest.find(|c| !is_inner(c)).unwrap_or(rest.len()));
    let shown = short(cursor.since(start.offset));
    Diagnostic::error(&cursor.place(start), format!("`{shown}` is no number"))
        .hint("write it like `12`, `-0.5` or `1e3`, or in double quotes as text")
}

/// A key that the object has already.
pub(super) fn written_twice(key: &Text, first: &Place) -> Diagnostic {
    let message = format!("the key `{}` is written twice", short(&key.text));
    let label = format!("first written at {}:{}", first, first.column);
    Diagnostic::error(&key.place, message).label(label)
}

/// Lists and objects that stand too deep in one another.
pub(super) fn too_deep(cursor: &mut Cursor<'_>) -> Diagnostic {
    let message = format!("lists and maps stand more than {MAX_DEPTH} deep in one another");
    Diagnostic::error(&cursor.place_here(1), message)
}

/// More values than are read.
pub(super) fn too_many(place: &Place) -> Diagnostic {
    let message = format!("the file holds more than {MAX_NODES} values");
    Diagnostic::error(place, message).hint("spread the cases over several files")
}

/// Something at the root of the file that is no object.
pub(super) fn no_object(cursor: &mut Cursor<'_>) -> Diagnostic {
    match cursor.peek() {
        b'[' => {
            let message = "the file holds a list, expected objects one after another";
            Diagnostic::error(&cursor.place_here(1), message)
                .hint("write one case per line, without the brackets and the commas between")
        }
        b',' => {
            let message = "a comma stands between two objects";
            Diagnostic::error(&cursor.place_here(1), message)
                .hint("write one case per line, without commas between")
        }
        _ => other(cursor, "expected a case: an object in braces"),
    }
}

/// Something at the root of a package file that is no object.
pub(super) fn no_package(cursor: &mut Cursor<'_>) -> Diagnostic {
    other(cursor, "expected an object in braces")
}

/// Something behind the one object of a package file.
pub(super) fn more_behind(cursor: &mut Cursor<'_>) -> Diagnostic {
    other(cursor, "expected nothing more behind the object")
}

/// Returns what to say if the outermost object ends before it is closed: at the end of the file, or where the next begins.
fn not_closed(cursor: &mut Cursor<'_>, outermost: Start) -> Option<Diagnostic> {
    let is_next =
        cursor.syntax() == Syntax::Lines && cursor.is_at_line_start() && cursor.peek() == b'{';
    if !cursor.is_at_end() && !is_next {
        return None;
    }
    let message = match is_next {
        true => "the next object begins before the one above it is closed",
        false => "the file ends before the object is closed",
    };
    let label = format!("the open one begins at line {}", outermost.line);
    let place = match is_next {
        true => cursor.place_here(1),
        false => cursor.place_here(0),
    };
    Some(
        Diagnostic::error(&place, message)
            .label(label)
            .hint("count its braces and brackets"),
    )
}

fn other(cursor: &mut Cursor<'_>, expected: &str) -> Diagnostic {
    let message = format!("{expected}, found {}", here(cursor));
    let rest = cursor.rest();
    let n_bytes = rest.chars().next().map_or(0, char::len_utf8);
    let diagnostic = Diagnostic::error(&cursor.place_here(n_bytes), message);
    if rest.starts_with('\'') || rest.starts_with('`') || rest.starts_with(['“', '”', '‘', '’'])
    {
        diagnostic.hint("text stands in double quotes: `\"…\"`")
    } else if rest.starts_with("/*") {
        diagnostic.hint(match cursor.syntax() {
            Syntax::Lines => "a comment is a line that begins with `//` or `#`",
            Syntax::Package => "the comment is not closed: end it with `*/`",
        })
    } else if rest.starts_with('#') {
        diagnostic.hint("a comment begins with `//`, or stands between `/*` and `*/`")
    } else if rest.starts_with("...") || rest.starts_with('…') {
        diagnostic.hint("write out what is left out here")
    } else {
        diagnostic
    }
}

/// Returns what a message says stands here.
fn here(cursor: &Cursor<'_>) -> String {
    match cursor.rest().chars().next() {
        None => "the end of the file".to_owned(),
        Some('"') => "text".to_owned(),
        Some(c) if c.is_control() => format!("the character U+{:04X}", u32::from(c)),
        Some(c) => format!("`{c}`"),
    }
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
