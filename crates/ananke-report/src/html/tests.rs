//! The page as bytes. What it does in a browser is tested by `interop/browser/check.mjs`.

use ananke_model::recording::{EventLog, Turn};
use ananke_model::result::{Outcome, TestResult, TestStatus};
use ananke_model::run_event::RunEvent;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::document::{SCRIPT, STYLE};
use super::sha256::{base64, sha256};
use crate::html::HtmlReport;
use crate::report::Report as _;
use crate::samples::{call, check, finding, judged, passed, result, run, summary_mut, turn};

pub(super) fn page(events: &[RunEvent]) -> String {
    let mut report = Box::new(HtmlReport::default());
    for event in events {
        assert!(report.event(event).is_empty(), "a page is written at once");
    }
    String::from_utf8(report.finish()).unwrap()
}

fn island_text<'a>(page: &'a str, id: &str) -> &'a str {
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let (_, rest) = page.split_once(&start).unwrap();
    rest.split_once("</script>").unwrap().0
}

pub(super) fn island(page: &str, id: &str) -> Value {
    serde_json::from_str(island_text(page, id)).unwrap()
}

/// Returns what the page holds about one test.
fn detail(test: TestResult) -> Value {
    island(&page(&run(vec![test])), "chunk-0")[0].clone()
}

/// Returns a turn whose events are these payloads, a millisecond apart.
fn turn_of(payloads: &[String]) -> Turn {
    let mut events = EventLog::default();
    for (number, payload) in payloads.iter().enumerate() {
        events.push(payload.as_bytes(), 1_000 * (number as u64 + 1));
    }
    Turn {
        events,
        ..turn("Hi", "Hello")
    }
}

/// Shows a list of events as `#number type`, with `-n` where some are left out.
fn listed(detail: &Value) -> String {
    let mut number = 0;
    let mut words = Vec::new();
    for event in detail["turns"][0]["ev"].as_array().unwrap() {
        let event = event.as_array().unwrap();
        if let [n, _] = event.as_slice() {
            number += n.as_u64().unwrap();
            words.push(format!("-{n}"));
        } else {
            words.push(format!("#{number}"));
            number += 1;
        }
    }
    words.join(" ")
}

fn delta(number: usize) -> String {
    format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"{number}"}}"#)
}

