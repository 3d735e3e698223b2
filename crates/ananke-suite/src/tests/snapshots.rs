//! Snapshots as text: where they may stand, which file they are, and what is wrong with a file.

use ananke_model::check::{Check, SnapshotUpdate};
use insta::assert_snapshot;

use crate::testing::{CONFIG, Suite, config_problems, key_problems, problems};

const STORED: &str = "# ananke snapshot 1\n";

fn test(keys: &str) -> String {
    format!("version: 1\nname: a\n{keys}\n")
}

/// Returns a suite with one test that has one turn.
fn suite(keys: &str) -> Suite {
    let test = test(&format!("turns: [{{user: hi}}]\n{keys}"));
    Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        ("tests/shop.test.yaml", &test),
    ])
}

/// Returns the snapshots of all tests, one line each, and what is wrong.
fn snapshots(suite: &Suite) -> String {
    let loaded = suite.load();
    let mut lines = Vec::new();
    for test in &loaded.plan.tests {
        let turns = test.turns.iter().map(|turn| turn.block.as_ref());
        let blocks = (1..).map(|n| format!("turn {n}")).zip(turns);
        for (title, block) in blocks.chain([("test".to_owned(), Some(&test.block))]) {
            for demand in block.iter().flat_map(|block| &block.demands) {
                if let Check::Snapshot(snapshot) = &demand.check {
                    lines.push(format!(
                        "{title}: {} of {:?} in {}, stored {:?}, update {:?}",
                        snapshot.name.text,
                        snapshot.of,
                        snapshot.path,
                        snapshot.stored,
                        snapshot.update
                    ));
                }
            }
        }
    }
    lines.push(problems(&loaded));
    lines.join("\n").trim_end().to_owned()
}

