//! Annotations and the step summary, automatic under GitHub.

use insta::assert_snapshot;

use super::all_sorts;

#[test]
fn github_gets_annotations_and_a_summary() {
    let (cx, _agent) = all_sorts();
    cx.write("summary.md", "from an earlier step\n");
    let summary = cx.dir().join("summary.md").display().to_string();
    let output = cx
        .command(&["run", "--retries", "1"])
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", &summary)
        .run();
    assert_eq!(output.code, Some(1), "{output}");
    assert_snapshot!(cx.show(&output).split_once("--- stderr\n").unwrap().1, @r#"
    ::warning file=d.test.yaml,line=5,col=29,title=Flaky%2C passed on attempt 2%3A moody::└─ test · text.must_match /Hello/: expected text matching /Hello/, got "Go away"%0A   demanded at d.test.yaml:5:29 (test level)
    ::error file=shop/b.test.yaml,line=5,col=29,title=Failed%3A farewell::└─ test · text.must_match /Goodbye/: expected text matching /Goodbye/, got "Hello there"%0A   demanded at shop/b.test.yaml:5:29 (test level)
    ::error file=shop/deep/c.test.yaml,line=1,title=Error%3A boom::└─ turn 1: the agent ended with an error: out of order%0A   captured in turn 1: 6 events, no tool call, text:%0A   │ Let me
    "#);
    let summary = cx.read("summary.md");
    assert!(
        summary.starts_with("from an earlier step\n# Agent Test Report\n"),
        "{summary}"
    );
    assert!(
        summary.contains("### ❌ `shop/b.test.yaml` - Failed"),
        "{summary}"
    );

    let output = cx
        .command(&["run", "--github", "never"])
        .env("GITHUB_ACTIONS", "true")
        .run();
    assert!(!output.stderr.contains("::error"), "{output}");
    let output = cx.run(&["run", "shop/b.test.yaml", "--reporter", "github"]);
    assert!(
        output
            .stderr
            .contains("::error file=shop/b.test.yaml,line=5,"),
        "{output}"
    );
}
