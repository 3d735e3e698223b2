//! Snapshots: which file each one is, and what the file holds.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use ananke_model::check::{Block, Check, Snapshot, SnapshotUpdate};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;

use super::build::SourceTest;
use crate::parse::Found;

/// The folder beside a test file that holds its snapshots.
const FOLDER: &str = "__snapshots__";
/// The largest snapshot that is read.
const MAX_BYTES: u64 = 4 << 20;

/// The snapshots of a plan.
#[derive(Debug)]
pub(super) struct Snapshots {
    root: PathBuf,
    update: SnapshotUpdate,
    /// Who uses a file. Names that differ in case only are one file on some systems.
    seen: HashMap<String, Place>,
}

impl Snapshots {
    /// Returns the snapshots of a plan that has none yet.
    pub(super) fn new(root: &Path, update: SnapshotUpdate) -> Self {
        Self {
            root: root.to_owned(),
            update,
            seen: HashMap::new(),
        }
    }

    /// Gives the snapshots in a block of `source` their files; `face` is the target if the test is run against several.
    pub(super) fn fill(
        &mut self,
        block: &mut Block,
        source: &SourceTest,
        face: Option<&str>,
        found: &mut Found,
    ) {
        for demand in &mut block.demands {
            if let Check::Snapshot(snapshot) = &mut demand.check {
                self.file(snapshot, source, face, found);
            }
        }
    }

    fn file(
        &mut self,
        snapshot: &mut Snapshot,
        source: &SourceTest,
        face: Option<&str>,
        found: &mut Found,
    ) {
        let place = &snapshot.name.place;
        let Some(path) = self.path(source, face, &snapshot.path) else {
            found.push(
                Diagnostic::error(place, "a snapshot needs a test below the project's folder")
                    .label(format!("the project is `{}`", self.root.display())),
            );
            return;
        };
        snapshot.path = path;
        snapshot.update = self.update;
        match self.seen.get(&snapshot.path.to_lowercase()) {
            Some(other) => {
                let message = format!("the snapshot `{}` is there twice", snapshot.name.text);
                found.push(
                    Diagnostic::error(place, message)
                        .label(format!("{other} has the same file"))
                        .hint("give each snapshot a name of its own"),
                );
            }
            None => {
                self.seen
                    .insert(snapshot.path.to_lowercase(), place.clone());
                snapshot.stored = self.stored(snapshot, found);
            }
        }
    }

    /// Returns the file below the root, with forward slashes.
    fn path(&self, source: &SourceTest, face: Option<&str>, slug: &str) -> Option<String> {
        let below = source.path.strip_prefix(&self.root).ok()?;
        let mut words = Vec::new();
        for component in below.parent()?.components() {
            let Component::Normal(word) = component else {
                return None;
            };
            words.push(word.to_string_lossy().into_owned());
        }
        let name = below.file_name()?.to_string_lossy();
        let stem = [".test.yaml", ".test.yml", ".yaml", ".yml", ".jsonl"]
            .iter()
            .find_map(|end| name.strip_suffix(end))
            .unwrap_or(&name);
        let case = source.test.case.as_ref();
        let case = case.map(|case| format!(".{}", file_word(&case.id.text)));
        let case = case.unwrap_or_default();
        let face = face.map(|face| format!("@{}", file_word(face)));
        let face = face.unwrap_or_default();
        words.push(FOLDER.to_owned());
        words.push(format!("{stem}{case}{face}.{slug}.snap"));
        Some(words.join("/"))
    }

    /// Reads what is stored; nothing if there is no file, or one that is going to be written anew.
    fn stored(&self, snapshot: &Snapshot, found: &mut Found) -> Option<String> {
        let file = self.root.join(&snapshot.path);
        let problem = match read(&file) {
            Ok(stored) => return stored,
            Err(Unusable::Never(why)) => Diagnostic::error(&snapshot.name.place, why),
            Err(Unusable::Content(_))
                if matches!(self.update, SnapshotUpdate::All | SnapshotUpdate::Changed) =>
            {
                return None;
            }
            Err(Unusable::Content(why)) => Diagnostic::error(&snapshot.name.place, why)
                .hint("`ananke run --update-snapshots=changed` writes it anew"),
        };
        found.push(problem.label(format!("`{}`", snapshot.path)));
        None
    }
}

/// Returns the id of a case, or the name of a target, as a part of a file name.
fn file_word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    text.chars()
        .map(|c| if is_plain(c) { c } else { '-' })
        .take(80)
        .collect()
}

/// Why a file cannot be compared with.
enum Unusable {
    /// It cannot be written either.
    Never(String),
    /// Another content would help.
    Content(String),
}

fn read(file: &Path) -> Result<Option<String>, Unusable> {
    // A link would let a repository show, or have overwritten, what lies elsewhere.
    for path in file.parent().into_iter().chain([file]) {
        let Ok(metadata) = fs::symlink_metadata(path) else {
            return Ok(None);
        };
        let is_right = match path == file {
            true => metadata.is_file(),
            false => metadata.is_dir(),
        };
        if metadata.is_symlink() {
            let why = "a snapshot is not read or written through a link";
            return Err(Unusable::Never(why.to_owned()));
        }
        if !is_right {
            let why = "the snapshot is no file in a folder";
            return Err(Unusable::Never(why.to_owned()));
        }
    }
    let mut bytes = Vec::new();
    // One byte more than allowed, so that a file that is too large shows without being read whole.
    File::open(file)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| Unusable::Never(format!("the snapshot cannot be read: {error}")))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Unusable::Content(
            "the snapshot is larger than 4 MiB".to_owned(),
        ));
    }
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| Unusable::Content("the snapshot is not UTF-8 text".to_owned()))
}
