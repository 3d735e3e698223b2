//! From a result to the details that the page shows, every list and every text bounded.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ananke_model::plan::Clock;
use ananke_model::recording::{ToolCall, Turn, TurnStatus};
use ananke_model::result::{CheckResult, JudgedTurn, Outcome, TestResult, TestStatus};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::dynamic::{checkpoint_views, opinion_views, reached_at, sample_views, simulated_view};
use super::events::{EventLimits, events_view};
use super::format::{Attempt, CallView, CheckView, Detail, LeftOut, TurnView};
use super::function::{log_view, script_view};
use super::island::cut;
use super::task::task_view;
use super::timing::{longest_idle, spans};
use super::words::Words;
use crate::asked::without_contents;
use crate::dynamic::is_dynamic;
use crate::reasons::trouble;

/// What a test may bring before its further turns are shortened, in bytes.
const TEST_BYTES: usize = 2 << 20;

/// How many items of a list are shown.
const MOST_ITEMS: usize = 100;

/// How many calls of a turn are shown whole.
const WHOLE_CALLS: usize = 10;

/// How much is kept of each thing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) text: usize,
    pub(super) items: usize,
    pub(super) events: EventLimits,
    requests: usize,
}

impl Scale {
    /// Returns how much is kept of a test that came out like this while there is room.
    pub(super) fn of(status: TestStatus) -> Self {
        let is_passed = status == TestStatus::Passed;
        Self {
            text: 20_000,
            items: MOST_ITEMS,
            events: EventLimits {
                events: if is_passed { 60 } else { 200 },
                chars: if is_passed { 500 } else { 1_000 },
            },
            requests: if is_passed { 0 } else { 3 },
        }
    }

    /// Returns how much is kept when there is no room left.
    pub(super) fn least() -> Self {
        Self {
            text: 500,
            items: 10,
            events: EventLimits {
                events: 0,
                chars: 0,
            },
            requests: 0,
        }
    }
}

/// Returns the letter of a status.
pub(super) fn letter(status: TestStatus) -> char {
    match status {
        TestStatus::Passed => 'p',
        TestStatus::Failed => 'f',
        TestStatus::Error => 'e',
        TestStatus::Timeout => 't',
        TestStatus::Skipped => 's',
        TestStatus::Inconclusive => 'i',
    }
}

/// Returns the details of a run of a test, and of its earlier attempts.
pub(super) fn detail<'a>(result: &'a TestResult, scale: Scale, words: &mut Words) -> Detail<'a> {
    let mut cut_lists = LeftOut::new();
    let reason = match result.status {
        TestStatus::Skipped => result.reason.clone(),
        _ => trouble(result),
    };
    let turns = turns(result, scale, words, &mut cut_lists);
    let checks = some(&result.checks, scale, "checks", &mut cut_lists)
        .map(|check| CheckView {
            turn: check
                .event
                .and_then(|event| turn_of(check, event, result.turns.len())),
            ..check_view(check, &result.file, scale, words)
        })
        .collect();
    let earlier = some(&result.earlier, scale, "tries", &mut cut_lists)
        .map(|attempt| Attempt {
            status: letter(attempt.status),
            duration_us: attempt.duration_us,
            detail: detail(attempt, scale, words),
        })
        .collect();
    let checkpoints = checkpoint_views(result, scale, words, &mut cut_lists);
    // How many turns a simulator will need is not known before.
    let is_partial = !is_dynamic(result) && result.n_turns != result.turns.len();
    let has_variables = !result.variables.is_empty();
    Detail {
        reason: reason.map(|reason| Cow::Owned(cut(&reason, scale.text).into_owned())),
        reason_details: match &result.script {
            // Its record says the same, and more.
            Some(record) if !record.failures.is_empty() => Vec::new(),
            _ => texts(&result.reason_details, scale, "more", &mut cut_lists),
        },
        n_turns: is_partial.then_some(result.n_turns),
        turns,
        script: script_view(result, scale, &mut cut_lists),
        logs: some(&result.logs, scale, "around", &mut cut_lists)
            .map(|log| log_view(log, scale))
            .collect(),
        checkpoints,
        checks,
        warnings: texts(&result.warnings, scale, "warn", &mut cut_lists),
        started_at_ms: result.started_at_ms,
        variables: has_variables.then(|| {
            let json = serde_json::to_string(&result.variables).expect("all keys are strings");
            cut(&json, scale.text).into_owned()
        }),
        earlier,
        case: None,
        stability: None,
        runs: Vec::new(),
        cut: cut_lists,
    }
}

