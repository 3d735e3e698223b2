//! Texts that may hold secrets, wherever they are written.

use crate::place::Text;

/// A text that may hold a secret, in a target or a connector that some test uses or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sensitive {
    /// What it is the value of.
    pub holder: SecretHolder,
    /// The text, with its references.
    pub text: Text,
}

/// What a text that may hold a secret is the value of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SecretHolder {
    /// A header, by its name.
    Header(String),
    /// The URL of an agent.
    Url,
    /// The key of a chat endpoint.
    Key,
    /// A variable in the environment of a program, by its name.
    Environment(String),
}
