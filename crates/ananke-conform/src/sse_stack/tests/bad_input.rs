//! What is no such server at all.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::{Duration, Instant};

use insta::assert_snapshot;

use super::server::{End, Reply, Server, hold, listen};
use super::stand_in::StandIn;
use super::{asked, judged, options, without_times};
use crate::sse_stack::StackError;

fn unreachable(base_url: &str) -> String {
    let mut options = options(base_url);
    options.timeout = Duration::from_secs(2);
    match asked(&options) {
        Err(StackError::Unreachable { url, why }) => {
            let host = base_url.split("://").nth(1).unwrap();
            without_times(&format!("{}: {why}", url.replace(host, "[HOST]")))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_server_that_cannot_be_reached_is_an_error() {
    let address = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    // The system words it.
    assert!(unreachable(&format!("http://{address}")).contains("refused"));
    unreachable("http://no-such-host.invalid");
    let address = listen(|mut stream| {
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").ok();
        hold(&mut stream);
    });
    assert_snapshot!(unreachable(&format!("https://{address}")), @"https://[HOST]/remote/stream: the server does not seem to speak TLS (received corrupt message of type InvalidContentType); should the address begin with http instead of https?");
    let address = listen(|mut stream| {
        // Not before the request is there: what comes earlier is told in other words.
        stream.read_exact(&mut [0; 4]).ok();
        stream.write_all(b"220 mail.example\r\n").ok();
        hold(&mut stream);
    });
    assert_snapshot!(unreachable(&format!("http://{address}")), @"http://[HOST]/remote/stream: what answered is not HTTP: invalid HTTP version parsed");
}

#[test]
fn a_server_that_never_answers_ends_at_the_timeout() {
    let address = listen(|mut stream| {
        std::thread::spawn(move || hold(&mut stream));
    });
    let begun = Instant::now();
    assert_snapshot!(unreachable(&format!("http://{address}")), @"http://[HOST]/remote/stream: nothing came within [TIME] ms; `--timeout-ms` waits longer");
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn options_that_cannot_be_used_are_another_error() {
    let wrong = |change: fn(&mut super::StackOptions)| {
        let mut options = options("http://127.0.0.1:9");
        change(&mut options);
        match asked(&options) {
            Err(StackError::Options(why)) => why,
            other => panic!("{other:?}"),
        }
    };
    assert_snapshot!(wrong(|options| options.base_url = "ftp://a".to_owned()), @"`ftp://a/remote/stream` has the scheme `ftp`; http and https are supported");
    assert_snapshot!(wrong(|options| options.base_url = "localhost:3113".to_owned()), @"`localhost:3113/remote/stream` has the scheme `localhost`; http and https are supported");
    assert_snapshot!(wrong(|options| options.bearer = Some("a\nb".to_owned())), @"the value of the header `authorization` holds control characters");
}

#[test]
fn pages_are_no_streams() {
    let server = Server::start(|_| {
        Reply {
            body: "<!DOCTYPE html>\n<p>Hello\n\n</p>\n".to_owned(),
            ..Reply::json(200, "")
        }
        .with_header("Content-Type", Some("text/html"))
    });
    assert_snapshot!(judged(&server, |_| {}), @"
    fail headers.content_type: expected `text/event-stream`, seen `text/html`
    fail headers.cache_control: expected `no-cache`, but there is no `Cache-Control`
    fail headers.connection: expected `keep-alive`, but there is no `Connection` over HTTP/1
    inconclusive wire.separator_blank_line: no frame was seen before the server closed the stream
    inconclusive wire.event_field_present: no frame was seen before the server closed the stream
    inconclusive wire.data_field_parses_as_json: no frame was seen before the server closed the stream
    inconclusive events.shape_conformance: no frame was seen before the server closed the stream
    inconclusive events.type_in_vocabulary: no frame was seen before the server closed the stream
    inconclusive ordering.start_before_steps: no frame was seen before the server closed the stream
    inconclusive ordering.finished_terminates: no frame was seen before the server closed the stream
    inconclusive ordering.monotonic_ids: no frame was seen before the server closed the stream
    inconclusive reconnect.since_gap_free: no frame was seen before the server closed the stream
    fail auth.401_on_missing_bearer: expected status 401 without a token, seen 200
    fail auth.403_on_insufficient_scope: expected status 403 for a write to `/remote/inject` with a token that may only read, seen 200; the write was taken
    fail auth.dpop_required_on_cnf: expected status 401 with `dpop_required` for a bound token without a DPoP header, seen 200
    ");
}

#[test]
fn a_missing_page_and_a_missing_token_fail() {
    let server = StandIn::closing().start();
    let first = |found: String| found.lines().next().unwrap().to_owned();
    let found = judged(&server, |options| {
        options.stream_path = "/nothing".to_owned();
    });
    assert_snapshot!(first(found), @"fail headers.content_type: expected status 200 with `text/event-stream`, seen status 404; is the path right? it is given with `--stream-path`");
    let found = judged(&server, |options| options.bearer = None);
    assert_snapshot!(first(found), @"fail headers.content_type: expected status 200 with `text/event-stream`, seen status 401; a token is given with `--bearer`");
    let found = judged(&server, |options| options.bearer = Some("wrong".to_owned()));
    assert_snapshot!(first(found), @"fail headers.content_type: expected status 200 with `text/event-stream`, seen status 401; the server does not accept the token");
    let server = Server::start(|_| Reply::json(307, "").with_header("Location", Some("/new")));
    assert_snapshot!(first(judged(&server, |_| {})), @"fail headers.content_type: expected status 200 with `text/event-stream`, seen status 307; it redirects to `/new`, and redirects are not followed");
    let server = Server::start(|_| Reply::json(405, ""));
    assert_snapshot!(first(judged(&server, |_| {})), @"fail headers.content_type: expected status 200 with `text/event-stream`, seen status 405; this profile watches with GET, an endpoint that takes POST is judged by the profile `ag-ui@1.0`");
}

fn endless(text: &str) -> Server {
    let text = text.to_owned();
    StandIn::closing().start_with(move |request, mut reply| {
        if request.path == "/remote/stream" && reply.status == 200 {
            reply.body = String::new();
            reply.end = End::Repeat(text.clone());
        }
        reply
    })
}

#[test]
fn an_endless_stream_ends_at_the_number_of_frames() {
    let server = endless("event: x\ndata: {\"type\":\"RAW\",\"event\":1}\n\n");
    assert_snapshot!(judged(&server, |_| {}), @"
    inconclusive ordering.start_before_steps: no step was seen
    inconclusive ordering.finished_terminates: no end of a run was seen in 32 frames (enough frames were read)
    inconclusive ordering.monotonic_ids: frames have neither `id:` nor `seq`
    inconclusive reconnect.since_gap_free: at least two frames with numbers are needed, and 0 came
    ");
}

#[test]
fn endless_comments_and_lines_end_too() {
    let limit = |options: &mut super::StackOptions| options.timeout = Duration::from_secs(2);
    let open = |server: Server| {
        let found = judged(&server, limit);
        found.lines().next().unwrap().to_owned()
    };
    let begun = Instant::now();
    let found = open(endless(": still here\n\n"));
    assert!(
        found.starts_with("inconclusive wire.separator_blank_line"),
        "{found}"
    );
    assert_snapshot!(open(endless(&"and on ".repeat(9000))), @"inconclusive wire.separator_blank_line: no frame was seen before the stream or one of its frames was too large");
    assert!(begun.elapsed() < Duration::from_secs(20));
}
