//! `type: regex`: the pattern is found in the output.

use super::looking::{Texts, quoted};
use super::{Judged, Looking};
use crate::evidence::Evidence;
use crate::resolver::Needle;
use crate::shown::shorten;

/// Demands a pattern.
#[derive(Clone, Debug)]
pub(super) struct Regex {
    pub(super) needle: Needle,
}

impl Regex {
    /// Says what is demanded.
    pub(super) fn expected(&self, looking: &Looking) -> String {
        format!("text matching {}{}", self.needle.shown, looking.at())
    }

    /// Says that it holds although it must not.
    pub(super) fn said_not(&self, looking: &Looking) -> String {
        format!(
            "{} should not match pattern '{}'",
            looking.named(),
            self.needle.shown
        )
    }

    /// Judges the evidence: the pattern is found in any of the texts.
    pub(super) fn judge(
        &self,
        looking: &Looking,
        evidence: &Evidence<'_>,
        is_negated: bool,
    ) -> Judged {
        let Texts { texts, unread } = match looking.texts(evidence, is_negated) {
            Ok(texts) => texts,
            Err(judged) => return judged,
        };
        for text in &texts {
            match self.needle.find(text) {
                Ok(None) => {}
                Ok(Some(found)) => {
                    let matched = text.get(found).unwrap_or("");
                    return Judged::holds(format!("\"{}\"", shorten(matched)));
                }
                Err(_) => return Judged::gave_up(&self.needle.shown),
            }
        }
        if let Some(judged) = looking.unread(unread, evidence) {
            return judged;
        }
        let of = looking.named();
        let said = format!("{of} does not match pattern '{}'", self.needle.shown);
        Judged::fails(said, quoted(&texts.join("\n")))
    }
}
