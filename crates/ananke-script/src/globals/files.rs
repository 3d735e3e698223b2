//! `fs`: files below the folders that were granted.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rquickjs::{Ctx, Exception, Object};

use super::grants;
use super::install::add;
use crate::engine::State;

/// How much of a file is read.
const MAX_BYTES: u64 = 32 << 20;

/// Adds `readText`, `exists`, `list`, `writeText` and `remove`.
pub(super) fn natives<'js>(state: &Rc<State>, native: &Object<'js>) -> rquickjs::Result<()> {
    let own = Rc::clone(state);
    add(native, "readText", move |ctx: Ctx<'js>, path: String| {
        thrown(&ctx, at(&own, &path, read))
    })?;
    let own = Rc::clone(state);
    add(native, "exists", move |ctx: Ctx<'js>, path: String| {
        thrown(&ctx, at(&own, &path, |file| Ok(file.exists())))
    })?;
    let own = Rc::clone(state);
    add(native, "list", move |ctx: Ctx<'js>, path: String| {
        thrown(&ctx, in_folder(&own, &path, list))
    })?;
    let own = Rc::clone(state);
    add(
        native,
        "writeText",
        move |ctx: Ctx<'js>, path: String, text: String| {
            thrown(&ctx, at(&own, &path, |file| written(file, &text)))
        },
    )?;
    let own = Rc::clone(state);
    add(native, "remove", move |ctx: Ctx<'js>, path: String| {
        thrown(&ctx, at(&own, &path, removed))
    })
}

/// Does something with a file that was granted.
fn at<T>(
    state: &State,
    path: &str,
    body: impl FnOnce(&Path) -> Result<T, String>,
) -> Result<T, String> {
    done(state, path, false, body)
}

/// Does something with a folder that was granted.
fn in_folder<T>(
    state: &State,
    path: &str,
    body: impl FnOnce(&Path) -> Result<T, String>,
) -> Result<T, String> {
    done(state, path, true, body)
}

fn done<T>(
    state: &State,
    path: &str,
    is_folder: bool,
    body: impl FnOnce(&Path) -> Result<T, String>,
) -> Result<T, String> {
    let root = state.settings.root();
    let file: PathBuf = grants::file(&state.settings.grants, root, path, is_folder)?;
    body(&file).map_err(|why| format!("{path}: {why}"))
}

fn thrown<T>(ctx: &Ctx<'_>, result: Result<T, String>) -> rquickjs::Result<T> {
    result.map_err(|why| Exception::throw_message(ctx, &why))
}

fn read(file: &Path) -> Result<String, String> {
    let told = fs::metadata(file).map_err(|error| words(&error))?;
    if !told.is_file() {
        return Err("it is no file".to_owned());
    }
    let open = fs::File::open(file).map_err(|error| words(&error))?;
    let mut bytes = Vec::new();
    let read = open
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| words(&error))?;
    if read as u64 > MAX_BYTES {
        return Err(format!("it is larger than {} MiB", MAX_BYTES >> 20));
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}

fn list(folder: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|error| words(&error))?;
    let names = entries.filter_map(Result::ok);
    let mut names: Vec<String> = names
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok(names)
}

fn written(file: &Path, text: &str) -> Result<(), String> {
    if file.exists() && !file.is_file() {
        return Err("it is no file".to_owned());
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|error| words(&error))?;
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    // The path was followed to its end: a link that is there now was put there since.
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    let mut open = options.open(file).map_err(|error| words(&error))?;
    open.write_all(text.as_bytes())
        .map_err(|error| words(&error))
}

fn removed(file: &Path) -> Result<(), String> {
    let is_removed = match file.is_dir() {
        true => fs::remove_dir(file),
        false => fs::remove_file(file),
    };
    is_removed.map_err(|error| words(&error))
}

fn words(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::DirectoryNotEmpty => "the folder is not empty".to_owned(),
        _ => error.to_string(),
    }
}
