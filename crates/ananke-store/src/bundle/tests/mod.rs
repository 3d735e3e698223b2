//! Tests of bundles.

mod cases;
mod damage;
mod dynamic;
mod folder;
mod full_disk;
mod golden;
mod limits;
mod property;
mod reading;
mod sample;
mod schema;
mod scripts;

use std::path::{Path, PathBuf};

use ananke_model::result::TestResult;
use ananke_model::run_event::Summary;

use super::{Bundle, BundleWriter, Ending, Head, StoreError};

/// Writes a bundle with one frame for each test, and returns its folder.
fn write(folder: &Path, head: &Head, results: &[TestResult], summary: Option<&Summary>) -> PathBuf {
    let mut writer = BundleWriter::create(folder, head, &sample::sources()).unwrap();
    for result in results {
        writer.test(result).unwrap();
        writer.flush().unwrap();
    }
    let path = writer.path().to_owned();
    match summary {
        Some(summary) => writer.finish(summary).unwrap(),
        None => drop(writer),
    }
    path
}

/// Writes the sample and returns the bytes of its file.
fn sample_bytes() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = write(
        folder.path(),
        &sample::head(),
        &sample::results(),
        Some(&sample::summary()),
    );
    std::fs::read(path.join("run.jsonl.zst")).unwrap()
}

/// Puts bytes where a bundle would be and reads them.
fn read_bytes(bytes: &[u8]) -> Result<Bundle, StoreError> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.jsonl.zst"), bytes).unwrap();
    Bundle::read(folder.path())
}

/// Packs text as one frame.
fn packed(text: &str) -> Vec<u8> {
    zstd::encode_all(text.as_bytes(), 1).unwrap()
}

/// Says in a few words what was read, without the folder.
fn in_words(read: Result<Bundle, StoreError>) -> String {
    match read {
        Ok(bundle) => {
            let statuses: Vec<String> = bundle
                .recorded()
                .iter()
                .map(|result| result.status.word().to_lowercase())
                .collect();
            let ending = match &bundle.ending {
                Ending::Complete(summary) => format!("complete, {} tests", summary.total),
                Ending::Cut { reason } => format!("cut: {reason}"),
            };
            format!("[{}] {ending}", statuses.join(" "))
        }
        Err(error) => error_in_words(&error),
    }
}

/// Says what went wrong: message, causes and hint, folders left out.
fn error_in_words(error: &StoreError) -> String {
    let mut lines = vec![format!("error: {error}")];
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        lines.push(format!("caused by: {error}"));
        cause = error.source();
    }
    lines.extend(error.hint().map(|hint| format!("hint: {hint}")));
    let text = lines.join("\n");
    // Paths stand in backticks, and no other text there begins with a slash.
    let mut parts: Vec<String> = text.split('`').map(str::to_owned).collect();
    for part in &mut parts {
        if let Some((_, name)) = part.rsplit_once('/').filter(|_| part.starts_with('/')) {
            *part = format!("…/{name}");
        }
    }
    parts.join("`")
}
