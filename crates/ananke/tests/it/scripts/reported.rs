//! Script results in every report.

use ananke_testkit::TestContext;

use crate::ANANKE;

fn project() -> TestContext {
    let cx = TestContext::new(ANANKE);
    cx.write(
        "expense/src/setup.ts",
        "export function Setup() { return { id: 2 }; }\n",
    );
    cx.write(
        "expense/src/setup_test.ts",
        "function TestReady(t) { t.assert.True(true); }
function TestSetup(t, ctx) {
  t.log('setting up');
  t.assert.Equal(Setup().id, 1, 'Result ID should match');
}
",
    );
    cx
}

#[test]
fn the_json_report_has_the_documented_members() {
    let cx = project();
    let output = cx.run(&[
        "run",
        "-i",
        "scripts.expense.setup",
        "--no-bundle",
        "-o",
        "report.json",
    ]);
    assert_eq!(output.code, Some(1), "{output}");
    let report: serde_json::Value = serde_json::from_str(&cx.read("report.json")).expect("JSON");
    assert_eq!(report["type"], "script_test");
    assert_eq!(report["script"], "scripts.expense.setup");
    assert_eq!(report["script_path"], "expense/src/setup_test.ts");
    assert_eq!(report["summary"]["total"], 2);
    assert_eq!(report["summary"]["failed"], 1);
    assert_eq!(report["environment"]["user_id"], "test-user");
    let result = &report["results"][1];
    assert_eq!(result["name"], "TestSetup");
    assert_eq!(result["status"], "failed");
    assert_eq!(result["error"], "assertion failed: Result ID should match");
    insta::assert_snapshot!(result["assertion"].to_string(), @r#"{"type":"Equal","expected":1,"actual":2,"message":"Result ID should match"}"#);
    assert_eq!(result["logs"][0], "setting up");
    assert!(report["metadata"]["started_at"].is_string());
}

#[test]
fn every_other_report_names_the_failure() {
    let cx = project();
    let reports = ["r.jsonl", "r.md", "r.html", "r.xml", "r.tap"];
    let mut args = vec!["run", "--no-bundle"];
    for report in reports {
        args.extend(["-o", report]);
    }
    let output = cx.run(&args);
    assert_eq!(output.code, Some(1), "{output}");
    for report in reports {
        let text = cx.read(report);
        for word in ["TestSetup", "Result ID should match"] {
            assert!(text.contains(word), "{report} has no {word}:\n{text}");
        }
    }
    let output = cx.run(&["run", "--no-bundle", "--reporter", "github"]);
    assert!(output.to_string().contains("line=4"), "{output}");
}

#[test]
fn shuffled_functions_stay_with_their_files() {
    let cx = TestContext::new(ANANKE);
    let functions: String = (0..5)
        .map(|n| format!("function Test{n}(t) {{ t.assert.True(true); }}\n"))
        .collect();
    for file in ["a_test.ts", "b_test.ts", "c_test.ts"] {
        cx.write(file, &functions);
    }
    let output = cx.run(&["run", "--no-bundle", "--shuffle", "--seed", "7"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(
        output.stdout.contains("Summary of 3 files: 15 passed"),
        "{output}"
    );
    assert_eq!(
        output.stdout.matches("Script Test: ").count(),
        3,
        "{output}"
    );
}
