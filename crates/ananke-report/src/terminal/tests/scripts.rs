//! Functions of scripts: by themselves in frames of their files, and beside other tests.

use ananke_model::plan::TestId;
use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::RunEvent;
use ananke_model::script::{FailureKind, LogLevel, ScriptFailure, ScriptLog, ScriptRecord};
use insta::assert_snapshot;
use serde_json::json;

use super::console::{options, rows, shown, shown_with};
use crate::samples::{
    ascii, case, function, function_failed, function_hostile, function_passed, function_skipped,
    function_thrown, function_timeout, function_unsure, function_with_subtests, passed, plain, run,
    script_run, summary_mut, three_functions, with_logs,
};
use crate::style::Style;
use crate::terminal::TerminalOptions;

fn with(verbose: u8, quiet: bool, events: &[RunEvent]) -> String {
    let options = TerminalOptions {
        verbose,
        quiet,
        ..options(plain())
    };
    shown_with(options, events)
}

fn in_file(file: &str, mut result: TestResult) -> TestResult {
    result.id = TestId(format!("{file}#{}", result.name));
    result.file = file.to_owned();
    if let Some(record) = &mut result.script {
        record.script = file.to_owned();
    }
    result
}

#[test]
fn a_run_of_one_file() {
    assert_snapshot!(shown(&script_run(three_functions())), @r#"
    ═══════════════════════════════════════════════════════════════════════════════
      Script Test: scripts.expense.setup
    ═══════════════════════════════════════════════════════════════════════════════
      Script: expense/src/setup_test.ts
      Tests: 3 functions
      User: test-user
      Team: test-team
    ───────────────────────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────────────────────
    ► [TestSystemReady] ...
      ✓ PASSED (12ms)

    ► [TestSystemReadyWithInvalidContext] ...
      ✓ PASSED (8ms)

    ► [TestSetupWithMockData] ...
      ✗ FAILED (15ms)
        └─ assertion failed: Result ID should match
           expected: 1
           actual: 2
           --> expense/src/setup_test.ts:12:2
              |
           11 |   const result = Setup(ctx);
           12 |     assert.Equal(result.id, 1, "Result ID should match");
              |     ^^^^^^^^^^^^
           13 | }

    Rerun: ananke run expense/src/setup_test.ts --run '^(TestSetupWithMockData)$'

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 2 passed, 1 failed, 0 skipped (35ms)
    ═══════════════════════════════════════════════════════════════════════════════
    "#);
}

#[test]
fn every_outcome_has_its_words() {
    let results = vec![
        function_thrown("TestThrows"),
        function_timeout("TestHangs"),
        function_skipped("TestSkips"),
        function_unsure("TestSaysNothing"),
        function_with_subtests("TestCart"),
        function_failed(
            "TestStructure",
            json!({"id": 1, "name": "Ada", "tags": ["a", "b"], "address": {"city": "London"}}),
            json!({"id": 2, "name": "Ada", "tags": ["a", "c"], "address": {"city": "London"}}),
        ),
    ];
    assert_snapshot!(shown(&script_run(results)), @r#"
    ═══════════════════════════════════════════════════════════════════════════════
      Script Test: scripts.expense.setup
    ═══════════════════════════════════════════════════════════════════════════════
      Script: expense/src/setup_test.ts
      Tests: 6 functions
      User: test-user
      Team: test-team
    ───────────────────────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────────────────────
    ► [TestThrows] ...
      ✗ ERROR (8ms)
        └─ TypeError: cannot read property 'id' of undefined
           │ caused by: no row
           --> expense/src/setup_test.ts:31:12
              |
           31 |   return rows[0].id;
              |            ^^
        logs:
        │ looking for 7
        │ warn: slow
        │ very slow
        │ error: no rows
        │ … 12 more logs

    ► [TestHangs] ...
      ✗ TIMEOUT (30.0s)
        └─ timeout after 30s

    ► [TestSkips] ...
      ○ SKIPPED: needs a database

    ► [TestSaysNothing] ...
      ? INCONCLUSIVE (900µs)
        └─ no assertion was evaluated

    ► [TestCart] ...
      ✗ FAILED (15ms)
        └─ TestCart/empty cart/total: assertion failed: Result ID should match
           expected: 0
           actual: 2
           --> expense/src/setup_test.ts:12:2
              |
           11 |   const result = Setup(ctx);
           12 |     assert.Equal(result.id, 1, "Result ID should match");
              |     ^^^^^^^^^^^^
           13 | }
        ✗ empty cart FAILED (2ms)
          ✗ total FAILED (2ms)
          ✓ tax PASSED (2ms)
        ○ full cart SKIPPED (2ms)

    ► [TestStructure] ...
      ✗ FAILED (15ms)
        └─ assertion failed: Result ID should match
           expected (-), actual (+):
           │   {
           │     "address": {
           │       "city": "London"
           │     },
           │ -   "id": 1,
           │ +   "id": 2,
           │     "name": "Ada",
           │     "tags": [
           │       "a",
           │ -     "b"
           │ +     "c"
           │     ]
           │   }
           --> expense/src/setup_test.ts:12:2
              |
           11 |   const result = Setup(ctx);
           12 |     assert.Equal(result.id, 1, "Result ID should match");
              |     ^^^^^^^^^^^^
           13 | }

    Rerun: ananke run expense/src/setup_test.ts --run '^(TestThrows|TestHangs|TestSaysNothing|TestCart|TestStructure)$'

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 0 passed, 4 failed (1 error, 1 timeout), 1 skipped, 1 inconclusive (35ms)
    ═══════════════════════════════════════════════════════════════════════════════
    "#);
}

