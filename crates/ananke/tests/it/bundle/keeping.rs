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
