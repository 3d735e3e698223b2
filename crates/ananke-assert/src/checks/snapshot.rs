//! Judges `snapshot`: what was seen is the same as what an earlier run stored.

use ananke_model::check::Snapshot;

use crate::evidence::Evidence;
use crate::resolver::Resolver;
use crate::verdict::Verdict;

/// A snapshot that is ready to be compared.
#[derive(Clone, Debug)]
pub(crate) struct SnapshotMatch {
    /// What is compared, and with what.
    pub(crate) snapshot: Snapshot,
}

impl SnapshotMatch {
    pub(crate) fn compile(snapshot: &Snapshot, _resolver: &mut Resolver<'_>) -> Option<Self> {
        Some(Self {
            snapshot: snapshot.clone(),
        })
    }

    pub(crate) fn expected(&self) -> String {
        format!("what `{}` holds", self.snapshot.path)
    }

    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        match &self.snapshot.stored {
            Some(stored) if *stored == evidence.text => Verdict::passed("the same"),
            Some(_) => Verdict::failed("something else"),
            None => Verdict::failed("there is no such snapshot"),
        }
    }
}
