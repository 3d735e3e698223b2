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
    assert_snapshot!(conversation(ESCAPES), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the agent ended with an error: \u{1b}[2J\u{1b}[31mgone\u{1b}[[TIME]\u{7} \u{1b}]0;title\u{7} \u{9b}2K\r✓ [hello.test.yaml] hello PASSED ([TIME]) (\u{1b}[2J\u{1b}[31mgone\u{1b}[[TIME]\u{7} \u{1b}]0;title\u{7} \u{9b}2K\r✓ [hello.test.yaml] hello PASSED ([TIME]))
         captured in turn 1: 6 events, 1 tool call (\u{1b}[2J\u{1b}[31mgone\u{1b}[[TIME]\u{7} \u{1b}]0;title\u{7} \u{9b}2K\r✓ [hello.test.yaml] hello …), text:
         │ \u{1b}[2J\u{1b}[31mgone\u{1b}[[TIME]\u{7} \u{1b}]0;title\u{7} \u{9b}2K\r✓ [hello.test.yaml] hello PASSED ([TIME])
      Turns: 1, Assertions: 0/0 passed
      turn 1 · user · [TIME] · 6 events · first text after [TIME] · first tool after [TIME]
        user
        │ hi
        tool \u{1b}[2J\u{1b}[31mgone\u{1b}[[TIME]\u{7} \u{1b}]0;title\u{7} \u{9b}2K\r✓ [hello.test.yaml] hello PASSED ([TIME]) {"\u001b[2J\u001b[31mgone\u001b[[TIME]\u0007 \u001b]0;title\u0007 \u{9b}2K\r✓ [hello.test.yaml] hello PASSED ([TIME])":"\u001b[2J\u001b[31mgone\u001b[[TIME]\u0007 \u001b]0;title\u0007 \u{9b}2K\r✓ [hello.test.yaml] hello PASSED ([TIME])"} → \u{1b}[2J\u{1b}[31mgone\u{1b}[[TIME]\u{7} \u{1b}]0;title\u{7} \u{9b}2K\r✓ [hello.test.yaml] hello PASSED ([TIME]) ([TIME])
        assistant
        │ \u{1b}[2J\u{1b}[31mgone\u{1b}[[TIME]\u{7} \u{1b}]0;title\u{7} \u{9b}2K\r✓ [hello.test.yaml] hello PASSED ([TIME])
        ⚠ run error: \u{1b}[2J\u{1b}[31mgone\u{1b}[[TIME]\u{7} \u{1b}]0;title\u{7} \u{9b}2K\r✓ [hello.test.yaml] hello PASSED ([TIME]) (\u{1b}[2J\u{1b}[31mgone\u{1b}[[TIME]\u{7} \u{1b}]0;title\u{7} \u{9b}2K\r✓ [hello.test.yaml] hello PASSED ([TIME]))
        ⚠ event 4 has the unknown type \u{1b}[2J\u{1b}[31mgone\u{1b}[[TIME]\u{7} \u{1b}]0;title\u{7} \u{9b}2K\r✓ [hello.test.yaml] hello PASSED ([TIME]): kept, not folded

    Failures:
      ✗ [hello.test.yaml] turn 1: the agent ended with an error: \u{1b}[2J\u{1b}[31mgone\u{1b}[[TIME]\u{7} \u{1b}]0;title\u{7} \u{9b}2K\r✓ [hello.test.yaml] hello PASSED ([TIME]) (\u{1b}[2J\u{1b}[31mgone\u{1b}[[TIME]\u{7} \u{1b}]0;title\u{7} \u{9b}2K\r✓ [hello.test.yaml] hello PASSED ([TIME]))

    Rerun: ananke run hello.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  0
      Failed:  1 (1 error)
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    "#);
    judged(ESCAPES);
}

#[test]
fn characters_that_turn_text_around_are_shown() {
    assert_snapshot!(judged(BIDI), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [hello.test.yaml] hello FAILED ([TIME])
      └─ test · tools.require f: expected at least 1 call of `f`, got no call
         called instead: \u{202e}evil\u{202c} \u{2066}x\u{2069} zero\u{200b}width \u{feff}
         demanded at hello.test.yaml:7:21 (test level)
      └─ test · text.must_match /Nothing/: expected text matching /Nothing/, got "\u{202e}evil\u{202c} \u{2066}x\u{2069} zero\u{200b}width \u{feff}"
         demanded at hello.test.yaml:6:22 (test level)
      Turns: 1, Assertions: 0/2 passed
      turn 1 · user · [TIME] · 4 events · first text after [TIME] · first tool after [TIME]
        user
        │ hi
        tool \u{202e}evil\u{202c} \u{2066}x\u{2069} zero\u{200b}width \u{feff} \u{202e}evil\u{202c} \u{2066}x\u{2069} zero\u{200b}width \u{feff} → no result ([TIME])
        ⚠ arguments are not JSON: expected value at line 1 column 1
        assistant
        │ \u{202e}evil\u{202c} \u{2066}x\u{2069} zero\u{200b}width \u{feff}

    Failures:
      ✗ [hello.test.yaml] test: tools.require f: expected at least 1 call of `f`, got no call (+1 more)

    Rerun: ananke run hello.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  0
      Failed:  1
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    "#);
    conversation(BIDI);
}

#[test]
fn no_line_of_an_agent_is_a_line_of_ours() {
    assert_snapshot!(judged(COMMANDS), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [hello.test.yaml] hello FAILED ([TIME])
      └─ test · tools.require f: expected at least 1 call of `f`, got no call
         │ called instead: x
         │ ::error file=a::boom
         │ \u{23}#[error]boom
         │ \u{23}#vso[task.complete result=Succeeded]
         │ ::set-output name=a::b
         │
         │ ✗ forged FAILED
         │   Passed:  100
         demanded at hello.test.yaml:7:21 (test level)
      └─ test · text.must_match /Nothing/: expected text matching /Nothing/, got:
         │ "x
         │ ::error file=a::boom
         │ \u{23}#[error]boom
         │ \u{23}#vso[task.complete result=Succeeded]
         │ ::set-output name=a::b
         │
         │ ✗ forged FAILED
         │   Passed:  100"
         demanded at hello.test.yaml:6:22 (test level)
      Turns: 1, Assertions: 0/2 passed
      turn 1 · user · [TIME] · 4 events · first text after [TIME] · first tool after [TIME]
        user
        │ hi
        tool x\n::error file=a::boom\n\u{23}#[error]boom\n\u{23}#vso[task.complete result=Succeeded]\n::set-output name=a::b\n\n✗… x\n::error file=a::boom\n\u{23}#[error]boom\n\u{23}#vso[task.complete result=Succeeded]\n::set-output name=a::b\n\n✗ forged FAILED\n  Passed:  100 → no result ([TIME])
        ⚠ arguments are not JSON: expected value at line 1 column 1
        assistant
        │ x
        │ ::error file=a::boom
        │ \u{23}#[error]boom
        │ \u{23}#vso[task.complete result=Succeeded]
        │ ::set-output name=a::b
        │
        │ ✗ forged FAILED
        │   Passed:  100

    Failures:
      ✗ [hello.test.yaml] test: tools.require f: expected at least 1 call of `f`, got no call (+1 more)

    Rerun: ananke run hello.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  0
      Failed:  1
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    "#);
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
    assert_snapshot!(Fault::at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 500 Internal Server Error: \u{1b}[2J\u{1b}[31mgone\u{1b}[[TIME]\u{7} \u{1b}]0;title\u{7} \u{9b}2K\r✓ [hello.test.yaml] hello PASSED ([TIME])\nx\n::error file=a::boom\n\u{23}#[error]boom\n\u{23}#vso[task.complete result=Succeeded]\n::set-output name=a::b\n\n✗ forged FAILED\n  Passed:  100
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (http_status), 0 events, text ""
    "#);
}

#[test]
fn a_reference_in_agent_text_is_text() {
    let server = sends(sse(&[
        started(),
        text("Hello ${ENV.HOME} ${NAME}"),
        finished(),
    ]));
    assert_snapshot!(Fault::at(&server.url()).turns(2).shown(), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: finished, 3 events, text "Hello ${ENV.HOME} ${NAME}"
    turn 2: finished, 3 events, text "Hello ${ENV.HOME} ${NAME}Hello ${ENV.HOME} ${NAME}"
    "#);
}
