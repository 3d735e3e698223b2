//! Files that go with the message of an `a2a:send` turn: read when the suite is loaded, and sent as they were then.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::plan::{TaskMessage, TurnAction};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::discover::{absolute, nearest_sibling, shown};
use crate::parse::{Found, SentFile, mime_type_of};

/// The largest file that is sent.
const MAX_BYTES: u64 = 16 << 20;

/// Puts the content of `files` into the parts that wait for it. Paths are seen from `folder`.
pub(super) fn fill(
    action: &mut TurnAction,
    files: &[SentFile],
    folder: &Path,
    cwd: &Path,
    found: &mut Found,
) {
    let TurnAction::Send(message) = action else {
        return;
    };
    for file in files {
        let path = absolute(folder, Path::new(&file.path.text));
        match content(&path, cwd) {
            Ok(bytes) => put(message, file.part, &path, &bytes),
            Err(problem) => {
                let mut diagnostic = Diagnostic::error(&file.path.place, problem.message);
                diagnostic.hint = problem.hint;
                found.push(diagnostic);
            }
        }
    }
}

/// Why a file cannot be sent.
struct Problem {
    message: String,
    hint: Option<String>,
}

fn content(path: &Path, cwd: &Path) -> Result<Vec<u8>, Problem> {
    let name = shown(path, cwd);
    let refused = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            let sibling = nearest_sibling(path, cwd);
            Problem {
                message: format!("there is no file `{name}`"),
                hint: Some(match sibling {
                    Some(sibling) => format!("did you mean `{sibling}`?"),
                    None => "the path is relative to the folder of the test".to_owned(),
                }),
            }
        }
        _ => Problem {
            message: format!("cannot read `{name}`: {error}"),
            hint: None,
        },
    };
    // Opening a pipe would wait for somebody to write into it.
    if !std::fs::metadata(path).map_err(refused)?.is_file() {
        return Err(Problem {
            message: format!("`{name}` is no file"),
            hint: None,
        });
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(refused)?;
    let n_read = file.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    if n_read.map_err(refused)? as u64 > MAX_BYTES {
        return Err(Problem {
            message: format!("`{name}` is larger than 16 MiB"),
            hint: Some("send a smaller one, or a `url`".to_owned()),
        });
    }
    Ok(bytes)
}

fn put(message: &mut TaskMessage, part: usize, path: &Path, bytes: &[u8]) {
    let Some(Value::Object(part)) = message.parts.value.get_mut(part) else {
        return;
    };
    part.insert("raw".to_owned(), Value::String(STANDARD.encode(bytes)));
    let media_type = mime_type_of(path).unwrap_or("application/octet-stream");
    part.entry("mediaType")
        .or_insert_with(|| Value::from(media_type));
    if let Some(name) = path.file_name() {
        part.entry("filename")
            .or_insert_with(|| Value::from(name.to_string_lossy()));
    }
}
