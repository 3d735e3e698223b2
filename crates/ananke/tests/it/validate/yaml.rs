//! Files that are hardly YAML: bombs, depth, duplicate keys, other encodings.

use std::fmt::Write as _;

use ananke_testkit::TestContext;
use insta::assert_snapshot;

use super::{CONFIG, TEST, test};
use crate::ANANKE;

#[test]
fn alias_bombs_and_deep_nesting_are_refused() {
    let mut bomb = "version: 1\nname: a\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for n in 1..12 {
        let below = n - 1;
        let aliases = vec![format!("*a{below}"); 10].join(", ");
        writeln!(bomb, "a{n}: &a{n} [{aliases}]").unwrap();
    }
    let shown = test(&bomb);
    let first: Vec<&str> = shown.lines().take(2).collect();
    assert_snapshot!(first.join("\n"), @"
    error: anchors and aliases stand for more than 100000 values
     --> a.test.yaml:7:40
    ");
    let deep = format!(
        "version: 1\nname: a\nturns: {}{}\n",
        "[".repeat(20_000),
        "]".repeat(20_000)
    );
    let shown = test(&deep);
    let first: Vec<&str> = shown.lines().take(2).collect();
    assert_snapshot!(first.join("\n"), @"
    error: invalid YAML: recursion limit exceeded
     --> a.test.yaml:3:264
    ");
}

#[test]
fn duplicate_keys_and_invalid_yaml() {
    assert_snapshot!(test(&format!("{TEST}name: b\n")), @"
    error: the key `name` is written twice
     --> a.test.yaml:5:1
      |
    5 | name: b
      | ^^^^ first written at a.test.yaml:2:1

    error: 1 error in 1 file
    ");
    assert_snapshot!(test(&TEST.replace("[{user: hi}]", "[{user: hi}")), @"
    error: invalid YAML: illegal placement of ':' indicator
     --> a.test.yaml:4:7
      |
    4 | assert: {text: {must_match: x}}
      |       ^

    error: 1 error in 1 file
    ");
    assert_snapshot!(test(&format!("{TEST}---\nname: b\n")), @"
    error: a file holds one YAML document, this is another
     --> a.test.yaml:5:1
      |
    5 | ---
      | ^^^
    hint: one file is one test: put each in a file of its own

    error: 1 error in 1 file
    ");
    assert_snapshot!(test(""), @"
    error: the file is empty
     --> a.test.yaml:1:1
      |
    1 |
      | ^

    error: 1 error in 1 file
    ");
}

#[test]
fn bytes_that_are_not_utf_8_are_refused_with_their_place() {
    let cx = TestContext::new(ANANKE);
    cx.write("ananke.config.yaml", CONFIG);
    std::fs::write(cx.dir().join("a.test.yaml"), b"version: 1\nname: caf\xe9\n").unwrap();
    assert_snapshot!(cx.ananke(&["validate"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: the file is not UTF-8 text
     --> a.test.yaml:2:10
      |
    2 | name: caf�
      |          ^ the byte at offset 20 is not UTF-8
    hint: save the file as UTF-8

    error: 1 error in 1 file
    ");
}

#[test]
fn a_byte_order_mark_and_crlf_change_nothing() {
    let cx = TestContext::new(ANANKE);
    cx.write(
        "ananke.config.yaml",
        &format!("\u{feff}{CONFIG}").replace('\n', "\r\n"),
    );
    cx.write(
        "a.test.yaml",
        &format!("\u{feff}{TEST}").replace('\n', "\r\n"),
    );
    assert_eq!(cx.run(&["validate"]).code, Some(0));
    let wrong = format!("\u{feff}{TEST}")
        .replace("must_match", "must_macth")
        .replace('\n', "\r\n");
    assert_snapshot!(test(&wrong), @"
    error: unknown key `must_macth` in `text`
     --> a.test.yaml:4:17
      |
    4 | assert: {text: {must_macth: x}}
      |                 ^^^^^^^^^^ expected `must_match` or `must_not_match`
    hint: did you mean `must_match`?

    error: 1 error in 1 file
    ");
}
