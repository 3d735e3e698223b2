//! Test functions and hooks of scripts in recordings: neither is run again, what was recorded of them decides.

use std::path::Path;

use ananke_model::plan::PlannedTest;
use ananke_model::result::{TestResult, TestStatus};
use ananke_model::script::{ScriptFile, ScriptRecord};

use super::judge_test::{RECORD, without_turns};
use crate::opinions::Again;
use crate::script::{AFTER_FAILED, came_out};
use crate::session::Stopped;

/// The reason of a test whose files are not those that were recorded.
const CHANGED: &str = "the script was changed since it was recorded: run it again";
/// What is said of recordings that do not tell what the files were.
const UNKNOWN: &str = "the recording does not say what the script was like: whether it was changed since is not known";

/// Judges a recorded test function by its record, if the files are those that were recorded.
pub(super) fn judge_script(
    test: &PlannedTest,
    mut recorded: TestResult,
    again: &Again,
) -> TestResult {
    let Some(mut record) = recorded.script.take() else {
        // It never began, or it was no function then.
        if recorded.stopped_before().is_some() {
            return recorded;
        }
        let why = "no recording: the recorded test is no function of a script";
        let stopped = Stopped::error(why).details([RECORD.to_owned()]);
        return without_turns(test, recorded, stopped);
    };
    if let Some(now) = &test.script {
        // Whether it counts without an assertion is for the test to say as it is now.
        record.fails_by_itself = now.function.fails_by_itself;
    }
    let was_changed = changed(&record, test, again);
    let Stopped {
        status,
        reason,
        details,
    } = was_changed.unwrap_or_else(|| came_out(&record));
    if record.digest.is_empty() && !status.is_failure() {
        recorded.warnings.push(UNKNOWN.to_owned());
    }
    TestResult {
        id: test.id.clone(),
        name: test.name.text.clone(),
        file: test.file.to_string(),
        status,
        reason: Some(reason).filter(|reason| !reason.is_empty()),
        reason_details: details,
        tags: test.tags.clone(),
        flaky: false,
        earlier: Vec::new(),
        run: None,
        other_runs: Vec::new(),
        script: Some(record),
        ..recorded
    }
}

/// Says that files of a function are not those that were recorded, if that is so. What an older recording says nothing about is
/// not compared.
fn changed(record: &ScriptRecord, test: &PlannedTest, again: &Again) -> Option<Stopped> {
    let root = again.root().filter(|_| !record.digest.is_empty())?;
    let now = again.digest_of(root, &record.modules);
    if now.as_ref() == Some(&record.digest) {
        let new = test.script.as_ref();
        let new = new.and_then(|test| new_module(record, &test.file, root))?;
        return Some(Stopped::error(CHANGED).details([format!("not there before: {new}")]));
    }
    let is_gone = |file: &&String| !root.join(file).is_file();
    let gone: Vec<&str> = record
        .modules
        .iter()
        .filter(is_gone)
        .map(String::as_str)
        .collect();
    let lines = match (gone.as_slice(), record.modules.as_slice()) {
        ([], [only]) => format!("changed: {only}"),
        ([], all) => format!("changed: one of {}", all.join(", ")),
        (gone, _) => format!("not there any more: {}", gone.join(", ")),
    };
    Some(Stopped::error(CHANGED).details([lines]))
}

/// Returns the module whose names a file shares now, if the file was loaded without it.
fn new_module(record: &ScriptRecord, file: &ScriptFile, root: &Path) -> Option<String> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let root = real(root);
    let named = |path: &Path| {
        let path = real(path);
        let below = path.strip_prefix(&root).unwrap_or(&path);
        below.display().to_string()
    };
    let module = named(file.module.as_deref()?);
    // A file whose module was broken was not loaded at all.
    let was_loaded = record.modules.contains(&named(&file.path));
    (was_loaded && !record.modules.contains(&module)).then_some(module)
}

/// Returns what `after` did wrong when the test was recorded, if it has one and it did.
pub(super) fn after_failed(test: &PlannedTest, recorded: &TestResult) -> Option<Stopped> {
    test.after.as_ref()?;
    let is_it = |text: &&String| text.starts_with(AFTER_FAILED);
    if let Some(reason) = recorded.reason.as_ref().filter(is_it) {
        return Some(Stopped::error(reason).details(recorded.reason_details.clone()));
    }
    recorded.warnings.iter().find(is_it).map(Stopped::error)
}

/// Puts a failed `after` behind what was judged: a test that passes otherwise is an error.
pub(super) fn with_after(judged: TestResult, failed: Option<Stopped>) -> TestResult {
    match failed {
        Some(failed) if judged.status == TestStatus::Passed => TestResult {
            status: failed.status,
            reason: Some(failed.reason),
            reason_details: failed.details,
            ..judged
        },
        _ => judged,
    }
}
