//! Resolves the `${…}` references of a test, and says which of them have no value.

use ananke_model::place::{Json, Place, Text};
use ananke_model::variables::{Undefined, Variables};
use serde_json::Value;

/// Resolves references and collects those that have no value.
pub(crate) struct Resolver<'a> {
    variables: &'a Variables,
    /// Names, each with the place where it is first used.
    undefined: Vec<(String, Place)>,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(variables: &'a Variables) -> Self {
        Self {
            variables,
            undefined: Vec::new(),
        }
    }

    pub(crate) fn text(&mut self, text: &Text) -> String {
        self.variables.text(&text.text).unwrap_or_else(|names| {
            self.miss(names, &text.place);
            String::new()
        })
    }

    pub(crate) fn json(&mut self, json: &Json) -> Value {
        self.variables.json(&json.value).unwrap_or_else(|names| {
            self.miss(names, &json.place);
            Value::Null
        })
    }

    fn miss(&mut self, names: Undefined, place: &Place) {
        for name in names {
            if !self.undefined.iter().any(|(known, _)| *known == name) {
                self.undefined.push((name, place.clone()));
            }
        }
    }

    /// Returns what is wrong, if a reference had no value.
    pub(crate) fn finish(self) -> Result<(), String> {
        if self.undefined.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = self
            .undefined
            .iter()
            .map(|(name, place)| format!("${{{name}}} ({place})"))
            .collect();
        let names = names.join(", ");
        let known: Vec<&str> = self
            .variables
            .variables
            .keys()
            .map(String::as_str)
            .collect();
        let known = match known.as_slice() {
            [] => "no hook has printed a variable".to_owned(),
            names => format!("known are {}", names.join(", ")),
        };
        Err(format!("no value for {names}: {known}"))
    }
}