#[test]
fn a_snapshot_is_a_file_beside_the_test() {
    let suite = suite("assert: {snapshot: first greeting}");
    assert_snapshot!(snapshots(&suite), @"test: first greeting of [Text, Tools] in tests/__snapshots__/shop.first-greeting.snap, stored None, update None");
    suite.write(
        "tests/__snapshots__/shop.first-greeting.snap",
        STORED.as_bytes(),
    );
    assert_snapshot!(snapshots(&suite), @r##"test: first greeting of [Text, Tools] in tests/__snapshots__/shop.first-greeting.snap, stored Some("# ananke snapshot 1\n"), update None"##);
}

#[test]
fn a_turn_has_its_own_and_inherits_none() {
    let test = test(
        "turns: [{user: hi, assert: {snapshot: {name: one, of: state}}}, {user: hi, assert: {text: {must_match: x}}}]\nassert: {snapshot: {name: all, of: [tools, text, state]}}",
    );
    let suite = Suite::new(&[("ananke.config.yaml", CONFIG), ("a.test.yml", &test)]);
    assert_snapshot!(snapshots(&suite), @"
    turn 1: one of [State] in __snapshots__/a.one.snap, stored None, update None
    test: all of [Tools, Text, State] in __snapshots__/a.all.snap, stored None, update None
    ");
}

#[test]
fn false_is_no_snapshot() {
    assert_snapshot!(snapshots(&suite("assert: {snapshot: false, text: {must_match: x}}")), @"");
}

#[test]
fn names_are_safe_in_every_file_system() {
    for name in [
        "../up", "a/b", "..", ".hidden", "a\\b", "\"a\\0\"", "\" \"", "${NAME}", "a*", "7",
    ] {
        let found = key_problems(&format!("assert: {{snapshot: {name}}}"));
        assert!(found.contains("error"), "{name}: {found}");
    }
    assert_snapshot!(key_problems("assert: {snapshot: ../up}"), @"a.test.yaml:4:20 error `../up` is no name for a snapshot | expected letters, digits, `-`, `_`, `.` and spaces");
    assert_snapshot!(key_problems("assert: {snapshot: .hidden}"), @"a.test.yaml:4:20 error `.hidden` is no name for a snapshot | expected a letter or a digit at the beginning");
    assert_snapshot!(key_problems("assert: {snapshot: \"${NAME}\"}"), @"a.test.yaml:4:20 error `${NAME}` holds a reference, which the name of a snapshot cannot | the file is looked for before variables have values");
    let long = "a".repeat(101);
    assert!(key_problems(&format!("assert: {{snapshot: {long}}}")).contains("too long"));
}

#[test]
fn what_is_compared_is_checked() {
    assert_snapshot!(key_problems("assert: {snapshot: {name: a, of: [text, tool]}}"), @"a.test.yaml:4:41 error unknown word `tool` | expected `text`, `tools`, `state` or `artifacts` | did you mean `tools`?");
    assert_snapshot!(key_problems("assert: {snapshot: {name: a, of: []}}"), @"a.test.yaml:4:34 error the list is empty | a snapshot of nothing would always pass");
    assert_snapshot!(key_problems("assert: {snapshot: {name: a, of: {text: true}}}"), @"a.test.yaml:4:34 error expected `text`, `tools`, `state`, `artifacts` or a list of them, found a map");
    assert_snapshot!(key_problems("assert: {snapshot: {name: a, of: [text, text]}}"), @"a.test.yaml:4:41 error this is in the list twice");
    assert_snapshot!(key_problems("assert: {snapshot: {of: text}}"), @"a.test.yaml:4:20 error `name` is missing in `snapshot` |  | write `name: greeting`");
    assert_snapshot!(key_problems("assert: {snapshot: [a]}"), @"a.test.yaml:4:20 error expected a map, found a list | expected `name` or `of`");
}

#[test]
fn targets_and_named_blocks_have_none() {
    assert_snapshot!(config_problems(&format!("{CONFIG}  assert: {{snapshot: a}}\nassertions: {{b: {{snapshot: {{name: a}}}}}}\n")), @"
    ananke.config.yaml:5:22 error a target cannot demand a snapshot | one file would serve many tests | write `snapshot` in the `assert` of a test or a turn
    ananke.config.yaml:6:35 error a named block cannot demand a snapshot | one file would serve many tests | write `snapshot` in the `assert` of a test or a turn
    ");
}

#[test]
fn two_snapshots_in_one_file_are_refused() {
    let turns =
        test("turns: [{user: hi, assert: {snapshot: a b}}, {user: hi, assert: {snapshot: A-b}}]");
    let suite = Suite::new(&[("ananke.config.yaml", CONFIG), ("a.test.yaml", &turns)]);
    assert_snapshot!(problems(&suite.load()), @"a.test.yaml:3:76 error the snapshot `A-b` is there twice | a.test.yaml:3 has the same file | give each snapshot a name of its own");
    let one = |name: &str| {
        test(&format!(
            "turns: [{{user: hi}}]\nassert: {{snapshot: {name}}}"
        ))
    };
    let files = [("x.test.yaml", one("y.z")), ("x.y.test.yaml", one("z"))];
    let suite = Suite::new(&[("ananke.config.yaml", CONFIG)]);
    for (file, content) in files {
        suite.write(
            file,
            content
                .replace("name: a", &format!("name: {file}"))
                .as_bytes(),
        );
    }
    assert_snapshot!(problems(&suite.load()), @"x.y.test.yaml:4:20 error the snapshot `z` is there twice | x.test.yaml:4 has the same file | give each snapshot a name of its own");
}

#[test]
fn a_test_outside_the_project_has_no_place_for_one() {
    let test = test("turns: [{user: hi}]\nassert: {snapshot: a}");
    let mut suite = Suite::new(&[
        ("project/ananke.config.yaml", CONFIG),
        ("other/a.test.yaml", &test),
    ]);
    suite.config = Some("project/ananke.config.yaml");
    let found = problems(&suite.load_in("", &["other/a.test.yaml"]));
    let root = suite.root().to_string_lossy().into_owned();
    assert_snapshot!(found.replace(&root, "[ROOT]"), @"other/a.test.yaml:4:20 error a snapshot needs a test below the project's folder | the project is `[ROOT]/project`");
}

#[test]
fn a_file_that_cannot_be_compared_is_told_unless_it_is_written_anew() {
    let mut suite = suite("assert: {snapshot: a}");
    let file = "tests/__snapshots__/shop.a.snap";
    suite.write(file, b"\xFF");
    assert_snapshot!(snapshots(&suite), @"
    test: a of [Text, Tools] in tests/__snapshots__/shop.a.snap, stored None, update None
    tests/shop.test.yaml:4:20 error the snapshot is not UTF-8 text | `tests/__snapshots__/shop.a.snap` | `ananke run --update-snapshots=changed` writes it anew
    ");
    suite.update_snapshots = SnapshotUpdate::Changed;
    assert_snapshot!(snapshots(&suite), @"test: a of [Text, Tools] in tests/__snapshots__/shop.a.snap, stored None, update Changed");
    suite.update_snapshots = SnapshotUpdate::Missing;
    suite.write(file, &vec![b'x'; (4 << 20) + 1]);
    assert_snapshot!(problems(&suite.load()), @"tests/shop.test.yaml:4:20 error the snapshot is larger than 4 MiB | `tests/__snapshots__/shop.a.snap` | `ananke run --update-snapshots=changed` writes it anew");
    std::fs::remove_file(suite.root().join(file)).unwrap();
    std::fs::create_dir(suite.root().join(file)).unwrap();
    suite.update_snapshots = SnapshotUpdate::All;
    assert_snapshot!(problems(&suite.load()), @"tests/shop.test.yaml:4:20 error the snapshot is no file in a folder | `tests/__snapshots__/shop.a.snap`");
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let suite = suite("assert: {snapshot: a}");
    suite.write("tests/__snapshots__/x", b"");
    let link = suite.root().join("tests/__snapshots__/shop.a.snap");
    std::os::unix::fs::symlink("/etc/passwd", link).unwrap();
    assert_snapshot!(problems(&suite.load()), @"tests/shop.test.yaml:4:20 error a snapshot is not read or written through a link | `tests/__snapshots__/shop.a.snap`");
}
