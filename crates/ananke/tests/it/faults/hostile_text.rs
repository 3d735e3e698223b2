//! Agent text that wants to write to the terminal or to the log of a CI.

use ananke_testkit::sse;
use insta::assert_snapshot;
use serde_json::json;

use super::{Fault, call, finished, sends, started, text};

const ESCAPES: &str = "\x1b[2J\x1b[31mgone\x1b[0m\x07 \x1b]0;title\x07 \u{9b}2K\r✓ [hello.test.yaml] hello PASSED (1ms)";
const BIDI: &str = "\u{202e}evil\u{202c} \u{2066}x\u{2069} zero\u{200b}width \u{feff}";
const COMMANDS: &str = "x\n::error file=a::boom\n##[error]boom\n##vso[task.complete result=Succeeded]\n::set-output name=a::b\n\n✗ forged FAILED\n  Passed:  100";

/// Shows everything that is printed about an agent that says and calls this, with `-vv`.
fn conversation(said: &str) -> String {
    let mut error = call("c", said, &json!({ said: said }).to_string());
    error["metadata"] = json!({"x": said});
    let events = [
        started(),
        text(said),
        error,
        json!({"type": "TOOL_CALL_RESULT", "messageId": "r", "toolCallId": "c", "content": said}),
        json!({"type": said}),
        json!({"type": "RUN_ERROR", "message": said, "code": said}),
    ];
    printed(&events)
}

/// Shows everything that is printed about a run whose checks fail.
fn judged(said: &str) -> String {
    printed(&[started(), text(said), call("c", said, said), finished()])
}

fn printed(events: &[serde_json::Value]) -> String {
    let server = sends(sse(events));
    let fault = Fault::at(&server.url())
        .demands("text: {must_match: Nothing}\n  tools: {require: [{name: f}]}");
    fault.write();
    let output = fault.run(&["run", "-vv"], &[]);
    assert_eq!(output.code, Some(1));
    let all = format!("{}{}", output.stdout, output.stderr);
    let is_raw = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    assert!(!all.contains(is_raw), "{all:?}");
    for line in all.lines() {
        let line = line.trim_start();
        assert!(!line.starts_with("::"), "{all}");
        assert!(!line.contains("##[") && !line.contains("##vso["), "{all}");
        assert!(!line.starts_with("✗ forged"), "{all}");
        assert!(!line.starts_with("✓ [hello"), "{all}");
        assert_ne!(line, "Passed:  100");
    }
    fault.cx.show(&output)
}

#[test]
fn escapes_are_shown_never_sent() {
    assert_snapshot!(conversation(ESCAPES), @"");
    judged(ESCAPES);
}

#[test]
fn characters_that_turn_text_around_are_shown() {
    assert_snapshot!(judged(BIDI), @"");
    conversation(BIDI);
}

#[test]
fn no_line_of_an_agent_is_a_line_of_ours() {
    assert_snapshot!(judged(COMMANDS), @"");
    conversation(COMMANDS);
}

#[test]
fn an_error_body_is_escaped_too() {
    let body = format!("{ESCAPES}\n{COMMANDS}");
    let server = super::answers(ananke_testkit::http_response(
        "500 Oops",
        "text/plain",
        &body,
    ));
    assert_snapshot!(Fault::at(&server.url()).shown(), @"");
}

#[test]
fn a_reference_in_agent_text_is_text() {
    let server = sends(sse(&[
        started(),
        text("Hello ${ENV.HOME} ${NAME}"),
        finished(),
    ]));
    assert_snapshot!(Fault::at(&server.url()).turns(2).shown(), @"");
}
