//! Sets up the browser that the HTML report is tested in: Chromium, from the system or from its packages.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::interop;
use crate::step::{bounded, command, output, seconds};

/// How long fetching the package may take.
const LIMIT: Duration = Duration::from_secs(600);

/// What Chromium is called, by preference.
const NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
];

/// Finds or installs Chromium and writes down where it is; returns why that is impossible.
pub(crate) fn set_up() -> Result<(), String> {
    let path = match found() {
        Some(path) => path,
        None => install()?,
    };
    println!("    Chromium is {path}");
    let stamp = interop::folder().join("browser.stamp");
    std::fs::create_dir_all(interop::folder())
        .and_then(|()| std::fs::write(&stamp, &path))
        .map_err(|error| format!("{} cannot be written: {error}", stamp.display()))
}

fn found() -> Option<String> {
    let folders = std::env::var_os("PATH")?;
    let folders: Vec<_> = std::env::split_paths(&folders).collect();
    NAMES.iter().find_map(|name| {
        let mut files = folders.iter().map(|folder| folder.join(name));
        let path = files.find(|path| path.is_file())?;
        Some(path.display().to_string())
    })
}

/// Installs the Debian package; only where that needs no question.
fn install() -> Result<String, String> {
    let by_hand = "install Chromium, such as by `apt-get install chromium`";
    let is_root = output(&mut command("id", &["-u"])).is_ok_and(|user| user.trim() == "0");
    if !is_root || !Path::new("/usr/bin/apt-get").exists() {
        return Err(format!("no Chromium in the PATH; {by_hand}"));
    }
    let started = Instant::now();
    println!("    installing the package `chromium` …");
    // A list of packages that cannot be refreshed may still be good enough.
    bounded(&mut apt(&["update"]), LIMIT).ok();
    bounded(
        &mut apt(&["install", "-y", "--no-install-recommends", "chromium"]),
        LIMIT,
    )?;
    println!("    installed in {}", seconds(started));
    found().ok_or_else(|| format!("the package `chromium` brought no program; {by_hand}"))
}

fn apt(args: &[&str]) -> std::process::Command {
    let mut apt = command("apt-get", args);
    apt.arg("-qq").env("DEBIAN_FRONTEND", "noninteractive");
    apt
}
