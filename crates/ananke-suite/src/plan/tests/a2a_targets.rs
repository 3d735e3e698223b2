//! `type: a2a`: what targets become, and what is wrong with them.

use ananke_model::place::Text;
use ananke_model::plan::{A2aTarget, TargetAuth};
use insta::assert_snapshot;

use super::agent_targets::planned;

/// Returns everything that a target says, line by line; what is not said is left out.
pub(super) fn shown(target: &A2aTarget) -> String {
    let mut lines = vec!["a2a".to_owned()];
    let mut say = |key: &str, value: Option<String>| {
        lines.extend(value.map(|value| format!("  {key}: {value}")));
    };
    let text = |text: &Option<Text>| text.as_ref().map(|text| text.text.clone());
    let list = |texts: &[Text]| {
        let texts: Vec<_> = texts.iter().map(|text| text.text.as_str()).collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    };
    say("card_url", text(&target.card_url));
    say(
        "card",
        target.card.as_ref().map(|card| card.value.to_string()),
    );
    say("endpoint", text(&target.endpoint));
    say(
        "version",
        target.version.map(|version| format!("{version:?}")),
    );
    say(
        "binding",
        target.binding.map(|binding| format!("{binding:?}")),
    );
    say("tenant", text(&target.tenant));
    say("extensions", list(&target.extensions));
    say("context", text(&target.context_id));
    let ways = (target.blocking, target.stream, target.poll_ms);
    say("blocking, stream, poll", Some(format!("{ways:?}")));
    say("modes", list(&target.accepted_output_modes));
    say(
        "history",
        target.history_length.map(|length| length.to_string()),
    );
    say(
        "metadata",
        target.metadata.as_ref().map(|json| json.value.to_string()),
    );
    for rule in &target.tool_calls {
        say("rule", Some(format!("{rule:?}")));
    }
    say("auth", target.auth.as_ref().map(shown_auth));
    say(
        "other origin",
        target.allow_other_origin.then(|| "allowed".to_owned()),
    );
    for (name, value) in &target.headers {
        say("header", Some(format!("{name}={}", value.text)));
    }
    let limits = (target.timeout_ms, target.connect_timeout_ms);
    say("timeouts", Some(format!("{limits:?}")));
    say("tls", text(&target.tls.ca));
    lines.join("\n")
}

/// Returns who the client is.
pub(super) fn shown_auth(auth: &TargetAuth) -> String {
    let texts: Vec<_> = auth.texts().iter().map(|text| text.text.as_str()).collect();
    let kind = match auth {
        TargetAuth::ApiKey { place, .. } => format!("ApiKey {place:?}"),
        TargetAuth::Bearer(_) => "Bearer".to_owned(),
        TargetAuth::Basic { .. } => "Basic".to_owned(),
        TargetAuth::ClientCredentials { .. } => "ClientCredentials".to_owned(),
        TargetAuth::Mtls { .. } => "Mtls".to_owned(),
    };
    format!("{kind} {}", texts.join(" "))
}

fn of(target: &str) -> String {
    over(target, "")
}

fn over(target: &str, keys: &str) -> String {
    planned(
        &format!("version: 1.1\ntarget: {{type: a2a, {target}}}\n"),
        keys,
        None,
    )
}

