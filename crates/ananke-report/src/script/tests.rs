//! Functions of scripts in the reports that show them like any other test.

use insta::assert_snapshot;
use serde_json::json;

use crate::report::ReportFormat;
use crate::samples::{
    function_failed, function_hostile, function_passed, function_skipped, function_thrown,
    function_unsure, function_with_subtests, rendered, repeated, run, script_run, three_functions,
    with_logs,
};

fn some() -> Vec<ananke_model::result::TestResult> {
    vec![
        function_passed("TestA", 12_000),
        function_with_subtests("TestB"),
        function_thrown("TestC"),
        function_skipped("TestD"),
        function_unsure("TestE"),
    ]
}

#[test]
fn markdown() {
    assert_snapshot!(rendered(ReportFormat::Markdown, &script_run(some())), @r#"
    # Script Test Report

    ❌ **2 of 5 tests failed**

    ## Summary

    | Metric | Value |
    | --- | --- |
    | Total | 5 |
    | Passed | 1 |
    | Failed | 2 (1 error) |
    | Inconclusive | 1 |
    | Skipped | 1 |
    | Pass Rate | 25.0% |
    | Duration | 35ms |

    ## Environment

    | Setting | Value |
    | --- | --- |
    | User | `test-user` |
    | Team | `test-team` |
    | Locale | `en-us` |
    | Client | `test` |
    | Client IP | `127.0.0.1` |
    | Referer | `test` |
    | Accept | `standard` |

    ## Results

    ### ❌ `expense/src/setup_test.ts#TestB` - Failed (15ms)

    `assertion failed: Result ID should match`

    <details>
    <summary>Why</summary>

    ```text
    └─ TestB/empty cart/total: assertion failed: Result ID should match
       expected: 0
       actual: 2
       --> expense/src/setup_test.ts:12:2
          |
       11 |   const result = Setup(ctx);
       12 |     assert.Equal(result.id, 1, "Result ID should match");
          |     ^^^^^^^^^^^^
       13 | }
       at check (expense/src/setup_test.ts:12:2)
       at TestB (expense/src/setup_test.ts:20:5)
    ✗ empty cart FAILED (2ms)
      ✗ total FAILED (2ms)
      ✓ tax PASSED (2ms)
    ○ full cart SKIPPED (2ms)
    ```

    </details>

    ### ❌ `expense/src/setup_test.ts#TestC` - Error (8ms)

    `TypeError: cannot read property 'id' of undefined\ncaused by: no row`

    <details>
    <summary>Why</summary>

    ```text
    └─ TypeError: cannot read property 'id' of undefined
       │ caused by: no row
       --> expense/src/setup_test.ts:31:12
          |
       31 |   return rows[0].id;
          |            ^^
       at find (expense/src/setup_test.ts:31:12)
       at expense/src/setup_test.ts:33:1
       at TestC (expense/src/setup_test.ts:40:9)
    ```

    </details>

    <details>
    <summary>Logs</summary>

    ```text
    │ looking for 7
    │ warn: slow
    │ very slow
    │ error: no rows
    │ … 12 more logs
    ```

    </details>

    ### ❔ `expense/src/setup_test.ts#TestE` - Inconclusive (900µs)

    `no assertion was evaluated`

    <details>
    <summary>Why</summary>

    ```text
    └─ no assertion was evaluated
    ```

    </details>

    <details>
    <summary>1 test passed</summary>

    ### ✅ `expense/src/setup_test.ts#TestA` - Passed (12ms)

    2 assertions

    </details>

    <details>
    <summary>1 test skipped</summary>

    ### ⏭️ `expense/src/setup_test.ts#TestD` - Skipped

    `needs a database`

    </details>
    "#);
}

#[test]
fn junit() {
    assert_snapshot!(rendered(ReportFormat::Junit, &script_run(some())), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="ananke" tests="5" failures="2" errors="1" time="0.035">
        <testsuite name="expense/src" tests="5" skipped="1" errors="1" failures="2" time="0.036" timestamp="2024-12-17T10:00:00">
            <properties>
                <property name="version" value="0.1.0"/>
                <property name="input" value="scripts.expense.setup"/>
                <property name="config_file" value="ananke.config.yaml"/>
                <property name="user" value="test-user"/>
                <property name="team" value="test-team"/>
                <property name="locale" value="en-us"/>
                <property name="client" value="test"/>
                <property name="client_ip" value="127.0.0.1"/>
                <property name="referer" value="test"/>
                <property name="accept" value="standard"/>
            </properties>
            <testcase name="TestA" classname="expense.src.setup_test" time="0.012"/>
            <testcase name="TestB" classname="expense.src.setup_test" time="0.015">
                <failure message="assertion failed: Result ID should match" type="failed">└─ TestB/empty cart/total: assertion failed: Result ID should match
       expected: 0
       actual: 2
       --&gt; expense/src/setup_test.ts:12:2
          |
       11 |   const result = Setup(ctx);
       12 |     assert.Equal(result.id, 1, &quot;Result ID should match&quot;);
          |     ^^^^^^^^^^^^
       13 | }
       at check (expense/src/setup_test.ts:12:2)
       at TestB (expense/src/setup_test.ts:20:5)
    ✗ empty cart FAILED (2ms)
      ✗ total FAILED (2ms)
      ✓ tax PASSED (2ms)
    ○ full cart SKIPPED (2ms)</failure>
                <system-out>file: expense/src/setup_test.ts:12
    </system-out>
            </testcase>
            <testcase name="TestC" classname="expense.src.setup_test" time="0.008">
                <error message="TypeError: cannot read property &apos;id&apos; of undefined\ncaused by: no row" type="error">└─ TypeError: cannot read property &apos;id&apos; of undefined
       │ caused by: no row
       --&gt; expense/src/setup_test.ts:31:12
          |
       31 |   return rows[0].id;
          |            ^^
       at find (expense/src/setup_test.ts:31:12)
       at expense/src/setup_test.ts:33:1
       at TestC (expense/src/setup_test.ts:40:9)</error>
                <system-out>file: expense/src/setup_test.ts:31
    logs:
    │ looking for 7
    │ warn: slow
    │ very slow
    │ error: no rows
    │ … 12 more logs
    </system-out>
            </testcase>
            <testcase name="TestD" classname="expense.src.setup_test" time="0.001">
                <skipped message="needs a database"/>
            </testcase>
            <testcase name="TestE" classname="expense.src.setup_test" time="0.001">
                <failure message="no assertion was evaluated" type="inconclusive">└─ no assertion was evaluated</failure>
                <system-out>file: expense/src/setup_test.ts
    </system-out>
            </testcase>
        </testsuite>
    </testsuites>
    "#);
}

#[test]
fn tap() {
    assert_snapshot!(rendered(ReportFormat::Tap, &script_run(some())), @r#"
    TAP version 14
    1..5
    ok 1 - expense/src/setup_test.ts\#TestA
      ---
      status: passed
      duration_ms: 12.000
      assertions: 2
      ...
    not ok 2 - expense/src/setup_test.ts\#TestB
      ---
      status: failed
      duration_ms: 15.000
      message: "assertion failed: Result ID should match"
      file: "expense/src/setup_test.ts"
      assertions: 3
      at:
        file: "expense/src/setup_test.ts"
        line: 12
        column: 2
      assertion: "Equal"
      expected: "0"
      actual: "2"
      subtests:
        - name: "TestB/empty cart"
          status: failed
        - name: "TestB/empty cart/total"
          status: failed
        - name: "TestB/empty cart/tax"
          status: passed
        - name: "TestB/full cart"
          status: skipped
      ...
    not ok 3 - expense/src/setup_test.ts\#TestC
      ---
      status: error
      duration_ms: 8.000
      message: "TypeError: cannot read property 'id' of undefined\ncaused by: no row"
      file: "expense/src/setup_test.ts"
      assertions: 1
      at:
        file: "expense/src/setup_test.ts"
        line: 31
        column: 12
      logs:
        - "looking for 7"
        - "warn: slow\nvery slow"
        - "error: no rows"
      more_logs: 12
      ...
    ok 4 - expense/src/setup_test.ts\#TestD # SKIP needs a database
    not ok 5 - expense/src/setup_test.ts\#TestE
      ---
      status: inconclusive
      duration_ms: 0.900
      message: "no assertion was evaluated"
      file: "expense/src/setup_test.ts"
      assertions: 0
      ...
    "#);
}

#[test]
fn github() {
    assert_snapshot!(rendered(ReportFormat::Github, &script_run(some())), @r#"
    ::error file=expense/src/setup_test.ts,line=12,col=2,title=Failed%3A TestB::└─ TestB/empty cart/total: assertion failed: Result ID should match%0A   expected: 0%0A   actual: 2%0A   --> expense/src/setup_test.ts:12:2%0A      |%0A   11 |   const result = Setup(ctx);%0A   12 |     assert.Equal(result.id, 1, "Result ID should match");%0A      |     ^^^^^^^^^^^^%0A   13 | }%0A   at check (expense/src/setup_test.ts:12:2)%0A   at TestB (expense/src/setup_test.ts:20:5)%0A✗ empty cart FAILED (2ms)%0A  ✗ total FAILED (2ms)%0A  ✓ tax PASSED (2ms)%0A○ full cart SKIPPED (2ms)
    ::error file=expense/src/setup_test.ts,line=31,col=12,title=Error%3A TestC::└─ TypeError: cannot read property 'id' of undefined%0A   │ caused by: no row%0A   --> expense/src/setup_test.ts:31:12%0A      |%0A   31 |   return rows[0].id;%0A      |            ^^%0A   at find (expense/src/setup_test.ts:31:12)%0A   at expense/src/setup_test.ts:33:1%0A   at TestC (expense/src/setup_test.ts:40:9)
    ::warning file=expense/src/setup_test.ts,line=1,title=Inconclusive%3A TestE::└─ no assertion was evaluated
    "#);
}

#[test]
fn summary() {
    assert_snapshot!(rendered(ReportFormat::Summary, &script_run(some())), @r"
    FAILED: 2 of 5 tests failed

    Input:      scripts.expense.setup
    User:       test-user, team test-team
    Total:      5, 1 passed, 2 failed (1 error), 1 inconclusive, 1 skipped
    Pass rate:  25.0%
    Duration:   35ms

    Not passed:
    - FAILED TestB (expense/src/setup_test.ts): assertion failed: Result ID should match
    - ERROR TestC (expense/src/setup_test.ts): TypeError: cannot read property 'id' of undefined\ncaused by: no row
    - INCONCLUSIVE TestE (expense/src/setup_test.ts): no assertion was evaluated
    ");
}

#[test]
fn the_reason_is_never_told_twice() {
    for format in [
        ReportFormat::Json,
        ReportFormat::Jsonl,
        ReportFormat::Markdown,
        ReportFormat::Html,
        ReportFormat::Junit,
        ReportFormat::Tap,
        ReportFormat::Github,
        ReportFormat::Summary,
    ] {
        let text = rendered(format, &script_run(three_functions()));
        assert!(text.contains("Result ID should match"), "{format:?}");
        assert!(!text.contains("plain lines for those"), "{format:?}");
    }
}

#[test]
fn credentials_in_the_code_are_not_shown() {
    let mut result = function_failed("TestA", json!(1), json!(2));
    if let Some(record) = &mut result.script {
        let code = "  const password = \"hunter2hunter2\";";
        record.failures[0].excerpt[0].1 = code.to_owned();
    }
    for format in [
        ReportFormat::Json,
        ReportFormat::Html,
        ReportFormat::Markdown,
        ReportFormat::Junit,
        ReportFormat::Github,
    ] {
        let text = rendered(format, &script_run(vec![result.clone()]));
        assert!(!text.contains("hunter2"), "{format:?}");
        assert!(text.contains("const password"), "{format:?}");
    }
}

#[test]
fn hostile_text_is_only_text() {
    let events = script_run(vec![function_hostile("TestH")]);
    let github = rendered(ReportFormat::Github, &events);
    assert_eq!(github.lines().count(), 1, "{github}");
    let tap = rendered(ReportFormat::Tap, &events);
    let starts = tap.lines().filter(|line| !line.starts_with(' '));
    assert_eq!(starts.count(), 3, "{tap}");
    let junit = rendered(ReportFormat::Junit, &events);
    assert!(!junit.contains("<img") && !junit.contains('\u{1b}'));
    let markdown = rendered(ReportFormat::Markdown, &events);
    assert!(!markdown.contains("\n# Heading") && !markdown.contains('\u{202e}'));
    let summary = rendered(ReportFormat::Summary, &events);
    assert!(!summary.lines().any(|line| line.starts_with("::")));
}

#[test]
fn functions_that_failed_once_are_not_alike() {
    let result = repeated(vec![
        function_passed("TestA", 1),
        function_failed("TestA", json!(1), json!(2)),
    ]);
    let stability = crate::stability::stability(&result).unwrap();
    assert_eq!((stability.consistency, stability.passed), (0.5, 1));
}

#[test]
fn every_failure_of_a_function_is_told() {
    let mut result = function_failed("TestA", json!(1), json!(2));
    let record = result.script.as_mut().unwrap();
    let mut second = record.failures[0].clone();
    second.subtest = Some("TestA/empty cart".to_owned());
    second.message = "the cart is not empty".to_owned();
    record.failures.push(second);
    record.more_failures = 3;
    let tap = rendered(ReportFormat::Tap, &script_run(vec![result.clone()]));
    let (_, tap) = tap.split_once("  failures:").unwrap();
    assert_snapshot!(tap, @r#"

      - message: "assertion failed: Result ID should match"
        at: "expense/src/setup_test.ts:12:2"
        assertion: "Equal"
        expected: "1"
        actual: "2"
      - message: "assertion failed: the cart is not empty"
        subtest: "TestA/empty cart"
        at: "expense/src/setup_test.ts:12:2"
        assertion: "Equal"
        expected: "1"
        actual: "2"
    more_failures: 3
    ...
    "#);
    // The subtest is named where only one sentence is told.
    result.script.as_mut().unwrap().failures.swap(0, 1);
    result.reason = None;
    let json = rendered(ReportFormat::Json, &script_run(vec![result]));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_snapshot!(json["results"][0]["error"], @r#""TestA/empty cart: assertion failed: the cart is not empty""#);
}

#[test]
fn logs_around_a_test_are_told() {
    let events = run(vec![with_logs()]);
    let markdown = rendered(ReportFormat::Markdown, &events);
    let (_, logs) = markdown.split_once("<summary>Logs").unwrap();
    assert_snapshot!(logs, @"
    </summary>

    ```text
    │ before: 3 rows
    │ scripts.tests.Total: seen <b>
    │ warn: after: 1 row is left
    ```

    </details>

    </details>
    ");
    let junit = rendered(ReportFormat::Junit, &events);
    let (_, logs) = junit.split_once("<system-out>").unwrap();
    assert_snapshot!(logs, @"
    logs:
    │ before: 3 rows
    │ scripts.tests.Total: seen &lt;b&gt;
    │ warn: after: 1 row is left
    </system-out>
            </testcase>
        </testsuite>
    </testsuites>
    ");
    let json = rendered(ReportFormat::Json, &events);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_snapshot!(json["results"][0]["logs"], @r#"["before: 3 rows","scripts.tests.Total: seen <b>","warn: after: 1 row is left"]"#);
    let html = rendered(ReportFormat::Html, &events);
    assert!(html.contains(r#"around":[["i","before: 3 rows"]"#));
}
