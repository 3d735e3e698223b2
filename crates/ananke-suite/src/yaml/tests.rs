//! Trees and what is refused in them.

use std::fmt::Write as _;
use std::sync::Arc;

use ananke_model::place::Sources;
use insta::assert_snapshot;
use proptest::prelude::*;

use super::read::text;
use super::{Kind, Node, compose, json};

/// Returns the tree, one line for each value, then the diagnostics.
fn tree(bytes: &[u8]) -> String {
    let mut found = Vec::new();
    let mut sources = Sources::default();
    let text = text(bytes, "a.yaml", &mut sources, &mut found);
    let node = text.and_then(|text| compose(&Arc::from("a.yaml"), &text, &mut found));
    let mut out = String::new();
    if let Some(node) = &node {
        write_node(&mut out, "", node, 0);
    }
    for diagnostic in found {
        let place = diagnostic.place.unwrap();
        let covered = sources
            .text("a.yaml")
            .unwrap()
            .get(place.start as usize..place.end as usize);
        let (message, label) = (diagnostic.message, diagnostic.label);
        writeln!(
            out,
            "{place}:{} {message} | {label} | {covered:?}",
            place.column
        )
        .unwrap();
    }
    out
}

fn write_node(out: &mut String, key: &str, node: &Node, depth: usize) {
    let (place, pad) = (&node.place, "  ".repeat(depth));
    let what = match &node.kind {
        Kind::Scalar(scalar) => format!("{:?} {:?}", scalar.kind, scalar.text),
        Kind::Seq(_) => "seq".to_owned(),
        Kind::Map(_) => "map".to_owned(),
        Kind::Broken => "broken".to_owned(),
    };
    writeln!(
        out,
        "{pad}{key}{what} @{}:{} {}..{}",
        place.line, place.column, place.start, place.end
    )
    .unwrap();
    match &node.kind {
        Kind::Seq(items) => items
            .iter()
            .for_each(|item| write_node(out, "- ", item, depth + 1)),
        Kind::Map(entries) => entries.iter().for_each(|entry| {
            write_node(
                out,
                &format!("{}: ", entry.key.text),
                &entry.value,
                depth + 1,
            );
        }),
        Kind::Scalar(_) | Kind::Broken => {}
    }
}

