//! What our own scripts ask of us: to record, to look things up, to ask the host.

use std::rc::Rc;
use std::time::Duration;

use ananke_model::diagnostic::did_you_mean;
use ananke_model::result::TestStatus;
use ananke_model::script::{FailedAssertion, FailureKind, LogLevel, ScriptFailure};
use rquickjs::function::Opt;
use rquickjs::{Ctx, Function, Object, Value as JsValue};
use serde_json::Value;

use super::source::part;
use crate::compile::has_private_fields;
use crate::engine::{State, failure_of, from_json, thrown, to_json};
use crate::globals::shown;
use crate::host::Judged;

/// Returns the functions that our own scripts call.
pub(super) fn natives<'js>(ctx: &Ctx<'js>, state: &Rc<State>) -> rquickjs::Result<Object<'js>> {
    let natives = Object::new(ctx.clone())?;
    natives.set(
        "part",
        Function::new(ctx.clone(), |ctx: Ctx<'js>, name: String| part(&ctx, &name))?,
    )?;
    natives.set(
        "line",
        Function::new(ctx.clone(), |value: JsValue<'js>| shown(&value))?,
    )?;
    natives.set(
        "shown",
        Function::new(ctx.clone(), |value: JsValue<'js>| {
            let text = shown(&value);
            if value.is_string() {
                Value::String(text).to_string()
            } else {
                text
            }
        })?,
    )?;
    natives.set(
        "hasPrivateFields",
        Function::new(ctx.clone(), |class: String| has_private_fields(&class))?,
    )?;
    natives.set("meant", Function::new(ctx.clone(), meant)?)?;
    let own = Rc::clone(state);
    natives.set(
        "isMemory",
        Function::new(ctx.clone(), move |value: JsValue<'js>| {
            thrown(&own, &value).kind == FailureKind::Memory
        })?,
    )?;
    recording(ctx, state, &natives)?;
    asking(ctx, state, &natives)?;
    Ok(natives)
}

/// Adds what records.
fn recording<'js>(
    ctx: &Ctx<'js>,
    state: &Rc<State>,
    natives: &Object<'js>,
) -> rquickjs::Result<()> {
    let own = Rc::clone(state);
    natives.set(
        "log",
        Function::new(ctx.clone(), move |is_error: bool, text: String| {
            let level = if is_error {
                LogLevel::Error
            } else {
                LogLevel::Info
            };
            own.recorder.borrow_mut().log(level, &text);
        })?,
    )?;
    let own = Rc::clone(state);
    natives.set(
        "assertion",
        Function::new(ctx.clone(), move || {
            own.recorder.borrow_mut().assertion();
        })?,
    )?;
    let own = Rc::clone(state);
    natives.set(
        "skip",
        Function::new(ctx.clone(), move |reason: String| {
            own.recorder.borrow_mut().skip(&reason);
        })?,
    )?;
    let own = Rc::clone(state);
    natives.set(
        "failures",
        Function::new(ctx.clone(), move || own.recorder.borrow().n_failures())?,
    )?;
    let own = Rc::clone(state);
    natives.set(
        "keep",
        Function::new(ctx.clone(), move |has_cleanups: bool| {
            own.has_cleanups.set(has_cleanups);
        })?,
    )?;
    let own = Rc::clone(state);
    natives.set(
        "enter",
        Function::new(ctx.clone(), move |name: String| {
            own.recorder.borrow_mut().enter(&name)
        })?,
    )?;
    let own = Rc::clone(state);
    natives.set(
        "leave",
        Function::new(
            ctx.clone(),
            move |number: u32, status: String, has_evidence: bool| {
                let status = status_named(&status);
                own.recorder
                    .borrow_mut()
                    .leave(number, status, has_evidence);
            },
        )?,
    )?;
    let own = Rc::clone(state);
    natives.set(
        "fail",
        Function::new(
            ctx.clone(),
            move |kind: String,
                  message: String,
                  stack: String,
                  subtest: Option<String>,
                  assertion: Opt<Option<Object<'js>>>| {
                let mut failure = failure_of(&own, kind_named(&kind), &message, &stack);
                failure.subtest = subtest;
                failure.assertion = assertion.0.flatten().map(|told| failed_assertion(&told));
                own.recorder.borrow_mut().fail(failure);
            },
        )?,
    )?;
    let own = Rc::clone(state);
    natives.set(
        "thrown",
        Function::new(
            ctx.clone(),
            move |value: JsValue<'js>,
                  stack: String,
                  hook: Option<String>,
                  subtest: Option<String>| {
                let failure = uncaught(&own, &value, &stack, hook.as_deref());
                own.recorder
                    .borrow_mut()
                    .fail(ScriptFailure { subtest, ..failure });
            },
        )?,
    )
}

