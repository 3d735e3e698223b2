//! Calls one function of a script: a check, a hook, a tool, an agent.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use ananke_model::coverage::Coverage;
use ananke_model::script::{FailureKind, ScriptFailure, ScriptLog};
use rquickjs::{Ctx, Function, Object, Value as JsValue};
use serde_json::Value;

use super::limits::GRACE;
use super::load::{coverage, function, load, real};
use super::memory::Memory;
use super::no_json::no_json;
use super::on_thread::on_thread;
use super::run_tests::{limited, loading, timeout};
use super::settings::{Settings, Stop};
use super::state::State;
use super::values::{from_json, to_json};
use super::vm::{Prelude, with_engine};
use super::waiting::{caught, settled};
use crate::compile::HIDDEN;
use crate::host::Host;

/// How often a stop from outside is looked for.
const LOOK: Duration = Duration::from_millis(50);

/// A call of one function.
#[derive(Clone, Debug)]
pub struct Calling {
    /// What all scripts share.
    pub settings: Arc<Settings>,
    /// Whoever answers what the function asks.
    pub host: Arc<dyn Host>,
    /// Stops it.
    pub stop: Stop,
    /// The file, absolute.
    pub path: PathBuf,
    /// The function; without it the default export, or the only function that is exported.
    pub function: Option<String>,
    /// What it is called with.
    pub arguments: Vec<Argument>,
    /// How long it may take.
    pub timeout: Duration,
    /// What `ctx.memory` holds when it begins, and keeps when it has ended.
    pub memory: Memory,
}

/// What a function is called with.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A value.
    Json(Value),
    /// A `ctx`, made of the members of an identity.
    Context(Value),
}

/// What came of a call.
#[derive(Debug)]
pub struct Called {
    /// What it returned, or what went wrong.
    pub result: Result<Value, ScriptFailure>,
    /// What of that JSON has no word for, such as `a function`, if there is something: `result` has a text in its place.
    pub no_json: Option<String>,
    /// What it logged.
    pub logs: Vec<ScriptLog>,
    /// What was run, if it was counted.
    pub coverage: Coverage,
    /// The files that were loaded when it had ended, relative to the root, sorted.
    pub modules: Vec<String>,
    /// A digest over their texts, in that order. Empty if it is not known.
    pub digest: String,
}

impl Called {
    /// Returns a call that nothing came of but a failure.
    pub fn failed(failure: ScriptFailure) -> Self {
        Self {
            result: Err(failure),
            no_json: None,
            logs: Vec::new(),
            coverage: Coverage::default(),
            modules: Vec::new(),
            digest: String::new(),
        }
    }

    /// Takes what JSON cannot say for an error: for functions whose answer matters.
    #[must_use]
    pub fn strict(mut self) -> Self {
        if let Some(what) = self.no_json.take() {
            self.result = Err(ScriptFailure {
                kind: FailureKind::Thrown,
                message: format!("it returned {what}, which JSON cannot say"),
                ..ScriptFailure::default()
            });
        }
        self
    }
}

