//! Checks that another agent decides: live, in every report, and from the bundle without asking again.

use ananke_testkit::{ScriptedAgent, TestContext};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::ANANKE;

const YES: &str = r#"{"passed": true, "reason": "it greets"}"#;
const NO: &str = r#"{"passed": false, "reason": "it is cold"}"#;
const CASES: &str = r#"{"id": "warm", "input": "Hello", "assert": [{"type": "agent", "use": "agents:workers.test.validator", "value": "the answer is warm", "samples": 3}, {"type": "contains", "value": "Good"}]}
{"id": "short", "input": "Hello again", "assert": {"type": "agent", "use": "agents:workers.test.validator", "options": {"metadata": {"criteria": "the answer is short", "tone": "kind"}}}}
"#;

/// A project whose agent says "Good day".
struct Court {
    cx: TestContext,
    _agent: ScriptedAgent,
    judge: ScriptedAgent,
}

impl Court {
    fn new(judge: Value) -> Self {
        let cx = TestContext::new(ANANKE);
        let (agent, judge) = (ScriptedAgent::says("Good day"), ScriptedAgent::start(judge));
        cx.write(
            "ananke.config.yaml",
            &format!(
                "version: 1\ntarget: {{type: agui, endpoint: \"{}\"}}\nagents:\n  workers.test.validator: {{type: agui, endpoint: \"{}\"}}\n",
                agent.url(),
                judge.url()
            ),
        );
        cx.write("tests/a.jsonl", CASES);
        Self {
            cx,
            _agent: agent,
            judge,
        }
    }

    fn exit_code(&self, args: &[&str]) -> Option<i32> {
        self.cx.bundled(args).run().code
    }
}

/// A judge that likes what is warm, and of the rest nothing.
fn likes_warmth(otherwise: &str) -> Value {
    json!({"rules": [
        {"when": {"user_contains": "is warm"}, "reply": [{"text": YES}]},
        {"reply": [{"text": otherwise}]},
    ]})
}

#[test]
fn judges_decide_cases_and_are_not_asked_again() {
    let court = Court::new(likes_warmth(NO));
    let live = court
        .cx
        .bundled(&["run", "tests/a.jsonl", "--no-output"])
        .run();
    assert_eq!(live.code, Some(1), "{live}");
    assert_snapshot!(court.cx.show(&live), @"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: tests/a.jsonl (2 test cases)
    ℹ User: test-user, Team: test-team

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ► [warm] Hello PASSED ([TIME])
    ► [short] Hello again FAILED ([TIME])
      └─ agent workers.test.validator: expected an output that `workers.test.validator` accepts: the answer is short, got refused: it is cold
         demanded at tests/a.jsonl:2:51 (test level)

    Failures:
      ✗ [short] agent workers.test.validator: expected an output that `workers.test.validator` accepts: the answer is short, got refused: it is cold

    Rerun: ananke run tests/a.jsonl --run '^(short)$'

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:      2 tests
      Passed:     1
      Failed:     1
      Pass Rate:  50%
      Time:       [TIME]
      Bundle:     .ananke/runs/[RUN]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    let n_asked = court.judge.requests().len();
    assert_eq!(n_asked, 4);
    let judged = court.cx.bundled(&["judge", "latest"]).run();
    assert_eq!(judged.code, Some(1), "{judged}");
    assert_eq!(court.judge.requests().len(), n_asked);
    // What an edit asks for was not answered.
    court.cx.write(
        "tests/a.jsonl",
        &CASES.replace("the answer is warm", "the answer is loud"),
    );
    let edited = court
        .cx
        .bundled(&["run", "tests/a.jsonl", "--no-output", "--replay", "latest"])
        .run();
    assert_snapshot!(court.cx.show(&edited), @"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: tests/a.jsonl (2 test cases)
    ℹ User: test-user, Team: test-team

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ► [warm] Hello INCONCLUSIVE ([TIME])
      └─ agent workers.test.validator: could not be decided: expected an output that `workers.test.validator` accepts: the answer is loud, got no verdict: it was not asked about this output
         run the test against the agents to have it judged
         demanded at tests/a.jsonl:1:45 (test level)
    ► [short] Hello again FAILED ([TIME])
      └─ agent workers.test.validator: expected an output that `workers.test.validator` accepts: the answer is short, got refused: it is cold
         demanded at tests/a.jsonl:2:51 (test level)

    Failures:
      ? [warm] agent workers.test.validator: could not be decided: expected an output that `workers.test.validator` accepts: the answer is loud, got no verdict: it was not asked about this output
      ✗ [short] agent workers.test.validator: expected an output that `workers.test.validator` accepts: the answer is short, got refused: it is cold

    Rerun: ananke run --replay latest tests/a.jsonl --run '^(warm|short)$'

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:         2 tests
      Passed:        0
      Failed:        1
      Inconclusive:  1
      Pass Rate:     0%
      Time:          [TIME]
      Bundle:        .ananke/runs/[RUN]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    judging .ananke/runs/[RUN]; no agent is called
    ");
    assert_eq!(court.judge.requests().len(), n_asked);
}

#[test]
fn a_judge_without_a_verdict_makes_the_run_inconclusive() {
    let court = Court::new(likes_warmth("I would say so."));
    assert_eq!(
        court.exit_code(&["run", "tests/a.jsonl", "--no-output"]),
        Some(5)
    );
    assert_eq!(court.exit_code(&["judge", "latest"]), Some(5));
    let court = Court::new(likes_warmth(YES));
    assert_eq!(
        court.exit_code(&["run", "tests/a.jsonl", "--no-output"]),
        Some(0)
    );
    assert_eq!(court.exit_code(&["judge", "latest"]), Some(0));
}

#[test]
fn a_judge_that_nobody_knows_is_a_configuration_error() {
    let court = Court::new(likes_warmth(YES));
    court.cx.write(
        "tests/a.jsonl",
        &CASES.replace("test.validator\", \"value", "test.validater\", \"value"),
    );
    assert_snapshot!(court.cx.ananke(&["run", "tests/a.jsonl"]), @r#"
    exit code: 2
    --- stdout
    --- stderr
    error: there is no agent `workers.test.validater`
     --> tests/a.jsonl:1:70
      |
    1 | … "Hello", "assert": [{"type": "agent", "use": "agents:workers.test.validater", "value": "t…
      |                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    hint: did you mean `workers.test.validator`?

    error: 1 error in 1 file
    "#);
    assert!(court.judge.requests().is_empty());
}

#[test]
fn what_a_judge_says_cannot_reach_the_terminal_as_it_is() {
    let reply =
        json!({"passed": false, "reason": "\u{1b}[31mred\u{1b}[0m <script>alert(1)</script>"});
    let court = Court::new(json!({"rules": [{"reply": [{"text": reply.to_string()}]}]}));
    let args = ["run", "tests/a.jsonl", "-o", "report.html", "-v"];
    let output = court.cx.bundled(&args).run();
    assert_eq!(output.code, Some(1), "{output}");
    assert!(!output.stdout.contains('\u{1b}'), "{output}");
    assert!(!court.cx.read("report.html").contains("<script>alert"));
}
