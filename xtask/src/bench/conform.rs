//! `ananke conform` on the example agent: all scenarios and probes, from start to end.

use super::process::{Server, time};
use super::table::Row;
use super::{ananke, median};

/// The agent itself takes some hundred milliseconds of this: it thinks slowly when it is asked to.
const LIMIT_MS: f64 = 5000.0;

/// One row.
pub fn rows() -> Vec<Row> {
    let server = Server::start_with(&ananke(), &["demo", "--serve"]);
    let url = format!("http://{}/", server.address);
    let runs = (0..5).map(|_| time(&ananke(), &["conform", &url], "."));
    let took = median(runs.collect());
    vec![Row::at_most(
        "`ananke conform` on the example agent: every scenario and probe",
        "time, start to end",
        took.as_secs_f64() * 1000.0,
        LIMIT_MS,
        " ms",
    )]
}
