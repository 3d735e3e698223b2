//! Compressed answers: read, bounded by what they unpack to, refused where they cannot be read.

use ananke_testkit::hello_run;
use insta::assert_snapshot;

use super::{Fault, answers};

const HELLO_GZIP: &[u8] = include_bytes!("../testdata/coding/hello.sse.gz");
const HELLO_BROTLI: &[u8] = include_bytes!("../testdata/coding/hello.sse.br");
const COMMENTS_DEFLATE: &[u8] = include_bytes!("../testdata/coding/comments-1mib.deflate");
const COMMENTS_BROTLI: &[u8] = include_bytes!("../testdata/coding/comments-512mib.br");

fn coded(coding: &str, body: &[u8]) -> String {
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: {coding}\r\nconnection: close\r\n\r\n"
    );
    let server = answers([head.as_bytes(), body].concat());
    Fault::at(&server.url())
        .target("limits: {turn_bytes: 16777216}")
        .shown()
}

#[test]
fn gzip_is_read() {
    assert_snapshot!(coded("gzip", HELLO_GZIP), @"");
}

#[test]
fn brotli_is_read() {
    assert_snapshot!(coded("br", HELLO_BROTLI), @"");
}

#[test]
fn identity_is_no_coding() {
    let output = coded("identity", hello_run().as_bytes());
    assert!(output.starts_with("exit code: 0\n"), "{output}");
}

#[test]
fn a_gzip_bomb_stops_at_the_limit_of_the_turn() {
    // The block ends with a full flush, so it can be repeated: 640 times unpack to 640 MiB.
    const GZIP_HEADER: &[u8] = b"\x1f\x8b\x08\0\0\0\0\0\0\x03";
    let bomb = [GZIP_HEADER, &COMMENTS_DEFLATE.repeat(640)].concat();
    assert_snapshot!(coded("gzip", &bomb), @"");
}

#[test]
fn a_brotli_bomb_stops_at_the_limit_of_the_turn() {
    assert_snapshot!(coded("br", COMMENTS_BROTLI), @"");
}

#[test]
fn corrupt_gzip_is_an_error() {
    let mut body = HELLO_GZIP.to_vec();
    let middle = body.len() / 2;
    body[middle..].fill(0xff);
    assert_snapshot!(coded("gzip", &body), @"");
}

#[test]
fn gzip_that_is_cut_is_an_error() {
    assert_snapshot!(coded("gzip", &HELLO_GZIP[..HELLO_GZIP.len() / 2]), @"");
}

#[test]
fn text_that_calls_itself_gzip_is_an_error() {
    assert_snapshot!(coded("gzip", hello_run().as_bytes()), @"");
}

#[test]
fn an_unknown_coding_is_an_error() {
    assert_snapshot!(coded("zstd", b"\x28\xb5\x2f\xfd"), @"");
}

#[test]
fn two_codings_at_once_are_an_error() {
    assert_snapshot!(coded("gzip, br", HELLO_GZIP), @"");
}

#[test]
fn a_compressed_error_body_is_shown_as_text() {
    let head = "HTTP/1.1 500 Oops\r\ncontent-type: text/plain\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n";
    let server = answers([head.as_bytes(), HELLO_GZIP].concat());
    assert_snapshot!(Fault::at(&server.url()).shown(), @"");
}