#[test]
fn a_card_is_enough() {
    assert_snapshot!(of("agentCardUrl: 'http://h'"), @"
    None None a2a
      card_url: http://h
      blocking, stream, poll: (true, None, 500)
      timeouts: (120000, 10000)
    ");
    assert_snapshot!(of("endpoint: 'http://h/a2a'"), @"
    None None a2a
      endpoint: http://h/a2a
      blocking, stream, poll: (true, None, 500)
      timeouts: (120000, 10000)
    ");
    assert_snapshot!(of("agentCard: {name: Shop}, endpoint: 'http://h/a2a', stream: auto, protocolVersion: auto, binding: auto"), @r#"
    None None a2a
      card: {"name":"Shop"}
      endpoint: http://h/a2a
      blocking, stream, poll: (true, None, 500)
      timeouts: (120000, 10000)
    "#);
}

#[test]
fn every_key_comes_through() {
    assert_snapshot!(of("agentCardUrl: 'http://h', protocolVersion: 0.3, binding: HTTP+JSON, tenant: t, extensions: ['urn:x', 'urn:y'], contextId: c, blocking: false, stream: true, poll_ms: 7, acceptedOutputModes: [text/plain], historyLength: 0, metadata: {k: 1}, allowOtherOrigin: true, headers: {A: b}, timeout_ms: 5, connect_timeout_ms: 6, tls: {insecure: true}"), @r#"
    None None a2a
      card_url: http://h
      version: V03
      binding: HttpJson
      tenant: t
      extensions: urn:x urn:y
      context: c
      blocking, stream, poll: (false, Some(true), 7)
      modes: text/plain
      history: 0
      metadata: {"k":1}
      other origin: allowed
      header: A=b
      timeouts: (5, 6)
    "#);
    assert_snapshot!(of("endpoint: 'http://h', protocolVersion: '1.0', binding: JSONRPC, toolCalls: [{when: {metadata.type: tool_call, 'data[\"a.b\"]': 1}, id: data.id, name: 'data.calls[0].name', args: data.args, error: metadata.error}, {id: data.id, result: text}]"), @r#"
    None None a2a
      endpoint: http://h
      version: V1
      binding: JsonRpc
      blocking, stream, poll: (true, None, 500)
      rule: CallRule { when: [("/metadata/type", String("tool_call")), ("/data/a.b", Number(1))], id: Some("/data/id"), name: Some("/data/calls/0/name"), args: Some("/data/args"), result: None, error: Some("/metadata/error") }
      rule: CallRule { when: [], id: Some("/data/id"), name: None, args: None, result: Some("/text"), error: None }
      timeouts: (120000, 10000)
    "#);
}

#[test]
fn clients_say_who_they_are_in_every_way() {
    let auth = |auth: &str| {
        let shown = of(&format!("endpoint: 'http://h', auth: {auth}"));
        let lines = shown
            .lines()
            .filter(|line| !line.starts_with("  blocking") && !line.contains("timeouts"));
        lines.skip(2).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(auth("{scheme: apiKey, name: X-Key, value: k}"), @"  auth: ApiKey Header X-Key k");
    assert_snapshot!(auth("{scheme: apiKey, in: query, name: 'my key', value: 12345}"), @"  auth: ApiKey Query my key 12345");
    assert_snapshot!(auth("{scheme: apiKey, in: cookie, name: sid, value: k}"), @"  auth: ApiKey Cookie sid k");
    assert_snapshot!(auth("{scheme: bearer, token: t}"), @"  auth: Bearer t");
    assert_snapshot!(auth("{scheme: basic, user: u, password: 123}"), @"  auth: Basic u 123");
    assert_snapshot!(auth("{scheme: oauth2, clientId: c, clientSecret: s, tokenUrl: 'http://h/t', scopes: [a, b]}"), @"  auth: ClientCredentials http://h/t c s a b");
    assert_snapshot!(auth("{scheme: mtls, cert: t.test.yaml, key: t.test.yaml}"), @"  auth: Mtls t.test.yaml t.test.yaml");
}

#[test]
fn what_a_client_says_of_itself_is_checked() {
    let auth = |auth: &str| {
        of(&format!("endpoint: 'http://h', auth: {auth}"))
            .lines()
            .filter(|line| line.contains(" error "))
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_snapshot!(auth("{token: t}"), @"ananke.config.yaml:2:49 error `scheme` is missing in `auth` | expected `apiKey`, `bearer`, `basic`, `oauth2` or `mtls` | write `scheme: bearer`");
    assert_snapshot!(auth("{scheme: bearer}"), @r#"ananke.config.yaml:2:49 error `token` is missing in `auth` with `scheme: bearer` |  | write `token: "${ENV.TOKEN:-none}"`"#);
    assert_snapshot!(auth("{scheme: beare, token: t}"), @"ananke.config.yaml:2:58 error unknown word `beare` | expected `apiKey`, `bearer`, `basic`, `oauth2` or `mtls` | did you mean `bearer`?");
    assert_snapshot!(auth("{scheme: basic, token: t}"), @r#"
    ananke.config.yaml:2:49 error `user` is missing in `auth` with `scheme: basic` |  | write `user: tester`
    ananke.config.yaml:2:49 error `password` is missing in `auth` with `scheme: basic` |  | write `password: "${ENV.PASSWORD:-none}"`
    ananke.config.yaml:2:65 error unknown key `token` in `auth` with `scheme: basic` | expected `scheme`, `user` or `password`
    "#);
    assert_snapshot!(auth("{scheme: apiKey, in: body, name: 'a b', value: ''}"), @"
    ananke.config.yaml:2:70 error unknown word `body` | expected `header`, `query` or `cookie`
    ananke.config.yaml:2:82 error `a b` cannot name a header | expected letters, digits and `-`
    ");
    assert_snapshot!(auth("{scheme: bearer, token: \"a\\nb\"}"), @"ananke.config.yaml:2:73 error the key cannot have this value | it holds a line break or another control character");
    assert_snapshot!(auth("{scheme: oauth2, clientId: c, clientSecret: s, tokenUrl: 'h/t'}"), @"ananke.config.yaml:2:106 error the URL of the token is not an http or https URL | it does not begin with `http://` or `https://`");
    assert_snapshot!(auth("{scheme: mtls, cert: no.pem, key: no.key}"), @"
    ananke.config.yaml:2:70 error there is no file `no.pem` | expected a PEM file with the certificate of the client | the path is relative to the folder of the config
    ananke.config.yaml:2:83 error there is no file `no.key` | expected a PEM file with the key of the client | the path is relative to the folder of the config
    ");
    assert_snapshot!(auth("secret"), @r#"ananke.config.yaml:2:49 error expected a map with a `scheme`, found text |  | write `auth: {scheme: bearer, token: "${ENV.TOKEN}"}`"#);
    assert_snapshot!(auth("{scheme: bearer, token: '${ENV.NO_TOKEN}'}"), @"ananke.config.yaml:2:73 error `${ENV.NO_TOKEN}` has no value | the environment has no `NO_TOKEN` | set `NO_TOKEN`, or write a default: `${ENV.NO_TOKEN:-…}`");
}

#[test]
fn mistakes_are_told() {
    assert_snapshot!(of("timeout_ms: 5"), @r#"ananke.config.yaml:2:9 error nothing says where the agent of this `a2a` target is | expected `agentCardUrl`, `agentCard` or `endpoint` | write `agentCardUrl: "http://localhost:9999"`"#);
    assert_snapshot!(of("agentCardUrl: 5"), @r#"ananke.config.yaml:2:35 error expected text, found the number `5` |  | put it in quotes: "5""#);
    assert_snapshot!(of("agentCardUrl: 'http://h', agentCard: {name: Shop}"), @"ananke.config.yaml:2:58 error a target has `agentCardUrl` or `agentCard`, not both |  | leave one of them out; `endpoint` says where to speak to the agent, whatever its card says");
    assert_snapshot!(of("agentCardUrl: h:99"), @"
    None None a2a
      card_url: h:99
      blocking, stream, poll: (true, None, 500)
      timeouts: (120000, 10000)
    ananke.config.yaml:2:35 error the URL of the agent card is not an http or https URL | it does not begin with `http://` or `https://`
    ");
    assert_snapshot!(of("endpoint: 'ftp://h', protocolVersion: 0.2, binding: GRPC, stream: maybe, metadata: 5, agentCard: []"), @r#"
    ananke.config.yaml:2:59 error `0.2` is no version of A2A that ananke speaks | expected `auto`, `"1.0"` or `"0.3"` | write `protocolVersion: "0.3"`
    ananke.config.yaml:2:73 error unknown word `GRPC` | expected `auto`, `JSONRPC` or `HTTP+JSON`
    ananke.config.yaml:2:87 error expected `auto`, `true` or `false`, found text
    ananke.config.yaml:2:104 error expected a map, found the number `5`
    ananke.config.yaml:2:118 error expected a map, found a list
    "#);
    assert_snapshot!(of("endpoint: 'http://h', protocolVersion: '0.3.0'"), @r#"ananke.config.yaml:2:60 error `0.3.0` is no version of A2A that ananke speaks | expected `auto`, `"1.0"` or `"0.3"` | write `protocolVersion: "0.3"`"#);
    assert_snapshot!(of("endpoint: 'http://h', card: x, url: y, connectors: {}, identity: true"), @"
    None None a2a
      endpoint: http://h
      blocking, stream, poll: (true, None, 500)
      timeouts: (120000, 10000)
    ananke.config.yaml:2:43 error unknown key `card` in an `a2a` target | expected `type`, `agentCardUrl`, `agentCard`, `endpoint`, `protocolVersion`, `binding`, `tenant`, `extensions`, `contextId`, `blocking`, `stream`, `poll_ms`, `acceptedOutputModes`, `historyLength`, `metadata`, `allowOtherOrigin`, `toolCalls`, `auth`, `headers`, `timeout_ms`, `connect_timeout_ms`, `tls`, `limits`, `assert`, `concurrency`, `group` or `backoff_ms` | write `agentCardUrl`, or `agentCard` for the card itself
    ananke.config.yaml:2:52 error unknown key `url` in an `a2a` target | expected `type`, `agentCardUrl`, `agentCard`, `endpoint`, `protocolVersion`, `binding`, `tenant`, `extensions`, `contextId`, `blocking`, `stream`, `poll_ms`, `acceptedOutputModes`, `historyLength`, `metadata`, `allowOtherOrigin`, `toolCalls`, `auth`, `headers`, `timeout_ms`, `connect_timeout_ms`, `tls`, `limits`, `assert`, `concurrency`, `group` or `backoff_ms` | write `agentCardUrl`, or `endpoint`
    ananke.config.yaml:2:60 error unknown key `connectors` in an `a2a` target | expected `type`, `agentCardUrl`, `agentCard`, `endpoint`, `protocolVersion`, `binding`, `tenant`, `extensions`, `contextId`, `blocking`, `stream`, `poll_ms`, `acceptedOutputModes`, `historyLength`, `metadata`, `allowOtherOrigin`, `toolCalls`, `auth`, `headers`, `timeout_ms`, `connect_timeout_ms`, `tls`, `limits`, `assert`, `concurrency`, `group` or `backoff_ms` | an `a2a` target has no connectors; write another target
    ananke.config.yaml:2:76 error unknown key `identity` in an `a2a` target | expected `type`, `agentCardUrl`, `agentCard`, `endpoint`, `protocolVersion`, `binding`, `tenant`, `extensions`, `contextId`, `blocking`, `stream`, `poll_ms`, `acceptedOutputModes`, `historyLength`, `metadata`, `allowOtherOrigin`, `toolCalls`, `auth`, `headers`, `timeout_ms`, `connect_timeout_ms`, `tls`, `limits`, `assert`, `concurrency`, `group` or `backoff_ms` | an `a2a` target is not told who asks; write what it has to know in `metadata`
    ");
    assert_snapshot!(of("endpoint: 'http://h', toolCalls: [{when: {x: 1}, id: data.id}, {name: data..x}, {name: '${A}'}, {name: tool.name}, {args: data.args, nam: x}]"), @r#"
    None None a2a
      endpoint: http://h
      blocking, stream, poll: (true, None, 500)
      rule: CallRule { when: [], id: None, name: None, args: None, result: None, error: None }
      rule: CallRule { when: [], id: None, name: None, args: None, result: None, error: None }
      rule: CallRule { when: [], id: None, name: None, args: None, result: None, error: None }
      timeouts: (120000, 10000)
    ananke.config.yaml:2:55 error `name` is missing in a rule of `toolCalls` | the rule finds neither a tool nor a result | write `name: data.name`, or `id` and `result` for what ends a call
    ananke.config.yaml:2:63 error the path `x` leads nowhere | expected it to begin with `data`, `text` or `metadata` | write `data.x`, if it is in a data part
    ananke.config.yaml:2:91 error `data..x` is not a path | a name is missing | paths look like `data.name`, `items[0].id` or `metadata["odd.key"]`
    ananke.config.yaml:2:108 error `${A}` is not a path | a path holds no references | paths look like `data.name`, `items[0].id` or `metadata["odd.key"]`
    ananke.config.yaml:2:124 error the path `tool.name` leads nowhere | expected it to begin with `data`, `text` or `metadata` | write `data.tool.name`, if it is in a data part
    ananke.config.yaml:2:136 error `name` is missing in a rule of `toolCalls` | the rule finds neither a tool nor a result | write `name: data.name`, or `id` and `result` for what ends a call
    ananke.config.yaml:2:154 error unknown key `nam` in a rule of `toolCalls` | expected `when`, `id`, `name`, `args`, `result` or `error` | did you mean `name`?
    "#);
    assert_snapshot!(planned("version: 1.1\ntarget: {type: a2a, endpoint: 'http://h'}\n", "", Some("fast")), @r#"
    None Some("fast") a2a
      endpoint: http://h
      blocking, stream, poll: (true, None, 500)
      timeouts: (120000, 10000)
    - error -c: an `a2a` target has no connectors |  | leave the connector out
    "#);
}

#[test]
fn a_test_changes_its_agent() {
    let base = "agentCardUrl: 'http://base', endpoint: 'http://base/a2a', auth: {scheme: bearer, token: secret}, headers: {A: b}, stream: true";
    assert_snapshot!(over(base, "target: {stream: false, protocolVersion: 0.3}\n"), @"
    None None a2a
      card_url: http://base
      endpoint: http://base/a2a
      version: V03
      blocking, stream, poll: (true, Some(false), 500)
      auth: Bearer secret
      header: A=b
      timeouts: (120000, 10000)
    ");
    assert_snapshot!(over(base, "target: {contextId: c, stream: auto}\n"), @"
    None None a2a
      card_url: http://base
      endpoint: http://base/a2a
      context: c
      blocking, stream, poll: (true, None, 500)
      auth: Bearer secret
      header: A=b
      timeouts: (120000, 10000)
    ");
    // Secrets go to the host that they were written for.
    assert_snapshot!(over(base, "target: {endpoint: 'http://other'}\n"), @"
    None None a2a
      card_url: http://base
      endpoint: http://other
      blocking, stream, poll: (true, Some(true), 500)
      header: A=b
      timeouts: (120000, 10000)
    ");
    assert_snapshot!(over(base, "target: {agentCardUrl: 'http://other'}\n"), @"
    None None a2a
      card_url: http://other
      blocking, stream, poll: (true, Some(true), 500)
      header: A=b
      timeouts: (120000, 10000)
    ");
    assert_snapshot!(over(base, "target: {agentCard: {name: x}, endpoint: 'http://other', auth: {scheme: bearer, token: new}}\n"), @r#"
    None None a2a
      card: {"name":"x"}
      endpoint: http://other
      blocking, stream, poll: (true, Some(true), 500)
      auth: Bearer new
      header: A=b
      timeouts: (120000, 10000)
    "#);
    assert_snapshot!(over(base, "target: {command: [a]}\n"), @"t.test.yaml:5:10 error the target is of type `a2a`, which has no `command` | the target is at ananke.config.yaml:2");
}
