//! Where two runs part: the first step that one of them did not do like the other.

use ananke_model::result::{TestResult, TestStatus};
use serde_json::Value;

use super::steps::{Act, Step, steps};
use crate::compare::{ValueChange, shorten, value_changes};

/// How much of what was said is quoted.
const QUOTED: usize = 80;

/// How much is quoted of what was still the same.
const LEAD: usize = 24;

/// The first step at which two runs part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FirstDifference {
    /// The run that is told about: the first that failed, or one of the smaller group.
    pub(crate) run: u32,
    /// The run that it is compared with: the one that passed and went the same way longest, or one of the larger group.
    pub(crate) other_run: u32,
    /// The turn, counted from 1.
    pub(crate) turn: usize,
    /// The event in `run`, counted from 0 in the turn; `None` where no event began the step, or `run` did nothing more.
    pub(crate) event: Option<usize>,
    /// The event in `other_run`.
    pub(crate) other_event: Option<usize>,
    /// All of that in one sentence without a full stop. It quotes the agent and is not escaped.
    pub(crate) text: String,
}

/// Returns where the runs part: a failed one from a passed one, else the two largest groups of runs that behaved alike.
pub(super) fn first_difference(
    runs: &[&TestResult],
    groups: &[Vec<&TestResult>],
) -> Option<FirstDifference> {
    let is_passed = |run: &&&TestResult| run.status == TestStatus::Passed;
    let failed = runs.iter().find(|run| !is_passed(run));
    let mut passed = runs.iter().filter(is_passed).peekable();
    let (run, others): (&TestResult, Vec<&TestResult>) = match (failed, passed.peek()) {
        (Some(failed), Some(_)) => (failed, passed.copied().collect()),
        _ => {
            let [larger, smaller, ..] = groups else {
                return None;
            };
            (smaller.first()?, vec![larger.first()?])
        }
    };
    let side = |run: &TestResult| Side {
        run: run.run.unwrap_or(1),
        steps: steps(run),
    };
    let run = side(run);
    // The earliest of those that went the same way longest.
    let other = others
        .into_iter()
        .map(side)
        .max_by_key(|other| (run.shared(other), std::cmp::Reverse(other.run)))?;
    parting(&run, &other)
}

/// A run and what it did.
struct Side {
    run: u32,
    steps: Vec<Step>,
}

impl Side {
    /// Returns how many steps both began with.
    fn shared(&self, other: &Self) -> usize {
        let pairs = self.steps.iter().zip(&other.steps);
        pairs
            .take_while(|(a, b)| a.key == b.key && a.turn == b.turn)
            .count()
    }
}

fn parting(run: &Side, other: &Side) -> Option<FirstDifference> {
    let at = run.shared(other);
    let (step, other_step) = (run.steps.get(at), other.steps.get(at));
    // Of two steps in different turns, the earlier turn is where one of them did more.
    let turn = [step, other_step]
        .iter()
        .flatten()
        .map(|step| step.turn)
        .min()?;
    let in_turn = |step: &&Step| step.turn == turn;
    let (step, other_step) = (step.filter(in_turn), other_step.filter(in_turn));
    let event = step.and_then(|step| step.event);
    let other_event = other_step.and_then(|step| step.event);
    let sentence = sentence(run.run, step, other.run, other_step);
    let is_long = |side: &Side| side.steps.last().is_some_and(|step| step.turn > 1);
    let place = if is_long(run) || is_long(other) {
        format!("turn {turn}: ")
    } else {
        String::new()
    };
    let events = match (event, other_event) {
        (Some(event), Some(other)) => format!(" (event {event} / event {other})"),
        (Some(event), None) => format!(" (event {event} / none)"),
        (None, Some(other)) => format!(" (none / event {other})"),
        (None, None) => String::new(),
    };
    Some(FirstDifference {
        run: run.run,
        other_run: other.run,
        turn,
        event,
        other_event,
        text: format!("{place}{sentence}{events}"),
    })
}

fn sentence(run: u32, step: Option<&Step>, other: u32, other_step: Option<&Step>) -> String {
    let acts = (step.map(|step| &step.act), other_step.map(|step| &step.act));
    match acts {
        (
            Some(Act::Call { name, args }),
            Some(Act::Call {
                name: other_name,
                args: other_args,
            }),
        ) if name == other_name => {
            let (had, other_had) = apart(args, other_args);
            format!("run {run} called `{name}` with {had} where run {other} had {other_had}")
        }
        (
            Some(Act::Result { name, value }),
            Some(Act::Result {
                name: other_name,
                value: other_value,
            }),
        ) if name == other_name => {
            let (had, other_had) = apart(value, other_value);
            format!("`{name}` gave run {run} {had} where it gave run {other} {other_had}")
        }
        (Some(Act::Text(text)), Some(Act::Text(other_text))) => {
            let (said, other_said) = quotes(text, other_text);
            format!("run {run} said {said} where run {other} said {other_said}")
        }
        (act, other_act) => {
            format!(
                "run {run} {} where run {other} {}",
                did(act),
                did(other_act)
            )
        }
    }
}

/// Returns what a run did in words.
fn did(act: Option<&Act>) -> String {
    let Some(act) = act else {
        return "did nothing more".to_owned();
    };
    match act {
        Act::User(text) => format!("was told {}", quoted(text, 0)),
        Act::Call { name, .. } => format!("called `{name}`"),
        Act::Result { name, .. } => format!("got a result from `{name}`"),
        Act::ToolError { name, message } => {
            format!("got an error from `{name}`: {}", shorten(message, QUOTED))
        }
        Act::Text(text) => format!("said {}", quoted(text, 0)),
        Act::Interrupt => "ended with an interrupt".to_owned(),
        Act::RunError(message) => format!("ended with an error: {}", shorten(message, QUOTED)),
        Act::Broken { message, .. } => format!("broke off: {}", shorten(message, QUOTED)),
    }
}

/// Returns the first place at which two values differ, and what each has there.
fn apart(value: &Value, other: &Value) -> (String, String) {
    let Some(ValueChange { path, a, b }) = value_changes(value, other).into_iter().next() else {
        return ("other values".to_owned(), "others".to_owned());
    };
    let shown = |value: Option<String>| match (value, path.as_str()) {
        (Some(value), "") => value,
        (Some(value), path) => format!("`{path}` {value}"),
        (None, "") => "nothing".to_owned(),
        (None, path) => format!("no `{path}`"),
    };
    (shown(a), shown(b))
}

/// Quotes two texts from a little before the place at which they part.
pub(crate) fn quotes(text: &str, other: &str) -> (String, String) {
    let pairs = text.chars().zip(other.chars());
    let shared = pairs.take_while(|(a, b)| a == b).count();
    let from = if shared <= QUOTED / 2 {
        0
    } else {
        shared - LEAD
    };
    (quoted(text, from), quoted(other, from))
}

/// Quotes a text from character number `from` on.
fn quoted(text: &str, from: usize) -> String {
    let rest: String = text.chars().skip(from).take(QUOTED + 1).collect();
    let lead = if from > 0 { "…" } else { "" };
    let shown = shorten(&rest, QUOTED);
    Value::from(format!("{lead}{shown}")).to_string()
}
