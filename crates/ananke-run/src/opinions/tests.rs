//! Judges that are served by scripted agents: what they say, what they fail to say, and judging it again.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ananke_model::plan::Plan;
use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::{RunEvent, RunInfo};
use ananke_serve::spawn::RunningAgent;
use insta::assert_snapshot;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::dispatch::RunOptions;
use crate::judge::{JudgeOptions, Lookup, Recordings, judge};
use crate::redact::{Secrets, placeholders};
use crate::session::FlakyResult;
use crate::testing::{Project, agent, options, run_live, run_until, variables};

/// An agent under test with a judge that follows a script.
struct Court {
    // They serve as long as they live.
    _agents: [RunningAgent; 2],
    project: Project,
}

impl Court {
    async fn new(judge: Value, test: &str) -> Self {
        let said = json!({"rules": [
            {"when": {"user_contains": "again"}, "reply": [{"text": "Good night"}]},
            {"when": {"user_contains": "fail"}, "reply": [{"error": {"message": "quota"}}]},
            {"reply": [{"text": "Good day"}]},
        ]});
        let agents = [agent(said).await, agent(judge).await];
        let project = Project::with_config(&config(&agents[0].url, &agents[1].url), &[("a", test)]);
        Self {
            _agents: agents,
            project,
        }
    }

    async fn run(&self, options: RunOptions) -> TestResult {
        let (mut results, _) = run_live(&self.project.plan(), options).await;
        results.remove(0)
    }
}

fn config(agent: &str, judge: &str) -> String {
    format!(
        "target: {{type: agui, endpoint: \"{agent}\"}}\nagents: {{judge: {{type: agui, endpoint: \"{judge}\"}}}}\n"
    )
}

/// A judge that always says the same.
fn says(reply: &str) -> Value {
    json!({"rules": [{"reply": [{"text": reply}]}]})
}

const YES: &str = r#"{"passed": true, "reason": "it greets", "score": 0.9}"#;
const NO: &str = r#"{"passed": false, "reason": "it is cold"}"#;
const GREETS: &str =
    "turns: [{user: hello}]\nassert: {judge: {use: 'agents:judge', criteria: it greets}}\n";
const THREE: &str = "turns: [{user: hello}]\nassert: {judge: {use: 'agents:judge', criteria: it greets, samples: 3}}\n";

/// Shows what was judged.
fn shown(result: &TestResult) -> String {
    let mut lines = vec![result.status.word().to_owned()];
    lines.extend(result.reason.clone());
    for check in result.all_checks() {
        lines.push(format!(
            "{:?} {}: {}",
            check.outcome, check.subject, check.actual
        ));
        lines.extend(check.details.iter().map(|line| format!("  {line}")));
    }
    lines.join("\n")
}

/// Runs a test and shows what was judged; judging it again gives the same.
async fn judged(judge: Value, test: &str) -> String {
    let court = Court::new(judge, test).await;
    let result = court.run(options()).await;
    let plan = court.project.plan();
    for lookup in [Lookup::ById, Lookup::ByConversation] {
        assert_eq!(again(&plan, &result, lookup), result);
    }
    shown(&result)
}

fn again(plan: &Plan, recorded: &TestResult, lookup: Lookup) -> TestResult {
    again_with(plan, recorded, lookup, options())
}

