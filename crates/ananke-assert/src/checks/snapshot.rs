//! `snapshot`: what was seen is the same as what an earlier run stored.

use std::borrow::Cow;

use ananke_model::check::{Snapshot, SnapshotUpdate};
use ananke_model::result::SnapshotWrite;

use crate::evidence::Evidence;
use crate::resolver::Resolver;
use crate::snapshot::{FIRST_LINE, content, difference};
use crate::verdict::Verdict;

/// How the first line of a snapshot begins, whatever its version.
const ANY_FIRST_LINE: &str = "# ananke snapshot ";

/// Compares with a stored snapshot.
#[derive(Clone, Debug)]
pub(crate) struct SnapshotMatch {
    /// What is compared, and with what.
    pub(crate) snapshot: Snapshot,
}

impl SnapshotMatch {
    /// Takes the check; its name and parts were checked when it was read.
    pub(crate) fn compile(snapshot: &Snapshot, _resolver: &mut Resolver<'_>) -> Option<Self> {
        Some(Self {
            snapshot: snapshot.clone(),
        })
    }

    /// Says what is demanded.
    pub(crate) fn expected(&self) -> String {
        format!("the same as `{}`", self.snapshot.path)
    }

    /// Judges the evidence.
    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        let seen = content(&self.snapshot.of, evidence);
        let stored = self.snapshot.stored.as_deref().map(normalized);
        let is_same = stored.as_deref() == Some(seen.as_str());
        let is_written = match self.snapshot.update {
            SnapshotUpdate::All => true,
            SnapshotUpdate::Changed => !is_same,
            SnapshotUpdate::Missing => stored.is_none(),
            SnapshotUpdate::None => false,
        };
        if is_written {
            return self.written(seen);
        }
        match stored {
            Some(_) if is_same => Verdict::passed("the same"),
            Some(stored) => self.differs(&stored, &seen),
            None => Verdict::failed("there is no snapshot yet").details([
                "`ananke run --update-snapshots=missing` writes it; look at it and commit it"
                    .to_owned(),
            ]),
        }
    }

    fn written(&self, content: String) -> Verdict {
        let path = self.snapshot.path.clone();
        Verdict {
            snapshot: Some(Box::new(SnapshotWrite { path, content })),
            ..Verdict::passed("written")
        }
    }

    fn differs(&self, stored: &str, seen: &str) -> Verdict {
        let first = stored.lines().next().unwrap_or_default();
        if first != FIRST_LINE {
            let why = match first.strip_prefix(ANY_FIRST_LINE) {
                Some(version) => format!("a snapshot of version {version}, this ananke reads 1"),
                None => "a file that is no snapshot".to_owned(),
            };
            return Verdict::failed(why).details([format!(
                "its first line is not `{FIRST_LINE}`; `ananke run --update-snapshots=changed` writes it anew"
            )]);
        }
        let difference = difference(stored, seen);
        Verdict::failed(difference.summary)
            .details(difference.lines)
            .details([
                "`ananke run --update-snapshots=changed` takes over what was seen (+)".to_owned(),
            ])
    }
}

/// Returns what was stored with the line ends that it was written with: version control may have changed them.
fn normalized(stored: &str) -> Cow<'_, str> {
    let stored = stored.strip_prefix('\u{FEFF}').unwrap_or(stored);
    if stored.contains('\r') {
        Cow::Owned(stored.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(stored)
    }
}
