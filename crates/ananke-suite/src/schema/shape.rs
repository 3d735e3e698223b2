//! How a shape is written down: its keys, and for each key what may stand under it.

/// A map that a user can write.
#[derive(Debug)]
pub(crate) struct Shape {
    /// Its name under `$defs`.
    pub(crate) name: &'static str,
    /// What messages call it.
    pub(crate) title: &'static str,
    /// What it is for.
    pub(crate) doc: &'static str,
    /// Its keys.
    pub(crate) fields: &'static [Field],
    /// Keys that users are likely to write here and that belong elsewhere, with the hint.
    pub(crate) elsewhere: &'static [(&'static str, &'static str)],
}

/// A key of a shape.
#[derive(Debug)]
pub(crate) struct Field {
    /// The key.
    pub(crate) name: &'static str,
    /// What may stand under it.
    pub(crate) kind: FieldKind,
    /// Tells whether the shape is incomplete without it.
    pub(crate) required: bool,
    /// A value in YAML, for editors and tests.
    pub(crate) example: &'static str,
    /// What it is for.
    pub(crate) doc: &'static str,
}

/// What may stand under a key.
#[derive(Debug)]
pub(crate) enum FieldKind {
    /// The version of the format.
    Version,
    /// Text that is not empty.
    Text,
    /// Text that may be empty.
    AnyText,
    /// A text, or a list of texts.
    Texts,
    /// A list of texts.
    TextList,
    /// A list of texts that may be empty.
    AnyTextList,
    /// Program and arguments.
    Command,
    /// A pattern: any scalar.
    Pattern,
    /// A pattern, or a list of patterns.
    Patterns,
    /// Argument paths with patterns.
    PatternMap,
    /// Names with any scalar.
    ScalarMap,
    /// Names with `true` or `false`.
    BoolMap,
    /// A time in milliseconds, at least 1.
    Millis,
    /// A size in bytes, at least 1.
    Bytes,
    /// A whole number, at least 1.
    Positive,
    /// A whole number, 0 included.
    Count,
    /// A whole number between these two.
    Whole(u64, u64),
    /// `true` or `false`.
    Bool,
    /// A time with a unit.
    Duration,
    /// Any JSON value.
    Json,
    /// Any JSON object.
    JsonMap,
    /// A list of any JSON values.
    JsonList,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One of these words, or a list of them.
    Choices(&'static [&'static str]),
    /// Names with one of these words.
    ChoiceMap(&'static [&'static str]),
    /// A map.
    Object(&'static Shape),
    /// A list of maps.
    Objects(&'static Shape),
    /// A map, or a list of maps.
    OneOrMore(&'static Shape),
    /// Names with maps.
    ObjectMap(&'static Shape),
    /// Names with maps of which no key is required.
    OverrideMap(&'static Shape),
    /// A name, or a map that holds one.
    NameOr(&'static Shape),
    /// A name, or a map that holds one, or a list of both.
    NamesOr(&'static Shape),
    /// A name under `targets`, or a map of one of these shapes of which no key is required.
    TargetPick(&'static [&'static Shape]),
    /// A map that `type` tells apart.
    Typed(&'static [&'static Shape]),
    /// Names with maps that `type` tells apart.
    TypedMap(&'static [&'static Shape]),
    /// Text, or the inner kind.
    TextOr(&'static Self),
    /// A list of maps that `type` tells apart, with at least one item.
    Turns(&'static [&'static Shape]),
    /// A list of maps that `type` tells apart.
    Checks(&'static [&'static Shape]),
    /// A text, a message, or a list of messages.
    Prompt(&'static Shape),
    /// A text, or a list of maps that `type` tells apart.
    Content(&'static [&'static Shape]),
    /// A block or a check, or a list of blocks and checks.
    Demands(&'static Shape, &'static [&'static Shape]),
    /// A list of steps: maps with one key of this shape, or words.
    Steps(&'static Shape),
    /// The inner kind, or `true` or `false`.
    OrBool(&'static Self),
    /// The inner kind, or `false` to drop what was inherited.
    OrFalse(&'static Self),
    /// The inner kind, or `off` or `false` to leave it out.
    OrOff(&'static Self),
}

impl Field {
    /// Returns a key that may be left out.
    pub(super) const fn optional(
        name: &'static str,
        kind: FieldKind,
        example: &'static str,
        doc: &'static str,
    ) -> Self {
        Self {
            name,
            kind,
            required: false,
            example,
            doc,
        }
    }

    /// Returns a key that must be there.
    pub(super) const fn required(
        name: &'static str,
        kind: FieldKind,
        example: &'static str,
        doc: &'static str,
    ) -> Self {
        Self {
            required: true,
            ..Self::optional(name, kind, example, doc)
        }
    }
}
