//! What scripts ask of the world.

use std::sync::Arc;
use std::time::Duration;

use ananke_model::plan::Protocol;
use ananke_model::result::Reach;
use ananke_script::Host as _;
use insta::assert_snapshot;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::Scripts;
use crate::dispatch::RunOptions;
use crate::script::RunHost;
use crate::speakers::tests::{Peer, respond, shell, target, text};
use crate::testing::{agent, options, run_live, shown};
use crate::world::{World, WorldParts};

#[tokio::test]
async fn functions_talk_to_agents_and_that_is_recorded() {
    let mut scripts = Scripts::new(&[(
        "a_test.ts",
        "\
function TestAsks(t, ctx) {
  const said = Process('agents.shop.Stream', ctx, [{role: 'user', content: 'Hello'}]);
  t.assert.Equal(said.content, 'Hi there');
  t.assert.Equal(said.text, 'Hi there');
  t.assert.Equal(said.status, 'finished');
  t.assert.Equal(said.next, null);
  t.assert.Equal(said.tool_calls.length, 0);
}
function TestAsksNobody(t) { t.assert.True(true) }
function TestAsksWhoIsNotThere(t, ctx) { Process('agents.none.Stream', ctx, 'Hello') }
function TestAsksWhoCannotBeUsed(t, ctx) { Process('agents.broken.Stream', ctx, 'Hello') }
",
    )]);
    scripts.agent("shop", "Hi there");
    let why = "its folder has no connector".to_owned();
    scripts
        .plan
        .scripts
        .agents
        .insert("broken".to_owned(), Err(why));
    let (results, _) = run_live(&scripts.plan, options()).await;
    let reasons: Vec<String> = results
        .iter()
        .map(|result| format!("{:?} {:?}", result.status, result.reason))
        .collect();
    assert_snapshot!(reasons.join("\n"), @r#"
    Passed None
    Passed None
    Error Some("there is no agent `none`; there are `broken`, `shop`: name one of them, or add it under `agents:` of the config")
    Error Some("its folder has no connector")
    "#);
    assert_eq!(results[0].turns[0].turn.user.as_deref(), Some("Hello"));
    assert_eq!(results[0].reach, Reach::Reached);
    assert_eq!(results[1].reach, Reach::NotTried);
}

