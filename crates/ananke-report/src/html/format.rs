//! The details of a test as the page reads them, version 1. Keys are short because there are many; what is empty is left
//! out. Times are microseconds since the turn's request. `assets/script/data.js` is the other side of this.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;

use super::case::CaseView;
use super::dynamic::{CheckpointView, OpinionView, SampleView, SimulatedView};
use super::function::ScriptView;
use super::runs::{RunView, StabilityView};
use super::task::TaskView;
use super::words::Word;

/// One attempt at a test, with the attempts before it.
#[derive(Debug, Serialize)]
pub(super) struct Detail<'a> {
    /// What went wrong outside the checks, or why it was skipped.
    #[serde(rename = "why", skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<Cow<'a, str>>,
    /// More about the reason, line by line.
    #[serde(rename = "more", skip_serializing_if = "Vec::is_empty")]
    pub(super) reason_details: Vec<Cow<'a, str>>,
    /// How many turns the test has, if not all were run.
    #[serde(rename = "n", skip_serializing_if = "Option::is_none")]
    pub(super) n_turns: Option<usize>,
    /// Turns as JSON of [`TurnView`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) turns: Vec<Box<RawValue>>,
    /// What is recorded of a function of a script.
    #[serde(rename = "fn", skip_serializing_if = "Option::is_none")]
    pub(super) script: Option<ScriptView<'a>>,
    /// What scripts around it logged: the letter of the level, and the text.
    #[serde(rename = "around", skip_serializing_if = "Vec::is_empty")]
    pub(super) logs: Vec<(char, Cow<'a, str>)>,
    /// What had to happen on the way, where a simulator led the conversation.
    #[serde(rename = "cps", skip_serializing_if = "Vec::is_empty")]
    pub(super) checkpoints: Vec<CheckpointView<'a>>,
    /// The test's own block.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) checks: Vec<CheckView<'a>>,
    #[serde(rename = "warn", skip_serializing_if = "Vec::is_empty")]
    pub(super) warnings: Vec<Cow<'a, str>>,
    /// When the first request was sent, in Unix milliseconds.
    #[serde(rename = "at", skip_serializing_if = "Option::is_none")]
    pub(super) started_at_ms: Option<i64>,
    /// What the hooks gave, as JSON text.
    #[serde(rename = "vars", skip_serializing_if = "Option::is_none")]
    pub(super) variables: Option<String>,
    /// The attempts before this one, oldest first.
    #[serde(rename = "tries", skip_serializing_if = "Vec::is_empty")]
    pub(super) earlier: Vec<Attempt<'a>>,
    /// What is told of a case; the runs below share it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) case: Option<CaseView>,
    /// What all runs say together.
    #[serde(rename = "st", skip_serializing_if = "Option::is_none")]
    pub(super) stability: Option<StabilityView>,
    /// The other runs, by number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) runs: Vec<RunView>,
    #[serde(skip_serializing_if = "LeftOut::is_empty")]
    pub(super) cut: LeftOut,
}

/// How many items of a list were left out, by the key of the list.
pub(super) type LeftOut = BTreeMap<&'static str, usize>;

/// An attempt that a later one replaced.
#[derive(Debug, Serialize)]
pub(super) struct Attempt<'a> {
    #[serde(rename = "s")]
    pub(super) status: char,
    #[serde(rename = "us")]
    pub(super) duration_us: u64,
    #[serde(rename = "d")]
    pub(super) detail: Detail<'a>,
}

