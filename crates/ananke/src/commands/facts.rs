//! The machine and the options that mattered, for bundles and reports.

use std::collections::BTreeMap;

use super::load::LoadArgs;
use super::run::{FlakyChoice, HowArgs};
use crate::settings::Environment;

/// The facts that a bundle is judged by again.
pub(crate) const FLAKY_RESULT: &str = "flaky result";
pub(crate) const RUNS: &str = "runs";
pub(crate) const MIN_PASS_RATE: &str = "min pass rate";
pub(crate) const TARGET: &str = "target";
pub(crate) const ALLOW_UNCHECKED: &str = "allow unchecked";

/// Variables in which CI systems name the commit, the branch and the job.
const CI_VARIABLES: [(&str, &[&str]); 3] = [
    (
        "commit",
        &[
            "GITHUB_SHA",
            "CI_COMMIT_SHA",
            "BUILDKITE_COMMIT",
            "CIRCLE_SHA1",
        ],
    ),
    (
        "branch",
        &[
            "GITHUB_REF_NAME",
            "CI_COMMIT_REF_NAME",
            "BUILDKITE_BRANCH",
            "CIRCLE_BRANCH",
        ],
    ),
    (
        "job",
        &["GITHUB_JOB", "CI_JOB_NAME", "BUILDKITE_LABEL", "CIRCLE_JOB"],
    ),
];

/// Returns what is known before a run begins.
pub(crate) fn facts(how: &HowArgs, environment: &Environment) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::from([
        ("os".to_owned(), std::env::consts::OS.to_owned()),
        ("arch".to_owned(), std::env::consts::ARCH.to_owned()),
        ("parallel".to_owned(), how.parallel.to_string()),
    ]);
    if how.runs > 1 {
        facts.insert(RUNS.to_owned(), how.runs.to_string());
    }
    if let Some(percent) = how.min_pass_rate {
        facts.insert(MIN_PASS_RATE.to_owned(), percent.to_string());
    }
    if how.retries > 0 {
        facts.insert("retries".to_owned(), how.retries.to_string());
    }
    if how.flaky_result == Some(FlakyChoice::Fail) {
        facts.insert(FLAKY_RESULT.to_owned(), "fail".to_owned());
    }
    for (fact, names) in CI_VARIABLES {
        let value = names.iter().find_map(|name| environment.get(name));
        facts.extend(value.map(|value| (fact.to_owned(), value.to_owned())));
    }
    facts
}

/// Returns what the user said about the tests that their files do not say.
pub(crate) fn facts_of_tests(args: &LoadArgs) -> BTreeMap<String, String> {
    let target = (!args.targets.is_empty()).then(|| args.targets.join(","));
    let allow_unchecked = args.allow_unchecked.then(|| "yes".to_owned());
    [(TARGET, target), (ALLOW_UNCHECKED, allow_unchecked)]
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
}
