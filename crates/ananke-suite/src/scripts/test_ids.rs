//! `scripts.expense.setup`: which test file is meant.

use std::path::{Path, PathBuf};

use ananke_model::diagnostic::{Diagnostic, did_you_mean};

use super::home::{SRC, assistants_of, home};
use super::names::{TEST, TEST_ENDINGS, is_script_test_name, words};
use crate::discover::{ASSISTANTS, PACKAGE, assistant_id, shown, walk};
use crate::parse::Found;

/// What stands before the name of a script.
const PREFIX: &str = "scripts.";
/// The folder of scripts that belong to no assistant.
pub(super) const SCRIPTS: &str = "scripts";

/// A test file that was named by what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedScript {
    /// Where it is, absolute.
    pub(crate) path: PathBuf,
    /// As the user called it.
    pub(crate) id: String,
    /// The assistant to which it belongs; may be empty.
    pub(crate) assistant_id: String,
}

/// Returns the test file that `input` names.
pub(crate) fn named_script(
    input: &str,
    root: &Path,
    cwd: &Path,
) -> Result<NamedScript, Diagnostic> {
    let dotted = input.strip_prefix(PREFIX).unwrap_or(input);
    let dotted = dotted.strip_suffix(TEST).unwrap_or(dotted);
    let Some(words) = words(dotted) else {
        let message = format!("`{input}` names no script");
        return Err(Diagnostic::error_anywhere(message)
            .hint("write `scripts.`, the assistant and the module: `scripts.expense.setup`"));
    };
    let mut looked = Vec::new();
    let mut places = Vec::new();
    for (folder, rest) in assistants_of(&words, root) {
        let assistant = assistant_id(&folder);
        places.push((folder.join(SRC), rest, assistant));
    }
    if root.join(PACKAGE).is_file() {
        places.push((root.join(SRC), words.as_slice(), assistant_id(root)));
    }
    places.push((root.join(SCRIPTS), words.as_slice(), String::new()));
    for (folder, rest, assistant_id) in places {
        let below: PathBuf = rest.iter().collect();
        for ending in TEST_ENDINGS {
            let path = folder.join(format!("{}{TEST}.{ending}", below.display()));
            if path.is_file() {
                return Ok(NamedScript {
                    path,
                    id: format!("{PREFIX}{dotted}"),
                    assistant_id,
                });
            }
            looked.extend((ending == "ts").then_some(path));
        }
    }
    Err(unknown(input, &words, looked, root, cwd))
}

fn unknown(
    input: &str,
    words: &[&str],
    mut looked: Vec<PathBuf>,
    root: &Path,
    cwd: &Path,
) -> Diagnostic {
    // Where an assistant would be is of more use than that there is none.
    if let ([above @ .., module], 1) = (words, looked.len())
        && !above.is_empty()
    {
        let assistant = above
            .iter()
            .fold(root.join(ASSISTANTS), |at, word| at.join(word));
        looked.insert(0, assistant.join(SRC).join(format!("{module}{TEST}.ts")));
    }
    let looked: Vec<_> = looked
        .iter()
        .map(|path| format!("`{}`", shown(path, cwd)))
        .collect();
    let message = format!("there is no script test `{input}`");
    let looked = format!("looked for {}, and for `.js`", looked.join(", "));
    let known = known_tests(root);
    let hint = match did_you_mean(input, known.iter().map(String::as_str)) {
        Some(id) => format!("did you mean `{id}`? {looked}"),
        None => looked,
    };
    Diagnostic::error_anywhere(message).hint(hint)
}

/// Returns what all test files are called that can be called something.
fn known_tests(root: &Path) -> Vec<String> {
    let tests = walk(root, root, is_script_test_name, &mut Found::new());
    let ids = tests.iter().filter_map(|path| home(path, root));
    ids.filter_map(|home| home.id).collect()
}