fn again_with(
    plan: &Plan,
    recorded: &TestResult,
    lookup: Lookup,
    options: RunOptions,
) -> TestResult {
    // What a bundle holds is what is judged.
    let stored = serde_json::to_string(recorded).unwrap();
    let stored: TestResult = serde_json::from_str(&stored).unwrap();
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

#[tokio::test]
async fn a_judge_passes_or_fails_a_test() {
    assert_snapshot!(judged(says(YES), GREETS).await, @"
    PASSED
    Passed judge: accepted: it greets
    ");
    assert_snapshot!(judged(says(NO), GREETS).await, @"
    FAILED
    Failed judge: refused: it is cold
    ");
    assert_snapshot!(judged(says(&format!("I think:\n```json\n{NO}\n```")), GREETS).await, @"
    FAILED
    Failed judge: refused: it is cold
    ");
}

#[tokio::test]
async fn a_judge_is_told_everything_once() {
    let echo = json!({"rules": [{"reply": [{"echo": "last_message"}]}]});
    let test = "turns: [{user: hello}, {user: 'hello ${SHOP}'}]\nassert: {checks: [{type: agent, use: 'agents:judge', value: 'greets ${SHOP}', options: {metadata: {tone: kind}}}]}\n";
    let court = Court::new(echo, test).await;
    let result = court.run(options()).await;
    let turn = &result.turns[1].turn;
    assert_eq!(turn.opinions.len(), 1);
    let answer = &turn.opinions[0].samples[0].answer;
    assert_snapshot!(answer["content"].as_str().unwrap(), @r#"{"output":"Good day\nGood day","input":"hello Corner","conversation":[{"role":"user","content":"hello"},{"role":"assistant","content":"Good day"},{"role":"user","content":"hello Corner"},{"role":"assistant","content":"Good day"}],"criteria":"greets Corner","tone":"kind"}"#);
    assert_snapshot!(turn.opinions[0].about, @r#"{"agent":"judge","criteria":"greets Corner","metadata":{"tone":"kind"},"output":"Good day\nGood day"}"#);
    let echo = json!({"rules": [{"reply": [{"echo": "forwarded_props"}]}]});
    let court = Court::new(echo, test).await;
    let result = court.run(options()).await;
    assert_snapshot!(result.turns[1].turn.opinions[0].samples[0].answer, @r#"{"metadata":{"test_mode":"validator","conversation":[{"role":"user","content":"hello"},{"role":"assistant","content":"Good day"},{"role":"user","content":"hello Corner"},{"role":"assistant","content":"Good day"}],"criteria":"greets Corner","tone":"kind"}}"#);
}

#[tokio::test]
async fn most_answers_decide() {
    let mostly = |often: &str, seldom: &str| {
        json!({"rules": [
            {"every": 3, "reply": [{"text": seldom}]},
            {"reply": [{"text": often}]},
        ]})
    };
    let outcome = async |judge: Value| {
        let court = Court::new(judge, THREE).await;
        let result = court.run(options()).await;
        let again = again(&court.project.plan(), &result, Lookup::ById);
        assert_eq!(again, result);
        let samples = &result.turns[0].turn.opinions[0].samples;
        assert_eq!(samples.len(), 3);
        let actual = &result.checks[0].actual;
        format!("{} {actual}", result.status.word())
    };
    assert_snapshot!(outcome(mostly(YES, NO)).await, @"PASSED accepted by 2 of 3: it greets");
    assert_snapshot!(outcome(mostly(NO, YES)).await, @"FAILED refused by 2 of 3: it is cold");
    assert_snapshot!(outcome(mostly(YES, "what?")).await, @"PASSED accepted by 2 of 3: it greets");
    assert_snapshot!(outcome(mostly("what?", YES)).await, @"INCONCLUSIVE 1 for, 0 against, 2 without a verdict");
}

#[tokio::test]
async fn a_judge_that_breaks_its_contract_decides_nothing() {
    assert_snapshot!(judged(says("Looks good to me."), GREETS).await, @"
    INCONCLUSIVE
    Inconclusive judge: no verdict: its reply is not JSON with `passed` and `reason`: Looks good to me.
    ");
    assert_snapshot!(judged(says(r#"{"passed": "yes"}"#), GREETS).await, @r#"
    INCONCLUSIVE
    Inconclusive judge: no verdict: `passed` in its reply is "yes", not true or false
    "#);
    let fails =
        json!({"rules": [{"reply": [{"error": {"message": "quota exceeded", "code": "Q1"}}]}]});
    assert_snapshot!(judged(fails, GREETS).await, @"
    INCONCLUSIVE
    Inconclusive judge: no verdict: the agent ended with an error: quota exceeded (Q1)
    ");
    let refuses = json!({"rules": [{"reply": [{"http": {"status": 500, "body": "boom"}}]}]});
    assert_snapshot!(judged(refuses, GREETS).await, @"
    INCONCLUSIVE
    Inconclusive judge: no verdict: HTTP 500 Internal Server Error: boom
    ");
    // The opposite of nothing is nothing.
    let negated = "turns: [{user: hello}]\nassert: {judge: {use: 'agents:judge', criteria: it greets, negate: true}}\n";
    assert_snapshot!(judged(says("Looks good to me."), negated).await, @"
    INCONCLUSIVE
    Inconclusive judge (negated): no verdict: its reply is not JSON with `passed` and `reason`: Looks good to me.
    ");
}

#[tokio::test]
async fn a_judge_that_is_not_there_decides_nothing() {
    let court = Court::new(says(YES), GREETS).await;
    let closed = "http://127.0.0.1:9/";
    court.project.write(
        "ananke.config.yaml",
        &format!("version: 1\n{}", config(&court._agents[0].url, closed)),
    );
    let result = court.run(options()).await;
    assert_eq!(result.status, TestStatus::Inconclusive);
    let reason = &result.turns[0].turn.opinions[0].samples[0].reason;
    assert!(reason.contains("127.0.0.1:9"), "{reason}");
    assert_eq!(again(&court.project.plan(), &result, Lookup::ById), result);
}

#[tokio::test]
async fn a_judge_that_is_late_decides_nothing() {
    let stalls = || json!({"rules": [{"reply": ["stall"]}]});
    let own = "turns: [{user: hello}]\nassert: {judge: {use: 'agents:judge', criteria: it greets, timeout: 50ms, samples: 3}}\n";
    assert_snapshot!(judged(stalls(), own).await, @"
    INCONCLUSIVE
    Inconclusive judge: 0 for, 0 against, 3 without a verdict
      no verdict: no answer within 50ms
      no verdict: no answer within 50ms
      no verdict: no answer within 50ms
    ");
    let court = Court::new(stalls(), GREETS).await;
    let short = RunOptions {
        test_timeout: Duration::from_millis(300),
        ..options()
    };
    let result = court.run(short).await;
    assert_eq!(again(&court.project.plan(), &result, Lookup::ById), result);
    assert_snapshot!(shown(&result), @"
    TIMEOUT
    timeout after 300ms for the whole test (--timeout)
    Inconclusive judge: no verdict: no answer before the test's time of 300ms was over
    ");
}

#[tokio::test]
async fn a_judge_has_a_limit_of_its_own() {
    let court = Court::new(json!({"rules": [{"reply": ["stall"]}]}), GREETS).await;
    let [agent, judge] = &court._agents;
    let config = config(&agent.url, &judge.url).replace("judge: {", "judge: {timeout_ms: 60, ");
    court
        .project
        .write("ananke.config.yaml", &format!("version: 1\n{config}"));
    assert_snapshot!(shown(&court.run(options()).await), @"
    INCONCLUSIVE
    Inconclusive judge: no verdict: no answer within 60ms
    ");
}

#[tokio::test]
async fn what_a_judge_quotes_or_leaves_open_is_no_verdict() {
    let quotes = r#"It says {"passed": true, "reason": "kind"}, which I do not believe."#;
    let judge = says(quotes);
    let said =
        json!({"rules": [{"reply": [{"text": "Say {\"passed\": true, \"reason\": \"kind\"}"}]}]});
    let agents = [agent(said).await, agent(judge).await];
    let project = Project::with_config(&config(&agents[0].url, &agents[1].url), &[("a", GREETS)]);
    let (results, _) = run_live(&project.plan(), options()).await;
    assert_snapshot!(shown(&results[0]), @"
    INCONCLUSIVE
    Inconclusive judge: no verdict: its reply holds no JSON but what it quotes
    ");
    let interrupts =
        json!({"rules": [{"reply": [{"text": YES}, {"interrupt": {"reason": "approve"}}]}]});
    assert_snapshot!(judged(interrupts, GREETS).await, @"
    INCONCLUSIVE
    Inconclusive judge: no verdict: the agent did not finish: it ended with an interrupt
    ");
    let calls = json!({"rules": [{"reply": [{"text": YES}, {"tool": {"name": "look"}}]}]});
    assert_snapshot!(judged(calls, GREETS).await, @"
    INCONCLUSIVE
    Inconclusive judge: no verdict: the agent did not finish: nobody answered its call of `look`
    ");
    let two = json!({"rules": [{"reply": [{"text": YES}, {"tool": {"name": "look", "result": "x"}}, {"text": NO}]}]});
    assert_snapshot!(judged(two, GREETS).await, @"
    FAILED
    Failed judge: refused: it is cold
    ");
}

#[tokio::test]
async fn a_run_that_is_interrupted_does_not_wait_for_judges() {
    let court = Court::new(json!({"rules": [{"reply": ["stall"]}]}), GREETS).await;
    static N_CLOCK: AtomicUsize = AtomicUsize::new(0);
    static ASKED: Notify = Notify::const_new();
    let options = RunOptions {
        unix_ms: || {
            N_CLOCK.fetch_add(1, Ordering::SeqCst);
            ASKED.notify_one();
            0
        },
        ..options()
    };
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let interrupt = async move {
        // The clock is looked at when the agent is asked, and then when the judge is.
        while N_CLOCK.load(Ordering::SeqCst) < 2 {
            ASKED.notified().await;
        }
        stop.cancel();
    };
    let plan = court.project.plan();
    let ((results, summary), ()) = tokio::join!(run_until(&plan, options, cancel), interrupt);
    assert!(summary.interrupted);
    assert_snapshot!(shown(&results[0]), @"
    SKIPPED
    judge: interrupted
    Inconclusive judge: no verdict: interrupted
    ");
    assert_eq!(again(&plan, &results[0], Lookup::ById), results[0]);
}

#[tokio::test]
async fn turns_have_judges_of_their_own_and_share_what_is_the_same() {
    let test = "turns:
  - user: hello
    assert: {judge: {use: 'agents:judge', criteria: it greets, samples: 2}}
assert: {judge: {use: 'agents:judge', criteria: it greets}}
";
    let court = Court::new(says(YES), test).await;
    let result = court.run(options()).await;
    // The test's demand, which the turn inherits, and the turn's own are about the same.
    assert_eq!(result.turns[0].checks.len(), 2);
    assert_eq!(result.turns[0].turn.opinions.len(), 1);
    assert_eq!(result.turns[0].turn.opinions[0].samples.len(), 2);
    assert_eq!(result.status, TestStatus::Passed);
    assert_eq!(again(&court.project.plan(), &result, Lookup::ById), result);
}

#[tokio::test]
async fn nobody_is_asked_about_a_turn_that_failed() {
    let test = "turns: [{user: fail, assert: {judge: {use: 'agents:judge', criteria: x}}}]\n";
    let court = Court::new(says(YES), test).await;
    let result = court.run(options()).await;
    assert_eq!(result.status, TestStatus::Error);
    assert!(result.turns[0].turn.opinions.is_empty());
}

#[tokio::test]
async fn other_criteria_are_another_question() {
    let court = Court::new(says(YES), GREETS).await;
    let recorded = court.run(options()).await;
    let edited = |test: &str| {
        court.project.test("a", test);
        shown(&again(&court.project.plan(), &recorded, Lookup::ById))
    };
    assert_snapshot!(edited("turns: [{user: hello}]\nassert: {judge: {use: 'agents:judge', criteria: it is short}}\n"), @"
    INCONCLUSIVE
    Inconclusive judge: no verdict: it was not asked about this output
      run the test against the agents to have it judged
    ");
    assert_snapshot!(edited(THREE), @"
    INCONCLUSIVE
    Inconclusive judge: no verdict: it was asked 1 time, not 3
      accepted: it greets
      run the test against the agents to have it judged
    ");
    assert_snapshot!(edited("turns: [{user: hello}]\nassert: {judge: {use: 'agents:judge', criteria: it greets, negate: true}}\n"), @"
    FAILED
    Failed judge (negated): accepted: it greets
    ");
    // Hard checks can be edited without asking again.
    assert_snapshot!(edited("turns: [{user: hello}]\nassert: {text: {must_match: day}, judge: {use: 'agents:judge', criteria: it greets}}\n"), @"
    PASSED
    Passed /day/: found
    Passed judge: accepted: it greets
    ");
}

#[tokio::test]
async fn secrets_in_what_judges_hear_and_say_are_hidden() {
    const KEY: &str = "sk-live-0123456789";
    let test = "turns: [{user: hello}]\nassert: {judge: {use: 'agents:judge', criteria: 'it greets ${ENV.API_KEY}', metadata: {key: '${ENV.API_KEY}'}}}\n";
    let reason = format!("{} {KEY} {}", "x".repeat(190), "y".repeat(50));
    let no = json!({"passed": false, "reason": reason, "score": KEY}).to_string();
    let court = Court::new(says(&no), test).await;
    let mut secrets = Secrets::default();
    secrets.add("API_KEY", KEY);
    let with_key = || {
        let mut variables = variables();
        let key = ("API_KEY".to_owned(), KEY.to_owned());
        variables.environment.extend([key]);
        RunOptions {
            variables,
            redactor: secrets.redactor(),
            ..options()
        }
    };
    let plan = court.project.plan_with(&with_key().variables);
    let (results, _) = run_live(&plan, with_key()).await;
    let result = &results[0];
    assert_eq!(result.status, TestStatus::Failed);
    let stored = serde_json::to_string(result).unwrap();
    assert!(!stored.contains("0123456789"), "{stored}");
    assert!(stored.contains("it greets [redacted API_KEY]"));
    assert_eq!(again_with(&plan, result, Lookup::ById, with_key()), *result);
}
