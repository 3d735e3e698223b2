//! Any text as a YAML scalar: always double-quoted, everything that is not plainly visible spelt out.

use crate::escape::escaped;

/// Returns `text` in double quotes, so that any YAML parser gives it back as it is.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if escaped(c, chars.as_str()).is_some() || is_unprintable(c) => {
                out.push_str(&spelt(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Noncharacters: YAML has no way to hold them but by number.
fn is_unprintable(c: char) -> bool {
    let code = u32::from(c);
    code & 0xfffe == 0xfffe || (0xfdd0..=0xfdef).contains(&code)
}

fn spelt(c: char) -> String {
    match u32::from(c) {
        code @ 0..=0xff => format!("\\x{code:02x}"),
        code @ 0x100..=0xffff => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    }
}
