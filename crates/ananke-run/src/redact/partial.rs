//! Secrets that were cut: messages show the beginning of a long text, and a secret may stand where the text was cut.

use super::index::Index;
use super::inner::{Edit, Inner, Weak, apply, reversed};

/// Where ananke cuts a text it puts this sign.
const CUT: char = '…';
/// How many secrets that begin alike are looked at.
const MOST_ALIKE: usize = 64;

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
    let window = last(before, inner.patterns.longest());
    let (start, pattern) = cut_off(&inner.patterns, window, |pattern| pattern.shown.is_some())?;
    Some(Edit {
        range: cut - window.len() + start..cut,
        shown: pattern.shown.clone()?,
    })
}

/// Finds the end of a secret that begins where the text was cut, at `cut`.
fn ends_after(inner: &Inner, text: &str, cut: usize) -> Option<Edit> {
    let window = first(text.get(cut..)?, inner.backwards.longest());
    let (start, shown) = cut_off(&inner.backwards, &reversed(window), |_| true)?;
    Some(Edit {
        range: cut..cut + window.len() - start,
        shown: shown.clone(),
    })
}

/// Finds the first place from which on `window` is the beginning of a text of `index`, and enough of it.
fn cut_off<'i, T>(
    index: &'i Index<T>,
    window: &str,
    is_meant: impl Fn(&T) -> bool,
) -> Option<(usize, &'i T)> {
    let mut starts = window.char_indices().map(|(at, _)| at);
    starts.find_map(|start| {
        let left = window.get(start..).filter(|left| index.may_begin(left))?;
        let n_chars = left.chars().count();
        let alike = index.beginning_with(left).take(MOST_ALIKE);
        let mut meant =
            alike.filter(|(text, known)| is_meant(known) && n_chars >= least_chars(text));
        meant.next().map(|(_, known)| (start, known))
    })
}

/// Returns how many characters of a secret are worth hiding by themselves: half of a short one, the first eight of others.
fn least_chars(secret: &str) -> usize {
    (secret.chars().count() / 2).clamp(4, 8)
}

/// Returns about the last `n_bytes` of `text`, cut between characters.
fn last(text: &str, n_bytes: usize) -> &str {
    let start = text.ceil_char_boundary(text.len().saturating_sub(n_bytes));
    text.get(start..).unwrap_or(text)
}

fn first(text: &str, n_bytes: usize) -> &str {
    let end = text.floor_char_boundary(n_bytes);
    text.get(..end).unwrap_or(text)
}
