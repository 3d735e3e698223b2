//! What follows a backslash.

use super::cursor::Cursor;
use super::error::PatternError;

/// What a backslash and the characters behind it stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    /// One character.
    Char(char),
    /// One character out of many.
    Set(Set),
    /// A place in the text.
    Place(Place),
    /// What a group matched, by its number.
    Group(usize),
    /// What a group matched, by its name.
    NamedGroup(String),
    /// `\Q…\E`: text that stands for itself.
    Verbatim(String),
}

/// A set of characters that has an escape of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// `\d`, `\w`, `\s` (the members, in class syntax) and their opposites.
    Ascii {
        /// What goes between brackets.
        members: &'static str,
        /// Whether everything else is meant.
        negated: bool,
    },
    /// `\p{…}`, in the engines' syntax.
    Property(String),
}

/// A place in the text that an escape stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// `\b`
    WordBoundary,
    /// `\B`
    NoWordBoundary,
    /// `\A`
    Start,
    /// `\z`
    End,
}

const DIGIT: &str = "0-9";
/// The members of `\w`.
pub(super) const WORD: &str = "0-9A-Za-z_";
const SPACE: &str = r"\t\n\x0B\x0C\r ";

/// Reads the escape whose backslash stands at `start` and was read already.
pub(super) fn escape(
    cursor: &mut Cursor,
    start: usize,
    in_class: bool,
) -> Result<Escape, PatternError> {
    let Some(letter) = cursor.bump() else {
        return Err(PatternError::at(start, "nothing follows the backslash")
            .hint("write `\\\\` for a backslash"));
    };
    let ascii = |members, negated| Ok(Escape::Set(Set::Ascii { members, negated }));
    let outside = |escape: Escape| {
        if in_class {
            Err(PatternError::at(
                start,
                format!("`\\{letter}` has no meaning inside brackets"),
            ))
        } else {
            Ok(escape)
        }
    };
    match letter {
        'd' => ascii(DIGIT, false),
        'D' => ascii(DIGIT, true),
        'w' => ascii(WORD, false),
        'W' => ascii(WORD, true),
        's' => ascii(SPACE, false),
        'S' => ascii(SPACE, true),
        'p' | 'P' => property(cursor, start, letter).map(Escape::Set),
        'b' if in_class => Ok(Escape::Char('\u{8}')),
        'b' => Ok(Escape::Place(Place::WordBoundary)),
        'B' => outside(Escape::Place(Place::NoWordBoundary)),
        'A' => outside(Escape::Place(Place::Start)),
        'z' => outside(Escape::Place(Place::End)),
        'Z' => Err(PatternError::at(start, "unknown escape `\\Z`")
            .hint("write `\\z` for the end of the text")),
        'n' => Ok(Escape::Char('\n')),
        'r' => Ok(Escape::Char('\r')),
        't' => Ok(Escape::Char('\t')),
        'f' => Ok(Escape::Char('\u{c}')),
        'v' => Ok(Escape::Char('\u{b}')),
        'a' => Ok(Escape::Char('\u{7}')),
        '0' if !cursor.peek().is_some_and(|c| c.is_ascii_digit()) => Ok(Escape::Char('\0')),
        '0' => Err(PatternError::at(start, "octal escapes are not supported")
            .hint("write `\\x` and two hexadecimal digits")),
        '1'..='9' => {
            let mut digits = String::from(letter);
            digits.push_str(&cursor.take_while(4, |c| c.is_ascii_digit()));
            outside(Escape::Group(digits.parse().unwrap_or(usize::MAX)))
        }
        'k' => outside(Escape::NamedGroup(group_name(cursor, start)?)),
        'c' => match cursor.bump() {
            Some(control) if control.is_ascii_alphabetic() => {
                Ok(Escape::Char(char::from(control as u8 & 0x1f)))
            }
            _ => Err(PatternError::at(start, "`\\c` needs a letter")),
        },
        'x' => hexadecimal(cursor, start, 2).map(Escape::Char),
        'u' => hexadecimal(cursor, start, 4).map(Escape::Char),
        'Q' => Ok(Escape::Verbatim(verbatim(cursor))),
        _ if letter.is_ascii_alphanumeric() => {
            Err(
                PatternError::at(start, format!("unknown escape `\\{letter}`")).hint(format!(
                    "write `{letter}` for the letter, `\\\\` for a backslash"
                )),
            )
        }
        _ => Ok(Escape::Char(letter)),
    }
}

