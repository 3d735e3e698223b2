//! Finds secrets in texts and values, all of them in one pass, and puts their names in their place.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind};
use ananke_model::variables::Variables;
use serde_json::{Map, Value};

use super::forms::{Encoding, forms};
use super::json_text;
use super::secrets::{Secret, Secrets, placeholder};

/// A value that is shorter may be a word of the protocol: it is left alone in keys, types and roles.
const STRONG_CHARS: usize = 8;
/// Digits that are fewer may be a part of any longer number, a time for example.
const STRONG_DIGITS: usize = 16;
/// Beyond this many bytes of patterns the fastest automaton takes too much memory.
const MAX_DFA_BYTES: usize = 50_000;

/// Hides secrets. Cheap to clone; without secrets it costs nothing.
#[derive(Clone, Default)]
pub struct Redactor(Option<Arc<Inner>>);

/// What a redactor with secrets is made of.
pub(super) struct Inner {
    secrets: Secrets,
    automaton: AhoCorasick,
    pub(super) patterns: Vec<Pattern>,
    /// The length in bytes of the longest pattern.
    pub(super) longest: usize,
    /// What is shown for values that JSON may hold as numbers.
    numbers: HashMap<String, String>,
}

/// Something to look for.
pub(super) struct Pattern {
    pub(super) text: String,
    /// What is shown instead; nothing for what was redacted before.
    pub(super) shown: Option<String>,
    is_weak: bool,
    is_weak_number: bool,
}

/// A stretch of a text and what is to stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) shown: String,
}

/// Whether values that may be words of the protocol are hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weak {
    Hide,
    Keep,
}

impl Redactor {
    /// Returns a redactor that hides nothing.
    pub fn none() -> Self {
        Self(None)
    }

    pub(super) fn new(secrets: &Secrets) -> Self {
        if secrets.is_empty() {
            return Self::none();
        }
        Self(Some(Arc::new(Inner::new(secrets))))
    }

    /// Returns a redactor that hides `more` as well; itself if it hides all of that already.
    #[must_use]
    pub fn with(&self, more: &Secrets) -> Self {
        let known = self.inner().map(|inner| &inner.secrets);
        let is_known = |secret: &Secret| {
            known.is_some_and(|known| known.list.iter().any(|own| own.value == secret.value))
        };
        if more.list.iter().all(is_known) {
            return self.clone();
        }
        let mut all = known.cloned().unwrap_or_default();
        all.extend(more.clone());
        Self::new(&all)
    }

    /// Tells whether there is nothing to hide.
    #[cfg(test)]
    pub(super) fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// Returns `text` with the secrets in it hidden.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let edits = self.inner().map(|inner| inner.edits(text, Weak::Hide));
        match edits {
            Some(edits) if !edits.is_empty() => Cow::Owned(apply(text, &edits)),
            _ => Cow::Borrowed(text),
        }
    }

    /// Returns a whole page of output with the secrets in it hidden, as a last line of defense behind [`Self::result`].
    ///
    /// Values of fewer than eight characters stay: on a page they may be words of ananke's own, such as keys of JSON.
    pub fn page<'t>(&self, page: &'t str) -> Cow<'t, str> {
        let edits = self.inner().map(|inner| inner.edits(page, Weak::Keep));
        match edits {
            Some(edits) if !edits.is_empty() => Cow::Owned(apply(page, &edits)),
            _ => Cow::Borrowed(page),
        }
    }

    /// Hides the secrets in all strings, keys and numbers of `value`. Tells whether there were any.
    pub fn value(&self, value: &mut Value) -> bool {
        self.inner()
            .is_some_and(|inner| inner.has(value, Weak::Hide) && inner.hide(value, Weak::Hide))
    }

    pub(super) fn inner(&self) -> Option<&Inner> {
        self.0.as_deref()
    }
}

/// Returns `variables` as judging a bundle sees them: secrets in values replaced by what the bundle holds instead.
pub fn placeholders(secrets: &Secrets, mut variables: Variables) -> Variables {
    let redactor = secrets.redactor();
    for value in variables.variables.values_mut() {
        redactor.value(value);
    }
    for value in variables.environment.values_mut() {
        if let Cow::Owned(hidden) = redactor.text(value) {
            *value = hidden;
        }
    }
    variables
}

impl Inner {
    fn new(secrets: &Secrets) -> Self {
        let mut patterns: BTreeMap<String, Pattern> = BTreeMap::new();
        let mut numbers = HashMap::new();
        let mut add = |text: String, shown: Option<String>| {
            let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
            patterns.entry(text.clone()).or_insert(Pattern {
                is_weak: text.chars().count() < STRONG_CHARS,
                is_weak_number: is_digits && text.len() < STRONG_DIGITS,
                text,
                shown,
            });
        };
        for secret in &secrets.list {
            for (form, encoding) in forms(&secret.value) {
                let how = match encoding {
                    Encoding::Plain => "",
                    Encoding::Base64 => " as base64",
                    Encoding::Percent => " percent-encoded",
                };
                let own = placeholder(&secret.name, how);
                let shown = match encoding {
                    Encoding::Plain => with_inner_names(secret, &secrets.list, &own),
                    Encoding::Base64 | Encoding::Percent => own.clone(),
                };
                add(form, Some(shown));
                add(own, None);
            }
            if serde_json::from_str::<serde_json::Number>(&secret.value).is_ok() {
                numbers.insert(secret.value.clone(), placeholder(&secret.name, ""));
            }
        }
        let patterns: Vec<Pattern> = patterns.into_values().collect();
        let n_bytes: usize = patterns.iter().map(|pattern| pattern.text.len()).sum();
        let kind = (n_bytes > MAX_DFA_BYTES).then_some(AhoCorasickKind::ContiguousNFA);
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .kind(kind)
            .build(patterns.iter().map(|pattern| &pattern.text))
            .expect("an environment is far smaller than the two billion states there may be");
        Self {
            secrets: secrets.clone(),
            automaton,
            longest: patterns
                .iter()
                .map(|pattern| pattern.text.len())
                .max()
                .unwrap_or(1),
            patterns,
            numbers,
        }
    }

