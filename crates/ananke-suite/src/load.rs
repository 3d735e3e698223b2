//! Loads a suite: the whole way from paths to a plan.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use ananke_model::check::SnapshotUpdate;
use ananke_model::diagnostic::{Diagnostic, Severity};
use ananke_model::place::Sources;
use ananke_model::plan::Plan;
use ananke_model::variables::Variables;

use crate::discover::{Project, SourceFile, discover};
use crate::parse::{Found, config, test};
use crate::plan::{ConfigState, PlanInput, SourceTest, plan};
use crate::yaml::{Node, compose, read};

/// How many diagnostics are handed out; nobody reads more, and a hostile file can cause millions.
const MAX_DIAGNOSTICS: usize = 1000;

/// From how many files on reading them is worth more than one thread.
const MANY_FILES: usize = 256;

/// What to load.
#[derive(Clone, Copy, Debug)]
pub struct LoadRequest<'a> {
    /// The working directory, absolute.
    pub cwd: &'a Path,
    /// Files, folders and globs as typed. Empty = everything below the config's folder, or below `cwd` when that is deeper.
    pub inputs: &'a [String],
    /// `--config`; without it the config is looked for in `cwd` and the folders above, or above the inputs when they all
    /// belong to another project. Tests of several projects are refused then.
    pub config: Option<&'a Path>,
    /// `--target`. A test that names its target keeps it.
    pub target: Option<&'a str>,
    /// `--var` and the environment.
    pub variables: &'a Variables,
    /// `--allow-unchecked`.
    pub allow_unchecked: bool,
    /// `--update-snapshots`.
    pub update_snapshots: SnapshotUpdate,
}

/// What was loaded.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The tests that could be planned. Not to be run while there is an error among the diagnostics.
    pub plan: Plan,
    /// Everything that is wrong or worth a look, in the order of the files.
    pub diagnostics: Vec<Diagnostic>,
    /// The text of every file that was read.
    pub sources: Sources,
    /// The test files that were found, as shown.
    pub files: Vec<String>,
}

/// Loads a suite. Nothing is executed.
pub fn load(request: &LoadRequest<'_>) -> Loaded {
    let mut found = Found::new();
    let mut sources = Sources::default();
    let (project, files) = discover(request, &mut found);
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
    let mut tests = Vec::with_capacity(files.len());
    for read in read_tests(&files, &project) {
        tests.extend(read.tests);
        sources.extend(read.sources);
        found.extend(read.found);
    }
    let input = PlanInput {
        config: &config,
        config_file: project.config.as_ref().map(|file| &*file.shown),
        root: project.root.clone(),
        target: request.target,
        variables: request.variables,
        allow_unchecked: request.allow_unchecked,
        update_snapshots: request.update_snapshots,
    };
    let plan = plan(input, &tests, &mut found);
    Loaded {
        plan,
        diagnostics: in_order(found, &project, &files),
        sources,
        files: files.iter().map(|file| file.shown.to_string()).collect(),
    }
}

/// What came of some test files.
struct ReadTests {
    tests: Vec<SourceTest>,
    sources: Sources,
    found: Found,
}

/// Reads test files, on all cores if there are many.
fn read_tests(files: &[SourceFile], project: &Project) -> Vec<ReadTests> {
    let n_threads = if files.len() < MANY_FILES {
        1
    } else {
        std::thread::available_parallelism().map_or(1, usize::from)
    };
    let share = files.len().div_ceil(n_threads).max(1);
    std::thread::scope(|scope| {
        let readers: Vec<_> = files
            .chunks(share)
            .skip(1)
            .map(|files| scope.spawn(|| read_some(files, project)))
            .collect();
        let first = files
            .chunks(share)
            .next()
            .map(|files| read_some(files, project));
        let others = readers.into_iter().map(|reader| {
            reader
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        first.into_iter().chain(others).collect()
    })
}

fn read_some(files: &[SourceFile], project: &Project) -> ReadTests {
    let (mut tests, mut sources, mut found) = (Vec::new(), Sources::default(), Found::new());
    for file in files {
        let test = tree(file, &mut sources, &mut found).and_then(|node| test(&node, &mut found));
        tests.extend(test.map(|test| SourceTest {
            id: project.test_id(file),
            file: Arc::clone(&file.shown),
            path: file.path.clone(),
            test,
        }));
    }
    ReadTests {
        tests,
        sources,
        found,
    }
}

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
