//! JSON Patch, RFC 6902. Operations are open: whoever applies one ignores members that it does not define.

use super::described::{Kind, Member, Union, open, required, variant};

/// A list of operations. Readers before 1.0 took any list.
pub(super) const PATCH: Kind = Kind::Changed {
    old: &Kind::List(&Kind::Anything),
    v1: &Kind::List(&Kind::Union(&OPERATION)),
};

static OPERATION: Union = Union {
    by: "op",
    variants: &[
        variant("add", &open("the operation `add`", &[PATH, VALUE])),
        variant("remove", &open("the operation `remove`", &[PATH])),
        variant("replace", &open("the operation `replace`", &[PATH, VALUE])),
        variant("move", &open("the operation `move`", &[PATH, FROM])),
        variant("copy", &open("the operation `copy`", &[PATH, FROM])),
        variant("test", &open("the operation `test`", &[PATH, VALUE])),
    ],
};

const PATH: &[Member] = &[required("path", Kind::Pointer)];
const FROM: &[Member] = &[required("from", Kind::Pointer)];
const VALUE: &[Member] = &[required("value", Kind::Anything)];

/// Tells whether a text is a JSON pointer: empty, or `/` before every key, with `~` only as `~0` and `~1`.
pub(super) fn is_pointer(text: &str) -> bool {
    let mut pieces = text.split('~');
    let starts = text.is_empty() || text.starts_with('/');
    pieces.next();
    starts && pieces.all(|piece| piece.starts_with(['0', '1']))
}
