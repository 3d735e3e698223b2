//! One small real run, and what it tells.

use ananke_model::recording::{Trouble, TroubleKind, Turn, TurnStatus};
use ananke_run::Probe;
use tokio_util::sync::CancellationToken;

use super::envelope::envelope;
use super::notes::{Finding, Notes};
use super::seen::{era, timestamps};
use crate::error::Exit;
use crate::settings::unix_ms;

/// How much of an answer is shown.
const SHOWN_CHARS: usize = 60;

/// Says `message` to the agent.
pub(super) async fn say_hello(
    probe: &Probe,
    message: &str,
    notes: &mut Notes<'_>,
    cancel: &CancellationToken,
) {
    let turn = probe.say(message, unix_ms(), cancel).await;
    let mut add = |finding: Finding| notes.add(finding.edited(|text| probe.redacted(text)));
    add(outcome(message, &turn));
    era(&turn, probe.settings().era)
        .into_iter()
        .for_each(&mut add);
    sequence(&turn).into_iter().for_each(&mut add);
    timestamps(&turn).into_iter().for_each(&mut add);
    let TurnStatus::Broken(trouble) = &turn.status else {
        if matches!(turn.status, TurnStatus::RunError { .. }) {
            notes.end_with(Exit::Failed);
        }
        return;
    };
    match trouble.kind {
        TroubleKind::Cancelled => return,
        TroubleKind::Unreachable => notes.end_with(Exit::Trouble),
        _ => notes.end_with(Exit::Failed),
    }
    // Where events came, the request was understood.
    if turn.events.is_empty()
        && let Some(finding) = envelope(probe, trouble).await
    {
        notes.add(finding.edited(|text| probe.redacted(text)));
    }
}

/// Returns how a message was answered.
pub(super) fn outcome(message: &str, turn: &Turn) -> Finding {
    let check = "run";
    let n_events = turn.events.len();
    match &turn.status {
        TurnStatus::Finished => {
            let ms = turn.timing.total_us / 1000;
            let answer = match turn.text.trim() {
                "" => "without text".to_owned(),
                text => format!("with “{}”", beginning(text)),
            };
            let message = format!("`{message}` was answered {answer} ({n_events} events, {ms}ms)");
            match (turn.text.trim(), turn.tool_calls.len()) {
                ("", 0) => Finding::odd(check, message)
                    .hint("try a message that the agent knows, with --message"),
                _ => Finding::fine(check, message),
            }
        }
        TurnStatus::RunError { message, code } => {
            let code = code
                .as_ref()
                .map_or_else(String::new, |code| format!(" ({code})"));
            let message = format!(
                "the agent ended with an error: {}{code}",
                beginning(message)
            );
            Finding::wrong(check, message).hint("look at the agent's own log")
        }
        TurnStatus::Broken(trouble) => {
            let finding = Finding::wrong(check, trouble.message.clone());
            match next_step(trouble) {
                Some(hint) => finding.hint(hint),
                None => finding,
            }
        }
    }
}

/// Returns the next step for trouble that is not about the envelope.
fn next_step(trouble: &Trouble) -> Option<&'static str> {
    let status = trouble.refusal.map(|refusal| refusal.status);
    match (trouble.kind, status) {
        (_, Some(401 | 403)) => Some("the agent wants credentials: see `headers` of the target"),
        (_, Some(429)) => Some("the agent is busy or limits requests: wait and try again"),
        (_, Some(500..)) => Some("look at the agent's own log"),
        (TroubleKind::Timeout, _) => {
            Some("look at the agent's own log, or give it more time with `timeout_ms`")
        }
        (TroubleKind::Truncated | TroubleKind::Empty, _) => Some(
            "the stream must end with RUN_FINISHED or RUN_ERROR: did the agent or a proxy cut it?",
        ),
        // The message itself says to use that address, where it can be used.
        (TroubleKind::Redirect, _) if trouble.message.contains("use that URL") => None,
        (TroubleKind::Redirect, _) => Some("is the path of `endpoint` right?"),
        (TroubleKind::Transport, _) => Some("look at the agent's own log: did it crash?"),
        _ => None,
    }
}

/// Tells whether the events came in order; of a stream that broke off only what was wrong before is known.
fn sequence(turn: &Turn) -> Option<Finding> {
    let check = "sequence";
    let [first, rest @ ..] = turn.findings.as_slice() else {
        return match &turn.status {
            _ if turn.events.is_empty() => None,
            TurnStatus::Finished | TurnStatus::RunError { .. } => {
                let message = "events come in an order that the protocol allows";
                Some(Finding::fine(check, message))
            }
            TurnStatus::Broken(trouble) if trouble.kind == TroubleKind::Truncated => {
                let message = "neither RUN_FINISHED nor RUN_ERROR ends the run";
                Some(Finding::wrong(check, message))
            }
            TurnStatus::Broken(_) => None,
        };
    };
    let more = match rest.len() {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    let message = format!("{}: {}{more}", first.rule, first.message);
    let hint = "`run` only warns of it; `assert: {protocol: strict}` makes it fail";
    Some(Finding::odd(check, message).hint(hint))
}

/// Returns the first line of a text, cut.
fn beginning(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let mut shown: String = line.chars().take(SHOWN_CHARS).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
