use ananke_model::check::{
    ArgPattern, CallFilter, Check, Count, Level, OutputCheck, OutputCheckKind, Require,
};
use ananke_model::place::Json;
use ananke_model::plan::Plan;
use ananke_model::variables::Variables;
use insta::assert_snapshot;
use serde_json::json;

use super::{dry_run_listing, effective_demands, list_json, list_text, resolved_plan};
use crate::samples::{ascii, demand, place, plain, plan, planned, planned_case, text};

fn shop() -> Plan {
    let arg = |path: &str, pattern: &str| ArgPattern {
        path: text(path),
        pattern: text(pattern),
    };
    let filter = CallFilter {
        name: text("search"),
        args_match: vec![arg("q", "/shoe/i"), arg("limit", "10")],
        args_not_match: vec![arg("page", "0")],
        result_match: Some(text("ok")),
        result_not_match: None,
    };
    let require = Check::Require(Require {
        filter: filter.clone(),
        count: Count::default(),
        after: Some(text("login")),
    });
    let turn = vec![
        demand(require, Level::Turn, None),
        demand(Check::Forbid(text("delete")), Level::Target, None),
        demand(Check::ForbidCall(filter), Level::Test, Some("safe")),
    ];
    let test = vec![
        demand(Check::MustMatch(text("/th\x1banks/")), Level::Test, None),
        demand(Check::MaxIdle(500), Level::Test, None),
        demand(Check::ProtocolStrict, Level::Test, None),
    ];
    let mut wide = planned("größe", Vec::new(), Vec::new());
    wide.tags = vec!["slow".to_owned(), "世界".to_owned()];
    wide.target.name = Some("staging".to_owned());
    let mut skipped = planned("c", Vec::new(), Vec::new());
    skipped.skip = Some(text("waits for #12"));
    plan(vec![planned("a", turn, test), wide, skipped])
}

