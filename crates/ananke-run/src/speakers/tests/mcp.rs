//! MCP servers as the agents of tests.

use std::sync::Arc;
use std::time::Duration;

use ananke_model::plan::{
    ElicitAction, Isolation, McpAnswer, McpListed, McpTarget, Plan, Protocol, ServerAsk,
    TargetAuth, TurnAction,
};
use ananke_model::result::Reach;
use insta::assert_snapshot;
use rustix::process::{Pid, test_kill_process};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::mcp_server::{ASKS, COUNTS, remote, script, server};
use super::{Peer, plan, respond, run, run_with, text};
use crate::dispatch::RunOptions;
use crate::testing::{Project, options, run_live, run_until, shown};

const ONE: &str = "turns: [{user: Hello}]\nassert: {text: {must_match: '.'}}\n";
const TWO: &str = "turns: [{user: Hello}, {user: Bye}]\nassert: {text: {must_match: '.'}}\n";

fn protocol(server: McpTarget) -> Protocol {
    Protocol::Mcp(Box::new(server))
}

fn planned(server: McpTarget, tests: &[(&str, &str)]) -> (Project, Plan) {
    plan(protocol(server), tests)
}

/// Asserts that all servers of a project are gone; returns how many there were.
fn gone(project: &Project) -> usize {
    let pids = std::fs::read_to_string(project.path("pids")).unwrap_or_default();
    for pid in pids.lines() {
        let pid = Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
        assert!(test_kill_process(pid).is_err(), "{pid:?} is still there");
    }
    pids.lines().count()
}

