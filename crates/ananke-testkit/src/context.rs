//! A project folder of its own for each test, and the binary run in it.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::filters::Filters;
use crate::process::{Invocation, RunOutput};
use crate::scripted_agent::ScriptedAgent;

/// A temporary project, and the binary under test.
#[derive(Debug)]
pub struct TestContext {
    bin: PathBuf,
    root: TempDir,
    filters: Filters,
}

impl TestContext {
    /// Makes an empty project for the binary at `bin`; tests pass `env!("CARGO_BIN_EXE_ananke")`.
    pub fn new(bin: &str) -> Self {
        let root = tempfile::Builder::new()
            .prefix("ananke-test-")
            .tempdir()
            .expect("a temporary folder can be made");
        for folder in ["project", "home"] {
            std::fs::create_dir(root.path().join(folder)).expect("a folder can be made");
        }
        let mut filters = Filters::default();
        // The system may know the folder by a second name, as on macOS.
        let real = root.path().canonicalize().expect("the folder exists");
        for root in [real.as_path(), root.path()] {
            filters.replace(&root.join("project").display().to_string(), "[TMP]");
            filters.replace(&root.join("home").display().to_string(), "[HOME]");
            filters.replace(&root.display().to_string(), "[ROOT]");
        }
        Self {
            bin: bin.into(),
            root,
            filters,
        }
    }

    /// Returns the project folder, where commands run.
    pub fn dir(&self) -> PathBuf {
        self.root.path().join("project")
    }

    /// Writes a file of the project; folders are made as needed.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.dir().join(path);
        let folder = path.parent().expect("a file is in a folder");
        std::fs::create_dir_all(folder).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    }

    /// Reads a file of the project.
    pub fn read(&self, path: &str) -> String {
        let path = self.dir().join(path);
        match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => panic!("cannot read {}: {error}", path.display()),
        }
    }

    /// Tells whether the project has this file.
    pub fn exists(&self, path: &str) -> bool {
        self.dir().join(path).exists()
    }

    /// Writes the smallest `ananke.config.yaml` that talks to this agent.
    pub fn config_for(&self, agent: &ScriptedAgent) {
        self.config(agent.url());
    }

    /// Writes the smallest `ananke.config.yaml` that talks to the agent at this address.
    pub fn config(&self, url: &str) {
        self.write(
            "ananke.config.yaml",
            &format!("version: \"1.0\"\ntarget:\n  type: agui\n  endpoint: \"{url}\"\n"),
        );
    }

    /// Replaces a text by another in everything that [`TestContext::ananke`] shows from now on.
    pub fn filter(&mut self, from: &str, to: &str) {
        self.filters.replace(from, to);
    }

    /// Runs the binary and shows what a user would see, with paths, addresses, times, ids and versions replaced. No bundle
    /// is left.
    pub fn ananke(&self, args: &[&str]) -> String {
        self.show(&self.run(args))
    }

    /// Runs the binary.
    pub fn run(&self, args: &[&str]) -> RunOutput {
        self.command(args).run()
    }

    /// Prepares a run of the binary, for tests that set its environment or input. It leaves no bundle.
    pub fn command(&self, args: &[&str]) -> Invocation {
        self.bundled(args).env("ANANKE_NO_BUNDLE", "1")
    }

    /// Prepares a run of the binary that leaves a bundle, as it does for a user.
    pub fn bundled(&self, args: &[&str]) -> Invocation {
        Invocation::new(&self.bin, &self.dir(), &self.root.path().join("home")).args(args)
    }

    /// Returns the names of the files in a folder of the project, sorted; none if there is no such folder.
    pub fn files(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.dir().join(folder));
        let names = entries.into_iter().flatten().filter_map(Result::ok);
        let mut names: Vec<String> = names
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Shows an output the way [`TestContext::ananke`] does.
    pub fn show(&self, output: &RunOutput) -> String {
        self.filters.apply(&output.to_string())
    }

    /// Returns the temporary folder that holds the project and the home folder.
    pub fn root(&self) -> &Path {
        self.root.path()
    }
}