#[test]
fn list_is_an_aligned_table() {
    assert_snapshot!(list_text(&shop(), &plain()), @"
    ID                     NAME         TAGS        TARGET                      SKIPPED
    tests/a.test.yaml      a works                  http://localhost:8000/agui
    tests/größe.test.yaml  größe works  slow, 世界  staging
    tests/c.test.yaml      c works                  http://localhost:8000/agui  waits for #12
    ");
    assert_snapshot!(list_text(&plan(vec![planned("a", vec![], vec![])]), &plain()), @"
    ID                 NAME     TARGET
    tests/a.test.yaml  a works  http://localhost:8000/agui
    ");
    assert_eq!(list_text(&Plan::default(), &plain()), "");
}

#[test]
fn list_as_json() {
    let document = serde_json::to_string_pretty(&list_json(&shop())).unwrap();
    assert_snapshot!(document, @r#"
    {
      "schema": "ananke.list/1",
      "config_file": "ananke.config.yaml",
      "total": 3,
      "tests": [
        {
          "id": "tests/a.test.yaml",
          "name": "a works",
          "file": "tests/a.test.yaml",
          "tags": [],
          "target": "http://localhost:8000/agui",
          "turns": 2,
          "checks": 6
        },
        {
          "id": "tests/größe.test.yaml",
          "name": "größe works",
          "file": "tests/größe.test.yaml",
          "tags": [
            "slow",
            "世界"
          ],
          "target": "staging",
          "turns": 2,
          "checks": 0
        },
        {
          "id": "tests/c.test.yaml",
          "name": "c works",
          "file": "tests/c.test.yaml",
          "tags": [],
          "target": "http://localhost:8000/agui",
          "skip": "waits for #12",
          "turns": 2,
          "checks": 0
        }
      ]
    }
    "#);
}

#[test]
fn dry_run_says_that_nothing_was_run() {
    assert_snapshot!(dry_run_listing(&shop(), &plain()), @"
    ○ [tests/a.test.yaml] a works (2 turns, 6 checks)
    ○ [tests/größe.test.yaml] größe works (2 turns, 0 checks)
    ○ [tests/c.test.yaml] c works SKIPPED: waits for #12

    2 tests with 4 turns and 6 checks, 1 skipped; nothing was run
    ");
    assert_snapshot!(dry_run_listing(&Plan::default(), &ascii()), @"

    0 tests with 0 turns and 0 checks; nothing was run
    ");
}

#[test]
fn demands_name_level_and_place() {
    assert_snapshot!(effective_demands(&shop(), &plain()), @r"
    [tests/a.test.yaml] a works
      turn 1
        tools.require search: at least 1 call, q matches /shoe/i, limit matches 10, page does not match 0, result matches ok, after login  (turn level, tests/a.test.yaml:7:5)
        tools.forbid delete  (target level, tests/a.test.yaml:7:5)
        tools.forbid_calls search: q matches /shoe/i, limit matches 10, page does not match 0, result matches ok  (test level, through `safe`, tests/a.test.yaml:7:5)
      turn 2: no `assert`, not judged
      test
        text.must_match /th\u{1b}anks/  (test level, tests/a.test.yaml:7:5)
        timing.max_idle_ms 500  (test level, tests/a.test.yaml:7:5)
        protocol strict  (test level, tests/a.test.yaml:7:5)

    [tests/größe.test.yaml] größe works
      turn 1: nothing is demanded
      turn 2: no `assert`, not judged
      test: nothing is demanded

    [tests/c.test.yaml] c works
      turn 1: nothing is demanded
      turn 2: no `assert`, not judged
      test: nothing is demanded
    ");
}

/// Returns two cases, one with a name, and a test beside them.
fn cases() -> Plan {
    let value = Json {
        value: json!("hat"),
        place: place(1, 1),
    };
    let check = OutputCheck {
        kind: OutputCheckKind::Contains(value.clone()),
        path: Some(text("$.items[0]")),
        negate: true,
        message: Some(text("no hats")),
        value: Some(value),
    };
    let check = Check::Output(Box::new(check));
    let demands = vec![demand(check, Level::Test, None)];
    let mut skipped = planned_case("T003", "", Vec::new());
    skipped.skip = Some(text("waits for #12"));
    plan(vec![
        planned_case("T001", "T001", demands),
        planned_case("T002", "Finds shoes", Vec::new()),
        skipped,
        planned("a", Vec::new(), Vec::new()),
    ])
}

#[test]
fn cases_are_listed_by_what_they_ask() {
    assert_snapshot!(list_text(&cases(), &plain()), @"
    ID                 NAME                                                 FILE              TARGET                      SKIPPED
    T001               Find shoes for Ada, who wants red ones with laces …  tests/shop.jsonl  http://localhost:8000/agui
    T002               Finds shoes                                          tests/shop.jsonl  http://localhost:8000/agui
    T003               Find shoes for Ada, who wants red ones with laces …  tests/shop.jsonl  http://localhost:8000/agui  waits for #12
    tests/a.test.yaml  a works                                                                http://localhost:8000/agui
    ");
    assert_snapshot!(dry_run_listing(&cases(), &plain()), @"
    ○ [T001] Find shoes for Ada, who wants red ones with laces … (1 message, 1 check)
    ○ [T002] Finds shoes (1 message, 0 checks)
    ○ [T003] Find shoes for Ada, who wants red ones with laces … SKIPPED: waits for #12
    ○ [tests/a.test.yaml] a works (2 turns, 0 checks)

    3 tests with 4 turns and 1 check, 1 skipped; nothing was run
    ");
    assert_snapshot!(dry_run_listing(&cases(), &ascii()).lines().next().unwrap(), @"  o [T001] Find shoes for Ada, who wants red ones with laces ... (1 message, 1 check)");
    assert_snapshot!(list_json(&cases())["tests"][0], @r#"{"id":"T001","test_id":"tests/shop.jsonl#T001","name":"T001","file":"tests/shop.jsonl","input":"Find shoes\n  for  Ada, who wants red ones with laces in size 42","tags":[],"target":"http://localhost:8000/agui","messages_count":1,"turns":1,"checks":1}"#);
}

#[test]
fn demands_of_cases_have_no_turns() {
    assert_snapshot!(effective_demands(&cases(), &plain()), @r#"
    [T001] Find shoes for Ada, who wants red ones with laces …
      1 message
        not contains "hat" at $.items[0], said as "no hats"  (test level, tests/a.test.yaml:7:5)

    [T002] Finds shoes
      1 message: nothing is demanded

    [T003] Find shoes for Ada, who wants red ones with laces …
      1 message: nothing is demanded

    [tests/a.test.yaml] a works
      turn 1: nothing is demanded
      turn 2: no `assert`, not judged
      test: nothing is demanded
    "#);
}

#[test]
fn a_resolved_case_has_its_messages() {
    let plan = cases();
    let variables = Variables::default();
    let resolved = serde_json::to_value(resolved_plan(&plan, &variables)).unwrap();
    assert_snapshot!(serde_json::to_string_pretty(&resolved["tests"][0]).unwrap(), @r#"
    {
      "id": "tests/shop.jsonl#T001",
      "name": "T001",
      "case": {
        "id": "T001",
        "identity": {
          "user_id": "test-user",
          "team_id": "test-team",
          "locale": "en-us",
          "client_type": "test",
          "client_ip": "127.0.0.1",
          "referer": "test",
          "accept": "standard"
        }
      },
      "target": {
        "name": "http://localhost:8000/agui",
        "endpoint": "http://localhost:8000/agui",
        "timeout_ms": 120000
      },
      "turns": [
        {
          "kind": "messages",
          "messages": [
            {
              "role": "user",
              "content": "Find shoes\n  for  Ada, who wants red ones with laces in size 42"
            }
          ]
        }
      ],
      "demands": [
        "not contains \"hat\" at $.items[0], said as \"no hats\" (test level)"
      ]
    }
    "#);
}
