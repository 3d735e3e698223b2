//! The stand-in of the reference server gives what its makers say: with canonical names all pass, with legacy names all but
//! the vocabulary.

use insta::assert_snapshot;

use super::stand_in::{FULL, Naming, StandIn};
use super::{StackOptions, asked, judged, lines, options};

fn all(stand_in: StandIn, change: impl FnOnce(&mut StackOptions)) -> String {
    let server = stand_in.start();
    let mut options = options(&server.url());
    change(&mut options);
    let report = asked(&options).unwrap();
    let shown = lines(&report, |_| true);
    let summary = report.summary_line(true).replace(&server.url(), "[URL]");
    format!("{shown}{summary}\nexit {}\n", report.exit_code(true))
}

#[test]
fn canonical_names_pass_all_checks() {
    assert_snapshot!(all(StandIn::new(Naming::Canonical), |_| {}), @"
    pass headers.content_type: `text/event-stream`
    pass headers.cache_control: `no-cache`
    pass headers.connection: `keep-alive`
    pass wire.separator_blank_line: 10 frames
    pass wire.event_field_present: 10 of 10 frames
    pass wire.data_field_parses_as_json: the data of 10 frames
    pass events.shape_conformance: 10 events of known types
    pass events.type_in_vocabulary: 10 events, all of the 19 canonical types
    pass ordering.start_before_steps: `RUN_STARTED` is event 0, the first step is event 1
    pass ordering.finished_terminates: 1 run ended, with nothing but state after the end
    pass ordering.monotonic_ids: `seq` rises from 0 to 9
    pass reconnect.since_gap_free: `?since=4` sent 5 events again, and left none out
    pass auth.401_on_missing_bearer: status 401
    pass auth.403_on_insufficient_scope: status 403
    pass auth.dpop_required_on_cnf: status 401 with `dpop_required`
    sse-stack: PASS [URL]/remote/stream: 15 passed
    exit 0
    ");
}

#[test]
fn legacy_names_fail_the_vocabulary_and_nothing_else() {
    assert_snapshot!(all(StandIn::new(Naming::Legacy), |_| {}), @"
    pass headers.content_type: `text/event-stream`
    pass headers.cache_control: `no-cache`
    pass headers.connection: `keep-alive`
    pass wire.separator_blank_line: 10 frames
    pass wire.event_field_present: 10 of 10 frames
    pass wire.data_field_parses_as_json: the data of 10 frames
    pass events.shape_conformance: 9 events of known types
    fail events.type_in_vocabulary: event 0: `run.start` is not one of the 19 canonical types: its canonical name is `RUN_STARTED`; event 1: `run.step` is not one of the 19 canonical types: its canonical name is `STEP_STARTED`; event 2: `assistant.delta` (2 events) is not one of the 19 canonical types: its canonical name is `TEXT_MESSAGE_CONTENT`; event 4: `assistant.message` is not one of the 19 canonical types: its canonical name is `TEXT_MESSAGE_END`; event 5: `tool.call.start` is not one of the 19 canonical types: its canonical name is `TOOL_CALL_START`; event 6: `tool.call.end` is not one of the 19 canonical types: its canonical name is `TOOL_CALL_END`; event 7: `cost.update` is not one of the 19 canonical types: an extension is `CUSTOM` with a `name`; event 8: `run.finished` is not one of the 19 canonical types: its canonical name is `RUN_FINISHED`; event 9: `state` is not one of the 19 canonical types: its canonical name is `STATE_SNAPSHOT`
    pass ordering.start_before_steps: `RUN_STARTED` is event 0, the first step is event 1
    pass ordering.finished_terminates: 1 run ended, with nothing but state after the end
    pass ordering.monotonic_ids: `seq` rises from 0 to 9
    pass reconnect.since_gap_free: `?since=4` sent 5 events again, and left none out
    pass auth.401_on_missing_bearer: status 401
    pass auth.403_on_insufficient_scope: status 403
    pass auth.dpop_required_on_cnf: status 401 with `dpop_required`
    sse-stack: FAIL [URL]/remote/stream: 14 passed, 1 failed (events.type_in_vocabulary)
    exit 1
    ");
}

#[test]
fn pieces_with_the_number_0_are_neither_a_fall_nor_a_gap() {
    let stand_in = StandIn {
        has_loose_pieces: true,
        ..StandIn::new(Naming::Canonical)
    };
    assert_snapshot!(judged(&stand_in.start(), |_| {}), @"all pass");
}

#[test]
fn extensions_are_no_types_of_ag_ui() {
    let server = StandIn::closing().start();
    for vocabulary in [super::Vocabulary::Old, super::Vocabulary::V1] {
        let found = judged(&server, |options| options.vocabulary = vocabulary);
        assert!(
            found.contains("an extension is `CUSTOM` with a `name`"),
            "{found}"
        );
    }
}

#[test]
fn a_token_in_the_query_is_one() {
    let server = StandIn::closing().start();
    let found = judged(&server, |options| {
        options.bearer = None;
        options.stream_path = format!("/remote/stream?token={FULL}");
    });
    assert_snapshot!(found, @"inconclusive auth.401_on_missing_bearer: no token is given with `--bearer`: the server may be open on purpose");
    let found = judged(&server, |options| {
        options.stream_path = format!("/remote/stream?token={FULL}");
    });
    assert_snapshot!(found, @"all pass");
}

#[test]
fn a_header_of_the_user_is_a_token_too() {
    let server = StandIn::closing().start();
    let found = judged(&server, |options| {
        options.bearer = None;
        options.headers = vec![("Authorization".to_owned(), format!("Bearer {FULL}"))];
    });
    assert_snapshot!(found, @"all pass");
}

#[test]
fn an_open_server_is_not_blamed_for_being_open() {
    let stand_in = StandIn {
        is_locked: false,
        ..StandIn::closing()
    };
    let found = judged(&stand_in.start(), |options| {
        options.bearer = None;
        options.insufficient_scope_bearer = None;
        options.cnf_bound_bearer = None;
    });
    assert_snapshot!(found, @"
    inconclusive auth.401_on_missing_bearer: no token is given with `--bearer`: the server may be open on purpose
    inconclusive auth.403_on_insufficient_scope: no token that may only read is given with `--insufficient-scope-bearer`
    inconclusive auth.dpop_required_on_cnf: no bound token is given with `--cnf-bound-bearer`
    ");
}

#[test]
fn nothing_is_written_unless_it_is_asked_for() {
    let server = StandIn::closing().start();
    judged(&server, |options| options.insufficient_scope_bearer = None);
    judged(&server, |options| options.write_probe_path = None);
    assert!(server.asked().iter().all(|request| request.method == "GET"));
    let n_before = server.asked().len();
    judged(&server, |_| {});
    let mut last: Vec<String> = server.asked()[n_before..]
        .iter()
        .map(|request| {
            let query = request
                .query
                .iter()
                .map(|(name, value)| format!("?{name}={value}"));
            let query: String = query.collect();
            let bearer = request.header("authorization").unwrap_or("-");
            let line = format!(
                "{} {}{query} {bearer} {}",
                request.method, request.path, request.body
            );
            line.trim_end().to_owned()
        })
        .collect();
    // The probes are sent at once.
    last.sort();
    assert_snapshot!(last.join("\n"), @r#"
    GET /remote/stream -
    GET /remote/stream Bearer bound-token
    GET /remote/stream Bearer full-token
    GET /remote/stream?since=4 Bearer full-token
    POST /remote/inject Bearer read-only-token {"text":"conformance-probe"}
    "#);
}
