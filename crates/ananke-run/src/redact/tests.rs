use std::collections::BTreeMap;
use std::sync::Arc;

use ananke_model::check::{Block, Check, Demand, Level, Origin};
use ananke_model::place::{Place, Text};
use ananke_model::plan::TestId;
use ananke_model::recording::{
    Artifact, ErrorLayer, EventLog, Spoken, TaskError, TaskRecord, ToolCall, Turn, TurnStatus,
    TurnTiming,
};
use ananke_model::result::{CheckResult, JudgedTurn, Outcome, Reach, TestResult, TestStatus};
use ananke_model::run_event::{RunEvent, RunInfo};
use ananke_model::variables::Variables;
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::forms::forms;
use super::{Redactor, Secrets, placeholders};

const KEY: &str = "sk-live.7f/3a+2b";

pub(super) fn redactor(pairs: &[(&str, &str)]) -> Redactor {
    let mut secrets = Secrets::default();
    for (name, value) in pairs {
        secrets.add(name, value);
    }
    secrets.redactor()
}

/// Returns a text that a user wrote.
pub(super) fn text(text: &str) -> Text {
    Text {
        text: text.to_owned(),
        place: Place::file("a.test.yaml"),
    }
}

pub(super) fn hidden(pairs: &[(&str, &str)], text: &str) -> String {
    redactor(pairs).text(text).into_owned()
}

fn value(pairs: &[(&str, &str)], mut value: Value) -> String {
    redactor(pairs).value(&mut value);
    value.to_string()
}

/// Redacts events and shows them, one line each.
pub(super) fn events(pairs: &[(&str, &str)], payloads: &[&str]) -> String {
    let mut turn = turn("");
    for payload in payloads {
        turn.events.push(payload.as_bytes(), 0);
    }
    redactor(pairs).turn(&mut turn);
    let lines = turn.events.iter();
    let lines: Vec<_> = lines
        .map(|(payload, _)| String::from_utf8_lossy(payload).into_owned())
        .collect();
    lines.join("\n")
}

fn turn(text: &str) -> Turn {
    Turn {
        kind: "user".to_owned(),
        user: None,
        requests: Vec::new(),
        reached: true,
        status: TurnStatus::Finished,
        text: text.to_owned(),
        reasoning: String::new(),
        messages: Vec::new(),
        tool_calls: Vec::new(),
        late_results: Vec::new(),
        state: Value::Null,
        activities: Vec::new(),
        opinions: Vec::new(),
        simulated: None,
        task: None,
        data: Value::Null,
        server: Value::Null,
        no_calls_because: None,
        interrupts: Vec::new(),
        usage: Vec::new(),
        timing: TurnTiming::default(),
        findings: Vec::new(),
        warnings: Vec::new(),
        events: EventLog::default(),
    }
}

fn result(turn: Turn) -> TestResult {
    TestResult {
        id: TestId("a.test.yaml".to_owned()),
        name: "a".to_owned(),
        file: "a.test.yaml".to_owned(),
        status: TestStatus::Passed,
        reason: None,
        reason_details: Vec::new(),
        turns: vec![JudgedTurn {
            turn,
            checks: Vec::new(),
        }],
        n_turns: 1,
        checks: Vec::new(),
        warnings: Vec::new(),
        tags: Vec::new(),
        reach: Reach::Reached,
        started_at_ms: None,
        ended_at_ms: None,
        duration_us: 0,
        target: String::new(),
        variables: BTreeMap::new(),
        flaky: false,
        earlier: Vec::new(),
        case: None,
        connector: None,
        run: None,
        checkpoints: Vec::new(),
        other_runs: Vec::new(),
        script: None,
        logs: Vec::new(),
    }
}

fn must_not_match(pattern: &str) -> Block {
    let pattern = text(pattern);
    let place = pattern.place.clone();
    Block {
        demands: vec![Demand {
            check: Check::MustNotMatch(pattern),
            origin: Origin {
                level: Level::Turn,
                named: None,
                place,
            },
        }],
    }
}

