//! Which function a reference means. Every file is read once, and every reference followed once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Sources;
use ananke_model::script::{FindFunctions, ScriptCall};

use super::found_file::FoundFile;
use super::home::{SRC, assistant_around, assistants_of, dotted};
use super::names::{is_script_name, script_at};
use super::reference::{Asker, Reference, reference, without_prefix};
use super::test_ids::SCRIPTS;
use crate::discover::{absolute, shown, walk};
use crate::parse::Found;

/// Finds functions that checks, hooks and agents name.
#[derive(Debug)]
pub(crate) struct ScriptFunctions {
    pub(super) root: PathBuf,
    pub(super) cwd: PathBuf,
    find_functions: FindFunctions,
    /// Files by their path; `None` for those that cannot be used, which was reported.
    files: HashMap<PathBuf, Option<Arc<FoundFile>>>,
    /// What was found, by the reference and the folder it is seen from.
    known: HashMap<(String, PathBuf), ScriptCall>,
}

/// Files that a reference can mean, with the function of each, and those that are not there.
#[derive(Debug, Default)]
struct Candidates {
    files: Vec<(PathBuf, Option<String>)>,
    looked: Vec<PathBuf>,
}

impl ScriptFunctions {
    /// Returns a finder that has read nothing yet. `root` is the folder that holds `scripts` and `assistants`.
    pub(crate) fn new(root: PathBuf, cwd: &Path, find_functions: FindFunctions) -> Self {
        Self {
            root,
            cwd: cwd.to_owned(),
            find_functions,
            files: HashMap::new(),
            known: HashMap::new(),
        }
    }

    /// Returns the function that is named. `None` if there is none, which is then reported.
    pub(crate) fn find(
        &mut self,
        written: &str,
        asker: &Asker,
        sources: &mut Sources,
        found: &mut Found,
    ) -> Option<ScriptCall> {
        let from = self.folder_of(asker);
        let key = (written.to_owned(), from);
        if let Some(known) = self.known.get(&key) {
            return Some(ScriptCall {
                place: asker.place(),
                ..known.clone()
            });
        }
        let read = match reference(written, asker) {
            Ok(read) => read,
            Err(diagnostic) => {
                found.push(diagnostic);
                return None;
            }
        };
        let Candidates { files, looked } = match &read {
            Reference::Path(path, function) => self.by_path(path, *function, &key.1),
            Reference::Words {
                words,
                ends_in_function,
            } => self.by_words(words, *ends_in_function, &key.1),
            Reference::Bare(written) => {
                found.push(without_prefix(written, asker));
                return None;
            }
        };
        if files.is_empty() {
            found.push(self.unknown(written, &read, &looked, asker, sources));
            return None;
        }
        let call = self.first_of(written, files, asker, sources, found)?;
        self.known.insert(key, call.clone());
        Some(call)
    }

    /// Returns the call of the first file that has its function; else what is wrong with the first file is reported.
    pub(super) fn first_of(
        &mut self,
        written: &str,
        files: Vec<(PathBuf, Option<String>)>,
        asker: &Asker,
        sources: &mut Sources,
        found: &mut Found,
    ) -> Option<ScriptCall> {
        let mut mistake = None;
        for (path, function) in files {
            let file = self.file(&path, sources, found)?;
            match file.meant(function.as_deref()) {
                Ok(function) => {
                    return Some(ScriptCall {
                        reference: written.to_owned(),
                        path,
                        shown: Arc::clone(&file.shown),
                        function,
                        digest: file.digest.clone(),
                        place: asker.place(),
                    });
                }
                Err(reason) => mistake = mistake.or(Some(reason)),
            }
        }
        let (message, hint) = mistake?;
        found.push(asker.error(message).hint(hint));
        None
    }

    /// Returns a script, read once.
    pub(super) fn file(
        &mut self,
        path: &Path,
        sources: &mut Sources,
        found: &mut Found,
    ) -> Option<Arc<FoundFile>> {
        if let Some(known) = self.files.get(path) {
            return known.clone();
        }
        let file = FoundFile::read(path, &self.cwd, self.find_functions, sources, found);
        let file = file.map(Arc::new);
        self.files.insert(path.to_owned(), file.clone());
        file
    }

