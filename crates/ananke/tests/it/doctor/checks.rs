//! What the checks say, from the config to the run.

use ananke_testkit::{RawServer, ScriptedAgent, TestContext, http_response};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{project, target};
use crate::ANANKE;
use crate::transport::tls_server;

#[test]
fn all_is_well() {
    let agent = ScriptedAgent::says("Good day");
    assert_snapshot!(target(agent.url(), "").ananke(&["doctor"]), @"
    exit code: 0
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder

    target
    ✓ endpoint: http://[HOST]/
    ✓ connection: [HOST] accepts
    ✓ tls: none, plain http
    ✓ http: HTTP 405 to a GET
    ✓ clock: the server's `Date` agrees with this machine
    ✓ run: `Hello` was answered with “Good day” (6 events, [TIME])
    ✓ protocol: AG-UI 1.0
    ✓ sequence: events come in an order that the protocol allows
    ✓ timestamps: none: timing is measured by arrival
    --- stderr
    ");
    assert_eq!(agent.requests()[0]["messages"][0]["content"], "Hello");
}

#[test]
fn several_targets_and_one_of_them() {
    let agent = ScriptedAgent::says("Good day");
    let cx = project(&format!(
        "targets:\n  good: {{type: agui, endpoint: \"{}\"}}\n  bad: {{type: agui, endpoint: \"http://127.0.0.1:1/\"}}",
        agent.url()
    ));
    let output = cx.run(&["doctor", "--no-run"]);
    assert_eq!(output.code, Some(3));
    assert!(output.stdout.contains("\ntarget good\n") && output.stdout.contains("\ntarget bad\n"));
    assert_eq!(agent.requests().len(), 0);
    assert_eq!(
        cx.run(&["doctor", "--target", "good", "--message", "Hi"])
            .code,
        Some(0)
    );
    assert_eq!(agent.requests()[0]["messages"][0]["content"], "Hi");
    assert_eq!(cx.run(&["doctor", "--target", "god"]).code, Some(2));
}

#[test]
fn nothing_listens() {
    let server = "\nserver: {cmd: [sleep, '1'], url: \"http://127.0.0.1:1/\"}";
    assert_snapshot!(target("http://127.0.0.1:1/agent?key=abc", "").ananke(&["doctor"]), @"
    exit code: 3
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder

    target
    ✓ endpoint: http://[HOST]/agent
    ✗ connection: [HOST]: Connection refused (os error 111)
      hint: start the agent, or correct host and port of `endpoint`
    --- stderr
    ");
    let with_server = project(&format!(
        "target: {{type: agui, endpoint: \"http://127.0.0.1:1/\"}}{server}"
    ));
    assert!(
        with_server
            .run(&["doctor"])
            .stdout
            .contains("the config has a `server`")
    );
    let unknown = target("http://no-such-host.invalid/", "").run(&["doctor"]);
    assert_eq!(unknown.code, Some(3));
    assert!(
        unknown
            .stdout
            .contains("✗ name: the name `no-such-host.invalid` is not known"),
        "{unknown}"
    );
}

#[test]
fn configs_that_are_missing_far_away_or_wrong() {
    let cx = TestContext::new(ANANKE);
    let output = cx.run(&["doctor"]);
    assert_eq!(output.code, Some(2));
    assert!(
        output
            .stdout
            .contains("✗ config: no ananke.config.yaml in "),
        "{output}"
    );
    assert!(
        output.stdout.contains("hint: `ananke init` writes one"),
        "{output}"
    );
    assert_snapshot!(project("targt: {}").ananke(&["doctor"]), @r#"
    exit code: 2
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✗ config: ananke.config.yaml, in this folder; it has 2 mistakes
      hint: correct what is shown on stderr
    --- stderr
    error: `target` is missing in a config file
     --> ananke.config.yaml:1:1
      |
    1 | version: 1
      | ^^^^^^^^^^
    hint: write `target: {type: agui, endpoint: "http://localhost:8000/agent"}`

    error: unknown key `targt` in a config file
     --> ananke.config.yaml:2:1
      |
    2 | targt: {}
      | ^^^^^ expected `version`, `target`, `targets`, `agents`, `connectors`, `assertions`, `server`, `bundle` or `scripts`
    hint: did you mean `target`?

    error: 2 errors in 1 file
    "#);
    assert_snapshot!(target("${URL}", "").ananke(&["doctor"]), @"
    exit code: 2
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder

    target
    ✗ endpoint: no value for ${URL} (ananke.config.yaml:2)
      hint: give values with --var NAME=VALUE, --env-file FILE or the environment
    --- stderr
    ");
    let agent = ScriptedAgent::says("Good day");
    let cx = target("${URL}", "");
    cx.write("deep/down/.env", &format!("ANANKE_VAR_URL={}", agent.url()));
    let cx_deep = Deep(cx);
    let shown = cx_deep.doctor();
    assert!(
        shown.contains("ananke.config.yaml, 2 folders above"),
        "{shown}"
    );
    let named = cx_deep.0.run(&["doctor", "--config", "nowhere.yaml"]);
    assert_eq!(named.code, Some(2));
}

struct Deep(TestContext);

impl Deep {
    /// Runs it two folders below the config.
    fn doctor(&self) -> String {
        let below = ananke_testkit::Invocation::new(
            ANANKE.as_ref(),
            &self.0.dir().join("deep/down"),
            self.0.root(),
        );
        let output = below.args(&["doctor", "--env-file", ".env"]).run();
        assert_eq!(output.code, Some(0), "{output}");
        output.stdout
    }
}

#[test]
fn a_run_that_fails() {
    let agent = ScriptedAgent::start(
        json!({"rules": [{"reply": [{"error": {"message": "the token s3cret-value is wrong", "code": "AUTH"}}]}]}),
    );
    let cx = target(
        agent.url(),
        ", headers: {Authorization: 'Bearer ${ENV.TOKEN}'}",
    );
    let shown = cx.show(&cx.command(&["doctor"]).env("TOKEN", "s3cret-value").run());
    assert!(!shown.contains("s3cret-value"), "{shown}");
    assert_snapshot!(shown, @"
    exit code: 1
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder

    target
    ✓ endpoint: http://[HOST]/
    ✓ connection: [HOST] accepts
    ✓ tls: none, plain http
    ✓ http: HTTP 405 to a GET
    ✓ clock: the server's `Date` agrees with this machine
    ✗ run: the agent ended with an error: the token [redacted TOKEN] is wrong (AUTH)
      hint: look at the agent's own log
    ✓ protocol: AG-UI 1.0
    ✓ sequence: events come in an order that the protocol allows
    ✓ timestamps: none: timing is measured by arrival
    --- stderr
    ");
    let cut = ScriptedAgent::start(json!({"rules": [{"reply": [{"text": "Half"}, "truncate"]}]}));
    assert_snapshot!(target(cut.url(), "").ananke(&["doctor"]), @"
    exit code: 1
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder

    target
    ✓ endpoint: http://[HOST]/
    ✓ connection: [HOST] accepts
    ✓ tls: none, plain http
    ✓ http: HTTP 405 to a GET
    ✓ clock: the server's `Date` agrees with this machine
    ✗ run: truncated: the stream ended before RUN_FINISHED, after 4 events
      hint: the stream must end with RUN_FINISHED or RUN_ERROR: did the agent or a proxy cut it?
    ✓ protocol: AG-UI 1.0
    ✗ sequence: neither RUN_FINISHED nor RUN_ERROR ends the run
    ✓ timestamps: none: timing is measured by arrival
    --- stderr
    ");
    let refused = ScriptedAgent::start(json!({"rules": [{"reply": [{"http": {"status": 401}}]}]}));
    assert_snapshot!(target(refused.url(), "").ananke(&["doctor"]), @"
    exit code: 1
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder

    target
    ✓ endpoint: http://[HOST]/
    ✓ connection: [HOST] accepts
    ✓ tls: none, plain http
    ✓ http: HTTP 405 to a GET
    ✓ clock: the server's `Date` agrees with this machine
    ✗ run: HTTP 401 Unauthorized
      hint: the agent wants credentials: see `headers` of the target
    --- stderr
    ");
}

#[test]
fn old_agents_odd_orders_and_clocks() {
    let events = [
        json!({"type": "RUN_STARTED", "threadId": "$threadId", "runId": "$runId", "timestamp": 1_700_000_000}),
        json!({"type": "THINKING_START", "timestamp": 1_700_000_000}),
        json!({"type": "THINKING_END", "timestamp": 1_700_000_001}),
        json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Hi"}),
        json!({"type": "RUN_FINISHED", "threadId": "$threadId", "runId": "$runId"}),
    ];
    let steps: Vec<Value> = events.iter().map(|event| json!({"event": event})).collect();
    let agent = ScriptedAgent::start(json!({"rules": [{"bare": true, "reply": steps}]}));
    let output = target(agent.url(), "").ananke(&["doctor"]);
    let days: String = output
        .chars()
        .filter(|c| !c.is_ascii_digit() || *c < '2')
        .collect();
    assert!(days.contains("days behind this machine"), "{output}");
    let without_clock: Vec<&str> = output
        .lines()
        .filter(|line| !line.contains("days behind"))
        .collect();
    assert_snapshot!(without_clock.join("\n"), @r#"
    exit code: 0
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder

    target
    ✓ endpoint: http://[HOST]/
    ✓ connection: [HOST] accepts
    ✓ tls: none, plain http
    ✓ http: HTTP 405 to a GET
    ✓ clock: the server's `Date` agrees with this machine
    ✓ run: `Hello` was answered with “Hi” (5 events, [TIME])
    ✓ protocol: AG-UI 0.x: no version is declared, THINKING_START is used; `era: "0.x"` would leave out our version too
    ! sequence: V8: TEXT_MESSAGE_CONTENT: no active text message found with ID 'm'
      hint: `run` only warns of it; `assert: {protocol: strict}` makes it fail
    ✓ timestamps: on 3 of 5 events, too few for `clock: event`, in seconds
      hint: synchronize both clocks; until then do not compare their times
    --- stderr
    "#);
    let new = ScriptedAgent::says("Good day");
    let shown = target(new.url(), ", era: '0.x'").ananke(&["doctor"]);
    assert!(
        shown.contains("✓ protocol: AG-UI 0.x: no version is declared\n"),
        "{shown}"
    );
}

#[test]
fn copilotkit_runtimes_are_recognized() {
    let runtime = |rest: bool| {
        RawServer::start(move |_, request, socket| {
            let body = String::from_utf8_lossy(&request.body).into_owned();
            let is_info = if rest {
                request.line.contains("/info ")
            } else {
                body.contains("\"info\"")
            };
            let answer = if is_info {
                http_response(
                    "200 OK",
                    "application/json",
                    r#"{"agents": {"shop": {}, "help": {}}}"#,
                )
            } else {
                http_response("404 Not Found", "text/plain", "nothing here")
            };
            std::io::Write::write_all(socket, answer.as_bytes()).ok();
        })
    };
    let server = runtime(true);
    assert_snapshot!(target(&server.url(), "").ananke(&["doctor"]), @"
    exit code: 1
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder

    target
    ✓ endpoint: http://[HOST]/
    ✓ connection: [HOST] accepts
    ✓ tls: none, plain http
    ✓ http: HTTP 404 to a GET
    ✗ run: HTTP 404 Not Found: nothing here
    ✗ envelope: this is a CopilotKit runtime, spoken to as `plain`; its agents: shop, help
      hint: write `envelope: copilotkit-rest` and `agentId: shop` in the target
    --- stderr
    ");
    let server = runtime(false);
    let shown = target(&server.url(), ", envelope: copilotkit, agentId: shpo").ananke(&["doctor"]);
    assert!(shown.contains("✗ envelope: the runtime has no agent `shpo`; it has shop, help\n  hint: write `agentId: shop`"), "{shown}");
}

#[test]
fn a_server_that_is_none_of_ours() {
    let page = RawServer::start(|_, _, socket| {
        let answer = http_response("200 OK", "text/html", "<h1>Welcome</h1>");
        std::io::Write::write_all(socket, answer.as_bytes()).ok();
    });
    assert_snapshot!(target(&page.url(), "").ananke(&["doctor"]), @"
    exit code: 1
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder

    target
    ✓ endpoint: http://[HOST]/
    ✓ connection: [HOST] accepts
    ✓ tls: none, plain http
    ✓ http: HTTP 200 to a GET
    ✗ run: expected `text/event-stream`, got `text/html`; it begins: <h1>Welcome</h1>
    ! envelope: plain; no CopilotKit runtime answers here
      hint: the answer must be `text/event-stream`: is the path of `endpoint` right?
    --- stderr
    ");
    let shown = target(&page.url(), ", envelope: copilotkit, agentId: a").ananke(&["doctor"]);
    assert!(
        shown.contains("nothing here says that it is a CopilotKit runtime"),
        "{shown}"
    );
}

#[test]
fn certificates_are_explained() {
    let certificate = include_bytes!("../testdata/tls/server.pem");
    let server = tls_server(certificate);
    let url = format!("https://{}/", server.address());
    assert_snapshot!(target(&url, "").ananke(&["doctor"]), @"
    exit code: 3
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder

    target
    ✓ endpoint: https://[HOST]/
    ✓ connection: [HOST] accepts
    ✗ tls: the certificate is signed by an authority that is not trusted (invalid peer certificate: UnknownIssuer)
      hint: name the authority's PEM file in `tls.ca`; for a test, `tls: {insecure: true}` accepts any certificate
    --- stderr
    ");
    let trusted = target(&url, ", tls: {ca: ca.pem}");
    trusted.write("ca.pem", include_str!("../testdata/tls/ca.pem"));
    let shown = trusted.ananke(&["doctor", "--no-run"]);
    assert!(
        shown.contains("✓ tls: trusted, with the authorities of ca.pem (tls.ca)"),
        "{shown}"
    );
    let insecure = target(&url, ", tls: {insecure: true}").run(&["doctor", "--no-run"]);
    assert!(
        insecure
            .stdout
            .contains("! tls: any certificate is accepted"),
        "{insecure}"
    );
    let plain = ScriptedAgent::says("Hi");
    let https = plain.url().replace("http:", "https:");
    let shown = target(&https, "").ananke(&["doctor"]);
    assert!(
        shown.contains("✗ tls: the server does not seem to speak TLS"),
        "{shown}"
    );
}

#[test]
fn one_json_document() {
    let agent = ScriptedAgent::says("Good day");
    let output = target(agent.url(), "").run(&["doctor", "--json"]);
    let document: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(document["exit_code"], 0);
    let checks: Vec<&str> = document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["check"].as_str().unwrap())
        .collect();
    assert_eq!(
        checks,
        [
            "ananke",
            "config",
            "endpoint",
            "connection",
            "tls",
            "http",
            "clock",
            "run",
            "protocol",
            "sequence",
            "timestamps"
        ]
    );
    assert!(
        document["findings"]
            .as_array()
            .unwrap()
            .iter()
            .all(|finding| finding["status"] == "ok")
    );
    let broken = project("x: 1").run(&["doctor", "--json"]);
    let document: Value = serde_json::from_str(&broken.stdout).unwrap();
    assert_eq!((broken.code, &document["exit_code"]), (Some(2), &json!(2)));
}

#[test]
fn proxies_are_named_without_their_passwords() {
    let agent = ScriptedAgent::says("Good day");
    let cx = target("http://agent.invalid/", "");
    let proxy = agent.url().replace("http://", "http://user:pass@");
    let output = cx.command(&["doctor"]).env("HTTP_PROXY", &proxy).run();
    assert!(
        output
            .stdout
            .contains("✓ proxy: HTTP_PROXY is http://127.0.0.1"),
        "{output}"
    );
    assert!(!output.stdout.contains("pass@"), "{output}");
    assert_eq!(output.code, Some(0), "{output}");
}
