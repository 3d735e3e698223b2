//! Sets up the browser that the HTML report is tested in: Chromium, from the system or from its packages.

use crate::{interop, package};

/// What Chromium is called, by preference.
const NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
];

/// Finds or installs Chromium and writes down where it is; returns why that is impossible.
pub(crate) fn set_up() -> Result<(), String> {
    let path = package::program(NAMES, "chromium")?;
    println!("    Chromium is {path}");
    interop::stamp("browser.stamp", &path)
}
