//! `tools.require`, as text: filtering, counting, order, and what a failure explains.

use insta::assert_snapshot;

use crate::testing::{judge_test, judge_turn, require};

const SEARCHES: &str = r#"
    search({"query":"wether in Paris","limit":3}) -> {"status": "success"}
    search({"query":"news"}) -> {"status": "error"}
    search({"query":"weather"})
"#;

#[test]
fn one_call_is_enough_by_default() {
    assert_snapshot!(judge_turn(require("search"), SEARCHES), @"
    Passed tools.require search (event 1)
    expected at least 1 call of `search`
    actual 3 calls
    ");
}

#[test]
fn call_without_result_counts() {
    assert_snapshot!(judge_turn(require("search"), "search({})"), @"
    Passed tools.require search (event 1)
    expected at least 1 call of `search`
    actual 1 call
    ");
}

#[test]
fn calls_are_filtered_then_counted() {
    assert_snapshot!(judge_turn(require("search").arg("query", "weather"), SEARCHES), @"
    Passed tools.require search (event 3)
    expected at least 1 call of `search` with query matching /weather/
    actual 1 of 3 calls
    ");
    assert_snapshot!(judge_turn(require("search").arg("query", "weather").count(2, None), SEARCHES), @r#"
    Failed tools.require search (event 1)
    expected at least 2 calls of `search` with query matching /weather/
    actual 1 of 3 calls
    - closest call: event 1: search({"query":"wether in Paris","limit":3})
    - query: "wether in Paris" does not match /weather/
    "#);
}

#[test]
fn nearest_miss_fails_the_fewest_conditions() {
    let check = require("search")
        .arg("query", "^weather")
        .arg("limit", "^3$")
        .result("success");
    assert_snapshot!(judge_turn(check, SEARCHES), @r#"
    Failed tools.require search (event 1)
    expected at least 1 call of `search` with query matching /^weather/ and limit matching /^3$/ and result matching /success/
    actual 0 of 3 calls
    - closest call: event 1: search({"query":"wether in Paris","limit":3})
    - query: "wether in Paris" does not match /^weather/
    "#);
}

#[test]
fn tool_that_was_never_called_is_explained() {
    assert_snapshot!(judge_turn(require("serach"), SEARCHES), @"
    Failed tools.require serach
    expected at least 1 call of `serach`
    actual no call
    - did you mean `search`?
    - called instead: search (3 times)
    ");
    assert_snapshot!(judge_turn(require("pay"), "search({})"), @"
    Failed tools.require pay
    expected at least 1 call of `pay`
    actual no call
    - called instead: search
    ");
    assert_snapshot!(judge_turn(require("pay"), ""), @"
    Failed tools.require pay
    expected at least 1 call of `pay`
    actual no call
    - no tool was called
    ");
}

#[test]
fn count_exact_zero_passes_without_calls() {
    assert_snapshot!(judge_turn(require("pay").count(0, Some(0)), SEARCHES), @"
    Passed tools.require pay
    expected exactly 0 calls of `pay`
    actual no call
    ");
    assert_snapshot!(judge_turn(require("search").count(0, Some(0)).arg("query", "maps"), SEARCHES), @"
    Passed tools.require search
    expected exactly 0 calls of `search` with query matching /maps/
    actual 0 of 3 calls
    ");
}

#[test]
fn too_many_calls_are_listed() {
    assert_snapshot!(judge_turn(require("search").count(1, Some(1)), SEARCHES), @r#"
    Failed tools.require search (event 1)
    expected exactly 1 call of `search`
    actual 3 calls
    - event 1: search({"query":"wether in Paris","limit":3})
    - event 2: search({"query":"news"})
    - event 3: search({"query":"weather"})
    "#);
    assert_snapshot!(judge_turn(require("search").count(0, Some(0)).arg("query", "news"), SEARCHES), @r#"
    Failed tools.require search (event 2)
    expected exactly 0 calls of `search` with query matching /news/
    actual 1 of 3 calls
    - event 2: search({"query":"news"})
    "#);
}

#[test]
fn count_range_is_inclusive() {
    assert_snapshot!(judge_turn(require("search").count(1, Some(3)), SEARCHES), @"
    Passed tools.require search (event 1)
    expected 1 to 3 calls of `search`
    actual 3 calls
    ");
    assert_snapshot!(judge_turn(require("search").count(4, Some(5)), SEARCHES), @r#"
    Failed tools.require search
    expected 4 to 5 calls of `search`
    actual 3 calls
    - event 1: search({"query":"wether in Paris","limit":3})
    - event 2: search({"query":"news"})
    - event 3: search({"query":"weather"})
    "#);
}

#[test]
fn result_match_fails_on_a_call_without_result() {
    let check = require("search").arg("query", "^weather").result(".");
    assert_snapshot!(judge_turn(check, SEARCHES), @r#"
    Failed tools.require search (event 3)
    expected at least 1 call of `search` with query matching /^weather/ and result matching /./
    actual 0 of 3 calls
    - closest call: event 3: search({"query":"weather"})
    - there is no result
    "#);
}

#[test]
fn result_not_match_passes_on_a_call_without_result() {
    let check = require("search").arg("query", "^weather").result_not(".");
    assert_snapshot!(judge_turn(check, SEARCHES), @"
    Passed tools.require search (event 3)
    expected at least 1 call of `search` with query matching /^weather/ and result not matching /./
    actual 1 of 3 calls
    ");
}

#[test]
fn result_not_match_is_explained_as_a_filter() {
    let check = require("search").result_not("success").count(3, None);
    assert_snapshot!(judge_turn(check, SEARCHES), @r#"
    Failed tools.require search (event 1)
    expected at least 3 calls of `search` with result not matching /success/
    actual 2 of 3 calls
    - closest call: event 1: search({"query":"wether in Paris","limit":3})
    - result: {"status":"success"} matches /success/
    - result_not_match leaves calls out of the count; to fail on any such call use tools.forbid_calls with result_match
    "#);
}

#[test]
fn results_are_compact_json_or_the_string_itself() {
    let status = require("a").result(r#"^\{"status":"ok"\}$"#);
    assert_snapshot!(judge_turn(status, r#"a({}) -> { "status" : "ok" }"#), @r#"
    Passed tools.require a (event 1)
    expected at least 1 call of `a` with result matching /^\{"status":"ok"\}$/
    actual 1 of 1 call
    "#);
    assert_snapshot!(judge_turn(require("a").result("^done$"), r#"a({}) -> "done""#), @"
    Passed tools.require a (event 1)
    expected at least 1 call of `a` with result matching /^done$/
    actual 1 of 1 call
    ");
    assert_snapshot!(judge_turn(require("a").result("^not json {$"), "a({}) -> not json {"), @"
    Passed tools.require a (event 1)
    expected at least 1 call of `a` with result matching /^not json {$/
    actual 1 of 1 call
    ");
}

#[test]
fn arg_that_is_missing_does_not_match() {
    assert_snapshot!(judge_turn(require("search").arg("qeury", "."), SEARCHES), @r#"
    Failed tools.require search (event 1)
    expected at least 1 call of `search` with qeury matching /./
    actual 0 of 3 calls
    - closest call: event 1: search({"query":"wether in Paris","limit":3})
    - qeury is missing; did you mean `query`?
    "#);
    assert_snapshot!(judge_turn(require("search").arg("page", "."), SEARCHES), @r#"
    Failed tools.require search (event 1)
    expected at least 1 call of `search` with page matching /./
    actual 0 of 3 calls
    - closest call: event 1: search({"query":"wether in Paris","limit":3})
    - page is missing; the arguments are: query, limit
    "#);
    assert_snapshot!(judge_turn(require("search").arg("query.text", "."), SEARCHES), @r#"
    Failed tools.require search (event 1)
    expected at least 1 call of `search` with query.text matching /./
    actual 0 of 3 calls
    - closest call: event 1: search({"query":"wether in Paris","limit":3})
    - query.text is missing
    "#);
    assert_snapshot!(judge_turn(require("search").arg("page", "."), "search({})"), @"
    Failed tools.require search (event 1)
    expected at least 1 call of `search` with page matching /./
    actual 0 of 1 call
    - closest call: event 1: search({})
    - page is missing; there are no arguments
    ");
}

#[test]
fn arg_that_is_missing_under_args_not_match_is_kept() {
    let check = require("search").arg_not("limit", ".").count(2, Some(2));
    assert_snapshot!(judge_turn(check, SEARCHES), @"
    Passed tools.require search (event 2)
    expected exactly 2 calls of `search` with limit not matching /./
    actual 2 of 3 calls
    ");
}

#[test]
fn arg_that_must_not_match_is_explained() {
    let check = require("search").arg_not("query", "e").count(3, None);
    assert_snapshot!(judge_turn(check, SEARCHES), @r#"
    Failed tools.require search (event 1)
    expected at least 3 calls of `search` with query not matching /e/
    actual 0 of 3 calls
    - closest call: event 1: search({"query":"wether in Paris","limit":3})
    - query: "wether in Paris" matches /e/
    "#);
}

#[test]
fn scalars_are_compared_as_json() {
    let turn = r#"set({"n":null,"b":true,"i":10,"f":1.50,"list":[1, 2],"own":[1,2]})"#;
    for (path, pattern) in [
        ("n", "^null$"),
        ("b", "^true$"),
        ("i", "^10$"),
        ("f", "^1\\.50$"),
        ("list", r"^\[1,2\]$"),
        ("list.1", "^2$"),
        ("list[0]", "^1$"),
    ] {
        let result = judge_turn(require("set").arg(path, pattern), turn);
        assert!(result.starts_with("Passed"), "{path} {pattern}: {result}");
    }
    let length = judge_turn(require("set").arg("own.length", "2"), turn);
    assert!(length.starts_with("Failed"), "{length}");
}

#[test]
fn arguments_that_are_not_json_are_told() {
    assert_snapshot!(judge_turn(require("search").arg("query", "."), r#"search({"query":)"#), @r#"
    Failed tools.require search (event 1)
    expected at least 1 call of `search` with query matching /./
    actual 0 of 1 call
    - closest call: event 1: search({"query":)
    - query is missing: the arguments are not JSON (EOF while parsing a value at line 1 column 9)
    "#);
}

#[test]
fn after_needs_an_earlier_call() {
    let turn = "
        pay({})
        login({})
        pay({})
    ";
    assert_snapshot!(judge_turn(require("pay").after("login"), turn), @"
    Failed tools.require pay (event 1)
    expected at least 1 call of `pay`, after a call of `login`
    actual no call of `login` before event 1: pay({})
    - the first call of `login` is event 2: login({})
    ");
    assert_snapshot!(judge_turn(require("login").after("pay"), turn), @"
    Passed tools.require login (event 2)
    expected at least 1 call of `login`, after a call of `pay`
    actual 1 call
    ");
    assert_snapshot!(judge_turn(require("pay").after("logout"), turn), @"
    Failed tools.require pay (event 1)
    expected at least 1 call of `pay`, after a call of `logout`
    actual no call of `logout` before event 1: pay({})
    - called instead: login, pay (2 times)
    ");
}

#[test]
fn after_looks_at_the_counted_calls_only() {
    let turn = r#"
        pay({"test":true})
        login({})
        pay({"test":false})
    "#;
    assert_snapshot!(judge_turn(require("pay").arg("test", "false").after("login"), turn), @"
    Passed tools.require pay (event 3)
    expected at least 1 call of `pay` with test matching /false/, after a call of `login`
    actual 1 of 2 calls
    ");
}

#[test]
fn after_itself_needs_two_calls() {
    assert_snapshot!(judge_turn(require("pay").after("pay"), "pay({})"), @"
    Failed tools.require pay (event 1)
    expected at least 1 call of `pay`, after a call of `pay`
    actual no call of `pay` before event 1: pay({})
    - an earlier call of `pay` itself is demanded
    ");
    let second = require("pay").arg("n", "2").after("pay");
    assert_snapshot!(judge_turn(second, "pay({\"n\":1})\npay({\"n\":2})"), @"
    Passed tools.require pay (event 2)
    expected at least 1 call of `pay` with n matching /2/, after a call of `pay`
    actual 1 of 2 calls
    ");
}

#[test]
fn after_holds_where_nothing_is_demanded() {
    assert_snapshot!(judge_turn(require("pay").count(0, Some(1)).after("login"), ""), @"
    Passed tools.require pay
    expected at most 1 call of `pay`, after a call of `login`
    actual no call
    ");
}

#[test]
fn after_sees_a_call_without_result() {
    assert_snapshot!(judge_turn(require("pay").after("login"), "login({})\npay({})"), @"
    Passed tools.require pay (event 2)
    expected at least 1 call of `pay`, after a call of `login`
    actual 1 call
    ");
}

#[test]
fn count_and_order_are_told_together() {
    assert_snapshot!(judge_turn(require("pay").after("login").count(2, None), "pay({})\nlogin({})"), @"
    Failed tools.require pay
    expected at least 2 calls of `pay`, after a call of `login`
    actual 1 call
    - event 1: pay({})
    - no call of `login` before event 1: pay({})
    ");
}

#[test]
fn calls_of_all_turns_are_counted() {
    let test = "
        turn
        login({})
        turn
        pay({})
        pay({})
    ";
    assert_snapshot!(judge_test(require("pay").count(1, Some(1)).after("login"), test), @"
    Failed tools.require pay (event 1)
    expected exactly 1 call of `pay`, after a call of `login`
    actual 2 calls
    - turn 2, event 1: pay({})
    - turn 2, event 2: pay({})
    ");
    assert_snapshot!(judge_test(require("pay").after("login"), test), @"
    Passed tools.require pay (event 1)
    expected at least 1 call of `pay`, after a call of `login`
    actual 2 calls
    ");
}

#[test]
fn call_that_a_later_turn_shows_again_counts_once() {
    let test = r#"
        turn
        #c1 pay({"n":1})
        turn
        restreamed #c1 pay({"n":1}) -> paid
        #c2 pay({"n":2}) -> paid
    "#;
    assert_snapshot!(judge_test(require("pay").count(2, Some(2)).result("^paid$"), test), @"
    Passed tools.require pay (event 1)
    expected exactly 2 calls of `pay` with result matching /^paid$/
    actual 2 of 2 calls
    ");
}

#[test]
fn call_that_is_shown_again_is_not_new_in_its_turn() {
    assert_snapshot!(judge_turn(require("pay"), "restreamed pay({})"), @"
    Failed tools.require pay
    expected at least 1 call of `pay`
    actual no call
    - event 1: pay({}) (shown again)
    ");
    assert_snapshot!(judge_turn(require("pay"), "connect\nrestreamed pay({})"), @"
    Passed tools.require pay (event 1)
    expected at least 1 call of `pay`
    actual 1 call
    ");
}

#[test]
fn equal_ids_that_are_not_shown_again_are_two_calls() {
    let test = "
        turn
        #c1 pay({})
        turn
        #c1 pay({})
    ";
    assert_snapshot!(judge_test(require("pay").count(2, Some(2)), test), @"
    Passed tools.require pay (event 1)
    expected exactly 2 calls of `pay`
    actual 2 calls
    ");
}

#[test]
fn late_results_complete_earlier_calls() {
    let test = "
        turn
        #c1 ask({})
        turn
        late c1 -> yes
    ";
    assert_snapshot!(judge_test(require("ask").result("yes"), test), @"
    Passed tools.require ask (event 1)
    expected at least 1 call of `ask` with result matching /yes/
    actual 1 of 1 call
    ");
}

#[test]
fn a_search_that_is_given_up_is_never_a_pass() {
    let turn = format!(r#"search({{"query":"{}!"}})"#, "a".repeat(40));
    let check = require("search")
        .arg("query", "^(?:a+|(?!x)a)+(?=b)")
        .count(0, Some(0));
    assert_snapshot!(judge_turn(check, &turn), @"
    Failed tools.require search (event 1)
    expected exactly 0 calls of `search` with query matching /^(?:a+|(?!x)a)+(?=b)/
    actual the pattern took too many steps
    - /^(?:a+|(?!x)a)+(?=b)/ needs backtracking on this text; write it without look-around, back-references or nested repetitions
    ");
}

#[test]
fn references_are_resolved_in_names_paths_and_patterns() {
    let check = require("order_${ORDER}").arg("${KEY}", "^${DOTS}$");
    assert_snapshot!(judge_turn(check, r#"order_42({"query":"abc"})"#), @r#"
    Failed tools.require order_42 (event 1)
    expected at least 1 call of `order_42` with query matching /^a\.c$/
    actual 0 of 1 call
    - closest call: event 1: order_42({"query":"abc"})
    - query: "abc" does not match /^a\.c$/
    "#);
}

#[test]
fn every_mistake_is_reported() {
    let check = require("${A}")
        .arg("a..b", "(")
        .arg_not("${KEY}", "${B}${C}")
        .result("/x/q")
        .result_not("")
        .after("${D}");
    assert_snapshot!(judge_turn(check, ""), @"
    undefined variable `A`: 
    `a..b` is not an argument path: a name is missing at character 3
    `(` is not a pattern: the group is not closed at character 1
    undefined variables `B`, `C`: 
    `/x/q` is not a pattern: unknown flag `q` at character 4
    the pattern is empty: 
    undefined variable `D`:
    ");
}
