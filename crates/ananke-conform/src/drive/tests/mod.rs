//! The driver against the embedded agent, and against servers that misbehave.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ananke_model::conformance::{ScenarioPlan, ScenarioSetup};
use ananke_protocol::http::{HttpOptions, Proxies};
use ananke_serve::shop::{Shop, ShopBehavior};
use ananke_serve::spawn::RunningAgent;
use ananke_testkit::{RawServer, hello_run, hold, http_response, ok_sse_headers};
use insta::assert_snapshot;

use super::{SCENARIOS, Target, drive};
use crate::body::Limits;
use crate::case::{Case, Shown};
use crate::judge::{Settings, judge};
use crate::rule::Profile;

mod endings;

fn target(url: &str) -> Target {
    Target {
        url: url.to_owned(),
        headers: Vec::new(),
        timeout: Duration::from_secs(10),
        limits: Limits::default(),
        http: HttpOptions {
            connect_timeout: Duration::from_secs(5),
            ca_pem: None,
            identity: None,
            insecure: false,
            needs_tls: false,
            proxies: Proxies::default(),
        },
        forwarded_props: None,
        profile: Profile::V1,
    }
}

fn run(target: &Target, plan: &ScenarioPlan) -> Result<Case, String> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let case = runtime.block_on(drive(target, plan, &|_| ()));
    case.map_err(|error| error.to_string())
}

/// Everything but these is switched off.
fn only(names: &[&str]) -> ScenarioPlan {
    let off = SCENARIOS.iter().filter(|name| !names.contains(name));
    let setup = ScenarioSetup {
        is_off: true,
        ..ScenarioSetup::default()
    };
    ScenarioPlan {
        given: off
            .map(|name| ((*name).to_owned(), setup.clone()))
            .collect(),
    }
}

/// What became of scenarios, and the rules that were broken.
fn show(case: &Case) -> String {
    let report = judge(case, &settings(Profile::V1));
    let mut lines: Vec<String> = case
        .scenarios
        .iter()
        .filter(|seen| seen.shown != Shown::Off)
        .map(|seen| format!("{} {:?}: {}", seen.name, seen.shown, seen.detail))
        .collect();
    for check in report.checks {
        for finding in check.findings {
            lines.push(format!(
                "{}: {}: {}",
                check.rule.id, finding.step, finding.message
            ));
        }
    }
    lines.extend(report.harness_error);
    lines.extend(report.notes);
    lines.join("\n")
}

fn settings(profile: Profile) -> Settings {
    Settings {
        profile,
        severities: std::collections::BTreeMap::new(),
        baseline: None,
        strict: false,
    }
}

fn show_ends(case: &Case) -> String {
    let shown = show(case);
    let is_about_ends = |line: &&str| {
        let is_rule = line.starts_with("sequence.") || line.starts_with("http.");
        !is_rule || line.starts_with("sequence.terminal: run")
    };
    let lines: Vec<&str> = shown.lines().filter(is_about_ends).collect();
    lines.join("\n")
}

async fn shop() -> RunningAgent {
    let shop = Shop {
        behavior: ShopBehavior::Healthy,
    };
    RunningAgent::start(Arc::new(shop)).await.unwrap()
}

