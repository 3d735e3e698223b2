//! `log`: a format and what it takes, as in `log.Info("%s has %d items", name, n)`.

use std::rc::Rc;

use ananke_model::script::LogLevel;
use rquickjs::function::Rest;
use rquickjs::{Coerced, Ctx, Object, Value as JsValue};

use super::install::add;
use super::show::shown;
use crate::engine::State;

/// Makes `log`.
pub(super) fn log<'js>(ctx: &Ctx<'js>, state: &Rc<State>) -> rquickjs::Result<Object<'js>> {
    let log = Object::new(ctx.clone())?;
    for (name, level) in [
        ("Trace", LogLevel::Debug),
        ("Debug", LogLevel::Debug),
        ("Info", LogLevel::Info),
        ("Warn", LogLevel::Warn),
        ("Error", LogLevel::Error),
        ("Fatal", LogLevel::Error),
        ("Panic", LogLevel::Error),
    ] {
        let state = Rc::clone(state);
        add(&log, name, move |values: Rest<JsValue<'js>>| {
            write(&state, level, &joined(&values));
        })?;
    }
    Ok(log)
}

/// Keeps a line, or several.
pub(super) fn write(state: &State, level: LogLevel, text: &str) {
    state.recorder.borrow_mut().log(level, text);
}

/// Returns values as one text: a format takes what it asks for, the rest follows with spaces between.
pub(super) fn joined(values: &[JsValue<'_>]) -> String {
    let Some((first, rest)) = values.split_first() else {
        return String::new();
    };
    let mut rest = rest.iter();
    let mut text = match first.is_string() {
        true if !rest.as_slice().is_empty() => formatted(&shown(first), &mut rest),
        _ => shown(first),
    };
    for value in rest {
        text.push(' ');
        text.push_str(&shown(value));
    }
    text
}

/// Fills in a format. `%` that asks for nothing stays.
fn formatted<'a, 'js: 'a>(
    format: &str,
    values: &mut impl Iterator<Item = &'a JsValue<'js>>,
) -> String {
    let mut text = String::new();
    let mut letters = format.chars().peekable();
    while let Some(letter) = letters.next() {
        let asked = letters.peek().copied().filter(|_| letter == '%');
        match asked {
            Some('%') => text.push('%'),
            Some(asked @ ('s' | 'd' | 'i' | 'f' | 'v' | 'j' | 'o' | 'O')) => match values.next() {
                Some(value) => text.push_str(&filled(asked, value)),
                None => {
                    text.push(letter);
                    continue;
                }
            },
            _ => {
                text.push(letter);
                continue;
            }
        }
        letters.next();
    }
    text
}

fn filled(asked: char, value: &JsValue<'_>) -> String {
    let is_number = matches!(asked, 'd' | 'i' | 'f') && !value.is_number() && !value.is_big_int();
    if !is_number {
        return shown(value);
    }
    match value.get::<Coerced<f64>>() {
        Ok(number) => number.0.to_string(),
        Err(_) => {
            value.ctx().catch();
            "NaN".to_owned()
        }
    }
}
