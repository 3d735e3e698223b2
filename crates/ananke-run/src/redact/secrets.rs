//! The values that must not be shown, each with the name that is shown instead.

use std::collections::BTreeSet;
use std::fmt;

use ananke_model::variables::{Reference, Scope, Variables, text_form};

use super::redactor::Redactor;

/// Shorter values are found everywhere by chance; hiding them would hide everything.
pub(super) const MIN_CHARS: usize = 4;
/// Words that flags are set to. They are no secrets, wherever they stand.
const FLAGS: [&str; 5] = ["true", "false", "null", "none", "undefined"];

/// A value that must not be shown.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Secret {
    /// What is shown instead.
    pub(super) name: String,
    pub(super) value: String,
}

/// The values that must not be shown.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secrets {
    /// In the order in which they were added: where two have the same value, the first name is shown.
    pub(super) list: Vec<Secret>,
    /// Names whose values are secret whenever a hook gives one.
    pub(super) names: BTreeSet<String>,
    /// Names whose values are too short to be hidden.
    pub(super) too_short: BTreeSet<String>,
}

/// `--secret` names something that has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("neither --var nor the environment has a value for `{name}`")]
pub struct UnknownSecret {
    /// The name.
    pub name: String,
}

impl Secrets {
    /// Adds a value and the name that is shown instead. Nothing is added that is empty or known.
    pub fn add(&mut self, name: &str, value: &str) {
        let value = value.trim();
        let is_known = self.list.iter().any(|secret| secret.value == value);
        // A value that was hidden before, as in the variables of a bundle, is no secret.
        let is_hidden = value.starts_with("[redacted ") && value.ends_with(']');
        if value.is_empty()
            || is_hidden
            || is_known
            || FLAGS.contains(&value.to_lowercase().as_str())
        {
            return;
        }
        let name = self.shown_name(name, value);
        match name {
            Some(name) if value.chars().count() >= MIN_CHARS => self.list.push(Secret {
                name,
                value: value.to_owned(),
            }),
            name => {
                let name = name.unwrap_or_else(|| "unnamed".to_owned());
                self.too_short.insert(name);
            }
        }
    }

    /// Adds what `--secret NAME` names: a `--var`, or else a variable of the environment; and whatever hooks give as it.
    pub fn add_named(&mut self, name: &str, variables: &Variables) -> Result<(), UnknownSecret> {
        self.names.insert(name.to_owned());
        let scopes = [Scope::Variable, Scope::Environment];
        let value = scopes.into_iter().find_map(|scope| {
            variables.get(&Reference {
                scope,
                name,
                default: None,
            })
        });
        match value {
            Some(value) => {
                self.add(name, &text_form(&value));
                Ok(())
            }
            None => Err(UnknownSecret {
                name: name.to_owned(),
            }),
        }
    }

    /// Takes over everything that `other` holds.
    pub fn extend(&mut self, other: Self) {
        for secret in other.list {
            self.add(&secret.name, &secret.value);
        }
        self.names.extend(other.names);
        self.too_short.extend(other.too_short);
    }

    /// Returns what hides the values.
    pub fn redactor(&self) -> Redactor {
        Redactor::new(self)
    }

    /// Returns the name to show: without signs that JSON or a terminal would read, and without the value itself.
    fn shown_name(&self, name: &str, value: &str) -> Option<String> {
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() || "_-.".contains(c) {
                c
            } else {
                '_'
            }
        };
        let own: String = name.chars().take(64).map(plain).collect();
        let other = format!("secret-{}", self.list.len() + 1);
        [own, other]
            .into_iter()
            .find(|name| !name.is_empty() && !placeholder(name, "").contains(value))
    }
}

/// Returns one sentence about values that are too short to be hidden, if there are any.
pub(super) fn notice(too_short: &BTreeSet<String>) -> Option<String> {
    let names: Vec<String> = too_short.iter().map(|name| format!("`{name}`")).collect();
    let are = match names.len() {
        0 => return None,
        1 => "is",
        _ => "are",
    };
    Some(format!(
        "{} {are} not redacted: a value shorter than {MIN_CHARS} characters is found everywhere",
        names.join(", ")
    ))
}

/// Returns what is shown in the place of a value.
pub(super) fn placeholder(name: &str, how: &str) -> String {
    format!("[redacted {name}{how}]")
}

// Values must not get into logs and panics by way of `{:?}`.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.list.iter().map(|secret| &secret.name);
        f.debug_tuple("Secrets")
            .field(&names.collect::<Vec<_>>())
            .finish()
    }
}
