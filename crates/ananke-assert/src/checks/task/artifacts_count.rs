//! `artifacts.count`: so many artifacts were made.

use ananke_model::check::Count;

use crate::evidence::Evidence;
use crate::shown::counted;
use crate::tasks::{artifacts, names};
use crate::verdict::Verdict;

/// Demands a number of artifacts.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArtifactsCount {
    /// How many there must be.
    pub(super) count: Count,
}

impl ArtifactsCount {
    /// Says what is demanded.
    pub(super) fn expected(&self) -> String {
        format!("{} {}", self.count, noun(self.count))
    }

    /// Judges the evidence: over a whole test, the artifacts of all turns.
    pub(super) fn judge(&self, evidence: &Evidence<'_>) -> Result<Verdict, Verdict> {
        let artifacts = artifacts(evidence)?;
        let number = u64::try_from(artifacts.len()).unwrap_or(u64::MAX);
        let actual = match artifacts.len() {
            0 => "no artifact".to_owned(),
            number => format!("{}: {}", counted(number, "artifact"), names(&artifacts)),
        };
        let is_met = number >= self.count.min && self.count.max.is_none_or(|max| number <= max);
        Ok(match is_met {
            true => Verdict::passed(actual),
            false => Verdict::failed(actual),
        })
    }
}

/// Returns what is counted, in the singular for one.
pub(super) fn noun(count: Count) -> &'static str {
    match count.max.unwrap_or(count.min) {
        1 => "artifact",
        _ => "artifacts",
    }
}
