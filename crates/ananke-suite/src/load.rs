//! Loads a suite: the whole way from paths to a plan.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use ananke_model::check::SnapshotUpdate;
use ananke_model::diagnostic::{Diagnostic, Severity};
use ananke_model::place::Sources;
use ananke_model::plan::Plan;
use ananke_model::script::{FindFunctions, FindTests};
use ananke_model::variables::Variables;

use crate::asking::asking;
use crate::discover::{Discovered, Project, SourceFile, discover};
use crate::parse::{Found, config};
use crate::plan::{ConfigState, PlanInput, plan, refuse_bare_ids};
use crate::read_tests::{read_spoken, read_tests};
use crate::yaml::{Node, compose, read};

/// How many diagnostics are handed out; nobody reads more, and a hostile file can cause millions.
const MAX_DIAGNOSTICS: usize = 1000;

/// What to load.
#[derive(Clone, Copy, Debug)]
pub struct LoadRequest<'a> {
    /// The working directory, absolute.
    pub cwd: &'a Path,
    /// Files, folders, globs and messages as typed. Empty = everything below the config's folder, or below `cwd` when that is
    /// deeper.
    pub inputs: &'a [Input],
    /// `--config`; without it the config is looked for in `cwd` and the folders above, or above the inputs when they all
    /// belong to another project. Tests of several projects are refused then.
    pub config: Option<&'a Path>,
    /// `--target`: every test is run against each of these. A test that names its target keeps it.
    pub targets: &'a [String],
    /// `--var` and the environment.
    pub variables: &'a Variables,
    /// `--allow-unchecked`.
    pub allow_unchecked: bool,
    /// `--update-snapshots`.
    pub update_snapshots: SnapshotUpdate,
    /// Who asks which agent.
    pub asking: Asking<'a>,
    /// Finds the test functions of a script.
    pub find_tests: FindTests,
    /// Finds all functions of a script.
    pub find_functions: FindFunctions,
    /// Whether `--timeout` was given. Without it test functions have a limit of their own.
    pub timeout_given: bool,
    /// Whether the tests of other files are to be run though files with test functions hold mistakes.
    pub goes_on: bool,
}

/// What the user named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// An argument: a path, a glob, or a message of several words.
    Argument(String),
    /// `-i`: a path or a glob if there is such a file, else a message.
    Flag(String),
    /// A message, whatever it looks like: one that was recorded.
    Message(String),
    /// `-`: what came from standard input, cases or a message.
    Stdin(String),
    /// Cases that an agent made.
    Cases {
        /// What reports call the file that they do not have.
        shown: String,
        /// One object after another.
        text: String,
    },
}

impl Input {
    /// Returns what was typed.
    pub fn typed(&self) -> &str {
        match self {
            Self::Argument(text) | Self::Flag(text) | Self::Message(text) => text,
            Self::Stdin(_) => "-",
            Self::Cases { shown, .. } => shown,
        }
    }
}

/// Who asks which agent: the flags that say so.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asking<'a> {
    /// `-n`: a target, or the agent that one has.
    pub name: Option<&'a str>,
    /// `-c`.
    pub connector: Option<&'a str>,
    /// `-u`.
    pub user: Option<&'a str>,
    /// `-t`.
    pub team: Option<&'a str>,
    /// `--ctx`.
    pub ctx: Option<&'a Path>,
    /// `--simulator`: the agent that leads the cases which need one and name none.
    pub simulator: Option<&'a str>,
    /// Agents that the command itself asks, such as a reporter: they are in the plan even if no test names them.
    pub helpers: &'a [&'a str],
    /// `--before-all`: a function of a script.
    pub before_all: Option<&'a str>,
    /// `--after-all`: a function of a script.
    pub after_all: Option<&'a str>,
    /// Whether the command itself calls a script: what scripts can reach is in the plan even if no test has one.
    pub calls_script: bool,
}

/// What was loaded.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The tests that could be planned. Not to be run while there is an error among the diagnostics.
    pub plan: Plan,
    /// Everything that is wrong or worth a look, in the order of the files.
    pub diagnostics: Vec<Diagnostic>,
    /// With [`LoadRequest::goes_on`], the mistakes of files with test functions, and of the modules that they test. Each file
    /// that cannot be understood has one test in the plan, [`crate::BROKEN_FILE`], which cannot pass.
    pub broken: Vec<Diagnostic>,
    /// The text of every file that was read.
    pub sources: Sources,
    /// The test files that were found, as shown.
    pub files: Vec<String>,
}

