//! `before` and `after`: functions that are named by their file and themselves, or by themselves alone.

use std::path::{Path, PathBuf};

use ananke_model::diagnostic::did_you_mean;
use ananke_model::place::Sources;
use ananke_model::script::ScriptCall;

use super::functions::ScriptFunctions;
use super::home::{SRC, assistant_around};
use super::names::{TEST, is_script_test_name, script_at};
use super::reference::{Asker, Reference, reference};
use crate::discover::shown;
use crate::parse::Found;

impl ScriptFunctions {
    /// Returns the function that a hook names: in the scripts of the agent's folder, then in those beside the cases. `None`
    /// if there is none, which is then reported.
    pub(crate) fn hook(
        &mut self,
        written: &str,
        asker: &Asker,
        (agent, cases): (Option<&Path>, &[&Path]),
        sources: &mut Sources,
        found: &mut Found,
    ) -> Option<ScriptCall> {
        match reference(written, asker) {
            Ok(Reference::Bare(_)) => {}
            Ok(Reference::Path(..) | Reference::Words { .. }) => {
                return self.find(written, asker, sources, found);
            }
            Err(diagnostic) => {
                found.push(diagnostic);
                return None;
            }
        }
        let folders = self.hook_folders(agent, cases);
        let name = written.strip_prefix("src/").unwrap_or(written);
        let words: Vec<&str> = name.split(['.', '/']).collect();
        let is_name = |word: &&str| !word.is_empty() && !word.contains(['\\', ':', '\0']);
        if !words.iter().all(is_name) {
            found.push(
                asker
                    .error(format!("`{written}` cannot be the name of a hook"))
                    .hint("write the file and the function: `env_test.Before`"),
            );
            return None;
        }
        match words.split_last() {
            Some((function, [])) => {
                let call = self.alone(function, &folders, asker, sources, found)?;
                Some(ScriptCall {
                    reference: written.to_owned(),
                    ..call
                })
            }
            Some((function, [above @ .., file])) => {
                let file = match file.ends_with(TEST) {
                    true => (*file).to_owned(),
                    false => format!("{file}{TEST}"),
                };
                let path: Vec<&str> = above.iter().copied().chain([file.as_str()]).collect();
                let files: Vec<_> = folders
                    .iter()
                    .filter_map(|folder| script_at(folder, &path))
                    .map(|path| (path, Some((*function).to_owned())))
                    .collect();
                if files.is_empty() {
                    let looked = folders.iter().map(|folder| folder.join(path.join("/")));
                    let looked: Vec<_> = looked
                        .map(|path| format!("`{}.ts`", shown(&path, &self.cwd)))
                        .collect();
                    found.push(
                        asker
                            .error(format!("there is no script for the hook `{written}`"))
                            .hint(format!("looked for {}", looked.join(", "))),
                    );
                    return None;
                }
                self.first_of(written, files, asker, sources, found)
            }
            None => None,
        }
    }

    /// Returns where hooks are looked for: the scripts of the agent, those of the assistants that the cases lie in, and
    /// those beside the cases.
    fn hook_folders(&self, agent: Option<&Path>, cases: &[&Path]) -> Vec<PathBuf> {
        let around = cases
            .iter()
            .filter_map(|folder| assistant_around(folder, &self.root));
        let assistants = agent.map(Path::to_owned).into_iter().chain(around);
        let sources = assistants.map(|folder| folder.join(SRC));
        let beside = cases.iter().map(|folder| (*folder).to_owned());
        let mut folders: Vec<PathBuf> = Vec::new();
        for folder in sources.chain(beside) {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        folders
    }

    /// Finds a hook by its name alone: in the first folder that has it, in which it must be the only one.
    fn alone(
        &mut self,
        function: &str,
        folders: &[PathBuf],
        asker: &Asker,
        sources: &mut Sources,
        found: &mut Found,
    ) -> Option<ScriptCall> {
        let mut names: Vec<String> = Vec::new();
        for folder in folders {
            let mut having = Vec::new();
            for path in test_scripts(folder) {
                let file = self.file(&path, sources, found)?;
                names.extend(file.names().map(ToOwned::to_owned));
                if file.has(function) {
                    having.push(path);
                }
            }
            match having.as_slice() {
                [] => {}
                [_] => {
                    let name = Some(function.to_owned());
                    let files = having.into_iter().map(|path| (path, name.clone()));
                    return self.first_of(function, files.collect(), asker, sources, found);
                }
                [first, ..] => {
                    let files = having
                        .iter()
                        .map(|path| format!("`{}`", shown(path, &self.cwd)));
                    let files: Vec<_> = files.collect();
                    let stem = first.file_stem().unwrap_or_default().to_string_lossy();
                    found.push(
                        asker
                            .error(format!("several scripts have the hook `{function}`"))
                            .hint(format!(
                                "name the file too, such as `{stem}.{function}`; there are {}",
                                files.join(", ")
                            )),
                    );
                    return None;
                }
            }
        }
        let folders = folders
            .iter()
            .map(|folder| format!("`{}`", shown(folder, &self.cwd)));
        let looked = format!(
            "looked into the `*_test.ts` files of {}",
            folders.collect::<Vec<_>>().join(", ")
        );
        let diagnostic = asker.error(format!("there is no hook `{function}`"));
        found.push(
            match did_you_mean(function, names.iter().map(String::as_str)) {
                Some(name) => diagnostic.hint(format!("did you mean `{name}`? {looked}")),
                None => diagnostic.hint(looked),
            },
        );
        None
    }
}

/// Returns the scripts with test functions of a folder, in order.
fn test_scripts(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut scripts: Vec<_> = paths
        .filter(|path| is_script_test_name(path) && path.is_file())
        .collect();
    scripts.sort();
    scripts
}
