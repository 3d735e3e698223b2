use std::time::Duration;

use ananke_model::plan::{PlannedTest, TestId};
use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::{RunEvent, RunInfo};
use ananke_model::variables::Variables;
use insta::assert_snapshot;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::collect::Collector;
use super::jobs::{Gathering, Job};
use super::repeat::Repeat;
use super::run::Message;
use crate::redact::Redactor;
use crate::session::{not_run, panicked};
use crate::testing::Project;

pub(super) fn test(id: &str) -> PlannedTest {
    let mut plan = Project::new("http://127.0.0.1:1/", &[("t", "turns: [{user: hi}]\n")]).plan();
    let mut test = plan.tests.remove(0);
    test.id = TestId(id.to_owned());
    test
}

fn passed(id: &str) -> TestResult {
    TestResult {
        status: TestStatus::Passed,
        reason: None,
        ..not_run(&test(id), &Variables::default(), "")
    }
}

/// Feeds the collector and renders the events that come out.
async fn collect(ids: &[&str], messages: Vec<(Message, u64)>) -> String {
    let info = RunInfo {
        tests: ids.iter().map(|id| TestId((*id).to_owned())).collect(),
        ..RunInfo::default()
    };
    let (events, mut seen) = mpsc::channel(100);
    let (sender, receiver) = mpsc::channel(100);
    let jobs: Vec<Job> = (0..ids.len()).map(|test| Job { test, run: None }).collect();
    let gathering = Gathering::new(ids.len(), &jobs, Repeat::default());
    let slow_after = Duration::from_secs(60);
    let mut collector = Collector::new(&info, gathering, slow_after, Redactor::none(), events);
    let feed = async move {
        for (message, then_wait_s) in messages {
            sender.send(message).await.unwrap();
            tokio::time::sleep(Duration::from_secs(then_wait_s)).await;
        }
    };
    let cancel = CancellationToken::new();
    tokio::join!(collector.collect(receiver), feed);
    let outcome = collector.finish(&cancel).await;
    let mut lines = Vec::new();
    while let Some(event) = seen.recv().await {
        lines.push(match event {
            RunEvent::TestStarted { id, .. } => format!("started {id}"),
            RunEvent::TestSlow { index, elapsed_ms } => {
                format!("slow {} after {elapsed_ms}ms", ids[index])
            }
            RunEvent::TestFinished { result, .. } => format!("finished {}", result.id),
            RunEvent::RunFinished(summary) => {
                format!("{} of {} passed", summary.passed, summary.total)
            }
            RunEvent::RunStarted(_) | RunEvent::Notice(_) => String::new(),
        });
    }
    assert!(!outcome.unreached);
    lines.join("\n")
}

#[tokio::test(start_paused = true)]
async fn results_leave_in_plan_order_and_slow_tests_are_told_each_minute() {
    let finished = |index: usize, id: &str| Message::Finished(index, Box::new(passed(id)));
    let messages = vec![
        (Message::Started(0), 0),
        (Message::Started(1), 0),
        (finished(1, "b"), 130),
        (Message::Started(2), 0),
        (finished(0, "a"), 0),
        (finished(2, "c"), 0),
    ];
    assert_snapshot!(collect(&["a", "b", "c"], messages).await, @r"
    started a
    started b
    slow a after 60000ms
    slow a after 120000ms
    started c
    finished a
    finished b
    finished c
    3 of 3 passed
    ");
}

#[test]
fn a_panic_is_the_error_of_its_test() {
    let panic = std::panic::catch_unwind(|| panic!("index out of range")).unwrap_err();
    let failed = panicked(&test("a"), &Variables::default(), panic.as_ref());
    assert_eq!(failed.status, TestStatus::Error);
    assert_snapshot!(
        failed.reason.unwrap_or_default(),
        @"ananke panicked in this test, which is a bug in ananke: index out of range"
    );
}
