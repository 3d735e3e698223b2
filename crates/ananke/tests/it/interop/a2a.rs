//! Agents on both official SDKs of A2A, in every version, binding and manner of answering: the same test, the same report.

use std::path::Path;

use insta::{allow_duplicates, assert_snapshot};

use super::digest::digest;
use super::server::Server;
use super::{ananke, has_both_pythons, has_node, invocation, report, told};

/// What servers of version 1.0 are tried in, if they speak 0.3, too.
const ALL: [&str; 10] = [
    "streamed",
    "blocking",
    "polled",
    "rest",
    "rest-blocking",
    "rest-polled",
    "old",
    "old-blocking",
    "old-rest",
    "no-card",
];

fn vars(server: &Server, target: &str) -> Vec<String> {
    [
        "--target",
        target,
        "--var",
        &format!("URL={}", server.url()),
        "--var",
        &format!("CONTEXT={target}"),
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Runs folders of the suite against a server.
fn run(server: &Server, folders: &[&str], target: &str) -> String {
    let vars = vars(server, target);
    let mut args = folders.to_vec();
    args.extend(vars.iter().map(String::as_str));
    digest(&report("a2a", &args))
}

/// Runs folders of the suite, which do not pass; returns what the user sees.
fn seen(server: &Server, folders: &[&str], target: &str) -> String {
    let vars = vars(server, target);
    let mut args = [&["run"], folders].concat();
    args.extend(vars.iter().map(String::as_str));
    told(&ananke("a2a", &args))
}

/// The words mean the same on every server and in every manner.
fn behaves_as_its_suite_says(server: &Server, targets: &[&str]) {
    let run = |target| run(server, &["words", "calls"], target);
    let first = run(targets[0]);
    allow_duplicates! {
        assert_snapshot!(first, @r#"
        passed words/ask.test.yaml: answers a question of the agent
          > ask
            said "Which city?"
            interrupt input_required: "Which city?"
            task input-required
          > Rome
            said "You answered: Rome"
            task completed, artifacts: answer
          > count
            said "This is message 3 of the conversation."
            task completed, artifacts: answer
        passed words/chunks.test.yaml: puts pieces together
          > chunks 5
            said "1 2 3 4 5 "
            task completed, artifacts: answer
        passed words/conversation.test.yaml: carries the conversation
          > count
            said "This is message 1 of the conversation."
            task completed, artifacts: answer
          > count
            said "This is message 2 of the conversation."
            task completed, artifacts: answer
          > count
            said "This is message 3 of the conversation."
            task completed, artifacts: answer
        passed words/data.test.yaml: reads data
          > data
            said "Your order."
            task completed, artifacts: order
        passed words/echo.test.yaml: says the text again
          > echo Grüße aus „Paris“ 🗼
            said "Grüße aus „Paris“ 🗼"
            task completed, artifacts: answer
        passed words/fail.test.yaml: expects the failure
          > fail
            said "It failed on purpose."
            run_error: {"message":"It failed on purpose.","code":"failed"}
            task failed
        passed words/file.test.yaml: gets files
          > file
            task completed, artifacts: files
        passed words/message.test.yaml: answers with a message
          > message hello
            said "Message: hello"
        passed words/new-task.test.yaml: begins another task
          > ask
            said "Which city?"
            interrupt input_required: "Which city?"
            task input-required
          > count
            said "This is message 2 of the conversation."
            task completed, artifacts: answer
        passed words/own-context.test.yaml: names the conversation
          > count
            said "This is message 1 of the conversation."
            task completed, artifacts: answer
          > count
            said "This is message 2 of the conversation."
            task completed, artifacts: answer
        passed words/parts.test.yaml: sends parts
          > echo one
            said "one"
            task completed, artifacts: answer
        passed words/reject.test.yaml: expects the refusal
          > reject
            said "I do not do that."
            run_error: {"message":"I do not do that.","code":"rejected"}
            task rejected
        passed words/replace.test.yaml: takes the whole for the pieces
          > replace
            said "The whole sentence."
            task completed, artifacts: answer
        passed words/status.test.yaml: says it in the status
          > status
            said "Done, without an artifact."
            task completed
        passed words/think.test.yaml: keeps thoughts apart
          > think
            thought "The user wants a thought. "
            said "I thought about it."
            task completed, artifacts: answer
        passed words/two.test.yaml: keeps two artifacts apart
          > two
            said "First artifact.\nSecond artifact."
            task completed, artifacts: first, second
        passed calls/bridge.test.yaml: sees the call of the bridge
          > bridge Oslo
            get_weather({"city":"Oslo"}) -> "sunny"
            said "It is sunny in Oslo."
            task completed, artifacts: answer
        passed calls/tool.test.yaml: sees the call of get_weather
          > tool Rome
            get_weather({"city":"Rome","days":3}) -> {"degrees":21.5,"sky":"sunny"}
            said "It is sunny in Rome."
            task completed, artifacts: answer
        "#);
    }
    for target in &targets[1..] {
        assert_eq!(run(target), first, "{target} is unlike {}", targets[0]);
    }
}

/// The Python SDK before refuses now and then what comes right after such a question.
fn signs_in(server: &Server) {
    for target in ["streamed", "blocking", "polled", "old"] {
        run(server, &["sign-in"], target);
    }
}

#[test]
fn the_python_sdk_of_today_behaves_as_its_suite_says() {
    if !has_both_pythons("interop with a2a-sdk 1") {
        return;
    }
    let server = Server::a2a(&[]);
    behaves_as_its_suite_says(&server, &ALL);
    signs_in(&server);
    run(&server, &["card"], "streamed");
    assert_snapshot!(run(&server, &["metadata"], "streamed"), @r#"
    passed metadata/metadata.test.yaml: sees the call in the metadata
      > metadata Lima
        get_weather({"city":"Lima"}) -> no result
        said "It is sunny in Lima."
        task completed, artifacts: answer
    "#);
    assert_snapshot!(run(&server, &["raise"], "streamed"), @r#"
    passed raise/raise.test.yaml: expects the error
      > raise on purpose
        run_error: {"message":"on purpose","code":"-32603"}
        task working
    "#);
    assert_snapshot!(run(&server, &["raise"], "rest-blocking"), @r#"
    passed raise/raise.test.yaml: expects the error
      > raise on purpose
        run_error: {"message":"unknown exception","code":"500"}
    "#);
}

#[test]
fn the_python_sdk_of_today_without_streams_and_without_the_version_before() {
    if !has_both_pythons("interop with a2a-sdk 1, nothing but the least") {
        return;
    }
    let server = Server::a2a(&["--compat", "off", "--streaming", "off"]);
    behaves_as_its_suite_says(&server, &["streamed", "polled", "rest"]);
    assert_snapshot!(run(&server, &["words/echo.test.yaml"], "no-card"), @r#"
    passed words/echo.test.yaml: says the text again
      > echo Grüße aus „Paris“ 🗼
        said "Grüße aus „Paris“ 🗼"
        task completed, artifacts: answer
        warning: the agent does not stream (Streaming is not supported by the agent (UNSUPPORTED_OPERATION)): asked for the answer as a whole
    "#);
    assert_snapshot!(seen(&server, &["card"], "streamed"), @"
    exit code: 1
    ✗ [card/card.test.yaml] has the card FAILED ([TIME])
      └─ turn 1 · card.capabilities streaming: expected `streaming: true` among the capabilities, got false
         demanded at card/card.test.yaml:11:24 (turn level)
    ");
    assert_snapshot!(seen(&server, &["words/echo.test.yaml"], "old"), @"
    exit code: 1
    ✗ [words/echo.test.yaml] says the text again ERROR ([TIME])
      └─ turn 1: the agent ended with an error: Method not found (-32601)
         captured in turn 1: 1 event, no tool call, no text
      ⚠ 1 warning (the agent card names no interface of version 0.3: JSONRPC of version 1.0 is spoken to as if it were)
    ");
}

#[test]
fn the_python_sdk_before_behaves_as_its_suite_says() {
    if !has_both_pythons("interop with a2a-sdk 0.3") {
        return;
    }
    let server = Server::a2a_old(&[]);
    behaves_as_its_suite_says(&server, &["streamed", "blocking", "old"]);
    // It refuses a message that comes right after the task was seen to wait.
    run(
        &server,
        &["words/chunks.test.yaml", "words/two.test.yaml", "calls"],
        "polled",
    );
    assert_snapshot!(run(&server, &["words/echo.test.yaml"], "no-card"), @r#"
    passed words/echo.test.yaml: says the text again
      > echo Grüße aus „Paris“ 🗼
        said "Grüße aus „Paris“ 🗼"
        task completed, artifacts: answer
        warning: the agent does not take version 1.0 (Method not found): spoken to in version 0.3
    "#);
    run(&server, &["card", "metadata"], "streamed");
    assert_snapshot!(run(&server, &["raise"], "blocking"), @r#"
    passed raise/raise.test.yaml: expects the error
      > raise on purpose
        run_error: {"message":"on purpose","code":"-32603"}
    "#);
    // Its stream just ends.
    assert_snapshot!(seen(&server, &["raise"], "streamed"), @"
    exit code: 1
    ✗ [raise/raise.test.yaml] expects the error ERROR ([TIME])
      └─ turn 1: truncated: the stream broke off before the task ended: unexpected EOF during chunk size line
         captured in turn 1: 1 event, no tool call, no text
    ");
    assert_snapshot!(seen(&server, &["words/echo.test.yaml"], "rest"), @"
    exit code: 1
    ✗ [words/echo.test.yaml] says the text again ERROR ([TIME])
      └─ turn 1: the agent card names no interface that can be spoken: expected HTTP+JSON of version 1.0 or 0.3, got JSONRPC 0.3.0
         captured in turn 1: 0 events, no tool call, no text
    ");
}

#[test]
fn the_node_sdk_behaves_as_its_suite_says() {
    if !has_node("interop with @a2a-js/sdk") {
        return;
    }
    let server = Server::a2a_node(&[]);
    // Over HTTP+JSON of the version before it leaves out what parts carry beside their content.
    let targets = ALL.iter().filter(|target| **target != "old-rest");
    let targets: Vec<&str> = targets.copied().collect();
    behaves_as_its_suite_says(&server, &targets);
    let answered = [
        "words/ask.test.yaml",
        "words/data.test.yaml",
        "calls/bridge.test.yaml",
    ];
    run(&server, &answered, "old-rest");
    signs_in(&server);
    run(&server, &["card"], "streamed");
    assert_snapshot!(run(&server, &["raise"], "streamed"), @r#"
    passed raise/raise.test.yaml: expects the error
      > raise on purpose
        said "Agent execution error: on purpose"
        run_error: {"message":"Agent execution error: on purpose","code":"failed"}
        task failed
    "#);
}

#[test]
fn what_is_wrong_is_told() {
    if !has_both_pythons("mistakes of tests of a2a-sdk 1") {
        return;
    }
    let server = Server::a2a(&[]);
    assert_snapshot!(seen(&server, &["wrong"], "streamed"), @r#"
    exit code: 1
    ✗ [wrong/artifact.test.yaml] expects another artifact FAILED ([TIME])
      └─ turn 1 · artifacts.require name /^invoice$/: expected at least 1 artifact with name /^invoice$/, got 0 of 1 artifact
         closest artifact: `answer`
         name: "answer" does not match /^invoice$/
         demanded at wrong/artifact.test.yaml:8:29 (turn level)
    ✗ [wrong/card.test.yaml] expects another card FAILED ([TIME])
      └─ turn 1 · card.skills billing: expected a skill with the id `billing`, got weather
         demanded at wrong/card.test.yaml:8:23 (turn level)
      └─ turn 1 · card.match version: expected `version` matching /^9/, got "1.2.3"
         demanded at wrong/card.test.yaml:8:41 (turn level)
    ✗ [wrong/failure.test.yaml] does not expect the failure ERROR ([TIME])
      └─ turn 1: the agent ended with an error: It failed on purpose. (failed)
         captured in turn 1: 3 events, no tool call, text:
         │ It failed on purpose.
    ✗ [wrong/state.test.yaml] expects another state FAILED ([TIME])
      └─ turn 1 · task.state completed: expected completed, got input-required (after submitted, working)
         the agent waits for an answer, which a further turn gives
         demanded at wrong/state.test.yaml:8:21 (turn level)
    ✗ [wrong/text.test.yaml] expects another text FAILED ([TIME])
      └─ turn 1 · text.must_match /goodbye/: expected text matching /goodbye/, got "hello"
         demanded at wrong/text.test.yaml:8:26 (turn level)
    "#);
    assert_snapshot!(seen(&server, &["blind"], "streamed"), @"
    exit code: 5
    ? [blind/blind.test.yaml] cannot know the calls INCONCLUSIVE ([TIME])
      └─ turn 1 · tools.forbid get_weather: could not be decided: expected no call of `get_weather`, got no call: this agent exposes no tool calls over A2A
         demanded at blind/blind.test.yaml:8:24 (turn level)
    ");
}

#[test]
fn locks_open_with_the_right_key_only() {
    if !has_both_pythons("interop with a2a-sdk behind locks") {
        return;
    }
    let keys = [
        ("bearer", "secret-token", "bearer"),
        ("api-key", "secret-key", "api-key"),
        ("basic", "secret", "basic"),
        ("oauth2", "client-secret", "oauth2"),
        ("oauth2", "client-secret", "oauth2-guarded"),
    ];
    let mut refused = String::new();
    for (lock, key, target) in keys {
        let card = match target {
            "oauth2" => "open",
            _ => "guarded",
        };
        let args = ["--lock", lock, "--card", card];
        for server in [Server::a2a(&args), Server::a2a_old(&args)] {
            let vars = vars(&server, target);
            let mut args = vec!["run", "words/echo.test.yaml", "calls"];
            args.extend(vars.iter().map(String::as_str));
            let output = |key: &str| {
                let folder = tempfile::tempdir().expect("there is room for a bundle");
                let dir = folder.path().display().to_string();
                let output = invocation("a2a", &[&args[..], &["--bundle-dir", &dir]].concat())
                    .env("A2A_TOKEN", key)
                    .run();
                // Neither key nor fetched token is kept.
                let kept = read_all(folder.path());
                for secret in [key, "secret-token"] {
                    assert!(!kept.contains(secret), "{secret} is kept: {output}");
                }
                output
            };
            let opened = output(key);
            assert_eq!(opened.code, Some(0), "{opened}");
            let shut = output("a wrong key of nobody");
            assert_ne!(shut.code, Some(0), "{shut}");
            refused = told(&shut);
        }
    }
    assert_snapshot!(refused, @"
    exit code: 1
    ✗ [words/echo.test.yaml] says the text again ERROR ([TIME])
      └─ turn 1: the token: HTTP 401: invalid_client; is `auth` right?
         captured in turn 1: 0 events, no tool call, no text
    ✗ [calls/bridge.test.yaml] sees the call of the bridge ERROR ([TIME])
      └─ turn 1: the token: HTTP 401: invalid_client; is `auth` right?
         captured in turn 1: 0 events, no tool call, no text
    ✗ [calls/tool.test.yaml] sees the call of get_weather ERROR ([TIME])
      └─ turn 1: the token: HTTP 401: invalid_client; is `auth` right?
         captured in turn 1: 0 events, no tool call, no text
    ");
}

/// Returns all that a folder holds.
fn read_all(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).expect("it was made") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            text.push_str(&read_all(&path));
        } else {
            let bytes = std::fs::read(&path).expect("it can be read");
            text.push_str(&String::from_utf8_lossy(&bytes));
        }
    }
    text
}
