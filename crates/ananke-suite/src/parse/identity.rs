//! `identity` of a target: how the agent is told who asks.

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Text;

use super::Found;
use super::object::Object;
use super::target_parts::headers;
use super::values::{mismatch, scalars};
use crate::schema::IDENTITY;
use crate::yaml::{Kind, Node, ScalarKind};

/// What is known about who asks. Below `metadata` and `authorized.constraints.extra` the user chooses the names.
const FIELDS: &[&str] = &[
    "user_id",
    "team_id",
    "locale",
    "client",
    "client.type",
    "client.ip",
    "client.user_agent",
    "referer",
    "accept",
    "authorized",
    "authorized.sub",
    "authorized.client_id",
    "authorized.scope",
    "authorized.session_id",
    "authorized.tenant_id",
    "authorized.remember_me",
    "authorized.constraints",
    "authorized.constraints.owner_only",
    "authorized.constraints.creator_only",
    "authorized.constraints.editor_only",
    "authorized.constraints.team_only",
    "authorized.constraints.extra",
    "metadata",
    "connector",
];

/// Fields below which any name may stand.
const OPEN_FIELDS: [&str; 2] = ["metadata.", "authorized.constraints.extra."];

/// What a target says about telling the agent who asks.
#[derive(Clone, Debug)]
pub(crate) enum IdentitySpec {
    /// `false`: nothing is told.
    Silent,
    /// `true`, or a map.
    Told(Mapping),
}

/// Where each field goes: a name, and the field that stands under it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mapping {
    /// Keys of `forwardedProps`, a dot for each level; every field under its own name if absent.
    pub(crate) forwarded_props: Option<Vec<(Text, Text)>>,
    /// Descriptions of context entries.
    pub(crate) context: Vec<(Text, Text)>,
    /// Header names.
    pub(crate) headers: Vec<(Text, Text)>,
}

/// Reads `identity`.
pub(super) fn identity(node: &Node, found: &mut Found) -> Option<IdentitySpec> {
    match node.scalar().map(|scalar| scalar.kind) {
        Some(ScalarKind::Bool(false)) => return Some(IdentitySpec::Silent),
        Some(ScalarKind::Bool(true)) => return Some(IdentitySpec::Told(Mapping::default())),
        Some(_) => {
            mismatch(node, "`true`, `false` or a map", found);
            return None;
        }
        None => {}
    }
    let object = Object::open(node, &IDENTITY, found)?;
    let forwarded_props = object
        .get("forwardedProps")
        .and_then(|node| forwarded_props(node, found));
    let context = object.get("context").map(|node| {
        let entries = scalars(node, found);
        with_known_fields(entries, found)
    });
    let headers = object.get("headers").map(|node| {
        let entries = headers(node, found);
        with_known_fields(entries, found)
    });
    Some(IdentitySpec::Told(Mapping {
        forwarded_props,
        context: context.unwrap_or_default(),
        headers: headers.unwrap_or_default(),
    }))
}

fn forwarded_props(node: &Node, found: &mut Found) -> Option<Vec<(Text, Text)>> {
    match (&node.kind, node.scalar().map(|scalar| scalar.kind)) {
        (_, Some(ScalarKind::Bool(true))) => return None,
        (_, Some(ScalarKind::Bool(false))) => return Some(Vec::new()),
        (Kind::Map(_), _) => {}
        _ => {
            mismatch(node, "`true`, `false` or a map", found);
            return None;
        }
    }
    let entries = scalars(node, found);
    let entries = with_known_fields(entries, found);
    for (index, (key, _)) in entries.iter().enumerate() {
        if key.text.split('.').any(str::is_empty) {
            let message = format!("`{}` is not a key", key.text.escape_debug());
            let label = "expected names with a dot between them, such as `auth.user`";
            found.push(Diagnostic::error(&key.place, message).label(label));
        }
        let others = entries.iter().enumerate().filter(|(at, _)| *at != index);
        let outer = others.map(|(_, (other, _))| other).find(|other| {
            let inside = key.text.strip_prefix(&other.text);
            inside.is_some_and(|inside| inside.starts_with('.'))
        });
        if let Some(outer) = outer {
            let message = format!("`{}` lies inside `{}`", key.text, outer.text);
            let label = format!("which holds something else, {}", outer.place);
            found.push(Diagnostic::error(&key.place, message).label(label));
        }
    }
    Some(entries)
}

/// Returns the entries whose fields are known, and reports the others.
fn with_known_fields(entries: Vec<(Text, Text)>, found: &mut Found) -> Vec<(Text, Text)> {
    let mut known = entries;
    known.retain(|(_, field)| match unknown_field(field) {
        Some(diagnostic) => {
            found.push(diagnostic);
            false
        }
        None => true,
    });
    known
}

fn unknown_field(field: &Text) -> Option<Diagnostic> {
    let word = field.text.as_str();
    let is_open = |open: &&str| {
        word.strip_prefix(*open)
            .is_some_and(|name| !name.is_empty())
    };
    if FIELDS.contains(&word) || OPEN_FIELDS.iter().any(is_open) {
        return None;
    }
    let diagnostic = Diagnostic::error(&field.place, format!("unknown field `{word}`")).label(
        "expected `user_id`, `team_id`, `locale`, `client`, `referer`, `accept`, `authorized`, `metadata` or `connector`",
    );
    // `ip` and `user` mean the field that ends like that.
    let last = |field: &str| field.rsplit('.').next().unwrap_or_default().to_owned();
    let wanted = last(word);
    let same_end = FIELDS.iter().copied().find(|field| {
        let end = last(field);
        end == wanted || end.strip_suffix("_id") == Some(&wanted)
    });
    Some(
        match same_end.or_else(|| did_you_mean(word, FIELDS.iter().copied())) {
            Some(word) => diagnostic.hint(format!("did you mean `{word}`?")),
            None => diagnostic,
        },
    )
}
