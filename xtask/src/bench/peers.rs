//! Other protocols: A2A streams at once, and what an MCP call costs beside the same library alone.

use std::time::Duration;

use super::project::{self, Project};
use super::table::{self, Row};
use super::{absolute, ananke, process, streams_at_once};

const N_CALLS: usize = 2000;
const ROUNDS: usize = 5;

/// 1,000 tasks at once, one event each 100 ms.
pub fn tasks(address: &str) -> Vec<Row> {
    const N: usize = 1000;
    let project = Project::many_tasks(N, &format!("http://{address}/task?events=20&every_ms=100"));
    let what = "1,000 concurrent A2A streams, 20 events, one each 100 ms";
    streams_at_once(what, &project, N)
}

/// Calls of a tool over stdio, one after another, without connecting.
pub fn calls() -> Vec<Row> {
    let server = absolute("target/release/examples/instant_mcp");
    let bare_client = absolute("target/release/examples/bare_mcp");
    let project = Project::many_calls(N_CALLS, &server);
    let (mut own, mut bare) = (Duration::MAX, Duration::MAX);
    let mut whole = Duration::MAX;
    for _ in 0..ROUNDS {
        let n_calls = N_CALLS.to_string();
        let cost = process::run(&bare_client, &[&n_calls, &server], ".");
        let micros = cost.stdout.trim().parse();
        bare = bare.min(Duration::from_micros(micros.expect("it prints a number")));
        let arguments = ["run", "--json", "--no-bundle"];
        let cost = process::run(&ananke(), &arguments, &project.folder);
        let totals = project::turn_totals_ms(&cost.stdout);
        assert_eq!(totals.len(), N_CALLS, "the report has a turn for each call");
        let total_ms: f64 = totals.iter().sum();
        own = own.min(Duration::from_secs_f64(total_ms / 1000.0));
        let arguments = ["run", "-q", "--no-bundle"];
        whole = whole.min(process::time(&ananke(), &arguments, &project.folder));
    }
    let ratio = |time: Duration| time.as_secs_f64() / bare.as_secs_f64();
    let what = "2,000 calls of an MCP tool over stdio";
    vec![
        Row::at_most(
            what,
            "time of the calls by the bare MCP library",
            ratio(own),
            1.5,
            "×",
        )
        .detail(format!("{} against {}", table::ms(own), table::ms(bare))),
        Row::for_information(
            what,
            "start, loading, judging and report included",
            ratio(whole),
            "×",
        )
        .detail(table::ms(whole)),
    ]
}
