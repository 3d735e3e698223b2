//! Who asks, and how the agent is told.

use std::path::Path;

use ananke_model::plan::Protocol;
use insta::assert_snapshot;

use super::targets::CHECKED;
use crate::testing::{CONFIG, Suite, problems, target_problems};
use crate::{Asking, Loaded};

/// A case with more keys.
fn case(keys: &str) -> String {
    format!(
        "{{\"id\": \"a\", \"input\": \"hi\", \"assert\": {{\"type\": \"contains\", \"value\": \"x\"}}{keys}}}\n"
    )
}

/// Returns what the first test sends, and what is wrong.
fn sent(loaded: &Loaded) -> String {
    let mut lines = Vec::new();
    if let Some(test) = loaded.plan.tests.first() {
        let Protocol::Agui(agui) = &test.target.protocol else {
            panic!("an AG-UI target")
        };
        let props = agui.forwarded_props.as_ref();
        lines.extend(props.map(|json| json.value.to_string()));
        let context = agui.context.iter();
        lines.extend(context.map(|(name, value)| format!("context {}={}", name.text, value.text)));
        let headers = agui.headers.iter();
        lines.extend(headers.map(|(name, value)| format!("header {name}={}", value.text)));
    }
    lines.extend((!loaded.diagnostics.is_empty()).then(|| problems(loaded)));
    lines.join("\n")
}

/// Loads one case with a target that has more keys.
fn loaded(target: &str, keys: &str, ctx: &str, asking: Asking<'static>) -> Loaded {
    let mut suite = Suite::new(&[
        ("ananke.config.yaml", &format!("{CONFIG}{target}")),
        ("tests/a.jsonl", &case(keys)),
        ("ctx.json", ctx),
    ]);
    suite.asking = asking;
    if !ctx.is_empty() {
        suite.asking.ctx = Some(Path::new("ctx.json"));
    }
    suite.load()
}

fn told(target: &str, keys: &str, ctx: &str) -> String {
    sent(&loaded(target, keys, ctx, Asking::default()))
}

/// Returns user and team of the run and of the case.
fn askers(keys: &str, ctx: &str, user: Option<&'static str>, team: Option<&'static str>) -> String {
    let asking = Asking {
        user,
        team,
        ..Asking::default()
    };
    let loaded = loaded("", keys, ctx, asking);
    let run = loaded.plan.identity.as_ref().unwrap();
    let case = &loaded.plan.tests[0].case.as_ref().unwrap().identity;
    format!(
        "{}/{} {}/{}{}",
        run.user_id,
        run.team_id,
        case.user_id,
        case.team_id,
        problems(&loaded)
    )
}

#[test]
fn the_file_wins_over_flags_over_the_case_over_the_defaults() {
    let keys = ", \"user\": \"case-u\", \"team\": \"case-t\"";
    assert_snapshot!(askers("", "", None, None), @"test-user/test-team test-user/test-team");
    assert_snapshot!(askers(keys, "", None, None), @"test-user/test-team case-u/case-t");
    assert_snapshot!(askers(keys, "", Some("flag-u"), None), @"flag-u/test-team flag-u/case-t");
    let ctx = "{\"authorized\": {\"team_id\": \"file-t\"}}";
    assert_snapshot!(askers(keys, ctx, Some("flag-u"), Some("flag-t")), @"flag-u/file-t flag-u/file-t");
}

