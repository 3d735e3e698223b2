//! Cases that were run five times each: stable ones, shaky ones, messages with files, and text that wants out.

use std::sync::Arc;

use ananke_model::case::{Case, CaseKind, Identity};
use ananke_model::check::Level;
use ananke_model::place::Place;
use ananke_model::plan::TestId;
use ananke_model::result::{CheckResult, JudgedTurn, Outcome, TestResult, TestStatus};
use serde_json::{Value, json};

use super::result::{check, test};
use super::script::Script;

/// The file that holds the cases.
const FILE: &str = "tests/inputs.jsonl";

/// What an agent or a file that wants out of its text node might say.
const HOSTILE: &str =
    "</script><script>alert(1)</script><img src=x onerror=alert(2)> \u{202e}x\u{202c}";

/// Returns the cases, each with its five runs.
pub(crate) fn case_tests() -> Vec<TestResult> {
    vec![
        repeated(&keywords(), "PPPPP"),
        repeated(&receipt(), "PFPFP"),
        repeated(&greeting(), "PPPFP"),
        repeated(&hopeless(), "FFPFF"),
        repeated(&hostile(), "FFFFF"),
        skipped(),
    ]
}

/// A case before it was run.
struct Sample {
    id: &'static str,
    name: &'static str,
    kind: CaseKind,
    input: Value,
    expected: Option<Value>,
    /// Plays one run, good or bad; the number makes its times differ.
    play: fn(bool, u64) -> JudgedTurn,
    /// Type, value, and what is to be said when it does not hold.
    check: (&'static str, Value, Option<&'static str>),
    identity: Identity,
}

fn repeated(sample: &Sample, letters: &str) -> TestResult {
    let runs = letters.chars().zip(1..);
    let mut runs: Vec<TestResult> = runs
        .map(|(letter, number)| run(sample, letter == 'P', number))
        .collect();
    let n_passed = letters.matches('P').count();
    // Four of five are enough here, as with `--min-pass-rate 80`.
    let is_enough = n_passed * 5 >= letters.len() * 4;
    let speaks = letters.find(if is_enough { 'P' } else { 'F' });
    let mut result = runs.remove(speaks.unwrap_or_default());
    result.other_runs = runs;
    result
}

fn run(sample: &Sample, is_good: bool, number: u32) -> TestResult {
    let mut judged = (sample.play)(is_good, u64::from(number));
    judged.turn.kind = "messages".to_owned();
    let text = judged.turn.text.clone();
    let status = if is_good {
        TestStatus::Passed
    } else {
        TestStatus::Failed
    };
    TestResult {
        id: TestId(format!("{FILE}#{}", sample.id)),
        file: FILE.to_owned(),
        checks: vec![assertion(sample, is_good, &text), not_empty()],
        case: Some(Arc::new(Case {
            id: sample.id.to_owned(),
            kind: sample.kind,
            n_messages: sample.input.as_array().map_or(1, Vec::len),
            input: sample.input.clone(),
            expected: sample.expected.clone(),
            identity: sample.identity.clone(),
            ..Case::default()
        })),
        connector: Some("deepseek.v3".to_owned()),
        run: Some(number),
        ..test(sample.id, sample.name, status, vec![judged])
    }
}

fn assertion(sample: &Sample, is_good: bool, text: &str) -> CheckResult {
    let (kind, value, message) = &sample.check;
    let outcome = if is_good {
        Outcome::Passed
    } else {
        Outcome::Failed
    };
    let mut check = check(
        kind,
        &value.to_string(),
        outcome,
        &format!("output with {value}"),
        &format!("{text:?}"),
    );
    check.origin.level = Level::Test;
    check.origin.place = Place {
        line: 3,
        ..Place::file(FILE)
    };
    check.value = Some(value.clone());
    if !is_good {
        check.details = vec![format!("output does not have {value}")];
    }
    check.message = message.filter(|_| !is_good).map(str::to_owned);
    check
}

fn not_empty() -> CheckResult {
    let mut check = check(
        "regex",
        "\\S",
        Outcome::Passed,
        "output matching \\S",
        "a match",
    );
    check.origin.level = Level::Test;
    check.origin.place = Place {
        line: 3,
        ..Place::file(FILE)
    };
    check.value = Some(json!("\\S"));
    check
}

