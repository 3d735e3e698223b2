//! Waits for promises: runs what the engine has to do, fires timers, hands in answers, until the promise is settled, nothing is
//! left that could settle it, or the time is over.

use std::time::{Duration, Instant};

use ananke_model::script::{FailureKind, LogLevel, ScriptFailure};
use rquickjs::promise::PromiseState;
use rquickjs::{Ctx, Function, Promise, Value as JsValue};

use super::failure::thrown;
use super::run_tests::shown;
use super::state::{Completion, State};
use super::vm::Prelude;

/// How long is slept at once, so that a stop from outside is noticed.
const NAP: Duration = Duration::from_millis(50);

/// How long is waited at most for what a function that has ended did not wait for.
const LEFT: Duration = Duration::from_secs(1);

/// Returns what `value` becomes: itself, or what its promise is resolved with.
pub(super) fn settled<'js>(
    ctx: &Ctx<'js>,
    state: &State,
    prelude: &Prelude<'js>,
    value: rquickjs::Result<JsValue<'js>>,
) -> Result<JsValue<'js>, ScriptFailure> {
    settled_then(ctx, state, prelude, value, true)
}

/// Returns what `value` becomes. Whatever else is ready to be run is run first only if `is_thorough`: what was abandoned may
/// never come to an end.
pub(super) fn settled_then<'js>(
    ctx: &Ctx<'js>,
    state: &State,
    prelude: &Prelude<'js>,
    value: rquickjs::Result<JsValue<'js>>,
    is_thorough: bool,
) -> Result<JsValue<'js>, ScriptFailure> {
    let value = value.map_err(|_| caught(ctx, state))?;
    let promise = match value.try_into_promise() {
        Ok(promise) => promise,
        Err(value) => return Ok(value),
    };
    loop {
        while (is_thorough || promise.state() == PromiseState::Pending)
            && !state.has_to_end()
            && ctx.execute_pending_job()
        {}
        if state.was_interrupted.get() || state.has_to_end() {
            state.was_interrupted.set(true);
            return Err(interrupted(state));
        }
        if promise.state() != PromiseState::Pending {
            return result(ctx, state, &promise);
        }
        if !turn(ctx, state, prelude) {
            return Err(never());
        }
    }
}

/// What is waited for when a function has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Drain {
    /// All that it left. Its intervals have to be cleared.
    All,
    /// Its requests and timers: what it left in other ways belongs to the file.
    Timers,
    /// Its requests only.
    Requests,
}

/// Waits a little for what a function that has ended began and did not wait for, so that what comes of it is known. Returns
/// what is wrong with it.
pub(super) fn drained<'js>(
    ctx: &Ctx<'js>,
    state: &State,
    prelude: &Prelude<'js>,
    (name, drain): (&str, Drain),
) -> Option<ScriptFailure> {
    state.act_for_itself();
    let until = Instant::now() + LEFT.min(state.remaining());
    let n_failures = state.recorder.borrow().n_failures();
    let left = loop {
        let left = state.left();
        let due = match drain {
            // One that fails fails again and again.
            Drain::All if state.recorder.borrow().n_failures() == n_failures => {
                [left.timer, left.interval]
            }
            Drain::All | Drain::Timers => [left.timer, None],
            Drain::Requests => [None, None],
        };
        let is_soon = due.iter().flatten().any(|due| *due <= until);
        if !left.has_request && !is_soon {
            break left;
        }
        if state.stop.is_stopped() {
            return Some(interrupted(state));
        }
        if Instant::now() >= until {
            break left;
        }
        turn(ctx, state, prelude);
        while !state.has_to_end() && ctx.execute_pending_job() {}
        if state.was_interrupted.get() {
            return Some(interrupted(state));
        }
    };
    if drain == Drain::All
        && let Some(longest) = left.timers.iter().max()
    {
        let longest = shown(*longest);
        let dropped = match left.timers.len() {
            1 => format!("a timer of {longest} was still pending, and was dropped"),
            n => format!(
                "{n} timers, the longest of {longest}, were still pending, and were dropped"
            ),
        };
        state.recorder.borrow_mut().log(LogLevel::Warn, &dropped);
    }
    let what = match (left.has_request, left.interval.is_some()) {
        (true, _) => "a request that it did not wait for",
        (_, true) if drain == Drain::All => "an interval was never cleared",
        _ => return None,
    };
    Some(thrown_words(format!(
        "{name} ended while work that it began was still going on: {what}"
    )))
}

