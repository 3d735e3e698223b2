//! Programs that tests need: from the system, or from its packages.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::step::{bounded, command, output, seconds};

/// How long fetching a package may take.
const LIMIT: Duration = Duration::from_secs(600);

/// Returns where one of `names` is, by preference; installs `package` if there is none of them.
pub(crate) fn program(names: &[&str], package: &str) -> Result<String, String> {
    match found(names) {
        Some(path) => Ok(path),
        None => install(names, package),
    }
}

fn found(names: &[&str]) -> Option<String> {
    let folders = std::env::var_os("PATH")?;
    let folders: Vec<_> = std::env::split_paths(&folders).collect();
    names.iter().find_map(|name| {
        let mut files = folders.iter().map(|folder| folder.join(name));
        let path = files.find(|path| path.is_file())?;
        Some(path.display().to_string())
    })
}

/// Installs the Debian package; only where that needs no question.
fn install(names: &[&str], package: &str) -> Result<String, String> {
    let by_hand = format!("install it, such as by `apt-get install {package}`");
    let is_root = output(&mut command("id", &["-u"])).is_ok_and(|user| user.trim() == "0");
    if !is_root || !Path::new("/usr/bin/apt-get").exists() {
        return Err(format!("no {package} in the PATH; {by_hand}"));
    }
    let started = Instant::now();
    println!("    installing the package `{package}` …");
    // A list of packages that cannot be refreshed may still be good enough.
    bounded(&mut apt(&["update"]), LIMIT).ok();
    bounded(
        &mut apt(&["install", "-y", "--no-install-recommends", package]),
        LIMIT,
    )?;
    println!("    installed in {}", seconds(started));
    found(names).ok_or_else(|| format!("the package `{package}` brought no program; {by_hand}"))
}

fn apt(args: &[&str]) -> std::process::Command {
    let mut apt = command("apt-get", args);
    apt.arg("-qq").env("DEBIAN_FRONTEND", "noninteractive");
    apt
}
