//! What a redactor knows: the values, every way to write them, and what is shown instead.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::forms::{Encoding, forms};
use super::growing;
use super::index::{Index, prefixes};
use super::secrets::{Secret, Secrets, placeholder};

/// A value that is shorter may be a word of the protocol: it is left alone in keys, types and roles.
const STRONG_CHARS: usize = 8;
/// Digits that are fewer may be a part of any longer number, a time for example.
const STRONG_DIGITS: usize = 16;
/// How many of the values that hooks gave are remembered, the newest ones, and how long they may be together.
const MOST_LEARNED: usize = 10_000;
const MOST_LEARNED_BYTES: usize = 4 << 20;
/// Longer values are whole files, which are not looked through for others.
const LONGEST_WITH_OTHERS: usize = 4096;

/// What a redactor knows.
#[derive(Default)]
pub(super) struct Inner {
    /// The secrets by their values.
    values: BTreeMap<String, Held>,
    /// Those that go when too many have come, the oldest first.
    by_age: BTreeMap<u64, String>,
    next_age: u64,
    n_learned_bytes: usize,
    /// Names whose values are secret whenever a hook gives one.
    names: BTreeSet<String>,
    /// Names whose values are too short to be hidden.
    too_short: BTreeSet<String>,
    /// Everything to look for.
    pub(super) patterns: Index<Pattern>,
    /// The patterns backwards, with what is shown: for what is left of them behind a cut.
    pub(super) backwards: Index<Arc<str>>,
    /// The first halves of values, which may go on to be the whole.
    pub(super) halves: Index<()>,
    /// What is shown for values that JSON may hold as numbers.
    numbers: HashMap<String, Arc<str>>,
}

/// What is known of a value.
struct Held {
    name: String,
    /// When it was learned; nothing if it is held for the whole run.
    age: Option<u64>,
}

/// How long a value is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// For the whole run.
    Always,
    /// Until very many others have come.
    WhileNew,
}

/// Something to look for.
pub(super) struct Pattern {
    /// What is shown instead; nothing for what was redacted before.
    pub(super) shown: Option<Arc<str>>,
    pub(super) is_weak: bool,
    is_weak_number: bool,
}

impl Pattern {
    fn new(text: &str, shown: Option<Arc<str>>) -> Self {
        let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        Self {
            shown,
            is_weak: text.chars().count() < STRONG_CHARS,
            is_weak_number: is_digits && text.len() < STRONG_DIGITS,
        }
    }
}

/// A stretch of a text and what is to stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) shown: Arc<str>,
}

/// Whether values that may be words of the protocol are hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weak {
    Hide,
    Keep,
}

