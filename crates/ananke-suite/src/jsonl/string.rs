//! Strings: everything between two double quotes, escapes resolved.

use super::cursor::Cursor;

/// Why a string cannot be read. The cursor then stands at the mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadString {
    /// The line ends before the string does.
    NotClosed,
    /// A character that must be escaped.
    Control,
    /// A backslash with something behind it that is no escape.
    Escape,
    /// `\u` escapes that stand for no character.
    Surrogate,
}

/// Takes the string that begins at the double quote here.
pub(super) fn string(cursor: &mut Cursor<'_>) -> Result<String, BadString> {
    cursor.skip(1);
    let plain = plain(cursor);
    let mut text = plain.to_owned();
    loop {
        match cursor.peek() {
            b'"' => {
                cursor.skip(1);
                return Ok(text);
            }
            b'\\' => text.push(escape(cursor)?),
            b'\n' | b'\r' => return Err(BadString::NotClosed),
            _ if cursor.is_at_end() => return Err(BadString::NotClosed),
            _ => return Err(BadString::Control),
        }
        let more = self::plain(cursor);
        text.push_str(more);
    }
}

/// Takes the characters that stand for themselves.
fn plain<'t>(cursor: &mut Cursor<'t>) -> &'t str {
    let start = cursor.offset();
    let bytes = cursor.rest().bytes();
    let is_plain = |byte: &u8| *byte >= b' ' && *byte != b'"' && *byte != b'\\';
    // All bytes that end this are ASCII, so that no character is cut.
    let n_bytes = bytes.take_while(is_plain).count();
    cursor.skip(n_bytes);
    cursor.since(start)
}

/// Takes an escape from its backslash on.
fn escape(cursor: &mut Cursor<'_>) -> Result<char, BadString> {
    let mut bytes = cursor.rest().bytes().skip(1);
    let character = match bytes.next() {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(cursor),
        _ => return Err(BadString::Escape),
    };
    cursor.skip(2);
    Ok(character)
}

/// Takes `\uXXXX`, or two of them that stand for one character.
fn unicode(cursor: &mut Cursor<'_>) -> Result<char, BadString> {
    let first = unit(cursor.rest()).ok_or(BadString::Escape)?;
    let mut units = vec![first];
    if (0xD800..0xDC00).contains(&first) {
        let second = cursor.rest().get(6..).and_then(unit);
        units.push(second.ok_or(BadString::Surrogate)?);
    }
    let mut characters = char::decode_utf16(units.iter().copied());
    match (characters.next(), characters.next()) {
        (Some(Ok(character)), None) => {
            cursor.skip(6 * units.len());
            Ok(character)
        }
        _ => Err(BadString::Surrogate),
    }
}

/// Returns what `\uXXXX` at the beginning of `text` stands for.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex
        .then(|| u16::from_str_radix(digits, 16).ok())
        .flatten()
}
