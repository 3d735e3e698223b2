//! Results in, XML out.

use ananke_model::recording::TroubleKind;
use ananke_model::result::{Outcome, TestResult, TestStatus};
use insta::assert_snapshot;
use quick_xml::Reader;
use quick_xml::events::Event;

use crate::report::ReportFormat;
use crate::samples::{
    HOSTILE, broken, case, check, dynamic, dynamic_failed, flaky, hostile, judged, messages_case,
    mostly_stable, passed, rendered, result, run, turn, with_identity,
};

fn junit(results: Vec<TestResult>) -> String {
    rendered(ReportFormat::Junit, &run(results))
}

fn failed(id: &str) -> TestResult {
    let unmet = check("tools.require", "search", Outcome::Failed);
    let turns = vec![judged(turn("Refund", "I cannot"), vec![unmet])];
    result(id, TestStatus::Failed, turns)
}

#[test]
fn every_status_has_its_element() {
    let slow = broken(TroubleKind::Timeout, "no end within 120s", "Let me");
    let slow = result(
        "deep/slow",
        TestStatus::Timeout,
        vec![judged(slow, Vec::new())],
    );
    let mut skipped = result("s", TestStatus::Skipped, Vec::new());
    skipped.reason = Some("waits for #12".to_owned());
    let undecided = result("i", TestStatus::Inconclusive, Vec::new());
    let results = vec![passed("a"), failed("b"), slow, skipped, undecided];
    assert_snapshot!(junit(results), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="ananke" tests="5" failures="2" errors="1" time="5.100">
        <testsuite name="tests" tests="4" skipped="1" errors="0" failures="2" time="4.938" timestamp="2024-12-17T10:00:00">
            <properties>
                <property name="version" value="0.1.0"/>
                <property name="agent" value="shop"/>
                <property name="input" value="tests"/>
                <property name="config_file" value="ananke.config.yaml"/>
            </properties>
            <testcase name="a works" classname="tests.a" time="1.235"/>
            <testcase name="b works" classname="tests.b" time="1.235">
                <failure message="turn 1: tools.require search: expected at least 1 call of &quot;search&quot;, got 0 of 2" type="failed">└─ turn 1 · tools.require search: expected at least 1 call of &quot;search&quot;, got 0 of 2
       demanded at tests/a.test.yaml:12:9 (turn level)</failure>
                <system-out>file: tests/b.test.yaml
    target: shop
    turn 1 · user · 1.2s · 2 events · first text after 300ms
      user
      │ Refund
      assistant
      │ I cannot</system-out>
            </testcase>
            <testcase name="s works" classname="tests.s" time="1.235">
                <skipped message="waits for #12"/>
            </testcase>
            <testcase name="i works" classname="tests.i" time="1.235">
                <failure message="no reason was recorded" type="inconclusive">└─ no reason was recorded</failure>
                <system-out>file: tests/i.test.yaml
    target: shop
    </system-out>
            </testcase>
        </testsuite>
        <testsuite name="tests/deep" tests="1" skipped="0" errors="1" failures="0" time="1.235" timestamp="2024-12-17T10:00:00">
            <properties>
                <property name="version" value="0.1.0"/>
                <property name="agent" value="shop"/>
                <property name="input" value="tests"/>
                <property name="config_file" value="ananke.config.yaml"/>
            </properties>
            <testcase name="deep/slow works" classname="tests.deep.slow" time="1.235">
                <error message="turn 1: no end within 120s" type="timeout">└─ turn 1: no end within 120s
       captured in turn 1: 2 events, no tool call, text:
       │ Let me</error>
                <system-out>file: tests/deep/slow.test.yaml
    target: shop
    turn 1 · user · 1.2s · 2 events · first text after 300ms
      user
      │ Refund order 42
      assistant
      │ Let me
      ⚠ no end within 120s</system-out>
            </testcase>
        </testsuite>
    </testsuites>
    "#);
}

#[test]
fn attempts_are_kept() {
    let mut not_fine = flaky("n");
    not_fine.status = TestStatus::Failed;
    not_fine.reason = Some("passed only on attempt 2".to_owned());
    let mut hopeless = failed("h");
    hopeless.earlier = vec![failed("h")];
    let xml = junit(vec![flaky("f"), not_fine, hopeless]);
    let cases: Vec<&str> = xml
        .lines()
        .map(str::trim)
        .filter(|line| {
            ["<testcase", "<failure", "<flaky", "<rerun"]
                .iter()
                .any(|tag| line.starts_with(tag))
        })
        .collect();
    assert_snapshot!(cases.join("\n"), @r#"
    <testcase name="f works" classname="tests.f" time="1.235">
    <flakyFailure message="turn 1: text.must_match /shoes/: expected text matching /shoes/, got Here are hats." type="failed">
    <testcase name="n works" classname="tests.n" time="1.235">
    <failure message="passed only on attempt 2" type="failed">└─ passed only on attempt 2</failure>
    <flakyFailure message="turn 1: text.must_match /shoes/: expected text matching /shoes/, got Here are hats." type="failed">
    <testcase name="h works" classname="tests.h" time="1.235">
    <failure message="turn 1: tools.require search: expected at least 1 call of &quot;search&quot;, got 0 of 2" type="failed">└─ turn 1 · tools.require search: expected at least 1 call of &quot;search&quot;, got 0 of 2
    <rerunFailure message="turn 1: tools.require search: expected at least 1 call of &quot;search&quot;, got 0 of 2" type="failed">
    "#);
}

#[test]
fn a_run_that_was_stopped_is_not_green() {
    let mut events = run(vec![passed("a"), passed("b")]);
    events.truncate(3);
    let xml = rendered(ReportFormat::Junit, &events);
    let (_, end) = xml.split_once("</testsuite>\n").unwrap();
    assert_snapshot!(end, @r#"
        <testsuite name="ananke" tests="1" skipped="0" errors="1" failures="0">
            <testcase name="the whole run" classname="ananke">
                <error message="interrupted: 1 of 2 tests finished" type="interrupted"/>
            </testcase>
        </testsuite>
    </testsuites>
    "#);
}

#[test]
fn a_run_without_tests_is_a_document() {
    assert_snapshot!(junit(Vec::new()), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="ananke" tests="0" failures="0" errors="0" time="5.100">
    </testsuites>
    "#);
}

/// Returns every element and text, read by a parser that checks the document.
fn read(xml: &str) -> Vec<String> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_comments = true;
    let mut found = Vec::new();
    let mut text = String::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) => {
                let mut element = String::from_utf8(tag.name().as_ref().to_vec()).unwrap();
                for attribute in tag.attributes() {
                    let attribute = attribute.unwrap();
                    element.push(' ');
                    element.push_str(std::str::from_utf8(attribute.key.as_ref()).unwrap());
                }
                found.push(element);
                text.clear();
            }
            Event::Text(piece) => text.push_str(&piece.decode().unwrap()),
            Event::GeneralRef(name) => text.push_str(&name.decode().unwrap()),
            Event::End(_) => found.push(std::mem::take(&mut text)),
            Event::Decl(_) => {}
            Event::Eof => return found,
            other => panic!("{other:?} in {xml}"),
        }
    }
}

