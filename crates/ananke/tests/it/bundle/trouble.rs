//! Bundles that are cut, damaged, from the future, or no bundles; folders that cannot be written.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use insta::assert_snapshot;

use super::{document, shop};
use crate::project::Project;

fn file(project: &Project) -> std::path::PathBuf {
    let runs = project.cx.dir().join(".ananke/runs");
    runs.join(&project.runs()[0]).join("run.jsonl.zst")
}

#[test]
fn what_a_crash_left_is_rendered_and_said_to_be_cut() {
    let project = shop();
    project.record(&["-q"]);
    let file = file(&project);
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() - 20]).unwrap();
    let rendered = project.command(&["report", "latest", "--json"]);
    assert_eq!(rendered.code, Some(0), "{rendered}");
    assert!(
        rendered.stderr.contains("the run did not come to its end"),
        "{rendered}"
    );
    let document = document(&rendered);
    assert_eq!(document["summary"]["interrupted"], true);
    let exit = project.command(&["report", "latest", "-q", "--exit-code"]);
    assert_eq!(exit.code, Some(5), "{exit}");
}

#[test]
fn a_cut_run_is_reported_with_all_of_its_tests() {
    let project = shop();
    for name in ["a", "b", "c"] {
        project.test_named(
            name,
            "turns: [{user: hi, assert: {text: {must_match: Hello}}}]\n",
        );
    }
    project.record(&["-q"]);
    let file = file(&project);
    let whole = fs::read(&file).unwrap();
    let frames: Vec<usize> = (1..whole.len())
        .filter(|at| whole[*at..].starts_with(&[0x28, 0xb5, 0x2f, 0xfd]))
        .collect();
    // Without its last two frames it has lost its end, and some tests.
    fs::write(&file, &whole[..frames[frames.len() - 2]]).unwrap();
    let rendered = project.command(&["report", "latest", "--json"]);
    let summary = &document(&rendered)["summary"];
    assert_eq!(summary["total"], 5, "{rendered}");
    let n_left = summary["passed"].as_u64().unwrap();
    assert_eq!(summary["skipped"].as_u64(), Some(5 - n_left), "{rendered}");
    assert!(n_left < 5);
    let tap = project.command(&["report", "latest", "--reporter", "tap"]);
    assert!(tap.stdout.contains("1..5\n"), "{tap}");
    let words = format!("INTERRUPTED: {n_left} of 5 tests finished");
    let shown = project.command(&["report", "latest"]);
    assert!(shown.stdout.contains(&words), "{shown}");
    let not_run = "not run: the run was cut short";
    assert!(shown.stdout.contains(not_run), "{shown}");
    let judged = project.command(&["judge", "latest"]);
    assert!(
        judged.stdout.contains(&words) && judged.stdout.contains(not_run),
        "{judged}"
    );
    assert_eq!(judged.code, Some(5), "{judged}");
    let replayed = project.record(&["--replay", "latest"]);
    assert!(replayed.stdout.contains(&words), "{replayed}");
}

