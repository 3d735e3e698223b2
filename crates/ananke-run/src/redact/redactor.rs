//! The handle that everybody holds who writes: what one learns, all hide from then on.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use ananke_model::plan::Target;
use ananke_model::variables::{Variables, text_form};
use serde_json::{Map, Value};

use super::inner::{Hold, Inner, Weak, apply};
use super::secrets::{Secrets, notice};
use super::sources::secrets_of_target;

/// Hides secrets. All clones of a redactor know the same.
#[derive(Clone)]
pub struct Redactor(Option<Arc<RwLock<Inner>>>);

impl Redactor {
    /// Returns a redactor that hides nothing and never will.
    pub fn none() -> Self {
        Self(None)
    }

    pub(super) fn new(secrets: &Secrets) -> Self {
        let redactor = Self(Some(Arc::default()));
        redactor.add(secrets);
        redactor
    }

    /// Hides more from now on.
    pub fn add(&self, secrets: &Secrets) {
        self.take_in(secrets, Hold::Always);
    }

    /// Learns what hooks gave: the secrets of the target with these variables, and the values of names that are secret.
    pub(crate) fn learn(&self, target: &Target, variables: &Variables, given: &Map<String, Value>) {
        let Some(shared) = &self.0 else {
            return;
        };
        let mut secrets = Secrets::default();
        let inner = shared.read().unwrap_or_else(PoisonError::into_inner);
        let named = given.iter().filter(|(name, _)| inner.is_named(name));
        for (name, value) in named {
            secrets.add(name, &text_form(value));
        }
        drop(inner);
        secrets.extend(secrets_of_target(target, variables));
        self.take_in(&secrets, Hold::WhileNew);
    }

    fn take_in(&self, secrets: &Secrets, hold: Hold) {
        let Some(shared) = &self.0 else {
            return;
        };
        // Nearly always there is nothing new, and readers need not wait.
        let inner = shared.read().unwrap_or_else(PoisonError::into_inner);
        let is_known = inner.holds(secrets);
        drop(inner);
        if !is_known {
            let mut inner = shared.write().unwrap_or_else(PoisonError::into_inner);
            inner.add(secrets, hold);
        }
    }

    /// Tells whether there is nothing to hide so far.
    pub fn is_idle(&self) -> bool {
        self.0.as_ref().is_none_or(|shared| {
            let inner = shared.read().unwrap_or_else(PoisonError::into_inner);
            inner.is_empty()
        })
    }

    /// Returns one sentence about values that are too short to be hidden, if there are any.
    pub fn notice(&self) -> Option<String> {
        let shared = self.0.as_ref()?;
        let inner = shared.read().unwrap_or_else(PoisonError::into_inner);
        notice(inner.too_short())
    }

    /// Returns `text` with the secrets in it hidden.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.edited(text, Weak::Hide)
    }

    /// Returns a whole page of output with the secrets in it hidden, as a last line of defense behind [`Self::result`].
    ///
    /// Values of fewer than eight characters stay: on a page they may be words of ananke's own, such as keys of JSON.
    pub fn page<'t>(&self, page: &'t str) -> Cow<'t, str> {
        self.edited(page, Weak::Keep)
    }

    fn edited<'t>(&self, text: &'t str, weak: Weak) -> Cow<'t, str> {
        let edits = self.inner().map(|inner| inner.edits(text, weak));
        match edits {
            Some(edits) if !edits.is_empty() => Cow::Owned(apply(text, &edits)),
            _ => Cow::Borrowed(text),
        }
    }

    /// Hides the secrets in all strings, keys and numbers of `value`. Tells whether there were any.
    pub fn value(&self, value: &mut Value) -> bool {
        self.inner().is_some_and(|inner| inner.value(value))
    }

    /// Returns what is known, if there is anything to hide. It must not be asked for again while it is held.
    pub(super) fn inner(&self) -> Option<RwLockReadGuard<'_, Inner>> {
        let shared = self.0.as_ref()?;
        let inner = shared.read().unwrap_or_else(PoisonError::into_inner);
        (!inner.is_empty()).then_some(inner)
    }
}

/// Returns `variables` as judging a bundle sees them: secrets in values replaced by what the bundle holds instead.
pub fn placeholders(redactor: &Redactor, mut variables: Variables) -> Variables {
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

// Values must not get into logs and panics by way of `{:?}`.
impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = self.inner();
        let names = inner.iter().flat_map(|inner| inner.names());
        f.debug_tuple("Redactor")
            .field(&names.collect::<Vec<_>>())
            .finish()
    }
}