#[tokio::test]
async fn agents_that_are_not_there_are_named() {
    let mut scripts = Scripts::new(&[(
        "a_test.ts",
        "\
function TestJudge(t) { t.assert.Agent('Hi', 'nobody', {criteria: 'is polite'}) }
function TestNear(t) { t.assert.Agent('Hi', 'shpo', {criteria: 'is polite'}) }
function TestNearProcess(t, ctx) { Process('agents.shpo.Stream', ctx, 'Hello') }
function TestOptions(t, ctx) { Process('agents.shop.Stream', ctx, 'Hello', 5) }
function TestContext(t) { Process('agents.shop.Stream', 5, 'Hello') }
",
    )]);
    scripts.agent("shop", "Hi there");
    let (results, _) = run_live(&scripts.plan, options()).await;
    let reasons: Vec<String> = results
        .iter()
        .map(|result| format!("{:?} {:?}", result.status, result.reason))
        .collect();
    assert_snapshot!(reasons.join("\n"), @r#"
    Inconclusive Some("there is no agent `nobody`; there are `shop`: name one of them, or add it under `agents:` of the config")
    Inconclusive Some("there is no agent `shpo`: did you mean `shop`?")
    Error Some("there is no agent `shpo`: did you mean `shop`?")
    Error Some("options has to be an object, not 5")
    Error Some("ctx has to be an object, not 5")
    "#);
}

#[tokio::test]
async fn agents_that_do_not_answer_in_time_are_a_timeout() {
    let mut scripts = Scripts::new(&[
        (
            "scripts/loops.ts",
            "export function Loops() { for (;;) {} }\n",
        ),
        (
            "a_test.ts",
            "\
function TestHangs(t, ctx) { Process('agents.hang.Stream', ctx, 'Hello') }
function TestLoops(t, ctx) { Process('agents.loops.Stream', ctx, 'Hello') }
",
        ),
    ]);
    let hang = Protocol::Command(Box::new(shell("sleep 20")));
    let loops = scripts.protocol("scripts/loops.ts", None);
    for (id, protocol) in [("hang", hang), ("loops", loops)] {
        let agents = &mut scripts.plan.scripts.agents;
        agents.insert(id.to_owned(), Ok(target(protocol)));
    }
    let how = RunOptions {
        test_timeout: Duration::from_secs(1),
        ..options()
    };
    let (results, _) = run_live(&scripts.plan, how).await;
    let reasons: Vec<String> = results
        .iter()
        .map(|result| format!("{:?} {:?}", result.status, result.reason))
        .collect();
    assert_snapshot!(reasons.join("\n"), @r#"
    Timeout Some("timeout after 1s: the agent `hang` had not answered")
    Timeout Some("timeout after 1s: the agent `loops` had not answered")
    "#);
}

#[tokio::test]
async fn judges_are_asked_and_their_words_kept() {
    let mut scripts = Scripts::new(&[(
        "a_test.ts",
        "\
function TestKind(t) { t.assert.Agent('Hi', 'kind', {criteria: 'is polite'}) }
function TestRude(t) { t.assert.Agent('Hi', 'rude', {criteria: 'is polite'}) }
function TestVague(t) { t.assert.Agent('Hi', 'vague', {criteria: 'is polite'}) }
",
    )]);
    scripts.agent("kind", r#"{"passed": true, "reason": "fine"}"#);
    scripts.agent("rude", r#"{"passed": false, "reason": "no greeting"}"#);
    scripts.agent("vague", "Hm.");
    let (results, _) = run_live(&scripts.plan, options()).await;
    let reasons: Vec<String> = results
        .iter()
        .map(|result| format!("{:?} {:?}", result.status, result.reason))
        .collect();
    assert_snapshot!(reasons.join("\n"), @r#"
    Passed None
    Failed Some("assertion failed: no greeting")
    Inconclusive Some("its reply is not JSON with `passed` and `reason`: Hm.")
    "#);
    let record = results[0].script.as_ref().unwrap();
    assert_eq!(record.opinions[0].about["agent"], "kind");
    assert_eq!(record.opinions[0].samples[0].passed, Some(true));
}

#[tokio::test]
async fn scripts_call_functions_of_other_scripts() {
    let scripts = Scripts::new(&[
        (
            "scripts/orders.ts",
            "export function Find(id) { return {id, open: true} }\n",
        ),
        (
            "assistants/shop/src/tools.ts",
            "function Price(name) { return name.length }\n",
        ),
        (
            "a_test.ts",
            "\
function TestScript(t) { t.assert.Equal(Process('scripts.orders.Find', 7).id, 7) }
function TestTool(t) { t.assert.Equal(Process('agents.shop.tools.Price', 'tea'), 3) }
function TestNone(t) { Process('scripts.none.Find', 7) }
",
        ),
    ]);
    let (results, _) = run_live(&scripts.plan, options()).await;
    let reasons: Vec<String> = results
        .iter()
        .map(|result| format!("{:?} {:?}", result.status, result.reason))
        .collect();
    assert_snapshot!(reasons.join("\n"), @r#"
    Passed None
    Passed None
    Error Some("there is no script for `scripts.none.Find`: looked for scripts/none.ts (and .js)")
    "#);
}

#[tokio::test]
async fn hosts_that_were_granted_can_be_reached() {
    let agent = agent(json!({"rules": [{"reply": [{"text": "Hi"}]}]})).await;
    let host = agent.url.trim_start_matches("http://");
    let host = host.split('/').next().unwrap().to_owned();
    let url = agent.url.clone();
    let file = format!(
        "async function TestFetch(t) {{\n  const answer = await fetch('{url}', {{method: 'POST', body: '{{}}', headers: {{'content-type': 'application/json'}}}});\n  t.assert.NotNil(answer.status);\n}}\n"
    );
    let mut scripts = Scripts::new(&[("a_test.ts", &file)]);
    let (results, _) = run_live(&scripts.plan, options()).await;
    assert!(results[0].status.is_failure(), "{}", shown(&results));
    scripts.plan.scripts.grants.net = vec![text(&host)];
    let (results, _) = run_live(&scripts.plan, options()).await;
    assert_snapshot!(shown(&results), @"TestFetch: PASSED · 0 turns, 0 checks");
}

#[tokio::test]
async fn the_host_answers_small_questions() {
    let mut scripts = Scripts::new(&[]);
    scripts.plan.scripts.grants.env = vec!["REGION".to_owned()];
    let mut how = options();
    let given = [("REGION", "eu"), ("API_KEY", "k")];
    let given = given.map(|(name, value)| (name.to_owned(), value.to_owned()));
    how.variables.environment.extend(given);
    let world = World::new(WorldParts {
        plan: Arc::new(scripts.plan.clone()),
        variables: how.variables,
        redactor: how.redactor,
        proxies: how.proxies,
        rate: None,
        backoff: None,
        unix_ms: how.unix_ms,
        cancel: CancellationToken::new(),
        cwd: &how.cwd,
        coverage: false,
    });
    let host = RunHost::new(&world, 0);
    assert_eq!(host.env("REGION").as_deref(), Some("eu"));
    assert_eq!(host.env("API_KEY"), None);
    assert_eq!(host.matches("/HI/i", "oh hi"), Ok(true));
    assert!(host.matches("(", "x").is_err());
    let value = json!({"a": [1]});
    assert_eq!(host.json_path(&value, "a[0]"), Ok(Some(json!(1))));
}

#[tokio::test]
async fn redirects_are_followed_to_hosts_that_were_granted() {
    let to = |url: &str| {
        format!(
            "HTTP/1.1 302 Found\r\nlocation: {url}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        )
    };
    let ok = respond("200 OK", "text/plain", "Hi");
    let away = to("http://localhost:9/secret");
    let peer = Peer::start(&[to("/next"), ok, away.clone(), away]);
    let url = peer.host();
    let host = url.trim_start_matches("http://").trim_end_matches('/');
    let file = format!(
        "async function TestHere(t) {{ t.assert.Equal(await (await fetch('{url}')).text(), 'Hi'); }}
async function TestManual(t) {{ t.assert.Equal((await fetch('{url}', {{redirect: 'manual'}})).status, 302); }}
async function TestAway(t) {{ await fetch('{url}'); }}
"
    );
    let mut scripts = Scripts::new(&[("a_test.ts", &file)]);
    scripts.plan.scripts.grants.net = vec![text(host)];
    let (results, _) = run_live(&scripts.plan, options()).await;
    assert_snapshot!(shown(&results).replace(host, "HOST"), @r#"
    TestHere: PASSED · 0 turns, 0 checks
    TestManual: PASSED · 0 turns, 0 checks
    TestAway: ERROR TypeError: fetch failed: redirected, and the host `localhost:9` is not granted to scripts; grant it in the config: scripts: {net: ["localhost:9"]} · 0 turns, 0 checks
        at a_test.ts:3:16
          1 | async function TestHere(t) { t.assert.Equal(await (await fetch('http://HOST')).text(), 'Hi'); }
          2 | async function TestManual(t) { t.assert.Equal((await fetch('http://HOST', {redirect: 'manual'})).status, 302); }
        > 3 | async function TestAway(t) { await fetch('http://HOST'); }
            |                ^
          4 |
    "#);
}
