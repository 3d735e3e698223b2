//! `cargo xtask <command>`: what a developer and CI do with this repository. Std only, so that it builds in a second.
//!
//! | command | does |
//! |---|---|
//! | `test` | sets up the interop servers and runs all tests; the README's test command |
//! | `check` | everything else that must hold: format, generated files, lints, documentation |
//! | `ci` | `check`, then `test`: exactly what CI runs |
//! | `gen` | writes the generated files; `gen --check` only compares |
//! | `bench` | measures |

#![expect(
    clippy::disallowed_methods,
    reason = "a tool of the developer: it reads the environment and may wait"
)]

mod bench;
mod browser;
mod ci;
mod r#gen;
mod interop;
mod package;
mod step;
mod tally;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <command>

  test [ARGS]    set up the interop servers, run all tests (ARGS go to `cargo test`)
  check          format, generated files, lints, documentation
  ci             check, then test: exactly what CI runs
  gen [--check]  write the generated files under docs/, or tell whether they are up to date
  bench [ARGS]   measure";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (command, args) = match words.split_first() {
        Some((command, args)) => (command.as_str(), args),
        None => ("", &[][..]),
    };
    let is_fine = match (command, args) {
        ("test", args) => test::run(args),
        ("check", []) => ci::check(),
        ("ci", []) => ci::run(),
        ("gen", []) => r#gen::write(),
        ("gen", [flag]) if flag == "--check" => r#gen::check(),
        ("bench", args) => bench::run(args),
        ("help" | "--help" | "-h", _) => {
            println!("{USAGE}");
            true
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    if is_fine {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