    /// Tells whether a reference led to this file.
    pub(crate) fn has_read(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }

    /// Returns the folder that paths are seen from: that of the file which names the function.
    fn folder_of(&self, asker: &Asker) -> PathBuf {
        match asker {
            Asker::Place(place) => {
                let file = absolute(&self.cwd, Path::new(&*place.file));
                file.parent().unwrap_or(&self.cwd).to_owned()
            }
            Asker::Flag(_) => self.cwd.clone(),
        }
    }

    fn by_path(&self, path: &Path, function: Option<&str>, from: &Path) -> Candidates {
        let mut candidates = Candidates::default();
        for folder in [from, &self.root] {
            let path = absolute(folder, path);
            if path.is_file() {
                let function = function.map(ToOwned::to_owned);
                candidates.files.push((path, function));
                break;
            }
            if !candidates.looked.contains(&path) {
                candidates.looked.push(path);
            }
        }
        candidates
    }

    fn by_words(&self, words: &[&str], ends_in_function: bool, from: &Path) -> Candidates {
        let mut places = vec![(self.root.join(SCRIPTS), words)];
        let named = assistants_of(words, &self.root).into_iter();
        places.extend(named.map(|(folder, rest)| (folder.join(SRC), rest)));
        let own = assistant_around(from, &self.root);
        places.extend(own.map(|folder| (folder.join(SRC), words)));
        let mut candidates = Candidates::default();
        for (folder, words) in places {
            let split = words.split_last().filter(|(_, above)| !above.is_empty());
            let split = split.map(|(last, above)| (above, Some((*last).to_owned())));
            let readings = [split, Some((words, None))];
            let (first, second) = match (readings, ends_in_function) {
                ([split, whole], true) => (split, whole),
                ([split, whole], false) => (whole, split),
            };
            for (words, function) in [first, second].into_iter().flatten() {
                match script_at(&folder, words) {
                    Some(path) => candidates.files.push((path, function)),
                    None => {
                        let below: PathBuf = words.iter().collect();
                        let path = folder.join(format!("{}.ts", below.display()));
                        candidates.looked.push(path);
                    }
                }
            }
        }
        candidates
    }

    fn unknown(
        &self,
        written: &str,
        read: &Reference<'_>,
        looked: &[PathBuf],
        asker: &Asker,
        sources: &mut Sources,
    ) -> Diagnostic {
        let looked = looked
            .iter()
            .map(|path| format!("`{}`", shown(path, &self.cwd)));
        let looked = format!("looked for {}", looked.collect::<Vec<_>>().join(", "));
        let known = match read {
            Reference::Words { words, .. } => {
                self.names_like(written, words.last().copied(), sources)
            }
            Reference::Path(..) | Reference::Bare(_) => Vec::new(),
        };
        let diagnostic = asker.error(format!("there is no script `{written}`"));
        match did_you_mean(written, known.iter().map(String::as_str)) {
            Some(name) => diagnostic.hint(format!("did you mean `{name}`? {looked}")),
            None => diagnostic.hint(looked),
        }
    }

    /// Returns the names of all scripts below `scripts`, alone and with the last word of what was written if they have such
    /// a function.
    fn names_like(&self, written: &str, last: Option<&str>, sources: &mut Sources) -> Vec<String> {
        let scripts = self.root.join(SCRIPTS);
        let prefix = match written.starts_with("scripts:") {
            true => "scripts:",
            false => "scripts.",
        };
        let mut names = Vec::new();
        if !scripts.is_dir() {
            return names;
        }
        for path in walk(&scripts, &self.cwd, is_script_name, &mut Found::new()) {
            let below = path.strip_prefix(&scripts).unwrap_or(&path);
            let name = format!("{prefix}{}", dotted(&below.with_extension("")));
            // What is wrong with a script that nobody names is of no interest here.
            let file = FoundFile::read(
                &path,
                &self.cwd,
                self.find_functions,
                sources,
                &mut Found::new(),
            );
            let has = |last: &&str| file.is_some_and(|file| file.has(last));
            names.extend(last.filter(has).map(|last| format!("{name}.{last}")));
            names.push(name);
        }
        names
    }
}
