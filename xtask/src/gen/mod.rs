//! `cargo xtask gen`: files that the binary itself describes: JSON Schemas for editors, the command reference, and
//! the pages about rules.

mod examples;

use std::process::Command;
use std::time::Instant;

use crate::step::{cargo, command, heading, output, root, seconds, target};

/// The kinds of `ananke schema`, and the file of each.
const SCHEMAS: &[(&str, &str)] = &[
    ("config", "docs/schema/config.schema.json"),
    ("context", "docs/schema/context.schema.json"),
    ("test", "docs/schema/test.schema.json"),
    ("case", "docs/schema/case.schema.json"),
    ("script", "docs/schema/script.schema.json"),
    ("report", "docs/schema/report.schema.json"),
    ("report-line", "docs/schema/report-line.schema.json"),
    ("bundle", "docs/schema/bundle.schema.json"),
    ("conform", "docs/schema/conform.schema.json"),
    (
        "conform-baseline",
        "docs/schema/conform-baseline.schema.json",
    ),
];

const AGAIN: &str = "run `cargo xtask gen` and commit what it writes";

/// Writes the generated files.
pub(crate) fn write() -> bool {
    each(|path, text| {
        let file = root().join(path);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| format!("{path}: {error}"))?;
        }
        std::fs::write(&file, text).map_err(|error| format!("{path}: {error}"))
    })
}

/// Tells whether writing them again would change nothing.
pub(crate) fn check() -> bool {
    each(
        |path, text| match std::fs::read_to_string(root().join(path)) {
            Ok(found) if found == text => Ok(()),
            Ok(_) => Err(format!("{path} is not up to date; {AGAIN}")),
            Err(error) => Err(format!("{path}: {error}; {AGAIN}")),
        },
    )
}

fn each(handle: impl Fn(&str, &str) -> Result<(), String>) -> bool {
    heading("generated files");
    let started = Instant::now();
    let mut is_fine = true;
    let mut take = |files: Result<Vec<(String, String)>, String>| match files {
        Ok(files) => {
            for (path, text) in &files {
                if let Err(why) = handle(path, text) {
                    println!("    FAILED: {why}");
                    is_fine = false;
                }
            }
            println!("    {} files", files.len());
        }
        Err(why) => {
            println!("    generated files: FAILED; {why}");
            is_fine = false;
        }
    };
    // The binary is built from this one.
    take(examples::index());
    take(files());
    println!("    generated files: {}", seconds(started));
    is_fine
}

/// Returns every file that the binary writes, with its content.
fn files() -> Result<Vec<(String, String)>, String> {
    output(&mut cargo(&[
        "build",
        "--quiet",
        "--locked",
        "--package",
        "ananke",
    ]))?;
    let mut files = Vec::new();
    for (kind, path) in SCHEMAS {
        files.push(((*path).to_owned(), output(&mut ananke(&["schema", kind]))?));
    }
    files.push(("docs/reference.md".to_owned(), reference()?));
    files.extend(examples::pages()?);
    Ok(files)
}

/// Returns the binary with these arguments, in an environment that cannot color, wrap or preset anything.
fn ananke(args: &[&str]) -> Command {
    let mut ananke = command(target().join("debug/ananke"), args);
    ananke
        .env_clear()
        .env("COLUMNS", "100")
        .env("NO_COLOR", "1");
    ananke
}

fn reference() -> Result<String, String> {
    let top = output(&mut ananke(&["--help"]))?;
    let mut page =
        "# Commands\n\nWritten by `cargo xtask gen` from `ananke --help`; do not edit.\n"
            .to_owned();
    page.push_str(&section("ananke", &top));
    for name in commands(&top) {
        let help = output(&mut ananke(&[name, "--help"]))?;
        page.push_str(&section(&format!("ananke {name}"), &help));
    }
    Ok(page)
}

fn section(title: &str, help: &str) -> String {
    let lines: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
    format!("\n## `{title}`\n\n```text\n{}\n```\n", lines.join("\n"))
}

/// Returns the names under `Commands:`.
fn commands(help: &str) -> Vec<&str> {
    let lines = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty());
    // The text of a command may go on in the next line, further to the right.
    let own = lines.filter_map(|line| line.strip_prefix("  "));
    own.filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn commands_are_read_from_the_help() {
        let help = "Tests\n\nUsage: x\n\nCommands:\n  run   Run\n          tests\n  list  List\n  help  Help\n\nOptions:\n  -v\n";
        assert_eq!(commands(help), ["run", "list"]);
    }
}