#[test]
fn one_test_as_the_page_reads_it() {
    let mut test = passed("a");
    test.tags = vec!["fast".to_owned()];
    test.turns[0].turn = Turn {
        tool_calls: vec![call("search", r#"{"q":"shoes"}"#, Some("[1,2]"))],
        state: json!({"cart": []}),
        findings: vec![finding()],
        ..turn_of(&[
            r#"{"type":"RUN_STARTED","runId":"r"}"#.to_owned(),
            delta(0),
            r#"{ "type": "RUN_FINISHED" }"#.to_owned(),
        ])
    };
    test.turns[0].turn.timing.first_text_us = Some(2_000);
    let page = page(&run(vec![test]));
    let head = island(&page, "head");
    assert_snapshot!(head["words"], @r#"["shop","fast","RUN_STARTED","TEXT_MESSAGE_CONTENT","RUN_FINISHED","search","tools.require","at least 1 call of \"search\"","turn"]"#);
    assert_snapshot!(head["chunks"], @"[1]");
    assert_snapshot!(island_text(&page, "index"), @r#"{"status":"p","id":["tests/a.test.yaml"],"name":["a works"],"short":{},"ask":{},"file":{},"us":[1234567],"target":[0],"tags":{"0":[1]},"flaky":[],"why":{},"tries":{},"runs":{},"run":{},"class":{},"all":{},"conn":{},"again":{}}"#);
    assert_snapshot!(island_text(&page, "chunk-0"), @r#"[{"turns":[{"u":"Hi","x":"Hello","tm":[1500,2000,2000,null,1200000],"calls":[{"i":"call-1","n":5,"a":"{\"q\":\"shoes\"}","r":"[1,2]","t":[100000,110500,150000],"v":1}],"idle":1050000,"state":"{\"cart\":[]}","find":[["V8",3,"the text message was never ended"]],"checks":[{"o":"p","k":6,"s":"search","e":7,"a":"0 of 2","l":8,"n":12}],"en":3,"ev":[[1000,2,",\"runId\":\"r\"}"],[1000,3,",\"messageId\":\"m\",\"delta\":\"0\"}"],[1000,4,"{ \"type\": \"RUN_FINISHED\" }"]],"tk":[2000],"gaps":[[150000,1200000]]}],"at":1734429600000}]"#);
}

#[test]
fn the_policy_allows_what_the_page_holds() {
    let page = page(&run(vec![passed("a")]));
    let hash = |text: &str| format!("'sha256-{}'", base64(&sha256(text.as_bytes())));
    let between = |start: &str, end: &str| {
        let (_, rest) = page.split_once(start).unwrap();
        rest.split_once(end).unwrap().0.to_owned()
    };
    let policy = between("Content-Security-Policy\" content=\"", "\"");
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    let style = between("<style>", "</style>");
    let script = between("<script>", "</script>");
    assert_eq!((style.as_str(), script.as_str()), (STYLE, SCRIPT));
    assert!(policy.contains(&format!("style-src {};", hash(&style))));
    assert!(policy.contains(&format!("script-src {};", hash(&script))));
    assert!(!policy.contains("unsafe") && !policy.contains("http"));
}

#[test]
fn the_page_asks_for_nothing_and_reads_no_markup() {
    for word in [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "fetch(",
        "XMLHttpRequest",
        "import(",
        "setAttribute(\"style\"",
        "http://",
        "https://",
    ] {
        let rest = SCRIPT.replace("http://www.w3.org/2000/svg", "");
        assert!(!rest.contains(word), "the script holds {word}");
    }
    assert!(!STYLE.contains("url(") && !STYLE.contains("@import"));
    let page = page(&run(Vec::new()));
    let (markup, _) = page.split_once("<style>").unwrap();
    let (_, body) = page.split_once("</style>").unwrap();
    let (body, _) = body.split_once("<script type").unwrap();
    for part in [markup, body] {
        assert!(!part.contains(" style=") && !part.contains(" onclick="));
        assert!(!part.contains("src=\""));
    }
}

#[test]
fn text_of_the_agent_never_becomes_markup() {
    let evil = "</script><script>alert(1)</script>{{script}}\u{2028}";
    let mut test = result("a", TestStatus::Failed, Vec::new());
    let mut turn = turn_of(&[format!("<b>{evil}"), json!({ "type": evil }).to_string()]);
    turn.user = Some(evil.to_owned());
    turn.text = evil.to_owned();
    turn.state = json!({ evil: evil });
    turn.tool_calls = vec![call(evil, evil, Some(evil))];
    test.turns = vec![judged(turn, vec![check(evil, evil, Outcome::Failed)])];
    test.name = evil.to_owned();
    test.tags = vec![evil.to_owned()];
    let mut events = run(vec![test]);
    let RunEvent::RunStarted(info) = &mut events[0] else {
        unreachable!()
    };
    info.run_id = evil.to_owned();
    events.push(RunEvent::Notice(evil.to_owned()));
    let page = page(&events);
    assert!(!page.contains("<script>alert"));
    let (_, body) = page.split_once("</head>").unwrap();
    assert!(!body.contains('\u{2028}'));
    assert_eq!(page.matches("<script>").count(), 1);
    assert_eq!(page.matches(SCRIPT).count(), 1);
    assert_eq!(island(&page, "index")["name"][0], evil);
    assert_eq!(island(&page, "chunk-0")[0]["turns"][0]["x"], evil);
}

#[test]
fn rows_of_deltas_are_folded() {
    let payloads: Vec<String> = (0..50).map(delta).collect();
    let mut turn = turn_of(&payloads);
    turn.timing.first_text_us = Some(1_000);
    let turns = vec![judged(turn, Vec::new())];
    let detail = detail(result("a", TestStatus::Passed, turns));
    assert_eq!(listed(&detail), "#0 -48 #49");
    assert_eq!(detail["turns"][0]["en"], 50);
    assert_eq!(detail["turns"][0]["tk"].as_array().unwrap().len(), 17);
}

#[test]
fn long_lists_keep_their_ends_and_what_checks_point_at() {
    let payloads: Vec<String> = (0..1_000)
        .map(|number| format!(r#"{{"type":"CUSTOM","n":{number}}}"#))
        .collect();
    let mut failed = check("tools.forbid", "x", Outcome::Failed);
    failed.event = Some(500);
    let turns = vec![judged(turn_of(&payloads), vec![failed])];
    let detail = detail(result("a", TestStatus::Failed, turns));
    let listed = listed(&detail);
    assert!(listed.starts_with("#0 #1 "), "{listed}");
    assert!(
        listed.contains(" #133 -364 #498 #499 #500 #501 #502 -431 #934 "),
        "{listed}"
    );
    assert!(listed.ends_with(" #999"), "{listed}");
}

#[test]
fn checks_of_the_whole_test_find_their_turn() {
    let payloads: Vec<String> = (0..30).map(|_| r#"{"type":"CUSTOM"}"#.to_owned()).collect();
    let turns = (0..3).map(|_| judged(turn_of(&payloads), Vec::new()));
    let mut test = result("a", TestStatus::Failed, turns.collect());
    let mut failed = check("tools.forbid", "x", Outcome::Failed);
    failed.event = Some(2);
    failed.details = vec![
        "turn 1, event 21: y()".to_owned(),
        "turn 2, event 2: x()".to_owned(),
    ];
    test.checks = vec![failed];
    assert_eq!(detail(test)["checks"][0]["t"], 1);
}

#[test]
fn calls_that_are_not_listed_count() {
    let mut turn = turn_of(&[]);
    turn.tool_calls = (0..150)
        .map(|number| {
            let mut call = call("t", "{}", Some("1"));
            let pause_us = if number < 120 { 0 } else { 500_000 };
            call.started_us = number * 2_000 + pause_us;
            call.args_done_us = None;
            call.completed_us = Some(call.started_us + 1_000);
            call
        })
        .collect();
    turn.timing.total_us = 900_000;
    let turns = vec![judged(turn, Vec::new())];
    let detail = detail(result("a", TestStatus::Passed, turns));
    let turn = &detail["turns"][0];
    assert_eq!(turn["calls"].as_array().unwrap().len(), 100);
    assert_eq!(turn["cut"]["calls"], 50);
    assert_snapshot!(turn["mc"], @"[[200000,239000],[740000,799000]]");
    assert_snapshot!(turn["idle"], @"501000");
}

#[test]
fn no_text_comes_before_the_first_token() {
    let mut turn = turn_of(&[]);
    for (number, at_us) in [305, 310, 364, 370, 371].into_iter().enumerate() {
        turn.events.push(delta(number).as_bytes(), at_us);
    }
    turn.timing.first_event_us = Some(305);
    turn.timing.first_text_us = Some(364);
    turn.timing.total_us = 490;
    let turns = vec![judged(turn, Vec::new())];
    let detail = detail(result("a", TestStatus::Passed, turns));
    assert_snapshot!(detail["turns"][0]["tk"], @"[364,6,1]");
}

#[test]
fn results_of_one_test_are_counted_once() {
    let mut flaky = passed("a");
    flaky.flaky = true;
    let page = page(&run(vec![
        passed("a"),
        result("a", TestStatus::Failed, Vec::new()),
        flaky,
        passed("b"),
        result("b", TestStatus::Skipped, Vec::new()),
        result("c", TestStatus::Skipped, Vec::new()),
    ]));
    let head = island(&page, "head");
    assert_eq!(head["results"], 6);
    let summary = &head["summary"];
    let counts = ["total", "passed", "failed", "skipped", "flaky"].map(|key| &summary[key]);
    assert_eq!(counts, [3, 1, 1, 1, 1].map(Value::from).each_ref());
    assert_snapshot!(island(&page, "index")["again"], @r#"{"1":0,"2":0,"4":3}"#);
    assert!(page.contains("<title>1 of 3 failed · ananke</title>"));
    assert!(page.contains("3 tests, 6 results: 1 passed, 1 failed, 1 skipped."));
}

#[test]
fn silence_is_found_between_events_and_calls() {
    let mut turn = turn_of(&["{}".to_owned()]);
    turn.tool_calls = vec![call("search", "{}", Some("[]"))];
    let detail = detail(result(
        "a",
        TestStatus::Passed,
        vec![judged(turn, Vec::new())],
    ));
    assert_snapshot!(detail["turns"][0]["gaps"], @"[[150000,1200000]]");
}

#[test]
fn everything_is_bounded() {
    let long = "x".repeat(300_000);
    let turns = (0..3).map(|_| {
        let mut turn = turn_of(&[json!({"type": "CUSTOM", "value": long}).to_string()]);
        turn.text.clone_from(&long);
        turn.tool_calls = (0..30).map(|_| call("t", &long, Some(&long))).collect();
        judged(turn, vec![check("a", &long, Outcome::Failed)])
    });
    let mut turns: Vec<_> = turns.collect();
    for _ in 0..300 {
        turns.push(judged(turn_of(&[]), Vec::new()));
    }
    let mut test = result("a", TestStatus::Failed, turns);
    test.name.clone_from(&long);
    test.reason = Some(long.clone());
    let page = page(&run(vec![test]));
    assert!(page.len() < 4 << 20, "{} bytes", page.len());
    let detail = island(&page, "chunk-0")[0].clone();
    assert_eq!(detail["cut"]["turns"], 203);
    let text = detail["turns"][0]["x"].as_str().unwrap();
    assert!(text.ends_with("x… 280000 more characters; see the bundle"));
}

#[test]
fn attempts_are_kept() {
    let mut test = passed("a");
    test.flaky = true;
    test.earlier = vec![result("a", TestStatus::Timeout, Vec::new())];
    let page = page(&run(vec![test]));
    let index = island(&page, "index");
    assert_snapshot!(index["tries"], @r#"{"0":[["t",1234567]]}"#);
    assert_snapshot!(index["flaky"], @"[0]");
    assert_snapshot!(island(&page, "chunk-0")[0]["tries"], @r#"[{"s":"t","us":1234567,"d":{"why":"no reason was recorded","at":1734429600000}}]"#);
}

#[test]
fn a_run_that_never_finished_is_interrupted() {
    let mut events = run(vec![passed("a"), passed("b")]);
    events.pop();
    let page = page(&events);
    let summary = island(&page, "head")["summary"].clone();
    assert_eq!(
        (&summary["interrupted"], &summary["total"]),
        (&json!(true), &json!(2))
    );
    assert!(page.contains("<title>interrupted · ananke</title>"));
}

#[test]
fn the_title_says_what_came_of_the_run() {
    let title = |events: &[RunEvent]| {
        let page = page(events);
        let (_, rest) = page.split_once("<title>").unwrap();
        rest.split_once("</title>").unwrap().0.to_owned()
    };
    let mut events = run(vec![
        passed("a"),
        result("b", TestStatus::Error, Vec::new()),
    ]);
    assert_eq!(title(&events), "1 of 2 failed · ananke");
    summary_mut(&mut events).errors = 0;
    assert_eq!(title(&events), "1 passed · ananke");
}

#[test]
fn ten_thousand_tests_stay_small() {
    let test = |number: usize| {
        let id = "6f9d2c1e-0d3b-4a55-9d7e-1c2f3a4b5c6d";
        let run = format!(r#""threadId":"{id}","runId":"{id}""#);
        let payloads = [
            format!(r#"{{"type":"RUN_STARTED",{run},"protocolVersion":"1.0"}}"#),
            format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"{id}","role":"assistant"}}"#),
            format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"{id}","delta":"Hi"}}"#),
            format!(r#"{{"type":"TEXT_MESSAGE_END","messageId":"{id}"}}"#),
            format!(r#"{{"type":"RUN_FINISHED",{run},"outcome":{{"type":"success"}}}}"#),
        ];
        let checks = vec![check("tools.require", "search", Outcome::Passed)];
        result(
            &format!("folder/test-{number}"),
            TestStatus::Passed,
            vec![judged(turn_of(&payloads), checks)],
        )
    };
    // A tenth of them is as telling, and faster; the bench writes them all.
    let page = page(&run((0..1_000).map(test).collect()));
    let frame = SCRIPT.len() + STYLE.len();
    let per_test = (page.len() - frame) / 1_000;
    assert!(per_test <= 1_200, "{per_test} bytes for a test");
    assert!(frame < 115_000, "{frame} bytes for the page itself");
    assert_eq!(
        island(&page, "head")["chunks"],
        json!([200, 200, 200, 200, 200])
    );
}
