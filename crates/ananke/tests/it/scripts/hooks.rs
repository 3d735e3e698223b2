//! `before` and `after` of cases, `--before-all` and `--after-all`, generators and agents that are scripts.

use ananke_testkit::TestContext;

use super::found::shown;
use crate::ANANKE;

const HOOKS: &str = "\
export function BeforeAll(ctx: any, cases: any[]) {
  console.log('all', cases.length, ctx.locale);
  return { data: { token: 'abc' } };
}
export function AfterAll(ctx: any, results: any[], data: any) {
  if (data.token !== 'abc') throw new Error('no token');
}
export function Before(ctx: any, testCase: any) { return { data: { id: testCase.id } }; }
export function After(ctx: any, testCase: any, result: any, data: any) {
  if (data.id !== testCase.id) throw new Error('another case');
  if (result.status !== 'passed') throw new Error('it did not pass');
}
export function Broken() { throw new Error('no database'); }
";

fn project() -> TestContext {
    let cx = TestContext::new(ANANKE);
    cx.write(
        "ananke.config.yaml",
        "version: \"1.0\"\ntarget:\n  type: scripted\n  script: {rules: [{reply: [{text: hi}]}]}\nagents:\n  echo:\n    type: script\n    script: scripts.agents.Echo\n",
    );
    cx.write("scripts/env_test.ts", HOOKS);
    cx.write(
        "scripts/agents.ts",
        "export function Echo(request: any) { return { content: `you said ${request.input}` }; }\nexport function Cases(request: any) { return [{ id: 'G1', input: 'a', assert: { type: 'contains', value: 'hi' } }, { id: 'G2', input: 'b', assert: { type: 'contains', value: 'hi' } }].slice(0, request.count); }\n",
    );
    cx
}

#[test]
fn cases_are_prepared_and_cleaned_up() {
    let cx = project();
    cx.write(
        "tests/cases.jsonl",
        r#"{"id": "A", "input": "x", "before": "scripts.env_test.Before", "after": "scripts.env_test.After", "assert": {"type": "contains", "value": "hi"}}
{"id": "B", "input": "x", "before": "scripts.env_test.Broken", "after": "scripts.env_test.After", "assert": {"type": "contains", "value": "hi"}}
{"id": "C", "input": "x", "before": "scripts.env_test.Before", "after": "scripts.env_test.Broken", "assert": {"type": "contains", "value": "hi"}}
"#,
    );
    let output = cx.run(&["run", "tests/cases.jsonl", "--no-output", "--no-bundle"]);
    insta::assert_snapshot!(shown(&cx, &output), @"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: script
    ℹ Input: tests/cases.jsonl (3 test cases)
    ℹ User: test-user, Team: test-team

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ► [A] x PASSED ([TIME])
    ► [B] x ERROR ([TIME])
      └─ before failed (scripts.env_test.Broken): no database (scripts/env_test.ts:13:34)
         │ at scripts/env_test.ts:13:34
         │   11 |   if (result.status !== 'passed') throw new Error('it did not pass');
         │   12 | }
         │ > 13 | export function Broken() { throw new Error('no database'); }
         │      |                                  ^
         │   14 |
    ► [C] x ERROR ([TIME])
      └─ after failed (scripts.env_test.Broken): no database (scripts/env_test.ts:13:34)
         │ at scripts/env_test.ts:13:34
         │   11 |   if (result.status !== 'passed') throw new Error('it did not pass');
         │   12 | }
         │ > 13 | export function Broken() { throw new Error('no database'); }
         │      |                                  ^
         │   14 |

    Failures:
      ✗ [B] before failed (scripts.env_test.Broken): no database (scripts/env_test.ts:13:34)
      ✗ [C] after failed (scripts.env_test.Broken): no database (scripts/env_test.ts:13:34)

    Rerun: ananke run tests/cases.jsonl --run '^(B|C)$'

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:      3 tests
      Passed:     1
      Failed:     2 (2 errors)
      Pass Rate:  33.3%
      Time:       [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
}

#[test]
fn a_run_is_prepared_and_cleaned_up() {
    let cx = project();
    cx.write(
        "tests/cases.jsonl",
        "{\"id\": \"A\", \"input\": \"x\", \"assert\": {\"type\": \"contains\", \"value\": \"hi\"}}\n",
    );
    let run = ["run", "tests/cases.jsonl", "--no-output", "--no-bundle"];
    let all = [
        "--before-all",
        "scripts.env_test.BeforeAll",
        "--after-all",
        "scripts.env_test.AfterAll",
    ];
    let output = cx.run(&[&run[..], &all].concat());
    assert_eq!(output.code, Some(0), "{output}");
    let output = cx.run(&[&run[..], &["--before-all", "scripts.env_test.Broken"]].concat());
    insta::assert_snapshot!(shown(&cx, &output), @"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: script
    ℹ Input: tests/cases.jsonl (1 test case)
    ℹ User: test-user, Team: test-team

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ► [A] x ERROR ([TIME])
      └─ --before-all failed (scripts.env_test.Broken): no database (scripts/env_test.ts:13:34)
         │ at scripts/env_test.ts:13:34
         │   11 |   if (result.status !== 'passed') throw new Error('it did not pass');
         │   12 | }
         │ > 13 | export function Broken() { throw new Error('no database'); }
         │      |                                  ^
         │   14 |

    Failures:
      ✗ [A] --before-all failed (scripts.env_test.Broken): no database (scripts/env_test.ts:13:34)

    Rerun: ananke run --before-all scripts.env_test.Broken tests/cases.jsonl --run '^(A)$'

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:      1 test
      Passed:     0
      Failed:     1 (1 error)
      Pass Rate:  0%
      Time:       [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
}

#[test]
fn scripts_make_cases() {
    let cx = project();
    let output = cx.run(&[
        "run",
        "-i",
        "scripts:agents.Cases?count=2",
        "--no-output",
        "--no-bundle",
    ]);
    insta::assert_snapshot!(shown(&cx, &output), @"
    exit code: 0
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: script
    ℹ Input: scripts:agents.Cases?count=2 (2 tests)
    ℹ User: test-user, Team: test-team

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ► [G1] a PASSED ([TIME])
    ► [G2] b PASSED ([TIME])

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:      2 tests
      Passed:     2
      Failed:     0
      Pass Rate:  100%
      Time:       [TIME]

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
}

#[test]
fn an_agent_can_be_a_script() {
    let cx = project();
    let output = cx.run(&["run", "-i", "hello there", "-n", "echo", "--no-bundle"]);
    insta::assert_snapshot!(shown(&cx, &output), @"
    exit code: 0
    --- stdout
    you said hello there
    --- stderr
    ");
}
