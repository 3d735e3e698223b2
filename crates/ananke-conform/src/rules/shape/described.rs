//! The words in which the protocol's objects are described. The tables beside this file are written in them.

use crate::rule::Profile;

/// An object of the protocol.
#[derive(Debug)]
pub(crate) struct Object {
    /// What users know it as, such as an event's type or `an interrupt`.
    pub(crate) called: &'static str,
    /// Its members besides the one that tells it from its siblings, in groups that objects share.
    pub(crate) members: &'static [&'static [Member]],
    /// Whether it may have members that are not described.
    pub(crate) is_open: bool,
    /// Whether packages before 1.0 too refused members that they did not know. They let pass most.
    pub(crate) was_closed: bool,
    /// Members of which at least one must say something; empty if there is no such need.
    pub(crate) one_of: &'static [&'static str],
}

impl Object {
    /// Returns all members.
    pub(crate) fn members(&self) -> impl Iterator<Item = &'static Member> {
        self.members.iter().flat_map(|group| group.iter())
    }
}

/// Describes an object that has no other members than these.
pub(crate) const fn closed(called: &'static str, members: &'static [&'static [Member]]) -> Object {
    Object {
        called,
        members,
        is_open: false,
        was_closed: false,
        one_of: &[],
    }
}

/// Describes an object that never had other members than these.
pub(crate) const fn always_closed(
    called: &'static str,
    members: &'static [&'static [Member]],
) -> Object {
    Object {
        was_closed: true,
        ..closed(called, members)
    }
}

/// Describes an object that may have other members too.
pub(crate) const fn open(called: &'static str, members: &'static [&'static [Member]]) -> Object {
    Object {
        is_open: true,
        ..closed(called, members)
    }
}

/// A member of an object.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Whether packages before 1.0 read null as absent.
    pub(crate) was_nullable: bool,
    old: Presence,
    v1: Presence,
}

/// Whether a member must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It must.
    Required,
    /// It may be left out.
    Optional,
    /// Nobody looks at it.
    Free,
}

impl Member {
    /// Tells whether it must be there.
    pub(crate) fn presence(&self, profile: Profile) -> Presence {
        match profile {
            Profile::Old => self.old,
            _ => self.v1,
        }
    }
}

/// Describes a member that always was required.
pub(crate) const fn required(name: &'static str, kind: Kind) -> Member {
    Member {
        name,
        kind,
        was_nullable: false,
        old: Presence::Required,
        v1: Presence::Required,
    }
}

/// Describes a member that always was optional.
pub(crate) const fn optional(name: &'static str, kind: Kind) -> Member {
    Member {
        name,
        kind,
        was_nullable: false,
        old: Presence::Optional,
        v1: Presence::Optional,
    }
}

/// Describes a member that 1.0 requires and packages before it did not.
pub(crate) const fn newly_required(name: &'static str, kind: Kind) -> Member {
    Member {
        name,
        kind,
        was_nullable: false,
        old: Presence::Optional,
        v1: Presence::Required,
    }
}

/// Describes a member that packages before 1.0 required.
pub(crate) const fn once_required(name: &'static str, kind: Kind) -> Member {
    Member {
        name,
        kind,
        was_nullable: false,
        old: Presence::Required,
        v1: Presence::Optional,
    }
}

/// Describes an optional member of which null meant absent before 1.0.
pub(crate) const fn once_nullable(name: &'static str, kind: Kind) -> Member {
    Member {
        name,
        kind,
        was_nullable: true,
        old: Presence::Optional,
        v1: Presence::Optional,
    }
}

/// Describes an optional member that came with 1.0: packages before it let it pass whatever it was.
pub(crate) const fn late(name: &'static str, kind: Kind) -> Member {
    Member {
        name,
        kind,
        was_nullable: false,
        old: Presence::Free,
        v1: Presence::Optional,
    }
}

/// What a value is.
#[derive(Debug)]
pub(crate) enum Kind {
    /// A string.
    Text,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// A boolean.
    Truth,
    /// A number without a fraction, of this size.
    Integer { min: i64, max: i64 },
    /// A number.
    Number,
    /// Any value, null too.
    Anything,
    /// Any value except null, which packages before 1.0 let pass.
    Value,
    /// An object whose members are data.
    Data,
    /// An object.
    Object(&'static Object),
    /// One of several objects, told apart by a member.
    Union(&'static Union),
    /// A list.
    List(&'static Self),
    /// A list that holds something.
    NotEmpty(&'static Self),
    /// A string, or a list.
    TextOrList(&'static Self),
    /// A JSON pointer.
    Pointer,
    /// It changed with 1.0.
    Changed {
        old: &'static Self,
        v1: &'static Self,
    },
}

/// The largest integer that every JSON reader keeps exactly.
pub(crate) const MAX_INTEGER: i64 = (1 << 53) - 1;
/// A count.
pub(crate) const COUNT: Kind = Kind::Integer {
    min: 0,
    max: MAX_INTEGER,
};

impl Kind {
    /// Returns what it was, or is now.
    pub(crate) fn of(&'static self, profile: Profile) -> &'static Self {
        match (self, profile) {
            (Self::Changed { old, .. }, Profile::Old) => old,
            (Self::Changed { v1, .. }, Profile::V1) => v1,
            _ => self,
        }
    }

    /// Returns what users know it as.
    pub(crate) fn called(&'static self, profile: Profile) -> String {
        match self.of(profile) {
            Self::Text => "a string".to_owned(),
            Self::OneOf(words) => either(words.iter().copied()),
            Self::Truth => "`true` or `false`".to_owned(),
            Self::Integer { .. } => "an integer".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Anything | Self::Value | Self::Changed { .. } => "a value".to_owned(),
            Self::Data | Self::Object(_) | Self::Union(_) => "an object".to_owned(),
            Self::List(_) | Self::NotEmpty(_) => "a list".to_owned(),
            Self::TextOrList(_) => "a string or a list".to_owned(),
            Self::Pointer => "a JSON pointer".to_owned(),
        }
    }
}

/// Objects that are told apart by a member.
#[derive(Debug)]
pub(crate) struct Union {
    /// The member.
    pub(crate) by: &'static str,
    /// What the member says, and what follows from it.
    pub(crate) variants: &'static [Variant],
}

/// One of several objects.
#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) tag: &'static str,
    pub(crate) object: &'static Object,
    pub(crate) when: When,
}

/// When there was such an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Always,
    Before1,
    Since1,
}

/// Describes one of several objects.
pub(crate) const fn variant(tag: &'static str, object: &'static Object) -> Variant {
    Variant {
        tag,
        object,
        when: When::Always,
    }
}

impl Union {
    /// Returns those that a profile knows.
    pub(crate) fn variants(&self, profile: Profile) -> impl Iterator<Item = &'static Variant> {
        let other = match profile {
            Profile::Old => When::Since1,
            _ => When::Before1,
        };
        self.variants
            .iter()
            .filter(move |variant| variant.when != other)
    }
}

/// Joins names: "`a`, `b` or `c`".
pub(crate) fn either(words: impl Iterator<Item = &'static str>) -> String {
    let words: Vec<String> = words.map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}
