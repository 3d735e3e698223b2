//! A run with everything in it: every status, an earlier attempt, events, odd texts.

use std::sync::Arc;

use ananke_model::check::{Level, Origin};
use ananke_model::place::Place;
use ananke_model::plan::{Clock, TestId};
use ananke_model::recording::{
    CallEventClock, EventLog, Finding, LateResult, Refusal, ToolCall, Trouble, TroubleKind, Turn,
    TurnStatus, TurnTiming,
};
use ananke_model::result::{CheckResult, JudgedTurn, Outcome, Reach, TestResult, TestStatus};
use ananke_model::run_event::{RunInfo, Summary};
use serde_json::json;

use crate::{Head, RecordedVariables};

pub(super) const RUN_ID: &str = "20261115-115353-7f3a2b1c";

/// 2026-11-15T11:53:53.508Z.
pub(super) const START_MS: i64 = 1_794_743_633_508;

/// The head of a run before there were cases.
pub(super) fn head() -> Head {
    Head {
        run: RunInfo {
            run_id: RUN_ID.to_owned(),
            version: "1.2.3".to_owned(),
            config_file: Some("ananke.yaml".to_owned()),
            bundle: None,
            facts: [("os", "linux"), ("seed", "42")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            total: results().len(),
            tests: results().into_iter().map(|result| result.id).collect(),
            agents: vec!["http://localhost:8000/agent".to_owned()],
            input: "tests/".to_owned(),
            started_at_ms: START_MS,
            runs_per_case: 0,
            identity: None,
            connector: None,
        },
        variables: RecordedVariables {
            variables: [
                ("ORDER".to_owned(), json!(42)),
                ("USER".to_owned(), json!({"name": "Ann"})),
            ]
            .into(),
            environment: [("TOKEN".to_owned(), "[secret TOKEN]".to_owned())].into(),
        },
    }
}

pub(super) fn sources() -> Vec<(String, String)> {
    vec![
        (
            "ananke.yaml".to_owned(),
            "version: \"1.0\"\ntarget: {type: agui}\n".to_owned(),
        ),
        (
            "tests/passed.test.yaml".to_owned(),
            "name: 'é'\r\n".to_owned(),
        ),
    ]
}

pub(super) fn summary() -> Summary {
    Summary {
        total: 6,
        passed: 1,
        failed: 1,
        errors: 1,
        timeouts: 1,
        skipped: 1,
        inconclusive: 1,
        unchecked: 0,
        flaky: 1,
        duration_us: 1_234_567,
        interrupted: false,
    }
}

/// One test of every status.
pub(super) fn results() -> Vec<TestResult> {
    vec![
        passed(),
        failed(),
        error(),
        timeout(),
        skipped(),
        inconclusive(),
    ]
}

/// A test that passed with nothing special about it.
pub(super) fn plain(name: &str) -> TestResult {
    TestResult {
        id: TestId(format!("tests/{name}.test.yaml")),
        name: name.to_owned(),
        file: format!("tests/{name}.test.yaml"),
        status: TestStatus::Passed,
        reason: None,
        reason_details: Vec::new(),
        turns: vec![JudgedTurn {
            turn: turn(),
            checks: vec![check(Outcome::Passed)],
        }],
        n_turns: 1,
        checks: Vec::new(),
        warnings: Vec::new(),
        tags: Vec::new(),
        reach: Reach::Reached,
        started_at_ms: Some(START_MS + 5),
        ended_at_ms: Some(START_MS + 105),
        duration_us: 100_250,
        target: "http://localhost:8000/agent".to_owned(),
        variables: [].into(),
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

fn passed() -> TestResult {
    TestResult {
        tags: vec!["smoke".to_owned()],
        variables: [("ORDER_ID".to_owned(), json!("o-1"))].into(),
        warnings: vec!["the config has no `timeout_ms`".to_owned()],
        flaky: true,
        earlier: vec![TestResult {
            status: TestStatus::Failed,
            checks: vec![check(Outcome::Failed)],
            ..plain("passed")
        }],
        ..plain("passed")
    }
}

fn failed() -> TestResult {
    let mut result = plain("failed");
    result.status = TestStatus::Failed;
    result.checks = vec![CheckResult {
        details: vec!["nearest: call 1 of \"refund\"".to_owned()],
        event: Some(3),
        origin: Origin {
            named: Some("polite".to_owned()),
            ..origin(Level::Target)
        },
        ..check(Outcome::Failed)
    }];
    result.turns[0].turn.tool_calls = vec![
        ToolCall {
            result: Some("{\"ok\":true}".to_owned()),
            args_done_us: Some(2_000),
            completed_us: Some(3_000),
            event_clock: Some(CallEventClock {
                started: 1.5,
                ended: 3.0,
            }),
            ..tool_call()
        },
        ToolCall {
            args_text: "{".to_owned(),
            args_error: Some("EOF while parsing an object".to_owned()),
            error: Some("boom".to_owned()),
            from_snapshot: true,
            restreamed: true,
            ..tool_call()
        },
    ];
    result
}

fn error() -> TestResult {
    let mut result = plain("error");
    result.status = TestStatus::Error;
    result.reason = Some("turn 1: the agent answered 429".to_owned());
    result.reason_details = vec!["slow down".to_owned()];
    result.turns[0].turn.status = TurnStatus::Broken(Trouble {
        kind: TroubleKind::HttpStatus,
        message: "HTTP status 429".to_owned(),
        refusal: Some(Refusal {
            status: 429,
            retry_after_ms: Some(1_000),
        }),
    });
    result.turns.push(JudgedTurn {
        turn: Turn {
            kind: "agui:connect".to_owned(),
            user: None,
            status: TurnStatus::RunError {
                message: "no model".to_owned(),
                code: Some("E_MODEL".to_owned()),
            },
            ..turn()
        },
        checks: vec![check(Outcome::Passed)],
    });
    result.n_turns = 2;
    result
}

fn timeout() -> TestResult {
    let mut result = plain("timeout");
    result.status = TestStatus::Timeout;
    result.reason = Some("turn 1: no end within 100 ms".to_owned());
    result.reach = Reach::Unreached;
    let turn = &mut result.turns[0].turn;
    turn.reached = false;
    turn.events = EventLog::default();
    turn.timing = TurnTiming {
        started_at_ms: START_MS + 5,
        total_us: 100_000,
        ..TurnTiming::default()
    };
    turn.status = TurnStatus::Broken(Trouble {
        kind: TroubleKind::Timeout,
        message: "no end within 100 ms".to_owned(),
        refusal: None,
    });
    result
}

pub(super) fn skipped() -> TestResult {
    TestResult {
        status: TestStatus::Skipped,
        reason: Some("not today".to_owned()),
        turns: Vec::new(),
        reach: Reach::NotTried,
        started_at_ms: None,
        ended_at_ms: None,
        duration_us: 0,
        ..plain("skipped")
    }
}

fn inconclusive() -> TestResult {
    TestResult {
        status: TestStatus::Inconclusive,
        checks: vec![check(Outcome::Inconclusive)],
        ..plain("inconclusive")
    }
}

pub(super) fn turn() -> Turn {
    let mut events = EventLog::default();
    events.push(br#"{"type":"RUN_STARTED","runId":"r1"}"#, 900);
    events.push(
        "{\"type\":\"TEXT_MESSAGE_CONTENT\",\"delta\":\"h\u{e9} \\u0000\"}".as_bytes(),
        950,
    );
    events.push(br#"{"type":"RUN_FINISHED"}"#, 99_000);
    Turn {
        kind: "user".to_owned(),
        user: Some("hello \u{1f600}\n\u{0}".to_owned()),
        requests: vec![
            json!({"threadId": "t1", "messages": [{"role": "user", "content": "hello"}]}),
        ],
        reached: true,
        status: TurnStatus::Finished,
        text: "h\u{e9} \u{1b}[31m".to_owned(),
        reasoning: "hm".to_owned(),
        messages: vec![Arc::new(json!({"role": "assistant", "content": "h\u{e9}"}))],
        tool_calls: Vec::new(),
        late_results: vec![LateResult {
            id: "c0".to_owned(),
            result: "late".to_owned(),
        }],
        state: json!({"z": 1, "a": [1.5, -0.0, 18_446_744_073_709_551_615_u64, null]}),
        opinions: Vec::new(),
        simulated: None,
        task: None,
        data: serde_json::Value::Null,
        server: serde_json::Value::Null,
        no_calls_because: None,
        activities: vec![json!({"id": "a1"})],
        interrupts: vec![json!({"id": "i1"})],
        usage: vec![json!({"inputTokens": 12})],
        timing: TurnTiming {
            started_at_ms: START_MS + 5,
            connect_us: Some(800),
            first_event_us: Some(900),
            first_text_us: Some(950),
            first_tool_us: Some(960),
            total_us: 99_000,
            clock: Some(Clock::Event),
            event_clock: Some((1_794_743_633_508.0, 1_794_743_633_606.25)),
        },
        findings: vec![Finding {
            rule: "V8".to_owned(),
            event: 1,
            message: "content without a start".to_owned(),
        }],
        warnings: vec!["unknown event".to_owned()],
        events,
    }
}

fn tool_call() -> ToolCall {
    ToolCall {
        id: "c1".to_owned(),
        name: "refund".to_owned(),
        args_text: "{\"order\":42}".to_owned(),
        args_error: None,
        result: None,
        error: None,
        started_us: 1_000,
        args_done_us: None,
        completed_us: None,
        event_clock: None,
        event: 1,
        from_snapshot: false,
        restreamed: false,
    }
}

pub(super) fn check(outcome: Outcome) -> CheckResult {
    CheckResult {
        check: "text.must_match".to_owned(),
        subject: "/h./".to_owned(),
        outcome,
        expected: "text that matches /h./".to_owned(),
        actual: "\"h\u{e9}\"".to_owned(),
        details: Vec::new(),
        origin: origin(Level::Turn),
        event: None,
        value: None,
        negate: false,
        message: None,
        samples: Vec::new(),
        snapshot: None,
    }
}

fn origin(level: Level) -> Origin {
    Origin {
        level,
        named: None,
        place: Place {
            file: "tests/a.test.yaml".into(),
            line: 12,
            column: 9,
            start: 120,
            end: 124,
        },
    }
}
