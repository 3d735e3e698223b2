use ananke_model::recording::{EventLog, TroubleKind};
use ananke_model::result::{TestResult, TestStatus};
use insta::assert_snapshot;

use super::stability;
use crate::samples::{broken, call, case, judged, message, mostly_stable, repeated, stable, turn};

/// Returns every number in one line, and the first difference in another.
fn described(result: &TestResult) -> String {
    let Some(stability) = stability(result) else {
        return "not repeated".to_owned();
    };
    let difference = match &stability.first_difference {
        Some(difference) => difference.text.as_str(),
        None => "no difference",
    };
    format!(
        "{} of {}, {} % ({} to {}), {}, consistency {}, pass^k {:?}, {}..{} us, avg {}, deviation {:.1}\n{difference}",
        stability.passed,
        stability.runs,
        stability.pass_rate,
        stability.wilson.low,
        stability.wilson.high,
        stability.class.words(),
        stability.consistency,
        stability.pass_k,
        stability.min_us,
        stability.max_us,
        stability.avg_us,
        stability.std_deviation_us,
    )
}

/// Returns where runs part that did what `acts` says, one text for each run.
///
/// A text is a list of `call name args`, `result value`, `say text` and `fail`; the last makes the run fail.
fn parting(runs: &[&str]) -> String {
    let result = repeated(runs.iter().map(|acts| run(acts)).collect());
    let stability = stability(&result).unwrap();
    stability
        .first_difference
        .map_or_else(|| "no difference".to_owned(), |difference| difference.text)
}

fn run(acts: &str) -> TestResult {
    let mut result = case("T001", TestStatus::Passed, "");
    let turn = &mut result.turns[0].turn;
    turn.events = EventLog::default();
    let mut push = |event: serde_json::Value| turn.events.push(event.to_string().as_bytes(), 0);
    push(serde_json::json!({"type": "RUN_STARTED"}));
    let mut at = 1;
    for (number, act) in acts.split("; ").filter(|act| !act.is_empty()).enumerate() {
        let (kind, rest) = act.split_once(' ').unwrap_or((act, ""));
        match kind {
            "call" => {
                let (name, args) = rest.split_once(' ').unwrap_or((rest, "{}"));
                let mut call = call(name, args, None);
                call.id = format!("call-{number}");
                call.event = at;
                push(serde_json::json!({"type": "TOOL_CALL_START", "toolCallId": call.id}));
                turn.tool_calls.push(call);
            }
            "result" => {
                let call = turn.tool_calls.last_mut().unwrap();
                call.result = Some(rest.to_owned());
                push(serde_json::json!({"type": "TOOL_CALL_RESULT", "toolCallId": call.id}));
            }
            "say" => {
                let id = format!("m-{number}");
                push(
                    serde_json::json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": rest}),
                );
                turn.text.push_str(rest);
            }
            "fail" => {
                result.status = TestStatus::Failed;
                continue;
            }
            _ => panic!("{act}"),
        }
        at += 1;
    }
    result
}

#[test]
fn a_test_that_was_run_once_has_no_stability() {
    assert_eq!(
        described(&case("T001", TestStatus::Passed, "Hi")),
        "not repeated"
    );
    assert_eq!(described(&message("Hi", "Yo")), "not repeated");
}

