//! Texts as bytes and back, and random bytes.

use std::rc::Rc;

use rquickjs::{Ctx, Object, TypedArray, Value as JsValue};

use super::install::add;
use crate::engine::State;

/// Adds `encode` and `decode`.
pub(super) fn natives<'js>(_: &Rc<State>, native: &Object<'js>) -> rquickjs::Result<()> {
    add(native, "encode", |ctx: Ctx<'js>, text: String| {
        TypedArray::new(ctx, text.into_bytes())
    })?;
    add(
        native,
        "decode",
        |ctx: Ctx<'js>, bytes: Vec<u8>, is_fatal: bool, is_part: bool| {
            let text = decoded(bytes, is_fatal, is_part);
            let list = rquickjs::Array::new(ctx.clone())?;
            match text {
                Some((text, rest)) => {
                    list.set(0, text)?;
                    list.set(1, rest)?;
                }
                None => list.set(0, JsValue::new_null(ctx))?,
            }
            Ok::<_, rquickjs::Error>(list)
        },
    )
}

/// Returns the text of bytes, and the bytes at their end that may be the beginning of a character whose rest comes later.
/// Nothing if the bytes have to be right, and are not.
fn decoded(bytes: Vec<u8>, is_fatal: bool, is_part: bool) -> Option<(String, Vec<u8>)> {
    let error = match String::from_utf8(bytes) {
        Ok(text) => return Some((text, Vec::new())),
        Err(error) => error,
    };
    let mut bytes = error.into_bytes();
    let unfinished = bytes
        .utf8_chunks()
        .last()
        .map(|chunk| chunk.invalid().len())
        .filter(|_| is_part)
        .filter(|n| is_beginning(&bytes[bytes.len() - n..]));
    let rest = bytes.split_off(bytes.len() - unfinished.unwrap_or_default());
    match is_fatal {
        true => String::from_utf8(bytes).ok().map(|text| (text, rest)),
        false => Some((String::from_utf8_lossy(&bytes).into_owned(), rest)),
    }
}

/// Tells whether bytes are the beginning of a character.
fn is_beginning(bytes: &[u8]) -> bool {
    !bytes.is_empty() && std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// Adds `uuid` and `bytes`.
pub(super) fn random<'js>(_: &Rc<State>, native: &Object<'js>) -> rquickjs::Result<()> {
    add(native, "uuid", || uuid::Uuid::new_v4().to_string())?;
    add(native, "bytes", |ctx: Ctx<'js>, n: usize| {
        let mut bytes = Vec::with_capacity(n.min(65_536) + 16);
        while bytes.len() < n.min(65_536) {
            let random = uuid::Uuid::new_v4().into_bytes();
            // Two bytes of an id say what kind of id it is; the rest is random.
            let kept = random
                .iter()
                .enumerate()
                .filter(|(n, _)| !matches!(n, 6 | 8));
            bytes.extend(kept.map(|(_, byte)| *byte));
        }
        bytes.truncate(n);
        TypedArray::new(ctx, bytes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_come_in_parts_are_put_together() {
        let euro = "€".as_bytes();
        assert_eq!(
            decoded(euro[..2].to_vec(), true, true),
            Some((String::new(), euro[..2].to_vec()))
        );
        assert_eq!(decoded(euro[..2].to_vec(), true, false), None);
        assert_eq!(
            decoded(euro[..2].to_vec(), false, false),
            Some(("\u{fffd}".to_owned(), Vec::new()))
        );
        assert_eq!(decoded(vec![b'a', 0xff], true, true), None);
        assert_eq!(
            decoded(vec![b'a', 0xff], false, true),
            Some(("a\u{fffd}".to_owned(), Vec::new()))
        );
    }
}
