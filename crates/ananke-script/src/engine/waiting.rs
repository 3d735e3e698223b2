//! Waits for promises: runs what the engine has to do, fires timers, hands in answers, until the promise is settled, nothing is
//! left that could settle it, or the time is over.

use std::time::{Duration, Instant};

use ananke_model::script::{FailureKind, ScriptFailure};
use rquickjs::promise::PromiseState;
use rquickjs::{Ctx, Function, Promise, Value as JsValue};

use super::failure::thrown;
use super::state::{Completion, Left, State};
use super::vm::Prelude;

/// How long is slept at once, so that a stop from outside is noticed.
const NAP: Duration = Duration::from_millis(50);

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

/// Waits for what a function that has ended began and did not wait for, so that what comes of it is known. Returns what is
/// wrong with it.
pub(super) fn drained<'js>(
    ctx: &Ctx<'js>,
    state: &State,
    prelude: &Prelude<'js>,
    name: &str,
) -> Option<ScriptFailure> {
    loop {
        let what = match state.left() {
            Left::Nothing => return None,
            Left::Intervals => {
                return Some(thrown_words(format!(
                    "{name} ended while work that it began was still going on: an interval was never cleared"
                )));
            }
            Left::Timer => "a timer",
            Left::Request => "a request",
        };
        if state.has_to_end() {
            return Some(match state.stop.is_stopped() {
                true => interrupted(state),
                false => thrown_words(format!(
                    "{name} ended while work that it began was still going on: {what} that it did not wait for"
                )),
            });
        }
        turn(ctx, state, prelude);
        while !state.has_to_end() && ctx.execute_pending_job() {}
        if state.was_interrupted.get() {
            return Some(interrupted(state));
        }
    }
}

/// Fires the timer that is due, or waits a little for the next one or an answer. Returns whether there is any.
fn turn<'js>(ctx: &Ctx<'js>, state: &State, prelude: &Prelude<'js>) -> bool {
    if let Some(id) = state.due_timer() {
        told(ctx, call(prelude, "fire", |fire| fire.call((id,))));
        return true;
    }
    let next = state.next_timer();
    if next.is_none() && state.n_open.get() == 0 {
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
