//! `Process`: agents are asked, functions of other scripts are called in the same engine.

use std::path::Path;
use std::rc::Rc;

use rquickjs::function::This;
use rquickjs::promise::PromiseState;
use rquickjs::{Ctx, Exception, Function, Module, Object, Value as JsValue};

use super::install::{add, undefined};
use crate::compile::{WHOLE, exported_name};
use crate::engine::{State, from_json, to_json};
use crate::host::AgentCall;

/// Adds `agentOf`, `stream` and `script`.
pub(super) fn natives<'js>(state: &Rc<State>, native: &Object<'js>) -> rquickjs::Result<()> {
    add(native, "agentOf", |name: String| {
        agent_of(&name).map(str::to_owned)
    })?;
    let own = Rc::clone(state);
    add(
        native,
        "stream",
        move |ctx: Ctx<'js>,
              agent: String,
              context: JsValue<'js>,
              messages: JsValue<'js>,
              options: JsValue<'js>| {
            let answer = own.host.stream(AgentCall {
                agent,
                context: to_json(&context),
                messages: to_json(&messages),
                options: to_json(&options),
                timeout: own.remaining(),
            });
            match answer {
                Ok(answer) => from_json(&ctx, &answer),
                Err(why) => Err(Exception::throw_message(&ctx, &why)),
            }
        },
    )?;
    let own = Rc::clone(state);
    add(
        native,
        "script",
        move |ctx: Ctx<'js>, name: String| match own.host.script(&name) {
            Some(Ok((path, function))) => imported(&ctx, &own, &path, &function),
            Some(Err(why)) => Err(Exception::throw_message(&ctx, &why)),
            None => Err(Exception::throw_message(
                &ctx,
                &format!(
                    "there is no process `{name}` in a test; answer it with t.mockProcess({name:?}, fn)"
                ),
            )),
        },
    )
}

/// Returns the agent that `agents.<id>.Stream` names.
fn agent_of(process: &str) -> Option<&str> {
    let id = process.strip_prefix("agents.")?.strip_suffix(".Stream")?;
    (!id.is_empty()).then_some(id)
}

/// Returns a function of another file, which is loaded into the same engine unless it is there already.
fn imported<'js>(
    ctx: &Ctx<'js>,
    state: &State,
    path: &Path,
    function: &str,
) -> rquickjs::Result<Function<'js>> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let shown = state.settings.shown(&path);
    // A module that imports the file is evaluated at once; `import()` would only promise it.
    let name = serde_json::Value::from(format!("{WHOLE}{}", path.display()));
    let about = format!("export * as file from {name};");
    let (module, promise) = Module::declare(ctx.clone(), "ananke:process", about)?.eval()?;
    // Whoever called is told of what it is rejected with.
    let listen: Function<'js> = promise.catch()?;
    let ignore = Function::new(ctx.clone(), || {})?;
    listen.call::<_, ()>((This(promise.clone()), ignore))?;
    while promise.state() == PromiseState::Pending && ctx.execute_pending_job() {}
    match promise.result::<JsValue<'js>>() {
        Some(Ok(_)) => {}
        Some(Err(error)) => return Err(error),
        None => {
            let why = format!("{shown} waits for something at its top level: import it instead");
            return Err(Exception::throw_message(ctx, &why));
        }
    }
    let file: Object<'js> = module.get("file")?;
    for name in [exported_name(function), function.to_owned()] {
        let value = file.get::<_, JsValue<'js>>(name).unwrap_or_else(|_| {
            ctx.catch();
            undefined(ctx)
        });
        if let Some(function) = value.into_function() {
            return Ok(function);
        }
    }
    let why = format!("there is no function `{function}` in {shown}");
    Err(Exception::throw_message(ctx, &why))
}