/// Loads a suite. Nothing is executed.
pub fn load(request: &LoadRequest<'_>) -> Loaded {
    let mut found = Found::new();
    let mut sources = Sources::default();
    let Discovered {
        project,
        files,
        spoken,
    } = discover(request, &mut found);
    let asking = asking(request, &mut sources, &mut found);
    let config = match &project {
        Project {
            config: Some(file), ..
        } => tree(file, &mut sources, &mut found)
            .and_then(|node| config(&node, &mut found))
            .map_or(ConfigState::Broken, |config| {
                ConfigState::Present(Box::new(config))
            }),
        Project {
            is_broken: true, ..
        } => ConfigState::Broken,
        Project { .. } => ConfigState::Absent,
    };
    let messages: Vec<&str> = spoken.iter().map(|said| said.text.as_str()).collect();
    let known = match &config {
        ConfigState::Present(config) => Some(&**config),
        ConfigState::Broken | ConfigState::Absent => None,
    };
    let folders = (project.root.as_path(), request.cwd);
    refuse_bare_ids(request.inputs, &messages, known, folders, &mut found);
    let mut tests = Vec::with_capacity(files.len());
    let mut scripts = Vec::new();
    let mut broken = Found::new();
    let from_files = read_tests(&files, &project, request);
    for read in from_files
        .into_iter()
        .chain([read_spoken(&spoken, request.cwd)])
    {
        tests.extend(read.tests);
        scripts.extend(read.scripts);
        sources.extend(read.sources);
        found.extend(read.found);
        broken.extend(read.broken);
    }
    let order: Vec<Arc<str>> = files.iter().map(|file| Arc::clone(&file.shown)).collect();
    let input = PlanInput {
        config: &config,
        config_file: project.config.as_ref().map(|file| &*file.shown),
        root: project.root.clone(),
        cwd: request.cwd,
        targets: request.targets,
        asking: &asking,
        variables: request.variables,
        allow_unchecked: request.allow_unchecked,
        update_snapshots: request.update_snapshots,
        find_functions: request.find_functions,
        timeout_given: request.timeout_given,
        order: &order,
    };
    let plan = plan(input, tests, scripts, &mut sources, &mut found);
    Loaded {
        plan,
        diagnostics: in_order(found, &project, &files),
        broken: in_order(broken, &project, &files),
        sources,
        files: files.iter().map(|file| file.shown.to_string()).collect(),
    }
}

/// Reads a YAML file into a tree.
pub(crate) fn tree(file: &SourceFile, sources: &mut Sources, found: &mut Found) -> Option<Node> {
    let text = read(&file.path, &file.shown, sources, found)?;
    compose(&file.shown, &text, found)
}

/// Returns each diagnostic once: those without a place, then the config's, then the tests', each file from top to bottom.
fn in_order(found: Found, project: &Project, files: &[SourceFile]) -> Vec<Diagnostic> {
    let order: HashMap<_, _> = project
        .config
        .iter()
        .chain(files)
        .enumerate()
        .map(|(index, file)| (Arc::clone(&file.shown), index))
        .collect();
    let mut keyed: Vec<_> = found
        .into_iter()
        .map(|diagnostic| {
            let key = diagnostic.place.as_ref().map(|place| {
                let index = order.get(&place.file).copied();
                (index, place.start)
            });
            (key, diagnostic)
        })
        .collect();
    keyed.sort_by_key(|(key, _)| *key);
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let mut start = 0;
    let mut last_key = None;
    for (key, diagnostic) in keyed {
        // Equal diagnostics have equal keys, so only those with this key need to be compared.
        if last_key != Some(key) {
            last_key = Some(key);
            start = diagnostics.len();
        }
        if !diagnostics
            .iter()
            .skip(start)
            .any(|known| *known == diagnostic)
        {
            diagnostics.push(diagnostic);
        }
    }
    bounded(diagnostics)
}

/// Cuts a flood of diagnostics, without hiding that there are errors among the rest.
fn bounded(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let rest = diagnostics.split_off(diagnostics.len().min(MAX_DIAGNOSTICS));
    if let Some(first) = rest.first() {
        let message = format!("{} more problems are not shown", rest.len());
        let mut last = Diagnostic::error_anywhere(message);
        last.severity = match rest.iter().any(Diagnostic::is_error) {
            true => Severity::Error,
            false => first.severity,
        };
        diagnostics.push(last);
    }
    diagnostics
}
