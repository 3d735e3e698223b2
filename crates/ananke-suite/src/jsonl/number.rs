//! Numbers: exactly those of JSON.

use super::cursor::Cursor;
use crate::yaml::ScalarKind;

/// Takes a number. `None` if what stands there is none; the cursor is then somewhere inside.
pub(super) fn number(cursor: &mut Cursor<'_>) -> Option<ScalarKind> {
    cursor.take(b'-');
    let is_zero = cursor.peek() == b'0';
    let n_whole = digits(cursor);
    if n_whole == 0 || (is_zero && n_whole > 1) {
        return None;
    }
    let mut kind = ScalarKind::Int;
    if cursor.take(b'.') {
        kind = ScalarKind::Float;
        if digits(cursor) == 0 {
            return None;
        }
    }
    if cursor.take(b'e') || cursor.take(b'E') {
        kind = ScalarKind::Float;
        if !cursor.take(b'-') {
            cursor.take(b'+');
        }
        if digits(cursor) == 0 {
            return None;
        }
    }
    // `1x` is no number with something behind it.
    let next = cursor.peek();
    let ends = !(next.is_ascii_alphanumeric() || matches!(next, b'.' | b'_'));
    ends.then_some(kind)
}

fn digits(cursor: &mut Cursor<'_>) -> usize {
    let bytes = cursor.rest().bytes();
    let n_digits = bytes.take_while(u8::is_ascii_digit).count();
    cursor.skip(n_digits);
    n_digits
}
