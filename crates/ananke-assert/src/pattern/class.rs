//! Bracketed classes. Everything that only the engines know (nested sets, `&&`, `--`, `~~`) is escaped away.

use super::cursor::Cursor;
use super::error::PatternError;
use super::escape::{Escape, Set, escape};

const POSIX: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
    "space", "upper", "word", "xdigit",
];

enum Item {
    Char(char),
    Set(String),
}

/// Translates the class whose `[` stands at `start` and was read already, and appends it to `out`.
pub(super) fn class(
    cursor: &mut Cursor,
    start: usize,
    out: &mut String,
) -> Result<(), PatternError> {
    out.push('[');
    if cursor.eat("^") {
        out.push('^');
    }
    if cursor.peek() == Some(']') {
        // Empty for JavaScript, the beginning of a class that holds `]` for RE2.
        return Err(PatternError::at(start, "the brackets are empty").hint(
            "write `[\\s\\S]` for any character, `\\]` for a closing bracket inside brackets",
        ));
    }
    loop {
        let at = cursor.index();
        if cursor.eat("]") {
            out.push(']');
            return Ok(());
        }
        match item(cursor, start)? {
            Item::Set(set) => out.push_str(&set),
            Item::Char(first) => {
                push(first, out);
                let is_range =
                    cursor.peek() == Some('-') && !matches!(cursor.peek_at(1), None | Some(']'));
                if is_range {
                    cursor.bump();
                    push_range_end(cursor, (start, at), first, out)?;
                }
            }
        }
    }
}

fn push_range_end(
    cursor: &mut Cursor,
    (start, at): (usize, usize),
    first: char,
    out: &mut String,
) -> Result<(), PatternError> {
    match item(cursor, start)? {
        Item::Char(last) if first <= last => {
            out.push('-');
            push(last, out);
            Ok(())
        }
        Item::Char(last) => Err(PatternError::at(
            at,
            format!("the range `{first}-{last}` runs backwards"),
        )),
        Item::Set(_) => Err(
            PatternError::at(at, "the range does not end in a character")
                .hint("write `\\-` for a hyphen"),
        ),
    }
}

fn item(cursor: &mut Cursor, start: usize) -> Result<Item, PatternError> {
    let at = cursor.index();
    match cursor.bump() {
        None => {
            Err(PatternError::at(start, "the bracket is not closed")
                .hint("write `\\[` for a bracket"))
        }
        Some('[') if cursor.peek() == Some(':') => posix(cursor, at),
        Some('\\') => match escape(cursor, at, true)? {
            Escape::Char(c) => Ok(Item::Char(c)),
            Escape::Set(set) => Ok(Item::Set(members(&set))),
            Escape::Verbatim(_) | Escape::Place(_) | Escape::Group(_) | Escape::NamedGroup(_) => {
                Err(PatternError::at(
                    at,
                    "this escape has no meaning inside brackets",
                ))
            }
        },
        Some(c) => Ok(Item::Char(c)),
    }
}

fn members(set: &Set) -> String {
    match set {
        Set::Ascii {
            members,
            negated: false,
        } => (*members).to_owned(),
        Set::Ascii {
            members,
            negated: true,
        } => format!("[^{members}]"),
        Set::Property(property) => property.clone(),
    }
}

/// Reads `[:alpha:]` or `[:^alpha:]`; a bracket that begins no such name stands for itself.
fn posix(cursor: &mut Cursor, at: usize) -> Result<Item, PatternError> {
    let after_bracket = cursor.index();
    cursor.bump();
    let caret = if cursor.eat("^") { "^" } else { "" };
    let name = cursor.take_while(16, |c| c.is_ascii_alphabetic());
    if !cursor.eat(":]") {
        cursor.back_to(after_bracket);
        return Ok(Item::Char('['));
    }
    if !POSIX.contains(&name.as_str()) {
        return Err(PatternError::at(
            at,
            format!("unknown class name `[:{caret}{name}:]`"),
        ));
    }
    Ok(Item::Set(format!("[:{caret}{name}:]")))
}

fn push(c: char, out: &mut String) {
    if c.is_ascii_punctuation() && c != '<' && c != '>' {
        out.push('\\');
    }
    out.push(c);
}