#[test]
fn a_link_that_leads_nowhere_is_told() {
    let project = shop();
    std::os::unix::fs::symlink("gone", project.cx.dir().join("link")).unwrap();
    let output = project.record(&["--bundle-dir", "link"]);
    assert_snapshot!(project.cx.show(&output), @"
    exit code: 3
    --- stdout
    --- stderr
    error: cannot create a bundle in `[TMP]/link`: it is a link that leads nowhere, not a folder
    hint: `--bundle-dir FOLDER` puts it elsewhere, `--no-bundle` leaves none
    ");
}

#[test]
fn damage_is_told_with_its_place() {
    let project = shop();
    project.record(&["-q"]);
    let file = file(&project);
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    fs::write(&file, &bytes).unwrap();
    let judged = project.command(&["judge", "latest"]);
    assert_eq!(judged.code, Some(3), "{judged}");
    assert!(judged.stderr.contains("is damaged at byte"), "{judged}");
}

#[test]
fn what_is_no_bundle_is_told() {
    let project = shop();
    assert_snapshot!(project.cx.show(&project.command(&["judge", "latest"])), @"
    exit code: 2
    --- stdout
    --- stderr
    error: there is no bundle `latest`: no such file, and no such run in `.ananke/runs`
    hint: `ananke run` leaves a bundle of every run
    ");
    project.cx.write("notes/run.jsonl.zst", "just notes\n");
    assert_snapshot!(project.cx.show(&project.command(&["report", "notes"])), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `[TMP]/notes/run.jsonl.zst` is not a bundle: it does not begin like a file of zstd
    hint: a bundle is a folder `<run-id>` with the file `run.jsonl.zst`
    ");
    assert_snapshot!(project.cx.show(&project.command(&["report", "."])), @"
    exit code: 2
    --- stdout
    --- stderr
    error: the folder `[TMP]/.` holds no bundle
    hint: a bundle is a folder `<run-id>` with the file `run.jsonl.zst`
    ");
    project.record(&["-q"]);
    assert_snapshot!(project.cx.show(&project.command(&["report", "2020"])), @"
    exit code: 2
    --- stdout
    --- stderr
    error: there is no bundle `2020`: no such file, and no such run in `.ananke/runs`
    hint: the newest are [RUN]; `latest` and `previous` work too
    ");
    assert_snapshot!(project.cx.show(&project.command(&["report", ".ananke/runs"])), @"
    exit code: 2
    --- stdout
    --- stderr
    error: the folder `[TMP]/.ananke/runs` holds no bundle
    hint: the newest bundle in it is `[TMP]/.ananke/runs/[RUN]`
    ");
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_anything_runs() {
    let project = shop();
    project.cx.write("a-file", "");
    let output = project.record(&["--bundle-dir", "a-file/runs", "--json"]);
    assert_eq!(output.code, Some(3), "{output}");
    assert!(project.agent.requests().is_empty());
    assert_snapshot!(project.cx.show(&output).split_once("--- stderr\n").unwrap().1, @"
    error: cannot create a bundle in `[TMP]/a-file/runs`: `[TMP]/a-file` is a file, not a folder
    hint: `--bundle-dir FOLDER` puts it elsewhere, `--no-bundle` leaves none
    ");
    assert_eq!(document(&output)["error"]["exit_code"], 3);
    // Root may write everywhere.
    let folder = project.cx.dir().join("locked");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.join("probe"), "").is_err() {
        assert_eq!(project.record(&["--bundle-dir", "locked"]).code, Some(3));
    }
}

#[test]
fn a_full_disk_costs_the_bundle_and_not_the_verdict() {
    let project = Project::replies(serde_json::json!([{"text": "x".repeat(100_000)}]));
    for number in 0..20 {
        project.test_named(
            &format!("t{number:02}"),
            "turns: [{user: hi, assert: {text: {must_match: x}}}]\n",
        );
    }
    // A limit on the size of files is as good as a full disk, and needs no disk.
    let line = format!(
        "ulimit -f 8; exec {} run --json --bundle-dir runs",
        crate::ANANKE
    );
    let shell = ananke_testkit::Invocation::new(
        std::path::Path::new("/bin/sh"),
        &project.cx.dir(),
        project.cx.root(),
    );
    let output = shell.args(&["-c", &line]).run();
    assert_eq!(output.code, Some(3), "{output}");
    assert_eq!(document(&output)["summary"]["passed"], 20);
    assert!(
        output.stderr.contains("cannot write the bundle"),
        "{output}"
    );
    let rendered = project.command(&["report", "latest", "--bundle-dir", "runs", "-q"]);
    assert_eq!(rendered.code, Some(0), "{rendered}");
}

#[test]
fn two_runs_at_once_share_a_folder_without_meeting() {
    let project = shop();
    let mut running: Vec<_> = (0..4)
        .map(|_| {
            project
                .cx
                .bundled(&["run", "-q", "-o", "same.json"])
                .start()
        })
        .collect();
    for run in running.drain(..) {
        let output = run.wait();
        assert_eq!(output.code, Some(0), "{output}");
    }
    let runs = project.runs();
    assert_eq!(runs.len(), 4);
    for run in runs {
        let judged = project.command(&["judge", &run, "-q"]);
        assert_eq!(judged.code, Some(0), "{judged}");
    }
    // One of them won, whole.
    let report: serde_json::Value = serde_json::from_str(&project.cx.read("same.json")).unwrap();
    assert_eq!(report["summary"]["passed"], 2);
    assert!(
        !project
            .cx
            .files(".")
            .iter()
            .any(|name| name.ends_with(".tmp"))
    );
}

#[test]
fn a_run_that_never_began_leaves_no_bundle() {
    let project = shop();
    project.record(&["-q"]);
    let before = project.runs();
    let config = project.cx.read("ananke.config.yaml");
    let server = "server: {cmd: [\"false\"], url: \"http://127.0.0.1:1/\", timeout_ms: 2000}\n";
    project
        .cx
        .write("ananke.config.yaml", &format!("{config}{server}"));
    let output = project.record(&["-o", "report.json"]);
    assert_eq!(output.code, Some(3), "{output}");
    assert_eq!(project.runs(), before);
    assert!(!project.cx.exists("report.json"));
}
