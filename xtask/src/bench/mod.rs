//! `cargo xtask bench`: the numbers that ananke promises, measured as ratios in one run on one machine.
//!
//! Every row has a limit; a row past its limit makes the command fail. The table is written to `docs/benchmarks.md`.

mod bundles;
mod cases;
mod conform;
mod peers;
mod process;
mod project;
mod scripts;
mod table;

use std::process::Command;
use std::time::Duration;

use process::{Cost, Server};
use project::Project;
use table::Row;

const ROUNDS: usize = 5;

/// Measures everything; `--no-write` leaves the document alone, `--scripts` measures script tests only. Returns whether every limit holds.
pub fn run(args: &[String]) -> bool {
    let built = Command::new("cargo")
        .args([
            "build",
            "--release",
            "--locked",
            "-p",
            "ananke",
            "-p",
            "ananke-protocol",
            "-p",
            "ananke-run",
            "-p",
            "ananke-serve",
            "-p",
            "ananke-suite",
            "-p",
            "xtask",
        ])
        .args(["--bins", "--examples"])
        .status();
    if !built.is_ok_and(|status| status.success()) {
        eprintln!("bench: the release build failed");
        return false;
    }
    if args.iter().any(|arg| arg == "--scripts") {
        // A look at one part: the document is about one run of everything.
        let rows = scripts::rows();
        println!("{}", table::document(&rows));
        return rows.iter().all(|row| row.holds);
    }
    let server = Server::start("target/release/examples/instant");
    let mut rows = Vec::new();
    rows.extend(streams(&server.address));
    rows.extend(many_tests(&server.address));
    rows.extend(bundles::rows(&server.address));
    rows.extend(cases::rows(&server.address));
    rows.extend(concurrent_streams(&server.address));
    rows.extend(start());
    rows.extend(one_test(&server.address));
    rows.extend(peers::tasks(&server.address));
    drop(server);
    rows.extend(peers::calls());
    rows.extend(conform::rows());
    rows.extend(scripts::rows());
    let document = table::document(&rows);
    println!("{document}");
    if !args.iter().any(|arg| arg == "--no-write") {
        std::fs::write("docs/benchmarks.md", &document).expect("docs/ is writable");
    }
    rows.iter().all(|row| row.holds)
}

fn ananke() -> String {
    absolute("target/release/ananke")
}

fn absolute(path: &str) -> String {
    std::fs::canonicalize(path)
        .expect("just built")
        .display()
        .to_string()
}

/// Runs both in turn, so that a busy moment of the machine hits both, and keeps the best of each.
fn best_of<const N: usize>(mut runs: [&mut dyn FnMut() -> Duration; N]) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    for _ in 0..ROUNDS {
        for (best, run) in best.iter_mut().zip(&mut runs) {
            *best = run().min(*best);
        }
    }
    best
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// 64 MiB of deltas: fold, record and judge against draining with curl; and growth from 16 MiB.
fn streams(address: &str) -> Vec<Row> {
    let large_url = format!("http://{address}/stream?mib=64");
    let small_url = format!("http://{address}/stream?mib=16");
    let large = Project::one_test(&large_url);
    let small = Project::one_test(&small_url);
    let ananke = ananke();
    let curl = |url: &str| {
        process::time(
            "curl",
            &["-s", "-N", "-X", "POST", "-d", "{}", "-o", "/dev/null", url],
            ".",
        )
    };
    let run =
        |more: &str, project: &Project| process::time(&ananke, &["run", more], &project.folder);
    let [drain, folded, folded_small, bundled] = best_of([
        &mut || curl(&large_url),
        &mut || run("--no-bundle", &large),
        &mut || run("--no-bundle", &small),
        &mut || run("--keep-bundles=1", &large),
    ]);
    let ratio = folded.as_secs_f64() / drain.as_secs_f64();
    let growth = folded.as_secs_f64() / folded_small.as_secs_f64();
    let what = "64 MiB stream of ~600,000 deltas: fold, record, judge";
    vec![
        Row::at_most(what, "time of curl draining it", ratio, 12.0, "×").detail(format!(
            "{} against {}",
            table::ms(folded),
            table::ms(drain)
        )),
        Row::at_most("64 MiB against 16 MiB", "time", growth, 4.5, "×").detail(format!(
            "{} against {}",
            table::ms(folded),
            table::ms(folded_small)
        )),
        Row::for_information(
            "64 MiB stream of ~600,000 deltas: fold, record, judge, and write the bundle",
            "time of curl draining it",
            bundled.as_secs_f64() / drain.as_secs_f64(),
            "×",
        )
        .detail(table::ms(bundled)),
    ]
}

