//! The tree: scalars, lists and maps, each with its place.

use ananke_model::place::{Place, Text};

/// A value in a YAML file.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Where it is written; the first line of what spans several.
    pub(crate) place: Place,
    /// What it is.
    pub(crate) kind: Kind,
}

/// What a node is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A single value.
    Scalar(Scalar),
    /// A list.
    Seq(Vec<Node>),
    /// A map, in the order of the file.
    Map(Vec<Entry>),
    /// Could not be composed; a diagnostic about it exists, and readers stay silent.
    Broken,
}

/// A key with its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The key, in the form in which it was written.
    pub(crate) key: Text,
    /// The value.
    pub(crate) value: Node,
}

/// A single value.
#[derive(Clone, Debug)]
pub(crate) struct Scalar {
    /// The text as written, after unquoting.
    pub(crate) text: String,
    /// What the text stands for.
    pub(crate) kind: ScalarKind,
}

/// What a scalar stands for in the core schema of YAML 1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScalarKind {
    /// `null`, `~` or nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int,
    /// A number with a fraction or an exponent, an infinity, or not a number.
    Float,
    /// Text, quoted or not.
    Str,
}

impl Node {
    /// Returns the scalar, if this is one.
    pub(crate) fn scalar(&self) -> Option<&Scalar> {
        match &self.kind {
            Kind::Scalar(scalar) => Some(scalar),
            Kind::Seq(_) | Kind::Map(_) | Kind::Broken => None,
        }
    }

    /// Tells whether this is `false`, which drops what a block would inherit.
    pub(crate) fn is_false(&self) -> bool {
        self.scalar()
            .is_some_and(|scalar| scalar.kind == ScalarKind::Bool(false))
    }

    /// Tells whether this is `null` or nothing.
    pub(crate) fn is_null(&self) -> bool {
        self.scalar()
            .is_some_and(|scalar| scalar.kind == ScalarKind::Null)
    }

    /// Returns the value under `key`, if this is a map that has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match &self.kind {
            Kind::Map(entries) => entries
                .iter()
                .find(|entry| entry.key.text == key)
                .map(|entry| &entry.value),
            Kind::Scalar(_) | Kind::Seq(_) | Kind::Broken => None,
        }
    }

    /// Returns what a message says was found here.
    pub(crate) fn described(&self) -> String {
        match &self.kind {
            Kind::Scalar(scalar) => match scalar.kind {
                ScalarKind::Null => "nothing".to_owned(),
                ScalarKind::Bool(value) => format!("`{value}`"),
                ScalarKind::Int | ScalarKind::Float => format!("the number `{}`", scalar.text),
                ScalarKind::Str => "text".to_owned(),
            },
            Kind::Seq(_) => "a list".to_owned(),
            Kind::Map(_) => "a map".to_owned(),
            Kind::Broken => "something broken".to_owned(),
        }
    }
}
