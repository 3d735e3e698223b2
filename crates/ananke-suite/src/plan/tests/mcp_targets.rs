//! `type: mcp`: what targets become, and what is wrong with them.

use ananke_model::plan::{McpTarget, McpWay};
use insta::assert_snapshot;

use super::a2a_targets::shown_auth;
use super::agent_targets::planned;

/// Returns everything that a target says, line by line; what is not said is left out.
pub(super) fn shown(target: &McpTarget) -> String {
    let mut lines = vec!["mcp".to_owned()];
    let mut say = |key: &str, value: Option<String>| {
        lines.extend(value.map(|value| format!("  {key}: {value}")));
    };
    match &target.transport {
        McpWay::Stdio { command, cwd, env } => {
            let command: Vec<_> = command.iter().map(|word| word.text.as_str()).collect();
            say("stdio", Some(command.join(" ")));
            say("cwd", cwd.as_ref().map(|cwd| cwd.text.clone()));
            for (name, value) in env {
                say("env", Some(format!("{name}={}", value.text)));
            }
        }
        McpWay::Http(url) => say("http", Some(url.text.clone())),
        McpWay::Sse(url) => say("sse", Some(url.text.clone())),
    }
    say("version", target.version.clone());
    if let Some(tool) = &target.user_tool {
        let args = tool.args.as_ref().map(|args| args.value.to_string());
        let conversation = tool.conversation.as_ref().map(|name| name.text.as_str());
        let rest = (conversation, args, &tool.tool_calls);
        say(
            "tool",
            Some(format!(
                "{}({}) {rest:?}",
                tool.name.text, tool.argument.text
            )),
        );
    }
    say("isolation", Some(format!("{:?}", target.isolation)));
    let answers = [
        ("elicitation", &target.elicitation),
        ("sampling", &target.sampling),
    ];
    for (kind, answers) in answers {
        for answer in answers {
            let when = answer.when.as_ref().map(|when| when.text.as_str());
            let content = answer.content.as_ref().map(|json| json.value.to_string());
            let shown = format!(
                "{when:?} once {} {:?} {content:?}",
                answer.once, answer.action
            );
            say(kind, Some(shown));
        }
    }
    say(
        "roots",
        target.roots.as_ref().map(|roots| roots.value.to_string()),
    );
    say(
        "output",
        (!target.validate_output).then(|| "not validated".to_owned()),
    );
    say("auth", target.auth.as_ref().map(shown_auth));
    for (name, value) in &target.headers {
        say("header", Some(format!("{name}={}", value.text)));
    }
    let limits = (target.timeout_ms, target.connect_timeout_ms);
    say("timeouts", Some(format!("{limits:?}")));
    lines.join("\n")
}

const TOOL: &str = "userTool: {name: ask, argument: question}";

fn of(target: &str) -> String {
    over(target, "")
}

fn over(target: &str, keys: &str) -> String {
    planned(
        &format!("version: 1.2\ntarget: {{type: mcp, {TOOL}, {target}}}\n"),
        keys,
        None,
    )
}

