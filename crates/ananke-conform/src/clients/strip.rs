//! What the client 1.0.0 takes out of an event before it looks at the rest: members and variants that it does not know.

use serde_json::Value;

use crate::rule::Profile;
use crate::rules::shape::described::{Kind, Member, Object, Presence, Union};
use crate::rules::shape::events::EVENT;

/// What is left of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    Something,
    /// It is of an unknown kind, and goes as a whole.
    Nothing,
}

/// Strips an event of a known type.
pub(super) fn strip(event: &mut Value) {
    union(&EVENT, event);
}

fn kind(kind: &'static Kind, value: &mut Value) -> Left {
    match kind.of(Profile::V1) {
        Kind::Object(of) => object(of, None, value),
        Kind::Union(of) => union(of, value),
        Kind::List(item) | Kind::NotEmpty(item) | Kind::TextOrList(item) => {
            if let Value::Array(items) = value {
                items.retain_mut(|value| self::kind(item, value) == Left::Something);
            }
            Left::Something
        }
        _ => Left::Something,
    }
}

fn union(of: &'static Union, value: &mut Value) -> Left {
    if !value.is_object() {
        return Left::Something;
    }
    let tag = value.get(of.by).and_then(Value::as_str);
    let variant = of
        .variants(Profile::V1)
        .find(|variant| Some(variant.tag) == tag);
    match variant {
        Some(variant) => object(variant.object, Some(of.by), value),
        None => Left::Nothing,
    }
}

/// What is unknown in a member that must be there makes the object unknown; elsewhere the member goes.
fn object(of: &'static Object, tag: Option<&str>, value: &mut Value) -> Left {
    let Value::Object(members) = value else {
        return Left::Something;
    };
    let described = |name: &str| of.members().find(|member| member.name == name);
    if !of.is_open {
        members.retain(|name, _| Some(name.as_str()) == tag || described(name).is_some());
    }
    let is_required = |member: &Member| member.presence(Profile::V1) == Presence::Required;
    for member in of.members() {
        let Some(value) = members.get_mut(member.name) else {
            continue;
        };
        if kind(&member.kind, value) == Left::Something {
            continue;
        }
        if is_required(member) {
            return Left::Nothing;
        }
        members.remove(member.name);
    }
    Left::Something
}
