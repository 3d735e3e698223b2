//! Servers of all kinds are asked and judged; the tests know only texts.

mod bad_input;
mod broken;
mod framing;
mod inconclusive;
mod reference;
mod report;
mod server;
mod stand_in;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use ananke_protocol::http::{HttpOptions, Proxies};

use self::server::Server;
use super::{
    DEFAULT_MAX_FRAMES, DEFAULT_STREAM_PATH, DEFAULT_WRITE_PROBE_PATH, StackError, StackOptions,
    StackReport, StackStatus, Vocabulary, run,
};

/// All tokens that the stand-in knows.
fn options(base_url: &str) -> StackOptions {
    StackOptions {
        base_url: base_url.to_owned(),
        stream_path: DEFAULT_STREAM_PATH.to_owned(),
        write_probe_path: Some(DEFAULT_WRITE_PROBE_PATH.to_owned()),
        bearer: Some(stand_in::FULL.to_owned()),
        insufficient_scope_bearer: Some(stand_in::READ_ONLY.to_owned()),
        cnf_bound_bearer: Some(stand_in::BOUND.to_owned()),
        max_frames: DEFAULT_MAX_FRAMES,
        timeout: Duration::from_secs(10),
        vocabulary: Vocabulary::Nineteen,
        http: HttpOptions {
            connect_timeout: Duration::from_secs(10),
            ca_pem: None,
            identity: None,
            insecure: false,
            needs_tls: false,
            proxies: Proxies::default(),
        },
        headers: Vec::new(),
        severities: BTreeMap::new(),
    }
}

fn asked(options: &StackOptions) -> Result<StackReport, StackError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(run(options))
}

/// Asks a server; one line for each check that did not pass.
fn judged(server: &Server, change: impl FnOnce(&mut StackOptions)) -> String {
    let mut options = options(&server.url());
    change(&mut options);
    match asked(&options) {
        Ok(report) => lines(&report, |status| status != StackStatus::Pass),
        Err(error) => format!("error: {error}\n"),
    }
}

fn lines(report: &StackReport, is_shown: impl Fn(StackStatus) -> bool) -> String {
    let mut out = String::new();
    for check in report.checks.iter().filter(|check| is_shown(check.status)) {
        let status = format!("{:?}", check.status).to_lowercase();
        writeln!(
            out,
            "{status} {}: {}",
            check.id,
            without_times(&check.detail)
        )
        .unwrap();
    }
    if out.is_empty() {
        out.push_str("all pass\n");
    }
    out
}

/// Replaces the number before `ms`.
fn without_times(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let is_time = |index: usize| {
        let next = words.get(index + 1);
        next.is_some_and(|next| next.trim_end_matches(';') == "ms")
    };
    let shown = words.iter().enumerate();
    let shown = shown.map(|(index, word)| if is_time(index) { "[TIME]" } else { word });
    shown.collect::<Vec<_>>().join(" ")
}
