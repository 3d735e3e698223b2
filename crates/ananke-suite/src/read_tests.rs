//! Files, and what was said on the command line, to tests as written.

use std::path::Path;
use std::sync::Arc;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Sources};
use ananke_model::plan::TestId;

use crate::discover::{Project, SourceFile, Spoken, SpokenKind, is_yaml_name};
use crate::jsonl::{Chunk, chunks, each_object, is_report};
use crate::load::{LoadRequest, tree};
use crate::parse::{CaseFolders, CaseList, Cases, Found, TestFile, message_case, test};
use crate::plan::SourceTest;
use crate::read_scripts::{SourceScript, script_tests};
use crate::scripts::{is_script_test_name, script_root};
use crate::yaml::read;

/// From how many files on reading them is worth more than one thread.
const MANY_FILES: usize = 256;

/// From how many bytes on reading one file is worth more than one thread.
const MANY_BYTES: usize = 256 << 10;

/// What came of some files.
#[derive(Debug, Default)]
pub(crate) struct ReadTests {
    pub(crate) tests: Vec<SourceTest>,
    pub(crate) scripts: Vec<SourceScript>,
    pub(crate) sources: Sources,
    pub(crate) found: Found,
    /// Mistakes that do not keep other tests from being run.
    pub(crate) broken: Found,
}

/// Reads test files, on all cores if there are many.
pub(crate) fn read_tests(
    files: &[SourceFile],
    project: &Project,
    request: &LoadRequest<'_>,
) -> Vec<ReadTests> {
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
            .map(|files| scope.spawn(|| read_some(files, project, request)))
            .collect();
        let first = files
            .chunks(share)
            .next()
            .map(|files| read_some(files, project, request));
        let others = readers.into_iter().map(|reader| {
            reader
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        first.into_iter().chain(others).collect()
    })
}

/// Reads what was said on the command line.
pub(crate) fn read_spoken(spoken: &[Spoken], cwd: &Path) -> ReadTests {
    let mut read = ReadTests::default();
    for spoken in spoken {
        let tests = match spoken.kind {
            SpokenKind::Message(number) => {
                let id = format!("message#{number}");
                let test = message_case(&id, &spoken.text, &spoken.shown);
                vec![(TestId(id), Box::new(test))]
            }
            SpokenKind::Cases => {
                read.sources.insert(&spoken.shown, &spoken.text);
                let tests = read_cases(&spoken.shown, &spoken.text, cwd, cwd, &mut read.found);
                with_ids(tests, &spoken.shown)
            }
        };
        read.tests
            .extend(tests.into_iter().map(|(id, test)| SourceTest {
                id,
                file: Arc::clone(&spoken.shown),
                path: spoken.path.clone(),
                test,
            }));
    }
    read
}

fn read_some(files: &[SourceFile], project: &Project, request: &LoadRequest<'_>) -> ReadTests {
    let cwd = request.cwd;
    let root = script_root(&project.root);
    let mut read = ReadTests::default();
    for file in files {
        let id = project.test_id(file);
        if is_script_test_name(&file.path) {
            let mut mistakes = Found::new();
            let script = script_tests(file, id, &root, request, &mut read.sources, &mut mistakes);
            read.scripts.extend(script);
            match request.goes_on {
                true => read.broken.extend(mistakes),
                false => read.found.extend(mistakes),
            }
            continue;
        }
        let tests = if !is_yaml_name(&file.path) {
            with_ids(case_file(file, cwd, &mut read), &id.0)
        } else {
            let node = tree(file, &mut read.sources, &mut read.found);
            let test = node.and_then(|node| test(&node, &mut read.found));
            test.into_iter()
                .map(|test| (id.clone(), Box::new(test)))
                .collect()
        };
        read.tests
            .extend(tests.into_iter().map(|(id, test)| SourceTest {
                id,
                file: Arc::clone(&file.shown),
                path: file.path.clone(),
                test,
            }));
    }
    read
}

fn case_file(file: &SourceFile, cwd: &Path, out: &mut ReadTests) -> CaseList {
    let Some(text) = read(&file.path, &file.shown, &mut out.sources, &mut out.found) else {
        return Vec::new();
    };
    let folder = file.path.parent().unwrap_or(cwd);
    read_cases(&file.shown, &text, folder, cwd, &mut out.found)
}

fn read_cases(
    file: &Arc<str>,
    text: &str,
    folder: &Path,
    cwd: &Path,
    found: &mut Found,
) -> CaseList {
    if is_report(text) {
        found.push(
            Diagnostic::error(
                &Place::file(file),
                "the file is a report of a run, it holds no cases",
            )
            .hint("name the file that the report was made from; `ananke report` shows reports"),
        );
        return Vec::new();
    }
    let folders = CaseFolders { file: folder, cwd };
    if text.len() >= MANY_BYTES
        && let Some(tests) = read_side_by_side(file, text, folders)
    {
        return tests;
    }
    read_chunk(file, Chunk::whole(text), folders, found).tests
}

/// Reads the pieces of a long file on all cores. `None` if anything is wrong: what and where, reading it as a whole tells.
fn read_side_by_side(file: &Arc<str>, text: &str, folders: CaseFolders<'_>) -> Option<CaseList> {
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    if n_threads == 1 {
        return None;
    }
    let read = |chunk| {
        let mut found = Found::new();
        // Every place counts its file's name, which is slow if all threads count the same one.
        let file = Arc::from(&**file);
        let cases = read_chunk(&file, chunk, folders, &mut found);
        found.is_empty().then_some(cases)
    };
    let chunks = chunks(text, n_threads);
    let (first, others) = chunks.split_first()?;
    std::thread::scope(|scope| {
        let others: Vec<_> = others
            .iter()
            .map(|chunk| scope.spawn(|| read(*chunk)))
            .collect();
        let mut cases = read(*first);
        for other in others {
            let other = other
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            cases = cases
                .zip(other)
                .and_then(|(mut cases, other)| cases.join(other).then_some(cases));
        }
        cases.map(|cases| cases.tests)
    })
}

fn read_chunk<'a>(
    file: &Arc<str>,
    chunk: Chunk<'_>,
    folders: CaseFolders<'a>,
    found: &mut Found,
) -> Cases<'a> {
    let mut cases = Cases::new(folders);
    each_object(file, chunk, found, |node, found| cases.read(&node, found));
    cases
}

/// Gives cases their stable names: the file's, and their own id.
fn with_ids(tests: CaseList, file: &str) -> Vec<(TestId, Box<TestFile>)> {
    let named = |test: Box<TestFile>| {
        let id = test.case.as_ref().map(|case| case.id.text.as_str());
        (TestId(format!("{file}#{}", id.unwrap_or_default())), test)
    };
    tests.into_iter().map(named).collect()
}
