//! Measures how long it takes to load `tests/cases.jsonl` of the project in the working directory: parsing and planning.
//! Prints the shortest and the middle time, in seconds.

use std::time::Instant;

use ananke_model::check::SnapshotUpdate;
use ananke_model::variables::Variables;
use ananke_suite::{Asking, Input, LoadRequest, load};

const ROUNDS: usize = 15;

fn main() {
    #[expect(
        clippy::disallowed_methods,
        reason = "there are no settings to take it from"
    )]
    let folder = std::env::current_dir().expect("there is a working directory");
    let inputs = [Input::Argument("tests/cases.jsonl".to_owned())];
    let variables = Variables::default();
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        let loaded = load(&LoadRequest {
            cwd: &folder,
            inputs: &inputs,
            config: None,
            targets: &[],
            variables: &variables,
            allow_unchecked: false,
            update_snapshots: SnapshotUpdate::None,
            asking: Asking::default(),
            find_tests: |_, _| Ok(Vec::new()),
            find_functions: |_, _| Ok(Vec::new()),
            timeout_given: false,
            goes_on: false,
        });
        times.push(begin.elapsed());
        assert!(!loaded.plan.tests.is_empty(), "no case was found");
        assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    }
    times.sort();
    let (best, median) = (times[0], times[ROUNDS / 2]);
    #[expect(clippy::print_stdout, reason = "this is what it is run for")]
    {
        println!("{} {}", best.as_secs_f64(), median.as_secs_f64());
    }
}
