//! For benchmarks: prints how long hiding secrets takes in one turn of 64 MiB, and in small results while every test brings
//! a token of its own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use ananke_model::plan::TestId;
use ananke_model::recording::{EventLog, Turn, TurnStatus, TurnTiming};
use ananke_model::result::{JudgedTurn, Reach, TestResult, TestStatus};
use ananke_run::Secrets;
use serde_json::{Value, json};

const BIG_BYTES: usize = 64 << 20;
const SAID: &str =
    "The flight leaves at 10:40 from gate B7; \"seat 12A\" is yours, id 7f3a2b1c-0d4e-4f5a. ";

#[expect(clippy::print_stdout, reason = "the numbers are what it is for")]
fn main() {
    let mut secrets = Secrets::default();
    secrets.add("API_KEY", "sk-live.7f3a/2b1c+9Zq0aR");
    secrets.add(
        "authorization",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl",
    );
    let redactor = secrets.redactor();
    let mut big = result(&SAID.repeat(BIG_BYTES / SAID.len()));
    let started = Instant::now();
    redactor.result(&mut big);
    println!("64 MiB: {:.3} s", started.elapsed().as_secs_f64());
    let mut small = result(&SAID.repeat(20));
    let small = &mut small;
    let started = Instant::now();
    for _ in 0..1000 {
        redactor.result(small);
    }
    let each_us = started.elapsed().as_secs_f64() * 1000.0;
    println!("small: {each_us:.1} µs");
    for n_known in [2_500, 5_000, 7_500, 10_000] {
        let started = Instant::now();
        for number in n_known - 2_500..n_known {
            let mut learned = Secrets::default();
            // Spread like random digits, and the same each time.
            let token = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            learned.add(
                "TOKEN",
                &format!("{:016x}/{:016x}", token(number), token(!number)),
            );
            redactor.add(&learned);
            redactor.result(small);
        }
        let each_us = started.elapsed().as_secs_f64() * 1e6 / 2500.0;
        println!("small with a new token each, up to {n_known}: {each_us:.1} µs");
    }
}

fn result(said: &str) -> TestResult {
    let mut events = EventLog::default();
    let bytes = said.as_bytes().chunks(64);
    for delta in bytes.map(String::from_utf8_lossy) {
        let event = json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": delta});
        events.push(event.to_string().as_bytes(), 0);
    }
    let message = json!({"id": "m", "role": "assistant", "content": said});
    let turn = Turn {
        kind: "user".to_owned(),
        user: Some("When does it leave?".to_owned()),
        requests: vec![
            json!({"threadId": "t", "messages": [{"role": "user", "content": "When?"}]}),
        ],
        reached: true,
        status: TurnStatus::Finished,
        text: said.to_owned(),
        reasoning: String::new(),
        messages: vec![Arc::new(message)],
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
        events,
    };
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
