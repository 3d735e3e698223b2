//! Projects, agents and runs for tests, written as text.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ananke_model::case::{Attachment, Case, Messages};
use ananke_model::place::{Json, Place};
use ananke_model::plan::{Plan, TestId, TurnAction};
use ananke_model::result::TestResult;
use ananke_model::run_event::{RunEvent, RunInfo, Summary};
use ananke_model::variables::Variables;
use ananke_protocol::http::Proxies;
use ananke_serve::agent::ScriptAgent;
use ananke_serve::script::Script;
use ananke_serve::spawn::RunningAgent;
use ananke_suite::{Asking, LoadRequest, load};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::dispatch::{RunOptions, run};
use crate::redact::Secrets;
use crate::session::FlakyResult;

/// Files of a project, in a folder that lives as long as the value.
#[derive(Debug)]
pub(crate) struct Project(TempDir);

impl Project {
    /// Writes a config with one target, and tests without their `version` and `name`.
    pub(crate) fn new(url: &str, tests: &[(&str, &str)]) -> Self {
        let target = format!("target: {{type: agui, endpoint: \"{url}\"}}\n");
        Self::with_config(&target, tests)
    }

    /// Writes a config without its `version`, and tests without their `version` and `name`.
    pub(crate) fn with_config(config: &str, tests: &[(&str, &str)]) -> Self {
        let project = Self(TempDir::new().unwrap());
        project.write("ananke.config.yaml", &format!("version: 1\n{config}"));
        for (id, test) in tests {
            project.test(id, test);
        }
        project
    }

    /// Writes a test, or writes it anew.
    pub(crate) fn test(&self, id: &str, test: &str) {
        let file = format!("{id}.test.yaml");
        self.write(&file, &format!("version: 1\nname: the {id} test\n{test}"));
    }

    /// Removes a test.
    pub(crate) fn remove(&self, id: &str) {
        std::fs::remove_file(self.0.path().join(format!("{id}.test.yaml"))).unwrap();
    }

    /// Writes any file.
    pub(crate) fn write(&self, file: &str, text: &str) {
        std::fs::write(self.path(file), text).unwrap();
    }

    /// Returns where a file is.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    /// Loads all tests, and makes a case of the first of them that sends `messages` and these files, each with its message
    /// and part.
    pub(crate) fn case(&self, messages: Value, files: &[(&str, usize, usize)]) -> Plan {
        let mut plan = self.plan();
        let test = &mut plan.tests[0];
        let attachments = files.iter().map(|(file, message, part)| Attachment {
            message: *message,
            part: *part,
            path: self.path(file),
            shown: (*file).to_owned(),
            place: Place::file("cases.jsonl"),
        });
        let case = Case {
            id: "T001".to_owned(),
            input: messages.clone(),
            n_messages: messages.as_array().map_or(1, Vec::len),
            ..Case::default()
        };
        test.id = TestId("cases.jsonl#T001".to_owned());
        test.case = Some(Arc::new(case));
        test.turns[0].action = TurnAction::Messages(Messages {
            list: Json {
                value: messages,
                place: Place::file("cases.jsonl"),
            },
            attachments: attachments.collect(),
        });
        plan
    }

    /// Loads all tests.
    pub(crate) fn plan(&self) -> Plan {
        self.plan_with(&variables())
    }

    /// Loads all tests with these values.
    pub(crate) fn plan_with(&self, variables: &Variables) -> Plan {
        let loaded = load(&LoadRequest {
            cwd: self.0.path(),
            inputs: &[],
            config: None,
            targets: &[],
            variables,
            allow_unchecked: true,
            update_snapshots: ananke_model::check::SnapshotUpdate::None,
            asking: Asking::default(),
            find_tests: ananke_script::find_tests,
            find_functions: ananke_script::find_functions,
            timeout_given: false,
            goes_on: false,
        });
        let problems: Vec<String> = loaded
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.is_error())
            .map(|diagnostic| format!("{:?}: {}", diagnostic.place, diagnostic.message))
            .collect();
        assert!(problems.is_empty(), "{problems:#?}");
        loaded.plan
    }
}

/// Returns the variables of all runs.
pub(crate) fn variables() -> Variables {
    let mut variables = Variables::default();
    let given = ("SHOP".to_owned(), Value::from("Corner"));
    variables.variables.extend([given]);
    variables
}

/// Serves an agent that follows a script.
pub(crate) async fn agent(script: Value) -> RunningAgent {
    let script: Script = serde_json::from_value(script).unwrap();
    let agent = Arc::new(ScriptAgent::new(script));
    RunningAgent::start(agent).await.unwrap()
}

/// Returns options that a test can begin with.
pub(crate) fn options() -> RunOptions {
    RunOptions {
        parallel: 8,
        runs: 1,
        min_pass_rate: None,
        fail_fast: false,
        retries: 0,
        flaky_result: FlakyResult::Pass,
        rate_limit: None,
        backoff: None,
        test_timeout: Duration::from_secs(30),
        slow_after: Duration::from_secs(60),
        variables: variables(),
        proxies: Proxies::default(),
        unix_ms: || 1_794_743_633_000,
        info: RunInfo {
            started_at_ms: 1_794_743_633_000,
            ..RunInfo::default()
        },
        redactor: Secrets::default().redactor(),
        cwd: PathBuf::from("/"),
        coverage: false,
    }
}

/// Runs a plan; returns the results in plan order, and the totals.
pub(crate) async fn run_live(plan: &Plan, options: RunOptions) -> (Vec<TestResult>, Summary) {
    run_until(plan, options, CancellationToken::new()).await
}

/// Runs a plan that `cancel` may interrupt.
pub(crate) async fn run_until(
    plan: &Plan,
    options: RunOptions,
    cancel: CancellationToken,
) -> (Vec<TestResult>, Summary) {
    let (sender, mut events) = mpsc::channel(10_000);
    let outcome = run(plan.clone(), options, sender, cancel).await;
    let mut results = Vec::new();
    while let Some(event) = events.recv().await {
        if let RunEvent::TestFinished { index, result } = event {
            assert_eq!(index, results.len());
            results.push(*result);
        }
    }
    (results, outcome.summary)
}

/// Shows results: status, reason, what was judged, warnings; attempts before them first.
pub(crate) fn shown<'a>(results: impl IntoIterator<Item = &'a TestResult>) -> String {
    let mut lines = Vec::new();
    for result in results {
        for (number, earlier) in (1..).zip(&result.earlier) {
            lines.push(format!(
                "{} attempt {number}: {}",
                result.name,
                one(earlier)
            ));
        }
        let flaky = if result.flaky { " (flaky)" } else { "" };
        lines.push(format!("{}: {}{flaky}", result.name, one(result)));
        let details = result.reason_details.iter().chain(&result.warnings);
        let turn_warnings = result.turns.iter().flat_map(|judged| &judged.turn.warnings);
        lines.extend(
            details
                .chain(turn_warnings)
                .map(|line| format!("    {line}")),
        );
    }
    lines.join("\n")
}

fn one(result: &TestResult) -> String {
    let status = result.status.word();
    let reason = result.reason.iter().map(|reason| format!(" {reason}"));
    let failed = result.all_checks().filter(|check| check.is_failure());
    let failed = failed.map(|check| format!(" [{} {}]", check.check, check.subject));
    let why: String = reason.chain(failed).collect();
    let n_checks = result.all_checks().count();
    let n_turns = result.turns.len();
    format!("{status}{why} · {n_turns} turns, {n_checks} checks")
}