    /// Tells whether a pattern may be in `text`: if not, there is nothing to edit.
    pub(super) fn may_hit(&self, text: &str) -> bool {
        self.automaton.is_match(text)
    }

    /// Returns what is to be changed in `text`, in order.
    pub(super) fn edits(&self, text: &str, weak: Weak) -> Vec<Edit> {
        let mut edits = Vec::new();
        let mut at = 0;
        while let Some(hit) = self.automaton.find(Input::new(text).range(at..)) {
            let pattern = &self.patterns[hit.pattern().as_usize()];
            let is_kept = (weak == Weak::Keep && pattern.is_weak)
                || (pattern.is_weak_number && is_in_number(text, &hit.range()));
            if is_kept {
                at = hit.start() + 1;
                continue;
            }
            at = hit.end();
            edits.extend(pattern.shown.as_ref().map(|shown| Edit {
                range: hit.range(),
                shown: shown.clone(),
            }));
        }
        edits
    }

    /// Returns what is shown for a number, if it is secret.
    pub(super) fn number(&self, number: &str) -> Option<&str> {
        self.numbers.get(number).map(String::as_str)
    }

    pub(super) fn has(&self, value: &Value, weak: Weak) -> bool {
        match value {
            Value::String(text) => self.may_hit(text) && !self.string_edits(text, weak).is_empty(),
            Value::Number(number) => {
                !self.numbers.is_empty() && self.number(&number.to_string()).is_some()
            }
            Value::Array(items) => items.iter().any(|item| self.has(item, Weak::Hide)),
            Value::Object(members) => members.iter().any(|(key, item)| {
                !self.edits(key, Weak::Keep).is_empty() || self.has(item, weak_under(key))
            }),
            Value::Null | Value::Bool(_) => false,
        }
    }

    pub(super) fn hide(&self, value: &mut Value, weak: Weak) -> bool {
        match value {
            Value::String(text) => {
                let edits = self.string_edits(text, weak);
                if !edits.is_empty() {
                    *text = apply(text, &edits);
                }
                !edits.is_empty()
            }
            Value::Number(number) => {
                let shown = self.number(&number.to_string()).map(Value::from);
                shown.map(|shown| *value = shown).is_some()
            }
            Value::Array(items) => items
                .iter_mut()
                .fold(false, |is_hit, item| self.hide(item, Weak::Hide) | is_hit),
            Value::Object(members) => {
                let mut is_hit = false;
                for (key, item) in members.iter_mut() {
                    is_hit |= self.hide(item, weak_under(key));
                }
                is_hit | self.hide_keys(members)
            }
            Value::Null | Value::Bool(_) => false,
        }
    }

    fn hide_keys(&self, members: &mut Map<String, Value>) -> bool {
        let is_hit = |key: &String| !self.edits(key, Weak::Keep).is_empty();
        if !members.keys().any(is_hit) {
            return false;
        }
        *members = std::mem::take(members)
            .into_iter()
            .map(|(key, item)| (apply(&key, &self.edits(&key, Weak::Keep)), item))
            .collect();
        true
    }

    /// A string may hold JSON itself: the arguments of a call in its message.
    fn string_edits(&self, text: &str, weak: Weak) -> Vec<Edit> {
        match weak {
            Weak::Hide => json_text::edits(self, text),
            Weak::Keep => self.edits(text, weak),
        }
    }
}

/// Returns how weak secrets are treated in the value of a member.
pub(super) fn weak_under(key: &str) -> Weak {
    match key {
        "type" | "role" => Weak::Keep,
        _ => Weak::Hide,
    }
}

/// Returns what is shown for a secret that may hold other secrets: their names stay visible, so that checks which ask for
/// them find them in a bundle too.
fn with_inner_names(secret: &Secret, all: &[Secret], own: &str) -> String {
    let mut shown = String::new();
    let mut is_own = false;
    let mut rest = secret.value.as_str();
    while let Some(c) = rest.chars().next() {
        let inner = all
            .iter()
            .filter(|inner| inner.name != secret.name && inner.value != secret.value)
            .filter(|inner| rest.starts_with(&inner.value))
            .max_by_key(|inner| inner.value.len());
        let (n_bytes, name) = match inner {
            Some(inner) => (inner.value.len(), Some(placeholder(&inner.name, ""))),
            None => (c.len_utf8(), (!is_own).then(|| own.to_owned())),
        };
        is_own = inner.is_none();
        shown.extend(name);
        rest = rest.get(n_bytes..).unwrap_or_default();
    }
    shown
}

/// Tells whether digits go on before or behind a hit.
fn is_in_number(text: &str, hit: &Range<usize>) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let (before, after) = (
        text.get(..hit.start).unwrap_or(""),
        text.get(hit.end..).unwrap_or(""),
    );
    let fraction = after.strip_prefix('.').unwrap_or(after);
    digit(before.chars().next_back()) || digit(fraction.chars().next())
}

/// Returns `text` with the edits made.
pub(super) fn apply(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(text.get(at..edit.range.start).unwrap_or(""));
        out.push_str(&edit.shown);
        at = edit.range.end;
    }
    out.push_str(text.get(at..).unwrap_or(""));
    out
}

// Values must not get into logs and panics by way of `{:?}`.
impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secrets = self.inner().map(|inner| &inner.secrets);
        f.debug_tuple("Redactor").field(&secrets).finish()
    }
}
