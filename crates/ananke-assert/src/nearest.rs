//! The nearest miss: what a failed demand for calls came closest to.

use std::collections::BTreeMap;

use ananke_model::diagnostic::did_you_mean;

use crate::call_filter::{CallFilter, Unmet};
use crate::evidence::{Call, Evidence};
use crate::shown::{listed, shorten};

/// How many calls are looked at; the agent decides how many there are.
const MAX_CALLS: usize = 1000;

/// Returns the call that fails the fewest conditions, and which ones. Of two such calls, the one with the right
/// arguments is closer.
pub(crate) fn closest_call<'e, 'a>(
    filter: &CallFilter,
    calls: impl Iterator<Item = &'e Call<'a>>,
) -> Option<(&'e Call<'a>, Vec<Unmet>)>
where
    'a: 'e,
{
    calls
        .take(MAX_CALLS)
        .filter_map(|call| Some((call, filter.unmet(call).ok()?)))
        .filter(|(_, unmet)| !unmet.is_empty())
        .min_by_key(|(_, unmet)| {
            let n_arguments = unmet.iter().filter(|unmet| unmet.is_argument).count();
            (unmet.len(), n_arguments)
        })
}

/// Returns what was called instead of `name`, and the name that may have been meant.
pub(crate) fn other_tools(name: &str, evidence: &Evidence<'_>) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for call in evidence.calls.iter().filter(|call| call.is_new) {
        *counts.entry(call.name).or_default() += 1;
    }
    if counts.is_empty() {
        return vec!["no tool was called".to_owned()];
    }
    let mut lines = Vec::new();
    if let Some(near) = did_you_mean(name, counts.keys().copied()) {
        lines.push(format!("did you mean `{near}`?"));
    }
    let shown = counts.iter().map(|(name, count)| match count {
        1 => shorten(name).into_owned(),
        _ => format!("{} ({count} times)", shorten(name)),
    });
    lines.push(format!("called instead: {}", listed(shown).join(", ")));
    lines
}
