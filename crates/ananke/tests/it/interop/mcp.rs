//! Servers of MCP on two Python packages and in Node, over every transport: the same test, the same report.

use insta::assert_snapshot;
use serde_json::Value;

use super::digest::digest;
use super::server::Server;
use super::{ananke, has_both_pythons, has_node, installed, invocation, report_of, sources, told};

/// What a suite needs to know of a server.
struct Place {
    vars: Vec<String>,
}

impl Place {
    /// A server that is reached by its address.
    fn at(server: &Server) -> Self {
        let url = format!("URL={}", server.url());
        Self {
            vars: vec!["--var".to_owned(), url],
        }
    }

    /// A script that is started by ananke itself.
    fn script(environment: &str, script: &str) -> Self {
        let python = installed().join(environment).join("bin/python");
        let vars = [
            format!("PYTHON={}", python.display()),
            format!("APP={}", sources().join(script).display()),
        ];
        let words = vars.into_iter().flat_map(|var| ["--var".to_owned(), var]);
        Self {
            vars: words.collect(),
        }
    }

    fn args<'a>(&'a self, words: &[&'a str], target: &'a str) -> Vec<&'a str> {
        let mut args = words.to_vec();
        args.extend(["--target", target]);
        args.extend(self.vars.iter().map(String::as_str));
        args
    }

    fn run(&self, suite: &str, folders: &[&str], target: &str) -> String {
        // A program that is started needs the processor for a second.
        let report = report_of("1", suite, &self.args(folders, target));
        hears_of_progress(&report);
        digest(&report)
    }

    fn seen(&self, suite: &str, folders: &[&str], target: &str) -> String {
        let words = [&["run"], folders].concat();
        told(&ananke(suite, &self.args(&words, target)))
    }
}

/// Asserts that what a server tells while it works is recorded; it is no warning.
fn hears_of_progress(report: &Value) {
    // Two steps, which one server tells of in a log, too; and the answer.
    let telling = [("slow", 5), ("trigger-long-running-operation", 3)];
    let tests = report["results"].as_array().into_iter().flatten();
    let turns = tests.flat_map(|test| test["turns"].as_array().into_iter().flatten());
    for turn in turns {
        let called = &turn["tool_calls"][0]["name"];
        let told = telling.iter().find(|(tool, _)| called == tool);
        let least = told.map(|(_, least)| *least);
        assert!(turn["n_events"].as_u64() >= least, "{turn}");
    }
}

/// Runs folders of a suite in several ways, which give the same report, and returns it.
fn same_everywhere(suite: &str, folders: &[&str], ways: &[(&Place, &str)]) -> String {
    let run = |(place, target): (&Place, &str)| short(&place.run(suite, folders, target));
    let first = run(ways[0]);
    for (place, target) in &ways[1..] {
        let other = run((place, target));
        assert_eq!(other, first, "{target} is unlike {}", ways[0].1);
    }
    first
}

