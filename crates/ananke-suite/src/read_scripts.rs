//! Files with test functions to what is known of them.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Sources};
use ananke_model::plan::TestId;
use ananke_model::script::{FindTests, ScriptFile, TestFunction, digest};

use crate::discover::{SourceFile, assistant_id};
use crate::parse::Found;
use crate::scripts::{assistant_around, home, module_of};
use crate::yaml::read;

/// A file with test functions.
#[derive(Debug)]
pub(crate) struct SourceScript {
    /// The stable name of the file.
    pub(crate) id: TestId,
    /// What is known of the file.
    pub(crate) file: Arc<ScriptFile>,
    /// A digest of its text.
    pub(crate) digest: String,
    /// Its test functions, in the order of the file.
    pub(crate) functions: Vec<TestFunction>,
}

/// Reads a file with test functions. `None` if it cannot be read or understood, which is then reported.
pub(crate) fn script_tests(
    source: &SourceFile,
    id: TestId,
    root: &Path,
    find_tests: FindTests,
    sources: &mut Sources,
    found: &mut Found,
) -> Option<SourceScript> {
    let text = read(&source.path, &source.shown, sources, found)?;
    let functions = match find_tests(&source.shown, &text) {
        Ok(functions) => functions,
        Err(mistakes) => {
            found.extend(mistakes);
            return None;
        }
    };
    let home = home(&source.path, root);
    let (named, assistant_id) = match (&source.script, home) {
        (Some(script), _) => (Some(script.id.clone()), script.assistant_id.clone()),
        (None, Some(home)) => (Some(home.id), home.assistant_id),
        (None, None) => {
            let folder = source.path.parent();
            let around = folder.and_then(|folder| assistant_around(folder, root));
            (
                None,
                around.map_or_else(String::new, |folder| assistant_id(&folder)),
            )
        }
    };
    let file = ScriptFile {
        path: source.path.clone(),
        shown: Arc::clone(&source.shown),
        id: named.unwrap_or_else(|| source.shown.to_string()),
        module: module_of(&source.path),
        assistant_id,
    };
    Some(SourceScript {
        id,
        file: Arc::new(file),
        digest: digest(&text),
        functions: distinct(functions, found),
    })
}

/// Returns what is to be said about a file without test functions.
pub(crate) fn without_tests(file: &ScriptFile) -> Diagnostic {
    let message = "the file has no test function";
    Diagnostic::warning(&Place::file(&file.shown), message)
        .hint("write `function TestSomething(t, ctx) { … }`: names begin with `Test`")
}

/// Returns the functions without those whose name another one has: only one of them would run.
fn distinct(mut functions: Vec<TestFunction>, found: &mut Found) -> Vec<TestFunction> {
    let mut known: HashMap<String, Place> = HashMap::with_capacity(functions.len());
    functions.retain(|function| match known.get(&function.name) {
        Some(first) => {
            let message = format!("`{}` is there twice", function.name);
            found.push(
                Diagnostic::error(&function.place, message)
                    .label(format!("the first is at {first}"))
                    .hint("give each test function a name of its own"),
            );
            false
        }
        None => {
            known.insert(function.name.clone(), function.place.clone());
            true
        }
    });
    functions
}
