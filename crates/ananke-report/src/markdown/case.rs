//! What a case asked and got, as a list below its heading.

use ananke_model::case::Identity;
use ananke_model::result::{CheckResult, Outcome, TestResult};

use super::dynamic::{checkpoints, samples};
use super::span::code;
use crate::asked;
use crate::asking::asking_otherwise;
use crate::count::count;
use crate::dynamic::{is_dynamic, progress};
use crate::page::Page;
use crate::reasons::{Unmet, output};

/// Checks beyond these are counted.
const MOST_CHECKS: usize = 50;

/// How much of one text is shown.
#[derive(Clone, Copy, Debug)]
pub(super) enum Room {
    /// For a test that is shown in full.
    Wide,
    /// For a test of which a glance is enough.
    Narrow,
}

impl Room {
    fn chars(self) -> usize {
        match self {
            Self::Wide => 600,
            Self::Narrow => 200,
        }
    }
}

/// Writes who asked what, what came back, and every assertion; nothing for a test that is no case.
pub(super) fn case(page: &mut Page, result: &TestResult, run: Option<&Identity>, room: Room) {
    let Some(case) = &result.case else {
        return;
    };
    let limit = room.chars();
    let mut item = |name: &str, value: &str| {
        page.line(format_args!("- {name}: {}", code(value, limit)));
    };
    item("File", &result.file);
    if !case.input.is_null() || !is_dynamic(result) {
        item("Input", &asked::lines(&case.input));
    }
    if is_dynamic(result) {
        item("Dynamic", &progress(result));
    } else if !result.turns.is_empty() {
        item("Output", &output(result));
    }
    if let Some(expected) = &case.expected {
        item("Expected", &expected.to_string());
    }
    if let Some(connector) = &result.connector {
        item("Connector", connector);
    }
    for (name, value) in asking_otherwise(result, run) {
        item(name, &value);
    }
    if !case.metadata.is_empty() {
        let metadata = serde_json::Value::Object(case.metadata.clone());
        item("Metadata", &metadata.to_string());
    }
    checkpoints(page, result, limit);
    let of_turns = result.turns.iter().flat_map(|judged| &judged.checks);
    let checks: Vec<&CheckResult> = of_turns.chain(&result.checks).collect();
    let n_checks = checks.len();
    for one in checks.into_iter().take(MOST_CHECKS) {
        check(page, one, limit);
        samples(page, &one.samples, limit);
    }
    if n_checks > MOST_CHECKS {
        let more = count(n_checks - MOST_CHECKS, "more assertion");
        page.line(format_args!("- {more}"));
    }
    page.gap();
}

fn check(page: &mut Page, check: &CheckResult, limit: usize) {
    let mark = match check.outcome {
        Outcome::Passed => "✅",
        Outcome::Failed => "❌",
        Outcome::Inconclusive => "❔",
    };
    let kind = code(&check.check, limit);
    let subject = match check.subject.as_str() {
        "" => String::new(),
        subject => format!(" {}", code(subject, limit)),
    };
    if check.outcome == Outcome::Passed {
        page.line(format_args!("- {mark} {kind}{subject}"));
        return;
    }
    let unmet = Unmet { turn: None, check };
    let plainly = match unmet.plainly() {
        Some(sentence) => format!(" {};", code(sentence, limit)),
        None => String::new(),
    };
    page.line(format_args!(
        "- {mark} {kind}{subject}:{plainly} expected {}, got {}",
        code(&check.expected, limit),
        code(&check.actual, limit)
    ));
}
