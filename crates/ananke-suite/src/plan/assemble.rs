//! A target from its layers: what the config says, what a connector changes, what a test changes.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::plan::Target;

use super::complete::complete;
use super::connector::{Chooser, Chosen, connector};
use super::pick::Picked;
use super::registry::Registry;
use super::target::{give_way, merge};
use crate::parse::{Found, TargetKind, TargetSpec};

/// Headers that hold a key.
const KEYS: [&str; 5] = [
    "authorization",
    "api-key",
    "x-api-key",
    "cookie",
    "proxy-authorization",
];

/// Which target is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wish<'w> {
    /// The one of the config.
    pub(super) picked: Option<Picked<'w>>,
    /// What a test changes, or its whole target where there is no config.
    pub(super) over: Option<&'w TargetSpec>,
    /// The connector.
    pub(super) chosen: Option<Chosen<'w>>,
    /// How long a turn may take, if the test says so.
    pub(super) timeout_ms: Option<u64>,
}

/// Returns the target, and its keys. `None` if it is incomplete, which the caller reports, or wrong, which is reported.
pub(super) fn assemble(
    wish: Wish<'_>,
    registry: &mut Registry<'_>,
    found: &mut Found,
) -> Option<(Target, TargetSpec)> {
    let base = wish.picked.map(|picked| picked.spec);
    let kind = base.or(wish.over).and_then(|spec| spec.kind);
    if let (Some(base), Some(over)) = (base, wish.over)
        && !fits(over, base, found)
    {
        return None;
    }
    let changes = match wish.chosen {
        Some(chosen) if kind == Some(TargetKind::Agui) => {
            Some(connector(chosen, wish.picked, wish.over, found)?)
        }
        Some(_) | None => None,
    };
    let mut layered = base.or(wish.over)?.clone();
    let over = wish.over.filter(|_| base.is_some());
    let by = wish.chosen.map(|chosen| chosen.by);
    let by = by.filter(|_| kind == Some(TargetKind::OpenAi));
    if by == Some(Chooser::Test) && over.is_some() {
        warn_of_headers(&layered, wish.chosen, registry, found);
        give_way(&mut layered);
    }
    for over in changes.into_iter().chain(over) {
        layered = merge(&layered, over);
    }
    if by == Some(Chooser::Caller) {
        warn_of_headers(&layered, wish.chosen, registry, found);
        give_way(&mut layered);
    }
    let name = wish.picked.and_then(|picked| picked.name);
    let timeout_ms = wish.timeout_ms.or(layered.timeout_ms);
    let mut target = complete(&layered, timeout_ms, wish.chosen, registry, found)?;
    target.name = name.map(ToOwned::to_owned);
    target.connector = wish.chosen.map(|chosen| chosen.id.to_owned());
    Some((target, layered))
}

/// Warns of headers that a chosen connector takes away without having its own. Those that hold keys are for another host.
fn warn_of_headers(
    spec: &TargetSpec,
    chosen: Option<Chosen<'_>>,
    registry: &Registry<'_>,
    found: &mut Found,
) {
    let connector = chosen.and_then(|chosen| registry.own_connector(chosen.id).flatten());
    let own = connector.map_or(&[][..], |connector| &connector.headers);
    let is_known = |name: &str| {
        let is_key = KEYS.iter().any(|key| key.eq_ignore_ascii_case(name));
        is_key
            || own
                .iter()
                .any(|(own, _)| own.text.eq_ignore_ascii_case(name))
    };
    for (name, _) in spec
        .headers
        .iter()
        .filter(|(name, _)| !is_known(&name.text))
    {
        let message = format!(
            "the header `{}` is not sent with a connector that was chosen",
            name.text
        );
        found.push(
            Diagnostic::warning(&name.place, message)
                .hint("write it under `headers` of the connector if its host needs it"),
        );
    }
}

/// Tells whether a test changes nothing that its target has not, and reports it if it does.
fn fits(over: &TargetSpec, base: &TargetSpec, found: &mut Found) -> bool {
    let Some(kind) = base.kind else {
        // What is wrong with it was reported.
        return false;
    };
    let word = kind.word();
    if let Some(other) = over.kind.filter(|other| *other != kind) {
        let place = over.keys.iter().find(|key| key.text == "type");
        let place = place.map_or(&over.place, |key| &key.place);
        let message = format!(
            "a test cannot change the type of its target from `{word}` to `{}`",
            other.word()
        );
        found.push(
            Diagnostic::error(place, message)
                .hint("write it under `targets` in the config, and name it here"),
        );
        return false;
    }
    let has = |name: &str| kind.shape().fields.iter().any(|field| field.name == name);
    let strange = over.keys.iter().filter(|key| !has(&key.text));
    let n_before = found.len();
    found.extend(strange.map(|key| {
        let message = format!(
            "the target is of type `{word}`, which has no `{}`",
            key.text
        );
        Diagnostic::error(&key.place, message).label(format!("the target is at {}", base.place))
    }));
    found.len() == n_before
}
