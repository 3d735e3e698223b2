//! Base64 of a value, also as a part of something larger, and back.

/// The usual alphabet.
pub(super) const STANDARD: &[u8; 64] =
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// The alphabet for URLs.
pub(super) const URL_SAFE: &[u8; 64] =
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Returns base64 without padding.
pub(super) fn base64(bytes: &[u8], alphabet: &[u8; 64]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let at = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for position in 0..=group.len() {
            let shift = 18 - 6 * position;
            out.push(char::from(alphabet[(bits >> shift & 63) as usize]));
        }
    }
    out
}

/// Returns what base64 shows of `value` when `n_before` other bytes, counted modulo three, stand before it and unknown
/// ones behind it: the characters that nothing but the value decides.
pub(super) fn aligned(value: &str, n_before: usize, alphabet: &[u8; 64]) -> String {
    let mut bytes = vec![0; n_before];
    bytes.extend_from_slice(value.as_bytes());
    let is_cut = !(bytes.len() * 8).is_multiple_of(6);
    let encoded = base64(&bytes, alphabet);
    let n_first = (n_before * 8).div_ceil(6);
    let n_all = encoded.len().saturating_sub(usize::from(is_cut));
    encoded.get(n_first..n_all).unwrap_or_default().to_owned()
}

/// Decodes base64 with or without padding, in either alphabet; nothing if it is not base64 of text.
pub(super) fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut bits, mut n_bits) = (0u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let digit = [STANDARD, URL_SAFE]
            .into_iter()
            .find_map(|alphabet| alphabet.iter().position(|known| *known == byte))?;
        bits = bits << 6 | u32::try_from(digit).ok()?;
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits & 0xFF).try_into().ok()?);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_undoes_encoding() {
        for text in ["", "a", "ab", "abc", "user:p/ä+?"] {
            for alphabet in [STANDARD, URL_SAFE] {
                let encoded = base64(text.as_bytes(), alphabet);
                assert_eq!(decoded(&encoded).unwrap(), text);
            }
        }
        assert_eq!(decoded("a b"), None);
    }
}
