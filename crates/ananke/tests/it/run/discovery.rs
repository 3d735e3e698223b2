//! Which config and which tests: upward, below, files, folders, globs, filters.

use std::path::Path;

use ananke_testkit::Invocation;
use insta::assert_snapshot;

use super::{expects, friendly, rows};
use crate::ANANKE;

#[test]
fn the_config_is_found_upward_and_tests_are_found_below() {
    let (cx, _agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Hello"));
    cx.write("shop/tests/b.test.yml", &expects("b", "Hello"));
    cx.write("shop/tests/deep/c.test.yaml", &expects("c", "Hello"));
    cx.write(
        "node_modules/x/d.test.yaml",
        "not a test of ours: [unclosed",
    );
    cx.write("shop/notes.yaml", "not a test either");
    assert_snapshot!(cx.ananke(&["run"]), @"
    exit code: 0
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (3 tests)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [a.test.yaml] a ([TIME])
    ✓ [shop/tests/b.test.yml] b ([TIME])
    ✓ [shop/tests/deep/c.test.yaml] c ([TIME])

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   3 tests
      Passed:  3
      Failed:  0
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    let below = Invocation::new(Path::new(ANANKE), &cx.dir().join("shop"), cx.root());
    assert_snapshot!(rows(&cx.show(&below.args(&["run"]).run())), @"
    ✓ [shop/tests/b.test.yml] b ([TIME])
    ✓ [shop/tests/deep/c.test.yaml] c ([TIME])
    ");
}

#[test]
fn files_folders_and_globs_can_be_mixed() {
    let (cx, _agent) = friendly();
    for name in ["a", "b", "c", "d"] {
        cx.write(&format!("t/{name}.test.yaml"), &expects(name, "Hello"));
    }
    cx.write("t/sub/e.test.yaml", &expects("e", "Hello"));
    let inputs = [
        "run",
        "t/sub",
        "-i",
        "t/b.test.yaml",
        "t/[cd].test.yaml",
        "t/c.test.yaml",
    ];
    assert_snapshot!(rows(&cx.ananke(&inputs)), @"
    ✓ [t/sub/e.test.yaml] e ([TIME])
    ✓ [t/c.test.yaml] c ([TIME])
    ✓ [t/d.test.yaml] d ([TIME])
    ✓ [t/b.test.yaml] b ([TIME])
    ");
    assert_snapshot!(rows(&cx.ananke(&["test", "--input", "t/**/e.test.yaml"])), @"✓ [t/sub/e.test.yaml] e ([TIME])");
    let twin = cx.command(&["run"]).env("ANANKE_INPUT", "t/a.test.yaml");
    assert_snapshot!(rows(&cx.show(&twin.run())), @"✓ [t/a.test.yaml] a ([TIME])");
    let both = cx
        .command(&["run", "t/b.test.yaml"])
        .env("ANANKE_INPUT", "t/a.test.yaml");
    assert_snapshot!(rows(&cx.show(&both.run())), @"✓ [t/b.test.yaml] b ([TIME])");
}

#[test]
fn an_input_brings_the_config_beside_it_when_there_is_none_here() {
    let (cx, agent) = friendly();
    let config = cx.read("ananke.config.yaml");
    std::fs::remove_file(cx.dir().join("ananke.config.yaml")).unwrap();
    cx.write("shop/ananke.config.yaml", &config);
    cx.write("shop/tests/a.test.yaml", &expects("a", "Hello"));
    assert_snapshot!(rows(&cx.ananke(&["run", "shop"])), @"✓ [tests/a.test.yaml] a ([TIME])");
    assert_eq!(agent.requests().len(), 1);
    assert_snapshot!(cx.ananke(&["run"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: no config here or in a folder above: `shop/tests/a.test.yaml` belongs to `shop/ananke.config.yaml`
    hint: run one project at a time by naming its folder, such as `shop`, or pass `--config` to run all tests with one config

    error: 1 error
    ");
}

#[test]
fn config_names_another_file() {
    let (cx, agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Hello"));
    let config = cx.read("ananke.config.yaml");
    cx.write("ananke.config.yaml", "broken: [\n");
    cx.write("other.config.yaml", &config);
    let output = cx.run(&["run", "--config", "other.config.yaml"]);
    assert_eq!(output.code, Some(0), "{output}");
    let twin = cx
        .command(&["run"])
        .env("ANANKE_CONFIG", "other.config.yaml");
    assert_eq!(twin.run().code, Some(0));
    assert_eq!(agent.requests().len(), 2);
    assert_snapshot!(cx.ananke(&["run", "--config", "none.yaml"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: the config file `none.yaml` is not there

    error: 1 error
    ");
}

#[test]
fn a_file_that_is_not_there_is_a_mistake() {
    let (cx, _agent) = friendly();
    cx.write("cart.test.yaml", &expects("cart", "Hello"));
    assert_snapshot!(cx.ananke(&["run", "card.test.yaml", "x/*.test.yaml", "ananke.config.yaml"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: no such file or folder: `card.test.yaml`
    hint: did you mean `cart.test.yaml`?

    error: no test file matches `x/*.test.yaml`
    hint: hidden folders, `node_modules`, `target`, ignored files and reports are left out

    error: `ananke.config.yaml` is a config file, not a test
    hint: pass it with `--config ananke.config.yaml`

    error: 3 errors
    ");
}

#[test]
fn no_test_at_all_exits_with_4() {
    let (cx, _agent) = friendly();
    assert_snapshot!(cx.ananke(&["run"]), @"
    exit code: 4
    --- stdout
    --- stderr
    error: no test found in the project
    hint: tests are files named *.test.yaml or *.test.yml, *.jsonl in a folder named tests, and functions named Test… in *_test.ts or *_test.js
    ");
    std::fs::create_dir(cx.dir().join("empty")).unwrap();
    assert_snapshot!(cx.ananke(&["run", "empty"]), @"
    exit code: 4
    --- stdout
    --- stderr
    error: no test found in empty
    hint: tests are files named *.test.yaml or *.test.yml, *.jsonl in a folder named tests, and functions named Test… in *_test.ts or *_test.js
    ");
}

#[test]
fn run_picks_by_file_and_by_name() {
    let (cx, _agent) = friendly();
    cx.write("cart.test.yaml", &expects("puts things in", "Hello"));
    cx.write("pay.test.yaml", &expects("pays for the cart", "Hello"));
    cx.write("help.test.yaml", &expects("helps", "Hello"));
    assert_snapshot!(rows(&cx.ananke(&["run", "--run", "cart"])), @"
    ✓ [cart.test.yaml] puts things in ([TIME])
    ✓ [pay.test.yaml] pays for the cart ([TIME])
    ");
    assert_snapshot!(rows(&cx.ananke(&["run", "-run", "^help"])), @"✓ [help.test.yaml] helps ([TIME])");
    assert_snapshot!(rows(&cx.ananke(&["run", "-run=/PAYS/i"])), @"✓ [pay.test.yaml] pays for the cart ([TIME])");
    assert_snapshot!(cx.ananke(&["run", "--run", "nothing like it"]), @"
    exit code: 4
    --- stdout
    --- stderr
    error: no test matches --run nothing like it (of 3 found)
    hint: `ananke list` shows every test with its tags
    ");
    assert_snapshot!(cx.ananke(&["run", "--run", "(cart"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: --run `(cart`: the group is not closed at character 1
    ");
}

#[test]
fn tag_picks_tests_with_one_of_the_tags() {
    let (cx, _agent) = friendly();
    let tagged = |name: &str, tags: &str| format!("{}tags: [{tags}]\n", expects(name, "Hello"));
    cx.write("a.test.yaml", &tagged("a", "smoke"));
    cx.write("b.test.yaml", &tagged("b", "slow, smoke"));
    cx.write("c.test.yaml", &tagged("c", "slow"));
    cx.write("d.test.yaml", &expects("d", "Hello"));
    assert_snapshot!(rows(&cx.ananke(&["run", "--tag", "smoke"])), @"
    ✓ [a.test.yaml] a ([TIME])
    ✓ [b.test.yaml] b ([TIME])
    ");
    assert_snapshot!(rows(&cx.ananke(&["run", "--tag", "smoke", "--tag", "slow", "--run", "[bc]"])), @"
    ✓ [b.test.yaml] b ([TIME])
    ✓ [c.test.yaml] c ([TIME])
    ");
    let twin = cx.command(&["run"]).env("ANANKE_TAG", "nightly,slow");
    assert_snapshot!(rows(&cx.show(&twin.run())), @"
    ✓ [b.test.yaml] b ([TIME])
    ✓ [c.test.yaml] c ([TIME])
    ");
    assert_snapshot!(cx.ananke(&["run", "--tag", "smok"]), @"
    exit code: 4
    --- stdout
    --- stderr
    error: no test matches --tag smok (of 4 found)
    hint: `ananke list` shows every test with its tags
    ");
}

#[test]
fn skipped_tests_show_their_reason_and_are_no_evidence() {
    let (cx, agent) = friendly();
    let skipped = |name: &str| format!("{}skip: waits for the new cart\n", expects(name, "Hello"));
    cx.write("a.test.yaml", &skipped("a"));
    cx.write("b.test.yaml", &skipped("b"));
    assert_snapshot!(cx.ananke(&["run"]), @"
    exit code: 4
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (2 tests)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ○ [a.test.yaml] a SKIPPED: waits for the new cart
    ○ [b.test.yaml] b SKIPPED: waits for the new cart

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:    2 tests
      Passed:   0
      Failed:   0
      Skipped:  2
      Time:     [TIME]

    ═══════════════════════════════════════════════════════════════
      ⚠ NO TEST WAS RUN
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    assert!(agent.requests().is_empty());
    cx.write("c.test.yaml", &expects("c", "Hello"));
    assert_snapshot!(cx.ananke(&["run", "-q"]), @"
    exit code: 0
    --- stdout

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:    3 tests
      Passed:   1
      Failed:   0
      Skipped:  2
      Time:     [TIME]

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨ (2 skipped)
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
}
