//! Loads a file into an engine and takes functions out of it.

use std::path::{Path, PathBuf};

use ananke_model::coverage::Coverage;
use ananke_model::script::{FailureKind, ScriptFailure};
use rquickjs::{Ctx, Function, Module, Object, Value as JsValue};

use super::failure::mistaken;
use super::state::State;
use super::values::to_json;
use super::vm::Prelude;
use super::waiting::{NEVER, settled};
use crate::compile::exported_name;

/// Returns a path without links, as far as there is such a file.
pub(super) fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Loads a file; returns what it exports, hidden names included.
pub(super) fn load<'js>(
    ctx: &Ctx<'js>,
    state: &State,
    prelude: &Prelude<'js>,
    file: &str,
) -> Result<Object<'js>, ScriptFailure> {
    file.clone_into(&mut state.entry.borrow_mut());
    let promise = Module::import(ctx, file).map(|promise| promise.into_value());
    let loaded = settled(ctx, state, prelude, promise);
    let mistakes = std::mem::take(&mut *state.mistakes.borrow_mut());
    state.note_modules();
    // Nobody listens to the promises of modules that were imported by one that failed.
    let rejected = std::mem::take(&mut *state.rejected.borrow_mut());
    match loaded {
        Ok(_) if let Some(failure) = rejected.into_values().next() => Err(ScriptFailure {
            kind: FailureKind::Load,
            ..failure
        }),
        Ok(module) => module.into_object().ok_or_else(|| ScriptFailure {
            kind: FailureKind::Load,
            message: format!("`{file}` is no module"),
            ..ScriptFailure::default()
        }),
        Err(failure) => Err(match mistaken(state, &mistakes) {
            Some(mistake) => mistake,
            None if failure.message == NEVER => ScriptFailure {
                kind: FailureKind::Load,
                message: "the file never finishes loading: nothing is left that could settle what its top level awaits".to_owned(),
                ..failure
            },
            None if failure.kind == FailureKind::Thrown => ScriptFailure {
                kind: FailureKind::Load,
                ..failure
            },
            None => failure,
        }),
    }
}

/// Returns a function of the file's top level.
pub(super) fn function<'js>(module: &Object<'js>, name: &str) -> Option<Function<'js>> {
    let found = [exported_name(name), name.to_owned()];
    let mut found = found.into_iter().filter_map(|name| {
        let value = module.get::<_, JsValue<'js>>(name);
        if value.is_err() {
            // A constant whose value was never computed.
            module.ctx().catch();
        }
        value.ok()?.into_function()
    });
    found.next()
}

/// Tells whether the file has the name of something that is no function.
pub(super) fn has_value(module: &Object<'_>, name: &str) -> bool {
    let names = [exported_name(name), name.to_owned()];
    names.iter().any(|name| {
        let has = module.contains_key(name.as_str());
        if has.is_err() {
            module.ctx().catch();
        }
        has.unwrap_or_default()
    })
}

/// Returns what was run, as counters in the files tell.
pub(super) fn coverage(ctx: &Ctx<'_>, state: &State) -> Coverage {
    let mut coverage = Coverage::default();
    let counters = ctx.globals().get::<_, JsValue<'_>>("__coverage__");
    let Ok(counters) = counters else {
        ctx.catch();
        return coverage;
    };
    let counters = to_json(&counters);
    for compiled in state.modules.borrow().values() {
        let Some(own) = counters.get(compiled.shown()) else {
            continue;
        };
        coverage.add(Coverage {
            files: vec![compiled.coverage(own)],
        });
    }
    coverage
}
