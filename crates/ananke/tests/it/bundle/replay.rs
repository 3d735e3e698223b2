//! `ananke run --replay`: tests that take their answers from recordings.

use insta::assert_snapshot;

use super::{document, shop};

#[test]
fn the_agent_is_not_called() {
    let project = shop();
    let run = project.record(&["--json"]);
    let n_requests = project.agent.requests().len();
    let replayed = project.record(&["--replay", "latest", "--json"]);
    assert_eq!(replayed.code, Some(0), "{replayed}");
    assert_eq!(document(&replayed)["results"], document(&run)["results"]);
    assert_eq!(project.agent.requests().len(), n_requests);
    // A replay records nothing new.
    assert_eq!(project.runs().len(), 1);
}

#[test]
fn a_recording_is_found_under_another_name_too() {
    let project = shop();
    project.record(&["-q"]);
    let dir = project.cx.dir();
    std::fs::rename(dir.join("find.test.yaml"), dir.join("search.test.yaml")).unwrap();
    let replayed = project.record(&["--replay", "latest", "search.test.yaml", "-q"]);
    assert_eq!(replayed.code, Some(0), "{replayed}");
}

#[test]
fn a_missing_recording_is_an_error_that_shows_the_nearest_one() {
    let project = shop();
    project.record(&["-q"]);
    project.test_named(
        "other",
        "turns:\n  - user: find a cup\n    assert: {text: {must_match: mugs}}\n",
    );
    project.test_named("longer", "turns:\n  - user: hi\n  - user: hi again\n  - user: bye\n    assert: {text: {must_match: Hello}}\n");
    let replayed = project.record(&["--replay", "latest", "other.test.yaml", "longer.test.yaml"]);
    assert_snapshot!(project.cx.show(&replayed), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: other.test.yaml longer.test.yaml (2 tests)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [other.test.yaml] other ERROR ([TIME])
      └─ no recording of this conversation
         │ nearest recording: find.test.yaml (find)
         │ turn 1 now:      user "find a cup"
         │ turn 1 recorded: user "find a mug"
         │ run the test against the agent to record it
    ✗ [longer.test.yaml] longer ERROR ([TIME])
      └─ no recording of this conversation
         │ nearest recording: greet.test.yaml (greet)
         │ the test has 3 turns, the recording 2 turns
         │ run the test against the agent to record it

    Failures:
      ✗ [other.test.yaml] no recording of this conversation
      ✗ [longer.test.yaml] no recording of this conversation

    Rerun: ananke run --replay latest other.test.yaml longer.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   2 tests
      Passed:  0
      Failed:  2 (2 errors)
      Time:    [TIME]
      Bundle:  .ananke/runs/[RUN]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    judging .ananke/runs/[RUN]; no agent is called
    "#);
}

#[test]
fn filters_and_orders_work_as_in_a_live_run() {
    let project = shop();
    project.record(&["-q"]);
    let replayed = project.record(&["--replay", "latest", "--run", "find", "--json"]);
    assert_eq!(document(&replayed)["summary"]["total"], 1);
}