#[test]
fn a_case_tells_everything_that_is_known() {
    assert_snapshot!(told("", "", ""), @r#"{"user_id":"test-user","team_id":"test-team","locale":"en-us","referer":"test","accept":"standard","client":{"type":"test","ip":"127.0.0.1"}}"#);
    let ctx = r#"{
	"authorized": {"sub": "s", "client_id": "c", "scope": "", "session_id": "x", "user_id": "u", "team_id": "t", "tenant_id": "n", "remember_me": false,
		"constraints": {"owner_only": false, "creator_only": false, "editor_only": true, "team_only": true, "extra": {"region": "us"}}},
	"metadata": {"a": 1, "b": 1, "c": 1},
	"client": {"type": "web", "user_agent": "Mozilla", "ip": "10.0.0.1"},
	"locale": "zh-cn", "referer": "https://r", "accept": "json"
}"#;
    let keys = ", \"metadata\": {\"b\": 2, \"c\": 2}, \"options\": {\"metadata\": {\"c\": 3}}";
    assert_snapshot!(told("", keys, ctx), @r#"{"user_id":"u","team_id":"t","locale":"zh-cn","referer":"https://r","accept":"json","client":{"type":"web","ip":"10.0.0.1","user_agent":"Mozilla"},"authorized":{"sub":"s","client_id":"c","session_id":"x","tenant_id":"n","scope":"","remember_me":false,"constraints":{"owner_only":false,"creator_only":false,"editor_only":true,"team_only":true,"extra":{"region":"us"}}},"metadata":{"a":1,"b":2,"c":3}}"#);
    // The subject is the user if the file does not say otherwise.
    let subject = told(
        "",
        ", \"user\": \"me\"",
        "{\"authorized\": {\"scope\": \"read\"}}",
    );
    assert!(
        subject.contains(r#""authorized":{"sub":"me","scope":"read"}"#),
        "{subject}"
    );
}

#[test]
fn the_conversation_is_told_to_scripts_alone() {
    let ctx = r#"{"chat_id": "chat-42"}"#;
    let loaded = loaded("", "", ctx, Asking::default());
    let identity = loaded.plan.identity.as_ref().unwrap();
    assert_eq!(identity.chat_id.as_deref(), Some("chat-42"));
    assert_eq!(sent(&loaded), told("", "", ""));
}

#[test]
fn a_yaml_test_tells_who_asks_if_somebody_says_so() {
    let yaml = |target: &str, user| {
        let mut suite = Suite::new(&[
            ("ananke.config.yaml", &format!("{CONFIG}{target}")),
            ("t.test.yaml", CHECKED),
        ]);
        suite.asking.user = user;
        let loaded = suite.load();
        format!("{} {}", loaded.plan.identity.is_some(), sent(&loaded))
    };
    assert_snapshot!(yaml("", None), @"false ");
    assert_snapshot!(yaml("  identity: {forwardedProps: {who: user_id}}\n", None), @r#"true {"who":"test-user"}"#);
    assert_snapshot!(yaml("  identity: {forwardedProps: {who: user_id}}\n", Some("me")), @r#"true {"who":"me"}"#);
    assert_snapshot!(yaml("", Some("me")), @r#"true {"user_id":"me","team_id":"test-team","locale":"en-us","referer":"test","accept":"standard","client":{"type":"test","ip":"127.0.0.1"}}"#);
}

#[test]
fn the_config_says_how_the_agent_is_told() {
    let keys = ", \"user\": \"me\", \"metadata\": {\"trace\": 7}";
    let renamed = "  identity: {forwardedProps: {auth.user: user_id, auth.team: team_id, net: client, agent: client.user_agent}}\n";
    assert_snapshot!(told(renamed, keys, ""), @r#"{"auth":{"user":"me","team":"test-team"},"net":{"type":"test","ip":"127.0.0.1"}}"#);
    let elsewhere = "  identity: {forwardedProps: false, context: {the language: locale, client: client}, headers: {X-User: user_id, X-Trace: metadata.trace}}\n";
    assert_snapshot!(told(elsewhere, keys, ""), @r#"
    context the language=en-us
    context client={"type":"test","ip":"127.0.0.1"}
    header X-User=me
    header X-Trace=7
    "#);
    assert_snapshot!(told("  identity: false\n", "", ""), @"");
    assert_snapshot!(told("  identity: false\n", keys, ""), @"ananke.config.yaml:3:3 warning the target has `identity: false`: the agent is not told who asks");
    assert!(told("  identity: true\n", "", "").contains("\"user_id\":\"test-user\""));
    assert!(
        told(
            "  identity: {forwardedProps: true, headers: {A: locale}}\n",
            "",
            ""
        )
        .contains("\"user_id\":\"test-user\"")
    );
}

#[test]
fn what_the_target_says_itself_stays() {
    let own =
        "  forwardedProps: {user_id: fixed, metadata: {tenant: blue}, client: {ip: 10.0.0.9}}\n";
    assert_snapshot!(told(own, "", ""), @r#"{"user_id":"fixed","team_id":"test-team","locale":"en-us","referer":"test","accept":"standard","client":{"type":"test","ip":"10.0.0.9"},"metadata":{"tenant":"blue"}}"#);
    assert_snapshot!(told(own, ", \"user\": \"me\", \"metadata\": {\"tenant\": \"red\", \"n\": 1}", ""), @r#"
    {"user_id":"fixed","team_id":"test-team","locale":"en-us","referer":"test","accept":"standard","client":{"type":"test","ip":"10.0.0.9"},"metadata":{"tenant":"blue","n":1}}
    ananke.config.yaml:5:19 warning `forwardedProps.user_id` of the target hides what a flag, a context file or a case says | the agent gets this instead | leave it out here, or send the other under another name with `identity`
    ananke.config.yaml:5:19 warning `forwardedProps.metadata.tenant` of the target hides what a flag, a context file or a case says | the agent gets this instead | leave it out here, or send the other under another name with `identity`
    "#);
    assert_snapshot!(told("  forwardedProps: [1]\n", ", \"user\": \"me\"", ""), @r"
    [1]
    ananke.config.yaml:5:19 warning `forwardedProps`, which is no map, of the target hides what a flag, a context file or a case says | the agent gets this instead | leave it out here, or send the other under another name with `identity`
    ");
    let others = "  headers: {x-user: fixed}\n  context: [{description: lang, value: de}]\n  identity: {forwardedProps: false, headers: {X-User: user_id}, context: {lang: locale}}\n";
    assert_snapshot!(told(others, ", \"user\": \"me\"", ""), @r"
    context lang=de
    header x-user=fixed
    ananke.config.yaml:5:21 warning the header `X-User` of the target hides what a flag, a context file or a case says | the agent gets this instead | leave it out here, or send the other under another name with `identity`
    ");
}

#[test]
fn references_are_resolved_as_everywhere() {
    assert_snapshot!(told("", ", \"user\": \"${WHO}\"", ""), @r#"
    {"user_id":"${WHO}","team_id":"test-team","locale":"en-us","referer":"test","accept":"standard","client":{"type":"test","ip":"127.0.0.1"}}
    tests/a.jsonl:1:1 error `${WHO}` has no value |  | give it with `--var WHO=…`, print it from a hook, or write a default: `${WHO:-…}`
    "#);
    let flags = |user| {
        let asking = Asking {
            user: Some(user),
            team: Some(" "),
            ..Asking::default()
        };
        problems(&loaded("", "", "", asking))
    };
    assert_snapshot!(flags("${a b}"), @r"
    - error -u: `${a b}` holds something that is not a reference |  | there are `${NAME}`, `${ENV.NAME}` and `${NAME:-default}`; `$${` is a literal `${`
    - error -t: the value is empty
    ");
}

#[test]
fn mistakes_in_the_context_file_are_named() {
    let wrong = |ctx: &str| problems(&loaded("", "", ctx, Asking::default()));
    assert_snapshot!(wrong("{\"locale\": 5, \"user_id\": \"u\", \"authorised\": {}, \"client\": {\"ipp\": \"x\"}}"), @r#"
    ctx.json:1:12 error expected text, found the number `5` |  | put it in quotes: "5"
    ctx.json:1:15 error unknown key `user_id` in a context file | expected `authorized`, `metadata`, `client`, `locale`, `referer`, `accept` or `chat_id` | write `user_id` under `authorized`
    ctx.json:1:31 error unknown key `authorised` in a context file | expected `authorized`, `metadata`, `client`, `locale`, `referer`, `accept` or `chat_id` | did you mean `authorized`?
    ctx.json:1:60 error unknown key `ipp` in `client` | expected `type`, `user_agent` or `ip`
    "#);
    assert_snapshot!(wrong("{\"authorized\": {\"remember_me\": \"no\", \"constraints\": {\"extra\": 1, \"team\": true}}, \"metadata\": []}"), @r"
    ctx.json:1:32 error expected `true` or `false`, found text
    ctx.json:1:63 error expected a map, found the number `1`
    ctx.json:1:66 error unknown key `team` in `constraints` | expected `owner_only`, `creator_only`, `editor_only`, `team_only` or `extra`
    ctx.json:1:94 error expected a map, found a list
    ");
    assert_snapshot!(wrong("{\"locale\": \"en\"} {\"locale\": \"de\"}"), @"ctx.json:1:18 error a context file holds one object, found another");
    assert_snapshot!(wrong("[1]"), @"ctx.json:1:1 error expected a map, found a list | expected `authorized`, `metadata`, `client`, `locale`, `referer`, `accept` or `chat_id`");
    assert_snapshot!(wrong(" \n"), @r#"ctx.json:1:1 error the context file is empty |  | write `{"authorized": {"user_id": "admin"}}`"#);
    let broken = wrong("{\"locale\": \"en\",}");
    assert!(broken.starts_with("ctx.json:1:"), "{broken}");
    let named = |path: &'static str| {
        let asking = Asking {
            ctx: Some(Path::new(path)),
            ..Asking::default()
        };
        problems(&loaded("", "", "", asking))
    };
    assert_snapshot!(named("ctxx.json"), @"- error --ctx: the context file `ctxx.json` is not there |  | did you mean `ctx.json`?");
    assert_snapshot!(named("tests"), @"- error --ctx: the context file `tests` is a folder |  | `ananke schema context` says what it may hold");
}

#[test]
fn mistakes_in_the_mapping_are_named() {
    assert_snapshot!(target_problems("  identity: {forwardedProps: {a: user, b: ip, c: locale, c.d: team_id, .e: accept}, headers: {'X Y': user_id}}\n"), @r"
    ananke.config.yaml:5:34 error unknown field `user` | expected `user_id`, `team_id`, `locale`, `client`, `referer`, `accept`, `authorized`, `metadata` or `connector` | did you mean `user_id`?
    ananke.config.yaml:5:43 error unknown field `ip` | expected `user_id`, `team_id`, `locale`, `client`, `referer`, `accept`, `authorized`, `metadata` or `connector` | did you mean `client.ip`?
    ananke.config.yaml:5:58 error `c.d` lies inside `c` | which holds something else, ananke.config.yaml:5
    ananke.config.yaml:5:72 error `.e` is not a key | expected names with a dot between them, such as `auth.user`
    ananke.config.yaml:5:95 error `X Y` is not a header name | expected letters, digits and `-`
    ");
    assert_snapshot!(target_problems("  identity: {forwarded_props: {}, context: [user_id]}\n"), @r"
    ananke.config.yaml:5:14 error unknown key `forwarded_props` in `identity` | expected `forwardedProps`, `context` or `headers` | write `forwardedProps`
    ananke.config.yaml:5:44 error expected a map, found a list
    ");
    assert_snapshot!(target_problems("  identity: nobody\n"), @"ananke.config.yaml:5:13 error expected `true`, `false` or a map, found text");
    assert_snapshot!(target_problems("  identity: {forwardedProps: user_id}\n"), @"ananke.config.yaml:5:30 error expected `true`, `false` or a map, found text");
}
