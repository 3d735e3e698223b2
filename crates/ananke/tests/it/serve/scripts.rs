//! Agents that follow a script: steps, faults, mistakes, and who may talk to them.

use ananke_testkit::TestContext;
use insta::assert_snapshot;

use super::{beside_faces, serve, test, verdicts};
use crate::ANANKE;

const SCRIPT: &str = "\
version: \"1.0\"
rules:
  - when: {user_contains: refund}
    reply:
      - tool: {name: find_order, args: {id: 7}, result: {status: paid}}
      - state: {order: 7}
      - text: Your refund is on its way.
  - when: {turn: 2}
    reply: [{text: The second turn}]
  - when: {user_contains: fail}
    reply: [{error: {message: out of order, code: E7}}]
  - when: {user_contains: cut}
    reply: [{text: Half}, truncate]
  - when: {user_contains: break}
    reply: [{text: Half}, reset]
  - when: {user_contains: wait}
    reply: [{text: Half}, stall]
  - when: {user_contains: slow}
    reply: [{delay_ms: 60000}, {text: At last}]
  - when: {has_resume: true}
    reply: [{text: Paid}]
  - when: {user_contains: Pay}
    reply: [{interrupt: {reason: approval}}]
";

#[test]
fn a_script_is_an_agent() {
    let cx = TestContext::new(ANANKE);
    cx.write("agent.script.yaml", SCRIPT);
    let (running, url) = serve(&cx, &["agent.script.yaml"]);
    cx.config(&url);
    cx.write("tests/refund.test.yaml", &test("a refund", "{tools: {require: [{name: find_order, result_match: paid}]}, text: {must_match: on its way}}"));
    cx.write("tests/two.test.yaml", "version: 1\nname: two\nturns: [{user: hi}, {user: again}]\nassert: {text: {must_match: second turn}}\n");
    cx.write(
        "tests/fail.test.yaml",
        &test("fail", "{error: out of order}"),
    );
    assert_snapshot!(verdicts(&cx, &["run", "tests"]), @"
    exit code: 0
    ✓ [tests/fail.test.yaml] fail ([TIME])
    ✓ [tests/refund.test.yaml] a refund ([TIME])
    ✓ [tests/two.test.yaml] two ([TIME])
    ");
    running.interrupt();
    let output = running.wait();
    assert_eq!(output.code, Some(130));
    assert_eq!(
        (output.stdout, beside_faces(&output.stderr)),
        (format!("{url}\n"), String::new())
    );
}

#[test]
fn faults_are_played() {
    let cx = TestContext::new(ANANKE);
    cx.write("agent.script.yaml", SCRIPT);
    let (_running, url) = serve(&cx, &["agent.script.yaml", "--instant"]);
    cx.config(&url);
    for user in ["break", "cut", "slow", "wait"] {
        cx.write(
            &format!("{user}.test.yaml"),
            &test(user, "{text: {must_match: At last}}"),
        );
    }
    assert_snapshot!(verdicts(&cx, &["run"]), @"
    exit code: 1
    ✗ [break.test.yaml] break ERROR ([TIME])
    └─ turn 1: the stream ended before RUN_FINISHED: Connection reset by peer (os error 104)
    ✗ [cut.test.yaml] cut ERROR ([TIME])
    └─ turn 1: truncated: the stream ended before RUN_FINISHED, after 4 events
    ✓ [slow.test.yaml] slow ([TIME])
    ✗ [wait.test.yaml] wait TIMEOUT ([TIME])
    └─ turn 1: timeout after [TIME] (timeout_ms): 4 events came before
    ✗ [break.test.yaml] turn 1: the stream ended before RUN_FINISHED: Connection reset by peer (os error 104)
    ✗ [cut.test.yaml] turn 1: truncated: the stream ended before RUN_FINISHED, after 4 events
    ✗ [wait.test.yaml] turn 1: timeout after [TIME] (timeout_ms): 4 events came before
    ");
}

#[test]
fn the_first_requests_can_be_refused() {
    let cx = TestContext::new(ANANKE);
    cx.write("a.script.yaml", "version: 1\nrules:\n  - times: 2\n    reply: [{http: {status: 429, headers: {Retry-After: 0}, body: {error: busy}}}]\n  - reply: [{text: Here I am}]\n");
    let (_running, url) = serve(&cx, &["a.script.yaml"]);
    cx.config(&url);
    for name in ["1", "2", "3"] {
        cx.write(
            &format!("{name}.test.yaml"),
            &test("Hello", "{text: {must_match: Here}}")
                .replace("name: Hello", &format!("name: t{name}")),
        );
    }
    assert_snapshot!(verdicts(&cx, &["run"]), @r#"
    exit code: 1
    ✗ [1.test.yaml] t1 ERROR ([TIME])
    └─ turn 1: HTTP 429 Too Many Requests: {"error":"busy"}
    ✗ [2.test.yaml] t2 ERROR ([TIME])
    └─ turn 1: HTTP 429 Too Many Requests: {"error":"busy"}
    ✓ [3.test.yaml] t3 ([TIME])
    ✗ [1.test.yaml] turn 1: HTTP 429 Too Many Requests: {"error":"busy"}
    ✗ [2.test.yaml] turn 1: HTTP 429 Too Many Requests: {"error":"busy"}
    "#);
}

#[test]
fn mistakes_in_a_script_are_told_all_at_once() {
    let cx = TestContext::new(ANANKE);
    cx.write("a.script.yaml", "version: 1\nrules:\n  - wen: {user_contains: a}\n    reply:\n      - txt: Hello\n      - http: {status: 4290}\n");
    assert_snapshot!(cx.ananke(&["serve", "a.script.yaml"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: unknown key `wen` in a rule
     --> a.script.yaml:3:5
      |
    3 |   - wen: {user_contains: a}
      |     ^^^ expected `when`, `reply`, `times`, `every` or `bare`
    hint: did you mean `when`?

    error: unknown key `txt` in a step
     --> a.script.yaml:5:9
      |
    5 |       - txt: Hello
      |         ^^^ expected `text`, `text_deltas`, `echo`, `tool`, `parallel_tools`, `tool_result`, `state`, `state_delta`, `reasoning`, `step`, `custom`, `event`, `raw`, `comment`, `delay_ms`, `error`, `interrupt`, `finish` or `http`
    hint: did you mean `text`?

    error: `http` comes too late: the stream has begun
     --> a.script.yaml:6:9
      |
    6 |       - http: {status: 4290}
      |         ^^^^^^^^^^^^^^^^^^^^
    hint: make it the first step of the reply; only `delay_ms` can come before it

    error: `4290` is out of range
     --> a.script.yaml:6:24
      |
    6 |       - http: {status: 4290}
      |                        ^^^^ expected a whole number from 200 to 599

    error: 4 errors in 1 file
    ");
    assert_snapshot!(cx.ananke(&["serve", "nowhere.yaml"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: cannot read `nowhere.yaml`: No such file or directory (os error 2)

    error: 1 error
    ");
    assert_snapshot!(cx.ananke(&["serve", "nowhere"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: there is no bundle `nowhere`: no such file, and no such run in `.ananke/runs`
    hint: `ananke run` leaves a bundle of every run
    ");
}

#[test]
fn requests_are_shown_with_v() {
    let cx = TestContext::new(ANANKE);
    cx.write("agent.script.yaml", SCRIPT);
    let (mut running, url) = serve(&cx, &["agent.script.yaml", "-v"]);
    cx.write("ananke.config.yaml", &format!("version: 1\ntarget: {{type: agui, endpoint: \"{url}\", threadId: t1, envelope: copilotkit, agentId: a}}\n"));
    cx.write(
        "a.test.yaml",
        &test("a refund", "{text: {must_match: way}}"),
    );
    cx.write("b.test.yaml", "version: 1\nname: b\nturns: [{user: Pay}, {type: 'agui:resume', payload: {ok: true}}, {type: 'agui:connect'}]\nassert: {text: {must_match: way}}\n");
    cx.run(&["run"]);
    running.wait_for(|_, stderr| beside_faces(stderr).lines().count() == 4);
    assert_snapshot!(beside_faces(&running.stderr_so_far()), @r#"
    POST / agent/run thread t1 user: a refund
    POST / agent/run thread t1 user: Pay
    POST / agent/run thread t1 resume: resolved {"ok":true}
    POST / agent/connect thread t1 connect
    "#);
}

#[test]
fn others_are_let_in_only_when_asked_for() {
    let cx = TestContext::new(ANANKE);
    cx.write("agent.script.yaml", SCRIPT);
    let (running, url) = serve(&cx, &["agent.script.yaml", "--host", "0.0.0.0"]);
    assert!(url.starts_with("http://0.0.0.0:"), "{url}");
    running.terminate();
    let output = running.wait();
    assert_eq!(output.code, Some(143));
    assert_snapshot!(beside_faces(&output.stderr), @"warning: 0.0.0.0 lets every machine that reaches this one talk to the agent");
}

/// Sends a request as a browser does for a page of `origin`; returns the header lines of the answer, without the date.
fn asked(url: &str, method: &str, origin: &str) -> String {
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = std::net::TcpStream::connect(address).expect("it listens");
    let request = format!(
        "{method} / HTTP/1.1\r\nHost: {address}\r\nOrigin: {origin}\r\nAccess-Control-Request-Method: POST\r\n\
         Access-Control-Request-Headers: content-type\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    );
    std::io::Write::write_all(&mut stream, request.as_bytes()).expect("it reads");
    let answer = std::io::read_to_string(stream).expect("it answers");
    let (head, _) = answer.split_once("\r\n\r\n").expect("headers end");
    let lines = head.lines().filter(|line| !line.starts_with("date:"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn web_pages_may_read_answers_only_when_asked_for() {
    let cx = TestContext::new(ANANKE);
    cx.write("agent.script.yaml", SCRIPT);
    let page = "http://localhost:3000";
    let (_closed, closed) = serve(&cx, &["agent.script.yaml"]);
    let (_open, open) = serve(&cx, &["agent.script.yaml", "--allow-origin", page]);
    for (url, origin) in [(&closed, page), (&open, "http://evil.example")] {
        let answer = asked(url, "OPTIONS", origin);
        assert!(!answer.contains("access-control"), "{answer}");
    }
    assert_snapshot!(asked(&open, "OPTIONS", page), @"
    HTTP/1.1 204 No Content
    access-control-allow-origin: http://localhost:3000
    vary: Origin
    access-control-allow-methods: GET, POST, DELETE
    access-control-allow-headers: content-type
    connection: close
    ");
    assert!(
        asked(&open, "POST", page).contains("access-control-allow-origin: http://localhost:3000")
    );
}

#[test]
fn a_port_that_is_taken_is_trouble() {
    let mut cx = TestContext::new(ANANKE);
    cx.write("agent.script.yaml", SCRIPT);
    let (_running, url) = serve(&cx, &["agent.script.yaml"]);
    let port = url
        .trim_end_matches('/')
        .rsplit(':')
        .next()
        .unwrap()
        .to_owned();
    cx.filter(&format!("port {port}"), "port [PORT]");
    assert_snapshot!(cx.ananke(&["serve", "agent.script.yaml", "--port", &port]), @"
    exit code: 3
    --- stdout
    --- stderr
    error: cannot listen on 127.0.0.1 port [PORT]: Address already in use (os error 98)
    hint: leave out --port to get a free one
    ");
    assert_eq!(
        cx.run(&["serve", "agent.script.yaml", "--host", "example.com"])
            .code,
        Some(2)
    );
}

/// Every key that a script can have. What the schema allows, the server must understand.
const EVERYTHING: &str = "\
version: 1
timestamps: true
rules:
  - when: {user_contains: a, user_equals: a, turn: 1, has_tool_result: false, has_resume: false}
    times: 3
    bare: true
    reply:
      - text: 5
      - text_deltas: {deltas: [a, 1], every_ms: 1}
      - tool: {name: a, args: {b: 1}, id: c, result: [1], delay_ms: 1}
      - parallel_tools: [{name: a, error: e}, {name: b, args: text}]
      - tool_result: {tool_call_id: c, result: done}
      - state: {a: 1}
      - state_delta: [{op: add, path: /a, value: 1}]
      - reasoning: hm
      - step: {name: s, reply: [{text: inside}]}
      - custom: {name: c, value: 1}
      - event: {type: X, threadId: $threadId}
      - raw: \"data: {}\\n\\n\"
      - comment: c
      - delay_ms: 1
      - interrupt: {id: i, reason: r, message: m, tool: a, response_schema: {}, expires_at: soon}
      - error: {message: m, code: 7}
      - finish: {result: r, outcome: {type: success}, usage: []}
  - every: 2
    reply: [{echo: last_message}]
  - when: {turn: 2}
    reply: [{delay_ms: 1}, {http: {status: 429, headers: {Retry-After: 1}, body: {a: 1}}}]
  - reply: [truncate]
fallback: [stall]
";

#[test]
fn everything_that_the_schema_allows_can_be_served() {
    let cx = TestContext::new(ANANKE);
    cx.write("a.script.yaml", EVERYTHING);
    let (running, _) = serve(&cx, &["a.script.yaml"]);
    assert_eq!(beside_faces(&running.stderr_so_far()), "");
    let schema: serde_json::Value =
        serde_json::from_str(&cx.run(&["schema", "script"]).stdout).unwrap();
    let definitions = schema["$defs"].as_object().unwrap().values();
    for definition in definitions.chain([&schema]) {
        for key in definition["properties"].as_object().unwrap().keys() {
            assert!(EVERYTHING.contains(&format!("{key}:")), "{key}");
        }
    }
}
