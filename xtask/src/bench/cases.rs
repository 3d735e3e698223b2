//! JSONL cases: how fast they are read, and that they run as fast as tests in YAML.

use super::process::{self, time};
use super::project::Project;
use super::table::{self, Row};
use super::{ROUNDS, absolute, ananke, best_of};

const N: usize = 10_000;

/// 10,000 cases in one file, against as many files in YAML.
pub fn rows(address: &str) -> Vec<Row> {
    let url = format!("http://{address}/");
    let cases = Project::many_cases(N, &url);
    let tests = Project::many_tests(N, &url);
    let ananke = ananke();
    let (best, median) = loading(&cases);
    let validate = ["validate", "-q", "tests/cases.jsonl"];
    let run = ["run", "--parallel", "64", "-q", "--no-bundle"];
    let run_cases = [&run[..], &["--no-output", "tests/cases.jsonl"]].concat();
    let [validated, ran, ran_yaml] = best_of([
        &mut || time(&ananke, &validate, &cases.folder),
        &mut || time(&ananke, &run_cases, &cases.folder),
        &mut || time(&ananke, &run, &tests.folder),
    ]);
    let what = "10,000 cases in one JSONL file";
    vec![
        Row::at_most(what, "time to parse and plan them", best, 150.0, " ms")
            .detail(format!("best of 15, median {median:.1} ms")),
        Row::for_information(
            what,
            "time of `ananke validate`, start and compiling of the checks included",
            validated.as_secs_f64() * 1000.0,
            " ms",
        )
        .detail(format!("best of {ROUNDS}")),
        Row::at_most(
            "10,000 cases, --parallel 64",
            "time of as many one-turn tests in YAML",
            ran.as_secs_f64() / ran_yaml.as_secs_f64(),
            1.1,
            "×",
        )
        .detail(format!(
            "{} against {}",
            table::ms(ran),
            table::ms(ran_yaml)
        )),
    ]
}

/// Returns the shortest and the middle time of loading the cases, in milliseconds.
fn loading(cases: &Project) -> (f64, f64) {
    let case_rate = absolute("target/release/examples/case_rate");
    let said = process::run(&case_rate, &[], &cases.folder).stdout;
    let mut times = said.split_whitespace().map(|word| {
        let seconds: f64 = word.parse().expect("case_rate prints seconds");
        seconds * 1000.0
    });
    let mut next = || times.next().expect("case_rate prints two times");
    (next(), next())
}
