use std::fmt::Write as _;
use std::path::Path;

use insta::assert_snapshot;
use proptest::prelude::*;

use super::Decoder;

const LIMIT: usize = 1 << 20;

/// Feeds the chunks and renders one line for each event, then what was odd.
fn decode(chunks: &[&[u8]]) -> String {
    let mut decoder = Decoder::new(LIMIT);
    let mut out = String::new();
    for chunk in chunks {
        let pushed = decoder.push(chunk, |event| {
            write!(out, "{} {:?}", event.kind, event.data).unwrap();
            if !event.last_event_id.is_empty() {
                write!(out, " id={:?}", event.last_event_id).unwrap();
            }
            out.push('\n');
        });
        if let Err(error) = pushed {
            return format!("{out}error: {error}\n");
        }
    }
    decoder.finish();
    let odd = decoder.oddities();
    for (name, count) in [
        ("crlf", odd.n_crlf),
        ("cr", odd.n_cr),
        ("invalid", odd.n_invalid_utf8),
        ("comments", odd.n_comments),
    ] {
        if count > 0 {
            writeln!(out, "{name}={count}").unwrap();
        }
    }
    if let Some(retry) = decoder.retry_ms() {
        writeln!(out, "retry={retry}").unwrap();
    }
    if odd.unfinished_event {
        out += "unfinished\n";
    }
    out
}

fn text(chunks: &[&str]) -> String {
    decode(
        &chunks
            .iter()
            .map(|chunk| chunk.as_bytes())
            .collect::<Vec<_>>(),
    )
}

#[test]
fn crlf_split_over_two_chunks_is_one_line_end() {
    assert_snapshot!(text(&["data: a\r", "\n\n"]), @r#"
    message "a"
    crlf=1
    "#);
}

#[test]
fn a_lone_cr_ends_a_line() {
    assert_snapshot!(text(&["data: a\rdata: b\r\r"]), @r#"
    message "a\nb"
    cr=3
    "#);
}

#[test]
fn one_byte_order_mark_is_skipped_even_when_split() {
    let chunks: [&[u8]; 4] = [b"\xEF", b"\xBB", b"\xBFdata: 1\n\n", b""];
    assert_snapshot!(decode(&chunks), @r#"message "1""#);
    assert_snapshot!(decode(&[b"\xEF\xBBdata: 1\n\ndata: 2\n\n"]), @r#"message "2""#);
}

#[test]
fn fields_follow_the_standard() {
    assert_snapshot!(text(&["event: a\ndata\n\nevent: b\n\n: note\nid: 1\ndata:  x\nid: 2\0\nretry: 10\nretry: +5\n\nData: no\n\nid\ndata:y\n\n"]), @r#"
    a ""
    message " x" id="1"
    message "y"
    comments=1
    retry=10
    "#);
}

#[test]
fn nothing_is_dispatched_at_the_end() {
    assert_snapshot!(text(&["data: a\n\ndata: b\n"]), @r#"
    message "a"
    unfinished
    "#);
    assert_snapshot!(text(&["data: a\n\ndata: b"]), @r#"
    message "a"
    unfinished
    "#);
}

#[test]
fn invalid_utf8_is_replaced_and_noted() {
    assert_snapshot!(decode(&[b"data: a\xFFb\n\n", b"data: \xE2\x82", b"\xAC\n\n", b"event: \xC3\ndata: x\n\n"]), @r#"
    message "a�b"
    message "€"
    � "x"
    invalid=2
    "#);
}

#[test]
fn large_events_are_refused() {
    let mut decoder = Decoder::new(8);
    assert!(
        decoder.push(b"data: 12345\n", |_| {}).is_err(),
        "a line longer than the limit"
    );
    let mut decoder = Decoder::new(16);
    let pushed = decoder.push(b"data: 1234567\ndata: 1234567\ndata: 1234567\n", |_| {});
    assert_eq!(
        pushed.unwrap_err().to_string(),
        "one event is larger than 16 bytes"
    );
    let mut decoder = Decoder::new(16);
    assert!(
        (0..100).any(|_| decoder.push(b": never", |_| {}).is_err()),
        "a comment without an end"
    );
}

proptest! {
    #[test]
    fn cuts_never_change_what_is_parsed(
        body in prop::collection::vec(prop::sample::select(b"dat: \r\n\0ie\xEF\xBB\xBFx5".to_vec()), 0..60),
        cuts in prop::collection::vec(0usize..60, 0..6),
    ) {
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(body.len())).collect();
        cuts.extend([0, body.len()]);
        cuts.sort_unstable();
        let chunks: Vec<&[u8]> = cuts.windows(2).map(|pair| &body[pair[0]..pair[1]]).collect();
        let bytes: Vec<&[u8]> = body.chunks(1).collect();
        prop_assert_eq!(decode(&chunks), decode(&[&body]));
        prop_assert_eq!(decode(&bytes), decode(&[&body]));
    }
}

/// The rows of the web-platform-tests, when they lie beside the project: whole, byte by byte, and cut at every offset.
#[test]
fn web_platform_tests_agree() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/suites/wpt-eventsource/cases.json");
    let Ok(cases) = std::fs::read_to_string(path) else {
        // Not `println!`, which is kept from the user when a test passes; `cargo xtask test` counts these lines.
        let line =
            b"skipped: web platform tests of event streams: they are not beside the project\n";
        std::io::Write::write_all(&mut std::io::stderr(), line).ok();
        return;
    };
    let cases: serde_json::Value = serde_json::from_str(&cases).unwrap();
    let mut n_checked = 0;
    for case in cases["cases"].as_array().unwrap() {
        if case["connect"] != "ok" {
            continue;
        }
        let mut body = base64(case["body_base64"].as_str().unwrap());
        // A reconnecting client starts with the id of the stream before; here that stream comes first.
        let earlier_id = case["initial_last_event_id"].as_str().unwrap_or_default();
        if !earlier_id.is_empty() {
            body = [format!("id: {earlier_id}\n\n").as_bytes(), &body].concat();
        }
        let expected: Vec<(String, String, String)> = case["expected_events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| {
                let field = |name: &str| event[name].as_str().unwrap().to_owned();
                (field("type"), field("data"), field("lastEventId"))
            })
            .collect();
        let mut splits: Vec<Vec<&[u8]>> = vec![body.chunks(1).collect()];
        splits.extend((0..=body.len()).map(|at| vec![&body[..at], &body[at..]]));
        for chunks in splits {
            let mut decoder = Decoder::new(LIMIT);
            let mut events = Vec::new();
            for chunk in chunks {
                let sink = |event: super::Event<'_>| {
                    events.push((
                        event.kind.to_owned(),
                        event.data.into_owned(),
                        event.last_event_id.to_owned(),
                    ));
                };
                decoder.push(chunk, sink).unwrap();
            }
            decoder.finish();
            assert_eq!(events, expected, "{}", case["id"]);
            assert_eq!(
                decoder.retry_ms(),
                case["expected_retry"].as_u64(),
                "{}",
                case["id"]
            );
            if let Some(id) = case["expected_last_event_id"].as_str() {
                assert_eq!(decoder.last_event_id(), id, "{}", case["id"]);
            }
        }
        n_checked += 1;
    }
    assert!(n_checked > 20, "only {n_checked} rows were usable");
}

fn base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut bits = 0u32;
    let mut n_bits = 0;
    for byte in text.bytes().filter(|byte| *byte != b'=') {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        bits = bits << 6 | u32::from(digit);
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push(u8::try_from(bits >> n_bits & 0xFF).unwrap());
        }
    }
    bytes
}
