//! `card.skills`: the agent's card has a skill with this id.

use ananke_model::diagnostic::did_you_mean;

use crate::evidence::Evidence;
use crate::shown::{listed, shorten};
use crate::tasks::card;
use crate::verdict::Verdict;

/// How many ids a misspelt one is compared with; the agent decides how many there are.
const MOST_NEAR: usize = 1000;

/// Demands a skill.
#[derive(Clone, Debug)]
pub(super) struct CardSkill {
    /// Its id.
    pub(super) id: String,
}

impl CardSkill {
    /// Says what is demanded.
    pub(super) fn expected(&self) -> String {
        format!("a skill with the id `{}`", self.id)
    }

    /// Judges the evidence.
    pub(super) fn judge(&self, evidence: &Evidence<'_>) -> Result<Verdict, Verdict> {
        let skills = card(evidence)?["skills"].as_array();
        let skills = skills.into_iter().flatten();
        let ids: Vec<&str> = skills.filter_map(|skill| skill["id"].as_str()).collect();
        Ok(named_in("skill", &self.id, &ids))
    }
}

/// Judges whether `wanted` is one of the names that a card has for things of this kind.
pub(super) fn named_in(noun: &str, wanted: &str, names: &[&str]) -> Verdict {
    if names.contains(&wanted) {
        return Verdict::passed(format!("the {noun} `{}`", shorten(wanted)));
    }
    if names.is_empty() {
        return Verdict::failed(format!("no {noun} at all"));
    }
    let near = did_you_mean(wanted, names.iter().take(MOST_NEAR).copied());
    let shown = listed(names.iter().map(|name| shorten(name).into_owned()));
    Verdict::failed(shown.join(", "))
        .details(near.map(|near| format!("did you mean `{}`?", shorten(near))))
}
