//! Event streams written in unusual ways, which still are event streams.

use ananke_testkit::{hello_run, sse};
use insta::assert_snapshot;

use super::{Fault, finished, sends, started};

fn shown(body: impl AsRef<[u8]>) -> String {
    Fault::at(&sends(body).url()).shown()
}

#[test]
fn crlf_works_with_a_warning() {
    assert_snapshot!(shown(hello_run().replace('\n', "\r\n")), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
      ⚠ 1 warning (10 lines end with CRLF; AG-UI producers must end lines with LF)
    --- json
    passed
    turn 1: finished, 5 events, text "Hello"
    warning: 10 lines end with CRLF; AG-UI producers must end lines with LF
    "#);
}

#[test]
fn a_lone_cr_works_with_a_warning() {
    assert_snapshot!(shown(hello_run().replace('\n', "\r")), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
      ⚠ 1 warning (10 lines end with CR; AG-UI producers must end lines with LF)
    --- json
    passed
    turn 1: finished, 5 events, text "Hello"
    warning: 10 lines end with CR; AG-UI producers must end lines with LF
    "#);
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    assert_snapshot!(shown(format!("\u{feff}{}", hello_run())), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: finished, 5 events, text "Hello"
    "#);
}

#[test]
fn a_missing_last_blank_line_loses_the_last_event() {
    assert_snapshot!(shown(hello_run().trim_end()), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: truncated: the stream ended before RUN_FINISHED, after 4 events
         captured in turn 1: 4 events, no tool call, text:
         │ Hello
      ⚠ 1 warning (the body ended inside an event: its last blank line is missing)
    --- json
    error
    turn 1: broken (truncated), 4 events, text "Hello"
    warning: the body ended inside an event: its last blank line is missing
    "#);
}

#[test]
fn bytes_that_are_not_utf8_are_replaced() {
    let mut body = sse(&[started()]).into_bytes();
    body.extend(b"data: {\"type\":\"TEXT_MESSAGE_CHUNK\",\"messageId\":\"m\",\"delta\":\"Hello \xff\xfe!\"}\n\n");
    body.extend(sse(&[finished()]).bytes());
    assert_snapshot!(shown(body), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
      ⚠ 1 warning (1 event held bytes that are not UTF-8; they were replaced by U+FFFD)
    --- json
    passed
    turn 1: finished, 3 events, text "Hello ��!"
    warning: 1 event held bytes that are not UTF-8; they were replaced by U+FFFD
    "#);
}

#[test]
fn lone_surrogates_and_nul_are_kept_apart_from_the_terminal() {
    let event =
        r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"a\ud83db\u0000c \ud83d\ude00"}"#;
    let body = format!(
        "{}data: {event}\n\n{}",
        sse(&[started()]),
        sse(&[finished()])
    );
    assert_snapshot!(shown(body), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello FAILED ([TIME])
      └─ test · text.must_match /Hello/: expected text matching /Hello/, got "a�b\u{0}c 😀"
         demanded at hello.test.yaml:6:22 (test level)
    --- json
    failed
    turn 1: finished, 3 events, text "a�b\u0000c 😀"
    "#);
}

#[test]
fn data_over_several_lines_and_other_fields_are_read() {
    let body = hello_run().replace("data: {", "event: x\nid: 1\nretry: 5\n: c\ndata:{\ndata: ");
    assert_snapshot!(shown(body), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: finished, 5 events, text "Hello"
    "#);
}

#[test]
fn warnings_are_shown_on_request() {
    let server = sends(hello_run().replace('\n', "\r\n"));
    let fault = Fault::at(&server.url());
    fault.write();
    let output = fault.run(&["run", "-v"], &[]);
    assert!(output.stdout.contains("10 lines end with CRLF"), "{output}");
}