fn turns(
    result: &TestResult,
    scale: Scale,
    words: &mut Words,
    cut_lists: &mut LeftOut,
) -> Vec<Box<RawValue>> {
    let mut n_bytes = 0;
    some(&result.turns, scale, "turns", cut_lists)
        .enumerate()
        .map(|(index, judged)| {
            let scale = if n_bytes > TEST_BYTES {
                Scale::least()
            } else {
                scale
            };
            let pointed = pointed(result, index, judged);
            let view = turn_view(judged, &result.file, scale, &pointed, words);
            let json = to_raw_value(&view).expect("all keys are strings");
            n_bytes += json.get().len();
            json
        })
        .collect()
}

/// Returns the events of a turn that a check or a finding points at.
fn pointed(result: &TestResult, index: usize, judged: &JudgedTurn) -> BTreeSet<usize> {
    let n_turns = result.turns.len();
    let of_test = result.checks.iter().filter_map(|check| {
        let event = check.event?;
        (turn_of(check, event, n_turns) == Some(index)).then_some((check, event))
    });
    let of_turn = judged
        .checks
        .iter()
        .filter_map(|check| Some((check, check.event?)));
    let by_checks = of_turn
        .chain(of_test)
        .filter(|(check, _)| check.outcome != Outcome::Passed)
        .map(|(_, event)| event);
    let by_findings = judged.turn.findings.iter().map(|finding| finding.event);
    by_checks
        .chain(by_findings)
        .chain(reached_at(result, index))
        .collect()
}

/// Returns the turn, counted from 0, in which the event of a check of the whole test stands.
fn turn_of(check: &CheckResult, event: usize, n_turns: usize) -> Option<usize> {
    if n_turns == 1 {
        return Some(0);
    }
    // The check knows only the number of the event; its words name the turn.
    (0..n_turns).find(|index| {
        let place = format!("turn {}, event {event}", index + 1);
        let names = |text: &String| {
            text.split_once(&place)
                .is_some_and(|(_, after)| !after.starts_with(|c: char| c.is_ascii_digit()))
        };
        names(&check.actual) || check.details.iter().any(names)
    })
}

fn turn_view<'a>(
    judged: &'a JudgedTurn,
    file: &str,
    scale: Scale,
    pointed: &BTreeSet<usize>,
    words: &mut Words,
) -> TurnView<'a> {
    let turn = &judged.turn;
    let timing = &turn.timing;
    let mut left_out = LeftOut::new();
    let events = events_view(turn, pointed, scale.events, words);
    let calls = some(&turn.tool_calls, scale, "calls", &mut left_out)
        .enumerate()
        .map(|(index, call)| call_view(index, call, scale, words))
        .collect();
    let calls_left_out = turn.tool_calls.get(scale.items..).unwrap_or_default();
    let checks = some(&judged.checks, scale, "checks", &mut left_out)
        .map(|check| check_view(check, file, scale, words))
        .collect();
    TurnView {
        kind: (turn.kind != "user").then_some(turn.kind.as_str()),
        user: turn.user.as_deref().map(|user| cut(user, scale.text)),
        simulated: turn
            .simulated
            .as_ref()
            .map(|simulated| simulated_view(simulated, scale)),
        opinions: opinion_views(&turn.opinions, scale, words, &mut left_out),
        text: cut(&turn.text, scale.text),
        reasoning: cut(&turn.reasoning, scale.text),
        end: end(turn, scale),
        timing: [
            timing.connect_us,
            timing.first_event_us,
            timing.first_text_us,
            timing.first_tool_us,
            Some(timing.total_us),
        ],
        event_clock: timing.clock == Some(Clock::Event),
        calls,
        more_calls: spans(calls_left_out, timing.total_us),
        idle: (!turn.tool_calls.is_empty()).then(|| longest_idle(turn)),
        late: some(&turn.late_results, scale, "late", &mut left_out)
            .map(|late| (late.id.as_str(), cut(&late.result, scale.text)))
            .collect(),
        state: (!turn.state.is_null()).then(|| json_text(&turn.state, scale.text)),
        data: (!turn.data.is_null()).then(|| json_text(&turn.data, scale.text)),
        task: turn
            .task
            .as_deref()
            .map(|task| task_view(task, scale, &mut left_out)),
        activities: values(&turn.activities, scale, "act", &mut left_out),
        interrupts: values(&turn.interrupts, scale, "int", &mut left_out),
        usage: values(&turn.usage, scale, "use", &mut left_out),
        requests: turn
            .requests
            .iter()
            .take(scale.requests)
            .map(|request| json_text(&without_contents(request), scale.text))
            .collect(),
        findings: some(&turn.findings, scale, "find", &mut left_out)
            .map(|finding| {
                let message = cut(&finding.message, scale.text);
                (finding.rule.as_str(), finding.event, message)
            })
            .collect(),
        warnings: texts(&turn.warnings, scale, "warn", &mut left_out),
        checks,
        n_events: turn.events.len(),
        events: events.list,
        text_ticks: events.text_ticks,
        reasoning_ticks: events.reasoning_ticks,
        gaps: events.gaps,
        cut: left_out,
    }
}

