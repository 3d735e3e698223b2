//! Assistant folders that tests ask without an entry in the config: by their id, or because the tests lie in them.

use std::path::{Path, PathBuf};

use ananke_model::place::{Place, Text};

use super::build::SourceTest;
use super::pick::Picked;
use crate::assistants::{App, find_app};
use crate::discover::{PACKAGE, PackageFolder, Packages, shown};
use crate::parse::{TargetKind, TargetSpec, TestTarget};

/// The folders that are asked.
#[derive(Debug, Default)]
pub(super) struct Folders {
    agents: Vec<FolderAgent>,
    /// The project's app, or else the one that the working directory lies in.
    app: Option<App>,
}

/// An assistant folder, as if it were a target of the config.
#[derive(Debug)]
pub(super) struct FolderAgent {
    /// Its id.
    pub(super) id: String,
    folder: PathBuf,
    /// What the config would say.
    pub(super) spec: TargetSpec,
}

impl Folders {
    /// Finds the folders that flags and tests name, and those in which cases lie.
    pub(super) fn gather<'n>(
        names: impl Iterator<Item = &'n str>,
        tests: &[SourceTest],
        app: Option<&App>,
        packages: &mut Packages,
        cwd: &Path,
    ) -> Self {
        let mut folders = Self {
            agents: Vec::new(),
            app: app.cloned().or_else(|| find_app(cwd)),
        };
        for name in names {
            folders.add(folder_of(name, app, cwd), name, cwd);
        }
        for test in tests {
            let Some(folder) = test.path.parent() else {
                continue;
            };
            let own = match &test.test.target {
                Some(TestTarget::Named(name)) => std::slice::from_ref(name),
                Some(TestTarget::Listed(names)) => names,
                Some(TestTarget::Overrides(_)) | None => &[],
            };
            for name in own {
                let found = folder_of(&name.text, app, folder);
                folders.add(found, &name.text, cwd);
            }
            if own.is_empty()
                && test.test.case.is_some()
                && let Some(package) = packages.nearest(folder)
            {
                let folder = package.file.parent().map(Path::to_owned);
                folders.add(folder, &package.id, cwd);
            }
        }
        folders
    }

    fn add(&mut self, folder: Option<PathBuf>, id: &str, cwd: &Path) {
        if let Some(folder) = folder
            && !self.agents.iter().any(|known| known.folder == folder)
        {
            self.agents.push(FolderAgent::new(id, folder, cwd));
        }
    }

    /// Returns the folder with this id.
    pub(super) fn named(&self, id: &str) -> Option<Picked<'_>> {
        let known = self.agents.iter().find(|agent| agent.id == id);
        known.map(FolderAgent::picked)
    }

    /// Returns the ids of all assistants, also of those that nobody asks.
    pub(super) fn ids(&self) -> Vec<String> {
        let app = self.app.as_ref();
        app.map(App::assistant_ids).unwrap_or_default()
    }

    /// Returns the folder of a package.
    pub(super) fn of_package(&self, package: &PackageFolder) -> Option<Picked<'_>> {
        let folder = package.file.parent()?;
        let known = self.agents.iter().find(|agent| agent.folder == folder);
        known.map(FolderAgent::picked)
    }
}

impl FolderAgent {
    /// Returns the agent that a folder is.
    pub(super) fn new(id: &str, folder: PathBuf, cwd: &Path) -> Self {
        let place = Place::file(&shown(&folder.join(PACKAGE), cwd));
        let spec = TargetSpec {
            kind: Some(TargetKind::Assistant),
            folder: Some(Text {
                text: folder.display().to_string(),
                place: place.clone(),
            }),
            place,
            ..TargetSpec::default()
        };
        Self {
            id: id.to_owned(),
            folder,
            spec,
        }
    }

    /// Returns it as one of the config's targets.
    pub(super) fn picked(&self) -> Picked<'_> {
        Picked {
            name: Some(&self.id),
            spec: &self.spec,
        }
    }
}

/// Returns the folder with this id: of the project's app, else of the one that `from` lies in.
pub(super) fn folder_of(id: &str, app: Option<&App>, from: &Path) -> Option<PathBuf> {
    let own = app.and_then(|app| app.assistant(id));
    own.or_else(|| find_app(from)?.assistant(id))
}
