//! Functions that judge answers: in cases, in checkpoints and in YAML.

use ananke_testkit::TestContext;

use super::found::shown;
use crate::ANANKE;

const CHECKS: &str = "\
export function IsPolite(output: string, input: string, expected: any, turn: any) {
  return { pass: /please/i.test(output), message: `'${input}' was answered without a please` };
}
export function Bounded(output: any, input: any, expected: { max: number }) {
  return output.amount <= expected.max;
}
export function CalledOnce(output: any, input: any, expected: any, turn: any) {
  return turn.tool_calls.length === 1 && turn.tool_calls[0].name === 'find';
}
export function Says() { return 'yes'; }
export function Throws() {
  const nothing: any = null;
  return nothing.member;
}
";

fn project(reply: &str) -> TestContext {
    let cx = TestContext::new(ANANKE);
    let config = format!(
        "version: \"1.0\"\ntarget:\n  type: scripted\n  script: {{rules: [{{reply: {reply}}}]}}\n"
    );
    cx.write("ananke.config.yaml", &config);
    cx.write("scripts/checks.ts", CHECKS);
    cx.write(
        "scripts/tests/validate-expense.ts",
        "export default (output: any) => output.amount > 100;\n",
    );
    cx
}

#[test]
fn functions_judge_cases_in_both_dialects() {
    let cx = project(r#"[{text: '{"amount": 500}'}]"#);
    cx.write(
        "tests/cases.jsonl",
        r#"{"id": "A", "input": "how much", "assert": {"type": "script", "script": "scripts.checks.Bounded", "value": {"max": 1000}}}
{"id": "B", "input": "how much", "assertions": [{"type": "script", "use": "scripts:tests.validate-expense", "options": {"metadata": {"min_amount": 100}}}]}
{"id": "C", "input": "how much", "assert": {"type": "script", "script": "scripts.checks.IsPolite"}}
{"id": "D", "input": "how much", "assert": {"type": "script", "script": "scripts.checks.Bounded", "value": {"max": 10}, "negate": true}}
{"id": "E", "input": "how much", "assert": {"type": "script", "script": "scripts.checks.Says"}}
{"id": "F", "input": "how much", "assert": {"type": "script", "script": "scripts.checks.Throws", "negate": true}}
"#,
    );
    let output = cx.run(&["run", "tests/cases.jsonl", "--no-output", "--no-bundle"]);
    insta::assert_snapshot!(shown(&cx, &output), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: script
    ℹ Input: tests/cases.jsonl (6 test cases)
    ℹ User: test-user, Team: test-team

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ► [A] how much PASSED ([TIME])
    ► [B] how much PASSED ([TIME])
    ► [C] how much FAILED ([TIME])
      └─ script scripts.checks.IsPolite: expected an output that `scripts.checks.IsPolite` accepts, got refused: 'how much' was answered without a please
         demanded at tests/cases.jsonl:3:44 (test level)
    ► [D] how much PASSED ([TIME])
    ► [E] how much INCONCLUSIVE ([TIME])
      └─ script scripts.checks.Says: could not be decided: expected an output that `scripts.checks.Says` accepts, got no verdict: it returned "yes", neither a boolean nor `{pass: boolean, message?: string}`
         demanded at tests/cases.jsonl:5:44 (test level)
    ► [F] how much INCONCLUSIVE ([TIME])
      └─ script scripts.checks.Throws (negated): could not be decided: expected an output that `scripts.checks.Throws` refuses, got no verdict: TypeError: cannot read property 'member' of null (scripts/checks.ts:13:10)
         demanded at tests/cases.jsonl:6:44 (test level)

    Failures:
      ✗ [C] script scripts.checks.IsPolite: expected an output that `scripts.checks.IsPolite` accepts, got refused: 'how much' was answered without a please
      ? [E] script scripts.checks.Says: could not be decided: expected an output that `scripts.checks.Says` accepts, got no verdict: it returned "yes", neither a boolean nor `{pass: boolean, message?: string}`
      ? [F] script scripts.checks.Throws (negated): could not be decided: expected an output that `scripts.checks.Throws` refuses, got no verdict: TypeError: cannot read property 'member' of null (scripts/checks.…

    Rerun: ananke run tests/cases.jsonl --run '^(C|E|F)$'

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:         6 tests
      Passed:        3
      Failed:        1
      Inconclusive:  2
      Pass Rate:     50%
      Time:          [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    "#);
}

#[test]
fn functions_judge_turns_and_tests_in_yaml() {
    let cx = project(
        "[{tool: {name: find, args: {id: 1}, result: {ok: true}}}, {text: 'Please wait.'}]",
    );
    cx.write(
        "t.test.yaml",
        "version: \"1.0\"\nname: t\nturns:\n  - user: hello\n    assert:\n      script: scripts.checks.CalledOnce\nassert:\n  checks:\n    - type: script\n      script: scripts.checks.IsPolite\n",
    );
    let output = cx.run(&["run", "--no-bundle"]);
    assert_eq!(output.code, Some(0), "{output}");
}

#[test]
fn a_function_that_is_not_there_is_a_mistake_at_its_place() {
    let cx = project("[{text: hi}]");
    cx.write(
        "tests/cases.jsonl",
        "{\"id\": \"A\", \"input\": \"x\", \"assert\": {\"type\": \"script\", \"script\": \"scripts.checks.IsPolit\"}}\n",
    );
    let output = cx.run(&["validate", "tests/cases.jsonl"]);
    insta::assert_snapshot!(shown(&cx, &output), @r#"
    exit code: 2
    --- stdout
    --- stderr
    error: `scripts/checks.ts` has no function `IsPolit`
     --> tests/cases.jsonl:1:66
      |
    1 | {"id": "A", "input": "x", "assert": {"type": "script", "script": "scripts.checks.IsPolit"}}
      |                                                                  ^^^^^^^^^^^^^^^^^^^^^^^^
    hint: did you mean `IsPolite`?

    error: 1 error in 1 file
    "#);
}

#[test]
fn recorded_verdicts_of_functions_are_judged_again() {
    let cx = project("[{text: 'No.'}]");
    cx.write(
        "tests/cases.jsonl",
        "{\"id\": \"A\", \"input\": \"x\", \"assert\": {\"type\": \"script\", \"script\": \"scripts.checks.IsPolite\"}}\n",
    );
    let output = cx
        .bundled(&["run", "tests/cases.jsonl", "--no-output"])
        .run();
    assert_eq!(output.code, Some(1), "{output}");
    let output = cx.bundled(&["judge", "latest"]).run();
    assert_eq!(output.code, Some(1), "{output}");
    // A function that was changed judges anew.
    cx.write(
        "scripts/checks.ts",
        "export function IsPolite(output: string) { return output === 'No.'; }\n",
    );
    let output = cx.bundled(&["judge", "latest"]).run();
    assert_eq!(output.code, Some(0), "{output}");
}

#[test]
fn a_script_chooses_the_connector_of_its_judge() {
    let cx = TestContext::new(ANANKE);
    cx.write(
        "ananke.config.yaml",
        "version: \"1.0\"\nconnectors:\n  fast: {type: openai, host: \"http://127.0.0.1:9\", model: small, key: k}\nagents:\n  critic: {type: openai, host: \"http://127.0.0.1:8\", model: large, key: k, retries: 0}\n",
    );
    cx.write(
        "a_test.ts",
        "function TestKnown(t) { t.assert.Agent('hi', 'critic', { criteria: 'is kind', connector: 'fast' }); }
function TestUnknown(t) { t.assert.Agent('hi', 'critic', { criteria: 'is kind', connector: 'fats' }); }
function TestNobody(t) { t.assert.Agent('hi', 'critics', { criteria: 'is kind' }); }
",
    );
    let output = cx.run(&["run", "--no-bundle", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&output.stdout).expect("JSON");
    let lines = report["results"].as_array().expect("results").iter();
    let lines: Vec<String> = lines
        .map(|result| format!("{} {}", result["status"], result["error"]))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    "inconclusive" "cannot connect to http://127.0.0.1:9: Connection refused (os error 111)"
    "inconclusive" "there is no connector `fats` for the agent `critic`: did you mean `fast`?"
    "inconclusive" "there is no agent `critics`: did you mean `critic`?"
    "#);
}
