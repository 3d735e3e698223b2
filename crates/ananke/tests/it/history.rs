//! `ananke history`: a recorded conversation becomes a test that loads, and passes against the same agent.

use ananke_testkit::{ScriptedAgent, TestContext};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::ANANKE;
use crate::run::one_turn;

/// Texts that are hard to quote.
const ODD: &str =
    "a: \"b\" # c\n- 'd' \\ ${HOME} $${X} \u{1b}[2J \u{2028}\u{200b}é 世界 👍 ##[x] |\t\r\n ";

/// An agent that searches, asks back, and repeats odd texts.
fn agent() -> ScriptedAgent {
    ScriptedAgent::start(json!({"rules": [
        {"when": {"user_contains": "buy", "has_resume": false}, "reply": [
            {"tool": {"name": "add_to_cart", "args": {"sku": "mug-1 (red)", "n": 2, "price": 1.50, "odd.key": ODD}, "result": {"total": 28}}},
            {"text": "Shall I pay $28.00? (yes/no)"},
            {"interrupt": {"id": "pay", "reason": "approval"}},
        ]},
        {"when": {"has_resume": true}, "reply": [{"text": "Paid. Order f81d4fae-7dec-11d0-a765-00a0c91e6bf6 is on its way."}]},
        {"when": {"user_contains": "crash"}, "reply": [{"error": {"message": "out of stock [E7]"}}]},
        {"reply": [{"text": ODD}]},
    ]}))
}

