//! What bundles cost, and how fast they are judged and rendered again.

use std::time::Duration;

use super::process::{self, time};
use super::project::Project;
use super::table::{self, Row};
use super::{ROUNDS, absolute, ananke, median};

const N: usize = 10_000;

/// 10,000 one-turn tests with and without a bundle; then that bundle judged and rendered.
pub fn rows(address: &str) -> Vec<Row> {
    let project = Project::many_tests(N, &format!("http://{address}/"));
    let ananke = ananke();
    let run = |more: &[&str]| {
        let args = [&["run", "--parallel", "64", "-q"], more].concat();
        time(&ananke, &args, &project.folder)
    };
    // Each run with a bundle is held against the one just before it without: the machine drifts by more than what is
    // measured here.
    let mut pairs: Vec<(Duration, Duration)> = (0..ROUNDS)
        .map(|_| {
            let without = run(&["--no-bundle"]);
            (run(&["--keep-bundles", "1"]), without)
        })
        .collect();
    let ratio = |pair: &(Duration, Duration)| pair.0.as_secs_f64() / pair.1.as_secs_f64();
    pairs.sort_by(|one, other| ratio(one).total_cmp(&ratio(other)));
    let middle = pairs[pairs.len() / 2];
    let (with, without) = middle;
    let overhead = (ratio(&middle) - 1.0) * 100.0;
    let mut rows = vec![
        Row::at_most(
            "10,000 one-turn tests, --parallel 64",
            "more time with a bundle than without",
            overhead,
            10.0,
            " %",
        )
        .detail(format!(
            "{} against {}, the median of {ROUNDS} pairs",
            table::ms(with),
            table::ms(without)
        )),
    ];
    rows.extend(judging(&project));
    rows.extend(rendering(&project));
    rows
}

fn judging(project: &Project) -> [Row; 2] {
    let judge_rate = absolute("target/release/examples/judge_rate");
    let (mut judged, mut with_reading) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let said = process::run(&judge_rate, &[], &project.folder).stdout;
        let mut seconds = said.split_whitespace().map(|word| {
            let seconds = word.parse().expect("judge_rate prints seconds");
            Duration::from_secs_f64(seconds)
        });
        judged.extend(seconds.next());
        with_reading.extend(seconds.next());
    }
    let (judged, with_reading) = (median(judged), median(with_reading));
    let per_second = |time: Duration| N as f64 / time.as_secs_f64();
    let detail = |time: Duration| format!("{}, median of {ROUNDS}", table::ms(time));
    let what = "judging a bundle of 10,000 one-turn tests, tests already loaded, one core";
    [
        Row::at_least(what, "tests per second", per_second(judged), 20_000.0, "")
            .detail(detail(judged)),
        Row::for_information(
            what,
            "tests per second, reading the bundle included",
            per_second(with_reading),
            "",
        )
        .detail(detail(with_reading)),
    ]
}

fn rendering(project: &Project) -> [Row; 2] {
    let ananke = ananke();
    let args = ["report", "latest", "-q", "-o", "report.html"];
    let times = (0..ROUNDS)
        .map(|_| time(&ananke, &args, &project.folder))
        .collect();
    let middle = median(times);
    let size = std::fs::metadata(format!("{}/report.html", project.folder))
        .expect("just written")
        .len();
    let what = "HTML report of 10,000 tests, from a bundle";
    [
        Row::at_most(
            what,
            "time, reading the bundle included",
            middle.as_secs_f64(),
            2.0,
            " s",
        )
        .detail(format!("median of {ROUNDS}")),
        Row::at_most(what, "size", size as f64 / 1e6, 15.0, " MB"),
    ]
}
