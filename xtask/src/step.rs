//! Steps: a heading, a command, how long it took.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often a process that is waited for is looked at.
const POLL: Duration = Duration::from_millis(50);

/// Returns the root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask is a folder of the repository")
}

/// Returns cargo's target folder: this program was built into `<target>/debug`.
pub(crate) fn target() -> PathBuf {
    let built = std::env::current_exe().ok();
    let target = built
        .as_deref()
        .and_then(Path::parent)
        .and_then(Path::parent);
    target.map_or_else(|| root().join("target"), Path::to_owned)
}

/// Prints the heading of a step.
pub(crate) fn heading(title: &str) {
    println!("\n=== {title}");
}

/// Says how long something took, in seconds.
pub(crate) fn seconds(since: Instant) -> String {
    format!("{:.1} s", since.elapsed().as_secs_f64())
}

/// Returns a command that is run in the root of the repository.
pub(crate) fn command<S: AsRef<OsStr>>(program: impl AsRef<OsStr>, args: &[S]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    command
}

/// Returns `cargo` with these arguments.
pub(crate) fn cargo(args: &[&str]) -> Command {
    command(
        std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()),
        args,
    )
}

/// Shows a command as it would be typed.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name();
    let words = program.into_iter().chain(command.get_args());
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    words.join(" ")
}

/// Runs a step with its output on the terminal; says what to do if it fails.
pub(crate) fn step(title: &str, command: &mut Command, advice: &str) -> bool {
    heading(&format!("{title}: {}", shown(command)));
    let started = Instant::now();
    let is_fine = match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("{} cannot be started: {error}", shown(command));
            false
        }
    };
    if is_fine {
        println!("    {title}: fine, {}", seconds(started));
    } else {
        println!("    {title}: FAILED, {}; {advice}", seconds(started));
    }
    is_fine
}

/// Runs a command and returns what it printed on stdout; else why not.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let name = shown(command);
    let done = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{name} cannot be started: {error}"))?;
    if done.status.success() {
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    } else {
        let why = String::from_utf8_lossy(&done.stderr);
        Err(format!("{name} ended with {}: {}", done.status, why.trim()))
    }
}

/// Runs a command with its output on the terminal, and ends it at the limit; returns why it failed.
pub(crate) fn bounded(command: &mut Command, limit: Duration) -> Result<(), String> {
    let name = shown(command);
    let mut child = command
        .stdin(Stdio::null())
        .spawn()
        .map_err(|error| format!("{name} cannot be started: {error}"))?;
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("{name} ended with {status}")),
            Ok(None) if started.elapsed() < limit => std::thread::sleep(POLL),
            Ok(None) => {
                // It may have ended by itself this very moment.
                child.kill().ok();
                child.wait().ok();
                return Err(format!("{name} took longer than {} s", limit.as_secs()));
            }
            Err(error) => return Err(format!("{name}: {error}")),
        }
    }
}
