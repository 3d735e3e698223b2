//! What is legal is not told, and what cannot be judged is not passed.

use insta::assert_snapshot;
use serde_json::json;

use crate::case::Case;
use crate::exchange::{Answer, Asked, Ending, Exchange, Framing, Observed, Probe, Wire};
use crate::rule::{Findings, Profile};

fn hello(text: &str) -> Vec<Observed> {
    let events = [
        json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r"}),
        json!({"type": "TEXT_MESSAGE_START", "messageId": "m"}),
        json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": text}),
        json!({"type": "TEXT_MESSAGE_END", "messageId": "m"}),
        json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}),
    ];
    events
        .iter()
        .map(|event| Observed::new(event.to_string(), 0))
        .collect()
}

fn exchange(asked: Asked, framing: Framing, events: Vec<Observed>) -> Exchange {
    let kind = match framing {
        Framing::Sse => "Text/Event-Stream; charset=UTF-8",
        Framing::Protobuf => "application/vnd.ag-ui.event+proto",
        Framing::None => "text/html",
    };
    Exchange {
        scenario: "hello".to_owned(),
        step: "run".to_owned(),
        asked,
        request: None,
        answer: Answer {
            status: Some(200),
            headers: vec![("content-type".to_owned(), kind.to_owned())],
            framing,
            events,
            wire: Wire {
                n_bytes: 100,
                ..Wire::default()
            },
            ..Answer::default()
        },
    }
}

/// The rules that had something to look at, and what they found.
fn judged(exchanges: Vec<Exchange>) -> String {
    let case = Case {
        exchanges,
        ..Case::default()
    };
    let mut found = Findings::new(Profile::V1);
    for (number, exchange) in case.exchanges.iter().enumerate() {
        found.enter(number);
        super::look(exchange, &mut found);
    }
    super::look_at_all(&case, &mut found);
    let rules = super::RULES.iter().flat_map(|list| list.iter());
    let seen = rules.filter(|rule| found.has_seen(rule.id));
    let seen = seen.map(|rule| {
        let own = found
            .in_order()
            .into_iter()
            .filter(|found| found.rule == rule.id);
        let own: Vec<String> = own.map(|found| format!(": {}", found.message)).collect();
        format!("{}{}", rule.id, own.join(""))
    });
    seen.collect::<Vec<String>>().join("\n")
}

#[test]
fn a_good_run() {
    let run = exchange(Asked::Run, Framing::Sse, hello("hi"));
    assert_snapshot!(judged(vec![run]), @"
    http.status
    http.content-type
    http.line-ends
    http.final-blank-line
    http.utf8
    http.done-marker
    http.body-closed
    ");
}

#[test]
fn a_file_that_tells_little() {
    let mut run = exchange(Asked::Run, Framing::Sse, hello("hi"));
    run.answer.status = None;
    run.answer.headers.clear();
    run.answer.wire = Wire::default();
    run.answer.ending = Ending::Unknown;
    assert_snapshot!(judged(vec![run]), @"http.done-marker");
}

#[test]
fn a_run_that_is_not_over_says_nothing_about_its_end() {
    let mut events = hello("hi");
    events.pop();
    let mut run = exchange(Asked::Run, Framing::Sse, events);
    run.answer.wire.is_unfinished = true;
    run.answer.ending = Ending::GivenUp("the time was over: 10 ms".to_owned());
    assert_snapshot!(judged(vec![run]), @"
    http.status
    http.content-type
    http.line-ends
    http.utf8
    http.done-marker
    ");
}

#[test]
fn a_page_for_browsers_is_no_run() {
    let page = exchange(Asked::Probe(Probe::WrongMethod), Framing::None, Vec::new());
    assert_snapshot!(judged(vec![page]), @"http.method");
}

#[test]
fn refusals_are_no_matter_of_the_status_of_runs() {
    for (status, asked) in [(422, Asked::Probe(Probe::BadField)), (500, Asked::Error)] {
        let mut refused = exchange(asked, Framing::None, Vec::new());
        refused.answer.status = Some(status);
        assert!(!judged(vec![refused]).contains("http.status"));
    }
}

#[test]
fn either_form_is_an_answer_to_anything() {
    for framing in [Framing::Sse, Framing::Protobuf] {
        let answer = exchange(Asked::Probe(Probe::AcceptAny), framing, hello("hi"));
        let judged = judged(vec![answer]);
        assert!(
            judged.lines().any(|line| line == "http.accept-any"),
            "{judged}"
        );
    }
    let page = exchange(Asked::Probe(Probe::AcceptAny), Framing::None, Vec::new());
    assert_snapshot!(judged(vec![page]), @"http.accept-any: expected a stream for `Accept: */*`, saw status 200 with `text/html` instead of a stream");
}

#[test]
fn forms_are_compared_only_if_the_agent_repeats_itself() {
    let forms = |first: &str, again: &str, binary: &str| {
        vec![
            exchange(Asked::Run, Framing::Sse, hello(first)),
            exchange(
                Asked::Probe(Probe::AcceptNoProtobuf),
                Framing::Sse,
                hello(again),
            ),
            exchange(
                Asked::Probe(Probe::AcceptProtobuf),
                Framing::Protobuf,
                hello(binary),
            ),
        ]
    };
    let parity = |exchanges: Vec<Exchange>| {
        let judged = judged(exchanges);
        let mut lines = judged.lines().map(str::to_owned);
        lines.find(|line| line.starts_with("http.protobuf-parity"))
    };
    assert_eq!(parity(forms("hi", "hello", "good day")), None);
    assert_snapshot!(parity(forms("hi", "hi", "hi")).unwrap(), @"http.protobuf-parity");
    assert_snapshot!(parity(forms("hi", "hi", "ho")).unwrap(), @r#"http.protobuf-parity: expected `TEXT_MESSAGE_CONTENT` with "hi" as in the event stream, saw `TEXT_MESSAGE_CONTENT` with "ho""#);
    let mut stream_only = forms("hi", "hi", "hi");
    stream_only[2].answer.framing = Framing::Sse;
    assert_eq!(parity(stream_only), None);
}

#[test]
fn a_slow_run_is_held_back_only_if_nothing_came_before_its_end() {
    let slow = |at_ms: fn(u64) -> u64| {
        let events = (0..5_u64).map(|number| {
            let event = json!({"type": "CUSTOM", "timestamp": 1_767_225_600_000 + number * 500});
            Observed::new(event.to_string(), at_ms(number) * 1000)
        });
        let run = exchange(Asked::Run, Framing::Sse, events.collect());
        let judged = judged(vec![run]);
        let mut lines = judged.lines().map(str::to_owned);
        lines.find(|line| line.starts_with("http.buffered"))
    };
    assert_snapshot!(slow(|number| number * 500).unwrap(), @"http.buffered");
    assert_snapshot!(slow(|_| 2500).unwrap(), @"http.buffered: expected events over 2000 ms, as their timestamps say, saw all of them within 0 ms");
    // A run that was replayed has the timestamps of another time.
    assert_snapshot!(slow(|_| 20).unwrap(), @"http.buffered");
}
