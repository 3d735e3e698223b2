//! `ananke doctor`: each way in which it can fail to work, and what it says then.

mod checks;
mod explained;
mod other;

use ananke_testkit::TestContext;

use crate::ANANKE;

fn project(target: &str) -> TestContext {
    let mut cx = TestContext::new(ANANKE);
    let platform = format!("({} {})", std::env::consts::OS, std::env::consts::ARCH);
    cx.filter(&platform, "[PLATFORM]");
    cx.filter(
        &format!("ananke: {}", env!("CARGO_PKG_VERSION")),
        "ananke: [VERSION]",
    );
    cx.write("ananke.config.yaml", &format!("version: 1\n{target}\n"));
    cx
}

fn target(url: &str, more: &str) -> TestContext {
    project(&format!(
        "target: {{type: agui, endpoint: \"{url}\"{more}}}"
    ))
}
