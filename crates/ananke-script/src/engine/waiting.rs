//! Waits for promises: runs what the engine has to do, fires timers, hands in answers, until the promise is settled, nothing is
//! left that could settle it, or the time is over.

use std::time::{Duration, Instant};

use ananke_model::script::{FailureKind, ScriptFailure};
use rquickjs::promise::PromiseState;
use rquickjs::{Ctx, Function, Promise, Value as JsValue};

use super::failure::thrown;
use super::state::{Completion, State};
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
    let value = value.map_err(|_| caught(ctx, state))?;
    let promise = match value.try_into_promise() {
        Ok(promise) => promise,
        Err(value) => return Ok(value),
    };
    loop {
        while !state.has_to_end() && ctx.execute_pending_job() {}
        if state.was_interrupted.get() || state.has_to_end() {
            state.was_interrupted.set(true);
            return Err(interrupted(state));
        }
        if promise.state() != PromiseState::Pending {
            return result(ctx, state, &promise);
        }
        if let Some(id) = state.due_timer() {
            told(ctx, call(prelude, "fire", |fire| fire.call((id,))));
            continue;
        }
        let next = state.next_timer();
        if next.is_none() && state.n_open.get() == 0 {
            return Err(never());
        }
        let now = Instant::now();
        let wait = next.map_or(NAP, |due| due.saturating_duration_since(now));
        let wait = wait.min(NAP).min(state.remaining());
        if let Some(answer) = state.answer(wait) {
            told(ctx, hand_in(ctx, prelude, answer));
        }
    }
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

fn never() -> ScriptFailure {
    ScriptFailure {
        kind: FailureKind::Thrown,
        message: "the promise that it returned never settles: nothing is left that could settle it"
            .to_owned(),
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