#[test]
fn every_value_keeps_its_place_and_its_written_form() {
    let yaml = "version: 1.0\nlist:\n  - yes\n  - {n: 5, t: true}\nempty:\ntext: |\n  two\n  lines\nquoted: \"5\"\n";
    assert_snapshot!(tree(yaml.as_bytes()), @r#"
    map @1:1 0..12
      version: Float "1.0" @1:10 9..12
      list: seq @3:3 21..26
        - Str "yes" @3:5 23..26
        - map @4:5 31..46
          n: Int "5" @4:9 35..36
          t: Bool(true) "true" @4:15 41..45
      empty: Null "~" @5:1 47..52
      text: Str "two\nlines\n" @7:3 64..67
      quoted: Str "5" @9:9 84..87
    "#);
}

#[test]
fn byte_order_mark_and_crlf_do_not_shift_places() {
    assert_snapshot!(tree("\u{feff}ä: ö\r\nb: [1,\r\n  2]\r\n".as_bytes()), @r#"
    map @1:1 0..6
      ä: Str "ö" @1:4 4..6
      b: seq @2:4 11..14
        - Int "1" @2:5 12..13
        - Int "2" @3:3 18..19
    "#);
}

#[test]
fn anchors_are_repeated() {
    assert_snapshot!(tree(b"a: &x {n: 1}\nb: *x\nc: *y\n"), @r#"
    map @1:1 0..12
      a: map @1:7 6..12
        n: Int "1" @1:11 10..11
      b: map @1:7 6..12
        n: Int "1" @1:11 10..11
      c: broken @3:4 22..24
    a.yaml:3:4 the alias `*y` has no anchor before it |  | Some("*y")
    "#);
}

#[test]
fn what_a_suite_must_not_hold_is_refused_at_its_place() {
    assert_snapshot!(tree(b"a: 1\nb: 2\na: 3\n"), @r#"
    map @1:1 0..4
      a: Int "1" @1:4 3..4
      b: Int "2" @2:4 8..9
    a.yaml:3:1 the key `a` is written twice | first written at a.yaml:1:1 | Some("a")
    "#);
    assert_snapshot!(tree(b"a: 1\n---\nb: 2\n"), @r#"a.yaml:2:1 a file holds one YAML document, this is another |  | Some("---")"#);
    assert_snapshot!(tree(b"a: !env TOKEN\nb: !!str 5\nc: !!int x\n"), @r#"
    map @1:1 0..13
      a: broken @1:9 8..13
      b: Str "5" @2:10 23..24
      c: broken @3:10 34..35
    a.yaml:1:4 the tag `!env` is not supported |  | Some("!env")
    a.yaml:3:10 the tag `!!int` does not fit this value |  | Some("x")
    "#);
    assert_snapshot!(tree(b"base: &b {x: 1}\na:\n  <<: *b\n"), @r#"
    map @1:1 0..15
      base: map @1:10 9..15
        x: Int "1" @1:14 13..14
      a: map @3:3 21..27
    a.yaml:3:3 merge keys (`<<`) are not supported |  | Some("<<")
    "#);
    assert_snapshot!(tree(b"? [a, b]\n: 1\n"), @r#"
    map @1:1 0..8
    a.yaml:1:3 a key must be text, found a list |  | Some("[a, b]")
    "#);
    assert_snapshot!(tree(b"a: &x [*x]\n"), @r#"a.yaml:1:8 the alias stands inside the value that it repeats |  | Some("*x")"#);
    assert_snapshot!(tree(b"ok: 1\nbad: \xff\xfe\n"), @r#"a.yaml:2:6 the file is not UTF-8 text | the byte at offset 11 is not UTF-8 | Some("�")"#);
    assert_snapshot!(tree(b"a: 1\rb: 2\r\n \x80"), @r#"a.yaml:3:2 the file is not UTF-8 text | the byte at offset 12 is not UTF-8 | Some("�")"#);
    assert_snapshot!(tree(b"\n# nothing\n"), @r#"a.yaml:1:1 the file is empty |  | Some("")"#);
}

#[test]
fn syntax_errors_have_a_place() {
    assert_snapshot!(tree(b"a: b: c\n"), @r#"a.yaml:1:5 invalid YAML: mapping values are not allowed in this context |  | Some(":")"#);
    assert_snapshot!(tree(b"a:\n\t- b\n"), @r#"a.yaml:2:2 invalid YAML: tabs disallowed within this context (block indentation) |  | Some("-")"#);
    assert_snapshot!(tree(b"a: [1, 2\nb: 3\n"), @r#"a.yaml:2:2 invalid YAML: illegal placement of ':' indicator |  | Some(":")"#);
    assert_snapshot!(tree(b"a: \"open\n"), @r#"a.yaml:2:1 invalid YAML: invalid indentation in multiline quoted scalar |  | Some("")"#);
    assert_snapshot!(tree(b"a: 1\n b: 2\n"), @r#"a.yaml:2:3 invalid YAML: mapping values are not allowed in this context |  | Some(":")"#);
}

#[test]
fn alias_bombs_are_refused() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let below = format!("*a{}, ", level - 1).repeat(10);
        writeln!(bomb, "a{level}: &a{level} [{below}]").unwrap();
    }
    assert_snapshot!(tree(bomb.as_bytes()), @r#"a.yaml:5:40 anchors and aliases stand for more than 100000 values |  | Some("*a3")"#);
    // Anchors around one another copy without any alias.
    let nested = (0..120)
        .map(|level| format!("&b{level} ["))
        .collect::<String>();
    let wide = format!("{nested}{}{}", "x, ".repeat(1000), "]".repeat(120));
    assert!(tree(wide.as_bytes()).contains("a.yaml:1:140 anchors and aliases stand for more than"));
}

#[test]
fn deep_values_are_refused() {
    let flow = format!("{}{}", "[".repeat(129), "]".repeat(129));
    assert_snapshot!(tree(flow.as_bytes()), @r#"a.yaml:1:129 lists and maps stand more than 128 deep in one another |  | Some("[")"#);
    let deeper = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_snapshot!(tree(deeper.as_bytes()), @r#"a.yaml:1:257 invalid YAML: recursion limit exceeded |  | Some("[")"#);
    let block = (0..200)
        .map(|depth| format!("{}a:\n", " ".repeat(depth)))
        .collect::<String>();
    assert_snapshot!(tree(block.as_bytes()), @r#"a.yaml:129:129 lists and maps stand more than 128 deep in one another |  | Some("")"#);
    let aliased = format!(
        "a: &a {}{}\nb: {}*a{}\n",
        "[".repeat(100),
        "]".repeat(100),
        "[".repeat(100),
        "]".repeat(100)
    );
    assert_snapshot!(tree(aliased.as_bytes()), @r#"a.yaml:2:104 lists and maps stand more than 128 deep in one another |  | Some("*a")"#);
}

#[test]
fn long_lines_take_no_quadratic_time() {
    let line = format!("a: [{}]\n", "1, ".repeat(200_000));
    let started = std::time::Instant::now();
    assert!(tree(line.as_bytes()).contains("Int"));
    assert!(started.elapsed().as_secs() < 20);
}

#[test]
fn values_become_json() {
    let mut found = Vec::new();
    let source =
        "{a: [1, -2, 0x10, 1.5, 1e3, null, yes, true, '5'], 7: x, huge: 18446744073709551615}";
    let node = compose(&Arc::from("a"), source, &mut found).unwrap();
    assert_snapshot!(json(&node, &mut found).unwrap(), @r#"{"a":[1,-2,16,1.5,1000.0,null,"yes",true,"5"],"7":"x","huge":18446744073709551615}"#);
    for refused in [".inf", ".nan", "1e999", "99999999999999999999"] {
        let node = compose(&Arc::from("a"), refused, &mut found).unwrap();
        assert!(json(&node, &mut found).is_none(), "{refused}");
    }
    assert_eq!(found.len(), 4);
}

proptest! {
    #[test]
    fn any_bytes_give_a_tree_or_a_reason(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        tree(&bytes);
    }

    #[test]
    fn any_yaml_like_text_gives_a_tree_or_a_reason(text in "([a-c:\\-\\[\\]{}&*!|>'\"#%,? \t\n\r~<1.äé\u{feff}]|\n  )*") {
        let shown = tree(text.as_bytes());
        prop_assert!(!shown.is_empty());
        // `None` would be a place outside the file or inside a character.
        prop_assert!(!shown.contains("| None"), "{shown}");
    }
}
