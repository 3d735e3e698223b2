//! `console`: everything that is said is kept as a log of the function that runs.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Instant;

use ananke_model::script::LogLevel;
use rquickjs::function::{Opt, Rest};
use rquickjs::{Ctx, Object, Value as JsValue};

use super::install::add;
use super::logs::{joined, log, write};
use crate::engine::State;

/// How deep groups are indented.
const MAX_GROUPS: usize = 20;
/// How many names are counted and timed.
const MAX_NAMES: usize = 1000;

/// What one console remembers.
#[derive(Default)]
struct Console {
    groups: usize,
    timers: HashMap<String, Instant>,
    counts: HashMap<String, u64>,
}

/// Adds `console` and `log`.
pub(super) fn natives(state: &Rc<State>, native: &Object<'_>) -> rquickjs::Result<()> {
    native.set("console", console(native.ctx(), state)?)?;
    native.set("log", log(native.ctx(), state)?)
}

/// Makes `console`.
fn console<'js>(ctx: &Ctx<'js>, state: &Rc<State>) -> rquickjs::Result<Object<'js>> {
    let console = Object::new(ctx.clone())?;
    let memory = Rc::new(RefCell::new(Console::default()));
    let say = |level: LogLevel| {
        let (state, memory) = (Rc::clone(state), Rc::clone(&memory));
        move |text: &str| {
            let indent = "  ".repeat(memory.borrow().groups);
            write(&state, level, &format!("{indent}{text}"));
        }
    };
    for (name, level) in [
        ("log", LogLevel::Info),
        ("info", LogLevel::Info),
        ("dir", LogLevel::Info),
        ("table", LogLevel::Info),
        ("warn", LogLevel::Warn),
        ("error", LogLevel::Error),
        ("debug", LogLevel::Debug),
        ("trace", LogLevel::Debug),
    ] {
        let say = say(level);
        add(&console, name, move |values: Rest<JsValue<'js>>| {
            say(&joined(&values));
        })?;
    }
    let error = say(LogLevel::Error);
    add(
        &console,
        "assert",
        move |holds: Opt<JsValue<'js>>, values: Rest<JsValue<'js>>| {
            let holds = holds
                .0
                .and_then(|value| value.get::<rquickjs::Coerced<bool>>().ok());
            if !holds.is_some_and(|holds| holds.0) {
                error(format!("Assertion failed {}", joined(&values)).trim_end());
            }
        },
    )?;
    for name in ["group", "groupCollapsed"] {
        let (say, memory) = (say(LogLevel::Info), Rc::clone(&memory));
        add(&console, name, move |values: Rest<JsValue<'js>>| {
            if !values.is_empty() {
                say(&joined(&values));
            }
            let mut memory = memory.borrow_mut();
            memory.groups = (memory.groups + 1).min(MAX_GROUPS);
        })?;
    }
    let own = Rc::clone(&memory);
    add(&console, "groupEnd", move || {
        let mut memory = own.borrow_mut();
        memory.groups = memory.groups.saturating_sub(1);
    })?;
    let own = Rc::clone(&memory);
    add(&console, "time", move |name: Opt<String>| {
        let mut memory = own.borrow_mut();
        if memory.timers.len() < MAX_NAMES {
            memory.timers.insert(label(name), Instant::now());
        }
    })?;
    for name in ["timeEnd", "timeLog"] {
        let (say, own) = (say(LogLevel::Info), Rc::clone(&memory));
        add(&console, name, move |timer: Opt<String>| {
            let timer = label(timer);
            let since = match name {
                "timeEnd" => own.borrow_mut().timers.remove(&timer),
                _ => own.borrow().timers.get(&timer).copied(),
            };
            match since {
                Some(since) => say(&format!(
                    "{timer}: {:.3}ms",
                    since.elapsed().as_secs_f64() * 1000.0
                )),
                None => say(&format!("there is no timer `{timer}`")),
            }
        })?;
    }
    let (info, own) = (say(LogLevel::Info), Rc::clone(&memory));
    add(&console, "count", move |name: Opt<String>| {
        let name = label(name);
        let n = {
            let mut memory = own.borrow_mut();
            let is_full = memory.counts.len() >= MAX_NAMES;
            match memory.counts.get_mut(&name) {
                Some(n) => {
                    *n += 1;
                    *n
                }
                None if is_full => return,
                None => *memory.counts.entry(name.clone()).or_insert(1),
            }
        };
        info(&format!("{name}: {n}"));
    })?;
    let own = Rc::clone(&memory);
    add(&console, "countReset", move |name: Opt<String>| {
        own.borrow_mut().counts.remove(&label(name));
    })?;
    Ok(console)
}

fn label(name: Opt<String>) -> String {
    name.0.unwrap_or_else(|| "default".to_owned())
}
