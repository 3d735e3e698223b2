//! Text in, objects and diagnostics out.

use std::fmt::Write as _;
use std::sync::Arc;

use ananke_model::place::Place;
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Map, Value};

use super::{is_report, objects};
use crate::testing::line;
use crate::yaml::{Kind, Node, json};

/// Returns the objects as JSON with their lines, and the diagnostics.
fn read(text: &str) -> String {
    let mut found = Vec::new();
    let file = Arc::from("a.jsonl");
    let mut out = String::new();
    for node in objects(&file, text, &mut found) {
        let value = json(&node, &mut found).unwrap_or_default();
        writeln!(out, "{}:{} {value}", node.place.line, node.place.column).unwrap();
    }
    for diagnostic in &found {
        writeln!(out, "{}", line(diagnostic)).unwrap();
    }
    out
}

/// Returns the diagnostics of a file with one object, each with the text it points at.
fn mistakes(texts: &[&str]) -> String {
    let mut out = String::new();
    for text in texts {
        let mut found = Vec::new();
        objects(&Arc::from("a.jsonl"), text, &mut found);
        for diagnostic in found {
            let place = diagnostic.place.clone().unwrap();
            let at = text.get(place.start as usize..place.end as usize).unwrap();
            let at = at.replace(char::is_control, "␣");
            writeln!(out, "{} «{at}»", line(&diagnostic)).unwrap();
        }
    }
    out
}

