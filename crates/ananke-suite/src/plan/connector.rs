//! The connector of a target: what was chosen, and what it changes.

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::{Place, Text};

use super::pick::Picked;
use crate::parse::{Found, TargetSpec};

/// A connector that somebody chose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen<'a> {
    /// Its name.
    pub(super) id: &'a str,
    /// Where it is written; `None` for `-c`.
    pub(super) place: Option<&'a Place>,
    /// Who chose it.
    pub(super) by: Chooser,
}

/// Who chose a connector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chooser {
    /// The target itself: what it says about its model goes before what the connector says.
    Target,
    /// A test: what it says goes before what the connector says, and that before what the config's target says.
    Test,
    /// A flag, a case or a call: what the connector says goes before all else.
    Caller,
}

impl<'a> Chosen<'a> {
    /// Returns the choice of a connector where it is written.
    pub(super) fn written(id: &'a Text) -> Self {
        Self {
            id: &id.text,
            place: Some(&id.place),
            by: Chooser::Target,
        }
    }

    /// Returns an error about it.
    pub(super) fn error(&self, message: String) -> Diagnostic {
        match self.place {
            Some(place) => Diagnostic::error(place, message),
            None => Diagnostic::error_anywhere(format!("-c: {message}")),
        }
    }
}

/// Returns the connector of a test: what `-c` says, else the case, else the test's own target, else the config's.
pub(super) fn choose<'a>(
    flag: Option<&'a str>,
    case: Option<Chosen<'a>>,
    over: Option<&'a TargetSpec>,
    spec: Option<&'a TargetSpec>,
) -> Option<Chosen<'a>> {
    let written = |spec: &'a TargetSpec, by: Chooser| {
        let chosen = Chosen::written(spec.connector.as_ref()?);
        Some(Chosen { by, ..chosen })
    };
    let of_flag = flag.map(|id| Chosen {
        id,
        place: None,
        by: Chooser::Caller,
    });
    of_flag
        .or(case)
        .or_else(|| over.and_then(|over| written(over, Chooser::Test)))
        .or_else(|| spec.and_then(|spec| written(spec, Chooser::Target)))
}

/// Returns what a connector changes in an AG-UI target. `None` if the target has no such connector, which is then reported.
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
    let diagnostic = chosen.error(format!("{target} has no connector `{id}`"));
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
