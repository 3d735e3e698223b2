use std::sync::{Arc, Mutex};
use std::time::Duration;

use ananke_model::plan::PlannedTest;
use insta::assert_snapshot;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{Pace, Rate, RateLimit};
use crate::testing::Project;

/// One test for each letter: `a` talks to `limited` (2 at once), `b` to `other`, `c` and `d` share a group (1 at once).
fn tests(letters: &str) -> Vec<PlannedTest> {
    let target = "type: agui, endpoint: 'http://localhost'";
    let config = format!(
        "targets:\n  a: {{{target}, concurrency: 2}}\n  b: {{{target}}}\n  c: {{{target}, group: g, concurrency: 5}}\n  d: {{{target}, group: g, concurrency: 1}}\n"
    );
    let tests: Vec<(String, String)> = (0..)
        .zip(letters.chars())
        .map(|(number, letter)| {
            let text = format!("target: {letter}\nturns: [{{user: hi}}]\n");
            (format!("{number}"), text)
        })
        .collect();
    let tests: Vec<(&str, &str)> = tests
        .iter()
        .map(|(id, text)| (id.as_str(), text.as_str()))
        .collect();
    Project::with_config(&config, &tests).plan().tests
}

/// Lets workers run tests of a second each; shows what began at which second.
async fn schedule(letters: &str, parallel: usize) -> String {
    let pace = Arc::new(Pace::new(&tests(letters), parallel));
    let begun: Arc<Mutex<Vec<(u64, usize)>>> = Arc::default();
    let start = Instant::now();
    let mut workers = JoinSet::new();
    for _ in 0..parallel {
        let (pace, begun) = (Arc::clone(&pace), Arc::clone(&begun));
        workers.spawn(async move {
            let cancel = CancellationToken::new();
            while let Some(running) = pace.next_test(&cancel).await {
                let at = start.elapsed().as_secs();
                begun.lock().unwrap().push((at, running.index));
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
    }
    while workers.join_next().await.is_some() {}
    let mut begun = begun.lock().unwrap().clone();
    begun.sort_unstable();
    let mut lines: Vec<String> = Vec::new();
    for second in 0..=begun.last().unwrap().0 {
        let these = begun.iter().filter(|(at, _)| *at == second);
        let these: String = these
            .map(|(_, index)| format!(" {index}{}", letters.chars().nth(*index).unwrap()))
            .collect();
        lines.push(format!("{second}s:{these}"));
    }
    lines.join("\n")
}

#[tokio::test(start_paused = true)]
async fn without_limits_tests_begin_in_plan_order() {
    assert_snapshot!(schedule("bbbbb", 2).await, @"
    0s: 0b 1b
    1s: 2b 3b
    2s: 4b
    ");
}

#[tokio::test(start_paused = true)]
async fn a_full_group_holds_up_nobody_else() {
    assert_snapshot!(schedule("aaaaabb", 4).await, @"
    0s: 0a 1a 5b 6b
    1s: 2a 3a
    2s: 4a
    ");
}

#[tokio::test(start_paused = true)]
async fn targets_of_one_group_share_the_smallest_limit() {
    assert_snapshot!(schedule("cdcab", 8).await, @"
    0s: 0c 3a 4b
    1s: 1d
    2s: 2c
    ");
}

#[tokio::test(start_paused = true)]
async fn what_is_left_is_handed_out_at_once_when_nothing_more_is_to_run() {
    let pace = Pace::new(&tests("cccc"), 4);
    let cancel = CancellationToken::new();
    let first = pace.next_test(&cancel).await.unwrap();
    assert_eq!(first.index, 0);
    pace.close();
    let mut left = Vec::new();
    while let Some(next) = pace.next_test(&cancel).await {
        left.push(next.index);
    }
    assert_eq!(left, [1, 2, 3]);
}

#[tokio::test(start_paused = true)]
async fn an_interrupted_run_hands_out_the_rest() {
    let pace = Pace::new(&tests("ccc"), 4);
    let cancel = CancellationToken::new();
    let first = pace.next_test(&cancel).await.unwrap();
    let waiting = pace.next_test(&cancel);
    let interrupt = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        cancel.cancel();
    };
    let (second, ()) = tokio::join!(waiting, interrupt);
    assert_eq!((first.index, second.unwrap().index), (0, 1));
}

/// Sends `n_turns` of 100 ms from eight sessions of one group to an agent that refuses those that come before `busy_ms`;
/// shows when each was sent.
async fn sent_to_a_busy_agent(n_turns: usize, busy_ms: u64, wait_ms: u64) -> String {
    let pace = Arc::new(Pace::new(&tests(&"b".repeat(8)), 8));
    let start = Instant::now();
    let log: Arc<Mutex<Vec<u128>>> = Arc::default();
    let mut sessions = JoinSet::new();
    for _ in 0..8 {
        let (pace, log) = (Arc::clone(&pace), Arc::clone(&log));
        sessions.spawn(async move {
            let cancel = CancellationToken::new();
            let mut n_done = 0;
            while n_done < n_turns {
                let sending = pace.enter(0, &cancel).await;
                log.lock().unwrap().push(start.elapsed().as_millis());
                tokio::time::sleep(Duration::from_millis(100)).await;
                if start.elapsed() < Duration::from_millis(busy_ms) {
                    pace.refused(0, Duration::from_millis(wait_ms));
                } else {
                    pace.succeeded(0);
                    n_done += 1;
                }
                drop(sending);
            }
        });
    }
    while sessions.join_next().await.is_some() {}
    let log = log.lock().unwrap();
    let mut lines: Vec<(u128, usize)> = Vec::new();
    for at in log.iter() {
        match lines.last_mut() {
            Some((last, n)) if last == at => *n += 1,
            _ => lines.push((*at, 1)),
        }
    }
    let lines: Vec<String> = lines.iter().map(|(at, n)| format!("{at}ms: {n}")).collect();
    lines.join("\n")
}

#[tokio::test(start_paused = true)]
async fn a_refusal_pauses_the_group_halves_it_and_successes_bring_it_back() {
    assert_snapshot!(sent_to_a_busy_agent(3, 150, 2000).await, @"
    0ms: 8
    2100ms: 4
    2200ms: 8
    2300ms: 8
    2400ms: 4
    ");
}

#[tokio::test(start_paused = true)]
async fn refusals_one_after_the_other_go_down_to_one() {
    assert_snapshot!(sent_to_a_busy_agent(1, 4000, 1000).await, @"
    0ms: 8
    1100ms: 4
    2200ms: 2
    3300ms: 1
    4400ms: 1
    4500ms: 2
    4600ms: 4
    4700ms: 1
    ");
}

#[tokio::test(start_paused = true)]
async fn requests_are_evenly_spaced_and_time_that_was_not_used_is_not_saved_up() {
    let rate = Rate::new(RateLimit {
        n: 4,
        per: Duration::from_secs(1),
    });
    let cancel = CancellationToken::new();
    let start = Instant::now();
    let mut at = Vec::new();
    for n in 0..6 {
        if n == 4 {
            tokio::time::sleep(Duration::from_millis(900)).await;
        }
        rate.wait(&cancel).await;
        at.push(start.elapsed().as_millis());
    }
    assert_eq!(at, [0, 250, 500, 750, 1650, 1900]);
    cancel.cancel();
    rate.wait(&cancel).await;
    assert_eq!(start.elapsed().as_millis(), 1900);
}
