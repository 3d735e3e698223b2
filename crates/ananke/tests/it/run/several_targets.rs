//! One test, several targets: `targets` of a test, `--target` more than once, and what `compare` says of such runs.

use ananke_testkit::TestContext;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::rows;
use crate::ANANKE;

/// Two shops that behave alike but for the price, and a third that is no shop.
const CONFIG: &str = r#"version: "1.0"
targets:
  web:
    type: scripted
    script:
      rules:
        - when: { user_contains: mug }
          reply:
            - tool: { name: search, args: { query: mug, limit: 10 }, result: { hits: 3 } }
            - text: "Found 3 mugs."
        - when: { user_contains: pay }
          reply: [{ text: "That is 12 EUR." }]
      fallback: [{ text: "Hello" }]
  phone:
    type: scripted
    script:
      rules:
        - when: { user_contains: mug }
          reply:
            - tool: { name: search, args: { query: mug, limit: 5 }, result: { hits: 3 } }
            - text: "Found 3 mugs."
        - when: { user_contains: pay }
          reply: [{ text: "That is 15 EUR." }]
      fallback: [{ text: "Hello" }]
  other:
    type: scripted
    script: { rules: [{ reply: [{ text: "Sorry" }] }] }
"#;
const CHECKOUT: &str = r#"version: "1.0"
name: checkout
targets: [web, phone]
turns:
  - user: find a mug
    assert: { tools: { require: [{ name: search }] } }
  - user: I pay
    assert: { text: { must_match: 12 } }
"#;
const GREETING: &str =
    "version: 1\nname: greeting\nturns: [{user: hi}]\nassert: {text: {must_match: Hello}}\n";
const CASES: &str = "{\"id\": \"T1\", \"input\": \"a mug\", \"targets\": [\"web\", \"phone\"], \"assert\": {\"type\": \"contains\", \"value\": \"3\"}}\n";

fn project() -> TestContext {
    let cx = TestContext::new(ANANKE);
    cx.write("ananke.config.yaml", CONFIG);
    cx.write("tests/checkout.test.yaml", CHECKOUT);
    cx.write("tests/shop.jsonl", CASES);
    cx
}

/// Runs the project with a bundle; the name of the run is `[RUN]` from then on.
fn recorded(cx: &mut TestContext, args: &[&str]) -> String {
    let shown = cx.show(&cx.bundled(args).run());
    let names = cx.files(".ananke/runs");
    for name in names.iter().filter(|name| !name.starts_with('.')) {
        cx.filter(name, "[RUN]");
    }
    shown
}

/// Leaves out how much time things took, which a busy machine decides, and what the run is called in a file.
fn without_times(shown: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut is_time = false;
    for line in shown.lines() {
        is_time = line.contains("Slower or faster") || (is_time && !line.is_empty());
        let is_odd = line.starts_with("| Run |") || line.starts_with("| Time of all tests");
        if !is_time && !is_odd {
            lines.push(line);
        }
    }
    lines.join("\n")
}

