//! What checks look at: the calls, the text and the times of one turn, or of all turns laid end to end.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;
use std::time::Duration;

use ananke_model::plan::Clock;
use ananke_model::recording::{ToolCall, Turn};
use serde_json::Value;

use crate::shown::shorten;
use crate::tasks;
use crate::value::{JsonInText, NoJson, json_in_text};

/// Whether one turn is judged or the whole test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// One turn, by its own block.
    Turn,
    /// All turns, by the block of the test.
    Test,
}

/// The view of a recording that checks read.
#[derive(Debug)]
pub(crate) struct Evidence<'a> {
    /// Whether one turn is judged or the whole test.
    pub(crate) scope: Scope,
    /// The turns themselves.
    pub(crate) turns: &'a [Turn],
    /// The calls, by start.
    pub(crate) calls: Vec<Call<'a>>,
    /// The assistant's text; that of several turns is joined with `\n`, empty ones left out.
    pub(crate) text: Cow<'a, str>,
    /// How long it took, in microseconds.
    pub(crate) total_us: u64,
    /// Turns that were to be judged by event timestamps and have none to judge by, as indices.
    pub(crate) without_event_clock: Vec<usize>,
    /// The JSON of the output, once a check has asked for it.
    json: OnceCell<Result<JsonInText, NoJson>>,
}

/// One call of a tool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    /// The tool.
    pub(crate) name: &'a str,
    /// The arguments as sent.
    pub(crate) args: &'a str,
    /// Why the arguments are not JSON.
    pub(crate) args_error: Option<&'a str>,
    /// The result as text.
    pub(crate) result: Option<&'a str>,
    /// What went wrong in the tool.
    pub(crate) error: Option<&'a str>,
    /// The event that began it, counted in its turn.
    pub(crate) event: usize,
    /// Its turn, if several are judged; counted from 1.
    pub(crate) turn: Option<usize>,
    /// Whether it was made in this scope, not merely shown again. Prohibitions look at all calls.
    pub(crate) is_new: bool,
    /// From when to when it was in progress, in microseconds from the beginning of the scope, if that is known.
    pub(crate) busy_us: Option<(u64, u64)>,
}

impl<'a> Evidence<'a> {
    /// Returns what can be said about one turn.
    pub(crate) fn of_turn(turn: &'a Turn) -> Self {
        Self::of(std::slice::from_ref(turn), Scope::Turn)
    }

    /// Returns what can be said about a whole test.
    pub(crate) fn of_test(turns: &'a [Turn]) -> Self {
        Self::of(turns, Scope::Test)
    }

    /// Returns what can be said about turns that are judged as `scope`.
    pub(crate) fn of(turns: &'a [Turn], scope: Scope) -> Self {
        let mut evidence = Self {
            scope,
            turns,
            calls: Vec::with_capacity(turns.iter().map(|turn| turn.tool_calls.len()).sum()),
            text: joined_text(turns),
            total_us: 0,
            without_event_clock: Vec::new(),
            json: OnceCell::new(),
        };
        // Ids are needed only to recognize what later turns say about earlier calls.
        let mut known: HashMap<(&str, &str), usize> = HashMap::new();
        let mut by_id: HashMap<&str, usize> = HashMap::new();
        for (turn_index, turn) in turns.iter().enumerate() {
            let clock = TurnClock::of(turn);
            if clock.is_fallback {
                evidence.without_event_clock.push(turn_index);
            }
            for tool_call in &turn.tool_calls {
                let call = Call {
                    name: &tool_call.name,
                    args: &tool_call.args_text,
                    args_error: tool_call.args_error.as_deref(),
                    result: tool_call.result.as_deref(),
                    error: tool_call.error.as_deref(),
                    event: tool_call.event,
                    turn: (scope == Scope::Test).then_some(turn_index + 1),
                    is_new: scope == Scope::Test
                        || !tool_call.restreamed
                        || turn.kind == "agui:connect",
                    busy_us: clock.busy(tool_call, evidence.total_us),
                };
                if turns.len() == 1 {
                    evidence.calls.push(call);
                    continue;
                }
                let key = (tool_call.id.as_str(), call.name);
                match known.get(&key).filter(|_| tool_call.restreamed) {
                    Some(index) => evidence.calls[*index].complete(&call),
                    None => {
                        known.entry(key).or_insert(evidence.calls.len());
                        by_id.entry(&tool_call.id).or_insert(evidence.calls.len());
                        evidence.calls.push(call);
                    }
                }
            }
            for late in &turn.late_results {
                if let Some(index) = by_id.get(late.id.as_str()) {
                    evidence.calls[*index].result.get_or_insert(&late.result);
                }
            }
            evidence.total_us = evidence.total_us.saturating_add(clock.total_us);
        }
        evidence
    }

    /// Returns what was given as data, and the JSON values in the text. Otherwise, why there is none.
    pub(crate) fn json(&self) -> Result<&JsonInText, &NoJson> {
        let json = self
            .json
            .get_or_init(|| with_data(data_of(self.turns), json_in_text(&self.text)));
        json.as_ref()
    }

