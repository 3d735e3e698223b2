//! Many small tests.

use ananke_model::result::{Outcome, TestResult, TestStatus};

use super::result::{check, test};
use super::script::Script;

/// One of many: one turn, five events, one check.
pub(crate) fn small_test(number: usize) -> TestResult {
    let failed = number % 97 == 5;
    let (outcome, status) = match (failed, number % 53) {
        (true, _) => (Outcome::Failed, TestStatus::Failed),
        (false, 7) => (Outcome::Passed, TestStatus::Skipped),
        _ => (Outcome::Passed, TestStatus::Passed),
    };
    let checks = vec![check(
        "text.must_match",
        "/order \\d+/",
        outcome,
        "text that matches /order \\d+/",
        if failed { "\"Sorry\"" } else { "\"order 42\"" },
    )];
    let mut script = Script::new(&format!("Where is order {number}?"));
    script = script.say(15_000, &format!("order {number}"));
    let mut turns = vec![script.end(checks)];
    if status == TestStatus::Skipped {
        turns.clear();
    }
    TestResult {
        tags: vec![["smoke", "orders", "refunds", "slow"][number % 4].to_owned()],
        target: ["shop", "support", "billing"][number % 3].to_owned(),
        reason: (status == TestStatus::Skipped).then(|| "needs the staging catalog".to_owned()),
        duration_us: 20_000 + (number as u64 * 7919) % 900_000,
        ..test(
            &format!("area-{:02}/order-{number:05}", number % 40),
            &format!("the agent finds order {number}"),
            status,
            turns,
        )
    }
}