#[test]
fn a_stable_test() {
    assert_snapshot!(described(&stable("T001")), @"
    3 of 3, 100 % (43.8 to 100), Stable, consistency 1, pass^k [1.0, 1.0, 1.0], 1234567..1234567 us, avg 1234567, deviation 0.0
    no difference
    ");
}

#[test]
fn a_mostly_stable_test() {
    assert_snapshot!(described(&mostly_stable("T001")), @"
    4 of 5, 80 % (37.5 to 96.4), Mostly Stable, consistency 0.8, pass^k [0.8, 0.6, 0.4, 0.2, 0.0], 800000..1900000 us, avg 1100000, deviation 406201.9
    run 3 called `refund` where run 1 called `search` (event 1 / event 1)
    ");
}

#[test]
fn classes_go_by_exact_fractions() {
    let class = |passed: usize, runs: usize| {
        let status = |index| {
            if index < passed {
                TestStatus::Passed
            } else {
                TestStatus::Failed
            }
        };
        let runs = (0..runs).map(|index| case("T001", status(index), "Hi"));
        let result = repeated(runs.collect());
        stability(&result).unwrap().class.words()
    };
    let classes = [
        class(3, 3),
        class(199, 200),
        class(4, 5),
        class(79, 100),
        class(1, 2),
        class(49, 100),
        class(0, 3),
    ];
    assert_eq!(
        classes,
        [
            "Stable",
            "Mostly Stable",
            "Mostly Stable",
            "Unstable",
            "Unstable",
            "Highly Unstable",
            "Highly Unstable"
        ]
    );
}

#[test]
fn runs_that_were_not_carried_out_say_nothing() {
    let skipped = case("T001", TestStatus::Skipped, "");
    let passed = case("T001", TestStatus::Passed, "Hi");
    let result = repeated(vec![passed, skipped.clone()]);
    let stability = stability(&result).unwrap();
    assert_eq!((stability.runs, stability.pass_rate), (1, 100.0));
    assert_eq!(described(&repeated(vec![skipped])), "not repeated");
}

#[test]
fn consistency_sees_through_spelling() {
    let consistency = |runs: &[&str]| {
        let result = repeated(runs.iter().map(|acts| run(acts)).collect());
        stability(&result).unwrap().consistency
    };
    // White space, upper case, the order of keys, the spelling of numbers, ids of the provider.
    assert_eq!(
        consistency(&["say Große  Schuhe", "say  GROSSE\tSCHUHE "]),
        1.0
    );
    assert_eq!(
        consistency(&[r#"say {"a": 1, "b": [2]}"#, r#"say {"b":[2.0],"a":1}"#]),
        1.0
    );
    assert_eq!(
        consistency(&[r#"call s {"q":1,"n":2}"#, r#"call s {"n":2.0,"q":1}"#]),
        1.0
    );
    let order = |id: &str| format!("say Your order is {id}");
    let orders = [
        order("f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
        order("0b2d7c1e-9f0a-4c55-8d7e-1d2f3a4b5c6d"),
    ];
    assert_eq!(consistency(&[&orders[0], &orders[1]]), 1.0);
    // Other words, other arguments, another order of calls.
    assert_eq!(consistency(&["say a", "say b", "say a"]), 0.67);
    assert_eq!(consistency(&["call s {}", "call s []"]), 0.5);
    assert_eq!(consistency(&["call s; call t", "call t; call s"]), 0.5);
    assert_eq!(consistency(&[r#"say {"a": 1}"#, r#"say {"a": "1"}"#]), 0.5);
}

#[test]
fn the_first_step_at_which_runs_part_is_named() {
    assert_snapshot!(parting(&["call lookup; say Done", "say One moment; call refund; say Done; fail"]), @r#"run 2 said "One moment" where run 1 called `lookup` (event 1 / event 1)"#);
    assert_snapshot!(parting(&["call lookup; result 1; call refund", "call lookup; result 1; call mail; fail"]), @"run 2 called `mail` where run 1 called `refund` (event 3 / event 3)");
    assert_snapshot!(parting(&[r#"call s {"q":"a","limit":5}"#, r#"call s {"limit":50,"q":"a"}; fail"#, ""]), @"run 2 called `s` with `limit` 50 where run 1 had `limit` 5 (event 1 / event 1)");
    assert_snapshot!(parting(&[r#"call s {"q":"a"}"#, "call s {}; fail"]), @r#"run 2 called `s` with no `q` where run 1 had `q` "a" (event 1 / event 1)"#);
    assert_snapshot!(parting(&[r#"call s; result {"n":[1]}"#, r#"call s; result {"n":[2]}; fail"#]), @"`s` gave run 2 `n[0]` 2 where it gave run 1 `n[0]` 1 (event 2 / event 2)");
    assert_snapshot!(parting(&["call s; result 1; say Done", "call s; result 1; fail"]), @r#"run 2 did nothing more where run 1 said "Done" (none / event 3)"#);
    assert_snapshot!(parting(&["say x", "fail"]), @r#"run 2 did nothing more where run 1 said "x" (none / event 1)"#);
}

#[test]
fn a_failed_run_is_compared_with_the_nearest_that_passed() {
    let runs = [
        "say Hi",
        "call s; result 1; say No; fail",
        "call s; result 1; say Yes",
    ];
    assert_snapshot!(parting(&runs), @r#"run 2 said "No" where run 3 said "Yes" (event 3 / event 3)"#);
}

#[test]
fn runs_that_all_pass_or_all_fail_can_part_too() {
    assert_snapshot!(parting(&["say a", "say b", "say b"]), @r#"run 1 said "a" where run 2 said "b" (event 1 / event 1)"#);
    assert_snapshot!(parting(&["say a; fail", "say a; fail", "call s; fail"]), @r#"run 3 called `s` where run 1 said "a" (event 1 / event 1)"#);
    assert_eq!(parting(&["say a; fail", "say a; fail"]), "no difference");
    // The runs did the same: what fails is a matter of time.
    assert_eq!(parting(&["say a", "say a; fail"]), "no difference");
}

#[test]
fn long_texts_are_quoted_where_they_part() {
    let long = |end: &str| format!("say {} {end} {}", "word ".repeat(40), "tail ".repeat(40));
    assert_snapshot!(parting(&[&long("yes"), &format!("{}; fail", long("no"))]), @r#"run 2 said "…rd word word word word  no tail tail tail tail tail tail tail tail tail tail tai…" where run 1 said "…rd word word word word  yes tail tail tail tail tail tail tail tail tail tail ta…" (event 1 / event 1)"#);
    assert_snapshot!(parting(&["say \u{1b}[2J世界", "say ok; fail"]), @r#"run 2 said "ok" where run 1 said "\u001b[2J世界" (event 1 / event 1)"#);
}

#[test]
fn later_turns_and_broken_turns_are_named() {
    let two_turns = |second: ananke_model::recording::Turn, status| {
        let mut result = case("T001", status, "Hi");
        result.turns.push(judged(second, Vec::new()));
        result
    };
    let passed = two_turns(turn("More", "Here."), TestStatus::Passed);
    let late = broken(TroubleKind::Timeout, "no end within 120s", "");
    let mut late = two_turns(late, TestStatus::Timeout);
    late.turns[1].turn.user = Some("More".to_owned());
    assert_snapshot!(described(&repeated(vec![passed.clone(), late])), @r#"
    1 of 2, 50 % (9.4 to 90.6), Unstable, consistency 0.5, pass^k [0.5, 0.0], 1234567..1234567 us, avg 1234567, deviation 0.0
    turn 2: run 2 broke off: no end within 120s where run 1 said "Here." (event 1 / none)
    "#);
    let mut short = passed.clone();
    short.turns.pop();
    short.status = TestStatus::Error;
    assert_snapshot!(described(&repeated(vec![passed, short])), @r#"
    1 of 2, 50 % (9.4 to 90.6), Unstable, consistency 0.5, pass^k [0.5, 0.0], 1234567..1234567 us, avg 1234567, deviation 0.0
    turn 2: run 2 did nothing more where run 1 was told "More"
    "#);
}

#[test]
fn fenced_json_is_json() {
    let alike = |texts: [&str; 2]| {
        let runs = texts.map(|text| case("T001", TestStatus::Passed, text));
        stability(&repeated(runs.into())).unwrap().consistency
    };
    let plain = r#"{"a": 1, "b": 2.0}"#;
    for other in [
        "```json\n{\"b\": 2, \"a\": 1}\n```",
        "Here it is:\n```\n{\"b\":2,\"a\":1}\n```\n",
        "```json {\"b\":2,\"a\":1}```",
    ] {
        assert_eq!(alike([plain, other]), 1.0, "{other}");
        assert_eq!(alike([other, "```json\n{\"a\": 1}\n```"]), 0.5);
    }
    // Neither of two blocks is the output, and words are no JSON.
    assert_eq!(
        alike(["```\n[1]\n```\n```\n[2]\n```", "```\n[1]\n```"]),
        0.5
    );
    assert_eq!(alike(["```\nlet x;\n```", "```\nlet y;\n```"]), 0.5);
}