    /// Returns what the agent gave as data beside its words, if one thing only.
    pub(crate) fn only_data(&self) -> Option<&'a Value> {
        let mut data = data_of(self.turns);
        data.next().filter(|_| data.next().is_none())
    }

    /// Returns why it says nothing that no call was seen; nothing if one was, or if calls can be seen.
    pub(crate) fn no_calls_because(&self) -> Option<&'a str> {
        let why = |turn: &'a Turn| turn.why_no_calls();
        let is_silent = self.calls.is_empty() && self.turns.iter().all(|turn| why(turn).is_some());
        self.turns.first().filter(|_| is_silent).and_then(why)
    }

    /// Returns the first of the JSON values.
    pub(crate) fn first_json(&self) -> Option<&Value> {
        self.json().ok()?.best.first()
    }

    /// Goes through the calls of `name`, shown again or not.
    pub(crate) fn calls_of(&self, name: &str) -> impl Iterator<Item = &Call<'a>> {
        self.calls.iter().filter(move |call| call.name == name)
    }

    /// Returns the number of the turn whose text holds byte `offset`, if several are judged, and where that text lies.
    pub(crate) fn turn_at(&self, offset: usize) -> (Option<usize>, Range<usize>) {
        if self.scope == Scope::Test {
            let mut start = 0;
            for (index, turn) in self.turns.iter().enumerate() {
                let end = start + turn.text.len();
                // The line feed behind a text belongs to it.
                if !turn.text.is_empty() && offset <= end {
                    return (Some(index + 1), start..end);
                }
                if !turn.text.is_empty() {
                    start = end + 1;
                }
            }
        }
        (None, 0..self.text.len())
    }

    /// Returns the place of an event as it is shown: `turn 2, event 5`.
    pub(crate) fn place(turn: Option<usize>, event: usize) -> String {
        match turn {
            Some(turn) => format!("turn {turn}, event {event}"),
            None => format!("event {event}"),
        }
    }
}

impl Call<'_> {
    /// Takes over what `later`, the same call shown again, knows in addition.
    fn complete(&mut self, later: &Self) {
        if self.args.is_empty() || (self.args_error.is_some() && later.args_error.is_none()) {
            self.args = later.args;
            self.args_error = later.args_error;
        }
        self.result = self.result.or(later.result);
        self.error = self.error.or(later.error);
    }

    /// Returns the call as it is shown: `event 5: search({"query":"x"})`.
    pub(crate) fn shown(&self) -> String {
        let place = Evidence::place(self.turn, self.event);
        let args = shorten(self.args);
        let again = if self.is_new { "" } else { " (shown again)" };
        format!("{place}: {}({args}){again}", shorten(self.name))
    }

    /// Returns where the call stands: `search (event 5)`.
    pub(crate) fn label(&self) -> String {
        let place = Evidence::place(self.turn, self.event);
        format!("`{}` ({place})", shorten(self.name))
    }
}

/// Goes through what turns gave as data beside their words: whole answers, and parts of artifacts.
fn data_of(turns: &[Turn]) -> impl Iterator<Item = &Value> {
    turns.iter().flat_map(|turn| {
        let whole = Some(&turn.data).filter(|data| !data.is_null());
        let tasks = turn.task.iter();
        let artifacts = tasks.flat_map(|task| &task.artifacts);
        whole.into_iter().chain(artifacts.flat_map(tasks::data))
    })
}

/// Puts data before the JSON in the text: it was meant for machines.
fn with_data<'v>(
    data: impl Iterator<Item = &'v Value>,
    in_text: Result<JsonInText, NoJson>,
) -> Result<JsonInText, NoJson> {
    let mut best: Vec<Value> = data.cloned().collect();
    if best.is_empty() {
        return in_text;
    }
    let (beside, unread) = match in_text {
        Ok(mut json) => {
            best.append(&mut json.best);
            (json.beside, json.unread)
        }
        Err(none) => (Vec::new(), Some(none.why).filter(|_| !none.is_certain)),
    };
    Ok(JsonInText {
        best,
        beside,
        unread,
    })
}

fn joined_text(turns: &[Turn]) -> Cow<'_, str> {
    let mut texts = turns
        .iter()
        .map(|turn| turn.text.as_str())
        .filter(|text| !text.is_empty());
    let first = texts.next().unwrap_or("");
    match texts.next() {
        None => Cow::Borrowed(first),
        Some(second) => {
            let mut all = format!("{first}\n{second}");
            for text in texts {
                all.push('\n');
                all.push_str(text);
            }
            Cow::Owned(all)
        }
    }
}

/// The clock that one turn is judged by.
struct TurnClock {
    total_us: u64,
    /// The first event's timestamp in milliseconds, if event timestamps are used.
    first_ms: Option<f64>,
    /// Whether event timestamps were asked for and cannot be used.
    is_fallback: bool,
}

impl TurnClock {
    fn of(turn: &Turn) -> Self {
        let wanted = turn.timing.clock == Some(Clock::Event);
        let event_clock = turn.timing.event_clock.filter(|_| wanted);
        // Timestamps that run backwards would make any limit hold.
        match event_clock.and_then(|(first, last)| Some((first, microseconds(last - first)?))) {
            Some((first, total_us)) => Self {
                total_us,
                first_ms: Some(first),
                is_fallback: false,
            },
            None => Self {
                total_us: turn.timing.total_us,
                first_ms: None,
                is_fallback: wanted,
            },
        }
    }

    /// Returns when `call` was in progress; a call ends with its turn at the latest.
    fn busy(&self, call: &ToolCall, shift_us: u64) -> Option<(u64, u64)> {
        let (start, end) = match self.first_ms {
            None => (call.started_us, call.ended_us()),
            Some(first) => {
                let clock = call.event_clock?;
                (
                    microseconds(clock.started - first)?,
                    microseconds(clock.ended - first)?,
                )
            }
        };
        let shifted = |us: u64| us.min(self.total_us).saturating_add(shift_us);
        Some((shifted(start), shifted(end.max(start))))
    }
}

/// Returns milliseconds as whole microseconds; nothing if they are negative or no number.
fn microseconds(ms: f64) -> Option<u64> {
    let duration = Duration::try_from_secs_f64(ms / 1000.0).ok()?;
    u64::try_from(duration.as_nanos().div_ceil(1000)).ok()
}