#[test]
fn verbose_shows_stacks_logs_and_subtests() {
    let mut chatty = function_passed("TestChatty", 12_000);
    if let Some(record) = &mut chatty.script {
        record.logs = vec![ScriptLog {
            level: LogLevel::Info,
            text: "ready".to_owned(),
        }];
    }
    let results = vec![chatty, function_thrown("TestThrows")];
    assert_snapshot!(with(1, false, &script_run(results)), @"
    ═══════════════════════════════════════════════════════════════════════════════
      Script Test: scripts.expense.setup
    ═══════════════════════════════════════════════════════════════════════════════
      Script: expense/src/setup_test.ts
      Tests: 2 functions
      User: test-user
      Team: test-team
    ───────────────────────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────────────────────
    ► [TestChatty] ...
      ✓ PASSED (12ms)
        logs:
        │ ready
        2 assertions

    ► [TestThrows] ...
      ✗ ERROR (8ms)
        └─ TypeError: cannot read property 'id' of undefined
           │ caused by: no row
           --> expense/src/setup_test.ts:31:12
              |
           31 |   return rows[0].id;
              |            ^^
           at find (expense/src/setup_test.ts:31:12)
           at expense/src/setup_test.ts:33:1
           at TestThrows (expense/src/setup_test.ts:40:9)
        logs:
        │ looking for 7
        │ warn: slow
        │ very slow
        │ error: no rows
        │ … 12 more logs
        1 assertion

    Rerun: ananke run expense/src/setup_test.ts --run '^(TestThrows)$'

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 1 passed, 1 failed (1 error), 0 skipped (35ms)
    ═══════════════════════════════════════════════════════════════════════════════
    ");
}

#[test]
fn several_files_have_a_frame_each() {
    let results = vec![
        in_file("src/a_test.ts", function_passed("TestOne", 12_000)),
        in_file("src/a_test.ts", function_passed("TestTwo", 8_000)),
        in_file("src/b_test.js", function_timeout("TestThree")),
    ];
    assert_snapshot!(shown(&script_run(results)), @"
    ═══════════════════════════════════════════════════════════════════════════════
      Script Test: src/a_test.ts
    ═══════════════════════════════════════════════════════════════════════════════
      Script: src/a_test.ts
      Tests: 2 functions
      User: test-user
      Team: test-team
    ───────────────────────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────────────────────
    ► [TestOne] ...
      ✓ PASSED (12ms)

    ► [TestTwo] ...
      ✓ PASSED (8ms)

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 2 passed, 0 failed, 0 skipped (20ms)
    ═══════════════════════════════════════════════════════════════════════════════

    ═══════════════════════════════════════════════════════════════════════════════
      Script Test: src/b_test.js
    ═══════════════════════════════════════════════════════════════════════════════
      Script: src/b_test.js
      Tests: 1 function
      User: test-user
      Team: test-team
    ───────────────────────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────────────────────
    ► [TestThree] ...
      ✗ TIMEOUT (30.0s)
        └─ timeout after 30s

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 0 passed, 1 failed (1 timeout), 0 skipped (30.0s)
    ═══════════════════════════════════════════════════════════════════════════════

    Failures:
      ✗ [src/b_test.js#TestThree] timeout after 30s

    Rerun: ananke run src/b_test.js --run '^(TestThree)$'

    ═══════════════════════════════════════════════════════════════════════════════
      Summary of 2 files: 2 passed, 1 failed (1 timeout), 0 skipped (35ms)
    ═══════════════════════════════════════════════════════════════════════════════
    ");
}

#[test]
fn quiet_shows_failures_only() {
    assert_snapshot!(with(0, true, &script_run(three_functions())), @r#"
    ► [expense/src/setup_test.ts#TestSetupWithMockData] ...
      ✗ FAILED (15ms)
        └─ assertion failed: Result ID should match
           expected: 1
           actual: 2
           --> expense/src/setup_test.ts:12:2
              |
           11 |   const result = Setup(ctx);
           12 |     assert.Equal(result.id, 1, "Result ID should match");
              |     ^^^^^^^^^^^^
           13 | }

    Rerun: ananke run expense/src/setup_test.ts --run '^(TestSetupWithMockData)$'

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 2 passed, 1 failed, 0 skipped (35ms)
    ═══════════════════════════════════════════════════════════════════════════════
    "#);
}

#[test]
fn functions_stand_beside_other_tests() {
    let results = vec![
        passed("a"),
        function_passed("TestA", 12_000),
        function_failed("TestB", json!(1), json!(2)),
        function_skipped("TestC"),
        case("T001", TestStatus::Passed, "Here are shoes."),
    ];
    assert_snapshot!(rows(0, results), @r#"
    ✓ [tests/a.test.yaml] a works (1.2s)
    ✓ [expense/src/setup_test.ts#TestA] (12ms)
    ✗ [expense/src/setup_test.ts#TestB] FAILED (15ms)
      └─ assertion failed: Result ID should match
         expected: 1
         actual: 2
         --> expense/src/setup_test.ts:12:2
            |
         11 |   const result = Setup(ctx);
         12 |     assert.Equal(result.id, 1, "Result ID should match");
            |     ^^^^^^^^^^^^
         13 | }
    ○ [expense/src/setup_test.ts#TestC] SKIPPED: needs a database
    ► [T001] Find shoes for Ada PASSED (1.2s)

    Failures:
      ✗ [expense/src/setup_test.ts#TestB] assertion failed: Result ID should match

    Rerun: ananke run expense/src/setup_test.ts --run '^(TestB)$'
    "#);
}

#[test]
fn files_that_are_not_in_one_piece_have_no_frames() {
    let results = vec![
        in_file("a_test.ts", function_passed("TestOne", 1_000)),
        in_file("b_test.ts", function_passed("TestTwo", 1_000)),
        in_file("a_test.ts", function_passed("TestThree", 1_000)),
    ];
    assert_snapshot!(rows(0, results), @"
    ✓ [a_test.ts#TestOne] (1ms)
    ✓ [b_test.ts#TestTwo] (1ms)
    ✓ [a_test.ts#TestThree] (1ms)
    ");
}

#[test]
fn runs_that_stop_say_so() {
    let mut not_run = function_passed("TestLast", 0);
    not_run.status = TestStatus::Skipped;
    not_run.reason = Some("not run: --fail-fast stopped after a failure".to_owned());
    not_run.script = None;
    let mut results = three_functions();
    results.push(not_run);
    let mut events = script_run(results);
    summary_mut(&mut events).interrupted = true;
    let text = shown(&events);
    let (_, end) = text.split_once("13 | }").unwrap();
    assert_snapshot!(end, @"


    ○ 1 test not run: --fail-fast stopped after a failure

    Rerun: ananke run expense/src/setup_test.ts --run '^(TestSetupWithMockData)$'

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 2 passed, 1 failed, 1 skipped (35ms)
      ⚠ INTERRUPTED: 3 of 4 tests finished
    ═══════════════════════════════════════════════════════════════════════════════
    ");
    let skipped = shown(&script_run(vec![function_skipped("TestA")]));
    assert!(skipped.contains("NO TEST WAS RUN"), "{skipped}");
}

#[test]
fn what_went_wrong_outside_a_function_is_told_too() {
    let hook = ScriptFailure {
        kind: FailureKind::Hook,
        message: "BeforeAll: no database".to_owned(),
        ..ScriptFailure::default()
    };
    let record = ScriptRecord {
        failures: vec![hook],
        more_failures: 3,
        ..ScriptRecord::default()
    };
    let mut result = function("TestA", 1_000, record);
    result.reason = Some("the host went away".to_owned());
    let text = shown(&script_run(vec![result]));
    assert!(
        text.contains(
            "    └─ the host went away\n    └─ BeforeAll: no database\n    └─ 3 more failures\n"
        ),
        "{text}"
    );
}

#[test]
fn hostile_text_stays_behind_bars() {
    for style in [plain(), ascii()] {
        let text = shown_with(
            TerminalOptions {
                verbose: 2,
                ..options(style)
            },
            &script_run(vec![function_hostile("TestH")]),
        );
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
        assert!(!text.contains("##["), "{text}");
        let obeyed = |line: &str| line.trim_start().starts_with("::");
        assert!(!text.lines().any(obeyed), "{text}");
        assert!(!text.contains("\n  ✓ PASSED"), "{text}");
    }
}

#[test]
fn colors_only_repeat_what_is_said() {
    let colored = Style {
        color: true,
        ..plain()
    };
    let text = shown_with(options(colored), &script_run(three_functions()));
    let mut bare = text.replace("\x1b[0m", "");
    for code in ["1", "2", "31", "32", "33"] {
        bare = bare.replace(&format!("\x1b[{code}m"), "");
    }
    assert_eq!(bare, shown(&script_run(three_functions())));
}

#[test]
fn many_functions_cost_little() {
    let results = (0..10_000).map(|n| function_passed(&format!("Test{n}"), 100));
    let text = shown(&script_run(results.collect()));
    assert_eq!(text.matches("✓ PASSED (100µs)").count(), 10_000);
}

#[test]
fn verbose_shows_what_scripts_around_a_test_logged() {
    let events = run(vec![with_logs()]);
    assert!(!with(0, false, &events).contains("3 rows"));
    let shown = with(1, false, &events);
    let (_, logs) = shown.split_once("logs:").unwrap();
    let (logs, _) = logs.split_once("\n\n").unwrap();
    assert_snapshot!(logs, @"

       │ before: 3 rows
       │ scripts.tests.Total: seen <b>
       │ warn: after: 1 row is left
    Turns: 1, Assertions: 1/1 passed
    ");
}
