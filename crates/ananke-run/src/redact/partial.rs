//! Secrets that were cut: messages show the beginning of a long text, and a secret may stand where the text was cut.

use super::redactor::{Edit, Inner, Weak, apply};

/// Where ananke cuts a text it puts this sign.
const CUT: char = '…';

/// Hides secrets in a text that ananke has made of others, and what is left of them where it was cut. Tells whether there
/// were any.
pub(super) fn hide(inner: &Inner, text: &mut String) -> bool {
    let edits = inner.edits(text, Weak::Hide);
    if !edits.is_empty() {
        *text = apply(text, &edits);
    }
    let mut is_hit = !edits.is_empty();
    let mut at = 0;
    while let Some(cut) = text.get(at..).and_then(|rest| rest.find(CUT)) {
        let cut = at + cut;
        at = cut + CUT.len_utf8();
        // First what stands behind it, so that places before it stay where they are.
        if let Some(edit) = ends_after(inner, text, at) {
            *text = apply(text, &[edit]);
            is_hit = true;
        }
        if let Some(edit) = begins_before(inner, text, cut) {
            let n_more = edit.shown.len();
            at = edit.range.start + n_more + CUT.len_utf8();
            *text = apply(text, &[edit]);
            is_hit = true;
        }
    }
    if let Some(edit) = begins_before(inner, text, text.len()) {
        *text = apply(text, &[edit]);
        is_hit = true;
    }
    is_hit
}

/// Finds the beginning of a secret that ends where the text was cut, at `cut`.
fn begins_before(inner: &Inner, text: &str, cut: usize) -> Option<Edit> {
    let before = text.get(..cut)?;
    let found = inner.patterns.iter().filter_map(|pattern| {
        let shown = pattern.shown.as_ref()?;
        let least = first(&pattern.text, least_chars(&pattern.text));
        let window = last(before, pattern.text.len());
        let start = window
            .match_indices(least)
            .map(|(at, _)| at)
            .find(|at| pattern.text.starts_with(window.get(*at..).unwrap_or("\0")))?;
        Some((before.len() - window.len() + start, shown))
    });
    let (start, shown) = found.min_by_key(|(start, _)| *start)?;
    Some(Edit {
        range: start..cut,
        shown: shown.clone(),
    })
}

/// Finds the end of a secret that begins where the text was cut, at `cut`.
fn ends_after(inner: &Inner, text: &str, cut: usize) -> Option<Edit> {
    let after = text.get(cut..)?;
    let found = inner.patterns.iter().filter_map(|pattern| {
        let shown = pattern.shown.as_ref()?;
        let least = last_chars(&pattern.text, least_chars(&pattern.text));
        let window = first_bytes(after, pattern.text.len());
        let end = window
            .rmatch_indices(least)
            .map(|(at, _)| at + least.len())
            .find(|end| pattern.text.ends_with(window.get(..*end).unwrap_or("\0")))?;
        Some((end, shown))
    });
    let (end, shown) = found.max_by_key(|(end, _)| *end)?;
    Some(Edit {
        range: cut..cut + end,
        shown: shown.clone(),
    })
}

/// Returns how many characters of a secret are worth hiding by themselves: half of a short one, the first eight of others.
fn least_chars(secret: &str) -> usize {
    (secret.chars().count() / 2).clamp(4, 8)
}

fn first(text: &str, n_chars: usize) -> &str {
    let end = text.char_indices().nth(n_chars).map(|(at, _)| at);
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
}

fn last_chars(text: &str, n_chars: usize) -> &str {
    let start = text
        .char_indices()
        .rev()
        .nth(n_chars.saturating_sub(1))
        .map(|(at, _)| at);
    text.get(start.unwrap_or(0)..).unwrap_or(text)
}

/// Returns about the last `n_bytes` of `text`, cut between characters.
fn last(text: &str, n_bytes: usize) -> &str {
    let start = text.ceil_char_boundary(text.len().saturating_sub(n_bytes));
    text.get(start..).unwrap_or(text)
}

fn first_bytes(text: &str, n_bytes: usize) -> &str {
    let end = text.floor_char_boundary(n_bytes);
    text.get(..end).unwrap_or(text)
}