#[tokio::test]
async fn the_words_of_a_user_go_to_the_tool_and_the_server_leaves_with_the_test() {
    let (project, plan) = planned(server(&script(COUNTS)), &[("a", TWO), ("b", ONE)]);
    let (results, _) = run_live(&plan, options()).await;
    assert_snapshot!(shown(&results), @"
    the a test: PASSED · 2 turns, 1 checks
    the b test: PASSED · 1 turns, 1 checks
    ");
    let turn = &results[0].turns[1].turn;
    assert_snapshot!(turn.text, @"Hi 2");
    assert_snapshot!(turn.requests[0]["params"]["arguments"], @r#"{"question":"Bye"}"#);
    assert_eq!(turn.requests[0]["params"]["name"], "ask");
    // The tool carries the words; it is no call of the agent.
    assert!(turn.tool_calls.is_empty());
    assert!(
        turn.timing.connect_us.is_none() && results[0].turns[0].turn.timing.connect_us.is_some()
    );
    assert_eq!(gone(&project), 2);
}

#[tokio::test]
async fn tests_of_a_file_share_a_server_if_they_are_to() {
    let shared = McpTarget {
        isolation: Isolation::File,
        ..server(&script(COUNTS))
    };
    let (project, mut plan) = planned(shared, &[("a", ONE), ("b", ONE), ("c", ONE)]);
    for test in plan.tests.iter_mut().take(2) {
        test.file = Arc::from("cases.jsonl");
    }
    let (results, _) = run_live(&plan, options()).await;
    let mut texts: Vec<&str> = results
        .iter()
        .map(|result| result.turns[0].turn.text.as_str())
        .collect();
    texts.sort_unstable();
    assert_eq!(texts, ["Hi 1", "Hi 1", "Hi 2"]);
    assert_eq!(results[2].turns[0].turn.text, "Hi 1");
    assert_eq!(gone(&project), 2);
}

#[tokio::test]
async fn an_answer_that_is_given_once_is_given_once_to_each_test() {
    let shared = McpTarget {
        isolation: Isolation::File,
        elicitation: vec![McpAnswer {
            when: Some(text("which date")),
            once: true,
            action: ElicitAction::Accept,
            content: None,
        }],
        ..server(&script(ASKS))
    };
    let (project, mut plan) = planned(shared, &[("a", TWO), ("b", TWO)]);
    for test in &mut plan.tests {
        test.file = Arc::from("cases.jsonl");
    }
    let (results, _) = run_live(&plan, options()).await;
    assert_snapshot!(shown(&results), @"
    the a test: PASSED · 2 turns, 1 checks
        the server asked the user `Which date?`; no answer of `elicitation` fits, so it was declined
    the b test: PASSED · 2 turns, 1 checks
        the server asked the user `Which date?`; no answer of `elicitation` fits, so it was declined
    ");
    for result in &results {
        let said = result.turns.iter().map(|judged| judged.turn.text.as_str());
        assert_eq!(said.collect::<Vec<_>>(), ["accept", "decline"]);
    }
    assert_eq!(gone(&project), 1);
}

#[tokio::test]
async fn a_shared_server_that_does_not_want_to_leave_is_told_of_with_the_last_test() {
    let stubborn = format!(
        "trap '' TERM\n{}\nwhile :; do sleep 0.05; done",
        script(COUNTS)
    );
    let shared = McpTarget {
        isolation: Isolation::File,
        ..server(&stubborn)
    };
    let (project, plan) = planned(shared, &[("a", ONE)]);
    let (results, _) = run_live(&plan, options()).await;
    assert_snapshot!(shown(&results), @"
    the a test: PASSED · 1 turns, 1 checks
        `sh` went on after its stdin was closed; it was ended with SIGKILL
    ");
    assert_eq!(gone(&project), 1);
}

#[tokio::test]
async fn nobody_is_left_when_the_user_stops_the_run() {
    let (project, plan) = planned(
        server(&script("echo $$ >> called; sleep 30")),
        &[("a", ONE), ("b", ONE)],
    );
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let called = project.path("called");
    let mut watching = JoinSet::new();
    watching.spawn(async move {
        let mut pause = tokio::time::interval(Duration::from_millis(10));
        while std::fs::read_to_string(&called).map_or(0, |called| called.lines().count()) < 2 {
            pause.tick().await;
        }
        stop.cancel();
    });
    let running = run_until(&plan, options(), cancel);
    let (results, _) = tokio::time::timeout(Duration::from_secs(20), running)
        .await
        .unwrap();
    watching.join_next().await.unwrap().unwrap();
    assert_snapshot!(shown(&results), @"
    the a test: SKIPPED turn 1: interrupted · 1 turns, 0 checks
        `sh` went on after its stdin was closed; it was ended with SIGTERM
    the b test: SKIPPED turn 1: interrupted · 1 turns, 0 checks
        `sh` went on after its stdin was closed; it was ended with SIGTERM
    ");
    assert_eq!(gone(&project), 2);
}

#[tokio::test]
async fn a_turn_asks_what_it_says() {
    let (_project, mut plan) = planned(server(&script(COUNTS)), &[("a", TWO)]);
    let turns = &mut plan.tests[0].turns;
    turns[0].action = TurnAction::Ask(Box::new(ServerAsk::List(Some(McpListed::Tools))));
    turns[1].action = TurnAction::Ask(Box::new(ServerAsk::Call {
        tool: text("${SHOP}"),
        args: Some(super::json(json!({"a": "${SHOP}"}))),
    }));
    let (results, _) = run_live(&plan, options()).await;
    assert_snapshot!(shown(&results), @"the a test: PASSED · 2 turns, 1 checks");
    let turns = results[0].turns.iter();
    let said: Vec<String> = turns
        .map(|judged| format!("{} {:?}", judged.turn.kind, judged.turn.text))
        .collect();
    assert_snapshot!(said.join("\n"), @r#"
    mcp:list "ask"
    mcp:call "Hi 1"
    "#);
    let call = &results[0].turns[1].turn.tool_calls[0];
    assert_snapshot!(format!("{}({})", call.name, call.args_text), @r#"Corner({"a":"Corner"})"#);
}

#[tokio::test]
async fn calls_of_an_agent_behind_the_tool_are_those_of_the_turn() {
    let call = r#"say '"result":{"content":[{"type":"text","text":"done"}],"structuredContent":{"toolCalls":[{"id":"c1","name":"pay","args":{"sum":3},"result":"ok"}]}}'"#;
    let mut target = server(&script(call));
    let tool = target.user_tool.as_mut().unwrap();
    tool.tool_calls = Some("/structuredContent/toolCalls".to_owned());
    let test = "turns: [{user: Hello}]\nassert: {tools: {require: [{name: pay}], forbid: [ask]}}\n";
    let results = run(protocol(target.clone()), &[("a", test)]).await;
    assert_snapshot!(shown(&results), @"the a test: PASSED · 1 turns, 2 checks");
    let turn = &results[0].turns[0].turn;
    assert_snapshot!(Value::from_iter(turn.messages.iter().map(|message| message["role"].clone())), @r#"["user","assistant","tool","assistant"]"#);
    target.user_tool.as_mut().unwrap().tool_calls = Some("/structuredContent/calls".to_owned());
    let results = run(protocol(target), &[("a", test)]).await;
    assert_snapshot!(shown(&results), @"
    the a test: INCONCLUSIVE · 1 turns, 2 checks
        `userTool.toolCalls`: the result has nothing at `/structuredContent/calls`
    ");
}

#[tokio::test]
async fn a_case_says_its_last_words() {
    let (project, _) = planned(server(""), &[("a", ONE)]);
    let mut plan = project.case(
        json!([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}, {"role": "user", "content": "Bye"}]),
        &[],
    );
    plan.tests[0].target = super::target(protocol(server(&script(COUNTS))));
    let (results, _) = run_live(&plan, options()).await;
    assert_snapshot!(shown(&results), @"
    the a test: PASSED · 1 turns, 1 checks
        the tool got the last message of the user alone, out of 3 messages
    ");
    let turn = &results[0].turns[0].turn;
    assert_snapshot!(format!("{} {:?} {}", turn.kind, turn.user, turn.requests[0]["params"]), @r#"messages Some("Bye") {"_meta":{"progressToken":1},"name":"ask","arguments":{"question":"Bye"}}"#);
}

#[tokio::test]
async fn servers_that_do_not_do_their_duty_fail_tests_and_say_why() {
    let told = async |target: McpTarget| {
        let (_project, plan) = planned(target, &[("a", ONE)]);
        let (results, _) = run_live(&plan, options()).await;
        format!("{} {:?}", shown(&results), results[0].reach)
    };
    let dies = "echo 'no module named shop' >&2; exit 3";
    assert_snapshot!(told(server(dies)).await, @"
    the a test: ERROR turn 1: `sh` ended (exit status: 3) before it was connected; stderr: no module named shop · 1 turns, 0 checks
        stderr: no module named shop Reached
    ");
    let dies_later = script("echo 'out of memory' >&2; exit 4");
    assert_snapshot!(told(server(&dies_later)).await, @"
    the a test: ERROR turn 1: `sh` ended (exit status: 4) before the answer came; stderr: out of memory · 1 turns, 0 checks
        stderr: out of memory Reached
    ");
    let silent = McpTarget {
        connect_timeout_ms: 300,
        ..server("read -r line; sleep 30")
    };
    assert_snapshot!(told(silent).await, @"the a test: TIMEOUT turn 1: timeout after 300ms (connect_timeout_ms): the server had not said a word · 1 turns, 0 checks Reached");
    let slow = McpTarget {
        timeout_ms: 300,
        ..server(&script("sleep 30"))
    };
    assert_snapshot!(told(slow).await, @"
    the a test: TIMEOUT turn 1: timeout after 300ms (timeout_ms): no message came before · 1 turns, 0 checks
        `sh` went on after its stdin was closed; it was ended with SIGTERM Reached
    ");
    let floods = script("yes '{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}'");
    assert_snapshot!(told(server(&floods)).await, @"the a test: ERROR turn 1: the server sent more than 1048576 bytes (limits.turn_bytes) · 1 turns, 0 checks Reached");
    let refuses = script(r#"say '"error":{"code":-32602,"message":"no such tool"}'"#);
    assert_snapshot!(told(server(&refuses)).await, @"the a test: ERROR turn 1: the agent ended with an error: no such tool (-32602) · 1 turns, 0 checks Reached");
    let fails =
        script(r#"say '"result":{"isError":true,"content":[{"type":"text","text":"broken"}]}'"#);
    assert_snapshot!(told(server(&fails)).await, @"the a test: ERROR turn 1: the agent ended with an error: broken (isError) · 1 turns, 0 checks Reached");
}

#[tokio::test]
async fn a_server_that_is_not_there_was_not_reached() {
    let mut missing = server("");
    if let ananke_model::plan::McpWay::Stdio { command, .. } = &mut missing.transport {
        *command = vec![text("./no-such-program")];
    }
    for target in [missing, remote("http://127.0.0.1:9/mcp")] {
        let (_project, plan) = planned(target, &[("a", ONE)]);
        let (results, _) = run_live(&plan, options()).await;
        assert_eq!(results[0].reach, Reach::Unreached);
        assert!(results[0].status.is_failure(), "{}", shown(&results));
    }
}

#[tokio::test]
async fn the_whole_test_has_no_more_time_than_it_has() {
    let options = RunOptions {
        test_timeout: Duration::from_millis(400),
        ..options()
    };
    let target = server("sleep 30");
    let results = run_with(protocol(target), &[("a", ONE)], options).await;
    assert_snapshot!(shown(&results), @"the a test: TIMEOUT turn 1: timeout after 400ms for the whole test (--timeout) · 1 turns, 0 checks");
}

#[tokio::test]
async fn turns_that_a_server_cannot_take_say_what_they_need() {
    let target = McpTarget {
        user_tool: None,
        ..server(&script(COUNTS))
    };
    let (_project, mut plan) = planned(target, &[("a", ONE), ("b", ONE)]);
    plan.tests[1].turns[0].action = TurnAction::Connect { allow_empty: true };
    let (results, _) = run_live(&plan, options()).await;
    assert_snapshot!(shown(&results), @"
    the a test: ERROR turn 1: a `user` turn on an `mcp` target calls a tool: set `userTool: {name, argument}` of the target · 1 turns, 0 checks
    the b test: ERROR turn 1: `agui:connect` needs an `agui` target: this one speaks MCP · 1 turns, 0 checks
    ");
    assert!(results.iter().all(|result| result.reach == Reach::NotTried));
}

#[tokio::test]
async fn a_token_that_was_fetched_is_shown_nowhere() {
    let token = r#"{"access_token": "tok-fetched-1", "expires_in": 600}"#;
    let peer = Peer::start(&[
        respond("200 OK", "application/json", token),
        respond("403 Forbidden", "text/plain", "not with tok-fetched-1"),
    ]);
    let target = McpTarget {
        auth: Some(TargetAuth::ClientCredentials {
            token_url: Some(text(&format!("{}/token", peer.host()))),
            client_id: text("me"),
            client_secret: text("s3cret-of-mine"),
            scopes: Vec::new(),
        }),
        ..remote(&format!("{}/mcp", peer.host()))
    };
    let results = run(protocol(target), &[("a", ONE)]).await;
    let told = shown(&results).replace(&peer.host(), "http://shop");
    assert_snapshot!(told, @"the a test: ERROR turn 1: HTTP 403 Forbidden from http://shop/mcp: not with [redacted access_token]; is `auth` right? · 1 turns, 0 checks");
    let all = json!(results).to_string();
    assert!(
        !all.contains("tok-fetched-1") && !all.contains("s3cret"),
        "{all}"
    );
}

/// A server that wants a token and says where it comes from; then it refuses everything.
fn wants_token(token_endpoint: &str) -> Peer {
    let challenge = "HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Bearer resource_metadata=\"/about\"\r\nconnection: close\r\n\r\n";
    let answer = |value: Value| respond("200 OK", "application/json", &value.to_string());
    Peer::start(&[
        challenge.to_owned(),
        answer(json!({"resource": "http://shop/mcp"})),
        answer(json!({"token_endpoint": token_endpoint})),
        answer(json!({"access_token": "tok-fetched-1"})),
        respond("403 Forbidden", "text/plain", "go away"),
    ])
}

#[tokio::test]
async fn a_server_says_where_its_tokens_come_from() {
    let asked = async |peer: &Peer| {
        let target = McpTarget {
            auth: Some(TargetAuth::ClientCredentials {
                token_url: None,
                client_id: text("me"),
                client_secret: text("s3cret-of-mine"),
                scopes: Vec::new(),
            }),
            ..remote(&format!("{}/mcp", peer.host()))
        };
        let results = run(protocol(target), &[("a", ONE)]).await;
        let told = shown(&results).replace(&peer.host(), "http://shop");
        format!("{told}\n{}", peer.requests().join("\n"))
    };
    assert_snapshot!(asked(&wants_token("/token")).await, @"
    the a test: ERROR turn 1: HTTP 403 Forbidden from http://shop/mcp: go away; is `auth` right? · 1 turns, 0 checks
    POST /mcp HTTP/1.1
    GET /about HTTP/1.1
    GET /.well-known/oauth-authorization-server HTTP/1.1
    POST /token HTTP/1.1
    POST /mcp HTTP/1.1
    ");
    // The secret goes to nobody whom the user did not name.
    assert_snapshot!(asked(&wants_token("https://tokens.example/token")).await, @"
    the a test: ERROR turn 1: where tokens come from: the server names `https://tokens.example/token`, which is another origin than its own; set `tokenUrl` of `auth` · 1 turns, 0 checks
    POST /mcp HTTP/1.1
    GET /about HTTP/1.1
    GET /.well-known/oauth-authorization-server HTTP/1.1
    ");
}