#[test]
fn the_embedded_agent_shows_everything_and_breaks_nothing() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let started = Instant::now();
    let case = runtime.block_on(async {
        let agent = shop().await;
        drive(&target(&agent.url), &ScenarioPlan::default(), &|_| ())
            .await
            .unwrap()
    });
    assert!(started.elapsed() < Duration::from_secs(5));
    assert!(case.duration_ms < 5000);
    assert_snapshot!(show(&case), @"
    hello Yes: the agent answered in words; the run ended with success
    multi-turn Yes: 3 runs on one thread, 3 of them answered in words
    backend-tool Yes: the agent called `search_products`
    parallel-tools Yes: 2 calls were under way before the first result
    failing-tool Yes: the agent called `look_into_warehouse`, which has a result; the run ended with success
    frontend-tool Yes: the agent called `pick_color` and got the answer; the run ended with success
    interrupt Yes: the agent asked with 1 interrupt and was answered in 5 ways
    state Yes: 1 `STATE_SNAPSHOT` and 1 `STATE_DELTA` came
    abort Yes: the client went away after 3 events; of the run after that: the run ended with success
    error Yes: the run ended with `RUN_ERROR`: payment gateway unreachable
    probes Yes: 14 unusual requests were sent
    ");
    let steps: Vec<String> = case
        .exchanges
        .iter()
        .map(|exchange| {
            let answer = &exchange.answer;
            let status = answer.status.unwrap_or_default();
            format!("{} · {} · {status}", exchange.scenario, exchange.step)
        })
        .collect();
    assert_snapshot!(steps.join("\n"), @"
    hello · run · 200
    multi-turn · run · 200
    multi-turn · turn 2 · 200
    multi-turn · turn 3 · 200
    backend-tool · run · 200
    parallel-tools · run · 200
    failing-tool · run · 200
    frontend-tool · run · 200
    frontend-tool · answer · 200
    interrupt · run before: resolved · 200
    interrupt · resume: resolved · 200
    interrupt · run before: cancelled · 200
    interrupt · resume: cancelled · 200
    interrupt · run before: uncovered · 200
    interrupt · resume: uncovered · 200
    interrupt · run before: unknown · 200
    interrupt · resume: unknown · 200
    interrupt · run before: wrong payload · 200
    interrupt · resume: wrong payload · 200
    state · run · 200
    state · turn 2 · 200
    abort · abort · 200
    abort · run after the abort · 200
    error · run · 200
    probes · probe: minimal input · 200
    probes · probe: unknown field · 200
    probes · probe: unknown part · 200
    probes · probe: unknown role · 200
    probes · probe: newer minor version · 200
    probes · probe: reasoning message · 200
    probes · probe: image part · 200
    probes · probe: bad JSON · 400
    probes · probe: bad field · 422
    probes · probe: wrong content type · 415
    probes · probe: wrong method · 405
    probes · probe: accept anything · 200
    probes · probe: accept no protobuf · 200
    probes · probe: accept protobuf · 200
    ");
}

#[test]
fn the_embedded_agent_serves_clients_before_1_0_too() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let case = runtime.block_on(async {
        let agent = shop().await;
        let target = Target {
            profile: Profile::Old,
            ..target(&agent.url)
        };
        drive(&target, &ScenarioPlan::default(), &|_| ())
            .await
            .unwrap()
    });
    let request = case.exchanges[0].request.as_ref().unwrap();
    assert!(request.get("protocolVersion").is_none());
    assert!(case.scenarios.iter().all(|seen| seen.shown == Shown::Yes));
    let report = judge(&case, &settings(Profile::Old));
    let broken = report
        .checks
        .iter()
        .filter(|check| !check.findings.is_empty());
    let broken: Vec<&str> = broken.map(|check| check.rule.id.as_str()).collect();
    assert_eq!(broken, Vec::<&str>::new());
}

#[test]
fn nobody_there() {
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let url = format!("http://user:secret@127.0.0.1:{port}/run?token=x");
    let message = run(&target(&url), &ScenarioPlan::default()).unwrap_err();
    let message = message.replace(&port.to_string(), "PORT");
    assert_snapshot!(message, @"`http://127.0.0.1:PORT/run` cannot be reached: Connection refused (os error 111)");
    let message = run(&target("ftp://example.test/"), &ScenarioPlan::default()).unwrap_err();
    assert_snapshot!(message, @"`ftp://example.test/` has the scheme `ftp`; http and https are supported");
    let wrong = Target {
        headers: vec![("a b".to_owned(), "c".to_owned())],
        ..target("http://127.0.0.1:1/")
    };
    assert_snapshot!(run(&wrong, &ScenarioPlan::default()).unwrap_err(), @"`a b` is not a header name");
}

