//! What several runs say about a test, as a row of a table and as lines below its heading.

use ananke_model::result::{TestResult, TestStatus};

use super::span::{cell, code};
use crate::duration::duration;
use crate::excerpt::PLAIN;
use crate::page::Page;
use crate::stability::Stability;

/// How much is shown of an id.
const ID_CHARS: usize = 100;

/// How much is shown of what differs.
const DIFFERENCE_CHARS: usize = 600;

/// Runs beyond these are only counted.
const MOST_RUNS: usize = 100;

/// The head of the table.
pub(super) const HEAD: &str = "| Test | Passed | Pass Rate | Class | Consistency | 95% Interval | Average | Shortest | Longest | Deviation |\n\
     | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";

/// Returns the row of a test.
pub(super) fn row(result: &TestResult, stability: &Stability) -> String {
    let id = cell(result.short_id(), ID_CHARS);
    let Stability { passed, runs, .. } = stability;
    format!(
        "| {id} | {passed}/{runs} | {:.1}% | {} | {:.2} | {} | {} | {} | {} | {} |\n",
        stability.pass_rate,
        stability.class.words(),
        stability.consistency,
        interval(stability),
        duration(stability.avg_us, &PLAIN),
        duration(stability.min_us, &PLAIN),
        duration(stability.max_us, &PLAIN),
        deviation(stability),
    )
}

/// Writes what the runs of a test came to, and where they part.
pub(super) fn lines(page: &mut Page, result: &TestResult, stability: &Stability) {
    let Stability { passed, runs, .. } = stability;
    page.line(format_args!(
        "- **{}**: {passed} of {runs} runs passed ({:.1}%), consistency {:.2}, 95% interval {}, pass^{runs} {:.4}",
        stability.class.words(),
        stability.pass_rate,
        stability.consistency,
        interval(stability),
        stability.pass_k.last().copied().unwrap_or_default(),
    ));
    page.line(format_args!(
        "- Average {}, {} to {}, deviation {}",
        duration(stability.avg_us, &PLAIN),
        duration(stability.min_us, &PLAIN),
        duration(stability.max_us, &PLAIN),
        deviation(stability),
    ));
    let all = result.runs();
    let marks: Vec<&str> = all
        .iter()
        .take(MOST_RUNS)
        .map(|run| mark(run.status))
        .collect();
    let more = match all.len().saturating_sub(MOST_RUNS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    page.line(format_args!("- Runs: {}{more}", marks.join(" ")));
    if let Some(difference) = &stability.first_difference {
        let words = code(&difference.text, DIFFERENCE_CHARS);
        page.line(format_args!("- First difference: {words}"));
    }
    page.gap();
}

/// Returns the symbol of a status.
pub(super) fn mark(status: TestStatus) -> &'static str {
    match status {
        TestStatus::Passed => "✅",
        TestStatus::Failed | TestStatus::Error | TestStatus::Timeout => "❌",
        TestStatus::Inconclusive => "❔",
        TestStatus::Skipped => "⏭️",
    }
}

fn interval(stability: &Stability) -> String {
    let interval = &stability.wilson;
    format!("{:.1}% to {:.1}%", interval.low, interval.high)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from a float saturates"
)]
fn deviation(stability: &Stability) -> String {
    duration(stability.std_deviation_us as u64, &PLAIN)
}