/// Calls a function and waits until it has returned, and its promise is settled.
pub fn call(calling: Calling) -> Called {
    let limit = calling.timeout;
    let stop = calling.stop.clone();
    let (sender, answer) = channel();
    let thread = on_thread(move || {
        // Nobody waits for what comes too late.
        sender.send(call_here(&calling)).ok();
    });
    if let Err(error) = thread {
        return Called::failed(failed(format!("a thread cannot be started: {error}")));
    }
    let since = Instant::now();
    loop {
        match answer.recv_timeout(LOOK) {
            Ok(called) => return called,
            Err(RecvTimeoutError::Disconnected) => {
                return Called::failed(failed("the engine broke".to_owned()));
            }
            Err(RecvTimeoutError::Timeout) if since.elapsed() > limit + GRACE => {
                return Called::failed(timeout(limit));
            }
            Err(RecvTimeoutError::Timeout) if stop.is_stopped() && since.elapsed() > GRACE => {
                return Called::failed(ScriptFailure {
                    kind: FailureKind::Interrupted,
                    ..failed("interrupted".to_owned())
                });
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

fn failed(message: String) -> ScriptFailure {
    ScriptFailure {
        kind: FailureKind::Load,
        message,
        ..ScriptFailure::default()
    }
}

/// Calls the function on this thread.
fn call_here(calling: &Calling) -> Called {
    let settings = Arc::clone(&calling.settings);
    let state = State::new(settings, calling.host.clone(), calling.stop.clone());
    let limit = calling.timeout.min(Duration::from_secs(86_400 * 365));
    state.deadline.set(Some(Instant::now() + limit));
    let name = calling.function.as_deref().unwrap_or("default");
    state.recorder.borrow_mut().begin(name);
    let called = with_engine(&state, |ctx, prelude| {
        let result = remember(ctx, prelude, &calling.memory)
            .map_err(|_| caught(ctx, &state))
            .and_then(|()| returned(ctx, &state, prelude, calling));
        if keep(prelude, &calling.memory).is_err() {
            // What cannot be written down is forgotten.
            ctx.catch();
        }
        let coverage = match state.settings.coverage {
            true => coverage(ctx, &state),
            false => Coverage::default(),
        };
        (result, coverage)
    });
    let (result, coverage) = called.unwrap_or_else(|why| (Err(failed(why)), Coverage::default()));
    let (mut result, no_json) = match result {
        Ok((value, no_json)) => (Ok(value), no_json),
        Err(failure) => (Err(failure), None),
    };
    let record = state.recorder.borrow_mut().end();
    // What was rejected behind the back of a function that returned has no other way to be told.
    let rejected = std::mem::take(&mut *state.rejected.borrow_mut());
    if let (Ok(_), Some(failure)) = (&result, rejected.into_values().next()) {
        result = Err(failure);
    }
    let (modules, digest) = match state.modules.borrow().is_empty() {
        true => Default::default(),
        false => state.loaded(),
    };
    Called {
        result,
        no_json,
        logs: record.logs,
        coverage,
        modules,
        digest,
    }
}

/// Hands over what earlier calls kept.
fn remember<'js>(ctx: &Ctx<'js>, prelude: &Prelude<'js>, memory: &Memory) -> rquickjs::Result<()> {
    let kept = memory.kept();
    let kept = if kept.is_empty() { "[]" } else { &kept };
    let remember: Function<'js> = prelude.globals.get("remember")?;
    remember.call((ctx.json_parse(kept)?,))
}

/// Keeps what later calls may ask for.
fn keep(prelude: &Prelude<'_>, memory: &Memory) -> rquickjs::Result<()> {
    let kept: Function<'_> = prelude.globals.get("kept")?;
    if let Some(spaces) = kept.call::<_, Option<String>>(())? {
        memory.keep(spaces);
    }
    Ok(())
}

fn returned<'js>(
    ctx: &Ctx<'js>,
    state: &Rc<State>,
    prelude: &Prelude<'js>,
    calling: &Calling,
) -> Result<(Value, Option<String>), ScriptFailure> {
    let file = real(&calling.path).display().to_string();
    let module = load(ctx, state, prelude, &file);
    let module = module.map_err(|failure| loading(failure, calling.timeout))?;
    let function = wanted(&module, calling.function.as_deref(), &calling.path)?;
    let returned = arguments(ctx, prelude, &calling.arguments).and_then(|arguments| {
        let mut all = rquickjs::function::Args::new(ctx.clone(), arguments.len());
        all.push_args(arguments)?;
        function.call_arg::<JsValue<'js>>(all)
    });
    let value = settled(ctx, state, prelude, returned);
    let value = value.map_err(|failure| limited(failure, calling.timeout))?;
    Ok((to_json(&value), no_json(&value)))
}

fn arguments<'js>(
    ctx: &Ctx<'js>,
    prelude: &Prelude<'js>,
    arguments: &[Argument],
) -> rquickjs::Result<Vec<JsValue<'js>>> {
    let arguments = arguments.iter().map(|argument| match argument {
        Argument::Json(value) => from_json(ctx, value),
        Argument::Context(members) => {
            let context: Function<'js> = prelude.globals.get("context")?;
            context.call((from_json(ctx, members)?,))
        }
    });
    arguments.collect()
}

/// Returns the function that is meant.
fn wanted<'js>(
    module: &Object<'js>,
    name: Option<&str>,
    path: &std::path::Path,
) -> Result<Function<'js>, ScriptFailure> {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    if let Some(name) = name {
        let found = function(module, name);
        return found.ok_or_else(|| failed(format!("there is no function `{name}` in {file}")));
    }
    if let Some(default) = function(module, "default") {
        return Ok(default);
    }
    let names = module.keys::<String>().filter_map(Result::ok);
    let names = names.filter(|name| !name.starts_with(HIDDEN));
    let mut exported = names.filter_map(|name| function(module, &name));
    match (exported.next(), exported.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(failed(format!(
            "{file} has neither a default export nor exactly one exported function: which one is meant?"
        ))),
    }
}
