//! Event streams written in unusual ways, which still are event streams.

use ananke_testkit::{hello_run, sse};
use insta::assert_snapshot;

use super::{Fault, finished, sends, started};

fn shown(body: impl AsRef<[u8]>) -> String {
    Fault::at(&sends(body).url()).shown()
}

#[test]
fn crlf_works_with_a_warning() {
    assert_snapshot!(shown(hello_run().replace('\n', "\r\n")), @"");
}

#[test]
fn a_lone_cr_works_with_a_warning() {
    assert_snapshot!(shown(hello_run().replace('\n', "\r")), @"");
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    assert_snapshot!(shown(format!("\u{feff}{}", hello_run())), @"");
}

#[test]
fn a_missing_last_blank_line_loses_the_last_event() {
    assert_snapshot!(shown(hello_run().trim_end()), @"");
}

#[test]
fn bytes_that_are_not_utf8_are_replaced() {
    let mut body = sse(&[started()]).into_bytes();
    body.extend(b"data: {\"type\":\"TEXT_MESSAGE_CHUNK\",\"messageId\":\"m\",\"delta\":\"Hello \xff\xfe!\"}\n\n");
    body.extend(sse(&[finished()]).bytes());
    assert_snapshot!(shown(body), @"");
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
    assert_snapshot!(shown(body), @"");
}

#[test]
fn data_over_several_lines_and_other_fields_are_read() {
    let body = hello_run().replace("data: {", "event: x\nid: 1\nretry: 5\n: c\ndata:{\ndata: ");
    assert_snapshot!(shown(body), @"");
}
