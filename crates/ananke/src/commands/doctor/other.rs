//! Targets that do not speak AG-UI: chat endpoints, programs and scripts.

use std::time::Duration;

use ananke_model::recording::{TroubleKind, TurnStatus};
use ananke_run::{OtherProbe, Seen};
use tokio_util::sync::CancellationToken;

use super::notes::{Finding, Notes};
use super::run::outcome;
use crate::error::Exit;
use crate::settings::unix_ms;

/// How long a look may take.
const LOOK_LIMIT: Duration = Duration::from_secs(10);

/// Looks at a target, and says `message` to it if there is one.
pub(super) async fn examine_other(
    probe: &OtherProbe,
    message: Option<&str>,
    notes: &mut Notes<'_>,
    cancel: &CancellationToken,
) {
    notes.add(Finding::fine("endpoint", probe.address()));
    let seen = tokio::select! {
        seen = probe.look(LOOK_LIMIT) => seen,
        () = cancel.cancelled() => return,
    };
    let (finding, is_there) = match seen {
        Seen::Fine(what) => (Finding::fine("connection", what), true),
        Seen::Odd(what) => (Finding::odd("connection", what), true),
        Seen::Wrong(why) => (Finding::wrong("connection", why), false),
    };
    notes.add(finding.edited(|text| probe.redacted(text)));
    if !is_there {
        notes.end_with(Exit::Trouble);
        return;
    }
    let Some(message) = message else {
        return;
    };
    let turn = probe.say(message, unix_ms(), cancel).await;
    let finding = outcome(message, &turn);
    match &turn.status {
        TurnStatus::Broken(trouble) if trouble.kind == TroubleKind::Cancelled => return,
        TurnStatus::Broken(trouble) if trouble.kind == TroubleKind::Unreachable => {
            notes.end_with(Exit::Trouble);
        }
        TurnStatus::Broken(_) | TurnStatus::RunError { .. } => notes.end_with(Exit::Failed),
        TurnStatus::Finished => {}
    }
    notes.add(finding.edited(|text| probe.redacted(text)));
}
