//! What the events of a run tell about the agent: its generation of the protocol, its clock.

use ananke_model::plan::Era;
use ananke_model::recording::Turn;
use serde_json::Value;

use super::notes::Finding;

/// By how much clocks may differ before somebody is told.
const MAX_SKEW_MS: i64 = 5000;

/// Tells which generation of the protocol was seen, and whether it fits the target's `era`.
pub(super) fn era(turn: &Turn, configured: Era) -> Option<Finding> {
    let events = events(turn);
    if events.is_empty() {
        return None;
    }
    let kind = |event: &Value| event.get("type")?.as_str().map(str::to_owned);
    let thinking = events
        .iter()
        .filter_map(|(event, _)| kind(event))
        .find(|kind| kind.starts_with("THINKING_"));
    let version = events.iter().find_map(|(event, _)| {
        let version = event
            .get("protocolVersion")
            .or_else(|| event.get("protocol_version"));
        version?.as_str().map(str::to_owned)
    });
    let check = "protocol";
    Some(match (version, thinking, configured) {
        (Some(version), Some(kind), _) => {
            let message = format!("AG-UI {version} is declared, but {kind} is of 0.x");
            Finding::odd(check, message).hint("update the agent's AG-UI library")
        }
        (Some(version), None, Era::V1) if version.starts_with("1.") => {
            Finding::fine(check, format!("AG-UI {version}"))
        }
        (Some(version), None, Era::V1) => Finding::odd(
            check,
            format!("AG-UI {version} is declared; ananke speaks 1.0"),
        ),
        (Some(version), None, Era::Before1) => {
            let message = format!("AG-UI {version}, though the target has `era: \"0.x\"`");
            Finding::odd(check, message).hint("leave `era` out")
        }
        (None, thinking, era) => {
            let by = thinking.map_or_else(
                || "no version is declared".to_owned(),
                |kind| format!("no version is declared, {kind} is used"),
            );
            let message = format!("AG-UI 0.x: {by}");
            match era {
                Era::Before1 => Finding::fine(check, message),
                Era::V1 => Finding::fine(
                    check,
                    format!("{message}; `era: \"0.x\"` would leave out our version too"),
                ),
            }
        }
    })
}

/// Tells whether events carry timestamps and in which unit, and how far the agent's clock is from this one.
pub(super) fn timestamps(turn: &Turn) -> Vec<Finding> {
    let events = events(turn);
    let stamped: Vec<(f64, u64)> = events
        .iter()
        .filter_map(|(event, at_us)| Some((event.get("timestamp")?.as_f64()?, *at_us)))
        .collect();
    let (n_stamped, n_all) = (stamped.len(), events.len());
    let check = "timestamps";
    let Some((first, at_us)) = stamped.first().copied() else {
        return match n_all {
            0 => Vec::new(),
            _ => vec![Finding::fine(check, "none: timing is measured by arrival")],
        };
    };
    let share = if n_stamped == n_all {
        "on every event".to_owned()
    } else {
        format!("on {n_stamped} of {n_all} events, too few for `clock: event`")
    };
    let Some((unit, ms)) = unit(first) else {
        let message = format!("{share}, but {first} is no time in any usual unit");
        return vec![Finding::odd(check, message)];
    };
    let arrived_ms = turn.timing.started_at_ms + i64::try_from(at_us / 1000).unwrap_or(i64::MAX);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the unit bounds it to the year 5138"
    )]
    let difference = ms as i64 - arrived_ms;
    vec![
        Finding::fine(check, format!("{share}, in {unit}")),
        skew("clock", "the events' time", difference, 0),
    ]
}

/// Returns the unit of a timestamp by its size, and its value in milliseconds.
fn unit(timestamp: f64) -> Option<(&'static str, f64)> {
    match timestamp {
        1e8..1e11 => Some(("seconds", timestamp * 1e3)),
        1e11..1e14 => Some(("milliseconds", timestamp)),
        1e14..1e17 => Some(("microseconds", timestamp / 1e3)),
        1e17..1e20 => Some(("nanoseconds", timestamp / 1e6)),
        _ => None,
    }
}

/// Tells how far a clock is from that of this machine; `blur_ms` is how exact it is.
pub(super) fn skew(check: &'static str, whose: &str, ahead_ms: i64, blur_ms: i64) -> Finding {
    let off_ms = ahead_ms.saturating_abs();
    if off_ms <= MAX_SKEW_MS + blur_ms {
        return Finding::fine(check, format!("{whose} agrees with this machine"));
    }
    let side = if ahead_ms > 0 { "ahead of" } else { "behind" };
    let off = match off_ms / 1000 {
        seconds @ ..120 => format!("{seconds} seconds"),
        seconds @ ..7200 => format!("{} minutes", seconds / 60),
        seconds @ ..172_800 => format!("{} hours", seconds / 3600),
        seconds => format!("{} days", seconds / 86_400),
    };
    Finding::odd(check, format!("{whose} is {off} {side} this machine"))
        .hint("synchronize both clocks; until then do not compare their times")
}

fn events(turn: &Turn) -> Vec<(Value, u64)> {
    let events = turn.events.iter();
    events
        .filter_map(|(payload, at_us)| Some((serde_json::from_slice(payload).ok()?, at_us)))
        .collect()
}
