//! Reads a file into text, within limits.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Sources};

/// The largest file that is read.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Reads the file at `path`, which messages call `shown`, and keeps its text in `sources`.
pub(crate) fn read(
    path: &Path,
    shown: &str,
    sources: &mut Sources,
    found: &mut Vec<Diagnostic>,
) -> Option<String> {
    let bytes = match bytes(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            found.push(Diagnostic::error_anywhere(format!(
                "cannot read `{shown}`: {error}"
            )));
            return None;
        }
    };
    if bytes.len() as u64 > MAX_BYTES {
        found.push(Diagnostic::error_anywhere(format!(
            "`{shown}` is larger than 16 MiB"
        )));
        return None;
    }
    text(&bytes, shown, sources, found)
}

fn bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed, so that a file that is too large shows without being read whole.
    File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Decodes `bytes`. A byte order mark is no part of the text that places count in.
pub(super) fn text(
    bytes: &[u8],
    shown: &str,
    sources: &mut Sources,
    found: &mut Vec<Diagnostic>,
) -> Option<String> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => {
            sources.insert(shown, text);
            return Some(text.to_owned());
        }
        Err(error) => error,
    };
    // Up to the first bad byte the lossy text is the file's own, so the place of that byte is the same in both.
    let lossy = String::from_utf8_lossy(bytes);
    let offset = error.valid_up_to();
    let (before, _) = lossy.split_at(offset);
    // A carriage return ends a line too, but together with the line feed behind it only once.
    let lines = before.replace("\r\n", "\n");
    let mut lines = lines.split(['\n', '\r']).rev();
    let last = lines.next().unwrap_or_default();
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let place = Place {
        file: shown.into(),
        line: small(lines.count() + 1),
        column: small(last.chars().count() + 1),
        start: small(offset),
        end: small(offset + char::REPLACEMENT_CHARACTER.len_utf8()),
    };
    found.push(
        Diagnostic::error(&place, "the file is not UTF-8 text")
            .label(format!("the byte at offset {offset} is not UTF-8"))
            .hint("save the file as UTF-8"),
    );
    sources.insert(shown, &lossy);
    None
}
