//! `t`: what test functions are given, and how they are run. The scripts beside this file do the work inside the engine; `natives`
//! is what they ask of us.

mod natives;
mod source;

#[cfg(test)]
pub(crate) mod test_support;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use rquickjs::{Ctx, Function, Object, Value as JsValue};

use crate::engine::State;

/// Puts the testing side into an engine. What is returned has `test(function, name, context, beforeEach, afterEach)`,
/// `hook(function, name, context)` and `main(function, context, run)`; each returns a promise that is never rejected by the
/// user's code: what went wrong is recorded.
pub(crate) fn install<'js>(
    ctx: &Ctx<'js>,
    state: &Rc<State>,
    globals: &Object<'js>,
) -> rquickjs::Result<Object<'js>> {
    let natives = natives::natives(ctx, state)?;
    let own: Function<'js> = source::part(ctx, "own")?;
    let own: Object<'js> = own.call((natives,))?;
    let testing: Function<'js> = source::part(ctx, "testing")?;
    testing.call((own, globals.clone()))
}

/// Tells whether something that was thrown was recorded when it was thrown: the end of a function that `t` stopped.
pub(crate) fn is_told(value: &JsValue<'_>) -> bool {
    let error = value.as_object().filter(|object| object.is_error());
    error.is_some_and(|error| {
        error.get::<_, bool>("ananke:told").unwrap_or_else(|_| {
            error.ctx().catch();
            false
        })
    })
}
