//! Bundles of cases: judged again, replayed, and where their tests are found.

use ananke_testkit::RunOutput;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::inputs::CASE;
use crate::project::Project;

fn bundled(project: &Project, args: &[&str]) -> RunOutput {
    project.cx.bundled(args).run()
}

/// Runs, and judges the bundle; both say the same.
fn judged_alike(project: &Project, inputs: &[&str]) -> RunOutput {
    let ran = bundled(project, &[&["run", "--json"], inputs].concat());
    for how in [
        &["judge", "latest", "--json"][..],
        &["judge", "latest", "--json", "--as-recorded"],
    ] {
        let judged = bundled(project, how);
        assert_eq!(ran.stdout, judged.stdout, "{how:?}\n{judged}");
        assert_eq!(ran.code, judged.code, "{judged}");
    }
    ran
}

#[test]
fn cases_are_judged_again_wherever_their_file_is() {
    let project = Project::ok();
    let cases = format!(
        "{CASE}{}",
        CASE.replace("T001", "T002").replace("\"ok\"", "\"never\"")
    );
    for path in ["tests/a.jsonl", "elsewhere/b.jsonl"] {
        project.cx.write(path, &cases);
        let output = judged_alike(&project, &[path]);
        assert_eq!(output.code, Some(1), "{output}");
    }
}

#[test]
fn who_asked_is_remembered() {
    let project = Project::ok();
    project.cx.write("tests/a.jsonl", CASE);
    project.cx.write(
        "ctx/who.json",
        "{\"authorized\": {\"user_id\": \"u-1\"}, \"metadata\": {\"trace\": 7}}\n",
    );
    judged_alike(
        &project,
        &[
            "tests/a.jsonl",
            "-u",
            "admin",
            "-t",
            "ops",
            "--ctx",
            "ctx/who.json",
        ],
    );
}

#[test]
fn messages_and_standard_input_are_judged_again() {
    let project = Project::ok();
    judged_alike(&project, &["How are you?", "-i", "hello"]);
    let run = |input: &str| {
        let ran = project
            .cx
            .bundled(&["run", "-", "--json"])
            .stdin(input)
            .run();
        let judged = bundled(&project, &["judge", "latest", "--json"]);
        assert_eq!(ran.stdout, judged.stdout, "{judged}");
    };
    run(CASE);
    run("What is new?");
}

#[test]
fn an_edited_case_is_judged_on_what_was_recorded() {
    let project = Project::replies(json!([{"text": "{\"total\": 7, \"items\": [\"mug\"]}"}]));
    let case = |assert: Value| {
        let case = json!({"id": "T001", "input": "What is in my cart?", "assert": assert});
        project.cx.write("tests/a.jsonl", &format!("{case}\n"));
    };
    case(json!({"type": "json_path", "path": "$.total", "value": 8}));
    bundled(&project, &["run", "tests/a.jsonl", "--no-output"]);
    case(
        json!([{"type": "json_path", "path": "items[0]", "value": "mug"}, {"type": "type", "path": "total", "value": "number"}]),
    );
    let judged = bundled(&project, &["judge", "latest"]);
    assert_eq!(judged.code, Some(0), "{judged}");
    assert_eq!(project.asked().len(), 1, "judging asks nobody");
    // Another question is another recording.
    let other =
        json!({"id": "T001", "input": "And now?", "assert": {"type": "contains", "value": "mug"}});
    project.cx.write("tests/a.jsonl", &format!("{other}\n"));
    assert_snapshot!(project.verdicts(&bundled(&project, &["judge", "latest"])), @r#"
    exit code: 1
    ► [T001] And now? ERROR ([TIME])
      └─ turn 1 is not the recorded one
         │ turn 1 now:      messages "And now?"
         │ turn 1 recorded: messages "What is in my cart?"
         │ run the test against the agent to record it
    --- stderr
    judging .ananke/runs/[RUN]; no agent is called
    "#);
    assert_snapshot!(project.verdicts(&bundled(&project, &["run", "tests/a.jsonl", "--no-output", "--replay", "latest"])), @r#"
    exit code: 1
    ► [T001] And now? ERROR ([TIME])
      └─ no recording of this conversation
         │ nearest recording: tests/a.jsonl#T001 (T001)
         │ turn 1 now:      messages "And now?"
         │ turn 1 recorded: messages "What is in my cart?"
         │ run the test against the agent to record it
    --- stderr
    judging .ananke/runs/[RUN]; no agent is called
    "#);
}
