//! Where bundles are, what they are made of, and how many are kept.

use insta::assert_snapshot;

use super::shop;

#[test]
fn a_run_leaves_one_file_however_many_tests_there_are() {
    let project = shop();
    for number in 0..40 {
        project.test_named(
            &format!("more{number}"),
            "turns: [{user: hi, assert: {text: {must_match: Hello}}}]\n",
        );
    }
    let output = project.record(&["-q", "--parallel", "8"]);
    assert_snapshot!(project.cx.show(&output), @"
    exit code: 0
    --- stdout

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   42 tests
      Passed:  42
      Failed:  0
      Time:    [TIME]
      Bundle:  .ananke/runs/[RUN]

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    let runs = project.runs();
    assert_eq!(runs.len(), 1, "{runs:?}");
    assert_eq!(
        project.cx.files(&format!(".ananke/runs/{}", runs[0])),
        ["run.jsonl.zst"]
    );
    // Bundles are nothing to commit.
    assert_eq!(project.cx.read(".ananke/runs/.gitignore"), "*\n");
}

#[test]
fn the_oldest_bundles_go_first() {
    let project = shop();
    for _ in 0..3 {
        project.record(&["-q", "--keep-bundles", "2"]);
    }
    let kept = project.runs();
    assert_eq!(kept.len(), 2);
    let newest = kept.last().unwrap().clone();
    let config = project.cx.read("ananke.config.yaml");
    let more = format!("{config}bundle: {{keep: 1}}\n");
    project.cx.write("ananke.config.yaml", &more);
    project.record(&["-q"]);
    let kept = project.runs();
    assert_eq!(kept.len(), 1);
    assert!(kept[0] >= newest, "{kept:?}");
    project.record(&["-q", "--keep-bundles", "0"]);
    assert_eq!(project.runs().len(), 2);
}

#[test]
fn the_folder_is_that_of_the_flag_or_of_the_config_or_the_default() {
    let project = shop();
    project.record(&["-q", "--bundle-dir", "elsewhere/runs"]);
    assert_eq!(project.cx.files("elsewhere/runs").len(), 2);
    assert!(!project.cx.exists(".ananke"));
    let config = project.cx.read("ananke.config.yaml");
    let more = format!("{config}bundle: {{dir: \"out/${{ENV.PLACE:-here}}\"}}\n");
    project.cx.write("ananke.config.yaml", &more);
    project.record(&["-q"]);
    assert_eq!(project.cx.files("out/here").len(), 2);
    // Commands that read bundles look into the same folder.
    let judged = project.command(&["judge", "latest", "-q"]);
    assert_eq!(judged.code, Some(0), "{judged}");
}

#[test]
fn no_bundle_leaves_none() {
    let project = shop();
    project.record(&["-q", "--no-bundle"]);
    project
        .cx
        .bundled(&["run", "-q"])
        .env("ANANKE_NO_BUNDLE", "1")
        .run();
    project.record(&["-q", "--dry-run"]);
    assert!(!project.cx.exists(".ananke"));
}

#[test]
fn a_bundle_says_what_was_to_be_run() {
    let project = shop();
    let config = project.cx.read("ananke.config.yaml");
    let more = "  headers: {Authorization: \"Bearer ${ENV.TOKEN}\"}\n  assert: {tools: {forbid: [\"${WHAT}\"]}}\n";
    project
        .cx
        .write("ananke.config.yaml", &format!("{config}{more}"));
    let run = project
        .cx
        .bundled(&["run", "-q", "--var", "WHAT=launch", "find.test.yaml"]);
    let output = run.env("TOKEN", "sesame-sesame").run();
    assert_eq!(output.code, Some(0), "{output}");
    let file = format!(".ananke/runs/{}/run.jsonl.zst", project.runs()[0]);
    let packed = std::fs::read(project.cx.dir().join(file)).unwrap();
    let text = String::from_utf8(zstd::decode_all(packed.as_slice()).unwrap()).unwrap();
    let mut lines = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let plan = lines.find(|line| line["record"] == "plan").unwrap();
    let shown = format!("{:#}", plan["plan"]).replace(project.agent.url(), "[URL]");
    assert_snapshot!(shown, @r#"
    {
      "schema": "ananke.plan/1",
      "config_file": "ananke.config.yaml",
      "tests": [
        {
          "id": "find.test.yaml",
          "name": "find",
          "target": {
            "name": "[URL]",
            "endpoint": "[URL]",
            "headers": {
              "Authorization": "Bearer [redacted TOKEN]"
            },
            "timeout_ms": 120000
          },
          "turns": [
            {
              "kind": "user",
              "user": "find a mug",
              "demands": [
                "tools.forbid launch (target level)",
                "tools.require search: at least 1 call (turn level)",
                "text.must_match two mugs (turn level)"
              ]
            }
          ],
          "demands": [
            "tools.forbid launch (target level)"
          ]
        }
      ]
    }
    "#);
}