#[test]
fn a_closed_door_is_tried_once() {
    let server = RawServer::start(|_, _, stream| {
        let page = http_response(
            "401 Unauthorized",
            "application/json",
            r#"{"detail": "no token"}"#,
        );
        stream.write_all(page.as_bytes()).unwrap();
    });
    let case = run(&target(&server.url()), &ScenarioPlan::default()).unwrap();
    assert_eq!(server.n_connections(), 1);
    assert_snapshot!(show(&case), @r#"
    hello No: the agent said nothing; the run was refused: status 401
    multi-turn No: not tried, because the first run was refused: status 401
    backend-tool No: not tried, because the first run was refused: status 401
    parallel-tools No: not tried, because the first run was refused: status 401
    failing-tool No: not tried, because the first run was refused: status 401
    frontend-tool No: not tried, because the first run was refused: status 401
    interrupt No: not tried, because the first run was refused: status 401
    state No: not tried, because the first run was refused: status 401
    abort No: not tried, because the first run was refused: status 401
    error No: not tried, because the first run was refused: status 401
    probes No: not tried, because the first run was refused: status 401
    http.status: run: expected status 200, saw 401; a header that proves who asks may be missing; the body says: {"detail": "no token"}
    "#);
}

#[test]
fn a_page_is_no_stream() {
    let server = RawServer::start(|_, _, stream| {
        let page = http_response("200 OK", "text/html", "<h1>It works!</h1>");
        stream.write_all(page.as_bytes()).unwrap();
    });
    let case = run(&target(&server.url()), &only(&["hello"])).unwrap();
    assert_snapshot!(show(&case), @"
    hello No: the agent said nothing; the run was refused: status 200 with `text/html` instead of an event stream
    http.content-type: run: expected `text/event-stream`, saw `text/html`; the body says: <h1>It works!</h1>
    ");
}

#[test]
fn a_silent_server_takes_no_longer_than_the_timeout() {
    let server = RawServer::start(|_, _, stream| hold(stream, Duration::from_secs(60)));
    let target = Target {
        timeout: Duration::from_millis(200),
        ..target(&server.url())
    };
    let started = Instant::now();
    let case = run(&target, &ScenarioPlan::default()).unwrap();
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_snapshot!(show(&case), @"
    hello No: the agent said nothing; the run was refused: nothing came in 200 ms
    multi-turn No: not tried, because the first run was refused: nothing came in 200 ms
    backend-tool No: not tried, because the first run was refused: nothing came in 200 ms
    parallel-tools No: not tried, because the first run was refused: nothing came in 200 ms
    failing-tool No: not tried, because the first run was refused: nothing came in 200 ms
    frontend-tool No: not tried, because the first run was refused: nothing came in 200 ms
    interrupt No: not tried, because the first run was refused: nothing came in 200 ms
    state No: not tried, because the first run was refused: nothing came in 200 ms
    abort No: not tried, because the first run was refused: nothing came in 200 ms
    error No: not tried, because the first run was refused: nothing came in 200 ms
    probes No: not tried, because the first run was refused: nothing came in 200 ms
    http.status: run: expected status 200, but no answer came: nothing came in 200 ms
    ");
}

#[test]
fn an_endless_stream_ends_at_the_limit() {
    let server = RawServer::start(|_, _, stream| {
        stream.write_all(ok_sse_headers().as_bytes()).unwrap();
        let run = hello_run();
        let begin = run
            .split_once("data: {\"type\":\"TEXT_MESSAGE_END")
            .unwrap()
            .0;
        stream.write_all(begin.as_bytes()).unwrap();
        let event =
            "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"a\"}\n\n";
        while stream.write_all(event.as_bytes()).is_ok() {}
    });
    let target = Target {
        limits: Limits {
            max_events: 50,
            ..Limits::default()
        },
        ..target(&server.url())
    };
    let case = run(&target, &only(&["hello"])).unwrap();
    assert_eq!(case.exchanges[0].answer.events.len(), 50);
    assert_snapshot!(show_ends(&case), @"
    hello No: the agent answered in words; the run did not end: the limit was reached: 50 events were read
    sequence.terminal: run: no end came within the limit (50 events were read): the stream was still open after 50 events, but run `r`, begun at event 0, has neither `RUN_FINISHED` nor `RUN_ERROR`
    ");
}

/// What became of scenarios, and of the ends of runs.
#[test]
fn a_tool_that_failed_without_a_result_is_found() {
    let server = RawServer::start(|_, request, stream| {
        let input = request.json();
        let ids = format!(
            r#""threadId":{},"runId":{}"#,
            input["threadId"], input["runId"]
        );
        let events = [
            format!(r#"{{"type":"RUN_STARTED",{ids},"protocolVersion":"1.0"}}"#),
            r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"look"}"#.to_owned(),
            r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#.to_owned(),
            format!(r#"{{"type":"RUN_FINISHED",{ids}}}"#),
        ];
        stream.write_all(ok_sse_headers().as_bytes()).unwrap();
        for event in events {
            let event = format!("data: {event}\n\n");
            stream.write_all(event.as_bytes()).unwrap();
        }
    });
    let case = run(&target(&server.url()), &only(&["failing-tool"])).unwrap();
    assert_snapshot!(show(&case), @"
    failing-tool Yes: the agent called `look`, which has no result; the run ended with success
    semantics.backend-call-answered: run: `c` calls `look`, which the request does not offer, and the run ends as success without a TOOL_CALL_RESULT for it
    ");
}

#[test]
fn our_own_mistakes_are_never_the_servers() {
    let server = RawServer::start(|_, _, stream| {
        stream.write_all(ok_sse_headers().as_bytes()).unwrap();
        stream.write_all(hello_run().as_bytes()).unwrap();
    });
    let target = Target {
        forwarded_props: Some(serde_json::Value::Null),
        ..target(&server.url())
    };
    let case = run(&target, &only(&["hello"])).unwrap();
    assert_snapshot!(case.harness_error.unwrap(), @"a request of ananke itself breaks the protocol: scenario `hello`, run: /forwardedProps: expected a value or no such member, saw null");
}

#[test]
fn a_history_that_the_server_spoiled_is_noted() {
    let server = RawServer::start(|_, _, stream| {
        stream.write_all(ok_sse_headers().as_bytes()).unwrap();
        let run = hello_run().replace("\"assistant\"", "\"robot\"");
        stream.write_all(run.as_bytes()).unwrap();
    });
    let case = run(&target(&server.url()), &only(&["multi-turn"])).unwrap();
    assert_eq!(case.harness_error, None);
    assert_snapshot!(case.notes.join("\n"), @"scenario `multi-turn`, turn 2: the history that the server's answers amount to breaks the protocol: /messages/1/role: expected `developer`, `system`, `assistant`, `user`, `tool`, `activity` or `reasoning`, saw `robot`");
}

#[test]
fn a_setup_says_otherwise() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut plan = only(&["interrupt", "backend-tool"]);
    let interrupt = ScenarioSetup {
        before: vec!["Add a teapot to my cart".to_owned()],
        prompts: vec!["pay".to_owned()],
        ..ScenarioSetup::default()
    };
    let silent = ScenarioSetup {
        prompts: vec!["Sing a song".to_owned()],
        ..ScenarioSetup::default()
    };
    plan.given.insert("interrupt".to_owned(), interrupt);
    plan.given.insert("backend-tool".to_owned(), silent);
    let case = runtime.block_on(async {
        let agent = shop().await;
        drive(&target(&agent.url), &plan, &|_| ()).await.unwrap()
    });
    assert_snapshot!(show(&case), @"
    backend-tool No: the agent called no tool of its own; the run ended with success
    interrupt Yes: the agent asked with 1 interrupt and was answered in 5 ways
    ");
    let threads: BTreeSet<&str> = case
        .exchanges
        .iter()
        .filter_map(|exchange| exchange.request.as_ref()?.get("threadId")?.as_str())
        .collect();
    // One for the song, and one for each of the five answers.
    assert_eq!(threads.len(), 6);
}

#[test]
fn requests_carry_all_members_and_the_users_headers() {
    let server = RawServer::start(|_, _, stream| {
        stream.write_all(ok_sse_headers().as_bytes()).unwrap();
        stream.write_all(hello_run().as_bytes()).unwrap();
    });
    let target = Target {
        headers: vec![
            ("Authorization".to_owned(), "Bearer x".to_owned()),
            ("accept".to_owned(), "text/html".to_owned()),
        ],
        forwarded_props: Some(serde_json::json!({"tenant": 7})),
        ..target(&server.url())
    };
    run(&target, &only(&["hello"])).unwrap();
    let request = server.requests().remove(0);
    let mut body = request.json();
    for path in ["/threadId", "/runId", "/messages/0/id"] {
        *body.pointer_mut(path).unwrap() = "ID".into();
    }
    let headers: Vec<String> = request
        .headers
        .iter()
        .filter(|(name, _)| ["accept", "content-type", "authorization"].contains(&name.as_str()))
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    assert_snapshot!(format!("{}\n{body}", headers.join("\n")), @r#"
    accept: text/event-stream
    content-type: application/json
    authorization: Bearer x
    {"threadId":"ID","runId":"ID","protocolVersion":"1.0","state":{},"messages":[{"id":"ID","role":"user","content":"Hello!"}],"tools":[],"context":[],"forwardedProps":{"tenant":7}}
    "#);
}