/// Returns how a turn ended if it did not just finish: kind, message, code.
fn end(turn: &Turn, scale: Scale) -> Option<(Cow<'_, str>, Cow<'_, str>, Option<&str>)> {
    match &turn.status {
        TurnStatus::Finished => None,
        TurnStatus::RunError { message, code } => {
            let message = cut(message, scale.text);
            Some(("run error".into(), message, code.as_deref()))
        }
        TurnStatus::Broken(trouble) => {
            let kind = serde_json::to_value(trouble.kind).expect("a kind is a word");
            let kind = kind.as_str().unwrap_or_default().replace('_', " ");
            Some((kind.into(), cut(&trouble.message, scale.text), None))
        }
    }
}

fn call_view<'a>(
    index: usize,
    call: &'a ToolCall,
    scale: Scale,
    words: &mut Words,
) -> CallView<'a> {
    let limit = if index < WHOLE_CALLS {
        scale.text
    } else {
        scale.text / 10
    };
    CallView {
        id: cut(&call.id, 200),
        name: words.word(&cut(&call.name, 200)),
        args: cut(&call.args_text, limit),
        args_error: call.args_error.as_deref(),
        result: call.result.as_deref().map(|result| cut(result, limit)),
        error: call.error.as_deref().map(|error| cut(error, limit)),
        times: (call.started_us, call.args_done_us, call.completed_us),
        event: call.event,
        oddities: match (call.from_snapshot, call.restreamed) {
            (false, false) => "",
            (true, false) => "s",
            (false, true) => "r",
            (true, true) => "sr",
        },
    }
}

pub(super) fn check_view<'a>(
    check: &'a CheckResult,
    file: &str,
    scale: Scale,
    words: &mut Words,
) -> CheckView<'a> {
    let origin = &check.origin;
    let is_elsewhere = *origin.place.file != *file;
    let mut left_out = LeftOut::new();
    CheckView {
        outcome: match check.outcome {
            Outcome::Passed => 'p',
            Outcome::Failed => 'f',
            Outcome::Inconclusive => 'i',
        },
        check: words.word(&check.check),
        subject: cut(&check.subject, scale.text / 10),
        expected: words.word(&cut(&check.expected, scale.text)),
        actual: cut(&check.actual, scale.text),
        details: texts(&check.details, scale, "d", &mut left_out),
        level: words.word(&origin.level.to_string()),
        named: origin.named.as_deref(),
        file: is_elsewhere.then(|| words.word(&origin.place.file)),
        line: origin.place.line,
        event: check.event,
        turn: None,
        value: check
            .value
            .as_ref()
            .map(|value| json_text(value, scale.text / 10)),
        message: check
            .message
            .as_deref()
            .map(|message| cut(message, scale.text / 10)),
        samples: sample_views(&check.samples, scale),
    }
}

/// Returns the first items of a list, and notes how many there are more.
pub(super) fn some<'a, T>(
    items: &'a [T],
    scale: Scale,
    key: &'static str,
    left_out: &mut LeftOut,
) -> impl Iterator<Item = &'a T> + use<'a, T> {
    if items.len() > scale.items {
        left_out.insert(key, items.len() - scale.items);
    }
    items.iter().take(scale.items)
}

fn texts<'a>(
    lines: &'a [String],
    scale: Scale,
    key: &'static str,
    left_out: &mut LeftOut,
) -> Vec<Cow<'a, str>> {
    some(lines, scale, key, left_out)
        .map(|line| cut(line, scale.text / 10))
        .collect()
}

fn values(items: &[Value], scale: Scale, key: &'static str, left_out: &mut LeftOut) -> Vec<String> {
    some(items, scale, key, left_out)
        .map(|value| json_text(value, scale.text))
        .collect()
}

fn json_text(value: &Value, limit: usize) -> String {
    cut(&value.to_string(), limit).into_owned()
}