#[test]
fn objects_stand_on_one_line_or_on_several() {
    let text = "{\"id\": \"a\"}\n{\n  \"id\": \"b\",\n  \"n\": [1, -2.5e3,\n    true, null]\n}\n\n{}{\"id\":\"c\"}";
    assert_snapshot!(read(text), @r#"
    1:1 {"id":"a"}
    2:1 {"id":"b","n":[1,-2500.0,true,null]}
    8:1 {}
    8:3 {"id":"c"}
    "#);
}

#[test]
fn comments_stand_where_white_space_may() {
    let text = "// first\n# second\n  // third\n{\"a\": // why\n  # more\n 1, \"b\": \"// # no comment\"} # behind\r\n//\n{\"c\": []}//";
    assert_snapshot!(read(text), @r#"
    4:1 {"a":1,"b":"// # no comment"}
    8:1 {"c":[]}
    "#);
}

#[test]
fn texts_have_escapes_and_any_character() {
    let text = r#"{"a": "\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00 ä😀", "ä": "", "\u0041": 1}"#;
    assert_snapshot!(read(text), @r#"1:1 {"a":"\"\\/\b\f\n\r\tä😀 ä😀","ä":"","A":1}"#);
}

#[test]
fn line_ends_of_every_system_count_once() {
    assert_snapshot!(read("{\"a\":1}\r\n{\"b\":2}\r{\"c\":3}\n\r{\"d\":x}"), @r#"
    1:1 {"a":1}
    2:1 {"b":2}
    3:1 {"c":3}
    a.jsonl:5:6 error expected a value, found `x` |  | text stands in double quotes
    "#);
}

#[test]
fn columns_are_characters() {
    assert_snapshot!(mistakes(&["{\"äöü\": \"😀\", \"b\": x}"]), @"a.jsonl:1:19 error expected a value, found `x` |  | text stands in double quotes «x»");
}

#[test]
fn what_is_no_json_is_explained() {
    assert_snapshot!(mistakes(&[
        "{'id': 1}",
        "{id: 1}",
        "{\"id\": 'a'}",
        "{\"id\": “a”}",
        "{\"id\": \"a\",}",
        "{\"id\": [1, 2,]}",
        "{\"id\" \"a\"}",
        "{\"id\" = \"a\"}",
        "{\"id\": \"a\" \"name\": \"b\"}",
        "{\"id\": \"a\"; \"name\": \"b\"}",
        "{\"id\": [1 2]}",
        "{\"id\": True}",
        "{\"id\": None}",
        "{\"id\": NaN}",
        "{\"id\": hello}",
        "{\"id\": 01}",
        "{\"id\": 1.}",
        "{\"id\": +1}",
        "{\"id\": 1_000}",
        "{\"id\": -}",
        "{\"id\": \"a\tb\"}",
        "{\"id\": \"a\u{1}b\"}",
        "{\"id\": \"a\\x\"}",
        "{\"id\": \"a\\u12\"}",
        "{\"id\": \"\\ud83d!\"}",
        "{\"id\": \"\\udc00\"}",
        "{\"id\": \"a",
        "{\"id\": \"a\nb\"}",
        "{\"id\": /* why */ 1}",
        "{\"id\": 1, /* why */ \"b\": 2}",
        "{\"a\": [...]}",
        "{,}",
        "{\"a\":}",
        "{\"a\": 1]}",
        "{\"a\": \u{0}}",
    ]), @r#"
    a.jsonl:1:2 error expected a key in double quotes, found `'` |  | text stands in double quotes: `"…"` «'»
    a.jsonl:1:2 error expected a key in double quotes, found `id` |  | write `"id"` «id»
    a.jsonl:1:8 error expected a value, found `'` |  | text stands in double quotes: `"…"` «'»
    a.jsonl:1:8 error expected a value, found `“` |  | text stands in double quotes: `"…"` «“»
    a.jsonl:1:12 error a comma stands before `}` |  | JSON has no comma behind the last entry: remove it «}»
    a.jsonl:1:14 error a comma stands before `]` |  | JSON has no comma behind the last entry: remove it «]»
    a.jsonl:1:7 error expected `:` behind the key `id` | found text «"»
    a.jsonl:1:7 error expected `:` behind the key `id` | found `=` «=»
    a.jsonl:1:12 error expected `,` or `}`, found text |  | put a comma between the two «"»
    a.jsonl:1:11 error expected `,` or `}`, found `;` «;»
    a.jsonl:1:11 error expected `,` or `]`, found `2` |  | put a comma between the two «2»
    a.jsonl:1:8 error expected a value, found `True` |  | write `true` «True»
    a.jsonl:1:8 error expected a value, found `None` |  | write `null` «None»
    a.jsonl:1:8 error expected a value, found `NaN` |  | JSON has no such number «NaN»
    a.jsonl:1:8 error expected a value, found `hello` |  | text stands in double quotes «hello»
    a.jsonl:1:8 error `01` is no number |  | write it like `12`, `-0.5` or `1e3`, or in double quotes as text «01»
    a.jsonl:1:8 error `1.` is no number |  | write it like `12`, `-0.5` or `1e3`, or in double quotes as text «1.»
    a.jsonl:1:8 error expected a value, found `+` «+»
    a.jsonl:1:8 error `1_000` is no number |  | write it like `12`, `-0.5` or `1e3`, or in double quotes as text «1_000»
    a.jsonl:1:8 error `-` is no number |  | write it like `12`, `-0.5` or `1e3`, or in double quotes as text «-»
    a.jsonl:1:10 error the character U+0009 must be escaped in a text |  | write `\t` «␣»
    a.jsonl:1:10 error the character U+0001 must be escaped in a text |  | write `\u0001` «␣»
    a.jsonl:1:10 error `\x` is no escape | expected `\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t` or `\u` with four hex digits | a backslash itself is written `\\` «\x»
    a.jsonl:1:10 error `\u` is no escape | expected `\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t` or `\u` with four hex digits | a backslash itself is written `\\` «\u»
    a.jsonl:1:9 error the escape is half of a character |  | write the character itself, or both halves: `\ud83d\ude00` «\ud83d»
    a.jsonl:1:9 error the escape is half of a character |  | write the character itself, or both halves: `\ud83d\ude00` «\udc00»
    a.jsonl:1:8 error the text is not closed on its line |  | end it with `"`; a line break inside a text is written `\n` «"a»
    a.jsonl:1:8 error the text is not closed on its line |  | end it with `"`; a line break inside a text is written `\n` «"a»
    a.jsonl:1:8 error expected a value, found `/` |  | a comment is a line that begins with `//` or `#` «/»
    a.jsonl:1:11 error expected a key in double quotes, found `/` |  | a comment is a line that begins with `//` or `#` «/»
    a.jsonl:1:8 error expected a value, found `.` |  | write out what is left out here «.»
    a.jsonl:1:2 error expected a key in double quotes, found `,` «,»
    a.jsonl:1:6 error expected a value, found `}` «}»
    a.jsonl:1:8 error expected `,` or `}`, found `]` «]»
    a.jsonl:1:7 error expected a value, found the character U+0000 «␣»
    "#);
}

#[test]
fn an_object_that_is_not_closed_is_told_from_the_next() {
    assert_snapshot!(mistakes(&[
        "{\"id\": \"a\"",
        "{\"id\": ",
        "{\"id\": \"a\",",
        "{",
        "{\"id\": [1, [2",
        "{\"id\": \"a\",\n  \"b\": [1\n{\"id\": \"c\"}\n",
        "{\"id\": \"a\",\n{\"id\": \"c\"}\n",
    ]), @"
    a.jsonl:1:11 error the file ends before the object is closed | the open one begins at line 1 | count its braces and brackets «»
    a.jsonl:1:8 error the file ends before the object is closed | the open one begins at line 1 | count its braces and brackets «»
    a.jsonl:1:12 error the file ends before the object is closed | the open one begins at line 1 | count its braces and brackets «»
    a.jsonl:1:2 error the file ends before the object is closed | the open one begins at line 1 | count its braces and brackets «»
    a.jsonl:1:14 error the file ends before the object is closed | the open one begins at line 1 | count its braces and brackets «»
    a.jsonl:3:1 error the next object begins before the one above it is closed | the open one begins at line 1 | count its braces and brackets «{»
    a.jsonl:2:1 error the next object begins before the one above it is closed | the open one begins at line 1 | count its braces and brackets «{»
    ");
}

#[test]
fn reading_goes_on_behind_a_broken_object() {
    let text = "{\"id\": \"a\"}\n{\"id\": b}\n{\n  \"id\": \"c\",\n  \"x\": {oops}\n}\n{\"id\": \"d\"}\n  {\"id\": \"e\",}\n{\"id\": \"f\"";
    assert_snapshot!(read(text), @r#"
    1:1 {"id":"a"}
    7:1 {"id":"d"}
    a.jsonl:2:8 error expected a value, found `b` |  | text stands in double quotes
    a.jsonl:5:9 error expected a key in double quotes, found `oops` |  | write `"oops"`
    a.jsonl:8:14 error a comma stands before `}` |  | JSON has no comma behind the last entry: remove it
    a.jsonl:9:11 error the file ends before the object is closed | the open one begins at line 9 | count its braces and brackets
    "#);
}

#[test]
fn keys_are_written_once() {
    let many: Vec<_> = (0..40).map(|n| format!("\"k{n}\": {n}")).collect();
    let text = format!(
        "{{\"a\": 1, \"b\": {{\"c\": 1, \"c\": 2}},\n \"a\": 3}}\n{{{}, \"k3\": 0, \"k39\": 0}}",
        many.join(", ")
    );
    let shown: Vec<_> = read(&text)
        .lines()
        .filter(|line| line.contains("error"))
        .map(str::to_owned)
        .collect();
    assert_snapshot!(shown.join("\n"), @"
    a.jsonl:1:24 error the key `c` is written twice | first written at a.jsonl:1:16
    a.jsonl:2:2 error the key `a` is written twice | first written at a.jsonl:1:2
    a.jsonl:3:422 error the key `k3` is written twice | first written at a.jsonl:3:29
    a.jsonl:3:431 error the key `k39` is written twice | first written at a.jsonl:3:411
    ");
}

#[test]
fn only_objects_stand_at_the_root() {
    assert_snapshot!(read("[{\"id\": \"a\"},\n{\"id\": \"b\"}]\n"), @"a.jsonl:1:1 error the file holds a list, expected objects one after another |  | write one case per line, without the brackets and the commas between");
    assert_snapshot!(read("{\"id\": \"a\"},\n{\"id\": \"b\"},\n"), @r#"
    1:1 {"id":"a"}
    2:1 {"id":"b"}
    a.jsonl:1:12 error a comma stands between two objects |  | write one case per line, without commas between
    "#);
    assert_snapshot!(read("hello\n\"text\"\n{\"id\": \"a\"}\n12 }\n"), @r#"
    3:1 {"id":"a"}
    a.jsonl:1:1 error expected a case: an object in braces, found `h`
    a.jsonl:4:1 error expected a case: an object in braces, found `1`
    "#);
}

#[test]
fn a_file_without_a_case_is_an_error() {
    let texts = ["", " \n\t\r\n", "// nothing\n# here"];
    assert_snapshot!(texts.map(read).concat(), @r#"
    a.jsonl:1:1 error the file holds no case |  | write one JSON object per line, such as `{"id": "greeting", "input": "Hello", "assert": {"type": "contains", "value": "Hi"}}`
    a.jsonl:1:1 error the file holds no case |  | write one JSON object per line, such as `{"id": "greeting", "input": "Hello", "assert": {"type": "contains", "value": "Hi"}}`
    a.jsonl:1:1 error the file holds no case |  | write one JSON object per line, such as `{"id": "greeting", "input": "Hello", "assert": {"type": "contains", "value": "Hi"}}`
    "#);
}

#[test]
fn depth_and_size_have_limits() {
    let deep = |n: usize| format!("{{\"a\": {}{}}}", "[".repeat(n), "]".repeat(n));
    assert!(!read(&deep(127)).contains("error"));
    assert_snapshot!(mistakes(&[&deep(128), &"{\"a\":".repeat(100_000), &format!("{{\"a\": [{}0]}}", "0,".repeat(1_000_000))]), @"
    a.jsonl:1:134 error lists and maps stand more than 128 deep in one another «[»
    a.jsonl:1:641 error lists and maps stand more than 128 deep in one another «{»
    a.jsonl:1:2000008 error the file holds more than 1000000 values |  | spread the cases over several files «0»
    ");
}

#[test]
fn a_long_line_is_read_in_one_pass() {
    let items = vec!["\"ä\""; 300_000].join(",");
    assert!(!read(&format!("{{\"a\": [{items}]}}")).contains("error"));
}

#[test]
fn reports_are_told_from_cases() {
    let reports = [
        "{\"type\":\"start\",\"x\":1}",
        "// c\n{ \"type\" : \"start\"",
        "\u{feff}{\"type\":\"start\"}",
    ];
    assert!(reports.into_iter().all(is_report));
    let cases = [
        "",
        "{\"id\": \"start\"}",
        "{\"type\":\"started\"}",
        "[{\"type\":\"start\"}]",
        "{\"type\":\"result\"}",
    ];
    assert!(!cases.into_iter().any(is_report));
}

/// Returns the places of a node and of everything below it.
fn places(node: &Node) -> Vec<&Place> {
    let mut places = vec![&node.place];
    match &node.kind {
        Kind::Seq(items) => places.extend(items.iter().flat_map(self::places)),
        Kind::Map(entries) => {
            for entry in entries {
                places.push(&entry.key.place);
                places.extend(self::places(&entry.value));
            }
        }
        Kind::Scalar(_) | Kind::Broken => {}
    }
    places
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "(//|#|\\{|\\}|\"|\\\\|\n| )*".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            any_object(inner),
        ]
    })
}

fn any_object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    proptest::collection::btree_map(any::<String>(), inner, 0..5)
        .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_object_reads_back_the_same(first in any_object(any_value()), second in any_object(any_value())) {
        for text in [
            format!("{first}\n{second}\n"),
            format!("{first:#}\n{second:#}"),
            format!("// c\r\n{first}\r\n# d\r\n{second:#}\r\n").replace("\r\n\r\n", "\n"),
        ] {
            let mut found = Vec::new();
            let nodes = objects(&Arc::from("a.jsonl"), &text, &mut found);
            let values: Vec<_> = nodes.iter().filter_map(|node| json(node, &mut found)).collect();
            prop_assert_eq!(&found, &[]);
            prop_assert_eq!(&values, &[first.clone(), second.clone()]);
        }
    }

    #[test]
    fn any_text_ends_with_places_inside_it(text in "[{}\\[\\],:\"'a-c0-9\\\\u \n\r/#.ä😀-]{0,60}") {
        let mut found = Vec::new();
        let nodes = objects(&Arc::from("a.jsonl"), &text, &mut found);
        prop_assert!(!nodes.is_empty() || !found.is_empty());
        let places = nodes.iter().flat_map(places).chain(found.iter().filter_map(|d| d.place.as_ref()));
        for place in places {
            let (start, end) = (place.start as usize, place.end as usize);
            prop_assert!(text.get(start..end).is_some(), "{place:?}");
            let before = text.get(..start).unwrap_or_default().replace("\r\n", "\n");
            let mut lines = before.split(['\n', '\r']).rev();
            let column = lines.next().unwrap_or_default().chars().count() + 1;
            prop_assert_eq!((place.line as usize, place.column as usize), (lines.count() + 1, column), "{:?}", place);
        }
    }
}