fn group_name(cursor: &mut Cursor, start: usize) -> Result<String, PatternError> {
    let refuse = || PatternError::at(start, "`\\k` needs a group's name, as in `\\k<name>`");
    if !cursor.eat("<") {
        return Err(refuse());
    }
    let name = cursor.take_while(64, |c| c != '>');
    if cursor.eat(">") && !name.is_empty() {
        Ok(name)
    } else {
        Err(refuse())
    }
}

fn verbatim(cursor: &mut Cursor) -> String {
    let mut text = String::new();
    while !cursor.eat("\\E") {
        match cursor.bump() {
            Some(c) => text.push(c),
            None => break,
        }
    }
    text
}

/// Reads `L` or `{…}` behind `\p` or `\P`, and asks the engine whether it knows that property.
fn property(cursor: &mut Cursor, start: usize, letter: char) -> Result<Set, PatternError> {
    let name = if cursor.eat("{") {
        let name = cursor.take_while(64, |c| c.is_ascii_alphanumeric() || "_=^ -".contains(c));
        if !cursor.eat("}") {
            return Err(PatternError::at(
                start,
                format!("`\\{letter}{{` needs a property's name and a closing brace"),
            ));
        }
        name
    } else {
        cursor.take_while(1, |c| c.is_ascii_alphabetic())
    };
    // RE2 writes `\p{^Greek}` for `\P{Greek}`.
    let (letter, name) = match (letter, name.strip_prefix('^')) {
        ('p', Some(name)) => ('P', name.to_owned()),
        (_, Some(name)) => ('p', name.to_owned()),
        (_, None) => (letter, name),
    };
    let property = format!("\\{letter}{{{name}}}");
    if name.is_empty() || regex::Regex::new(&property).is_err() {
        return Err(PatternError::at(start, "unknown Unicode property")
            .hint("known are names such as `\\p{L}`, `\\p{Lu}` and `\\p{Greek}`"));
    }
    Ok(Set::Property(property))
}

/// Reads `n_digits` digits or `{…}` behind `\x` or `\u`, and the second half of a surrogate pair.
fn hexadecimal(cursor: &mut Cursor, start: usize, n_digits: usize) -> Result<char, PatternError> {
    let letter = if n_digits == 2 { 'x' } else { 'u' };
    let Some(code) = code(cursor, n_digits) else {
        return Err(PatternError::at(
            start,
            format!("`\\{letter}` needs {n_digits} hexadecimal digits, or some between braces"),
        ));
    };
    if (0xd800..0xdc00).contains(&code) {
        let second_at = cursor.index();
        if cursor.eat("\\u")
            && let Some(second) = self::code(cursor, 4)
            && (0xdc00..0xe000).contains(&second)
        {
            let pair = 0x1_0000 + ((code - 0xd800) << 10) + (second - 0xdc00);
            return char::from_u32(pair).ok_or_else(|| PatternError::at(start, "no character"));
        }
        cursor.back_to(second_at);
    }
    char::from_u32(code).ok_or_else(|| {
        PatternError::at(
            start,
            format!("U+{code:04X} is not a character and never occurs in text"),
        )
    })
}

fn code(cursor: &mut Cursor, n_digits: usize) -> Option<u32> {
    let digit = |c: char| c.is_ascii_hexdigit();
    if cursor.eat("{") {
        let digits = cursor.take_while(8, digit);
        return cursor
            .eat("}")
            .then(|| u32::from_str_radix(&digits, 16).ok())
            .flatten();
    }
    let digits = cursor.take_while(n_digits, digit);
    (digits.len() == n_digits)
        .then(|| u32::from_str_radix(&digits, 16).ok())
        .flatten()
}
