//! Plays for tests: an agent, a simulator and a judge that follow scripts, and cases that are led through them.

use ananke_model::plan::Plan;
use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::{RunEvent, RunInfo};
use ananke_serve::spawn::RunningAgent;
use serde_json::{Value, json};

use crate::dispatch::RunOptions;
use crate::judge::{JudgeOptions, Lookup, Recordings, judge};
use crate::redact::placeholders;
use crate::session::FlakyResult;
use crate::testing::{Project, agent, options, run_live};

/// Three agents, and cases in `tests/cases.jsonl`.
pub(super) struct Play {
    // They serve as long as they live.
    _agents: [RunningAgent; 3],
    pub(super) project: Project,
}

impl Play {
    pub(super) async fn new(under_test: Value, simulator: Value, cases: &str) -> Self {
        Self::with_judge(under_test, simulator, says("no verdict"), cases).await
    }

    pub(super) async fn with_judge(
        under_test: Value,
        simulator: Value,
        judge: Value,
        cases: &str,
    ) -> Self {
        let agents = [
            agent(under_test).await,
            agent(simulator).await,
            agent(judge).await,
        ];
        let [under_test, simulator, judge] = agents.each_ref().map(|agent| &agent.url);
        let config = format!(
            "target: {{type: agui, endpoint: \"{under_test}\"}}\n\
            agents:\n  user: {{type: agui, endpoint: \"{simulator}\"}}\n  judge: {{type: agui, endpoint: \"{judge}\"}}\n  \
            nobody: {{type: agui, endpoint: \"http://127.0.0.1:9\"}}\n"
        );
        let project = Project::with_config(&config, &[]);
        std::fs::create_dir(project.path("tests")).unwrap();
        project.write("tests/cases.jsonl", cases);
        Self {
            _agents: agents,
            project,
        }
    }

    /// Writes the cases anew.
    pub(super) fn edit(&self, cases: &str) -> Plan {
        self.project.write("tests/cases.jsonl", cases);
        self.project.plan()
    }

    /// Runs all cases.
    pub(super) async fn run(&self, options: RunOptions) -> Vec<TestResult> {
        run_live(&self.project.plan(), options).await.0
    }

    /// Runs the first case, which judged again gives the same, and shows it.
    pub(super) async fn played(&self) -> String {
        let result = self.run(options()).await.remove(0);
        let plan = self.project.plan();
        for lookup in [Lookup::ById, Lookup::ByConversation] {
            assert_eq!(again(&plan, &result, lookup), result);
        }
        shown(&result)
    }
}

/// Leads one case that has these keys beside its id.
pub(super) async fn played(under_test: Value, simulator: Value, keys: &str) -> String {
    let play = Play::new(under_test, simulator, &case(keys)).await;
    play.played().await
}

/// Returns a case with these keys.
pub(super) fn case(keys: &str) -> String {
    format!("{{\"id\": \"T1\", \"simulator\": {{\"use\": \"user\"}}, {keys}}}\n")
}

/// Judges what a bundle would hold.
pub(super) fn again(plan: &Plan, recorded: &TestResult, lookup: Lookup) -> TestResult {
    let stored = serde_json::to_string(recorded).unwrap();
    let stored: TestResult = serde_json::from_str(&stored).unwrap();
    let options = options();
    let options = JudgeOptions {
        variables: placeholders(&options.redactor, options.variables),
        lookup,
        flaky_result: FlakyResult::Pass,
        min_pass_rate: None,
        info: RunInfo::default(),
        duration_us: 0,
        is_interrupted: false,
    };
    let mut results = Vec::new();
    judge(plan, Recordings::new(vec![stored]), options, &mut |event| {
        if let RunEvent::TestFinished { result, .. } = event {
            results.push(*result);
        }
    });
    results.remove(0)
}

/// An agent that always says the same.
pub(super) fn says(text: &str) -> Value {
    json!({"rules": [{"reply": [{"text": text}]}]})
}

/// A simulator that answers `replies` one after the other, the last one for ever.
pub(super) fn simulates(replies: &[&str]) -> Value {
    let rules = replies.iter().enumerate().map(|(index, reply)| {
        let when = match index + 1 == replies.len() {
            true => json!({}),
            // Told as JSON, whose first turn may be the case's own.
            false => json!({"user_contains": format!("\"turn_number\":{},", index + 1)}),
        };
        json!({"when": when, "reply": [{"text": reply}]})
    });
    json!({"rules": rules.collect::<Vec<_>>()})
}

/// Shows the verdict, what was said, and the checkpoints.
pub(super) fn shown(result: &TestResult) -> String {
    let status = result.status.word();
    let reason = result.reason.as_deref().unwrap_or_default();
    let mut lines = vec![format!("{status} {reason}").trim_end().to_owned()];
    let details = result.reason_details.iter().chain(&result.warnings);
    lines.extend(details.map(|line| format!("  {line}")));
    for (number, judged) in (1..).zip(&result.turns) {
        let turn = &judged.turn;
        let (by, goal) = match &turn.simulated {
            Some(simulated) if simulated.goal_achieved => ("simulator", " (goal)"),
            Some(_) => ("simulator", ""),
            None => ("case", ""),
        };
        let user = turn.user.as_deref().unwrap_or_default();
        lines.push(format!("{number} {by}{goal}: {user} -> {}", turn.text));
    }
    for one in &result.checkpoints {
        let reached = match one.reached_at_turn {
            Some(turn) => format!("turn {turn}"),
            None => "not reached".to_owned(),
        };
        let optional = if one.required { "" } else { " (optional)" };
        let checks = one.checks.iter().map(|check| {
            let event = check
                .event
                .map_or(String::new(), |event| format!(" @{event}"));
            format!(" [{} {:?}{event}]", check.check, check.outcome)
        });
        let checks: String = checks.collect();
        lines.push(format!("{}{optional}: {reached}{checks}", one.id));
    }
    for check in &result.checks {
        lines.push(format!("case: [{} {:?}]", check.check, check.outcome));
    }
    if result.status != TestStatus::Skipped {
        assert_eq!(result.n_turns, result.turns.len());
    }
    lines.join("\n")
}
