//! What a case knows beside what every test has.

use ananke_model::case::CaseKind;
use ananke_model::place::{Json, Place, Text};
use serde_json::Value;

use super::dynamic::DynamicSpec;

/// What is written in a case and in no other test.
#[derive(Clone, Debug)]
pub(crate) struct CaseSpec {
    /// Its id; unique in its file.
    pub(crate) id: Text,
    /// Where it came from.
    pub(crate) kind: CaseKind,
    /// `input` or `messages` as written.
    pub(crate) input: Value,
    /// How many messages are sent.
    pub(crate) n_messages: usize,
    /// `expected` as written.
    pub(crate) expected: Option<Value>,
    /// `user`.
    pub(crate) user: Option<Text>,
    /// `team`.
    pub(crate) team: Option<Text>,
    /// `metadata`, an object.
    pub(crate) metadata: Option<Json>,
    /// `options`.
    pub(crate) options: Vec<CaseOption>,
    /// `timeout`: the limit of the whole case.
    pub(crate) timeout_ms: Option<u64>,
    /// `before`: a function of a script.
    pub(crate) before: Option<Text>,
    /// `after`: a function of a script.
    pub(crate) after: Option<Text>,
    /// How the conversation goes if a simulator leads it.
    pub(crate) dynamic: Option<Box<DynamicSpec>>,
}

/// A key of `options`: a known one, with a value of the right type.
#[derive(Clone, Debug)]
pub(crate) struct CaseOption {
    /// Where the key is written.
    pub(crate) place: Place,
    /// The key.
    pub(crate) name: &'static str,
    /// Its value.
    pub(crate) value: Json,
}

impl CaseSpec {
    /// Returns an option, if it is written.
    pub(crate) fn option(&self, name: &str) -> Option<&CaseOption> {
        self.options.iter().find(|option| option.name == name)
    }
}
