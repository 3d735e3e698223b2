//! Cases as they are planned: limits, what is known of them, and what they must check.

use std::fmt::Write as _;

use insta::assert_snapshot;

use crate::testing::{CONFIG, Suite, problems};

const CHECKED: &str = "\"assert\": {\"type\": \"contains\", \"value\": \"x\"}";

/// Loads one case with these keys.
fn suite(target: &str, keys: &str) -> Suite {
    Suite::new(&[
        ("ananke.config.yaml", &format!("{CONFIG}{target}")),
        (
            "tests/a.jsonl",
            &format!("{{\"id\": \"a\", \"input\": \"hi\", {keys}}}\n"),
        ),
    ])
}

/// Returns the limit of the test and that of its turn.
fn limits(target: &str, keys: &str) -> String {
    let loaded = suite(target, &format!("{CHECKED}{keys}")).load();
    let test = &loaded.plan.tests[0];
    let turn = test.turns[0].timeout_ms;
    let is_unlimited = turn == Some(u64::from(i32::MAX.unsigned_abs()));
    let turn = match is_unlimited {
        true => "none".to_owned(),
        false => format!("{turn:?}"),
    };
    format!("{:?} {turn}{}", test.timeout_ms, problems(&loaded))
}

#[test]
fn a_case_has_one_limit() {
    assert_snapshot!(limits("", ""), @"None none");
    assert_snapshot!(limits("", ", \"timeout\": \"30s\""), @"Some(30000) none");
    assert_snapshot!(limits("  timeout_ms: 5000\n", ""), @"None None");
    assert_snapshot!(limits("  timeout_ms: 5000\n", ", \"timeout\": \"1m\""), @"Some(60000) none");
}

#[test]
fn a_case_must_check_something_and_a_message_need_not() {
    let unchecked = "\"name\": \"n\"";
    assert_snapshot!(problems(&suite("", unchecked).load()), @r#"tests/a.jsonl:1:8 error the case `a` has nothing to check | no `assert`, `assertions` or `expected` demands anything | write `"assert": {"type": "contains", "value": "…"}`, or pass `--allow-unchecked`"#);
    let strict = "  assert: {protocol: strict}\n";
    assert_snapshot!(problems(&suite(strict, unchecked).load()), @"");
    let mut allowed = suite("", unchecked);
    allowed.allow_unchecked = true;
    assert_snapshot!(problems(&allowed.load()), @"");
    assert_snapshot!(problems(&allowed.load_in("", &["hello there"])), @"");
}

#[test]
fn what_is_known_of_a_case_is_kept() {
    let keys = format!(
        "{CHECKED}, \"name\": \"n\", \"tags\": [\"fast\"], \"skip\": \"later\", \"expected\": {{\"k\": 1}}, \"user\": \"me\", \"metadata\": {{\"m\": 1}}, \"options\": {{\"metadata\": {{}}}}"
    );
    let loaded = suite("", &keys).load();
    let test = &loaded.plan.tests[0];
    assert_eq!(test.short_id(), "a");
    let skip = test.skip.as_ref().map(|skip| &skip.text);
    assert_snapshot!(format!("{} {} {:?} {skip:?}{}", test.id, test.name.text, test.tags, problems(&loaded)), @r#"tests/a.jsonl#a n ["fast"] Some("later")tests/a.jsonl:1:134 warning `expected` is only shown: what `assert` says is checked instead |  | leave it out, or write it as `{"type": "equals", "value": …}`"#);
    let case = serde_json::to_string(&**test.case.as_ref().unwrap()).unwrap();
    assert_snapshot!(case, @r#"{"id":"a","kind":"input","input":"hi","n_messages":1,"expected":{"k":1},"metadata":{"m":1},"options":{"metadata":{}},"identity":{"user_id":"me","team_id":"test-team","locale":"en-us","client_type":"test","client_ip":"127.0.0.1","referer":"test","accept":"standard"},"place":{"file":"tests/a.jsonl","line":1,"column":1,"start":0,"end":207}}"#);
}

#[test]
fn names_of_cases_may_be_the_same_and_snapshots_are_their_own() {
    let mut file = String::new();
    for id in ["a", "b/c"] {
        let line = "\"name\": \"same\", \"input\": \"hi\", \"assert\": [{\"snapshot\": \"s\"}]";
        writeln!(file, "{{\"id\": \"{id}\", {line}}}").unwrap();
    }
    let suite = Suite::new(&[("ananke.config.yaml", CONFIG), ("tests/a.jsonl", &file)]);
    let loaded = suite.load();
    let paths = loaded.plan.tests.iter().map(|test| {
        let check = &test.block.demands[0].check;
        match check {
            ananke_model::check::Check::Snapshot(snapshot) => snapshot.path.clone(),
            other => format!("{other:?}"),
        }
    });
    let paths: Vec<_> = paths.collect();
    assert_snapshot!(format!("{paths:?}{}", problems(&loaded)), @r#"["tests/__snapshots__/a.a.s.snap", "tests/__snapshots__/a.b-c.s.snap"]"#);
}
