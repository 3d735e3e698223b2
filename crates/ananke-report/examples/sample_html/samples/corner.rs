//! Tests that stretch the page: very many calls, a turn within a millisecond, text that cannot be seen.

use ananke_model::check::Level;
use ananke_model::recording::EventLog;
use ananke_model::result::{JudgedTurn, Outcome, TestResult, TestStatus};
use serde_json::json;

use super::result::{check, test};
use super::script::Script;

/// Returns the tests.
pub(crate) fn corner_tests() -> Vec<TestResult> {
    vec![busy(), quick(), hidden(), whole()]
}

/// More calls than the page lists; the longest pause is among those that it does not list.
fn busy() -> TestResult {
    let mut script = Script::new("Count all the mugs");
    for number in 0..130 {
        if number == 120 {
            script.now_us += 4_000_000;
        }
        script = script.call(
            "count_shelf",
            &format!(r#"{{"shelf":{number}}}"#),
            5_000,
            Some("3"),
        );
    }
    let turns = vec![script.say(40_000, "390 mugs.").end(Vec::new())];
    test("busy", "all mugs are counted", TestStatus::Passed, turns)
}

/// Everything happens within half a millisecond, and an empty piece of text comes before the first token.
fn quick() -> TestResult {
    let mut script = Script::new("Ping");
    script.turn.events = EventLog::default();
    script.turn.timing.first_event_us = None;
    script.turn.timing.connect_us = Some(301);
    script.now_us = 0;
    let text =
        |delta: &str| json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m-1", "delta": delta});
    script.event(305, &json!({"type": "RUN_STARTED"}));
    script.event(5, &text(""));
    script.event(54, &text("Po"));
    script.turn.timing.first_text_us = Some(364);
    script.event(90, &text("ng"));
    script.event(30, &json!({"type": "RUN_FINISHED"}));
    script.turn.text = "Pong".to_owned();
    script.turn.timing.total_us = 490;
    let turn = script.turn;
    let turns = vec![JudgedTurn {
        turn,
        checks: Vec::new(),
    }];
    TestResult {
        tags: vec![
            "a tag that is far too long for a row of the table but not for the test itself"
                .to_owned(),
        ],
        ..test("quick", "a ping is answered", TestStatus::Passed, turns)
    }
}

/// Every character that a terminal would not show, and words and emoji that need a joiner.
fn hidden() -> TestResult {
    let all: String = ('\0'..='\u{1ffff}')
        .chain(['\u{e0001}', '\u{e0fff}'])
        .filter(|c| !"\n\t\r#".contains(*c))
        .filter(|c| ananke_report::escape(&c.to_string()) != c.to_string())
        .collect();
    let text = format!("{all}\nمی\u{200c}خواهم 👩\u{200d}🚀 pass\u{200d}word a\rb");
    let turns = vec![Script::new(&all).say(90_000, &text).end(vec![check(
        "text.must_match",
        "/invoice\u{202e}fdp/",
        Outcome::Failed,
        "text that matches /invoice\u{202e}fdp/",
        "\"\u{7}\u{1b}[31m\u{8}\"",
    )])];
    TestResult {
        tags: vec!["hid\u{200b}den".to_owned()],
        ..test(
            "hidden",
            "\u{202e}gnp.ecioviot \u{2066}x\u{0}\u{7f}",
            TestStatus::Failed,
            turns,
        )
    }
}

/// A demand on the whole test that points into its second turn.
fn whole() -> TestResult {
    let turn = || {
        Script::new("Delete it")
            .call("delete", "{}", 20_000, Some("{}"))
            .end(Vec::new())
    };
    let mut failed = check(
        "tools.count",
        "delete",
        Outcome::Failed,
        "at most 1 call of \"delete\"",
        "2 calls",
    );
    failed.origin.level = Level::Test;
    failed.details = vec!["turn 2, event 1: delete({})".to_owned()];
    failed.event = Some(1);
    TestResult {
        checks: vec![failed],
        ..test(
            "whole",
            "nothing is deleted twice",
            TestStatus::Failed,
            vec![turn(), turn()],
        )
    }
}
