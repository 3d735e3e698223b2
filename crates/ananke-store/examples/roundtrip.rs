//! Writes and reads a bundle of N one-turn tests and prints how long that took: `--example roundtrip -- 10000`.
#![expect(clippy::print_stdout, reason = "it is what this program is for")]

use std::error::Error;
use std::time::{Duration, Instant};

use ananke_model::result::TestResult;
use ananke_model::run_event::Summary;
use ananke_store::{Bundle, BundleReader, BundleWriter, Head, new_run_id};

fn main() -> Result<(), Box<dyn Error>> {
    let n_tests: usize = match std::env::args().nth(1) {
        Some(number) => number.parse()?,
        None => 10_000,
    };
    let n_per_frame: usize = match std::env::args().nth(2) {
        Some(number) => number.parse()?,
        None => 1,
    };
    let results: Vec<TestResult> = (0..n_tests).map(one_turn).collect::<Result<_, _>>()?;
    let n_plain = serde_json::to_vec(&results)?.len();
    println!(
        "{n_tests} tests of {} bytes, {n_per_frame} for each flush",
        n_plain / n_tests.max(1)
    );

    let folder = tempfile::tempdir_in(".")?;
    let mut head = Head::default();
    head.run.run_id = new_run_id(0, 0);
    let started = Stopwatch::start();
    let mut writer = BundleWriter::create(folder.path(), &head, &[])?;
    for (number, result) in results.iter().enumerate() {
        writer.test(result)?;
        if (number + 1) % n_per_frame == 0 {
            writer.flush()?;
        }
    }
    let path = writer.path().to_owned();
    let written = started.read();
    writer.finish(&Summary::default())?;
    println!("written: {written}; with the last sync: {}", started.read());
    println!(
        "{} bytes in the file, {n_plain} bytes of JSON",
        path.join("run.jsonl.zst").metadata()?.len()
    );

    let started = Stopwatch::start();
    let mut reader = BundleReader::open(&path)?;
    let mut n_read = 0;
    while reader.next_test()?.is_some() {
        n_read += 1;
    }
    println!("{n_read} streamed: {}", started.read());
    let started = Stopwatch::start();
    let bundle = Bundle::read(&path)?;
    println!("{} read at once: {}", bundle.results.len(), started.read());
    if bundle.results != results {
        return Err("what was read is not what was written".into());
    }
    Ok(())
}

/// Measures time, and time on the processor where the system tells.
struct Stopwatch {
    wall: Instant,
    cpu: Option<Duration>,
}

impl Stopwatch {
    fn start() -> Self {
        Self {
            wall: Instant::now(),
            cpu: cpu_time(),
        }
    }

    fn read(&self) -> String {
        let cpu = cpu_time().zip(self.cpu).map(|(now, then)| now - then);
        format!("{:?} (processor: {cpu:?})", self.wall.elapsed())
    }
}

fn cpu_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds = text.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// A test like those of the benchmark: one turn with one tool call, ten events, two checks.
fn one_turn(number: usize) -> Result<TestResult, serde_json::Error> {
    let thread = format!("thread-{number:08x}");
    let events: Vec<(u64, String)> = [
        format!(r#"{{"type":"RUN_STARTED","threadId":"{thread}","runId":"run-{number}"}}"#),
        format!(r#"{{"type":"TOOL_CALL_START","toolCallId":"call-{number}","toolCallName":"get_weather"}}"#),
        format!(r#"{{"type":"TOOL_CALL_ARGS","toolCallId":"call-{number}","delta":"{{\"city\":\"Paris\"}}"}}"#),
        format!(r#"{{"type":"TOOL_CALL_END","toolCallId":"call-{number}"}}"#),
        format!(r#"{{"type":"TOOL_CALL_RESULT","messageId":"m-{number}","toolCallId":"call-{number}","content":"sunny"}}"#),
        format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"msg-{number}","role":"assistant"}}"#),
        format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-{number}","delta":"It is "}}"#),
        format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-{number}","delta":"sunny."}}"#),
        format!(r#"{{"type":"TEXT_MESSAGE_END","messageId":"msg-{number}"}}"#),
        format!(r#"{{"type":"RUN_FINISHED","threadId":"{thread}","runId":"run-{number}"}}"#),
    ]
    .into_iter()
    .zip(1_000..)
    .map(|(payload, at_us)| (at_us, payload))
    .collect();
    let check = |check: &str| {
        serde_json::json!({
            "check": check, "subject": "sunny", "outcome": "passed",
            "expected": "text that matches /sunny/", "actual": "\"It is sunny.\"",
            "origin": {"level": "turn", "place": {"file": format!("tests/weather-{number}.test.yaml"), "line": 9, "column": 5, "start": 100, "end": 120}},
        })
    };
    let turn = serde_json::json!({
        "kind": "user", "user": "What is the weather in Paris?", "reached": true,
        "requests": [{
            "threadId": thread, "runId": format!("run-{number}"), "state": {}, "tools": [], "context": [],
            "messages": [{"id": "u1", "role": "user", "content": "What is the weather in Paris?"}], "forwardedProps": {},
        }],
        "status": {"status": "finished"}, "text": "It is sunny.", "reasoning": "",
        "messages": [
            {"id": format!("msg-{number}"), "role": "assistant", "toolCalls": [{"id": "c", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}]},
            {"id": format!("m-{number}"), "role": "tool", "toolCallId": "c", "content": "sunny"},
        ],
        "tool_calls": [{
            "id": format!("call-{number}"), "name": "get_weather", "args_text": "{\"city\":\"Paris\"}", "result": "sunny",
            "started_us": 1001, "args_done_us": 1003, "completed_us": 1004, "event": 1, "from_snapshot": false, "restreamed": false,
        }],
        "late_results": [], "state": {}, "activities": [], "interrupts": [], "usage": [],
        "timing": {"started_at_ms": 1_794_743_633_508_i64, "connect_us": 300, "first_event_us": 1000, "first_text_us": 1006, "first_tool_us": 1001, "total_us": 1010, "clock": "arrival"},
        "findings": [], "warnings": [], "events": events,
    });
    serde_json::from_value(serde_json::json!({
        "id": format!("tests/weather-{number}.test.yaml"), "name": format!("weather {number}"),
        "file": format!("tests/weather-{number}.test.yaml"), "status": "passed",
        "turns": [{"turn": turn, "checks": [check("text.must_match"), check("tools.require")]}], "n_turns": 1,
        "checks": [check("timing.max_duration_ms")], "reach": "reached",
        "started_at_ms": 1_794_743_633_508_i64, "ended_at_ms": 1_794_743_633_509_i64, "duration_us": 1500, "target": "http://localhost:8000",
    }))
}