#[test]
fn the_way_is_known_by_what_is_written() {
    assert_snapshot!(of("command: [python3, server.py, 5], cwd: servers, env: {A: 1}"), @"
    None None mcp
      stdio: python3 server.py 5
      cwd: servers
      env: A=1
      tool: ask(question) (None, None, None)
      isolation: Test
      timeouts: (120000, 30000)
    ");
    assert_snapshot!(of("endpoint: 'http://h/mcp'"), @"
    None None mcp
      http: http://h/mcp
      tool: ask(question) (None, None, None)
      isolation: Test
      timeouts: (120000, 10000)
    ");
    assert_snapshot!(of("endpoint: 'http://h/sse/?a=b'"), @"
    None None mcp
      sse: http://h/sse/?a=b
      tool: ask(question) (None, None, None)
      isolation: Test
      timeouts: (120000, 10000)
    ");
    assert_snapshot!(of("endpoint: 'http://h/sse', transport: http"), @"
    None None mcp
      http: http://h/sse
      tool: ask(question) (None, None, None)
      isolation: Test
      timeouts: (120000, 10000)
    ");
    assert_snapshot!(of("endpoint: 'http://h/mcp', transport: sse"), @"
    None None mcp
      sse: http://h/mcp
      tool: ask(question) (None, None, None)
      isolation: Test
      timeouts: (120000, 10000)
    ");
}

#[test]
fn every_key_comes_through() {
    assert_snapshot!(of("endpoint: 'http://h/mcp', headers: {A: b}, auth: {scheme: apiKey, name: X-Key, value: k}, protocolVersion: 2025-11-25, connect_timeout_ms: 5, timeout_ms: 6, isolation: file, elicitation: [{when: size, once: true, content: {size: M}}, {action: decline}, {action: cancel}], sampling: [{when: joke, content: Ha}, {once: true, content: {role: assistant}}], roots: [{uri: 'file:///a', name: a}], validateOutput: false, tls: {insecure: true}"), @r#"
    None None mcp
      http: http://h/mcp
      version: 2025-11-25
      tool: ask(question) (None, None, None)
      isolation: File
      elicitation: Some("size") once true Accept Some("{\"size\":\"M\"}")
      elicitation: None once false Decline None
      elicitation: None once false Cancel None
      sampling: Some("joke") once false Accept Some("\"Ha\"")
      sampling: None once true Accept Some("{\"role\":\"assistant\"}")
      roots: [{"uri":"file:///a","name":"a"}]
      output: not validated
      auth: ApiKey Header X-Key k
      header: A=b
      timeouts: (6, 5)
    "#);
    let tool = "version: 1.2\ntarget: {type: mcp, command: [a], protocolVersion: auto, userTool: {name: ask, argument: q, args: {verbose: true}, toolCalls: structuredContent.toolCalls}}\n";
    assert_snapshot!(planned(tool, "", None), @r#"
    None None mcp
      stdio: a
      tool: ask(q) (None, Some("{\"verbose\":true}"), Some("/structuredContent/toolCalls"))
      isolation: Test
      timeouts: (120000, 30000)
    "#);
}

#[test]
fn mistakes_are_told() {
    assert_snapshot!(of("timeout_ms: 5"), @r#"ananke.config.yaml:2:9 error nothing says where the server of this `mcp` target is |  | write `command: [python3, server.py]` to start it, or `endpoint: "http://localhost:8000/mcp"`"#);
    assert_snapshot!(of("command: python3 server.py"), @"ananke.config.yaml:2:73 error expected a list, found text | there is no shell: program and arguments are written one by one | write `command: [python3, server.py]`");
    assert_snapshot!(of("command: [a], endpoint: 'http://h'"), @"ananke.config.yaml:2:88 error an `mcp` target has `command` or `endpoint`, not both |  | leave `command` out if the server runs already");
    assert_snapshot!(of("transport: stdio"), @"ananke.config.yaml:2:75 error `transport: stdio` needs a `command` |  | write `command: [python3, server.py]`");
    assert_snapshot!(of("transport: http"), @r#"ananke.config.yaml:2:75 error `transport: http` needs an `endpoint` |  | write `endpoint: "http://localhost:8000/mcp"`"#);
    assert_snapshot!(of("transport: sse"), @r#"ananke.config.yaml:2:75 error `transport: sse` needs an `endpoint` |  | write `endpoint: "http://localhost:8000/sse"`"#);
    assert_snapshot!(of("transport: pipe, command: [a]"), @"
    None None mcp
      stdio: a
      tool: ask(question) (None, None, None)
      isolation: Test
      timeouts: (120000, 30000)
    ananke.config.yaml:2:75 error unknown word `pipe` | expected `stdio`, `http` or `sse`
    ");
    assert_snapshot!(of("transport: stdio, endpoint: 'http://h'"), @"ananke.config.yaml:2:75 error `transport: stdio` needs a `command`, found `endpoint` |  | write `command: [python3, server.py]` in place of `endpoint`, or `transport: http`");
    assert_snapshot!(of("transport: http, command: [a]"), @"ananke.config.yaml:2:75 error `transport: http` needs an `endpoint`, found `command` |  | write `transport: stdio`, or leave it out");
    assert_snapshot!(of("command: [a], auth: {scheme: bearer, token: t}, headers: {A: b}"), @r#"
    ananke.config.yaml:2:84 error `auth` is for servers with an `endpoint`: a program gets no requests over HTTP |  | hand the secret over with `env: {TOKEN: "${ENV.TOKEN}"}`
    ananke.config.yaml:2:122 error `headers` are for servers with an `endpoint`: a program gets no requests over HTTP |  | hand the values over with `env`
    "#);
    assert_snapshot!(of("endpoint: 'http://h', cwd: x, env: {A: 1}"), @"ananke.config.yaml:2:91 error `cwd` is for servers that are started with `command` |  | leave it out: the server behind an `endpoint` runs already");
    assert_snapshot!(of("endpoint: 'h'"), @"
    None None mcp
      http: h
      tool: ask(question) (None, None, None)
      isolation: Test
      timeouts: (120000, 10000)
    ananke.config.yaml:2:74 error the endpoint is not an http or https URL | it does not begin with `http://` or `https://`
    ");
    assert_snapshot!(of("endpoint: 'http://h', auth: {scheme: apiKey, in: query, name: k, value: v}"), @"ananke.config.yaml:2:92 error an `mcp` server gets its key in a header |  | write `in: header`");
    assert_snapshot!(of("endpoint: 'http://h', auth: {scheme: oauth2, clientId: c, clientSecret: s}"), @"
    None None mcp
      http: http://h
      tool: ask(question) (None, None, None)
      isolation: Test
      auth: ClientCredentials c s
      timeouts: (120000, 10000)
    ");
    assert_snapshot!(of("endpoint: 'http://h', protocolVersion: 1.0"), @"ananke.config.yaml:2:103 error `1.0` is no revision of MCP | expected `auto` or a date such as `2025-11-25` | leave it out to speak the newest revision that the server knows");
    assert_snapshot!(of("command: [a], isolation: turn, elicitation: [{content: 5, when: ''}], sampling: [{when: a}, {content: []}], roots: [{path: a}]"), @r#"
    None None mcp
      stdio: a
      tool: ask(question) (None, None, None)
      isolation: Test
      elicitation: None once false Accept None
      roots: [{"path":"a"}]
      timeouts: (120000, 30000)
    ananke.config.yaml:2:89 error unknown word `turn` | expected `test` or `file`
    ananke.config.yaml:2:119 error expected a map, found the number `5`
    ananke.config.yaml:2:128 error the text is empty
    ananke.config.yaml:2:145 error `content` is missing in an answer of `sampling` |  | write `content: Hello`
    ananke.config.yaml:2:166 error expected text or a map, found a list
    ananke.config.yaml:2:180 error `uri` is missing in a root |  | write `uri: "file:///work"`
    ananke.config.yaml:2:181 error unknown key `path` in a root | expected `uri` or `name` | write `uri: file:///…`
    "#);
    assert_snapshot!(of("command: [a], cmd: [b], backoff_ms: 5"), @"
    None None mcp
      stdio: a
      tool: ask(question) (None, None, None)
      isolation: Test
      timeouts: (120000, 30000)
    ananke.config.yaml:2:78 error unknown key `cmd` in an `mcp` target | expected `type`, `transport`, `command`, `cwd`, `env`, `endpoint`, `headers`, `auth`, `protocolVersion`, `connect_timeout_ms`, `timeout_ms`, `userTool`, `isolation`, `elicitation`, `sampling`, `roots`, `validateOutput`, `tls`, `limits`, `assert`, `concurrency` or `group` | write `command`
    ananke.config.yaml:2:88 error unknown key `backoff_ms` in an `mcp` target | expected `type`, `transport`, `command`, `cwd`, `env`, `endpoint`, `headers`, `auth`, `protocolVersion`, `connect_timeout_ms`, `timeout_ms`, `userTool`, `isolation`, `elicitation`, `sampling`, `roots`, `validateOutput`, `tls`, `limits`, `assert`, `concurrency` or `group` | leave it out: a call is sent once
    ");
    assert_snapshot!(planned("version: 1.2\ntarget: {type: mcp, command: [a], userTool: {tool: ask, toolCalls: 'a[b'}}\n", "", None), @r#"
    ananke.config.yaml:2:45 error `name` is missing in `userTool` |  | write `name: ask`
    ananke.config.yaml:2:45 error `argument` is missing in `userTool` |  | write `argument: question`
    ananke.config.yaml:2:46 error unknown key `tool` in `userTool` | expected `name`, `argument`, `conversation`, `args` or `toolCalls` | write `name`
    ananke.config.yaml:2:68 error `a[b` is not a path | a bracket is not closed | paths look like `data.name`, `items[0].id` or `metadata["odd.key"]`
    "#);
    assert_snapshot!(planned(&format!("version: 1.2\ntarget: {{type: mcp, command: [a], {TOOL}}}\n"), "", Some("fast")), @r#"
    None Some("fast") mcp
      stdio: a
      tool: ask(question) (None, None, None)
      isolation: Test
      timeouts: (120000, 30000)
    - error -c: an `mcp` target has no connectors |  | leave the connector out
    "#);
}

#[test]
fn a_test_changes_its_server() {
    let program = "command: [a], cwd: x, env: {A: 1}";
    assert_snapshot!(over(program, "target: {env: {B: 2}, isolation: file}\n"), @"
    None None mcp
      stdio: a
      cwd: x
      env: B=2
      tool: ask(question) (None, None, None)
      isolation: File
      timeouts: (120000, 30000)
    ");
    assert_snapshot!(over(program, "target: {endpoint: 'http://h', protocolVersion: 2024-11-05}\n"), @"
    None None mcp
      http: http://h
      version: 2024-11-05
      tool: ask(question) (None, None, None)
      isolation: Test
      timeouts: (120000, 10000)
    ");
    let address = "endpoint: 'http://h', transport: http, headers: {A: b}, auth: {scheme: bearer, token: secret}";
    assert_snapshot!(over(address, "target: {endpoint: 'http://other'}\n"), @"
    None None mcp
      http: http://other
      tool: ask(question) (None, None, None)
      isolation: Test
      header: A=b
      timeouts: (120000, 10000)
    ");
    assert_snapshot!(over(address, "target: {command: [b]}\n"), @"
    None None mcp
      stdio: b
      tool: ask(question) (None, None, None)
      isolation: Test
      timeouts: (120000, 30000)
    ");
    assert_snapshot!(over(address, "target: {userTool: {name: chat, argument: text}}\n"), @"
    None None mcp
      http: http://h
      tool: chat(text) (None, None, None)
      isolation: Test
      auth: Bearer secret
      header: A=b
      timeouts: (120000, 10000)
    ");
}
