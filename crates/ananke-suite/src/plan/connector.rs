//! The connector of a target: what was chosen, and what it changes.

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Place;

use super::pick::Picked;
use super::target::merge;
use crate::parse::{Found, TargetSpec};

/// A connector that somebody chose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen<'a> {
    /// Its name.
    pub(super) id: &'a str,
    /// Where it is written; `None` for `-c`.
    pub(super) place: Option<&'a Place>,
}

/// Returns the connector of a test: what `-c` says, else the case, else the test's own target, else the config's.
pub(super) fn choose<'a>(
    flag: Option<&'a str>,
    case: Option<Chosen<'a>>,
    over: Option<&'a TargetSpec>,
    spec: Option<&'a TargetSpec>,
) -> Option<Chosen<'a>> {
    let written = |spec: &'a TargetSpec| {
        let connector = spec.connector.as_ref()?;
        Some(Chosen {
            id: &connector.text,
            place: Some(&connector.place),
        })
    };
    flag.map(|id| Chosen { id, place: None })
        .or(case)
        .or_else(|| over.and_then(written))
        .or_else(|| spec.and_then(written))
}

/// Returns what a connector changes. `None` if the target has no such connector, which is then reported.
pub(super) fn connector<'a>(
    chosen: Chosen<'_>,
    picked: Option<Picked<'a>>,
    over: Option<&'a TargetSpec>,
    found: &mut Found,
) -> Option<&'a TargetSpec> {
    let own = over.and_then(|over| over.connectors.as_ref());
    let shared = picked.and_then(|picked| picked.spec.connectors.as_ref());
    let connectors = own.or(shared).map(Vec::as_slice).unwrap_or_default();
    let known = connectors.iter().find(|(id, _)| id.text == chosen.id);
    if let Some((_, changes)) = known {
        return Some(changes);
    }
    let target = match picked.and_then(|picked| picked.name) {
        Some(name) => format!("the target `{name}`"),
        None => "the target".to_owned(),
    };
    let id = chosen.id;
    let message = format!("{target} has no connector `{id}`");
    let diagnostic = match chosen.place {
        Some(place) => Diagnostic::error(place, message),
        None => Diagnostic::error_anywhere(format!("-c: {message}")),
    };
    let names: Vec<&str> = connectors.iter().map(|(id, _)| id.text.as_str()).collect();
    found.push(if names.is_empty() {
        diagnostic.hint(format!(
            "write `connectors: {{\"{id}\": {{}}}}` in the target; what differs from the target stands in its map"
        ))
    } else if let Some(word) = did_you_mean(id, names.iter().copied()) {
        diagnostic.hint(format!("did you mean `{word}`?"))
    } else {
        diagnostic.hint(format!("it has `{}`", names.join("`, `")))
    });
    None
}

/// Lays what a connector changes, and then what a test changes, on a target of the config.
pub(super) fn layered(
    spec: &TargetSpec,
    changes: Option<&TargetSpec>,
    over: Option<&TargetSpec>,
) -> TargetSpec {
    let mut layered = spec.clone();
    for over in changes.into_iter().chain(over) {
        layered = merge(&layered, over);
    }
    layered
}
