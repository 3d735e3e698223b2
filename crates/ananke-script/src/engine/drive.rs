//! Drives a function to its end, and does what stands after it if it does not come to one.

use std::time::{Duration, Instant};

use ananke_model::script::{FailureKind, ScriptFailure};
use rquickjs::{Ctx, Function, Value as JsValue};

use super::record::Recorder;
use super::run_file::{Running, failed};
use super::run_tests::{limited, shown};
use super::vm::Prelude;
use super::waiting::{Drain, NEVER, drained, settled, settled_then};

/// How long what stands after a function that did not end may take at most.
const FINISHING: Duration = Duration::from_secs(5);

impl Running {
    /// Drives a function to its end, and what it began and did not wait for. One that does not end is recorded as such, and
    /// what stands after it is done for it: `after`, and what it wants cleaned up. Returns what is left to be recorded.
    pub(super) fn driven<'js>(
        &self,
        ctx: &Ctx<'js>,
        prelude: &Prelude<'js>,
        promise: rquickjs::Result<JsValue<'js>>,
        (name, after, drain): (&str, &JsValue<'js>, Drain),
    ) -> Option<ScriptFailure> {
        let state = &self.state;
        let mut failure = match settled(ctx, state, prelude, promise) {
            Ok(_) => {
                let left = drained(ctx, state, prelude, (name, drain));
                return left.map(|failure| limited(failure, self.run.timeout));
            }
            Err(failure) => limited(failure, self.run.timeout),
        };
        if failure.message == NEVER
            && let Some(what) = waits_for(ctx, prelude)
        {
            failure.message = failure.message.replacen("that it returned", &what, 1);
        }
        {
            let mut recorder = state.recorder.borrow_mut();
            recorder.fail(failure);
            self.unheard(&mut recorder);
        }
        if !state.stop.is_stopped() {
            self.finish(ctx, prelude, after);
        }
        None
    }

    /// Does what stands after a function that did not end, within a time of its own.
    fn finish<'js>(&self, ctx: &Ctx<'js>, prelude: &Prelude<'js>, after: &JsValue<'js>) {
        let state = &self.state;
        // What it still waits for is not to wake it.
        state.clear();
        self.restart_clock();
        let limit = self.run.timeout.min(FINISHING);
        state.deadline.set(Some(Instant::now() + limit));
        let finish = prelude.testing.get::<_, Function<'js>>("finish");
        let promise = finish.and_then(|finish| finish.call((after,)));
        let Err(failure) = settled_then(ctx, state, prelude, promise, false) else {
            return;
        };
        let why = match failure.kind {
            FailureKind::Timeout => format!("it did not end within {}", shown(limit)),
            _ => failure.message,
        };
        let what = waits_for(ctx, prelude).map_or_else(
            || "what stands after it".to_owned(),
            |what| what.trim_start_matches("that ").replace(" returned", ""),
        );
        state.recorder.borrow_mut().fail(failed(
            FailureKind::Hook,
            format!("{what} failed after the function had not ended: {why}"),
        ));
    }

    /// Records what was rejected while nobody listened.
    pub(super) fn unheard(&self, recorder: &mut Recorder) {
        let rejected = std::mem::take(&mut *self.state.rejected.borrow_mut());
        for failure in rejected.into_values() {
            recorder.fail(failure);
        }
    }
}

/// Returns what the function that runs waits for, such as `that AfterEach returned`, if that is not its own promise.
fn waits_for(ctx: &Ctx<'_>, prelude: &Prelude<'_>) -> Option<String> {
    let waits = prelude.testing.get::<_, Function<'_>>("waits");
    match waits.and_then(|waits| waits.call::<_, Option<String>>(())) {
        Ok(what) => what,
        Err(_) => {
            ctx.catch();
            None
        }
    }
}
