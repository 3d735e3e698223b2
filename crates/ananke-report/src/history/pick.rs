//! Finds the test that a user means, by id, by name, or by a part of either that only one test has.

use std::fmt;

use ananke_model::result::TestResult;

/// Why no single test was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickError {
    /// What was asked for.
    wanted: String,
    /// Whether several tests match, or none.
    is_ambiguous: bool,
    /// The tests that it may have been, as `id (name)`.
    pub candidates: Vec<String>,
}

impl fmt::Display for PickError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wanted, .. } = self;
        if self.is_ambiguous {
            let n_tests = self.candidates.len();
            write!(f, "`{wanted}` could be any of {n_tests} tests")
        } else {
            write!(f, "no test of this run has `{wanted}` in its id or name")
        }
    }
}

impl std::error::Error for PickError {}

/// Returns the test that `wanted` means; of several results of one test, the last.
pub fn pick<'a>(results: &'a [TestResult], wanted: &str) -> Result<&'a TestResult, PickError> {
    let exact =
        |result: &&TestResult| [&result.id.0, result.short_id(), &result.name].contains(&wanted);
    let folded = wanted.to_lowercase();
    let partial = |result: &&TestResult| {
        let holds = |text: &str| text.to_lowercase().contains(&folded);
        !folded.is_empty() && (holds(&result.id.0) || holds(&result.name))
    };
    let exact: Vec<&TestResult> = results.iter().filter(exact).collect();
    let found = if exact.is_empty() {
        results.iter().filter(partial).collect()
    } else {
        exact
    };
    match found.split_last() {
        Some((last, others)) if others.iter().all(|other| other.id == last.id) => Ok(last),
        Some(_) => Err(PickError {
            wanted: wanted.to_owned(),
            is_ambiguous: true,
            candidates: candidates(&found),
        }),
        None => Err(PickError {
            wanted: wanted.to_owned(),
            is_ambiguous: false,
            candidates: candidates(&results.iter().collect::<Vec<_>>()),
        }),
    }
}

fn candidates(results: &[&TestResult]) -> Vec<String> {
    let mut candidates: Vec<String> = Vec::new();
    for result in results {
        let candidate = format!("{} ({})", result.id, result.name);
        if !candidates.contains(&candidate) {
            candidates.push(candidate);
        }
    }
    candidates
}
