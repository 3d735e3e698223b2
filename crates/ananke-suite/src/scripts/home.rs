//! Where scripts belong: below the root of the project, and in the `src` of an assistant.

use std::path::{Path, PathBuf};

use super::names::{TEST, TEST_ENDINGS, is_script_test_name};
use crate::assistants::find_app;
use crate::discover::{ASSISTANTS, PACKAGE, assistant_id};

/// The folder of an assistant that holds its scripts.
pub(super) const SRC: &str = "src";

/// The assistant that a script belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Home {
    /// Its id.
    pub(crate) assistant_id: String,
    /// What the script is called: `scripts.expense.setup`. Of two files that would be called so, the likelier one is.
    pub(crate) id: Option<String>,
}

/// Returns the folder that holds `scripts` and `assistants`: that of the app which the project is or lies in, else the
/// project's own.
pub(crate) fn script_root(project: &Path) -> PathBuf {
    match find_app(project) {
        // Any folder above may hold something that is called `assistants`.
        Some(app) if app.is_marked() || project.starts_with(app.root.join(ASSISTANTS)) => app.root,
        Some(_) | None => project.to_owned(),
    }
}

/// Returns the assistant in whose `src` the script at `path` lies.
pub(crate) fn home(path: &Path, root: &Path) -> Option<Home> {
    let sources: Vec<&Path> = path
        .ancestors()
        .skip(1)
        .filter(|folder| folder.file_name().is_some_and(|name| name == SRC))
        .collect();
    let assistant = |src: &&&Path| {
        src.parent()
            .is_some_and(|above| above.join(PACKAGE).is_file())
    };
    let assistants = root.join(ASSISTANTS);
    let is_below = |src: &&&Path| {
        let above = src.parent();
        above.is_some_and(|above| above != assistants && above.starts_with(&assistants))
    };
    let src = sources
        .iter()
        .find(assistant)
        .or_else(|| sources.iter().rev().find(is_below))?;
    let folder = src.parent()?;
    let below = path.strip_prefix(src).ok()?.with_extension("");
    let module = dotted(&below);
    let is_test = is_script_test_name(path);
    let module = match is_test {
        true => module.strip_suffix(TEST).unwrap_or(&module),
        false => &module,
    };
    let mut likelier = TEST_ENDINGS
        .iter()
        .take_while(|ending| path.extension().is_none_or(|own| own != **ending));
    let is_second = is_test && likelier.any(|ending| path.with_extension(ending).is_file());
    let own = assistant_id(folder);
    let is_known = folder.iter().any(|word| word == ASSISTANTS);
    let outside = folder.strip_prefix(root).ok().filter(|_| !is_known);
    let name = outside.map(dotted).filter(|name| !name.is_empty());
    Some(Home {
        id: (!is_second).then(|| format!("scripts.{}.{module}", name.as_deref().unwrap_or(&own))),
        assistant_id: own,
    })
}

/// Returns the folders that the longest beginnings of `words` name as assistants, each with the words that are left.
pub(super) fn assistants_of<'w>(
    words: &'w [&'w str],
    root: &Path,
) -> Vec<(PathBuf, &'w [&'w str])> {
    let mut folders = Vec::new();
    for n in (1..words.len()).rev() {
        let Some((prefix, rest)) = words.split_at_checked(n) else {
            continue;
        };
        let path: PathBuf = prefix.iter().collect();
        for folder in [root.join(ASSISTANTS).join(&path), root.join(&path)] {
            if folder.join(PACKAGE).is_file() || folder.join(SRC).is_dir() {
                folders.push((folder, rest));
            }
        }
    }
    folders
}

/// Returns the folder of the assistant that `folder` lies in, looking no higher than `root`.
pub(crate) fn assistant_around(folder: &Path, root: &Path) -> Option<PathBuf> {
    let inside = folder
        .ancestors()
        .take_while(|above| above.starts_with(root));
    let mut assistants = inside.filter(|above| above.join(PACKAGE).is_file());
    assistants.next().map(Path::to_owned)
}

/// Returns a path with dots between its parts.
pub(super) fn dotted(path: &Path) -> String {
    let words = path.iter().map(|word| word.to_string_lossy());
    words.collect::<Vec<_>>().join(".")
}