#[test]
fn a_test_is_run_against_each_of_its_targets() {
    let mut cx = project();
    assert_snapshot!(recorded(&mut cx, &["run", "-o", "out/r.json", "-o", "out/r.md", "-o", "out/r.xml"]), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: web, phone
    ℹ Input: the project (4 tests)
    ℹ User: test-user, Team: test-team

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [tests/checkout.test.yaml@web] checkout ([TIME])
    ✗ [tests/checkout.test.yaml@phone] checkout FAILED ([TIME])
      └─ turn 2 · text.must_match /12/: expected text matching /12/, got "That is 15 EUR."
         demanded at tests/checkout.test.yaml:8:35 (turn level)
    ► [T1@web] a mug PASSED ([TIME])
    ► [T1@phone] a mug PASSED ([TIME])

    Failures:
      ✗ [tests/checkout.test.yaml@phone] turn 2: text.must_match /12/: expected text matching /12/, got "That is 15 EUR."

    Rerun: ananke run tests/checkout.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:      4 tests
      Passed:     3
      Failed:     1
      Pass Rate:  75%
      Time:       [TIME]
      Bundle:     .ananke/runs/[RUN]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    "#);
    let report: Value = serde_json::from_str(&cx.read("out/r.json")).unwrap();
    let results = report["results"].as_array().unwrap().iter();
    let results = results.map(|result| {
        let part = |key: &str| result[key].as_str().unwrap_or("-").to_owned();
        let parts = ["id", "test_id", "name", "file", "target", "status"].map(part);
        parts.join(" | ")
    });
    assert_snapshot!(results.collect::<Vec<_>>().join("\n"), @"
    tests/checkout.test.yaml@web | - | checkout | tests/checkout.test.yaml | web | passed
    tests/checkout.test.yaml@phone | - | checkout | tests/checkout.test.yaml | phone | failed
    T1@web | tests/shop.jsonl#T1@web | T1@web | tests/shop.jsonl | web | passed
    T1@phone | tests/shop.jsonl#T1@phone | T1@phone | tests/shop.jsonl | phone | passed
    ");
    let names = |text: &str, mark: &str| {
        let lines = text.lines().filter(|line| line.contains(mark));
        lines.map(str::trim).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(names(&cx.read("out/r.xml"), "<testcase").replace(|c: char| c.is_ascii_digit(), "0"), @r#"
    <testcase name="checkout @web" classname="tests.checkout" time="0.000"/>
    <testcase name="checkout @phone" classname="tests.checkout" time="0.000">
    <testcase name="T0@web" classname="tests.shop" time="0.000"/>
    <testcase name="T0@phone" classname="tests.shop" time="0.000"/>
    "#);
    let md = cx.read("out/r.md");
    assert!(md.contains("tests/checkout.test.yaml@phone"), "{md}");
}

#[test]
fn the_targets_of_one_run_are_compared() {
    let mut cx = project();
    cx.write(
        "tests/greeting.test.yaml",
        &format!("{GREETING}targets: [web, phone]\n"),
    );
    recorded(&mut cx, &["run"]);
    let args = [
        "compare",
        "--targets",
        "web,phone",
        "-o",
        "out/c.md",
        "-o",
        "out/c.json",
    ];
    assert_snapshot!(without_times(&cx.ananke(&args)), @r#"
    exit code: 1
    --- stdout
    A latest ([RUN]), target web: 3 tests, 3 passed, [TIME]
    B latest ([RUN]), target phone: 3 tests, 2 passed, [TIME]

    Broken (1): passed in A, not in B
      ✗ [tests/checkout.test.yaml] checkout PASSED → FAILED
        differs: tool calls, text
        first difference in turn 1, tool call 1 `search`, arguments, limit: 10 → 5
        └─ turn 2: text.must_match /12/: expected text matching /12/, got "That is 15 EUR."
        tool calls
          ~ turn 1, arguments: search: limit: 10 → 5
        text of turn 2
          │ That is [-12-]{+15+} EUR.

    Changed (1): came out alike, behaves otherwise
      ~ [T1 in tests/shop.jsonl] PASSED → PASSED
        differs: tool calls
        first difference in turn 1, tool call 1 `search`, arguments, limit: 10 → 5

    Alike (1): came out and behaves the same
      = [tests/greeting.test.yaml] greeting PASSED → PASSED

    1 broken, 1 changed, 1 same
    regression: 1 test broken
    --- stderr
    "#);
    assert_snapshot!(without_times(&cx.read("out/c.md")), @r#"
    ## ❌ Agent tests: regression: 1 test broken

    | | A | B |
    |---|---|---|
    | Tests | 3 | 3 |
    | Passed | 3 | 2 |
    | Skipped | 0 | 0 |
    | Flaky | 0 | 0 |

    1 broken, 1 changed, 1 same

    ### Broken (1)

    passed in A, not in B

    - `tests/checkout.test.yaml` `checkout`: PASSED → FAILED

      ```text
      differs: tool calls, text
      first difference in turn 1, tool call 1 `search`, arguments, limit: 10 → 5
      └─ turn 2: text.must_match /12/: expected text matching /12/, got "That is 15 EUR."
      tool calls
        ~ turn 1, arguments: search: limit: 10 → 5
      text of turn 2
        │ That is [-12-]{+15+} EUR.
      ```


    <details>
    <summary>Changed (1): came out alike, behaves otherwise</summary>

    - `T1 in tests/shop.jsonl`: PASSED → PASSED

      ```text
      differs: tool calls
      first difference in turn 1, tool call 1 `search`, arguments, limit: 10 → 5
      tool calls
        ~ turn 1, arguments: search: limit: 10 → 5
      ```

    </details>

    ### Alike (1)

    came out and behaves the same

    - `tests/greeting.test.yaml` `greeting`: PASSED → PASSED
    "#);
    let json: Value = serde_json::from_str(&cx.read("out/c.json")).unwrap();
    let firsts = json["tests"].as_array().unwrap().iter();
    let firsts = firsts
        .map(|test| json!([test["id"], test["change"], test["first_difference"]]).to_string());
    assert_snapshot!(firsts.collect::<Vec<_>>().join("\n"), @r#"
    ["tests/checkout.test.yaml","broken",{"turn":1,"what":"tool call 1 `search`, arguments, limit","a":"10","b":"5"}]
    ["tests/greeting.test.yaml","same",null]
    ["tests/shop.jsonl#T1","changed",{"turn":1,"what":"tool call 1 `search`, arguments, limit","a":"10","b":"5"}]
    "#);
    assert_snapshot!(cx.ananke(&["compare", "--targets", "web,phoen"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: --targets: `latest` has no result of the target `phoen`
    hint: did you mean `phone`?
    ");
    assert_snapshot!(cx.ananke(&["compare", "latest", "--targets", "web,phone,other"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: --targets: expected the names of two targets, found 3
    hint: write `--targets web,mobile`; of more than two, compare each with the first
    ");
    assert_snapshot!(cx.ananke(&["compare", "latest", "--targets", "web,zebra"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: --targets: `latest` has no result of the target `zebra`
    hint: it has `web`, `phone`
    ");
}

#[test]
fn two_runs_of_two_targets_are_compared() {
    let mut cx = project();
    assert_eq!(
        cx.bundled(&["run", "--target", "web", "-o", "out/web.json"])
            .run()
            .code,
        Some(0)
    );
    assert_eq!(
        cx.bundled(&["run", "--target", "phone", "-o", "out/phone.json"])
            .run()
            .code,
        Some(1)
    );
    let names = cx.files(".ananke/runs");
    let names = names.iter().filter(|name| !name.starts_with('.'));
    for (name, shown) in names.zip(["[RUN A]", "[RUN B]"]) {
        cx.filter(name, shown);
    }
    assert_snapshot!(without_times(&cx.ananke(&["compare"])), @r#"
    exit code: 1
    --- stdout
    A previous ([RUN A]): 2 tests, 2 passed, [TIME]
    B latest ([RUN B]): 2 tests, 1 passed, [TIME]

    Broken (1): passed in A, not in B
      ✗ [tests/checkout.test.yaml] checkout PASSED → FAILED
        differs: tool calls, text
        first difference in turn 1, tool call 1 `search`, arguments, limit: 10 → 5
        └─ turn 2: text.must_match /12/: expected text matching /12/, got "That is 15 EUR."
        tool calls
          ~ turn 1, arguments: search: limit: 10 → 5
        text of turn 2
          │ That is [-12-]{+15+} EUR.

    Changed (1): came out alike, behaves otherwise
      ~ [T1 in tests/shop.jsonl] PASSED → PASSED
        differs: tool calls
        first difference in turn 1, tool call 1 `search`, arguments, limit: 10 → 5

    1 broken, 1 changed
    regression: 1 test broken
    --- stderr
    "#);
    let reports = cx.run(&["compare", "out/web.json", "out/phone.json"]);
    assert!(
        reports
            .stdout
            .contains("first difference in turn 1, tool call 1 `search`"),
        "{reports}"
    );
    // One run has both targets, the other one of them.
    cx.bundled(&["run", "--target", "web,other"]).run();
    let narrowed = cx.run(&[
        "compare",
        "out/phone.json",
        "latest",
        "--targets",
        "phone,web",
    ]);
    assert_eq!(narrowed.code, Some(0), "{narrowed}");
}

#[test]
fn the_flag_wins_over_the_list_of_a_test() {
    let cx = project();
    cx.write("tests/greeting.test.yaml", GREETING);
    let shown = |args: &[&str]| rows(&cx.ananke(args));
    assert_snapshot!(shown(&["run", "--target", "web"]), @"
    ✓ [tests/checkout.test.yaml] checkout ([TIME])
    ✓ [tests/greeting.test.yaml] greeting ([TIME])
    ");
    assert_snapshot!(shown(&["run", "--target", "web", "--target", "other", "tests/checkout.test.yaml", "tests/greeting.test.yaml"]), @"
    ✓ [tests/checkout.test.yaml@web] checkout ([TIME])
    ✗ [tests/checkout.test.yaml@other] checkout FAILED ([TIME])
    ✓ [tests/greeting.test.yaml@web] greeting ([TIME])
    ✗ [tests/greeting.test.yaml@other] greeting FAILED ([TIME])
    ");
    let twin = cx.command(&["run"]).env("ANANKE_TARGET", "web,other");
    assert_snapshot!(rows(&cx.show(&twin.run())), @"
    ✓ [tests/checkout.test.yaml@web] checkout ([TIME])
    ✗ [tests/checkout.test.yaml@other] checkout FAILED ([TIME])
    ✓ [tests/greeting.test.yaml@web] greeting ([TIME])
    ✗ [tests/greeting.test.yaml@other] greeting FAILED ([TIME])
    ");
    assert_snapshot!(cx.ananke(&["run", "--target", "web,phoen"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: --target: unknown target `phoen`
    hint: did you mean `phone`?

    error: 1 error
    ");
}

#[test]
fn the_targets_are_listed_and_picked_by_pattern() {
    let cx = project();
    assert_snapshot!(cx.ananke(&["list"]), @"
    exit code: 0
    --- stdout
    ID                              NAME      FILE              TARGET
    tests/checkout.test.yaml@web    checkout                    web
    tests/checkout.test.yaml@phone  checkout                    phone
    T1@web                          a mug     tests/shop.jsonl  web
    T1@phone                        a mug     tests/shop.jsonl  phone
    --- stderr
    ");
    assert_snapshot!(cx.ananke(&["list", "--run", "@phone$"]), @"
    exit code: 0
    --- stdout
    ID                              NAME      FILE              TARGET
    tests/checkout.test.yaml@phone  checkout                    phone
    T1@phone                        a mug     tests/shop.jsonl  phone
    --- stderr
    ");
    assert_snapshot!(cx.ananke(&["list", "--run", "^T1$"]), @"
    exit code: 0
    --- stdout
    ID        NAME   FILE              TARGET
    T1@web    a mug  tests/shop.jsonl  web
    T1@phone  a mug  tests/shop.jsonl  phone
    --- stderr
    ");
    assert_snapshot!(cx.ananke(&["validate"]), @"
    exit code: 0
    --- stdout
    4 tests are valid
    --- stderr
    ");
    assert_snapshot!(cx.ananke(&["validate", "--target", "web,phone,other"]), @"
    exit code: 0
    --- stdout
    6 tests are valid
    --- stderr
    ");
}

#[test]
fn a_recorded_run_is_judged_repeated_and_written_as_a_test() {
    let mut cx = project();
    cx.write("tests/greeting.test.yaml", GREETING);
    recorded(&mut cx, &["run", "--target", "web,phone"]);
    assert_snapshot!(rows(&cx.ananke(&["judge", "latest"])), @"
    ✓ [tests/checkout.test.yaml@web] checkout ([TIME])
    ✗ [tests/checkout.test.yaml@phone] checkout FAILED ([TIME])
    ✓ [tests/greeting.test.yaml@web] greeting ([TIME])
    ✓ [tests/greeting.test.yaml@phone] greeting ([TIME])
    ");
    assert_snapshot!(rows(&cx.ananke(&["judge", "latest", "--as-recorded"])), @"
    ✓ [tests/checkout.test.yaml@web] checkout ([TIME])
    ✗ [tests/checkout.test.yaml@phone] checkout FAILED ([TIME])
    ✓ [tests/greeting.test.yaml@web] greeting ([TIME])
    ✓ [tests/greeting.test.yaml@phone] greeting ([TIME])
    ");
    assert_snapshot!(rows(&cx.ananke(&["run", "--replay", "latest", "--target", "web,phone"])), @"
    ✓ [tests/checkout.test.yaml@web] checkout ([TIME])
    ✗ [tests/checkout.test.yaml@phone] checkout FAILED ([TIME])
    ✓ [tests/greeting.test.yaml@web] greeting ([TIME])
    ✓ [tests/greeting.test.yaml@phone] greeting ([TIME])
    ");
    assert_snapshot!(rows(&cx.ananke(&["run", "--last-failed", "--target", "web,phone"])), @"✗ [tests/checkout.test.yaml@phone] checkout FAILED ([TIME])");
    assert_snapshot!(cx.ananke(&["history", "latest", "checkout"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `checkout` could be any of 2 tests
      | tests/checkout.test.yaml@web (checkout)
      | tests/checkout.test.yaml@phone (checkout)
    hint: name one of these tests by its id
    ");
    let written = cx.ananke(&["history", "latest", "tests/checkout.test.yaml@phone"]);
    // What follows holds suggestions about times.
    let head = written.split("turns:").next().unwrap_or_default();
    assert_snapshot!(head, @r#"
    exit code: 0
    --- stdout
    # Written by `ananke history` from tests/checkout.test.yaml@phone in run [RUN], which talked to phone.
    # Assertions are suggestions from what that run showed: keep what must hold, drop the rest.
    # The test came out as FAILED there: turn 2: text.must_match /12/: expected text matching /12/, got "That is 15 EUR."
    # That run picked the target; without the line `target`, `--target` picks it.
    version: "1.0"
    name: "checkout (recorded [RUN])"
    target: "phone"
    "#);
}

#[test]
fn each_target_has_its_own_snapshots() {
    let cx = project();
    let test = "version: 1\nname: prices\ntargets: [web, phone]\nturns: [{user: I pay}]\nassert: {snapshot: {name: price, of: text}}\n";
    cx.write("tests/checkout.test.yaml", test);
    let args = ["run", "tests/checkout.test.yaml"];
    let written = cx.run(&["run", "tests/checkout.test.yaml", "--update-snapshots"]);
    assert_eq!(written.code, Some(0), "{written}");
    assert_snapshot!(cx.files("tests/__snapshots__").join("\n"), @"
    checkout@phone.price.snap
    checkout@web.price.snap
    ");
    assert_eq!(cx.run(&args).code, Some(0));
    cx.write("ananke.config.yaml", &CONFIG.replace("15 EUR", "16 EUR"));
    assert_snapshot!(rows(&cx.ananke(&args)), @"
    ✓ [tests/checkout.test.yaml@web] prices ([TIME])
    ✗ [tests/checkout.test.yaml@phone] prices FAILED ([TIME])
    ");
}
