//! Results and runs of them.

use std::sync::Arc;

use ananke_model::case::{Case, CaseKind, Identity};
use ananke_model::check::{Level, Origin};
use ananke_model::place::{Place, Text};
use ananke_model::plan::{Clock, TestId};
use ananke_model::recording::{
    EventLog, Finding, ToolCall, Trouble, TroubleKind, Turn, TurnStatus, TurnTiming,
};
use ananke_model::result::{CheckResult, JudgedTurn, Outcome, Reach, TestResult, TestStatus};
use ananke_model::run_event::{RunEvent, RunInfo, Summary};
use serde_json::{Value, json};

use crate::report::ReportFormat;
use crate::style::Style;

/// Text that tries to be something else in every format: markup, commands, escapes, ends of blocks, hidden characters.
pub(crate) const HOSTILE: &str = concat!(
    "</script><img src=x onerror=alert(1)>]]><!-- & &lt; --> <?x?>\n",
    "```\n````text\n# Heading | a | b |\n![i](http://evil/i.png) [l](javascript:x) @ada #12 <b>bold</b>\n",
    "::error file=x::boom\n  ::set-output name=x::y\n##[error]boom ##vso[task.complete] %0A::error::x\n",
    "ok 1 - forged\nnot ok 2\n  ...\nBail out!\n1..0 # SKIP all\n",
    "\u{1b}[31mred\u{1b}]0;title\u{7}\r✓ PASSED\u{0}\u{b}\u{7f}\u{85}\u{2028}\u{202e}bidi\u{feff}\u{fffe}\u{ffff}\t\"q\" 'q' \\ `tick` 𝒳"
);

/// 2024-12-17T10:00:00Z.
pub(crate) const NOON: i64 = 1_734_429_600_000;

pub(crate) fn plain() -> Style {
    Style {
        color: false,
        unicode: true,
        width: 80,
    }
}

pub(crate) fn ascii() -> Style {
    Style {
        unicode: false,
        ..plain()
    }
}

pub(crate) fn place(line: u32, column: u32) -> Place {
    Place {
        file: "tests/a.test.yaml".into(),
        line,
        column,
        start: 0,
        end: 0,
    }
}

pub(crate) fn text(text: &str) -> Text {
    Text {
        text: text.to_owned(),
        place: place(1, 1),
    }
}

pub(crate) fn check(check: &str, subject: &str, outcome: Outcome) -> CheckResult {
    CheckResult {
        check: check.to_owned(),
        subject: subject.to_owned(),
        outcome,
        expected: "at least 1 call of \"search\"".to_owned(),
        actual: "0 of 2".to_owned(),
        details: Vec::new(),
        origin: Origin {
            level: Level::Turn,
            named: None,
            place: place(12, 9),
        },
        event: None,
        value: None,
        negate: false,
        message: None,
        samples: Vec::new(),
        snapshot: None,
    }
}

pub(crate) fn turn(user: &str, text: &str) -> Turn {
    let mut events = EventLog::default();
    events.push(b"{}", 1_000);
    events.push(b"{}", 2_000);
    Turn {
        kind: "user".to_owned(),
        user: Some(user.to_owned()),
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
        timing: TurnTiming {
            started_at_ms: NOON,
            connect_us: Some(1_500),
            first_event_us: Some(2_000),
            first_text_us: Some(300_000),
            first_tool_us: None,
            total_us: 1_200_000,
            clock: Some(Clock::Arrival),
            event_clock: None,
        },
        findings: Vec::new(),
        warnings: Vec::new(),
        events,
    }
}

pub(crate) fn broken(kind: TroubleKind, message: &str, text: &str) -> Turn {
    Turn {
        status: TurnStatus::Broken(Trouble {
            kind,
            message: message.to_owned(),
            refusal: None,
        }),
        ..turn("Refund order 42", text)
    }
}

pub(crate) fn call(name: &str, args: &str, result: Option<&str>) -> ToolCall {
    ToolCall {
        id: "call-1".to_owned(),
        name: name.to_owned(),
        args_text: args.to_owned(),
        args_error: None,
        result: result.map(str::to_owned),
        error: None,
        started_us: 100_000,
        args_done_us: Some(110_500),
        completed_us: result.map(|_| 150_000),
        event_clock: None,
        event: 1,
        from_snapshot: false,
        restreamed: false,
    }
}

pub(crate) fn finding() -> Finding {
    Finding {
        rule: "V8".to_owned(),
        event: 3,
        message: "the text message was never ended".to_owned(),
    }
}

pub(crate) fn judged(turn: Turn, checks: Vec<CheckResult>) -> JudgedTurn {
    JudgedTurn { turn, checks }
}