#[test]
fn values_are_named_wherever_they_stand_in_a_text() {
    let pairs = [("API_KEY", KEY), ("PIN", "4711")];
    let echoed = format!("I got {KEY} and {KEY}, pin 4711.");
    assert_snapshot!(hidden(&pairs, &echoed), @"I got [redacted API_KEY] and [redacted API_KEY], pin [redacted PIN].");
    assert_snapshot!(hidden(&pairs, "base64: c2stbGl2ZS43Zi8zYSsyYg== in user:c2stbGl2ZS43Zi8zYSsyYg"), @"base64: [redacted API_KEY as base64]== in user:[redacted API_KEY as base64]");
    assert_snapshot!(hidden(&pairs, "?key=sk-live.7f%2F3a%2B2b&x=1"), @"?key=[redacted API_KEY percent-encoded]&x=1");
    assert_snapshot!(hidden(&pairs, r#"{"php": "sk-live.7f\/3a+2b", "dotnet": "sk-live.7f/3a\u002B2b"}"#), @r#"{"php": "[redacted API_KEY]", "dotnet": "[redacted API_KEY]"}"#);
    assert_snapshot!(hidden(&pairs, r"/sk-live\.7f/3a\+2b/"), @"/[redacted API_KEY]/");
    assert_snapshot!(hidden(&pairs, "quoted sk-live.7f/3a%2B2b, a pointer /keys/sk-live.7f~13a+2b/0"), @"quoted [redacted API_KEY percent-encoded], a pointer /keys/[redacted API_KEY]/0");
    let pairs = [("PASSWORD", "p&ss\"wörd")];
    assert_snapshot!(hidden(&pairs, "<b>p&amp;ss&quot;wörd</b> p&ss\"wÃ¶rd"), @"<b>[redacted PASSWORD as HTML]</b> [redacted PASSWORD misread]");
}

#[test]
fn digits_inside_a_longer_number_are_no_secret() {
    assert_snapshot!(hidden(&[("PIN", "4711")], "at 1747110000 order 14711, 4711.5 and 4711!"), @"at 1747110000 order 14711, 4711.5 and [redacted PIN]!");
}

#[test]
fn a_page_keeps_its_own_words() {
    let page = redactor(&[("WORD", "user"), ("API_KEY", KEY)]);
    let shown = page.page(r#"{"user": "sk-live.7f/3a+2b"}"#);
    assert_eq!(shown, r#"{"user": "[redacted API_KEY]"}"#);
}

#[test]
fn a_task_keeps_no_secret() {
    let mut turn = turn("clean");
    turn.task = Some(Box::new(TaskRecord {
        id: Some(format!("t-{KEY}")),
        context_id: Some(format!("c-{KEY}")),
        artifacts: vec![Artifact {
            id: "a".to_owned(),
            name: Some(KEY.to_owned()),
            description: Some(KEY.to_owned()),
            parts: vec![json!({"text": KEY})],
            metadata: json!({"k": KEY}),
        }],
        card: Some(Arc::new(json!({"description": KEY}))),
        spoken: Some(Spoken {
            url: format!("http://{KEY}/"),
            ..Spoken::default()
        }),
        error: Some(TaskError {
            layer: ErrorLayer::Agent,
            code: Some(KEY.to_owned()),
            message: KEY.to_owned(),
        }),
        ..TaskRecord::default()
    }));
    assert!(redactor(&[("KEY", KEY)]).turn(&mut turn));
    let text = serde_json::to_string(&turn).unwrap();
    assert!(!text.contains("sk-live"), "{text}");
    assert_eq!(text.matches("KEY").count(), 10, "{text}");
}

#[test]
fn redacting_twice_changes_nothing() {
    let pairs = [
        ("token", "redacted-token"),
        ("OTHER", "token"),
        ("API_KEY", "API_KEY"),
    ];
    let once = hidden(&pairs, "redacted-token, token, API_KEY");
    assert_snapshot!(once, @"[redacted token][redacted OTHER], [redacted OTHER], [redacted secret-3]");
    assert_eq!(hidden(&pairs, &once), once);
}

#[test]
fn a_secret_inside_a_secret_keeps_its_name() {
    let pairs = [("USER", "alice-1"), ("authorization", "alice-1:hunter22")];
    assert_snapshot!(hidden(&pairs, "alice-1:hunter22 is alice-1"), @"[redacted USER][redacted authorization] is [redacted USER]");
}

#[test]
fn short_values_and_flags_are_left_alone_and_told() {
    let mut secrets = Secrets::default();
    for (name, value) in [
        ("A", "abc"),
        ("B", ""),
        ("C", "true"),
        ("D", "xyz"),
        ("A", "abc"),
    ] {
        secrets.add(name, value);
    }
    assert!(secrets.list.is_empty());
    let redactor = secrets.redactor();
    assert_eq!(redactor.text("abc true"), "abc true");
    assert_snapshot!(redactor.notice().unwrap(), @"`A`, `D` are not redacted: a value shorter than 4 characters is found everywhere");
    assert_eq!(Secrets::default().redactor().notice(), None);
}

#[test]
fn values_are_never_shown_by_debug() {
    let mut secrets = Secrets::default();
    secrets.add("API_KEY", KEY);
    assert_snapshot!(format!("{secrets:?} {:?}", secrets.redactor()), @r#"Secrets(["API_KEY"]) Redactor(["API_KEY"])"#);
}

#[test]
fn a_named_secret_is_a_variable_or_else_from_the_environment() {
    let mut variables = Variables::default();
    variables
        .variables
        .insert("A".to_owned(), json!("from-var"));
    let environment = [("A", "from-env"), ("B", "also-env")];
    variables.environment = environment
        .map(|(k, v)| (k.to_owned(), v.to_owned()))
        .into();
    let mut secrets = Secrets::default();
    secrets.add_named("A", &variables).unwrap();
    secrets.add_named("B", &variables).unwrap();
    assert_snapshot!(secrets.redactor().text("from-var from-env also-env"), @"[redacted A] from-env [redacted B]");
    assert_snapshot!(secrets.add_named("C", &variables).unwrap_err(), @"neither --var nor the environment has a value for `C`");
}

#[test]
fn json_stays_json_and_words_of_the_protocol_stay() {
    let pairs = [("PIN", "4711"), ("WORD", "user"), ("KEY", "abcdefgh")];
    assert_snapshot!(
        value(&pairs, json!({"role": "user", "userId": "user", "pin": 4711, "at": 47110, "abcdefgh-1": ["abcdefgh"], "args": "{\"pin\": 4711}"})),
        @r#"{"role":"user","userId":"[redacted WORD]","pin":"[redacted PIN]","at":47110,"[redacted KEY]-1":["[redacted KEY]"],"args":"{\"pin\": \"[redacted PIN]\"}"}"#
    );
    assert_snapshot!(
        events(&pairs, &[r#"{"type":"user", "userId":"the user","pin":4711,"n":1.4711,"abcdefgh":[4711 ]}"#, "not json, user 4711"]),
        @r#"
    {"type":"user", "userId":"the [redacted WORD]","pin":"[redacted PIN]","n":1.4711,"[redacted KEY]":["[redacted PIN]" ]}
    not json, [redacted WORD] [redacted PIN]
    "#
    );
}

#[test]
fn a_secret_that_is_split_over_deltas_is_found() {
    let pairs = [("KEY", "abcdefgh")];
    assert_snapshot!(events(&pairs, &[
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"the key \"abc"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"other","delta":"x"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"de"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"fgh\" ok abcdefgh","x":{"n":1.0}}"#,
    ]), @r#"
    {"type":"TEXT_MESSAGE_START","messageId":"m"}
    {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"the key \"[redacted KEY]"}
    {"type":"TEXT_MESSAGE_CONTENT","messageId":"other","delta":"x"}
    {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":""}
    {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\" ok [redacted KEY]","x":{"n":1.0}}
    "#);
    assert_snapshot!(events(&pairs, &[
        r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","delta":"{\"k\":\"abcd"}"#,
        r#"{"type":"TOOL_CALL_CHUNK","delta":"efgh\"}"}"#,
        r#"{"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"abcdef"}"#,
        r#"{"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"gh"}"#,
    ]), @r#"
    {"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","delta":"{\"k\":\"[redacted KEY]"}
    {"type":"TOOL_CALL_CHUNK","delta":"\"}"}
    {"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"[redacted KEY]"}
    {"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":""}
    "#);
}

#[test]
fn events_without_a_secret_are_not_copied() {
    let mut turn = turn("fine");
    turn.events.push(
        br#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"abcd"}"#,
        7,
    );
    let before = turn.clone();
    assert!(!redactor(&[("KEY", "abcdefgh")]).turn(&mut turn));
    assert_eq!(turn, before);
}

#[test]
fn a_secret_that_was_cut_is_not_shown_by_half() {
    let long = "0123456789abcdef".repeat(20);
    let (first, rest) = long.split_at(200);
    let mut result = result(turn(""));
    result.reason = Some(format!("event 3 cannot be read: {first}"));
    result.warnings = vec![
        format!("\"{first}…\" and \"…{rest}\""),
        format!("no secret… and {}… and 01234567", first.get(..3).unwrap()),
    ];
    redactor(&[("KEY", &long)]).result(&mut result);
    assert_snapshot!(result.reason.unwrap(), @"event 3 cannot be read: [redacted KEY]");
    assert_snapshot!(result.warnings.join("\n"), @r#"
    "[redacted KEY]…" and "…[redacted KEY]"
    no secret… and 012… and [redacted KEY]
    "#);
}

#[test]
fn everything_that_a_result_says_is_redacted_and_ids_stay() {
    let call = ToolCall {
        id: format!("call-{KEY}"),
        name: "pay".to_owned(),
        args_text: format!(r#"{{"key":"{KEY}"}}"#),
        args_error: Some(KEY.to_owned()),
        result: Some(KEY.to_owned()),
        error: Some(KEY.to_owned()),
        started_us: 0,
        args_done_us: None,
        completed_us: None,
        event_clock: None,
        event: 0,
        from_snapshot: false,
        restreamed: false,
    };
    let shared = Arc::new(json!({"id": "m", "content": KEY}));
    let mut turn = turn(KEY);
    turn.user = Some(KEY.to_owned());
    turn.requests = vec![json!({"forwardedProps": {KEY: KEY}})];
    turn.status = TurnStatus::RunError {
        message: KEY.to_owned(),
        code: Some(KEY.to_owned()),
    };
    turn.reasoning = KEY.to_owned();
    turn.messages = vec![Arc::clone(&shared)];
    turn.tool_calls = vec![call];
    turn.state = json!([KEY]);
    turn.interrupts = vec![json!(KEY)];
    turn.warnings = vec![KEY.to_owned()];
    turn.events.push(KEY.as_bytes(), 0);
    let mut result = result(turn);
    result.name = KEY.to_owned();
    result.checks = vec![CheckResult {
        check: "text.must_match".to_owned(),
        subject: KEY.to_owned(),
        outcome: Outcome::Failed,
        expected: KEY.to_owned(),
        actual: KEY.to_owned(),
        details: vec![KEY.to_owned()],
        origin: must_not_match("x").demands[0].origin.clone(),
        event: None,
        value: Some(json!([{KEY: KEY}])),
        negate: false,
        message: Some(KEY.to_owned()),
        samples: Vec::new(),
        snapshot: None,
    }];
    result.connector = Some(KEY.to_owned());
    result.variables.insert("TOKEN".to_owned(), json!(KEY));
    result.earlier = vec![result.clone()];
    result.other_runs = vec![result.clone()];
    redactor(&[("API_KEY", KEY)]).result(&mut result);
    let shown = serde_json::to_string(&result).unwrap();
    assert!(!shown.contains("7f/3a"), "{shown}");
    assert_eq!(shared["content"], KEY, "what others hold is not touched");
    assert_eq!(result.id.0, "a.test.yaml");

    let mut event = RunEvent::RunStarted(RunInfo {
        input: KEY.to_owned(),
        agents: vec![KEY.to_owned()],
        facts: BTreeMap::from([("endpoint".to_owned(), KEY.to_owned())]),
        ..RunInfo::default()
    });
    redactor(&[("API_KEY", KEY)]).event(&mut event);
    assert!(!format!("{event:?}").contains("7f/3a"));
}

#[test]
fn judging_the_redacted_recording_gives_the_same_result() {
    let mut secrets = Secrets::default();
    secrets.add("API_KEY", KEY);
    let mut variables = Variables::default();
    variables
        .environment
        .insert("API_KEY".to_owned(), KEY.to_owned());
    let hidden = placeholders(&secrets.redactor(), variables.clone());
    assert_eq!(hidden.environment["API_KEY"], "[redacted API_KEY]");
    for (pattern, said) in [
        ("${ENV.API_KEY}", format!("Your key is {KEY}, keep it.")),
        ("key is ${ENV.API_KEY}", format!("Your key is {KEY}.")),
        ("${ENV.API_KEY}", "I keep it to myself.".to_owned()),
        // Encoded it is another text, live and in the bundle.
        ("${ENV.API_KEY}", "c2stbGl2ZS43Zi8zYSsyYg==".to_owned()),
    ] {
        let block = must_not_match(pattern);
        let live_turn = turn(&said);
        let mut live = result(live_turn.clone());
        let compiled = ananke_assert::compile(&block, &variables).unwrap();
        live.turns[0].checks = compiled.judge_turn(&live_turn);
        secrets.redactor().result(&mut live);
        let again = ananke_assert::compile(&block, &hidden).unwrap();
        assert_eq!(
            live.turns[0].checks,
            again.judge_turn(&live.turns[0].turn),
            "{said}"
        );
    }
}

#[test]
fn what_one_holder_learns_all_hide() {
    let one = redactor(&[("KEY", KEY)]);
    let other = one.clone();
    let mut secrets = Secrets::default();
    secrets.add("TOKEN", "abcdefgh");
    one.add(&secrets);
    assert_eq!(
        other.text(&format!("{KEY} abcdefgh")),
        "[redacted KEY] [redacted TOKEN]"
    );
    Redactor::none().add(&secrets);
    assert_eq!(Redactor::none().text("abcdefgh"), "abcdefgh");
}

/// Puts a text together as a stream of deltas, cut at `cuts`.
fn streamed(said: &str, cuts: &[usize], is_chunk: bool) -> Turn {
    let mut turn = turn(said);
    turn.messages = vec![Arc::new(
        json!({"id": "m", "role": "assistant", "content": said}),
    )];
    let chars: Vec<char> = said.chars().collect();
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (chars.len() + 1)).collect();
    cuts.extend([0, chars.len()]);
    cuts.sort_unstable();
    for pair in cuts.windows(2) {
        let delta: String = chars[pair[0]..pair[1]].iter().collect();
        let payload = if is_chunk {
            json!({"type": "TEXT_MESSAGE_CHUNK", "delta": delta})
        } else {
            json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": delta})
        };
        turn.events.push(payload.to_string().as_bytes(), 0);
    }
    turn
}

/// Returns the text that the deltas of a turn make.
fn folded(turn: &Turn) -> String {
    let deltas = turn.events.iter().map(|(payload, _)| {
        let event: Value = serde_json::from_slice(payload).unwrap();
        event["delta"].as_str().unwrap().to_owned()
    });
    deltas.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_form_of_a_secret_gets_out_whatever_the_deltas(
        secret in "[a-zA-Z0-9/+=._-]{8,24}|[ -~é€]{6,12}",
        form in 0usize..1000,
        before in "[ a-z\"\\\\\n]{0,12}",
        after in "[ a-z\"\\\\\n]{0,12}",
        cuts in proptest::collection::vec(0usize..64, 0..8),
        is_chunk: bool,
    ) {
        let mut secrets = Secrets::default();
        secrets.add("X", &secret);
        prop_assume!(!secrets.list.is_empty());
        let forms = forms(secret.trim());
        let echoed = &forms[form % forms.len()].0;
        let mut result = result(streamed(&format!("{before}{echoed}{after}{echoed}"), &cuts, is_chunk));
        secrets.redactor().result(&mut result);
        let turn = &result.turns[0].turn;
        prop_assert_eq!(&folded(turn), &turn.text);
        for (form, _) in &forms {
            prop_assert!(!turn.text.contains(form), "{} holds {}", turn.text, form);
        }
        let once = result.clone();
        secrets.redactor().result(&mut result);
        prop_assert_eq!(result, once);
    }
}
