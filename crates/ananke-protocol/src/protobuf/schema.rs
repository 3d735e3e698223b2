//! The vocabulary of the message tables: what a field is called in JSON, what it holds, and when it is present.

use serde_json::{Map, Value};

/// Describes one protobuf message.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) name: &'static str,
    pub(super) fields: &'static [Field],
}

/// Describes one field of a message.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) number: u32,
    /// The JSON name.
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) presence: Presence,
}

/// Says how a field's bytes are read.
#[derive(Debug)]
pub(super) enum Kind {
    Text,
    /// `int64`, or an enum that nobody names.
    Integer,
    Flag,
    /// The enum of JSON Patch operations.
    PatchOp,
    /// `google.protobuf.Value`: any JSON.
    Json,
    /// `google.protobuf.Struct`: a JSON object.
    Object,
    Message(&'static Message),
}

/// Says what the absence of a field means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// proto3 without `optional`: an absent string is empty, an absent patch operation is `add`.
    Implicit,
    /// An absent field is absent.
    Optional,
    /// An absent field is the empty list.
    Repeated,
}

impl Message {
    /// Returns the field with this number.
    pub(super) fn field(&self, number: u32) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.number == number)
    }

    /// Returns the JSON object of a message without any bytes: the default values.
    pub(super) fn empty(&self) -> Map<String, Value> {
        self.fields
            .iter()
            .filter_map(|field| Some((field.name.to_owned(), field.default_value()?)))
            .collect()
    }
}

impl Field {
    fn default_value(&self) -> Option<Value> {
        match (self.presence, &self.kind) {
            (Presence::Optional, _) => None,
            (Presence::Repeated, _) => Some(Value::Array(Vec::new())),
            (Presence::Implicit, Kind::PatchOp) => Some(patch_op(0)),
            (Presence::Implicit, _) => Some(Value::String(String::new())),
        }
    }
}

/// Names a JSON Patch operation. One that this version does not know stays visible as its number.
pub(super) fn patch_op(code: i64) -> Value {
    let name = match code {
        0 => "add",
        1 => "remove",
        2 => "replace",
        3 => "move",
        4 => "copy",
        5 => "test",
        other => return Value::String(other.to_string()),
    };
    Value::from(name)
}

/// A string that is always there.
pub(super) const fn text(number: u32, name: &'static str) -> Field {
    field(number, name, Kind::Text, Presence::Implicit)
}

/// A field that may be absent.
pub(super) const fn optional(number: u32, name: &'static str, kind: Kind) -> Field {
    field(number, name, kind, Presence::Optional)
}

/// A string that may be absent.
pub(super) const fn optional_text(number: u32, name: &'static str) -> Field {
    optional(number, name, Kind::Text)
}

/// A list.
pub(super) const fn repeated(number: u32, name: &'static str, kind: Kind) -> Field {
    field(number, name, kind, Presence::Repeated)
}

/// A list of messages.
pub(super) const fn messages(number: u32, name: &'static str, message: &'static Message) -> Field {
    repeated(number, name, Kind::Message(message))
}

/// A field of the given kind and presence.
pub(super) const fn field(
    number: u32,
    name: &'static str,
    kind: Kind,
    presence: Presence,
) -> Field {
    Field {
        number,
        name,
        kind,
        presence,
    }
}
