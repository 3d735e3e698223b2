//! JSONL cases: how fast they are read, and that they run as fast as tests in YAML.

use super::process::time;
use super::project::Project;
use super::table::{self, Row};
use super::{ROUNDS, ananke, best_of};

const N: usize = 10_000;

/// 10,000 cases in one file, against as many files in YAML.
pub fn rows(address: &str) -> Vec<Row> {
    let url = format!("http://{address}/");
    let cases = Project::many_cases(N, &url);
    let tests = Project::many_tests(N, &url);
    let ananke = ananke();
    let validate = ["validate", "-q", "tests/cases.jsonl"];
    let run = ["run", "--parallel", "64", "-q", "--no-bundle"];
    let run_cases = [&run[..], &["--no-output", "tests/cases.jsonl"]].concat();
    let [planned, ran, ran_yaml] = best_of([
        &mut || time(&ananke, &validate, &cases.folder),
        &mut || time(&ananke, &run_cases, &cases.folder),
        &mut || time(&ananke, &run, &tests.folder),
    ]);
    vec![
        Row::at_most(
            "10,000 cases in one JSONL file",
            "time to parse, plan and check them, start of the program included",
            planned.as_secs_f64() * 1000.0,
            150.0,
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