#[test]
fn hostile_text_is_only_text() {
    let xml = junit(vec![hostile("h"), passed("a")]);
    let is_legal =
        |c: char| matches!(c, '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(xml.chars().all(is_legal));
    let elements: Vec<String> = read(&xml)
        .into_iter()
        .filter(|one| {
            one.contains("case") || one.starts_with("failure") || one.starts_with("rerun")
        })
        .collect();
    assert_snapshot!(elements.join("\n"), @"
    testcase name classname time
    failure message type
    rerunFailure message type
    testcase name classname time
    ");
    assert!(HOSTILE.contains("]]>") && !xml.contains("]]>"));
}

#[test]
fn cases_and_runs_have_their_file_as_class() {
    let events = run(vec![
        case("T001", TestStatus::Passed, "Here are shoes."),
        messages_case("turn/2", TestStatus::Failed),
        mostly_stable("T003"),
    ]);
    let xml = rendered(ReportFormat::Junit, &with_identity(events, 5));
    assert_snapshot!(xml, @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="ananke" tests="3" failures="2" errors="0" time="5.100">
        <testsuite name="tests" tests="3" skipped="0" errors="0" failures="2" time="4.369" timestamp="2024-12-17T10:00:00">
            <properties>
                <property name="version" value="0.1.0"/>
                <property name="agent" value="shop"/>
                <property name="input" value="tests/shop.jsonl"/>
                <property name="config_file" value="ananke.config.yaml"/>
                <property name="runs_per_case" value="5"/>
                <property name="user" value="test-user"/>
                <property name="team" value="test-team"/>
                <property name="locale" value="en-us"/>
                <property name="client" value="test"/>
                <property name="client_ip" value="127.0.0.1"/>
                <property name="referer" value="test"/>
                <property name="accept" value="standard"/>
                <property name="pass_rate of T003" value="80.0"/>
            </properties>
            <testcase name="T001" classname="tests.shop" time="1.235"/>
            <testcase name="turn/2: Second turn - find shoes" classname="tests.shop" time="1.235">
                <failure message="output does not contain &apos;shoes&apos;" type="failed">└─ output does not contain &apos;shoes&apos;
       contains shoes: expected text containing &quot;shoes&quot;, got &quot;Here are hats.&quot;
       demanded at tests/shop.jsonl:12:9 (test level)</failure>
                <system-out>file: tests/shop.jsonl
    target: shop
    turn 1 · messages · 1.2s · 2 events · first text after 300ms
      user
      │ Find shoes
      │   for  Ada
      assistant
      │ {&quot;shoes&quot;: [&quot;red&quot;, &quot;blue&quot;]}</system-out>
            </testcase>
            <testcase name="T003" classname="tests.shop" time="1.900">
                <failure message="output does not contain &apos;shoes&apos;" type="failed">└─ output does not contain &apos;shoes&apos;
       contains shoes: expected text containing &quot;shoes&quot;, got &quot;Here are hats.&quot;
       demanded at tests/shop.jsonl:12:9 (test level)</failure>
                <system-out>file: tests/shop.jsonl
    target: shop
    runs: 5
    passed: 4
    pass_rate: 80.0
    stability_class: mostly_stable
    consistency: 0.80
    wilson: 37.5 to 96.4
    first_difference: run 3 called `refund` where run 1 called `search` (event 1 / event 1)
    turn 1 · messages · 1.2s · 2 events · first text after 300ms
      user
      │ Find shoes
      │   for  Ada
      tool refund {} → done (50ms)
      assistant
      │ Here are hats.</system-out>
            </testcase>
        </testsuite>
    </testsuites>
    "#);
}

#[test]
fn runs_that_failed_are_kept_when_enough_passed() {
    let mut accepted = mostly_stable("T001");
    let first = accepted.other_runs.remove(0);
    let failed = std::mem::replace(&mut accepted, first);
    accepted.other_runs = vec![TestResult {
        checkpoints: Vec::new(),
        other_runs: Vec::new(),
        script: None,
        ..failed
    }];
    let xml = junit(vec![accepted]);
    assert!(xml.contains("<flakyFailure message="), "{xml}");
    assert!(xml.contains("pass_rate: 50.0"), "{xml}");
}

#[test]
fn checkpoints_are_told_beside_the_conversation() {
    let mut failed = dynamic_failed("T002");
    failed.turns.clear();
    let xml = junit(vec![dynamic("T001", TestStatus::Passed), failed]);
    let (_, cases) = xml.split_once("</properties>").unwrap();
    assert_snapshot!(cases, @r#"

            <testcase name="T001: Expense Coverage" classname="tests.shop" time="8.500">
                <system-out>dynamic: 3 turns, 3 of 4 checkpoints
    checkpoint ask_type: turn 1
    checkpoint call_create: turn 2
    checkpoint confirm: turn 3
    checkpoint thanks: not reached, optional
    </system-out>
            </testcase>
            <testcase name="T002: Expense Coverage" classname="tests.shop" time="8.500">
                <failure message="missing checkpoints: confirm" type="failed">└─ missing checkpoints: confirm
    └─ checkpoint confirm (Agent confirms submission) was not reached
       output does not contain &apos;submitted&apos;
       contains submitted: expected text containing &quot;submitted&quot;, got &quot;Here are hats.&quot;
       demanded at tests/shop.jsonl:12:9 (test level)</failure>
                <system-out>file: tests/shop.jsonl
    target: shop
    dynamic: 0 turns, 2 of 4 checkpoints
    checkpoint ask_type: turn 1
    checkpoint call_create: turn 2
    checkpoint confirm: not reached
    checkpoint thanks: not reached, optional
    </system-out>
            </testcase>
        </testsuite>
    </testsuites>
    "#);
}

#[test]
fn a_case_that_broke_off_names_its_line() {
    let mut refused = messages_case("T003", TestStatus::Error);
    let case = refused.case.as_mut().unwrap();
    std::sync::Arc::make_mut(case).place = Some(crate::samples::place(9, 1));
    let xml = rendered(ReportFormat::Junit, &run(vec![refused]));
    assert!(xml.contains("file: tests/shop.jsonl:9\n"), "{xml}");
}
