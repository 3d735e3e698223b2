//! `ananke compare`: two runs from bundles or JSON reports, what changed, and the exit code for it.

use ananke_testkit::{ScriptedAgent, TestContext};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::ANANKE;
use crate::run::expects;

/// Runs the project against an agent that follows these rules; the report goes to `report` as well.
fn run(cx: &TestContext, rules: Value, report: &str) {
    let agent = ScriptedAgent::start(json!({"rules": rules}));
    cx.config_for(&agent);
    let output = cx.bundled(&["run", "-o", report]).run();
    assert!(matches!(output.code, Some(0 | 1)), "{output}");
}

/// Returns the names of the project's runs, oldest first.
fn run_names(cx: &TestContext) -> Vec<String> {
    let mut names = cx.files(".ananke/runs");
    names.retain(|name| !name.starts_with('.'));
    names
}

/// Runs the comparison and leaves out how much time things took, which a busy machine decides.
fn compared(cx: &TestContext, args: &[&str]) -> String {
    let shown = cx.ananke(args);
    match shown.split_once("Slower or faster") {
        Some((before, rest)) => {
            let (_, after) = rest.split_once("\n\n").expect("the section ends");
            format!("{before}{after}")
        }
        None => shown,
    }
}

fn says(when: &str, text: &str) -> Value {
    json!({"when": {"user_contains": when}, "reply": [{"text": text}]})
}

fn searches(limit: u8, text: &str) -> Value {
    json!({"when": {"user_contains": "mugs"}, "reply": [
        {"tool": {"name": "search", "args": {"query": "mug", "limit": limit}, "result": {"hits": limit}}},
        {"text": text},
    ]})
}

/// Returns a project that was run twice: one test broke, one is fixed, one is gone, one is new, one changed.
fn project() -> TestContext {
    let mut cx = TestContext::new(ANANKE);
    for (name, word) in [
        ("mugs", "Found"),
        ("hello", "Hello"),
        ("old", "Old"),
        ("pay", "Paid"),
        ("same", "Same"),
    ] {
        cx.write(&format!("tests/{name}.test.yaml"), &expects(name, word));
    }
    let old = json!([
        searches(3, "Found 3 mugs."),
        says("hello", "Hello, Ann"),
        says("old", "Old"),
        says("pay", "Declined"),
        says("same", "Same"),
    ]);
    run(&cx, old, "a.json");
    std::fs::remove_file(cx.dir().join("tests/old.test.yaml")).expect("it was written");
    cx.write("tests/young.test.yaml", &expects("young", "Young"));
    let new = json!([
        searches(5, "Sorry, no mugs."),
        says("hello", "Hello, Bob"),
        says("pay", "Paid"),
        says("same", "Same"),
        says("young", "Young"),
    ]);
    run(&cx, new, "b.jsonl");
    for (name, shown) in run_names(&cx).iter().zip(["[RUN A]", "[RUN B]"]) {
        cx.filter(name, shown);
    }
    cx
}

