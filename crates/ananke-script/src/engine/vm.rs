//! One engine: its limits, its loader, and what is put into it before the user's files are.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::rc::Rc;

use ananke_model::script::FailureKind;
use rquickjs::{CatchResultExt as _, CaughtError, Context, Ctx, Object, Runtime, Value as JsValue};

use super::failure::thrown;
use super::limits::{GC_EVERY, MEMORY, STACK};
use super::modules::Modules;
use super::state::State;
use crate::{globals, testing};

/// What our own scripts in the engine hand out.
pub(super) struct Prelude<'js> {
    /// `context(json)` makes the `ctx` of a function, `fire(id)` calls a timer, `settle(id, …)` ends a request.
    pub(super) globals: Object<'js>,
    /// `test`, `hook` and `main` run functions with a `t`.
    pub(super) testing: Object<'js>,
}

/// Makes an engine and does `body` in it; says why if there can be none.
pub(super) fn with_engine<R>(
    state: &Rc<State>,
    body: impl for<'js> FnOnce(&Ctx<'js>, &Prelude<'js>) -> R,
) -> Result<R, String> {
    let broken = |error: rquickjs::Error| format!("the engine cannot be started: {error}");
    let runtime = Runtime::new().map_err(broken)?;
    runtime.set_memory_limit(MEMORY);
    runtime.set_max_stack_size(STACK);
    runtime.set_gc_threshold(GC_EVERY);
    let watched = Rc::clone(state);
    runtime.set_interrupt_handler(Some(Box::new(move || {
        let ends = watched.has_to_end();
        if ends {
            watched.was_interrupted.set(true);
        }
        ends
    })));
    runtime.set_loader(Modules(Rc::clone(state)), Modules(Rc::clone(state)));
    let watched = Rc::clone(state);
    runtime.set_host_promise_rejection_tracker(Some(Box::new(
        move |_, promise, reason, is_handled| {
            watched.rejection(&promise, &reason, is_handled);
        },
    )));
    let context = Context::full(&runtime).map_err(broken)?;
    context.with(|ctx| {
        let prelude = install(&ctx, state).catch(&ctx);
        match prelude {
            Ok(prelude) => Ok(body(&ctx, &prelude)),
            Err(CaughtError::Exception(error)) => Err(format!(
                "the engine cannot be started: {}",
                error.message().unwrap_or_default()
            )),
            Err(error) => Err(format!("the engine cannot be started: {error}")),
        }
    })
}

fn install<'js>(ctx: &Ctx<'js>, state: &Rc<State>) -> rquickjs::Result<Prelude<'js>> {
    let globals = globals::install(ctx, state)?;
    let testing = testing::install(ctx, state, &globals)?;
    Ok(Prelude { globals, testing })
}

impl State {
    /// Keeps what a promise was rejected with until somebody listens to it.
    fn rejection(&self, promise: &JsValue<'_>, reason: &JsValue<'_>, is_handled: bool) {
        let mut hasher = DefaultHasher::new();
        promise.hash(&mut hasher);
        let key = usize::try_from(hasher.finish() >> 1).unwrap_or_default();
        if is_handled || testing::is_told(reason) {
            self.rejected.borrow_mut().remove(&key);
            return;
        }
        let mut failure = thrown(self, reason);
        if failure.kind == FailureKind::Thrown {
            failure.message = format!(
                "a promise was rejected and nobody listened: {}",
                failure.message
            );
        }
        self.rejected.borrow_mut().insert(key, failure);
    }
}
