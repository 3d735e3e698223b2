//! What was thrown, and where: the engine's words and positions become the user's.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::script::{FailureKind, ScriptFailure, ScriptFrame};
use rquickjs::{Coerced, Ctx, Object, Value as JsValue};

use super::limits::FRAMES;
use super::state::State;
use crate::globals::is_error;

/// How much of a message is kept.
const MESSAGE_BYTES: usize = 16 << 10;

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
        let name = text(ctx, error, "name").unwrap_or_else(|| "Error".to_owned());
        let words = text(ctx, error, "message").unwrap_or_default();
        let message = match (name.as_str(), words.as_str()) {
            (_, "") => name,
            ("Error", _) => words,
            _ => format!("{name}: {words}"),
        };
        let kind = match is_memory(&message) {
            true => FailureKind::Memory,
            false => FailureKind::Thrown,
        };
        let stack = text(ctx, error, "stack").unwrap_or_default();
        let mut failure = failure_of(state, kind, &message, &stack);
        if kind == FailureKind::Memory {
            failure.message = "the script used more memory than it may (256 MiB)".to_owned();
        }
        return failure;
    }
    let shown = crate::globals::shown(value);
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

/// Reads a text of an error, whatever the script made of its errors.
fn text(ctx: &Ctx<'_>, error: &Object<'_>, name: &str) -> Option<String> {
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
        compiled
            .map(|(_, compiled)| compiled.excerpt(frame.line))
            .unwrap_or_default()
    }
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
