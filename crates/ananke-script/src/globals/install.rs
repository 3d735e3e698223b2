//! Puts the globals into an engine.

use std::rc::Rc;

use rquickjs::context::EvalOptions;
use rquickjs::function::IntoJsFunc;
use rquickjs::{Ctx, Function, Object, Value as JsValue};

use super::parts;
use super::parts::CORE;
use crate::engine::State;

/// Puts the globals into an engine. What is returned has `context(json)`, which makes the `ctx` of a function, `fire(id)`, which
/// calls a timer, and `settle(id, fetched, why)`, which ends a request; `setProcessMocks(find)` takes a function that returns
/// what answers a process instead, if something does, and `setTold(isTold)` one that tells whether something that was thrown was
/// recorded already.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, state: &Rc<State>) -> rquickjs::Result<Object<'js>> {
    let native = Object::new(ctx.clone())?;
    parts::natives(state, &native)?;
    script(ctx, "ananke:core", CORE)?.call((native,))
}

/// Evaluates a script of our own, which is one function, strictly.
pub(super) fn script<'js>(
    ctx: &Ctx<'js>,
    name: &str,
    text: &str,
) -> rquickjs::Result<Function<'js>> {
    let mut options = EvalOptions::default();
    options.filename = Some(name.to_owned());
    options.strict = true;
    ctx.eval_with_options(text, options)
}

/// Adds a function to an object. It must not hold values of the engine.
pub(super) fn add<'js, P>(
    object: &Object<'js>,
    name: &str,
    function: impl IntoJsFunc<'js, P> + 'js,
) -> rquickjs::Result<()> {
    let function = Function::new(object.ctx().clone(), function)?.with_name(name)?;
    object.set(name, function)
}

/// Returns `undefined`.
pub(super) fn undefined<'js>(ctx: &Ctx<'js>) -> JsValue<'js> {
    JsValue::new_undefined(ctx.clone())
}
