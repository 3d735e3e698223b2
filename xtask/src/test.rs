//! `cargo xtask test`: sets up what the tests need, runs them all, and ends with one line that counts them.

use std::io::{BufRead as _, BufReader, IsTerminal as _, Read, Write};
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crate::step::{cargo, heading, seconds, shown};
use crate::tally::Tally;
use crate::{browser, interop, package};

/// Runs the tests; `args` go to `cargo test`.
pub(crate) fn run(args: &[String]) -> bool {
    let (tally, is_fine) = run_all(args);
    println!("{tally}");
    is_fine
}

fn run_all(args: &[String]) -> (Tally, bool) {
    let mut tests = cargo(&["test", "--workspace", "--locked", "--no-fail-fast"]);
    tests.args(args);
    heading("interop servers: set-up");
    let node = interop::set_up_node();
    let set_ups = [
        set_up(
            "Python servers",
            "ANANKE_INTEROP_NO_PYTHON",
            interop::set_up_python(),
            &mut tests,
        ),
        set_up(
            "Node servers",
            "ANANKE_INTEROP_NO_NODE",
            node.clone(),
            &mut tests,
        ),
        set_up(
            "a browser",
            "ANANKE_INTEROP_NO_BROWSER",
            // Node drives it.
            node.and_then(|()| browser::set_up()),
            &mut tests,
        ),
        set_up(
            "the shell of a CI",
            "ANANKE_INTEROP_NO_JQ",
            package::program(&["jq"], "jq").and_then(|path| interop::stamp("jq.stamp", &path)),
            &mut tests,
        ),
    ];
    let mut tally = Tally::default();
    if set_ups.contains(&false) && is_ci() {
        println!(
            "    FAILED: with CI=true nothing may be skipped; install what is missing, or unset CI"
        );
        tally.fail();
        return (tally, false);
    }
    heading(&format!("tests: {}", shown(&tests)));
    let started = Instant::now();
    let is_green = match streamed(&mut tests, &mut tally) {
        Ok(is_green) => is_green,
        Err(error) => {
            println!("    {} cannot be run: {error}", shown(&tests));
            false
        }
    };
    heading(&format!("tests took {}", seconds(started)));
    let verdict = if tally.failed() > 0 {
        "    FAILED: see the `failures:` above; one test again: cargo test -p <crate> <name>"
    } else if !is_green {
        // Code that does not compile, a crashed test binary: red, and no test says so.
        tally.fail();
        "    FAILED: cargo test stopped, see the error above; it is counted as one failure"
    } else if tally.passed() == 0 {
        "    FAILED: no test passed, which is no evidence at all"
    } else {
        ""
    };
    if !verdict.is_empty() {
        println!("{verdict}");
    }
    (tally, verdict.is_empty())
}

/// Tells how a set-up went; if it failed, the tests that need it are told why and announce that they are skipped.
fn set_up(name: &str, variable: &str, outcome: Result<(), String>, tests: &mut Command) -> bool {
    match outcome {
        Ok(()) => {
            tests.env_remove(variable);
            true
        }
        Err(why) => {
            println!("SKIPPED: interop with {name}: {why}");
            tests.env(variable, why);
            false
        }
    }
}

fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}

/// Runs the tests with their output on the terminal, and counts.
fn streamed(tests: &mut Command, tally: &mut Tally) -> std::io::Result<bool> {
    if std::io::stderr().is_terminal() && std::env::var_os("CARGO_TERM_COLOR").is_none() {
        tests.env("CARGO_TERM_COLOR", "always"); // cargo itself sees a pipe
    }
    let mut child = tests
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let readers = [
        child
            .stdout
            .take()
            .map(|stream| copied(stream, std::io::stdout())),
        child
            .stderr
            .take()
            .map(|stream| copied(stream, std::io::stderr())),
    ];
    for reader in readers.into_iter().flatten() {
        tally.add(reader.join().unwrap_or_default());
    }
    Ok(child.wait()?.success())
}

/// Copies a stream line by line, and counts.
fn copied(
    stream: impl Read + Send + 'static,
    mut to: impl Write + Send + 'static,
) -> JoinHandle<Tally> {
    thread::spawn(move || {
        let mut tally = Tally::default();
        let mut lines = BufReader::new(stream);
        let mut line = Vec::new();
        while let Ok(1..) = lines.read_until(b'\n', &mut line) {
            tally.take(String::from_utf8_lossy(&line).trim_end());
            // A closed terminal is no reason to stop testing.
            to.write_all(&line).ok();
            line.clear();
        }
        to.flush().ok();
        tally
    })
}
