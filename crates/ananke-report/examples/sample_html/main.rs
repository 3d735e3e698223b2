//! Writes sample HTML reports.
//!
//! `cargo run -p ananke-report --example sample_html -- report.html` shows every kind of thing, with hostile text among
//! it; with a number after the path there are that many one-turn tests, with `cases` there are cases with runs, with `dynamic` cases that a
//! simulator led, with `functions` functions of scripts.

mod samples;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (path, page) = match args.as_slice() {
        [path] => (path, samples::mixed()),
        [path, word] if word == "cases" => (path, samples::cases()),
        [path, word] if word == "dynamic" => (path, samples::dynamic()),
        [path, word] if word == "functions" => (path, samples::functions()),
        [path, n_tests] => (path, samples::many(n_tests.parse()?)),
        _ => {
            return Err(
                "usage: sample_html <report.html> [number of tests | cases | dynamic | functions]"
                    .into(),
            );
        }
    };
    std::fs::write(path, page)?;
    Ok(())
}
