//! `card.security`: the agent's card names this security scheme. Both shapes of a card have a map with the names as keys.

use super::card_skills::named_in;
use crate::evidence::Evidence;
use crate::tasks::card;
use crate::verdict::Verdict;

/// Demands a security scheme.
#[derive(Clone, Debug)]
pub(super) struct CardSecurity {
    /// Its name.
    pub(super) name: String,
}

impl CardSecurity {
    /// Says what is demanded.
    pub(super) fn expected(&self) -> String {
        format!("a security scheme named `{}`", self.name)
    }

    /// Judges the evidence.
    pub(super) fn judge(&self, evidence: &Evidence<'_>) -> Result<Verdict, Verdict> {
        let schemes = card(evidence)?["securitySchemes"].as_object();
        let names: Vec<&str> = schemes
            .into_iter()
            .flat_map(|schemes| schemes.keys().map(String::as_str))
            .collect();
        Ok(named_in("security scheme", &self.name, &names))
    }
}
