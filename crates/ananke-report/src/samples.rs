//! Values for the tests of this crate.

use ananke_model::check::{Block, Check, Demand, Level, Origin};
use ananke_model::place::{Place, Text};
use ananke_model::plan::{
    AguiTarget, Clock, Encoding, Envelope, Era, History, Limits, Plan, PlannedTest, PlannedTurn,
    Protocol, Target, TestId, Tls, TurnAction,
};
use ananke_model::recording::{
    EventLog, Finding, ToolCall, Trouble, TroubleKind, Turn, TurnStatus, TurnTiming,
};
use ananke_model::result::{CheckResult, JudgedTurn, Outcome, Reach, TestResult, TestStatus};
use ananke_model::run_event::{RunEvent, RunInfo, Summary};
use serde_json::Value;

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
    }
}

pub(crate) fn passed(id: &str) -> TestResult {
    let checks = vec![check("tools.require", "search", Outcome::Passed)];
    let turns = vec![judged(turn("Find shoes", "Here are shoes."), checks)];
    result(id, TestStatus::Passed, turns)
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

pub(crate) fn demand(check: Check, level: Level, named: Option<&str>) -> Demand {
    Demand {
        check,
        origin: Origin {
            level,
            named: named.map(str::to_owned),
            place: place(7, 5),
        },
    }
}

/// Returns a test of two turns, only the first of which has a block.
pub(crate) fn planned(id: &str, turn: Vec<Demand>, test: Vec<Demand>) -> PlannedTest {
    let turns = [Some(Block { demands: turn }), None].map(|block| PlannedTurn {
        action: TurnAction::User { text: text("Hi") },
        timeout_ms: None,
        block,
        place: place(3, 3),
    });
    PlannedTest {
        id: TestId(format!("tests/{id}.test.yaml")),
        name: text(&format!("{id} works")),
        file: format!("tests/{id}.test.yaml").into(),
        tags: Vec::new(),
        skip: None,
        target: target(),
        hooks: Vec::new(),
        turns: turns.into(),
        block: Block { demands: test },
    }
}

pub(crate) fn plan(tests: Vec<PlannedTest>) -> Plan {
    Plan {
        tests,
        server: None,
        root: ".".into(),
        config_file: Some("ananke.config.yaml".to_owned()),
        config_blocks: Vec::new(),
        bundle: ananke_model::plan::BundleSettings::default(),
    }
}

fn target() -> Target {
    let agui = AguiTarget {
        endpoint: text("http://localhost:8000/agui"),
        agent_id: None,
        thread_id: None,
        headers: Vec::new(),
        timeout_ms: 120_000,
        connect_timeout_ms: 10_000,
        envelope: Envelope::Plain,
        history: History::Full,
        era: Era::V1,
        encoding: Encoding::Sse,
        clock: Clock::Arrival,
        forwarded_props: None,
        state: None,
        context: Vec::new(),
        tools: Vec::new(),
        tls: Tls::default(),
        limits: Limits {
            event_bytes: 1 << 24,
            turn_bytes: 1 << 28,
        },
    };
    Target {
        name: None,
        place: place(2, 1),
        protocol: Protocol::Agui(Box::new(agui)),
        concurrency: None,
        group: None,
        backoff_ms: None,
    }
}
