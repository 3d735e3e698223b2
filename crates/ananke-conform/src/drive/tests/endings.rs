//! How answers end, and what is made of those that do not.

use std::io::Write as _;
use std::time::Duration;

use ananke_model::conformance::{Layer, ScenarioSetup, Verdict};
use ananke_protocol::http::Ask;
use ananke_testkit::{RawServer, hello_run, hold, ok_sse_headers};
use insta::assert_snapshot;

use super::super::Target;
use super::super::talk::{Reading, talk};
use super::{only, run, settings, show, show_ends, target};
use crate::body::Limits;
use crate::judge::judge;
use crate::rule::Profile;

/// Sends the events of a run up to its text, and then nothing.
fn stuck() -> RawServer {
    RawServer::start(|_, _, stream| {
        stream.write_all(ok_sse_headers().as_bytes()).unwrap();
        let run = hello_run();
        let begin = run.split_once("data: {\"type\":\"RUN_FINISHED").unwrap().0;
        stream.write_all(begin.as_bytes()).unwrap();
        hold(stream, Duration::from_secs(60));
    })
}

#[test]
fn a_run_that_never_ends_is_no_success() {
    let server = stuck();
    let target = Target {
        timeout: Duration::from_millis(200),
        ..target(&server.url())
    };
    let case = run(&target, &only(&["hello", "multi-turn", "probes"])).unwrap();
    let report = judge(&case, &settings(Profile::V1));
    let clients = report.clients.iter();
    let clients: Vec<String> = clients
        .map(|client| format!("{}: {:?}", client.client, client.verdict))
        .collect();
    assert_snapshot!(clients.join("\n"), @"
    @ag-ui/client 0.0.59: Inconclusive
    @ag-ui/client 1.0.0: Inconclusive
    ");
    let passed = report
        .checks
        .iter()
        .filter(|check| check.rule.layer == Layer::Http);
    let passed = passed.filter(|check| check.verdict == Verdict::Pass);
    let passed: Vec<&str> = passed.map(|check| check.rule.id.as_str()).collect();
    assert_snapshot!(passed.join(" "), @"http.status http.content-type http.line-ends http.utf8 http.done-marker");
    assert_snapshot!(show_ends(&case), @"
    hello No: the agent answered in words; the run did not end: the time was over: 200 ms
    multi-turn No: 1 of 3 runs came, 1 of them answered in words; the run did not end: the time was over: 200 ms
    probes No: not tried, because none of the first 2 runs ended
    sequence.terminal: run: no end came within 200 ms: the stream was still open after 4 events, but run `r`, begun at event 0, has neither `RUN_FINISHED` nor `RUN_ERROR`
    sequence.terminal: run: no end came within 200 ms: the stream was still open after 4 events, but run `r`, begun at event 0, has neither `RUN_FINISHED` nor `RUN_ERROR`
    ");
}

#[test]
fn a_run_that_is_left_need_not_end() {
    let server = stuck();
    let target = Target {
        timeout: Duration::from_millis(200),
        ..target(&server.url())
    };
    let abort = |after_events: usize| {
        let mut plan = only(&["abort"]);
        let setup = ScenarioSetup {
            after_events: Some(after_events),
            ..ScenarioSetup::default()
        };
        plan.given.insert("abort".to_owned(), setup);
        show_ends(&run(&target, &plan).unwrap())
    };
    assert_snapshot!(abort(3), @"
    abort No: the client went away after 4 events; of the run after that: the run did not end: the time was over: 200 ms
    sequence.terminal: run after the abort: no end came within 200 ms: the stream was still open after 4 events, but run `r`, begun at event 0, has neither `RUN_FINISHED` nor `RUN_ERROR`
    behaviour.abort: abort: after the client left this run, the next request (`abort`, run after the abort) got no end: the time was over: 200 ms
    ");
    assert_snapshot!(abort(9), @"
    abort No: the client could not leave in the middle of the run: the run did not end: the time was over: 200 ms
    sequence.terminal: run after the abort: no end came within 200 ms: the stream was still open after 4 events, but run `r`, begun at event 0, has neither `RUN_FINISHED` nor `RUN_ERROR`
    behaviour.abort: abort: after the client left this run, the next request (`abort`, run after the abort) got no end: the time was over: 200 ms
    ");
}

#[test]
fn a_run_that_never_begins_is_no_success() {
    let server = RawServer::start(|_, _, stream| {
        stream.write_all(ok_sse_headers().as_bytes()).unwrap();
        hold(stream, Duration::from_secs(60));
    });
    let target = Target {
        timeout: Duration::from_millis(200),
        ..target(&server.url())
    };
    let case = run(&target, &only(&["hello"])).unwrap();
    assert_snapshot!(show(&case), @"
    hello No: the agent said nothing; the run was refused: no event came: the time was over: 200 ms
    sequence.terminal: run: no end came within 200 ms: the stream was still open without a single event
    ");
}

#[test]
fn a_run_without_a_word_is_a_run() {
    let server = RawServer::start(|_, _, stream| {
        stream.write_all(ok_sse_headers().as_bytes()).unwrap();
        let run = hello_run();
        let events = run.split_inclusive("\n\n");
        let silent = events.filter(|event| !event.contains("TEXT_MESSAGE"));
        stream
            .write_all(silent.collect::<String>().as_bytes())
            .unwrap();
    });
    let case = run(&target(&server.url()), &only(&["hello", "multi-turn"])).unwrap();
    let seen = case.scenarios.iter().take(2);
    let seen = seen.map(|seen| format!("{} {:?}: {}", seen.name, seen.shown, seen.detail));
    assert_snapshot!(seen.collect::<Vec<_>>().join("\n"), @"
    hello Yes: the agent said nothing; the run ended with success
    multi-turn Yes: 3 runs on one thread, 0 of them answered in words
    ");
}

/// How reading ends if the run may take `timeout_ms`, and the end of the body `closing_ms`.
fn ending(server: &RawServer, timeout_ms: u64, closing_ms: Option<u64>) -> String {
    let target = target(&server.url());
    let ask = Ask {
        method: "POST",
        url: target.url.clone(),
        headers: Vec::new(),
        body: Some(b"{}".to_vec()),
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let reading = Reading {
        timeout: Duration::from_millis(timeout_ms),
        limits: Limits {
            max_bytes: u64::MAX,
            ..Limits::default()
        },
        leave_after: None,
        closing: closing_ms.map(Duration::from_millis),
    };
    let client = target.client().unwrap();
    let (answer, _) = runtime.block_on(talk(&client, &ask, reading));
    format!("{:?}", answer.ending)
}

#[test]
fn the_end_of_a_body_is_waited_for_as_long_as_it_tells_anything() {
    let server = RawServer::start(|_, _, stream| {
        stream.write_all(ok_sse_headers().as_bytes()).unwrap();
        stream.write_all(hello_run().as_bytes()).unwrap();
        hold(stream, Duration::from_secs(60));
    });
    assert_snapshot!(ending(&server, 60_000, Some(100)), @r#"GivenUp("the time was over: the body was still open 100 ms after the run had ended")"#);
    // Even if that takes longer than the run may.
    assert_snapshot!(ending(&server, 500, Some(600)), @r#"GivenUp("the time was over: the body was still open 600 ms after the run had ended")"#);
    assert_snapshot!(ending(&server, 60_000, None), @r#"GivenUp("the end of the body was not waited for")"#);
}

#[test]
fn a_body_that_is_kept_alive_after_the_run_is_open_too() {
    let server = RawServer::start(|_, _, stream| {
        stream.write_all(ok_sse_headers().as_bytes()).unwrap();
        stream.write_all(hello_run().as_bytes()).unwrap();
        while stream.write_all(b": still here\n\n").is_ok() {
            std::thread::yield_now();
        }
    });
    assert_snapshot!(ending(&server, 10_000, Some(100)), @r#"GivenUp("the time was over: the body was still open 100 ms after the run had ended")"#);
}