/// Returns a test with one turn for each item of `turns`.
pub(crate) fn result(id: &str, status: TestStatus, turns: Vec<JudgedTurn>) -> TestResult {
    TestResult {
        id: TestId(format!("tests/{id}.test.yaml")),
        name: format!("{id} works"),
        file: format!("tests/{id}.test.yaml"),
        status,
        reason: None,
        reason_details: Vec::new(),
        n_turns: turns.len(),
        turns,
        checks: Vec::new(),
        warnings: Vec::new(),
        tags: Vec::new(),
        reach: Reach::Reached,
        started_at_ms: Some(NOON),
        ended_at_ms: Some(NOON + 1_200),
        duration_us: 1_234_567,
        target: "shop".to_owned(),
        variables: std::collections::BTreeMap::new(),
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

pub(crate) fn passed(id: &str) -> TestResult {
    let checks = vec![check("tools.require", "search", Outcome::Passed)];
    let turns = vec![judged(turn("Find shoes", "Here are shoes."), checks)];
    result(id, TestStatus::Passed, turns)
}

/// Returns a check of a case: `contains` with the value `value`.
pub(crate) fn contains(value: &str, outcome: Outcome) -> CheckResult {
    let mut check = check("contains", value, outcome);
    check.expected = format!("text containing {value:?}");
    check.actual = "found".to_owned();
    if outcome != Outcome::Passed {
        check.actual = "\"Here are hats.\"".to_owned();
        check.details = vec![format!("output does not contain '{value}'")];
    }
    check.origin.level = Level::Test;
    check.origin.place.file = "tests/shop.jsonl".into();
    check.value = Some(json!(value));
    check
}

/// Returns a JSONL case with `input`; without a name, as most cases are.
pub(crate) fn case(id: &str, status: TestStatus, output: &str) -> TestResult {
    let outcome = match status {
        TestStatus::Passed => Outcome::Passed,
        _ => Outcome::Failed,
    };
    let input = "Find shoes\n  for  Ada";
    let mut turn = turn(input, output);
    turn.kind = "messages".to_owned();
    TestResult {
        id: TestId(format!("tests/shop.jsonl#{id}")),
        name: id.to_owned(),
        file: "tests/shop.jsonl".to_owned(),
        checks: vec![contains("shoes", outcome)],
        case: Some(Arc::new(Case {
            id: id.to_owned(),
            kind: CaseKind::Input,
            input: json!(input),
            n_messages: 1,
            ..Case::default()
        })),
        ..result(id, status, vec![judged(turn, Vec::new())])
    }
}

/// Returns a JSONL case with `messages`, a name, and everything else that a case can have.
pub(crate) fn messages_case(id: &str, status: TestStatus) -> TestResult {
    let mut result = case(id, status, r#"{"shoes": ["red", "blue"]}"#);
    result.name = "Second turn - find shoes".to_owned();
    result.connector = Some("openai.gpt4".to_owned());
    let metadata = json!({"author": "ada"}).as_object().cloned();
    let options = json!({"connector": "openai.gpt4"}).as_object().cloned();
    result.case = Some(Arc::new(Case {
        id: id.to_owned(),
        kind: CaseKind::Messages,
        input: json!([
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "What are you looking for?"},
            {"role": "user", "content": [
                {"type": "text", "text": "Shoes like these"},
                {"type": "image", "source": "file://./fixtures/shoes.jpg"},
            ]},
        ]),
        n_messages: 3,
        expected: Some(json!({"shoes": ["red", "blue"]})),
        metadata: metadata.unwrap_or_default(),
        options: options.unwrap_or_default(),
        identity: Identity {
            user_id: "ada".to_owned(),
            ..Identity::default()
        },
        ..Case::default()
    }));
    result
}

/// Returns a message from the command line, with its answer.
pub(crate) fn message(text: &str, answer: &str) -> TestResult {
    let mut result = case("message#1", TestStatus::Passed, answer);
    result.id = TestId("message#1".to_owned());
    result.name = "message#1".to_owned();
    result.file = "message".to_owned();
    result.checks.clear();
    result.turns[0].turn.user = Some(text.to_owned());
    result.case = Some(Arc::new(Case {
        id: "message#1".to_owned(),
        kind: CaseKind::Message,
        input: json!(text),
        n_messages: 1,
        ..Case::default()
    }));
    result
}

/// Returns one result that speaks for `runs`, as `--runs` gives it: the first that did not pass, else the first.
pub(crate) fn repeated(runs: Vec<TestResult>) -> TestResult {
    let mut runs: Vec<TestResult> = (1..)
        .zip(runs)
        .map(|(number, run)| TestResult {
            run: Some(number),
            ..run
        })
        .collect();
    let unhappy = runs.iter().position(|run| run.status != TestStatus::Passed);
    let mut speaking = runs.remove(unhappy.unwrap_or(0));
    speaking.other_runs = runs;
    speaking
}

/// Returns a case that passed in four of five runs; the third took other steps and more time.
pub(crate) fn mostly_stable(id: &str) -> TestResult {
    let run = |number: u64| {
        let mut run = case(id, TestStatus::Passed, "Here are shoes.");
        let turn = &mut run.turns[0].turn;
        turn.tool_calls = vec![call(
            "search",
            r#"{"q": "shoes", "limit": 5}"#,
            Some("[1,2]"),
        )];
        run.duration_us = 800_000 + 50_000 * number;
        run
    };
    let mut runs: Vec<TestResult> = (0..5).map(run).collect();
    let odd = &mut runs[2];
    *odd = TestResult {
        duration_us: 1_900_000,
        ..case(id, TestStatus::Failed, "Here are hats.")
    };
    odd.turns[0].turn.tool_calls = vec![call("refund", "{}", Some("done"))];
    repeated(runs)
}

/// Returns a case that passed alike in each of three runs.
pub(crate) fn stable(id: &str) -> TestResult {
    let run = case(id, TestStatus::Passed, "Here are shoes.");
    repeated(vec![run.clone(), run.clone(), run])
}

/// Says who asks, and how often each test is run, in the first of `events`.
pub(crate) fn with_identity(mut events: Vec<RunEvent>, runs_per_case: u32) -> Vec<RunEvent> {
    if let Some(RunEvent::RunStarted(info)) = events.first_mut() {
        info.identity = Some(Box::default());
        info.runs_per_case = runs_per_case;
        info.input = "tests/shop.jsonl".to_owned();
    }
    events
}

/// Returns a test that failed once and then passed.
pub(crate) fn flaky(id: &str) -> TestResult {
    let mut text = check("text.must_match", "/shoes/", Outcome::Failed);
    text.expected = "text matching /shoes/".to_owned();
    text.actual = "Here are hats.".to_owned();
    let turns = vec![judged(turn("Find shoes", "Here are hats."), vec![text])];
    TestResult {
        flaky: true,
        earlier: vec![result(id, TestStatus::Failed, turns)],
        ..passed(id)
    }
}

/// Returns a failed test whose every text is [`HOSTILE`].
pub(crate) fn hostile(id: &str) -> TestResult {
    let mut unmet = check(HOSTILE, HOSTILE, Outcome::Failed);
    unmet.expected = HOSTILE.to_owned();
    unmet.actual = HOSTILE.to_owned();
    unmet.details = vec![HOSTILE.to_owned()];
    unmet.origin.named = Some(HOSTILE.to_owned());
    unmet.origin.place.file = HOSTILE.into();
    let mut turn = turn(HOSTILE, HOSTILE);
    turn.tool_calls = vec![call(HOSTILE, HOSTILE, Some(HOSTILE))];
    turn.warnings = vec![HOSTILE.to_owned()];
    let turns = vec![judged(turn, vec![unmet])];
    let mut failed = result(id, TestStatus::Failed, turns);
    failed.id = TestId(format!("tests/{HOSTILE}"));
    failed.name = HOSTILE.to_owned();
    failed.file = HOSTILE.to_owned();
    failed.target = HOSTILE.to_owned();
    failed.warnings = vec![HOSTILE.to_owned()];
    failed.reason_details = vec![HOSTILE.to_owned()];
    failed.earlier = vec![TestResult {
        reason: Some(HOSTILE.to_owned()),
        ..failed.clone()
    }];
    failed
}

/// Returns a whole report as text.
pub(crate) fn rendered(format: ReportFormat, events: &[RunEvent]) -> String {
    let mut report = format.open();
    let mut bytes: Vec<u8> = events
        .iter()
        .flat_map(|event| report.event(event))
        .collect();
    bytes.extend(report.finish());
    String::from_utf8(bytes).unwrap()
}

/// Returns the events of a run of `results`, finished after five seconds.
pub(crate) fn run(results: Vec<TestResult>) -> Vec<RunEvent> {
    let mut summary = Summary {
        duration_us: 5_100_000,
        ..Summary::default()
    };
    let mut events = vec![RunEvent::RunStarted(RunInfo {
        total: results.len(),
        tests: results.iter().map(|result| result.id.clone()).collect(),
        agents: vec!["shop".to_owned()],
        input: "tests".to_owned(),
        started_at_ms: NOON,
        version: "0.1.0".to_owned(),
        config_file: Some("ananke.config.yaml".to_owned()),
        ..RunInfo::default()
    })];
    for (index, result) in results.into_iter().enumerate() {
        summary.count_result(&result);
        let id = result.id.clone();
        events.push(RunEvent::TestStarted { index, id });
        let result = Box::new(result);
        events.push(RunEvent::TestFinished { index, result });
    }
    events.push(RunEvent::RunFinished(summary));
    events
}

/// Returns the summary at the end of `events`.
pub(crate) fn summary_mut(events: &mut [RunEvent]) -> &mut Summary {
    match events.last_mut() {
        Some(RunEvent::RunFinished(summary)) => summary,
        _ => panic!("runs end with a summary"),
    }
}