/// Adds what is asked of the host.
fn asking<'js>(ctx: &Ctx<'js>, state: &Rc<State>, natives: &Object<'js>) -> rquickjs::Result<()> {
    let own = Rc::clone(state);
    natives.set(
        "remaining",
        Function::new(ctx.clone(), move || {
            own.remaining()
                .min(Duration::from_secs(86_400 * 365))
                .as_secs_f64()
                * 1000.0
        })?,
    )?;
    let own = Rc::clone(state);
    natives.set(
        "matches",
        Function::new(
            ctx.clone(),
            move |ctx: Ctx<'js>, pattern: String, text: String| {
                let answer = match own.host.matches(&pattern, &text) {
                    Ok(is_found) => Value::Bool(is_found),
                    Err(why) => Value::String(why),
                };
                from_json(&ctx, &answer)
            },
        )?,
    )?;
    let own = Rc::clone(state);
    natives.set(
        "jsonPath",
        Function::new(
            ctx.clone(),
            move |ctx: Ctx<'js>, value: JsValue<'js>, path: String| {
                let value = parsed(to_json(&value));
                let found = own.host.json_path(&value, &path);
                let answer = Object::new(ctx.clone())?;
                answer.set("error", found.as_ref().err())?;
                let found = found.ok().flatten();
                answer.set("isMissing", found.is_none())?;
                answer.set(
                    "value",
                    found.map(|found| from_json(&ctx, &found)).transpose()?,
                )?;
                Ok::<_, rquickjs::Error>(answer)
            },
        )?,
    )?;
    let own = Rc::clone(state);
    natives.set(
        "judge",
        Function::new(
            ctx.clone(),
            move |ctx: Ctx<'js>, response: JsValue<'js>, agent: String, options: JsValue<'js>| {
                let prefixes = ["agents:", "agents."];
                let id = prefixes
                    .iter()
                    .find_map(|prefix| agent.strip_prefix(prefix));
                let verdict = own.host.judge(Judged {
                    agent: id.unwrap_or(&agent).to_owned(),
                    response: to_json(&response),
                    options: to_json(&options),
                    timeout: own.remaining(),
                });
                let answer = Object::new(ctx)?;
                answer.set("error", verdict.as_ref().err())?;
                answer.set(
                    "passed",
                    verdict.as_ref().is_ok_and(|verdict| verdict.passed),
                )?;
                answer.set(
                    "reason",
                    verdict.map(|verdict| verdict.reason).unwrap_or_default(),
                )?;
                Ok::<_, rquickjs::Error>(answer)
            },
        )?,
    )
}

/// Returns what to say after a word that is not known.
fn meant(word: String, names: Vec<String>) -> String {
    let nearest = did_you_mean(&word, names.iter().map(String::as_str));
    nearest
        .map(|name| format!(": did you mean `{name}`?"))
        .unwrap_or_default()
}

/// Returns what a text holds that is JSON.
fn parsed(value: Value) -> Value {
    let inner = value
        .as_str()
        .and_then(|text| serde_json::from_str::<Value>(text).ok());
    inner
        .filter(|inner| inner.is_object() || inner.is_array())
        .unwrap_or(value)
}

fn kind_named(name: &str) -> FailureKind {
    match name {
        "assertion" => FailureKind::Assertion,
        "failed" => FailureKind::Failed,
        "fatal" => FailureKind::Fatal,
        "hook" => FailureKind::Hook,
        "undecided" => FailureKind::Undecided,
        _ => FailureKind::Thrown,
    }
}

fn status_named(name: &str) -> TestStatus {
    match name {
        "passed" => TestStatus::Passed,
        "failed" => TestStatus::Failed,
        "skipped" => TestStatus::Skipped,
        "inconclusive" => TestStatus::Inconclusive,
        _ => TestStatus::Error,
    }
}

fn failed_assertion(told: &Object<'_>) -> FailedAssertion {
    let text = |name: &str| told.get::<_, String>(name).unwrap_or_default();
    let value = |has: &str, name: &str| {
        let has = told.get::<_, bool>(has).unwrap_or_default();
        let value = told.get::<_, JsValue<'_>>(name).ok().filter(|_| has);
        value.map(|value| to_json(&value))
    };
    FailedAssertion {
        kind: text("type"),
        expected: value("hasExpected", "expected"),
        actual: value("hasActual", "actual"),
        message: text("message"),
    }
}

/// Returns what was thrown and not caught as a failure; `stack` is where, however the script changed its errors.
fn uncaught(state: &State, value: &JsValue<'_>, stack: &str, hook: Option<&str>) -> ScriptFailure {
    let mut failure = thrown(state, value);
    if failure.frames.is_empty() {
        let placed = failure_of(state, failure.kind, "", stack);
        failure.frames = placed.frames;
        failure.excerpt = placed.excerpt;
    }
    // An engine that is out of memory has to be replaced, wherever that happened.
    if let (Some(hook), true) = (hook, failure.kind != FailureKind::Memory) {
        failure.kind = FailureKind::Hook;
        failure.message = format!("{hook} failed: {}", failure.message);
    }
    failure
}
