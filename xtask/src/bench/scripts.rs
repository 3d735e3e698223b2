//! Script tests against vitest, the fastest of the common test runners for TypeScript, from start to end.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::process::time;
use super::table::{self, Row};
use super::{ROUNDS, ananke, median};
use crate::step::{bounded, command};

const VITEST: &str = "vitest@4.1.12";
const INSTALL_LIMIT: Duration = Duration::from_secs(300);
const FUNCTIONS: usize = 10_000;
const FILES: usize = 500;
const IN_EACH: usize = 20;

/// One file of 10,000 functions, 500 files of 20, and nothing but the start.
pub fn rows() -> Vec<Row> {
    let folder = Path::new("target/bench/scripts");
    fs::create_dir_all(folder).expect("target/ is writable");
    let folder = fs::canonicalize(folder).expect("just created");
    let vitest = match vitest(&folder) {
        Ok(vitest) => vitest.display().to_string(),
        Err(why) => {
            eprintln!("bench: vitest cannot be installed, its rows are left out: {why}");
            return Vec::new();
        }
    };
    let one = project(&folder, "one", 1, FUNCTIONS);
    let many = project(&folder, "many", FILES, IN_EACH);
    let empty = project(&folder, "empty", 1, 1);
    let ours = |project: &str| {
        let run = || {
            time(
                &ananke(),
                &["run", "-q", "--no-bundle", "--parallel", "auto"],
                project,
            )
        };
        (0..ROUNDS)
            .map(|_| run())
            .min()
            .expect("there are several rounds")
    };
    let theirs = |project: &str| time(&vitest, &["run", "--root", ".", "--reporter=dot"], project);
    let (ours_one, theirs_one) = (ours(&one), theirs(&one).min(theirs(&one)));
    // This takes minutes; once is enough for a ratio that is far from its limit.
    let (ours_many, theirs_many) = (ours(&many), theirs(&many));
    let starts = (0..20).map(|_| time(&ananke(), &["run", "-q", "--no-bundle"], &empty));
    let start = median(starts.collect());
    let ratio = |theirs: Duration, ours: Duration| theirs.as_secs_f64() / ours.as_secs_f64();
    let against = |ours: Duration, theirs: Duration| {
        format!("{} against {}", table::ms(ours), table::ms(theirs))
    };
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    vec![
        Row::at_most(
            "10,000 script tests in one file",
            "time, start to end",
            ms(ours_one),
            1000.0,
            " ms",
        ),
        Row::at_least(
            "10,000 script tests in one file",
            "faster than vitest",
            ratio(theirs_one, ours_one),
            3.0,
            "×",
        )
        .detail(against(ours_one, theirs_one)),
        Row::at_least(
            "500 files of 20 script tests",
            "faster than vitest",
            ratio(theirs_many, ours_many),
            10.0,
            "×",
        )
        .detail(against(ours_many, theirs_many)),
        Row::at_most(
            "a script with one test",
            "time, start to end",
            ms(start),
            15.0,
            " ms",
        )
        .detail("median of 20".to_owned()),
    ]
}

/// Installs vitest; returns its program.
fn vitest(folder: &Path) -> Result<PathBuf, String> {
    let program = folder.join("node_modules/.bin/vitest");
    let is_there = fs::read_to_string(folder.join("node_modules/.vitest-version"));
    if is_there.is_ok_and(|version| version == VITEST) && program.exists() {
        return Ok(program);
    }
    fs::write(folder.join("package.json"), "{\"private\": true}\n")
        .map_err(|error| error.to_string())?;
    let words = ["install", "--no-save", "--loglevel=error", VITEST];
    bounded(command("npm", &words).current_dir(folder), INSTALL_LIMIT)?;
    fs::write(folder.join("node_modules/.vitest-version"), VITEST)
        .map_err(|error| error.to_string())?;
    Ok(program)
}

/// Writes the same tests for both.
fn project(folder: &Path, name: &str, n_files: usize, n_functions: usize) -> String {
    let folder = folder.join(name);
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).expect("target/ is writable");
    for file in 0..n_files {
        let (mut ours, mut theirs) = (String::new(), String::new());
        theirs.push_str("import { test, expect } from \"vitest\";\n");
        for number in 0..n_functions {
            ours.push_str(&format!(
                "function Test{number}(t: testing.T) {{ t.assert.Equal(1 + 1, 2); }}\n"
            ));
            theirs.push_str(&format!(
                "test(\"{number}\", () => {{ expect(1 + 1).toBe(2); }});\n"
            ));
        }
        let write = |name: String, text: String| {
            fs::write(folder.join(name), text).expect("target/ is writable");
        };
        write(format!("f{file:03}_test.ts"), ours);
        write(format!("f{file:03}.test.ts"), theirs);
    }
    folder.display().to_string()
}