/// Fires the timer that is due, or waits a little for the next one or an answer. Returns whether there is any.
fn turn<'js>(ctx: &Ctx<'js>, state: &State, prelude: &Prelude<'js>) -> bool {
    state.act_for_itself();
    if let Some(id) = state.due_timer() {
        told(ctx, call(prelude, "fire", |fire| fire.call((id,))));
        return true;
    }
    let next = state.next_timer();
    if next.is_none() && !state.expects_answers() {
        return false;
    }
    let now = Instant::now();
    let wait = next.map_or(NAP, |due| due.saturating_duration_since(now));
    let wait = wait.min(NAP).min(state.remaining());
    if let Some(answer) = state.answer(wait) {
        told(ctx, hand_in(ctx, prelude, answer));
    }
    true
}

/// Returns the failure that an exception is which has just been thrown.
pub(super) fn caught(ctx: &Ctx<'_>, state: &State) -> ScriptFailure {
    let value = ctx.catch();
    if state.was_interrupted.get() {
        return interrupted(state);
    }
    thrown(state, &value)
}

/// Says that the time is over, or that the user stopped the run. Whoever knows the limit adds it.
pub(super) fn interrupted(state: &State) -> ScriptFailure {
    let (kind, message) = match state.stop.is_stopped() {
        true => (FailureKind::Interrupted, "interrupted"),
        false => (FailureKind::Timeout, "timeout"),
    };
    ScriptFailure {
        kind,
        message: message.to_owned(),
        ..ScriptFailure::default()
    }
}

/// What is said of a promise that nothing can settle; whoever knows what waits for it says that instead of `it`.
pub(super) const NEVER: &str =
    "the promise that it returned never settles: nothing is left that could settle it";

fn never() -> ScriptFailure {
    thrown_words(NEVER.to_owned())
}

fn thrown_words(message: String) -> ScriptFailure {
    ScriptFailure {
        kind: FailureKind::Thrown,
        message,
        ..ScriptFailure::default()
    }
}

fn result<'js>(
    ctx: &Ctx<'js>,
    state: &State,
    promise: &Promise<'js>,
) -> Result<JsValue<'js>, ScriptFailure> {
    match promise.result::<JsValue<'js>>() {
        Some(Ok(value)) => Ok(value),
        Some(Err(_)) => Err(caught(ctx, state)),
        None => Err(never()),
    }
}

fn call<'js>(
    prelude: &Prelude<'js>,
    name: &str,
    body: impl FnOnce(Function<'js>) -> rquickjs::Result<()>,
) -> rquickjs::Result<()> {
    prelude.globals.get::<_, Function<'js>>(name).and_then(body)
}

/// Hands an answer to the script that asked.
fn hand_in<'js>(
    ctx: &Ctx<'js>,
    prelude: &Prelude<'js>,
    answer: Completion,
) -> rquickjs::Result<()> {
    let settle: Function<'js> = prelude.globals.get("settle")?;
    match answer.result {
        Ok(fetched) => {
            let fetched = crate::globals::fetched(ctx, fetched)?;
            settle.call((answer.id, fetched))
        }
        Err(why) => settle.call((answer.id, JsValue::new_null(ctx.clone()), why)),
    }
}

/// Lets go of what a callback threw: it was told when it was thrown, or the time is over.
fn told(ctx: &Ctx<'_>, result: rquickjs::Result<()>) {
    if result.is_err() {
        ctx.catch();
    }
}