fn keywords() -> Sample {
    Sample {
        id: "T001",
        name: "",
        kind: CaseKind::Input,
        input: json!("Extract keywords from: blue mugs on sale"),
        expected: Some(json!({"keywords": ["blue", "mugs", "sale"]})),
        play: |_, number| {
            Script::new("Extract keywords from: blue mugs on sale")
                .say(
                    200_000 + number * 31_000,
                    r#"{"keywords":["blue","mugs","sale"]}"#,
                )
                .end(Vec::new())
        },
        check: (
            "equals",
            json!({"keywords": ["blue", "mugs", "sale"]}),
            None,
        ),
        identity: Identity::default(),
    }
}

fn receipt() -> Sample {
    Sample {
        id: "expense-turn2",
        name: "the receipt is filed before it is answered",
        kind: CaseKind::Messages,
        input: json!([
            {"role": "system", "content": "You file expenses."},
            {"role": "user", "content": "I have a receipt"},
            {"role": "assistant", "content": "Please send it.", "tool_calls": [{"id": "1", "function": {"name": "list_types", "arguments": "{}"}}]},
            {"role": "tool", "content": "[\"travel\",\"meals\"]", "tool_call_id": "1"},
            {"role": "user", "content": [
                {"type": "text", "text": "Here it is"},
                {"type": "image", "source": "file://receipts/lunch.png"},
                {"type": "file", "source": {"type": "data", "value": "U0VDUkVUCg==".repeat(40), "mimeType": "application/pdf"}}
            ]}
        ]),
        expected: None,
        play: |is_good, number| {
            let script = Script::new("Here it is").call(
                "read_receipt",
                r#"{"file":"lunch.png"}"#,
                250_000 + number * 17_000,
                Some(r#"{"total":12.50}"#),
            );
            let script = if is_good {
                script.call(
                    "file_expense",
                    r#"{"total":12.50,"type":"meals"}"#,
                    90_000,
                    Some("{}"),
                )
            } else {
                script
            };
            let text = if is_good {
                "Filed 12.50 as a meal."
            } else {
                "Your lunch cost 12.50."
            };
            script.say(120_000, text).end(Vec::new())
        },
        check: (
            "tool_called",
            json!("file_expense"),
            Some("an expense must be filed, not only read"),
        ),
        identity: Identity {
            user_id: "alice".to_owned(),
            ..Identity::default()
        },
    }
}

fn greeting() -> Sample {
    Sample {
        id: "T003",
        name: "a greeting is answered",
        kind: CaseKind::Input,
        input: json!({"role": "user", "content": "Hello"}),
        expected: None,
        play: |is_good, number| {
            let text = if is_good {
                "Hello, how can I help?"
            } else {
                "What?"
            };
            Script::new("Hello")
                .say(80_000 * number, text)
                .end(Vec::new())
        },
        check: ("contains", json!("help"), None),
        identity: Identity::default(),
    }
}

fn hopeless() -> Sample {
    Sample {
        id: "T004",
        name: "the total is right",
        kind: CaseKind::Input,
        input: json!("What is 17 * 23?"),
        expected: Some(json!("391")),
        play: |is_good, number| {
            let text = if is_good {
                "391".to_owned()
            } else {
                format!("{}", 380 + number)
            };
            Script::new("What is 17 * 23?")
                .say(150_000, &text)
                .end(Vec::new())
        },
        check: ("equals", json!("391"), None),
        identity: Identity::default(),
    }
}

fn hostile() -> Sample {
    Sample {
        id: "<b>T005</b>\u{202e}",
        name: HOSTILE,
        kind: CaseKind::Messages,
        input: json!([{"role": HOSTILE, "content": [{"type": HOSTILE, "name": HOSTILE, "mimeType": HOSTILE}, {"type": "text", "text": HOSTILE}]}]),
        expected: Some(json!({HOSTILE: HOSTILE})),
        play: |_, number| {
            Script::new(HOSTILE)
                .say(50_000 + number, HOSTILE)
                .end(Vec::new())
        },
        check: (HOSTILE, json!(HOSTILE), Some(HOSTILE)),
        identity: Identity {
            user_id: HOSTILE.to_owned(),
            ..Identity::default()
        },
    }
}

fn skipped() -> TestResult {
    let mut result = run(&greeting(), true, 1);
    result.status = TestStatus::Skipped;
    result.reason = Some("needs the staging catalog".to_owned());
    result.id = TestId(format!("{FILE}#T006"));
    result.turns.clear();
    result.checks.clear();
    result.run = None;
    if let Some(case) = &mut result.case {
        Arc::make_mut(case).id = "T006".to_owned();
    }
    result
}
