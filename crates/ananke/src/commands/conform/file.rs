//! `--file`: what was captured before.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use ananke_conform::{Case, offline};
use serde_json::Value;

use super::args::ConformArgs;
use super::command::configuration;
use crate::error::CommandError;
use crate::settings::Environment;

/// The largest capture that is read.
const MAX_BYTES: u64 = 64 << 20;
/// What every compressed bundle begins with.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Reads a capture or a bundle.
pub(super) fn read(
    args: &ConformArgs,
    name: &str,
    environment: &Environment,
) -> Result<Case, CommandError> {
    let path = environment.cwd.join(name);
    let bytes = if name == "-" {
        Some(read_all(std::io::stdin().lock(), "stdin")?)
    } else if path.exists() && !path.is_dir() {
        // A pipe is as good as a file.
        Some(bytes_of(&path, name)?)
    } else {
        None
    };
    let request = match &args.request {
        Some(path) => Some(request(path, environment)?),
        None => None,
    };
    let unfit = |why: String| configuration(format!("`{name}` cannot be judged: {why}"));
    match bytes.filter(|bytes| !bytes.starts_with(&ZSTD)) {
        Some(bytes) => offline::from_file(name, &bytes, request).map_err(unfit),
        None => {
            if request.is_some() {
                return Err(configuration(
                    "a bundle has its own requests: leave `--request` out",
                ));
            }
            let bundle = args.place.place(environment).read(name)?;
            let run_id = &bundle.head.run.run_id;
            let shown = if name.contains(run_id.as_str()) {
                name.to_owned()
            } else {
                format!("{name} ({run_id})")
            };
            offline::from_bundle(&shown, &bundle).map_err(unfit)
        }
    }
}

pub(super) fn bytes_of(path: &Path, name: &str) -> Result<Vec<u8>, CommandError> {
    let file = File::open(path).map_err(|error| unreadable(name, &error))?;
    read_all(file, name)
}

fn read_all(source: impl Read, name: &str) -> Result<Vec<u8>, CommandError> {
    let mut bytes = Vec::new();
    source
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(name, &error))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(configuration(format!(
            "`{name}` is larger than {} MiB",
            MAX_BYTES >> 20
        )));
    }
    Ok(bytes)
}

fn unreadable(name: &str, error: &std::io::Error) -> CommandError {
    configuration(format!("`{name}` cannot be read: {error}"))
}

/// Reads the request that a capture answers.
fn request(path: &Path, environment: &Environment) -> Result<Value, CommandError> {
    let shown = path.display().to_string();
    let bytes = bytes_of(&environment.cwd.join(path), &shown)?;
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|error| configuration(format!("`{shown}` is no JSON: {error}")))?;
    if value.get("threadId").is_none() || value.get("messages").is_none() {
        return Err(
            configuration(format!("`{shown}` is no RunAgentInput")).hint(
                "expected an object with `threadId`, `runId` and `messages`: the body that was posted",
            ),
        );
    }
    Ok(value)
}
