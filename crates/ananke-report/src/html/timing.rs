//! When things happened in a turn: pieces of text, silence, and calls that are too many to be listed.

use ananke_model::recording::{ToolCall, Turn};

/// How many marks a lane of the timeline has at most.
const MOST_MARKS: usize = 400;

/// How many silent stretches are shown at most.
const MOST_GAPS: usize = 40;

/// Silence shorter than this is not worth a mark, in microseconds.
const SHORTEST_GAP_US: u64 = 50_000;

/// Returns the moments as distances in microseconds, thinned to what can be told apart. What is kept is not rounded, so
/// that no mark stands before the first event or the first token.
pub(super) fn ticks(times: impl Iterator<Item = u64>, total_us: u64) -> Vec<u64> {
    let grain = grain(total_us);
    let mut ticks = Vec::new();
    let mut last_grain = None;
    let mut last_us = 0;
    for at_us in times {
        if last_grain == Some(at_us / grain) || ticks.len() > MOST_MARKS {
            continue;
        }
        last_grain = Some(at_us / grain);
        ticks.push(at_us.saturating_sub(last_us));
        last_us = last_us.max(at_us);
    }
    ticks
}

/// Returns when calls were in progress; those that cannot be told apart are one stretch.
pub(super) fn spans(calls: &[ToolCall], total_us: u64) -> Vec<(u64, u64)> {
    let grain = grain(total_us);
    let mut spans: Vec<(u64, u64)> = Vec::new();
    for (start, end) in busy(calls) {
        match spans.last_mut() {
            Some((_, last)) if start <= last.saturating_add(grain) => *last = (*last).max(end),
            Some(_) | None => spans.push((start, end)),
        }
    }
    spans.truncate(MOST_MARKS);
    spans
}

/// Returns the longest stretch without a call in progress, which is what `timing.max_idle_ms` limits.
pub(super) fn longest_idle(turn: &Turn) -> u64 {
    let mut longest = 0;
    let mut idle_from = 0;
    for (start, end) in busy(&turn.tool_calls) {
        longest = longest.max(start.saturating_sub(idle_from));
        idle_from = idle_from.max(end);
    }
    longest.max(turn.timing.total_us.saturating_sub(idle_from))
}

/// Returns the longer stretches in which nothing came and no call was in progress.
pub(super) fn gaps(turn: &Turn) -> Vec<(u64, u64)> {
    let total_us = turn.timing.total_us;
    let shortest = (total_us / 10).max(SHORTEST_GAP_US);
    if total_us < shortest {
        return Vec::new();
    }
    let mut busy = busy(&turn.tool_calls);
    busy.extend(turn.events.iter().map(|(_, at_us)| (at_us, at_us)));
    busy.push((total_us, total_us));
    busy.sort_unstable();
    let mut gaps = Vec::new();
    let mut quiet_from = 0;
    for (start, end) in busy {
        let start = start.min(total_us);
        if start.saturating_sub(quiet_from) >= shortest && gaps.len() < MOST_GAPS {
            gaps.push((quiet_from, start));
        }
        quiet_from = quiet_from.max(end);
    }
    gaps
}

/// Returns the shortest distance that the timeline of a turn shows.
fn grain(total_us: u64) -> u64 {
    (total_us / MOST_MARKS as u64).max(1)
}

fn busy(calls: &[ToolCall]) -> Vec<(u64, u64)> {
    let mut busy: Vec<(u64, u64)> = calls
        .iter()
        .map(|call| (call.started_us, call.ended_us()))
        .collect();
    busy.sort_unstable();
    busy
}
