//! What was thrown, and where: the engine's words and positions become the user's.

use std::fs;
use std::path::Path;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::script::{FailureKind, ScriptFailure, ScriptFrame};
use rquickjs::{Coerced, Ctx, Object, Value as JsValue};

use super::limits::FRAMES;
use super::state::State;
use super::words::{behind, said};
use crate::compile::excerpt;
pub(super) use crate::globals::is_error;

/// How much of a message is kept.
const MESSAGE_BYTES: usize = 16 << 10;

const TOO_MUCH: &str = "the script used more memory than it may (256 MiB)";

/// Returns a failure at the place that `stack` tells, which an error had when it was made.
pub(crate) fn failure_of(
    state: &State,
    kind: FailureKind,
    message: &str,
    stack: &str,
) -> ScriptFailure {
    let frames = state.frames(stack);
    let excerpt = frames
        .first()
        .map(|frame| state.excerpt(frame))
        .unwrap_or_default();
    let end = message.floor_char_boundary(MESSAGE_BYTES);
    let (kept, rest) = message.split_at(end);
    let more = if rest.is_empty() { "" } else { "…" };
    ScriptFailure {
        kind,
        message: format!("{kept}{more}"),
        frames,
        excerpt,
        ..ScriptFailure::default()
    }
}

/// Returns what was thrown as a failure.
pub(crate) fn thrown(state: &State, value: &JsValue<'_>) -> ScriptFailure {
    let ctx = value.ctx();
    if let Some(error) = value.as_object().filter(|object| is_error(object)) {
        let message = said(error);
        let stack = text(ctx, error, "stack").unwrap_or_default();
        if is_memory(&message) {
            return failure_of(state, FailureKind::Memory, TOO_MUCH, &stack);
        }
        let mistake = state.mistake_behind(&message);
        if let Some(found) = mistake.and_then(|mistake| mistaken(state, &[mistake])) {
            return ScriptFailure {
                kind: FailureKind::Thrown,
                ..found
            };
        }
        let mut failure = failure_of(state, FailureKind::Thrown, &message, &stack);
        let file = failure.frames.first().map(|frame| frame.file.as_str());
        let more = state.read_only(&message, file);
        failure.message.push_str(more);
        failure.message.push_str(&behind(error));
        return failure;
    }
    // An engine that is out of memory has none for an error either.
    let is_users = || {
        let modules = state.modules.borrow();
        modules.values().any(|module| module.throws_null)
    };
    if value.is_null() && !is_users() {
        return failure_of(state, FailureKind::Memory, TOO_MUCH, "");
    }
    let mut shown = crate::globals::shown(value);
    if value.is_string() {
        shown = serde_json::Value::String(shown).to_string();
    }
    failure_of(
        state,
        FailureKind::Thrown,
        &format!("threw {shown}, which is no Error"),
        "",
    )
}

fn is_memory(message: &str) -> bool {
    matches!(message, "out of memory" | "InternalError: out of memory")
}

impl State {
    /// Returns the mistake in a file that made an import fail.
    fn mistake_behind(&self, message: &str) -> Option<Diagnostic> {
        let mistakes = self.mistakes.borrow();
        let known = mistakes
            .iter()
            .rev()
            .find(|one| one.message == message || told(one) == message);
        known.cloned().or_else(|| self.missing_export(message))
    }
}

/// Returns a mistake in one line.
pub(super) fn told(mistake: &Diagnostic) -> String {
    match &mistake.place {
        Some(place) => format!(
            "{}:{}:{}: {}",
            place.file, place.line, place.column, mistake.message
        ),
        None => mistake.message.clone(),
    }
}

/// Reads a text of an error, whatever the script made of its errors.
pub(super) fn text(ctx: &Ctx<'_>, error: &Object<'_>, name: &str) -> Option<String> {
    match error.get::<_, Option<Coerced<String>>>(name) {
        Ok(text) => text.map(|text| text.0),
        Err(_) => {
            ctx.catch();
            None
        }
    }
}

/// Returns a mistake in a file as a failure.
pub(super) fn mistaken(state: &State, mistakes: &[Diagnostic]) -> Option<ScriptFailure> {
    let first = mistakes.first()?;
    let mut message = first.message.clone();
    let more = mistakes.len() - 1;
    if more > 0 {
        message = format!("{message} (and {more} more)");
    }
    let frames: Vec<ScriptFrame> = first
        .place
        .iter()
        .map(|place| ScriptFrame {
            function: String::new(),
            file: place.file.to_string(),
            line: place.line,
            column: place.column,
        })
        .collect();
    let excerpt = frames
        .first()
        .map(|frame| state.excerpt(frame))
        .unwrap_or_default();
    Some(ScriptFailure {
        kind: FailureKind::Load,
        message,
        frames,
        excerpt,
        ..ScriptFailure::default()
    })
}

/// A line of a stack as the engine writes it.
struct Line<'a> {
    function: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
}

impl State {
    /// Reads a stack; what is not in the user's files is left out.
    pub(super) fn frames(&self, stack: &str) -> Vec<ScriptFrame> {
        let modules = self.modules.borrow();
        let mut frames = Vec::new();
        let mut callee: Option<&str> = None;
        for line in stack.lines() {
            let Some(at) = line.trim_start().strip_prefix("at ") else {
                continue;
            };
            let Some(line) = position(at) else {
                // A function of the engine, such as `map (native)`.
                callee = at.strip_suffix(" (native)");
                continue;
            };
            if let Some(compiled) = modules.get(line.file) {
                let (row, column) = compiled.original(line.line, line.column, callee);
                frames.push(ScriptFrame {
                    function: match line.function {
                        "<anonymous>" | "<module>" | "<eval>" => String::new(),
                        name => name.to_owned(),
                    },
                    file: self.settings.shown(std::path::Path::new(line.file)),
                    line: row,
                    column,
                });
                if frames.len() == FRAMES {
                    break;
                }
            }
            callee = Some(line.function).filter(|name| !name.is_empty());
        }
        frames
    }

    /// Returns the lines around a frame.
    pub(super) fn excerpt(&self, frame: &ScriptFrame) -> Vec<(u32, String)> {
        let modules = self.modules.borrow();
        let shown = |name: &str| self.settings.shown(std::path::Path::new(name));
        let compiled = modules.iter().find(|(name, _)| shown(name) == frame.file);
        match compiled {
            Some((_, compiled)) => compiled.excerpt(frame.line),
            // A file that could not be compiled.
            None => excerpt_of(&self.settings.path_of(&frame.file), frame.line),
        }
    }
}

/// Returns the lines of a file around one of them; nothing if it cannot be read.
pub(super) fn excerpt_of(path: &Path, line: u32) -> Vec<(u32, String)> {
    let is_small = fs::metadata(path).is_ok_and(|told| told.len() <= 10 << 20);
    let text = is_small.then(|| fs::read(path).ok()).flatten();
    text.map_or_else(Vec::new, |text| {
        excerpt(&String::from_utf8_lossy(&text), line)
    })
}

/// Reads `name (file:line:column)`, or `file:line:column`.
fn position(at: &str) -> Option<Line<'_>> {
    let (function, place) = match at.strip_suffix(')').and_then(|at| at.split_once(" (")) {
        Some((function, place)) => (function, place),
        None => ("", at),
    };
    let (rest, column) = place.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some(Line {
        function,
        file,
        line: line.parse().ok()?,
        column: column.parse().ok()?,
    })
}