/// 10,000 one-turn tests, 64 at a time, against the same HTTP library doing just the requests, and against bare sockets.
fn many_tests(address: &str) -> Vec<Row> {
    const N: usize = 10_000;
    let url = format!("http://{address}/");
    let project = Project::many_tests(N, &url);
    let ananke = ananke();
    let bare_client = absolute("target/release/examples/bare_client");
    let bare_socket = absolute("target/release/examples/bare_socket");
    let n_requests = N.to_string();
    let [bare, sockets, run] = best_of([
        &mut || process::time(&bare_client, &[&url, &n_requests, "64"], "."),
        &mut || process::time(&bare_socket, &[address, &n_requests, "64"], "."),
        &mut || process::time(&ananke, &["run", "--parallel", "64", "-q"], &project.folder),
    ]);
    let per_second = N as f64 / run.as_secs_f64();
    let ratio = |other: Duration| run.as_secs_f64() / other.as_secs_f64();
    let what = "10,000 one-turn tests, --parallel 64";
    let against = |other: Duration| format!("{} against {}", table::ms(run), table::ms(other));
    vec![
        Row::at_least(
            what,
            "tests per second, loading included",
            per_second,
            4000.0,
            "",
        )
        .detail(table::ms(run)),
        Row::at_most(
            what,
            "time of the same HTTP library doing the same requests and nothing else",
            ratio(bare),
            12.0,
            "×",
        )
        .detail(against(bare)),
        Row::for_information(
            what,
            "time of bare sockets doing the same requests",
            ratio(sockets),
            "×",
        )
        .detail(against(sockets)),
    ]
}

/// 1,000 streams at once, one event each 100 ms: how exact turns are timed, and what it costs.
fn concurrent_streams(address: &str) -> Vec<Row> {
    const N: usize = 1000;
    let project = Project::many_tests(N, &format!("http://{address}/drip?events=20&every_ms=100"));
    let what = "1,000 concurrent streams, 20 events, one each 100 ms";
    streams_at_once(what, &project, N)
}

/// How exactly `n` turns are timed that run at once and take two seconds each, and what it costs.
fn streams_at_once(what: &'static str, project: &Project, n: usize) -> Vec<Row> {
    // Whatever else the machine does adds to the error, never takes away from it.
    let runs = (0..3).map(|_| timing_errors_ms(project, n));
    let best = runs.min_by(|one, other| one.p99.total_cmp(&other.p99));
    let best = best.expect("there were three");
    vec![
        Row::at_most(
            what,
            "p99 error of the measured turn",
            best.p99,
            10.0,
            " ms",
        )
        .detail(format!("median {:.2} ms; best of 3", best.median)),
        Row::at_most(what, "peak memory", best.peak_mib, 150.0, " MiB"),
    ]
}

/// How far off the measured turns were that took two seconds.
struct Errors {
    median: f64,
    p99: f64,
    peak_mib: f64,
}

fn timing_errors_ms(project: &Project, n: usize) -> Errors {
    let Cost {
        peak_kib, stdout, ..
    } = process::run(
        &ananke(),
        &["run", "--parallel", "1000", "--json", "--keep-bundles=1"],
        &project.folder,
    );
    let mut errors: Vec<f64> = project::turn_totals_ms(&stdout)
        .iter()
        .map(|total| (total - 2000.0).abs())
        .collect();
    assert_eq!(errors.len(), n, "the report has one turn for each test");
    errors.sort_by(f64::total_cmp);
    Errors {
        median: errors[n / 2],
        p99: errors[n * 99 / 100 - 1],
        peak_mib: peak_kib as f64 / 1024.0,
    }
}

/// How long `--version` takes beyond an empty program.
fn start() -> Vec<Row> {
    let (ananke, empty) = (ananke(), absolute("target/release/examples/empty"));
    let (mut versions, mut nothings) = (Vec::new(), Vec::new());
    for _ in 0..200 {
        nothings.push(process::time(&empty, &[], "."));
        versions.push(process::time(&ananke, &["--version"], "."));
    }
    let (version, nothing) = (median(versions), median(nothings));
    let more = version.saturating_sub(nothing).as_secs_f64() * 1000.0;
    vec![
        Row::at_most(
            "ananke --version",
            "more than an empty program",
            more,
            3.0,
            " ms",
        )
        .detail(format!(
            "{} against {}, medians of 200",
            table::ms(version),
            table::ms(nothing)
        )),
    ]
}

/// What a run of one test adds to the agent's own 100 ms.
fn one_test(address: &str) -> Vec<Row> {
    let project = Project::one_test(&format!("http://{address}/drip?events=10&every_ms=10"));
    let ananke = ananke();
    let times = (0..20)
        .map(|_| process::time(&ananke, &["run"], &project.folder))
        .collect();
    let added = median(times)
        .saturating_sub(Duration::from_millis(100))
        .as_secs_f64()
        * 1000.0;
    vec![
        Row::at_most(
            "a run of one test",
            "added to the agent's own time",
            added,
            12.0,
            " ms",
        )
        .detail("median of 20".to_owned()),
    ]
}
