//! The HTML report in a real browser: `interop/browser/check.mjs` opens five samples in Chromium and does what a person
//! would. `cargo xtask test` installs what is needed; without it this is a skip that says so, and with `CI=true` a
//! failure. Pictures of the page in both themes are left in `target/artifacts`.

#[path = "../examples/sample_html/samples/mod.rs"]
mod samples;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn the_html_report_works_in_a_browser() {
    let Some(browser) = browser() else {
        return;
    };
    let folder = target().join("artifacts");
    std::fs::create_dir_all(&folder).expect("a folder below target can be made");
    let (mixed, many) = (
        folder.join("html-mixed.html"),
        folder.join("html-many.html"),
    );
    std::fs::write(&mixed, samples::mixed()).expect("target can be written");
    let cases = folder.join("html-cases.html");
    std::fs::write(&cases, samples::cases()).expect("target can be written");
    let dynamic = folder.join("html-dynamic.html");
    std::fs::write(&dynamic, samples::dynamic()).expect("target can be written");
    let functions = folder.join("html-functions.html");
    std::fs::write(&functions, samples::functions()).expect("target can be written");
    std::fs::write(&many, samples::many(10_000)).expect("target can be written");
    let done = Command::new("node")
        .arg(target().join("interop/node/browser/check.mjs"))
        .args(["--browser", &browser])
        .args([Path::new("--mixed"), &mixed, Path::new("--many"), &many])
        .args([Path::new("--cases"), &cases])
        .args([Path::new("--dynamic"), &dynamic])
        .args([Path::new("--functions"), &functions])
        .args([Path::new("--shots"), &folder])
        .output()
        .expect("node can be started: `cargo xtask test` looked for it");
    std::fs::remove_file(&many).expect("it was just written");
    let said = String::from_utf8_lossy(&done.stdout);
    let complained = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}\n{complained}");
    assert!(said.lines().count() >= 40, "checks are missing:\n{said}");
}

/// Returns cargo's target folder.
fn target() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    target.expect("it is target/tmp").to_owned()
}

/// Returns the browser that `cargo xtask test` found or installed; says so if there is none.
fn browser() -> Option<String> {
    let why = match variable("ANANKE_INTEROP_NO_BROWSER") {
        Some(why) => why,
        None => match std::fs::read_to_string(target().join("interop/browser.stamp")) {
            Ok(path) => return Some(path.trim().to_owned()),
            Err(_) => "no browser is set up; `cargo xtask test` does that".to_owned(),
        },
    };
    let is_ci = variable("CI").is_some_and(|value| value == "true" || value == "1");
    assert!(
        !is_ci,
        "with CI=true nothing may be skipped: HTML in a browser: {why}"
    );
    // Not `println!`, which is kept from the user when a test passes; one write, so that lines stay whole.
    let line = format!("skipped: HTML in a browser: {why}\n");
    std::io::stderr().write_all(line.as_bytes()).ok();
    None
}

#[expect(
    clippy::disallowed_methods,
    reason = "tests have no settings to take it from"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
