//! Files with test functions to what is known of them.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Sources};
use ananke_model::plan::TestId;
use ananke_model::script::{ScriptFile, TestFunction, digest};

use crate::discover::{SourceFile, assistant_id, shown};
use crate::load::LoadRequest;
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

/// The name of the only test of a file that cannot be understood: no function can have it.
pub const BROKEN_FILE: &str = "(file)";

/// Reads a file with test functions, and looks at the module that it tests. If it cannot be read or understood, which is then
/// reported, there is `None`, or one test that cannot pass if the others are to be run.
pub(crate) fn script_tests(
    source: &SourceFile,
    id: TestId,
    root: &Path,
    request: &LoadRequest<'_>,
    sources: &mut Sources,
    found: &mut Found,
) -> Option<SourceScript> {
    let text = read(&source.path, &source.shown, sources, found);
    let functions = text.as_deref().and_then(|text| {
        let functions = (request.find_tests)(&source.shown, text);
        let functions = functions.map_err(|mistakes| found.extend(mistakes)).ok()?;
        let n_found = functions.len();
        let functions = distinct(functions, found);
        (functions.len() == n_found || !request.goes_on).then_some(functions)
    });
    let functions = match functions {
        Some(functions) => functions,
        None if request.goes_on => vec![broken(&source.shown)],
        None => return None,
    };
    let module = module_of(&source.path);
    if let Some(module) = &module {
        let shown = shown(module, request.cwd);
        if let Some(text) = read(module, &shown, sources, found)
            && let Err(mistakes) = (request.find_functions)(&shown, &text)
        {
            found.extend(mistakes);
        }
    }
    let home = home(&source.path, root);
    let (named, assistant_id) = match (&source.script, home) {
        (Some(script), _) => (Some(script.id.clone()), script.assistant_id.clone()),
        (None, Some(home)) => (home.id, home.assistant_id),
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
        module,
        assistant_id,
    };
    Some(SourceScript {
        id,
        file: Arc::new(file),
        digest: digest(text.as_deref().unwrap_or_default()),
        functions,
    })
}

/// Returns the only test of a file that cannot be understood. It fails when the file is loaded.
fn broken(file: &Arc<str>) -> TestFunction {
    TestFunction {
        name: BROKEN_FILE.to_owned(),
        place: Place::file(file),
        fails_by_itself: true,
    }
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
