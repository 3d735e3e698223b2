//! Texts whose UTF-8 was read as if each byte were a character: `é` comes back as `Ã©`. Servers do it to headers.

/// What the bytes 80 to 9F are in Windows-1252; where it has nothing, readers take Latin-1.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Returns `text` misread as Latin-1 and as Windows-1252; nothing if that changes nothing.
pub(super) fn misread(text: &str) -> Vec<String> {
    if text.is_ascii() {
        return Vec::new();
    }
    let windows = |byte: u8| {
        let at = byte.checked_sub(0x80).map(usize::from);
        let c = at.and_then(|at| WINDOWS.get(at));
        c.copied().unwrap_or(char::from(byte))
    };
    vec![
        text.bytes().map(char::from).collect(),
        text.bytes().map(windows).collect(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_becomes_a_character() {
        assert_eq!(misread("é€"), ["Ã©â\u{82}¬", "Ã©â‚¬"]);
        assert!(misread("plain").is_empty());
    }
}