/// Returns a project with three tests that was run once.
fn project() -> (TestContext, ScriptedAgent) {
    let mut cx = TestContext::new(ANANKE);
    let agent = agent();
    cx.config_for(&agent);
    cx.write(
        "tests/shop.test.yaml",
        "version: 1
name: shop
tags: [smoke]
turns:
  - user: buy a mug
  - type: agui:resume
    payload: {approved: true, note: \"a: b #c\"}
  - user: crash
    assert: {inherit: none, error: stock}
assert: {tools: {require: [{name: add_to_cart}]}}
",
    );
    let odd = serde_json::to_string(&ODD.replace("${", "$${")).expect("it is text");
    cx.write(
        "tests/odd.test.yaml",
        &one_turn("odd", &odd, "assert: {text: {must_match: .}}\n"),
    );
    cx.write(
        "tests/skipped.test.yaml",
        &one_turn(
            "skipped",
            "x",
            "skip: later\nassert: {text: {must_match: .}}\n",
        ),
    );
    let output = cx.bundled(&["run"]).run();
    assert_eq!(output.code, Some(0), "{output}");
    cx.filter(agent.url(), "[URL]");
    (cx, agent)
}

#[test]
fn a_conversation_becomes_a_test_that_passes() {
    let (cx, _agent) = project();
    assert_snapshot!(cx.ananke(&["history", "latest", "shop"]), @r#"
    exit code: 0
    --- stdout
    # Written by `ananke history` from tests/shop.test.yaml in run [RUN], which talked to [URL].
    # Assertions are suggestions from what that run showed: keep what must hold, drop the rest.
    version: "1.0"
    name: "shop (recorded [RUN])"
    tags: ["smoke"]
    turns:
      - user: "buy a mug"
        assert:
          tools:
            # suggestion from run [RUN]: these tools were called
            require:
              - name: "add_to_cart"
                args_match:
                  "n": "^2$"
                  "price": "^1\\.5$"
                  "sku": "^mug-1 \\(red\\)$"
          text:
            # suggestion from run [RUN]: the agent said this
            must_match: "Shall I pay \\$28\\.00"
          timing:
            # suggestion from run [RUN]: it took [TIME]
            max_duration_ms: 5000
      - type: agui:resume
        payload: {"approved": true, "note": "a: b #c"}
        assert:
          text:
            # suggestion from run [RUN]: the agent said this
            must_match: "Paid"
          timing:
            # suggestion from run [RUN]: it took [TIME]
            max_duration_ms: 5000
      - user: "crash"
        assert:
          # suggestion from run [RUN]: the agent ended the run with this error
          error: "out of stock \\[E7\\]"
          timing:
            # suggestion from run [RUN]: it took [TIME]
            max_duration_ms: 5000
    --- stderr
    "#);
    assert_snapshot!(cx.ananke(&["history", "latest", "shop", "-o", "new/shop.test.yaml"]), @"
    exit code: 0
    --- stdout
    --- stderr
    wrote new/shop.test.yaml
    ");
    let valid = cx.run(&["validate", "new"]);
    assert_eq!(valid.code, Some(0), "{valid}");
    let output = cx.run(&["run", "new"]);
    assert_eq!(output.code, Some(0), "{output}");
}

/// Writes the test that was recorded under `name` to a file, which is then valid and passes with these options. Returns
/// what stands between its name and its turns.
fn written_passes(cx: &TestContext, name: &str, options: &[&str]) -> String {
    let file = "tests/new.test.yaml";
    let written = cx.run(&["history", "latest", name, "-o", file, "--force"]);
    assert_eq!(written.code, Some(0), "{written}");
    let text = cx.read(file);
    let valid = cx.run(&[&["validate"], options].concat());
    assert_eq!(valid.code, Some(0), "{valid}\n{text}");
    let output = cx.run(&[&["run", file], options].concat());
    assert_eq!(output.code, Some(0), "{output}\n{text}");
    std::fs::remove_file(cx.dir().join(file)).expect("it was written");
    let after_name = text.lines().skip_while(|line| !line.starts_with("name:"));
    let kept = after_name.skip(1).take_while(|line| *line != "turns:");
    kept.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_target_of_the_test_is_kept() {
    let cx = TestContext::new(ANANKE);
    let (good, bad) = (ScriptedAgent::says("good"), ScriptedAgent::says("bad"));
    let (one, two) = (good.url(), bad.url());
    cx.write(
        "ananke.config.yaml",
        &format!(
            "version: 1\ntargets:\n  good: {{type: agui, endpoint: '{one}'}}\n  bad: {{type: agui, endpoint: '{two}'}}\n"
        ),
    );
    let says = "turns: [{user: x}]\nassert: {text: {must_match: good}}\n";
    cx.write(
        "tests/named.test.yaml",
        &format!("version: 1\nname: named\n\ntarget: good # not the other\n# what is said\n{says}"),
    );
    assert_eq!(cx.bundled(&["run"]).run().code, Some(0));
    assert_snapshot!(written_passes(&cx, "named", &[]), @"target: good # not the other");
    // What `--target` picked is known by its name only.
    cx.write(
        "tests/any.test.yaml",
        &format!("version: 1\nname: any\n{says}"),
    );
    cx.write(
        "tests/more.test.yaml",
        &format!("version: 1\nname: more\ntarget: {{state: {{a: 1}}}}\ntimeout_ms: 9000\n{says}"),
    );
    let picked = ["--target", "good"];
    assert_eq!(
        cx.bundled(&[&["run"], &picked[..]].concat()).run().code,
        Some(0)
    );
    assert_snapshot!(written_passes(&cx, "more", &picked), @"
    target: {state: {a: 1}}
    timeout_ms: 9000
    ");
    let shown = cx.run(&["history", "latest", "more"]);
    assert!(
        shown
            .stdout
            .contains("# Run it with `--target good`, as that run did.\n"),
        "{shown}"
    );
    std::fs::remove_file(cx.dir().join("tests/more.test.yaml")).expect("it was written");
    std::fs::rename(
        cx.dir().join("tests/any.test.yaml"),
        cx.dir().join("any.txt"),
    )
    .expect("it was written");
    assert_snapshot!(written_passes(&cx, "any", &[]), @r#"target: "good""#);
}

#[test]
fn what_the_test_says_about_its_target_is_kept() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::start(json!({"rules": [
        {"when": {"has_tool_result": true}, "reply": [{"text": "Blue then."}]},
        {"reply": [{"parallel_tools": [{"id": "c1", "name": "ask", "args": {"what": "color"}}]}]},
    ]}));
    cx.config_for(&agent);
    cx.write(
        "tests/paint.test.yaml",
        "version: 1
name: paint
target:
  headers: {X-Client: mobile}
  # the user is scripted
  tools:
    - name: ask
      result: {answer: blue}
turns: [{user: paint it}]
assert: {text: {must_match: '^Blue then.$'}}
",
    );
    assert_eq!(cx.bundled(&["run"]).run().code, Some(0));
    assert_snapshot!(written_passes(&cx, "paint", &[]), @"
    target:
      headers: {X-Client: mobile}
      # the user is scripted
      tools:
        - name: ask
          result: {answer: blue}
    ");
    let last = agent.received().pop().expect("it was asked");
    assert!(
        last.headers
            .contains(&("x-client".to_owned(), "mobile".to_owned())),
        "{:?}",
        last.headers
    );
}

#[test]
fn hooks_are_kept_if_the_target_needs_them() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::says("ok");
    let url = agent.url();
    let config = format!("version: 1\ntarget:\n  type: agui\n  endpoint: '{url}'\n");
    let test = "version: 1
name: order
hooks:
  - cmd: [echo, '{\"ORDER\": 42}']
turns: [{user: 'about ${ORDER}'}, {user: and}]
assert: {text: {must_match: ok}}
";
    cx.write("tests/order.test.yaml", test);
    cx.write("ananke.config.yaml", &config);
    assert_eq!(cx.bundled(&["run"]).run().code, Some(0));
    let shown = cx.run(&["history", "latest", "order"]).stdout;
    let comments: Vec<&str> = shown
        .lines()
        .filter(|line| line.starts_with('#'))
        .skip(2)
        .collect();
    assert_snapshot!(comments.join("\n"), @"
    # Its hooks gave values for ORDER; the messages hold them as they were.
    # The hooks are left out: add them if they prepare something for the agent.
    ");
    assert_eq!(written_passes(&cx, "order", &[]), "");
    let needs = format!(
        "{config}  headers: {{X-Order: '${{ORDER}}'}}\n  assert: {{text: {{must_match: ok}}}}\n"
    );
    cx.write("ananke.config.yaml", &needs);
    assert_eq!(cx.bundled(&["run"]).run().code, Some(0));
    assert_snapshot!(written_passes(&cx, "order", &[]), @r#"
    hooks:
      - cmd: [echo, '{"ORDER": 42}']
    "#);
}

#[test]
fn odd_texts_survive() {
    let (cx, agent) = project();
    let written = cx.run(&["history", "latest", "odd", "-o", "new/odd.test.yaml"]);
    assert_eq!(written.code, Some(0), "{written}");
    let output = cx.run(&["run", "new"]);
    assert_eq!(
        output.code,
        Some(0),
        "{output}\n{}",
        cx.read("new/odd.test.yaml")
    );
    let last = agent.requests().pop().unwrap();
    assert_eq!(last["messages"][0]["content"], ODD);
}

#[test]
fn the_test_holds_for_its_own_recording() {
    let (cx, _agent) = project();
    for (name, file) in [
        ("shop", "tests/shop.test.yaml"),
        ("odd", "tests/odd.test.yaml"),
    ] {
        let written = cx.run(&["history", "latest", name, "-o", file, "--force"]);
        assert_eq!(written.code, Some(0), "{written}");
    }
    let judged = cx.run(&[
        "judge",
        "latest",
        "tests/shop.test.yaml",
        "tests/odd.test.yaml",
    ]);
    assert_eq!(judged.code, Some(0), "{judged}");
}

#[test]
fn messages_with_parts_and_questions_to_servers_become_turns() {
    let cx = TestContext::new(ANANKE);
    let mut serving = cx.command(&["demo", "--serve"]).start();
    serving.wait_for(|stdout, _| stdout.contains('\n'));
    let stdout = serving.stdout_so_far();
    let mut words = stdout.split_whitespace();
    let url = words.find(|word| word.starts_with("http://"));
    let url = url.expect("it tells its address").trim_end_matches('/');
    cx.write(
        "ananke.config.yaml",
        &format!(
            "version: '1.2'
targets:
  new: {{type: a2a, agentCardUrl: '{url}'}}
  old: {{type: a2a, agentCardUrl: '{url}', protocolVersion: '0.3'}}
  plain: {{type: a2a, agentCardUrl: '{url}', binding: HTTP+JSON, stream: false}}
  server: {{type: mcp, command: ['{ANANKE}', demo, --serve, --stdio]}}
"
        ),
    );
    cx.write(
        "tests/parts.test.yaml",
        "version: '1.1'
name: parts
turns:
  - type: a2a:send
    text: Find a mug
    parts: [{data: {n: 1, odd: '$${HOME}'}}, {raw: aGk=, mediaType: text/plain, filename: a.txt}]
    metadata: {k: v}
  - {type: a2a:send, text: Add a teapot to my cart}
assert: {timing: {max_duration_ms: 60000}}
",
    );
    cx.write(
        "tests/asks.test.yaml",
        "version: '1.2'
name: asks
target: server
turns:
  - {type: mcp:list}
  - {type: mcp:list, what: prompts}
  - {type: mcp:call, tool: search_products, args: {query: mug}}
  - {type: mcp:read, uri: 'shop://catalog'}
assert: {timing: {max_duration_ms: 60000}}
",
    );
    let turns = |text: &str| -> String {
        const SENT: [&str; 8] = [
            "type", "text: \"", "parts", "metadata", "tool:", "args: ", "uri", "what",
        ];
        let is_sent = |line: &&str| {
            let key = line.trim_start().trim_start_matches("- ");
            key.starts_with('{')
                || key.starts_with("version")
                || SENT.iter().any(|start| key.starts_with(start))
        };
        text.lines().filter(is_sent).collect::<Vec<_>>().join("\n")
    };
    let mut seen = Vec::new();
    for target in ["new", "old", "plain"] {
        let run = cx.bundled(&["run", "tests/parts.test.yaml", "--target", target]);
        assert_eq!(run.run().code, Some(0), "{target}");
        seen.push(turns(&cx.run(&["history", "latest", "parts"]).stdout));
        written_passes(&cx, "parts", &["--target", target]);
    }
    assert_snapshot!(seen[0], @r#"
    version: "1.1"
      - type: a2a:send
        text: "Find a mug"
        parts:
          - {"data": {"n": 1, "odd": "$${HOME}"}}
          - {"raw": "aGk=", "mediaType": "text/plain", "filename": "a.txt"}
        metadata: {"k": "v"}
      - type: a2a:send
        text: "Add a teapot to my cart"
    "#);
    assert_eq!([&seen[0], &seen[0]], [&seen[1], &seen[2]]);
    assert_eq!(
        cx.bundled(&["run", "tests/asks.test.yaml"]).run().code,
        Some(0)
    );
    assert_snapshot!(turns(&cx.run(&["history", "latest", "asks"]).stdout), @r#"
    version: "1.2"
      - type: mcp:list
      - type: mcp:list
        what: "prompts"
      - type: mcp:call
        tool: "search_products"
        args: {"query": "mug"}
      - type: mcp:read
        uri: "shop://catalog"
    "#);
    written_passes(&cx, "asks", &["--target", "new"]);
}

#[test]
fn a_conversation_becomes_a_messages_case() {
    let (cx, _agent) = project();
    let output = cx.run(&["history", "latest", "shop", "--as", "messages"]);
    let case: Value = serde_json::from_str(&output.stdout).unwrap();
    let roles: Vec<&str> = case["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles.first(), Some(&"user"));
    assert_eq!(
        case["messages"].as_array().unwrap().last().unwrap()["content"],
        "crash"
    );
    assert!(
        roles.contains(&"tool") && roles.contains(&"assistant"),
        "{roles:?}"
    );
    let first = cx.run(&[
        "history", "latest", "shop", "--as", "messages", "--turn", "1",
    ]);
    assert_snapshot!(first.stdout, @r#"{"id":"tests/shop.test.yaml","name":"shop","messages":[{"role":"user","content":"buy a mug"}],"assertions":[{"type":"tool_called","name":"add_to_cart"},{"type":"contains","value":"Shall I pay $28.00"}]}"#);
}

#[test]
fn files_that_exist_are_left_alone() {
    let (cx, _agent) = project();
    cx.write("mine.test.yaml", "mine");
    assert_snapshot!(cx.ananke(&["history", "latest", "shop", "-o", "mine.test.yaml"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `mine.test.yaml` exists already and was left as it is
    hint: name another file, or replace it with `--force`
    ");
    assert_eq!(cx.read("mine.test.yaml"), "mine");
    let forced = cx
        .command(&["history", "latest", "shop", "-o", "mine.test.yaml"])
        .env("ANANKE_FORCE", "1")
        .run();
    assert_eq!(forced.code, Some(0), "{forced}");
    assert!(cx.read("mine.test.yaml").starts_with("# Written by"));
}

#[test]
fn mistakes_are_told_with_the_next_step() {
    let (cx, _agent) = project();
    let cases: [&[&str]; 6] = [
        &["history", "nowhere", "shop"],
        &["history", "latest", "zebra"],
        &["history", "latest", "test"],
        &["history", "latest", "skipped"],
        &["history", "latest", "shop", "--turn", "1"],
        &["history", "latest", "shop", "-o", "tests"],
    ];
    let shown = cases.map(|args| format!("{}\n{}", args.join(" "), cx.ananke(args)));
    assert_snapshot!(shown.join("\n"), @"
    history nowhere shop
    exit code: 2
    --- stdout
    --- stderr
    error: there is no bundle `nowhere`: no such file, and no such run in `.ananke/runs`
    hint: the newest are [RUN]; `latest` and `previous` work too

    history latest zebra
    exit code: 2
    --- stdout
    --- stderr
    error: no test of this run has `zebra` in its id or name
      | tests/odd.test.yaml (odd)
      | tests/shop.test.yaml (shop)
      | tests/skipped.test.yaml (skipped)
    hint: name one of these tests by its id

    history latest test
    exit code: 2
    --- stdout
    --- stderr
    error: `test` could be any of 3 tests
      | tests/odd.test.yaml (odd)
      | tests/shop.test.yaml (shop)
      | tests/skipped.test.yaml (skipped)
    hint: name one of these tests by its id

    history latest skipped
    exit code: 2
    --- stdout
    --- stderr
    error: tests/skipped.test.yaml: no turn of this test was run, so there is no conversation

    history latest shop --turn 1
    exit code: 2
    --- stdout
    --- stderr
    error: `--turn` belongs to `--as messages`: a YAML test holds every turn

    history latest shop -o tests
    exit code: 2
    --- stdout
    --- stderr
    error: `tests` is a folder, not a file to write
    hint: name a file in it
    ");
}

#[test]
fn help() {
    let cx = TestContext::new(ANANKE);
    let output = cx
        .command(&["history", "--help"])
        .env("COLUMNS", "100")
        .run();
    assert_snapshot!(output.stdout, @"
    Write a recorded conversation as a new test

    Usage: ananke history [OPTIONS] <BUNDLE> <TEST>

    Arguments:
      <BUNDLE>  The bundle: its folder, the name of a run, `latest` or `previous`
      <TEST>    The test: its id, its name, or a part of either that no other test has

    Options:
          --as <FORM>            yaml: a test with suggested assertions; messages: a line of JSON with
                                 the conversation so far [env: ANANKE_HISTORY_AS] [default: yaml]
                                 [possible values: yaml, messages]
          --turn <N>             With `--as messages`: the turn whose user message is the last; by
                                 default the last that has one [env: ANANKE_HISTORY_TURN]
          --bundle-dir <FOLDER>  The folder of the bundles; by default `bundle.dir` of the config, else
                                 .ananke/runs beside it [env: ANANKE_BUNDLE_DIR]
          --config <FILE>        The config file, which may say where bundles are; by default the
                                 nearest ananke.config.yaml [env: ANANKE_CONFIG]
      -h, --help                 Print help

    Output:
      -o, --output <FILE>  Write to a file instead of stdout; a file that exists is left as it is [env:
                           ANANKE_HISTORY_OUTPUT]
          --force          Replace the file if it exists [env: ANANKE_FORCE]
      -v, --verbose...     Say more about each test; twice shows the conversations [env: ANANKE_VERBOSE]
      -q, --quiet          Show only failures and the summary [env: ANANKE_QUIET]
          --color <WHEN>   When to use colors; auto: on a terminal, unless NO_COLOR is set [env:
                           ANANKE_COLOR] [default: auto] [possible values: auto, always, never]
    ");
}