impl Inner {
    /// Tells whether there is nothing to hide.
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the names of the secrets.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.values.values().map(|held| held.name.as_str())
    }

    /// Returns the names whose values are too short to be hidden.
    pub(super) fn too_short(&self) -> &BTreeSet<String> {
        &self.too_short
    }

    /// Tells whether the value of a variable is secret whatever it is.
    pub(super) fn is_named(&self, variable: &str) -> bool {
        self.names.contains(variable)
    }

    /// Tells whether all of `secrets` are held for the whole run.
    pub(super) fn holds(&self, secrets: &Secrets) -> bool {
        let held = |secret: &Secret| self.values.get(&secret.value);
        let is_lasting = |secret| held(secret).is_some_and(|held| held.age.is_none());
        secrets.list.iter().all(is_lasting)
            && secrets.names.is_subset(&self.names)
            && secrets.too_short.is_subset(&self.too_short)
    }

    /// Takes in secrets; those that are known become new again.
    pub(super) fn add(&mut self, secrets: &Secrets, hold: Hold) {
        self.names.extend(secrets.names.iter().cloned());
        self.too_short.extend(secrets.too_short.iter().cloned());
        let mut new = Vec::new();
        for secret in &secrets.list {
            match self.values.get(&secret.value).map(|held| held.age) {
                Some(None) => continue,
                Some(Some(former)) => {
                    self.by_age.remove(&former);
                    self.n_learned_bytes -= secret.value.len();
                }
                None => {
                    let name = secret.name.clone();
                    let held = Held { name, age: None };
                    self.values.insert(secret.value.clone(), held);
                    new.push(secret);
                }
            }
            let age = (hold == Hold::WhileNew).then_some(self.next_age);
            if let Some(held) = self.values.get_mut(&secret.value) {
                held.age = age;
            }
            if let Some(age) = age {
                self.next_age += 1;
                self.n_learned_bytes += secret.value.len();
                self.by_age.insert(age, secret.value.clone());
            }
        }
        // Only now, since one may hold another.
        for secret in new {
            self.look_for(secret);
        }
        self.forget(MOST_LEARNED, MOST_LEARNED_BYTES);
    }

    /// Forgets the oldest of what was learned until so much is left.
    fn forget(&mut self, n_most: usize, n_most_bytes: usize) {
        while self.by_age.len() > n_most
            || (self.n_learned_bytes > n_most_bytes && self.by_age.len() > 1)
        {
            self.forget_oldest();
        }
    }

    fn look_for(&mut self, secret: &Secret) {
        let own = Encoding::ALL.map(|how| placeholder(&secret.name, how.words()));
        for own in &own {
            self.patterns.insert(own, Pattern::new(own, None));
        }
        let plain = self.with_inner_names(secret);
        for (form, encoding) in forms(&secret.value) {
            let shown: Arc<str> = match encoding {
                Encoding::Plain => Arc::clone(&plain),
                other => placeholder(&secret.name, other.words()).into(),
            };
            self.backwards.insert(&reversed(&form), Arc::clone(&shown));
            let pattern = Pattern::new(&form, Some(shown));
            if encoding == Encoding::Plain && !pattern.is_weak {
                self.halves.insert(growing::half(&form), ());
            }
            self.patterns.insert(&form, pattern);
        }
        if serde_json::from_str::<serde_json::Number>(&secret.value).is_ok() {
            let shown = placeholder(&secret.name, "");
            self.numbers.insert(secret.value.clone(), shown.into());
        }
    }

    /// Undoes [`Self::look_for`].
    fn forget_oldest(&mut self) {
        let Some((_, value)) = self.by_age.pop_first() else {
            return;
        };
        self.n_learned_bytes -= value.len();
        self.numbers.remove(&value);
        let name = self.values.remove(&value).map(|held| held.name);
        for how in Encoding::ALL {
            let own = name.as_ref().map(|name| placeholder(name, how.words()));
            self.patterns.remove(&own.unwrap_or_default());
        }
        for (form, encoding) in forms(&value) {
            self.backwards.remove(&reversed(&form));
            let is_weak = Pattern::new(&form, None).is_weak;
            if encoding == Encoding::Plain && !is_weak {
                self.halves.remove(growing::half(&form));
            }
            self.patterns.remove(&form);
        }
    }

    /// Returns what is shown for a secret that may hold other secrets: their names stay visible, so that checks which ask
    /// for them find them in a bundle too.
    fn with_inner_names(&self, secret: &Secret) -> Arc<str> {
        if secret.value.len() > LONGEST_WITH_OTHERS {
            return placeholder(&secret.name, "").into();
        }
        let mut shown = String::new();
        let mut is_own = false;
        let mut rest = secret.value.as_str();
        while let Some(c) = rest.chars().next() {
            let inner = prefixes(&self.values, rest)
                .find(|(value, held)| held.name != secret.name && *value != secret.value);
            let (n_bytes, name) = match inner {
                Some((value, held)) => (value.len(), Some(&held.name)),
                None => (c.len_utf8(), (!is_own).then_some(&secret.name)),
            };
            is_own = inner.is_none();
            shown.extend(name.map(|name| placeholder(name, "")));
            rest = rest.get(n_bytes..).unwrap_or_default();
        }
        shown.into()
    }

    /// Tells whether a pattern may be in `text`: if not, there is nothing to edit.
    pub(super) fn may_hit(&self, text: &str) -> bool {
        self.patterns.find(text, 0).is_some()
    }

    /// Returns what is to be changed in `text`, in order.
    pub(super) fn edits(&self, text: &str, weak: Weak) -> Vec<Edit> {
        let mut edits = Vec::new();
        let mut at = 0;
        while let Some((range, pattern)) = self.patterns.find(text, at) {
            let is_kept = (weak == Weak::Keep && pattern.is_weak)
                || (pattern.is_weak_number && is_in_number(text, &range));
            if is_kept {
                at = range.start + 1;
                continue;
            }
            at = range.end;
            if let Some(shown) = &pattern.shown {
                let shown = Arc::clone(shown);
                edits.push(Edit { range, shown });
            }
        }
        edits
    }

    /// Returns what is shown for a number, if it is secret.
    pub(super) fn number(&self, number: &str) -> Option<&str> {
        self.numbers.get(number).map(|shown| &**shown)
    }

    /// Tells whether any secret is a number.
    pub(super) fn has_numbers(&self) -> bool {
        !self.numbers.is_empty()
    }
}

/// Returns the characters from the last to the first.
pub(super) fn reversed(text: &str) -> String {
    text.chars().rev().collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn add(inner: &mut Inner, value: &str, hold: Hold) {
        let mut secrets = Secrets::default();
        secrets.add("TOKEN", value);
        inner.add(&secrets, hold);
    }

    fn is_hidden(inner: &Inner, text: &str) -> bool {
        !inner.edits(text, Weak::Hide).is_empty()
    }

    #[test]
    fn the_oldest_go_when_too_many_have_come() {
        let mut inner = Inner::default();
        add(&mut inner, "given-with-the-run", Hold::Always);
        let token = |number: usize| format!("{number}-token-{number}");
        for number in 0..100 {
            add(&mut inner, &token(number), Hold::WhileNew);
            // One that comes again and again stays new.
            add(&mut inner, "every-test-has-it", Hold::WhileNew);
        }
        inner.forget(100, MOST_LEARNED_BYTES);
        assert!(!is_hidden(&inner, &token(0)));
        assert!(is_hidden(&inner, &token(1)) && is_hidden(&inner, &token(99)));
        assert!(is_hidden(&inner, "every-test-has-it") && is_hidden(&inner, "given-with-the-run"));
        assert!(!is_hidden(&inner, "[redacted TOKEN]"));
    }

    #[test]
    fn long_ones_go_sooner() {
        let mut inner = Inner::default();
        for value in ["first-token", "second-token", "third-token"] {
            add(&mut inner, value, Hold::WhileNew);
        }
        inner.forget(MOST_LEARNED, 23);
        let text = "first-token second-token third-token";
        assert_eq!(
            apply(text, &inner.edits(text, Weak::Hide)),
            "first-token [redacted TOKEN] [redacted TOKEN]"
        );
        inner.forget(MOST_LEARNED, 3);
        assert!(is_hidden(&inner, "third-token"), "the newest stays");
    }
}
