//! Words that differ from run to run by design: UUIDs, hashes, provider ids such as `call_8fJq2…`, moments in time.
//!
//! It is better to see too few than too many: a product number that is taken for an id would hide a real difference.

/// A stretch of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Stands for itself.
    Plain(&'a str),
    /// A word that may be an id: letters, digits, `_` and `-`.
    Word(&'a str),
    /// A date with a time of day.
    Time(&'a str),
}

/// Cuts `text` into words, moments in time, and what is between them.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let length = time_length(rest);
        if length > 0 {
            let (time, after) = rest.split_at(length);
            pieces.push(Piece::Time(time));
            rest = after;
            continue;
        }
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if end > 0 {
            let (word, after) = rest.split_at(end);
            pieces.push(Piece::Word(word));
            rest = after;
            continue;
        }
        let end = rest.find(is_word).unwrap_or(rest.len());
        let (plain, after) = rest.split_at(end);
        pieces.push(Piece::Plain(plain));
        rest = after;
    }
    pieces
}

/// Tells whether `text` holds anything that differs from run to run by design.
pub(crate) fn is_generated(text: &str) -> bool {
    pieces(text).iter().any(|piece| match piece {
        Piece::Plain(_) => false,
        Piece::Word(word) => is_id(word),
        Piece::Time(_) => true,
    })
}

/// Tells whether a word looks as if a program had made it up.
pub(super) fn is_id(word: &str) -> bool {
    if word.len() < 16 || !word.is_ascii() {
        return false;
    }
    let last = word.rsplit(['_', '-']).next().unwrap_or(word);
    has_uuid(word)
        || is_hash(word)
        || is_hash(last)
        || is_ulid(last)
        || (last.len() < word.len() && last.len() >= 12 && is_mixed(last))
        || (word.len() >= 20 && is_mixed(word) && has_both_cases(word))
}

/// Tells whether a key names a moment: its number differs from run to run.
pub(crate) fn names_a_moment(key: &str) -> bool {
    let ends = ["_at", "At", "_ts", "timestamp", "Timestamp"];
    key == "ts" || ends.iter().any(|end| key.ends_with(end))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

fn has_uuid(word: &str) -> bool {
    let is_uuid = |window: &[u8]| {
        window.iter().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
    };
    word.as_bytes().windows(36).any(is_uuid)
}

/// Sixteen or more hexadecimal digits, some of them letters and some not.
fn is_hash(word: &str) -> bool {
    word.len() >= 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) && is_mixed(word)
}

fn is_ulid(word: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
    word.len() == 26 && word.bytes().all(is_digit) && is_mixed(word)
}

fn is_mixed(word: &str) -> bool {
    let n_digits = word.bytes().filter(u8::is_ascii_digit).count();
    n_digits >= 2 && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

fn has_both_cases(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_uppercase())
        && word.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Returns the length of the date with time that `text` begins with, such as `2026-11-15T11:53:53.120Z`; 0 if none.
fn time_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let fits = |from: usize, shape: &[u8]| {
        shape.iter().enumerate().all(|(index, wanted)| {
            bytes.get(from + index).is_some_and(|byte| match wanted {
                b'0' => byte.is_ascii_digit(),
                b'T' => matches!(byte, b'T' | b't' | b' '),
                b'+' => matches!(byte, b'+' | b'-'),
                _ => byte == wanted,
            })
        })
    };
    const MINUTES: &[u8] = b"0000-00-00T00:00";
    if !fits(0, MINUTES) {
        return 0;
    }
    let mut length = MINUTES.len();
    if fits(length, b":00") {
        length += 3;
        if fits(length, b".0") {
            let digits = bytes.iter().skip(length + 1);
            length += 1 + digits.take_while(|byte| byte.is_ascii_digit()).count();
        }
    }
    if fits(length, b"+00:00") {
        length += 6;
    } else if fits(length, b"+0000") {
        length += 5;
    } else if fits(length, b"Z") {
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_up_words_are_told_from_words_that_mean_something() {
        for word in [
            "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
            "call_f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
            "call_8fJq2LmN0pQr",
            "msg_01XFDUDYJgAACzvnptvVoYEL",
            "507f1f77bcf86cd799439011",
            "01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "V1StGXR8Z5jdHi6BmyT0x",
            "chatcmpl-9xYz12AbCdEf34",
        ] {
            assert!(is_id(word), "{word}");
        }
        for word in [
            "",
            "mug",
            "order-42",
            "sku_1234567890",
            "4111111111111111",
            "blue-mug-2024-edition",
            "internationalization_2024",
            "add_to_cart",
            "2026-11-15",
            "deadbeefdeadbeef",
        ] {
            assert!(!is_id(word), "{word}");
        }
    }

    #[test]
    fn moments_are_dates_with_a_time_of_day() {
        for text in [
            "2026-11-15T11:53:53.120Z",
            "2026-11-15 11:53",
            "at 2026-11-15T11:53:53+01:00.",
        ] {
            assert!(is_generated(text), "{text}");
        }
        for text in ["2026-11-15", "11:53:53", "é2026", "20261115T115353"] {
            assert!(!is_generated(text), "{text}");
        }
    }

    #[test]
    fn pieces_are_the_whole_text() {
        for text in ["", "a b", "ä-1 2026-11-15T11:53Zé…x", "2026-11-15T1"] {
            let joined: String = pieces(text)
                .iter()
                .map(|piece| match piece {
                    Piece::Plain(text) | Piece::Word(text) | Piece::Time(text) => *text,
                })
                .collect();
            assert_eq!(joined, text);
        }
    }
}