/// Cuts long lines and what tells the time, and leaves out what comes whenever it likes.
fn short(digest: &str) -> String {
    let lines = digest.lines();
    let lines = lines.filter(|line| !line.contains("Roots updated"));
    let lines = lines.map(|line| {
        let line = line.split(" created at ").next().unwrap_or_default();
        line.chars().take(120).collect::<String>()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn fastmcp_behaves_as_its_suite_says() {
    if !has_both_pythons("interop with fastmcp") {
        return;
    }
    let program = Place::script("venv-new", "mcp_app.py");
    let http = Server::mcp("http", &[]);
    let sse = Server::mcp("sse", &[]);
    let ways = [
        (&program, "stdio"),
        (&program, "stdio-legacy"),
        (&Place::at(&http), "http"),
        (&Place::at(&http), "http-legacy"),
        (&Place::at(&sse), "sse"),
    ];
    assert_snapshot!(same_everywhere("mcp", &["tools"], &ways), @r#"
    passed tools/calls.test.yaml: calls tools
      > mcp:call
        add({"a":17,"b":25}) -> {"result":42}
        said "42"
      > mcp:call
        echo({"text":"Grüße 🗼"}) -> "Grüße 🗼"
        said "Grüße 🗼"
      > Grüße von mir
        said "Grüße von mir"
      > mcp:call
        weather({"city":"Paris"}) -> {"city":"Paris","sky":"sunny","degrees":21.5}
        said "{\"city\":\"Paris\",\"sky\":\"sunny\",\"degrees\":21.5}"
      > mcp:call
        fail({"why":"no tea left"}) -> "no tea left"
        said "no tea left"
        run_error: {"message":"no tea left","code":"isError"}
      > mcp:call
        nothing({}) -> "Unknown tool: 'nothing'"
        said "Unknown tool: 'nothing'"
        run_error: {"message":"Unknown tool: 'nothing'","code":"isError"}
      > mcp:call
        slow({"steps":2,"wait_ms":10}) -> "2 steps done"
        said "2 steps done"
    passed tools/questions.test.yaml: answers the questions
      > mcp:call
        book({"show":"Hamlet"}) -> "2 seats for Hamlet booked"
        said "2 seats for Hamlet booked"
      > mcp:call
        book({"show":"Faust"}) -> "no seats for Faust: decline"
        said "no seats for Faust: decline"
    passed tools/things.test.yaml: lists and reads
      > mcp:list
        said "add\necho\nweather\nlie\nfail\nslow\nenv\ncrash\nnoise\nbook\nsummarize\nfolders"
      > mcp:list
        said "notes://{day}"
      > mcp:list
        said "greet"
      > mcp:list
        said "notes://today"
      > mcp:read
        said "buy tea"
      > mcp:read
        said "nothing on monday"
      > mcp:read
        run_error: {"message":"Resource not found: 'other://today'","code":"-32602"}
      > mcp:prompt
        said "Say hello to Ada."
    "#);
    assert_snapshot!(program.run("mcp", &["models", "pipes", "lies"], "stdio"), @r#"
    passed models/models.test.yaml: lends model and roots
      > mcp:call
        summarize({"text":"a long story"}) -> "Summary: short"
        said "Summary: short"
      > mcp:call
        folders({}) -> "file:///work"
        said "file:///work"
    passed pipes/env.test.yaml: passes the environment
      > mcp:call
        env({"name":"GREETING"}) -> "hello from the config"
        said "hello from the config"
    passed pipes/noise.test.yaml: hears the noise
      > mcp:call
        noise({}) -> "made a noise"
        said "made a noise"
        warning: the server printed a line that is no message to its stdout, where only messages may be: `this line is not JSON`
    passed lies/lie.test.yaml: notices the lie
      > mcp:call
        lie({}) -> {"total":"many"}
        said "a lie"
        run_error: {"message":"the `structuredContent` of the tool `lie` does not fit its `outputSchema`: at `/total`: \"many\" is not of type \"integer\"","code":"outputSchema"}
    "#);
    // Only the modern era lets this server ask a model.
    Place::at(&http).run("mcp", &["models"], "http");
}

#[test]
fn mcp_1_behaves_as_its_suite_says() {
    if !has_both_pythons("interop with mcp 1") {
        return;
    }
    let program = Place::script("venv-old", "mcp_old_app.py");
    let http = Server::mcp_old("http", &[]);
    let sse = Server::mcp_old("sse", &[]);
    let ways = [
        (&program, "stdio"),
        (&Place::at(&http), "http"),
        (&Place::at(&sse), "sse"),
    ];
    assert_snapshot!(same_everywhere("mcp", &["tools", "models"], &ways), @r#"
    passed tools/calls.test.yaml: calls tools
      > mcp:call
        add({"a":17,"b":25}) -> {"result":42}
        said "42"
      > mcp:call
        echo({"text":"Grüße 🗼"}) -> "Grüße 🗼"
        said "Grüße 🗼"
      > Grüße von mir
        said "Grüße von mir"
      > mcp:call
        weather({"city":"Paris"}) -> {"city":"Paris","sky":"sunny","degrees":21.5}
        said "{\n  \"city\": \"Paris\",\n  \"sky\": \"sunny\",\n  \"degrees\": 21.5\n}"
      > mcp:call
        fail({"why":"no tea left"}) -> "Error executing tool fail: no tea left"
        said "Error executing tool fail: no tea left"
        run_error: {"message":"Error executing tool fail: no tea left","code":"isError"}
      > mcp:call
        nothing({}) -> "Unknown tool: nothing"
        said "Unknown tool: nothing"
        run_error: {"message":"Unknown tool: nothing","code":"isError"}
      > mcp:call
        slow({"steps":2,"wait_ms":10}) -> "2 steps done"
        said "2 steps done"
    passed tools/questions.test.yaml: answers the questions
      > mcp:call
        book({"show":"Hamlet"}) -> "2 seats for Hamlet booked"
        said "2 seats for Hamlet booked"
      > mcp:call
        book({"show":"Faust"}) -> "no seats for Faust: decline"
        said "no seats for Faust: decline"
    passed tools/things.test.yaml: lists and reads
      > mcp:list
        said "add\necho\nweather\nfail\nslow\nenv\ncrash\nnoise\nbook\nsummarize\nfolders"
      > mcp:list
        said "notes://{day}"
      > mcp:list
        said "greet"
      > mcp:list
        said "notes://today"
      > mcp:read
        said "buy tea"
      > mcp:read
        said "nothing on monday"
      > mcp:read
        run_error: {"message":"Unknown resource: other://today","code":"0"}
      > mcp:prompt
        said "Say hello to Ada."
    passed models/models.test.yaml: lends model and roots
      > mcp:call
        summarize({"text":"a long story"}) -> "Summary: short"
        said "Summary: short"
      > mcp:call
        folders({}) -> "file:///work"
        said "file:///work"
    "#);
    assert_snapshot!(program.run("mcp", &["pipes"], "stdio"), @r#"
    passed pipes/env.test.yaml: passes the environment
      > mcp:call
        env({"name":"GREETING"}) -> "hello from the config"
        said "hello from the config"
    passed pipes/noise.test.yaml: hears the noise
      > mcp:call
        noise({}) -> "made a noise"
        said "made a noise"
        warning: the server printed a line that is no message to its stdout, where only messages may be: `this line is not JSON`
    "#);
}

#[test]
fn mcp_1_without_sessions_and_without_streams() {
    if !has_both_pythons("interop with mcp 1, plain answers") {
        return;
    }
    // A server that keeps no session, or answers with one document, cannot ask.
    let alone = Server::mcp_old("http", &["--session", "none"]);
    Place::at(&alone).run("mcp", &["tools/things.test.yaml"], "http");
    let plain = Server::mcp_old("http", &["--answers", "json"]);
    Place::at(&plain).run("mcp", &["tools/things.test.yaml"], "http");
}

#[test]
fn the_reference_server_behaves_as_its_suite_says() {
    if !has_node("interop with server-everything") {
        return;
    }
    let app = installed().join("node/everything_server.mjs");
    let program = Place {
        vars: vec!["--var".to_owned(), format!("APP={}", app.display())],
    };
    let http = Server::everything("http");
    let sse = Server::everything("sse");
    let ways = [
        (&program, "stdio"),
        (&Place::at(&http), "http"),
        (&Place::at(&sse), "sse"),
    ];
    assert_snapshot!(same_everywhere("everything", &["tools"], &ways), @r#"
    passed tools/asked.test.yaml: answers the server
      > mcp:call
        trigger-sampling-request({"prompt":"hi","maxTokens":10}) -> "LLM sampling result: \n{\n  \"model\": \"scripted\",\n 
        said "LLM sampling result: \n{\n  \"model\": \"scripted\",\n  \"stopReason\": \"endTurn\",\n  \"role\": \"assistant\
      > mcp:call
        trigger-elicitation-request({}) -> "❌ User declined to provide the requested information.\n\nRaw result: {\n  \"acti
        said "❌ User declined to provide the requested information.\n\nRaw result: {\n  \"action\": \"decline\"\n}"
      > mcp:call
        get-roots-list({}) -> "Current MCP Roots (1 total):\n\n1. work\n   URI: file:///work\n\nNote: This server demonstrat
        said "Current MCP Roots (1 total):\n\n1. work\n   URI: file:///work\n\nNote: This server demonstrates the roots prot
    passed tools/calls.test.yaml: calls tools
      > mcp:call
        echo({"message":"Grüße 🗼"}) -> "Echo: Grüße 🗼"
        said "Echo: Grüße 🗼"
      > mcp:call
        get-sum({"a":1,"b":2}) -> "The sum of 1 and 2 is 3."
        said "The sum of 1 and 2 is 3."
      > mcp:call
        get-sum({"a":"x"}) -> "MCP error -32602: Input validation error: Invalid arguments for tool get-sum: Invalid input: 
        said "MCP error -32602: Input validation error: Invalid arguments for tool get-sum: Invalid input: expected number, 
        run_error: {"message":"MCP error -32602: Input validation error: Invalid arguments for tool get-sum: Invalid input: 
      > mcp:call
        nothing({}) -> "MCP error -32602: Tool nothing not found"
        said "MCP error -32602: Tool nothing not found"
        run_error: {"message":"MCP error -32602: Tool nothing not found","code":"isError"}
    passed tools/content.test.yaml: takes every kind of content
      > mcp:call
        get-tiny-image({}) -> [{"type":"text","text":"Here's the image you requested:"},{"type":"image","data":"iVBORw0KGgoA
        said "Here's the image you requested:\nThe image above is the MCP logo."
      > mcp:call
        get-resource-links({"count":2}) -> [{"type":"text","text":"Here are 2 resource links to resources available in this 
        said "Here are 2 resource links to resources available in this server:"
      > mcp:call
        get-annotated-message({"messageType":"error"}) -> "Error: Operation failed"
        said "Error: Operation failed"
    passed tools/list.test.yaml: lists everything
      > mcp:list
        said "echo\nget-annotated-message\nget-env\nget-resource-links\nget-resource-reference\nget-structured-content\nget-
    passed tools/long.test.yaml: hears of the progress
      > mcp:call
        trigger-long-running-operation({"duration":0.2,"steps":2}) -> "Long running operation completed. Duration: 0.2 secon
        said "Long running operation completed. Duration: 0.2 seconds, Steps: 2."
    passed tools/read.test.yaml: reads and gets
      > mcp:read
        said "Resource 1: This is a plaintext resource
      > mcp:prompt
        said "What's weather in Paris?"
      > mcp:prompt
        said "This is a simple prompt without arguments."
    passed tools/structured.test.yaml: reads structured content
      > mcp:call
        get-structured-content({"location":"New York"}) -> {"temperature":33,"conditions":"Cloudy","humidity":82}
        said "{\"temperature\":33,\"conditions\":\"Cloudy\",\"humidity\":82}"
    "#);
}

#[test]
fn what_is_wrong_is_told() {
    if !has_both_pythons("mistakes of tests of fastmcp") {
        return;
    }
    let program = Place::script("venv-new", "mcp_app.py");
    assert_snapshot!(program.seen("mcp", &["wrong"], "stdio"), @r#"
    exit code: 1
    ✗ [wrong/error.test.yaml] does not expect the error ERROR ([TIME])
      └─ turn 1: the agent ended with an error: no tea left (isError)
         captured in turn 1: 1 event, 1 tool call (fail), text:
         │ no tea left
    ✗ [wrong/result.test.yaml] expects another result FAILED ([TIME])
      └─ turn 1 · tools.require add: expected at least 1 call of `add` with result matching /^4$/, got 0 of 1 call
         closest call: event 0: add({"a":1,"b":2})
         result: {"result":3} does not match /^4$/
         demanded at wrong/result.test.yaml:10:25 (turn level)
    "#);
    assert_snapshot!(program.seen("mcp", &["crash"], "stdio"), @"
    exit code: 1
    ✗ [crash/crash.test.yaml] sees the server die ERROR ([TIME])
      └─ turn 1: `[INSTALLED]/venv-new/bin/python` ended (exit status: 3) before the answer came; stderr: crashing on purpose
         captured in turn 1: 0 events, 1 tool call (crash), no text
      ⚠ 1 warning (stderr: crashing on purpose)
    ");
    let server = Server::mcp("http", &[]);
    assert_snapshot!(Place::at(&server).seen("mcp", &["crash"], "http"), @"
    exit code: 1
    ✗ [crash/crash.test.yaml] sees the server die ERROR ([TIME])
      └─ turn 1: http://[HOST]/mcp: connection closed before message completed
         captured in turn 1: 0 events, 1 tool call (crash), no text
    ");
}

#[test]
fn a_lock_opens_with_the_right_key_only() {
    if !has_both_pythons("interop with fastmcp behind a lock") {
        return;
    }
    let server = Server::mcp("http", &["--lock", "bearer"]);
    let place = Place::at(&server);
    let output = |key: &str| {
        invocation("mcp", &place.args(&["run", "locked"], "locked"))
            .env("ANANKE_NO_BUNDLE", "1")
            .env("MCP_TOKEN", key)
            .run()
    };
    let opened = output("secret-token");
    assert_eq!(opened.code, Some(0), "{opened}");
    assert_snapshot!(told(&output("another key")), @r#"
    exit code: 1
    ✗ [locked/add.test.yaml] has the key ERROR ([TIME])
      └─ turn 1: HTTP 401 Unauthorized from http://[HOST]/mcp: {"error": "invalid_token", "error_description": "Authentication failed. The provided bearer token is invalid, expired, or no longer recognized by the server. To resolve: clear authentication tokens in…; is `auth` right?
         captured in turn 1: 0 events, no tool call, no text
    "#);
}
