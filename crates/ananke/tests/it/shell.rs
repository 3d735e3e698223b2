//! Commands as a CI executes them: by bash, with the real binary in the path.

use std::path::Path;
use std::process::Command;

use ananke_testkit::TestContext;

use crate::ANANKE;

/// Executes a step as GitHub does; returns its exit code and what it said.
pub(crate) fn execute(cx: &TestContext, step: &str) -> (Option<i32>, String) {
    let script = cx.dir().join("step.sh");
    let folder = Path::new(ANANKE)
        .parent()
        .expect("a program is in a folder");
    let step = format!("export PATH='{}':\"$PATH\"\n{step}", folder.display());
    std::fs::write(&script, step).expect("the project is writable");
    let output = Command::new("bash")
        .args(["--noprofile", "--norc", "-eo", "pipefail"])
        .arg(&script)
        .current_dir(cx.dir())
        .env("ANANKE_NO_BUNDLE", "1")
        .output()
        .expect("bash is there");
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}
