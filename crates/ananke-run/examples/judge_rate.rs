//! For benchmarks: judges the newest bundle of the project in this folder and prints how many seconds the judging took,
//! and then how many it took together with reading the bundle.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use ananke_model::check::SnapshotUpdate;
use ananke_model::run_event::RunEvent;
use ananke_model::variables::Variables;
use ananke_run::{FlakyResult, JudgeOptions, Lookup, Recordings, judge};
use ananke_store::{Bundle, latest};
use ananke_suite::{Asking, LoadRequest, load};

#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the numbers are what it is for"
)]
fn main() -> ExitCode {
    let cwd = Path::new(".").canonicalize().expect("there is a folder");
    let loaded = load(&LoadRequest {
        cwd: &cwd,
        inputs: &[],
        config: None,
        targets: &[],
        variables: &Variables::default(),
        allow_unchecked: false,
        update_snapshots: SnapshotUpdate::None,
        asking: Asking::default(),
        find_tests: ananke_script::find_tests,
        find_functions: ananke_script::find_functions,
        timeout_given: false,
        goes_on: false,
    });
    let Some(path) = latest(&cwd.join(".ananke/runs")) else {
        eprintln!("there is no bundle here");
        return ExitCode::FAILURE;
    };
    let started = Instant::now();
    let bundle = Bundle::read(&path).expect("the bundle can be read");
    let read = started.elapsed();
    let options = JudgeOptions {
        variables: Variables::default(),
        lookup: Lookup::ById,
        flaky_result: FlakyResult::Pass,
        min_pass_rate: None,
        info: bundle.head.run,
        duration_us: 0,
        is_interrupted: false,
    };
    let recordings = Recordings::new(bundle.results);
    let mut n_results = 0;
    let started = Instant::now();
    let outcome = judge(&loaded.plan, recordings, options, &mut |event| {
        if let RunEvent::TestFinished { result, .. } = event {
            n_results += 1;
            drop(result);
        }
    });
    let judged = started.elapsed();
    if n_results != loaded.plan.tests.len() || outcome.summary.passed != n_results {
        eprintln!("not every test passed: {:?}", outcome.summary);
        return ExitCode::FAILURE;
    }
    println!("{} {}", judged.as_secs_f64(), (read + judged).as_secs_f64());
    ExitCode::SUCCESS
}
