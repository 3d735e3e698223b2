//! `card.capabilities`: the agent's card says that it can do this, or does not say so.

use ananke_model::task_check::Capability;
use serde_json::Value;

use crate::evidence::Evidence;
use crate::tasks::card;
use crate::value::brief;
use crate::verdict::Verdict;

/// What the card says of a longer card, by its name of today and by where it stood before among the card's own members.
const EXTENDED: (&str, &str) = ("extendedAgentCard", "supportsAuthenticatedExtendedCard");

/// Demands that an agent can do something, or that it cannot.
#[derive(Clone, Debug)]
pub(super) struct CardCapability {
    pub(super) capability: Capability,
}

impl CardCapability {
    /// Says what is demanded.
    pub(super) fn expected(&self) -> String {
        let Capability { name, wanted } = &self.capability;
        format!("`{name}: {wanted}` among the capabilities")
    }

    /// Judges the evidence. What a card does not name, the agent cannot do: writers leave `false` out.
    pub(super) fn judge(&self, evidence: &Evidence<'_>) -> Result<Verdict, Verdict> {
        let card = card(evidence)?;
        let Capability { name, wanted } = &self.capability;
        let mut told = card["capabilities"].get(name);
        if told.is_none() && name == EXTENDED.0 {
            told = card.get(EXTENDED.1);
        }
        let can = match told {
            None | Some(Value::Null | Value::Bool(false)) => false,
            Some(Value::Array(items)) => !items.is_empty(),
            Some(_) => true,
        };
        let actual = match told {
            Some(told) => brief(told),
            None => format!("nothing: the card does not name `{name}`, which means false"),
        };
        Ok(match can == *wanted {
            true => Verdict::passed(actual),
            false => Verdict::failed(actual),
        })
    }
}
