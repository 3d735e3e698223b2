//! `ananke report`: runs that are over, rendered and joined.

use insta::assert_snapshot;

use super::{document, shop};

#[test]
fn a_bundle_is_rendered_as_the_run_was() {
    let project = shop();
    let run = project.record(&[
        "-o",
        "first.jsonl",
        "-o",
        "first.md",
        "-o",
        "first.xml",
        "-o",
        "first.html",
        "-o",
        "first.json",
        "-o",
        "first.tap",
    ]);
    let rendered = project.command(&[
        "report",
        "latest",
        "-o",
        "again.jsonl",
        "-o",
        "again.md",
        "-o",
        "again.xml",
        "-o",
        "again.html",
        "-o",
        "again.json",
        "-o",
        "again.tap",
    ]);
    assert_eq!(rendered.stdout, run.stdout);
    for kind in ["jsonl", "md", "xml", "html", "json", "tap"] {
        assert_eq!(
            project.cx.read(&format!("again.{kind}")),
            project.cx.read(&format!("first.{kind}")),
            "{kind}"
        );
    }
    let json = project.command(&["report", "latest", "--json"]);
    assert_eq!(json.stdout, project.cx.read("first.json"));
}

#[test]
fn the_exit_code_is_that_of_the_run_if_somebody_asks() {
    let project = shop();
    project.test_named(
        "fails",
        "turns:\n  - user: hi\n    assert: {text: {must_match: Goodbye}}\n",
    );
    project.record(&["-q"]);
    assert_eq!(project.command(&["report", "latest", "-q"]).code, Some(0));
    let asked = project.command(&["report", "latest", "-q", "--exit-code"]);
    assert_eq!(asked.code, Some(1));
}

#[test]
fn shards_are_joined_and_a_missing_one_is_refused() {
    let project = shop();
    for number in 0..12 {
        project.test_named(
            &format!("more{number:02}"),
            "turns: [{user: hi, assert: {text: {must_match: Hello}}}]\n",
        );
    }
    let mut totals = Vec::new();
    for shard in 1..=3 {
        let dir = format!("shard{shard}");
        let output = project.record(&[
            "--json",
            "--shard",
            &format!("{shard}/3"),
            "--bundle-dir",
            &dir,
        ]);
        totals.push(document(&output)["summary"]["total"].as_u64().unwrap());
    }
    assert_eq!(totals.iter().sum::<u64>(), 14, "{totals:?}");
    assert!(totals.iter().all(|total| *total > 0), "{totals:?}");
    let name = |shard: usize| {
        format!(
            "shard{shard}/{}",
            project.cx.files(&format!("shard{shard}"))[1]
        )
    };
    let (one, two, three) = (name(1), name(2), name(3));
    let joined = project.command(&[
        "report",
        "--merge",
        &three,
        &one,
        &two,
        "--json",
        "--exit-code",
    ]);
    assert_eq!(joined.code, Some(0), "{joined}");
    let joined = document(&joined);
    assert_eq!(joined["summary"]["total"], 14);
    let ids: Vec<&str> = joined["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["id"].as_str().unwrap())
        .collect();
    assert!(ids.is_sorted(), "{ids:?}");
    assert_snapshot!(project.cx.show(&project.command(&["report", "--merge", &one, &three])), @"
    exit code: 2
    --- stdout
    --- stderr
    error: no bundle of shard 2/3
    hint: `--allow-missing` joins what is there
    ");
    let allowed = project.command(&["report", "--merge", &one, &three, "--allow-missing", "-q"]);
    assert_eq!(allowed.code, Some(0), "{allowed}");
    assert_snapshot!(project.cx.show(&project.command(&["report", &one, &three])), @"
    exit code: 2
    --- stdout
    --- stderr
    error: a report is of one bundle
    hint: `--merge` joins several, as the shards of one run
    ");
}

#[test]
fn a_test_in_several_bundles_keeps_all_its_results() {
    let project = shop();
    project.record(&["-q"]);
    project.record(&["-q"]);
    let runs = project.runs();
    let joined = project.command(&["report", "--merge", &runs[0], &runs[1], "--json"]);
    assert!(
        joined
            .stderr
            .contains("2 of the tests are in more than one bundle"),
        "{joined}"
    );
    let summary = &document(&joined)["summary"];
    assert_eq!(summary["total"], 4);
    assert_eq!(
        (&summary["total_cases"], &summary["total_runs"]),
        (&2.into(), &4.into())
    );
    assert_eq!(summary["runs_per_case"], 2);
    let shown = project.command(&["report", "--merge", &runs[0], &runs[1], "-o", "joined.md"]);
    assert!(
        shown.stdout.contains("  Total:   4 results of 2 tests\n"),
        "{shown}"
    );
    assert!(shown.stdout.contains("(4 results of 2 tests)\n"), "{shown}");
    let markdown = project.cx.read("joined.md");
    assert!(
        markdown.contains("| Total | 4 results of 2 tests |"),
        "{markdown}"
    );
}

#[test]
fn the_same_run_twice_is_no_more_evidence() {
    let mut project = shop();
    project.record(&["-q"]);
    project.record(&["-q"]);
    let runs = project.runs();
    for (name, shown) in runs.iter().zip(["[RUN A]", "[RUN B]"]) {
        project.cx.filter(name, shown);
    }
    let twice = project.command(&["report", "--merge", &runs[1], &runs[0], "latest"]);
    assert_snapshot!(project.cx.show(&twice), @"
    exit code: 2
    --- stdout
    --- stderr
    error: the run [RUN B] is named twice: `[RUN B]` and `latest`
    hint: a run is evidence once; name each only once
    ");
}

#[test]
fn what_other_commands_write_follows_links_too() {
    let project = shop();
    project.record(&["-q"]);
    project.record(&["-q"]);
    let dir = project.cx.dir();
    for (link, target) in [("link.md", "compare.md"), ("link.yaml", "new.test.yaml")] {
        std::os::unix::fs::symlink(target, dir.join(link)).unwrap();
    }
    let compared = project.command(&["compare", "-q", "-o", "link.md"]);
    assert_eq!(compared.code, Some(0), "{compared}");
    let written = project.command(&["history", "latest", "find", "-o", "link.yaml", "--force"]);
    assert_eq!(written.code, Some(0), "{written}");
    assert!(project.cx.read("compare.md").starts_with('#'));
    assert!(project.cx.read("new.test.yaml").contains("find a mug"));
    for link in ["link.md", "link.yaml"] {
        assert!(dir.join(link).symlink_metadata().unwrap().is_symlink());
    }
    let shown = project.command(&["history", "latest", "find", "-o", "/dev/stdout", "--force"]);
    assert!(shown.stdout.contains("find a mug"), "{shown}");
}
