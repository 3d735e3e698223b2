//! Paths and look-ups, as text.

use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};
use serde_json::Value;

use super::{ArgPath, Leaf, RawJson};

fn look_up(path: &str, args: &str) -> String {
    let path = match ArgPath::parse(path) {
        Ok(path) => path,
        Err(error) => return format!("refused: {} at {}", error.message, error.position),
    };
    let Some(args) = RawJson::parse(args) else {
        return "not JSON".to_owned();
    };
    match path.look_up(args).map(RawJson::leaf) {
        None => "missing".to_owned(),
        Some(Leaf::Text(text)) => format!("text {text}"),
        Some(Leaf::Json(json)) => format!("json {json}"),
    }
}

const ARGS: &str = r#" {"user": {"name": "John Doe", "address": {"city" : "Paris"}, "0": "zero"}, "a.b": 1, "n": null,
    "items": [ {"id": 7}, [true, false], "x" ], "big": 12345678901234567890123.40, "e": "\u00e9\ud83d\ude00\n\"",
    "twice": 1, "twice": 2, "object": { "k" : "\u00e9 \" ,]}" , "l": [ ] }, "": "empty", "b]": 3, "caf\u00e9": 4} "#;

#[test]
fn paths_lead_to_values() {
    for (path, expected) in [
        ("user.name", "text John Doe"),
        ("user.address.city", "text Paris"),
        ("user.address", r#"json {"city":"Paris"}"#),
        ("user.0", "text zero"),
        ("user[0]", "missing"),
        ("items[0].id", "json 7"),
        ("items.0.id", "json 7"),
        ("items.00.id", "missing"),
        ("items[1][1]", "json false"),
        ("items.2", "text x"),
        ("items[\"2\"]", "missing"),
        ("items[3]", "missing"),
        ("items", r#"json [{"id":7},[true,false],"x"]"#),
        ("[\"a.b\"]", "json 1"),
        ("['a.b']", "json 1"),
        ("[\"b]\"]", "json 3"),
        ("[\"\"]", "text empty"),
        ("café", "json 4"),
        ("n", "json null"),
        ("e", "text é😀\n\""),
        ("object", r#"json {"k":"é \" ,]}","l":[]}"#),
        ("nothing", "missing"),
        ("user.name.length", "missing"),
        ("items.length", "missing"),
        ("user.constructor", "missing"),
        ("n.x", "missing"),
    ] {
        assert_eq!(look_up(path, ARGS), expected, "{path}");
    }
}

#[test]
fn huge_numbers_are_not_rounded() {
    assert_eq!(look_up("big", ARGS), "json 12345678901234567890123.40");
}

#[test]
fn the_last_of_two_equal_keys_counts() {
    assert_eq!(look_up("twice", ARGS), "json 2");
}

#[test]
fn odd_paths_are_refused() {
    for (path, expected) in [
        ("", "refused: a name is missing at 1"),
        (".", "refused: a name is missing at 1"),
        (".a", "refused: a name is missing at 1"),
        ("a.", "refused: a name is missing at 3"),
        ("a..b", "refused: a name is missing at 3"),
        ("$", "refused: `$` is not a name at 1"),
        ("$.a", "refused: `$` is not a name at 1"),
        ("a.*", "refused: `*` is not a name at 3"),
        ("a[*]", "refused: expected a number or a quoted key at 3"),
        ("a[-1]", "refused: expected a number or a quoted key at 3"),
        ("a[01]", "refused: expected a number or a quoted key at 5"),
        ("a[]", "refused: expected a number or a quoted key at 3"),
        ("a[0", "refused: the bracket is not closed at 4"),
        ("a[\"b", "refused: the quote is not closed at 5"),
        ("a[0]b", "refused: expected a dot or a bracket at 5"),
        ("a.[0]", "refused: a bracket follows the dot at 3"),
        ("a]", "refused: there is no bracket to close at 2"),
    ] {
        assert_eq!(look_up(path, ARGS), expected, "{path}");
    }
    assert_eq!(look_up("$filter", r#"{"$filter":1}"#), "json 1");
}

#[test]
fn arguments_that_are_not_objects_have_nothing_inside() {
    assert_eq!(look_up("a", ""), "not JSON");
    assert_eq!(look_up("a", "{\"a\":"), "not JSON");
    assert_eq!(look_up("a", "{} {}"), "not JSON");
    assert_eq!(look_up("a", "\"a\""), "missing");
    assert_eq!(look_up("[0]", "[5]"), "json 5");
    assert_eq!(look_up("a", "[]"), "missing");
}

#[test]
fn half_a_surrogate_pair_is_replaced() {
    let args = r#"{"a":"x\ud800y","\udc00":1,"b":["\ud800\ud83d\ude00"]}"#;
    assert_eq!(look_up("a", args), "text x\u{fffd}y");
    assert_eq!(look_up("b", args), "json [\"\u{fffd}😀\"]");
}

#[test]
fn depth_costs_no_stack() {
    let depth = 200_000;
    let args = format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(look_up("a[0][1]", &args), "missing");
    assert_eq!(look_up("a", &args).len(), "json ".len() + 2 * depth);
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[a-c\\\\\"\u{1}é]{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec(("[a-c]|\\PC{0,3}", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Goes through every path of `value`, in both spellings.
fn all_paths(prefix: &str, value: &Value, paths: &mut Vec<(String, Value)>) {
    let mut below: Vec<(String, &Value)> = Vec::new();
    match value {
        Value::Array(items) => {
            let numbered = items.iter().enumerate();
            below.extend(numbered.map(|(index, item)| (format!("{prefix}[{index}]"), item)));
        }
        Value::Object(members) => {
            below.extend(members.iter().map(|(key, item)| {
                let quoted = key.replace('\\', "\\\\").replace('"', "\\\"");
                (format!("{prefix}[\"{quoted}\"]"), item)
            }));
        }
        _ => {}
    }
    for (path, item) in below {
        all_paths(&path, item, paths);
        paths.push((path, item.clone()));
    }
}

proptest! {
    #[test]
    fn reading_a_path_never_panics(path in "\\PC*", args in any::<String>()) {
        look_up(&path, &args);
    }

    #[test]
    fn reading_a_likely_path_never_panics(path in "[a.\\[\\]0\"'\\\\$*]{0,12}", args in json()) {
        look_up(&path, &args.to_string());
    }

    #[test]
    fn look_ups_agree_with_parsed_json(value in json(), pretty in any::<bool>()) {
        let text = if pretty {
            serde_json::to_string_pretty(&value).unwrap()
        } else {
            value.to_string()
        };
        let mut paths = Vec::new();
        all_paths("", &value, &mut paths);
        for (path, item) in paths {
            let expected = match &item {
                Value::String(text) => format!("text {text}"),
                other => format!("json {other}"),
            };
            prop_assert_eq!(look_up(&path, &text), expected);
        }
    }
}