/// One turn.
#[derive(Debug, Serialize)]
pub(super) struct TurnView<'a> {
    /// Left out for `user`.
    #[serde(rename = "k", skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<&'a str>,
    #[serde(rename = "u", skip_serializing_if = "Option::is_none")]
    pub(super) user: Option<Cow<'a, str>>,
    /// Where a simulator wrote the user's message.
    #[serde(rename = "sim", skip_serializing_if = "Option::is_none")]
    pub(super) simulated: Option<SimulatedView<'a>>,
    /// What judges said.
    #[serde(rename = "op", skip_serializing_if = "Vec::is_empty")]
    pub(super) opinions: Vec<OpinionView<'a>>,
    #[serde(rename = "x", skip_serializing_if = "str::is_empty")]
    pub(super) text: Cow<'a, str>,
    #[serde(rename = "z", skip_serializing_if = "str::is_empty")]
    pub(super) reasoning: Cow<'a, str>,
    /// What kind of end, message, code; left out if the turn finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<(Cow<'a, str>, Cow<'a, str>, Option<&'a str>)>,
    /// Connect, first event, first text, first tool, total.
    #[serde(rename = "tm")]
    pub(super) timing: [Option<u64>; 5],
    /// Whether timing checks used the events' own timestamps.
    #[serde(rename = "clk", skip_serializing_if = "std::ops::Not::not")]
    pub(super) event_clock: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) calls: Vec<CallView<'a>>,
    /// When the calls that are left out were in progress.
    #[serde(rename = "mc", skip_serializing_if = "Vec::is_empty")]
    pub(super) more_calls: Vec<(u64, u64)>,
    /// The longest stretch without a call in progress; left out if there was no call at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) idle: Option<u64>,
    /// Call id and result, for calls of earlier turns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) late: Vec<(&'a str, Cow<'a, str>)>,
    /// JSON text, as are data, activities, interrupts and usage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<String>,
    /// What the answer gave as data beside its words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) data: Option<String>,
    /// The task that the agent worked on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) task: Option<TaskView<'a>>,
    #[serde(rename = "act", skip_serializing_if = "Vec::is_empty")]
    pub(super) activities: Vec<String>,
    #[serde(rename = "int", skip_serializing_if = "Vec::is_empty")]
    pub(super) interrupts: Vec<String>,
    #[serde(rename = "use", skip_serializing_if = "Vec::is_empty")]
    pub(super) usage: Vec<String>,
    /// What was sent, as JSON text; only for tests that did not pass.
    #[serde(rename = "req", skip_serializing_if = "Vec::is_empty")]
    pub(super) requests: Vec<String>,
    /// Rule, event, message.
    #[serde(rename = "find", skip_serializing_if = "Vec::is_empty")]
    pub(super) findings: Vec<(&'a str, usize, Cow<'a, str>)>,
    #[serde(rename = "warn", skip_serializing_if = "Vec::is_empty")]
    pub(super) warnings: Vec<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) checks: Vec<CheckView<'a>>,
    /// How many events came.
    #[serde(rename = "en")]
    pub(super) n_events: usize,
    #[serde(rename = "ev", skip_serializing_if = "Vec::is_empty")]
    pub(super) events: Vec<EventView>,
    /// When pieces of text came, each as the distance from the one before.
    #[serde(rename = "tk", skip_serializing_if = "Vec::is_empty")]
    pub(super) text_ticks: Vec<u64>,
    /// The same for reasoning.
    #[serde(rename = "rk", skip_serializing_if = "Vec::is_empty")]
    pub(super) reasoning_ticks: Vec<u64>,
    /// Stretches in which nothing came and no call was in progress.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) gaps: Vec<(u64, u64)>,
    #[serde(skip_serializing_if = "LeftOut::is_empty")]
    pub(super) cut: LeftOut,
}

/// One tool call.
#[derive(Debug, Serialize)]
pub(super) struct CallView<'a> {
    #[serde(rename = "i")]
    pub(super) id: Cow<'a, str>,
    #[serde(rename = "n")]
    pub(super) name: Word,
    #[serde(rename = "a")]
    pub(super) args: Cow<'a, str>,
    #[serde(rename = "ae", skip_serializing_if = "Option::is_none")]
    pub(super) args_error: Option<&'a str>,
    #[serde(rename = "r", skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<Cow<'a, str>>,
    #[serde(rename = "e", skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<Cow<'a, str>>,
    /// Start, arguments complete, result.
    #[serde(rename = "t")]
    pub(super) times: (u64, Option<u64>, Option<u64>),
    #[serde(rename = "v")]
    pub(super) event: usize,
    /// `s` for a call seen only in a snapshot, `r` for one that an earlier turn had already.
    #[serde(rename = "o", skip_serializing_if = "str::is_empty")]
    pub(super) oddities: &'static str,
}

/// One check and what came of it.
#[derive(Debug, Serialize)]
pub(super) struct CheckView<'a> {
    /// `p`, `f` or `i`.
    #[serde(rename = "o")]
    pub(super) outcome: char,
    #[serde(rename = "k")]
    pub(super) check: Word,
    #[serde(rename = "s")]
    pub(super) subject: Cow<'a, str>,
    #[serde(rename = "e")]
    pub(super) expected: Word,
    #[serde(rename = "a")]
    pub(super) actual: Cow<'a, str>,
    #[serde(rename = "d", skip_serializing_if = "Vec::is_empty")]
    pub(super) details: Vec<Cow<'a, str>>,
    #[serde(rename = "l")]
    pub(super) level: Word,
    /// The named block it came through.
    #[serde(rename = "b", skip_serializing_if = "Option::is_none")]
    pub(super) named: Option<&'a str>,
    /// Left out if it is the test's own file.
    #[serde(rename = "f", skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<Word>,
    #[serde(rename = "n")]
    pub(super) line: u32,
    /// The event it points at, counted from 0.
    #[serde(rename = "v", skip_serializing_if = "Option::is_none")]
    pub(super) event: Option<usize>,
    /// The turn of that event, counted from 0, for checks of the whole test.
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    pub(super) turn: Option<usize>,
    /// The demand as written, as JSON text.
    #[serde(rename = "w", skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<String>,
    /// What the user wants to be said when it does not hold.
    #[serde(rename = "m", skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Cow<'a, str>>,
    /// Every answer, where another agent judged.
    #[serde(rename = "p", skip_serializing_if = "Vec::is_empty")]
    pub(super) samples: Vec<SampleView<'a>>,
}

/// One line of the list of events.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum EventView {
    /// Distance from the event before, type, and the payload without its beginning `{"type":"…"` if it has that.
    Shown(u64, Word, String),
    /// This many events are left out here, with the time they took.
    LeftOut(usize, u64),
}
