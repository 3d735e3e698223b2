//! The first difference between two behaviors, in the order of the conversation.

use serde_json::Value;

use super::behavior::{Behavior, CallBehavior, TurnBehavior};
use super::comparison::FirstDifference;
use super::values::{changes, shown};
use crate::stability::quotes;

/// Returns where two behaviors part first.
pub(super) fn first_difference(a: &Behavior, b: &Behavior) -> Option<FirstDifference> {
    let n_turns = a.turns.len().max(b.turns.len());
    let in_turns = (0..n_turns).find_map(|index| {
        let found = match (a.turns.get(index), b.turns.get(index)) {
            (Some(a), Some(b)) => in_turn(a, b),
            (a, b) => {
                let ran = |turn: Option<&TurnBehavior>| turn.map(|_| "was run".to_owned());
                Some(difference("the whole turn", ran(a), ran(b)))
            }
        };
        found.map(|found| FirstDifference {
            turn: Some(index + 1),
            ..found
        })
    });
    in_turns.or_else(|| {
        let change = a.checkpoint_changes(b).into_iter().next()?;
        let what = format!("checkpoint `{}`", change.path);
        Some(difference(&what, change.a, change.b))
    })
}

/// Returns the first difference within a turn: what the user said, then calls in their order, the text, and how it ended.
fn in_turn(a: &TurnBehavior, b: &TurnBehavior) -> Option<FirstDifference> {
    if a.input != b.input {
        return Some(texts("user message", &a.input, &b.input));
    }
    let n_calls = a.calls.len().max(b.calls.len());
    let in_calls = (0..n_calls).find_map(|index| {
        let number = index + 1;
        match (a.calls.get(index), b.calls.get(index)) {
            (Some(a), Some(b)) => in_call(number, a, b),
            (a, b) => {
                let whole = |call: Option<&CallBehavior>| call.map(whole);
                let what = format!("tool call {number}");
                Some(difference(&what, whole(a), whole(b)))
            }
        }
    });
    in_calls
        .or_else(|| (a.text != b.text).then(|| texts("text", &a.text, &b.text)))
        .or_else(|| values("state", &a.state, &b.state))
        .or_else(|| values("ending", &a.ending, &b.ending))
}

fn in_call(number: usize, a: &CallBehavior, b: &CallBehavior) -> Option<FirstDifference> {
    let call = format!("tool call {number}");
    if a.name != b.name {
        return Some(difference(&call, Some(whole(a)), Some(whole(b))));
    }
    let named = format!("{call} `{}`", a.name);
    values(&format!("{named}, arguments"), &a.args, &b.args)
        .or_else(|| values(&format!("{named}, result"), &a.came, &b.came))
}

/// Returns a call as one would write it.
fn whole(call: &CallBehavior) -> String {
    format!("`{}` {}", call.name, shown(&call.args))
}

fn texts(what: &str, a: &str, b: &str) -> FirstDifference {
    let (a, b) = quotes(a, b);
    difference(what, Some(a), Some(b))
}

/// Returns the first place at which two values differ.
fn values(what: &str, a: &Value, b: &Value) -> Option<FirstDifference> {
    let change = changes(a, b).into_iter().next()?;
    let what = match change.path.as_str() {
        "" => what.to_owned(),
        path => format!("{what}, {path}"),
    };
    Some(difference(&what, change.a, change.b))
}

fn difference(what: &str, a: Option<String>, b: Option<String>) -> FirstDifference {
    FirstDifference {
        turn: None,
        what: what.to_owned(),
        a,
        b,
    }
}
