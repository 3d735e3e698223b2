//! Measures how long it takes to load many cases: `cargo run --release -p ananke-suite --example case_rate`.

use std::fmt::Write as _;
use std::time::Instant;

use ananke_model::check::SnapshotUpdate;
use ananke_model::variables::Variables;
use ananke_suite::{Asking, Input, LoadRequest, load};

const N_CASES: usize = 10_000;

fn main() {
    let folder = std::env::temp_dir().join(format!("ananke-case-rate-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let config = "version: 1\ntarget: {type: agui, endpoint: \"http://localhost:1\"}\n";
    std::fs::write(folder.join("ananke.config.yaml"), config).expect("the config can be written");
    std::fs::write(folder.join("cases.jsonl"), cases()).expect("the cases can be written");
    let inputs = [Input::Argument("cases.jsonl".to_owned())];
    let variables = Variables::default();
    let mut times = Vec::new();
    for _ in 0..15 {
        let begin = Instant::now();
        let loaded = load(&LoadRequest {
            cwd: &folder,
            inputs: &inputs,
            config: None,
            target: None,
            variables: &variables,
            allow_unchecked: false,
            update_snapshots: SnapshotUpdate::None,
            asking: Asking::default(),
        });
        times.push(begin.elapsed());
        assert_eq!(loaded.plan.tests.len(), N_CASES);
        assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    }
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    times.sort();
    let (best, median) = (times[0], times[times.len() / 2]);
    #[expect(clippy::print_stdout, reason = "this is what it is run for")]
    {
        println!("{N_CASES} cases: {best:?} at best, {median:?} in the middle");
    }
}

fn cases() -> String {
    let mut text = String::new();
    for n in 0..N_CASES {
        writeln!(
            text,
            "{{\"id\": \"T{n}\", \"name\": \"case {n}\", \"input\": \"What is the status of order {n}?\", \"assert\": [{{\"type\": \"contains\", \"value\": \"order {n}\"}}, {{\"type\": \"json_path\", \"path\": \"$.status\", \"value\": \"paid\"}}, {{\"type\": \"tool_called\", \"name\": \"look_up\"}}], \"user\": \"u{n}\", \"timeout\": \"30s\"}}"
        )
        .expect("a String takes everything");
    }
    text
}