#[test]
fn bundles_are_compared_test_by_test() {
    let cx = project();
    assert_snapshot!(compared(&cx, &["compare", "-v"]), @r#"
    exit code: 1
    --- stdout
    A previous ([RUN A]): 5 tests, 4 passed, [TIME]
    B latest ([RUN B]): 5 tests, 4 passed, [TIME]

    Broken (1): passed in A, not in B
      ✗ [tests/mugs.test.yaml] mugs PASSED → FAILED
        differs: tool calls, text
        first difference in turn 1, tool call 1 `search`, arguments, limit: 3 → 5
        └─ test: text.must_match /Found/: expected text matching /Found/, got "Sorry, no mugs."
        tool calls
          ~ turn 1, arguments: search: limit: 3 → 5
          ~ turn 1, result: search: hits: 3 → 5
        text of turn 1
          │ [-Found 3-]{+Sorry, no+} mugs.
        first differing event, in turn 1
          A event 2 │ {"delta":"{\"query\":\"mug\",\"limit\":3}","toolCallId":"<id-3>","type":"TOOL_CALL_ARGS"}
          B event 2 │ {"delta":"{\"query\":\"mug\",\"limit\":5}","toolCallId":"<id-3>","type":"TOOL_CALL_ARGS"}

    Gone (1): in A only, or not run in B
      - [tests/old.test.yaml] old PASSED → not there

    Fixed (1): passes in B, not in A
      ✓ [tests/pay.test.yaml] pay FAILED → PASSED
        differs: text
        first difference in turn 1, text: "Declined" → "Paid"
        └─ in A: test: text.must_match /Paid/: expected text matching /Paid/, got "Declined"
        text of turn 1
          │ [-Declined-]{+Paid+}
        first differing event, in turn 1
          A event 2 │ {"delta":"Declined","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
          B event 2 │ {"delta":"Paid","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}

    New (1): in B only, or not run in A
      + [tests/young.test.yaml] young not there → PASSED

    Changed (1): came out alike, behaves otherwise
      ~ [tests/hello.test.yaml] hello PASSED → PASSED
        differs: text
        first difference in turn 1, text: "Hello, Ann" → "Hello, Bob"
        text of turn 1
          │ Hello, [-Ann-]{+Bob+}
        first differing event, in turn 1
          A event 2 │ {"delta":"Hello, Ann","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
          B event 2 │ {"delta":"Hello, Bob","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}

    1 broken, 1 gone, 1 fixed, 1 new, 1 changed, 1 same
    regression: 1 test broken, 1 test gone
    --- stderr
    "#);
    assert_eq!(
        cx.run(&["compare"]).stdout,
        cx.run(&["compare", "previous", "latest"]).stdout
    );
}

#[test]
fn reports_are_compared_too() {
    let cx = project();
    assert_snapshot!(compared(&cx, &["compare", "a.json", "b.jsonl"]), @r#"
    exit code: 1
    --- stdout
    A a.json: 5 tests, 4 passed, [TIME]
    B b.jsonl: 5 tests, 4 passed, [TIME]
    ⚠ JSON reports hold no raw events: which event differs first is only known where both sides are bundles

    Broken (1): passed in A, not in B
      ✗ [tests/mugs.test.yaml] mugs PASSED → FAILED
        differs: tool calls, text
        first difference in turn 1, tool call 1 `search`, arguments, limit: 3 → 5
        └─ test: text.must_match /Found/: expected text matching /Found/, got "Sorry, no mugs."
        tool calls
          ~ turn 1, arguments: search: limit: 3 → 5
          ~ turn 1, result: search: hits: 3 → 5
        text of turn 1
          │ [-Found 3-]{+Sorry, no+} mugs.

    Gone (1): in A only, or not run in B
      - [tests/old.test.yaml] old PASSED → not there

    Fixed (1): passes in B, not in A
      ✓ [tests/pay.test.yaml] pay FAILED → PASSED
        differs: text
        first difference in turn 1, text: "Declined" → "Paid"
        └─ in A: test: text.must_match /Paid/: expected text matching /Paid/, got "Declined"
        text of turn 1
          │ [-Declined-]{+Paid+}

    New (1): in B only, or not run in A
      + [tests/young.test.yaml] young not there → PASSED

    Changed (1): came out alike, behaves otherwise
      ~ [tests/hello.test.yaml] hello PASSED → PASSED
        differs: text
        first difference in turn 1, text: "Hello, Ann" → "Hello, Bob"

    1 broken, 1 gone, 1 fixed, 1 new, 1 changed, 1 same
    regression: 1 test broken, 1 test gone
    --- stderr
    "#);
    let names = run_names(&cx);
    let folder = format!(".ananke/runs/{}", names[0]);
    let same = cx.run(&["compare", "a.json", &folder]);
    assert_eq!(same.code, Some(0), "{same}");
    assert!(same.stdout.ends_with("no difference\n"), "{same}");
}

#[test]
fn the_same_run_twice_has_no_difference() {
    let cx = project();
    assert_snapshot!(cx.ananke(&["compare", "latest", "latest"]), @"
    exit code: 0
    --- stdout
    A latest ([RUN B]): 5 tests, 4 passed, [TIME]
    B latest ([RUN B]): 5 tests, 4 passed, [TIME]

    5 same (1 passed in neither)
    no difference
    --- stderr
    ");
}

#[test]
fn tests_that_are_gone_can_be_allowed_and_what_broke_cannot() {
    let cx = project();
    // The other way round only `young` is gone and `pay` broke.
    let back = cx.run(&["compare", "latest", "previous", "--allow-missing", "-q"]);
    assert_eq!(back.code, Some(1), "{back}");
    cx.write("tests/pay.test.yaml", &expects("pay", "Declined"));
    let agent = ScriptedAgent::start(json!({"rules": [says("pay", "Declined")]}));
    cx.config_for(&agent);
    cx.run(&["run", "tests/pay.test.yaml", "-o", "c.json"]);
    assert_eq!(cx.run(&["compare", "a.json", "c.json"]).code, Some(1));
    assert_eq!(
        cx.run(&["compare", "a.json", "c.json", "--allow-missing"])
            .code,
        Some(0)
    );
    let twin = cx
        .command(&["compare", "a.json", "c.json"])
        .env("ANANKE_ALLOW_MISSING", "1");
    assert_eq!(twin.run().code, Some(0));
}

#[test]
fn a_run_that_is_not_all_here_decides_nothing() {
    let mut cx = TestContext::new(ANANKE);
    cx.write("tests/a.test.yaml", &expects("a", "Hello"));
    cx.write("tests/b.test.yaml", &expects("b", "Hello"));
    // The second answer takes its time, so that the bundle holds each test in a frame of its own.
    let hello = || json!([{"times": 1, "reply": [{"text": "Hello"}]}, {"reply": [{"delay_ms": 100}, {"text": "Hello"}]}]);
    run(&cx, hello(), "a.jsonl");
    run(&cx, hello(), "b.json");
    for (name, shown) in run_names(&cx).iter().zip(["[RUN A]", "[RUN B]"]) {
        cx.filter(name, shown);
    }
    let lines = cx.read("a.jsonl");
    let mut lines: Vec<&str> = lines.lines().collect();
    lines.pop();
    cx.write("cut.jsonl", &lines.join("\n"));
    let stopped = cx
        .read("b.json")
        .replace("\"interrupted\": false", "\"interrupted\": true");
    cx.write("stopped.json", &stopped);
    let names = run_names(&cx);
    let bundle = cx
        .dir()
        .join(".ananke/runs")
        .join(&names[1])
        .join("run.jsonl.zst");
    let bytes = std::fs::read(&bundle).expect("it was written");
    std::fs::write(&bundle, &bytes[..bytes.len() - 20]).expect("it is ours");
    let cases: [&[&str]; 4] = [
        &["compare", "a.jsonl", "stopped.json"],
        &["compare", "cut.jsonl", "b.json"],
        &["compare", "-q"],
        &["compare", "stopped.json", "latest", "-q"],
    ];
    let shown = cases.map(|args| format!("{}\n{}", args.join(" "), compared(&cx, args)));
    assert_snapshot!(shown.join("\n"), @"
    compare a.jsonl stopped.json
    exit code: 5
    --- stdout
    A a.jsonl: 2 tests, 2 passed, [TIME]
    B stopped.json: 2 tests, 2 passed, [TIME]
    ⚠ B is incomplete: the run was interrupted

    2 same
    inconclusive: no regression in what was compared, but B is incomplete
    --- stderr

    compare cut.jsonl b.json
    exit code: 5
    --- stdout
    A cut.jsonl: 2 tests, 2 passed, [TIME]
    B b.json: 2 tests, 2 passed, [TIME]
    ⚠ A is incomplete: the report has no summary, so it was cut off

    2 same
    inconclusive: no regression in what was compared, but A is incomplete
    --- stderr

    compare -q
    exit code: 1
    --- stdout
    Gone (1): in A only, or not run in B
      - [tests/b.test.yaml] b PASSED → SKIPPED
        └─ not run: the run was cut short

    regression: 1 test gone; B is incomplete
    hint: B ended before its time; run it again, and to its end
    --- stderr

    compare stopped.json latest -q
    exit code: 1
    --- stdout
    Gone (1): in A only, or not run in B
      - [tests/b.test.yaml] b PASSED → SKIPPED
        └─ not run: the run was cut short

    regression: 1 test gone; A and B are incomplete
    hint: B ended before its time; run it again, and to its end
    --- stderr
    ");
}

#[test]
fn every_format_can_be_written_at_once() {
    let cx = project();
    let output = cx.run(&[
        "compare",
        "--json",
        "-o",
        "out/c.md",
        "-o",
        "out/c.html",
        "-o",
        "out/c.json",
    ]);
    assert_eq!(output.code, Some(1), "{output}");
    let document: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(document["schema"], "ananke.compare/1");
    assert_eq!(document["counts"]["broken"], 1);
    assert_eq!(cx.read("out/c.json"), output.stdout);
    assert!(
        cx.read("out/c.md")
            .starts_with("## ❌ Agent tests: regression: 1 test broken, 1 test gone")
    );
    let html = cx.read("out/c.html");
    assert!(html.starts_with("<!doctype html>") && html.contains("Content-Security-Policy"));
    assert!(html.contains("<del>Found 3</del>"), "{html}");
}

#[test]
fn mistakes_are_told_before_anything_is_written() {
    let cx = TestContext::new(ANANKE);
    cx.write("not.json", "{\"a\": 1}");
    cx.write("a.json", "{\"results\": []}");
    cx.write("half.zst", "(\u{b5}nonsense");
    cx.write("folder/x", "");
    cx.write(
        "export.json",
        "{\"schema\": \"ananke.export/1\", \"results\": []}",
    );
    let cases: [&[&str]; 10] = [
        &["compare"],
        &["compare", "nowhere.json", "a.json"],
        &["compare", "a.json", "not.json"],
        &["compare", "a.json", "export.json"],
        &["compare", "a.json", "half.zst"],
        &["compare", "a.json", "folder"],
        &["compare", "a.json", "a.json", "-o", "x.xml"],
        &["compare", "a.json", "a.json", "-o", "folder"],
        &["compare", "a.json", "a.json", "-o", "a.json"],
        &["compare", "a.json", "a.json"],
    ];
    let shown = cases.map(|args| {
        let output = cx.run(args);
        let said = if output.stderr.is_empty() {
            &output.stdout
        } else {
            &output.stderr
        };
        format!("{} -> {}\n{}", args.join(" "), output.code.unwrap(), said)
    });
    assert_snapshot!(shown.join("\n").replace(&cx.dir().display().to_string(), "[TMP]"), @"
    compare -> 2
    error: there is no bundle `previous`: no such file, and no such run in `.ananke/runs`
    hint: `ananke run` leaves a bundle of every run

    compare nowhere.json a.json -> 2
    error: there is no bundle `nowhere.json`: no such file, and no such run in `.ananke/runs`
    hint: `ananke run` leaves a bundle of every run

    compare a.json not.json -> 2
    error: `not.json` cannot be compared: it is JSON, but no report of ananke: it has no `results`
    hint: expected a bundle, or a report that `ananke run -o report.json` (or .jsonl) wrote

    compare a.json export.json -> 2
    error: `export.json` cannot be compared: it was saved from the HTML report (`ananke.export/1`), which leaves out what was not shown; give the bundle `RUN` instead, or what `ananke report RUN -o report.json` writes
    hint: expected a bundle, or a report that `ananke run -o report.json` (or .jsonl) wrote

    compare a.json half.zst -> 2
    error: `[TMP]/half.zst` is not a bundle: it does not begin like a file of zstd
    hint: a bundle is a folder `<run-id>` with the file `run.jsonl.zst`

    compare a.json folder -> 2
    error: the folder `[TMP]/folder` holds no bundle
    hint: a bundle is a folder `<run-id>` with the file `run.jsonl.zst`

    compare a.json a.json -o x.xml -> 2
    error: `-o x.xml`: the extension names no format; known are json, md, html

    compare a.json a.json -o folder -> 2
    error: `folder` is a folder, not a file to write
    hint: name a file in it

    compare a.json a.json -o a.json -> 2
    error: `-o a.json` would replace what is compared

    compare a.json a.json -> 4
    A a.json: 0 tests, 0 passed, 0µs
    B a.json: 0 tests, 0 passed, 0µs

    nothing was compared: no test is in both
    ");
    assert!(!cx.exists("x.xml"));
    assert_eq!(cx.read("a.json"), "{\"results\": []}");
    let json = cx.run(&["compare", "a.json", "not.json", "--json"]);
    let document: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(document["error"]["exit_code"], 2);
}

#[test]
fn an_output_that_cannot_be_written_is_trouble() {
    let cx = TestContext::new(ANANKE);
    cx.write(
        "a.json",
        "{\"results\": [{\"id\": \"a\", \"status\": \"passed\"}]}",
    );
    cx.write("file", "");
    let output = cx.run(&["compare", "a.json", "a.json", "-o", "file/out.md"]);
    assert_eq!(output.code, Some(3), "{output}");
    assert!(
        output.stderr.contains("`file/out.md` cannot be written"),
        "{output}"
    );
    assert!(output.stdout.contains("no difference"), "{output}");
    let json = cx.run(&["compare", "a.json", "a.json", "--json", "-o", "file/out.md"]);
    assert!(
        serde_json::from_str::<Value>(&json.stdout).is_ok(),
        "{json}"
    );
}

#[test]
fn help() {
    let cx = TestContext::new(ANANKE);
    let output = cx
        .command(&["compare", "--help"])
        .env("COLUMNS", "100")
        .run();
    assert_snapshot!(output.stdout, @"
    Compare two runs: which tests broke, were fixed, are new or gone, or behave otherwise

    Usage: ananke compare [OPTIONS] [A] [B]

    Arguments:
      [A]  The run before: a bundle (its folder, the name of a run, `latest`, `previous`) or a JSON or
           JSONL report [default: previous; with --targets: latest]
      [B]  The run after, named in the same ways [default: latest; with --targets: A]

    Options:
          --targets <NAMES>      Compare two targets, such as web,mobile: what A has of the first with
                                 what B has of the second [env: ANANKE_COMPARE_TARGETS]
          --allow-missing        Tests that are in A and not in B are no regression [env:
                                 ANANKE_ALLOW_MISSING]
          --bundle-dir <FOLDER>  The folder of the bundles; by default `bundle.dir` of the config, else
                                 .ananke/runs beside it [env: ANANKE_BUNDLE_DIR]
          --config <FILE>        The config file, which may say where bundles are; by default the
                                 nearest ananke.config.yaml [env: ANANKE_CONFIG]
      -h, --help                 Print help

    Output:
      -o, --output <FILE>  Write the comparison, format by extension: json, md, html; may be repeated
                           [env: ANANKE_COMPARE_OUTPUT]
          --json           Print exactly one JSON document on stdout [env: ANANKE_JSON]
      -v, --verbose...     Say more about each test; twice shows the conversations [env: ANANKE_VERBOSE]
      -q, --quiet          Show only failures and the summary [env: ANANKE_QUIET]
          --color <WHEN>   When to use colors; auto: on a terminal, unless NO_COLOR is set [env:
                           ANANKE_COLOR] [default: auto] [possible values: auto, always, never]
    ");
}
