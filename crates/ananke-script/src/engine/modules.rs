//! Loads modules: finds the file, compiles it, declares it.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Ctx, Exception, Module};

use super::failure::told;
use super::resolve::{Import, resolve};
use super::state::State;
use crate::compile::{Compiled, How, Source, WHOLE, compile};
use crate::globals::RUNTIME_MODULE;

/// The engine's name for the module that hands out what scripts are given anyway.
const RUNTIME_NAME: &str = "ananke:runtime";
/// What stands before the path of a file in the engine's name for what the user exported of it. The file itself is named by
/// its path alone.
pub(super) const EXPORTS: &str = "ananke:exports:";
/// How large a module may be.
const MAX_BYTES: u64 = 10 << 20;

/// Finds what an import means.
pub(super) struct Modules(pub(super) Rc<State>);

impl Resolver for Modules {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<String> {
        if base.is_empty() && *self.0.entry.borrow() == name {
            // What the engine itself asks for is named by its path, wherever that is.
            return Ok(name.to_owned());
        }
        let root = self.0.settings.root();
        let base = base.strip_prefix(EXPORTS).unwrap_or(base);
        let (name, kind) = match name.strip_prefix(WHOLE) {
            Some(file) => (file, ""),
            None => (name, EXPORTS),
        };
        let import = resolve(Path::new(base), name, root, Path::is_file);
        match import {
            Ok(Import::File(path)) => Ok(format!("{kind}{}", path.display())),
            Ok(Import::Runtime) => Ok(RUNTIME_NAME.to_owned()),
            Err(why) => {
                self.0.missing(base, name, &why);
                Err(Exception::throw_message(ctx, &why))
            }
        }
    }
}

impl Loader for Modules {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<Module<'js, Declared>> {
        if name == RUNTIME_NAME {
            return Module::declare(ctx.clone(), name, RUNTIME_MODULE);
        }
        let exports = name.strip_prefix(EXPORTS);
        match self.0.compiled(Path::new(exports.unwrap_or(name))) {
            Ok(compiled) => match exports {
                Some(path) => Module::declare(ctx.clone(), name, compiled.exports(path)),
                None => Module::declare(ctx.clone(), name, compiled.code.as_str()),
            },
            Err(mistakes) => {
                let words = mistakes.first().map(told);
                let error = Exception::throw_message(ctx, &words.unwrap_or_default());
                let mut known = self.0.mistakes.borrow_mut();
                let new = mistakes.into_iter().filter(|one| !known.contains(one));
                let new: Vec<Diagnostic> = new.collect();
                known.extend(new);
                Err(error)
            }
        }
    }
}

impl State {
    /// Returns a module, compiled.
    pub(super) fn compiled(&self, path: &Path) -> Result<Arc<Compiled>, Vec<Diagnostic>> {
        let shares = self.shares.borrow().clone();
        let module = shares
            .filter(|(test, _)| test == path)
            .map(|(_, module)| module);
        let key = (path.to_owned(), module.clone());
        let compiled = match self.settings.known(&key) {
            Some(known) => {
                // It is loaded with the module whose names it shares, also if it uses none of them.
                if let Some(module) = &module {
                    self.compiled(module)?;
                }
                known
            }
            None => self.settings.keep(key, self.compile(path, module)?),
        };
        let name = path.display().to_string();
        self.modules
            .borrow_mut()
            .insert(name, Arc::clone(&compiled));
        Ok(compiled)
    }

    fn compile(&self, path: &Path, module: Option<PathBuf>) -> Result<Compiled, Vec<Diagnostic>> {
        let shown = self.settings.shown(path);
        let cannot = |why: String| {
            let message = format!("`{shown}` cannot be read: {why}");
            vec![Diagnostic::error(&Place::file(&shown), message)]
        };
        let is_large = fs::metadata(path).is_ok_and(|told| told.len() > MAX_BYTES);
        if is_large {
            return Err(cannot(format!("it is larger than {} MiB", MAX_BYTES >> 20)));
        }
        let bytes = fs::read(path).map_err(|error| cannot(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| cannot("it is not UTF-8".to_owned()))?;
        let source = Source {
            shown: &shown,
            text: &text,
        };
        // Names of a module that is broken would be missing, and a test that expects an error would find one.
        let module = match module {
            Some(module) => Some((self.compiled(&module)?, module)),
            None => None,
        };
        let specifier = module
            .as_ref()
            .map(|(_, path)| format!("{WHOLE}{}", path.display()));
        let shares = match (&module, &specifier) {
            (Some((compiled, _)), Some(specifier)) => Some((specifier.as_str(), compiled.names())),
            _ => None,
        };
        let coverage = self.settings.coverage && !is_test(path);
        let compiled = compile(source, How { shares, coverage })?;
        // What is imported and never used is left out; a name that leads nowhere is a mistake all the same.
        let lost = compiled.unused.iter().filter_map(|(module, place)| {
            let found = resolve(path, module, self.settings.root(), Path::is_file);
            found.err().map(|why| Diagnostic::error(place, why))
        });
        let lost: Vec<Diagnostic> = lost.collect();
        match lost.is_empty() {
            true => Ok(compiled),
            false => Err(lost),
        }
    }

    /// Remembers where an import stands that names nothing.
    fn missing(&self, base: &str, name: &str, why: &str) {
        let shown = self.settings.shown(Path::new(base));
        let place = fs::read_to_string(base)
            .ok()
            .and_then(|text| import_of(&shown, &text, name));
        let place = place.unwrap_or_else(|| Place::file(&shown));
        let mistake = Diagnostic::error(&place, why);
        let mut known = self.mistakes.borrow_mut();
        if !known.contains(&mistake) {
            known.push(mistake);
        }
    }
}

/// Tells whether a file holds tests: they are not what coverage is about.
pub(super) fn is_test(path: &Path) -> bool {
    path.file_stem()
        .is_some_and(|stem| stem.to_string_lossy().ends_with("_test"))
}

/// Finds where a file imports `name`.
fn import_of(shown: &str, text: &str, name: &str) -> Option<Place> {
    let quoted = ['"', '\'', '`'].map(|quote| format!("{quote}{name}{quote}"));
    let start = quoted
        .iter()
        .find_map(|quoted| text.find(quoted.as_str()))?;
    let (before, _) = text.split_at_checked(start)?;
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let (_, in_line) = before.split_at_checked(line_start)?;
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Some(Place {
        file: shown.into(),
        line: count(before.matches('\n').count() + 1),
        column: count(in_line.chars().count() + 1),
        start: count(start),
        end: count(start + name.len() + 2),
    })
}
