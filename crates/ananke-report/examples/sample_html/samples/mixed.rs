//! Every kind of test, and text that wants to be more than text.

use std::collections::BTreeMap;

use ananke_model::check::Level;
use ananke_model::place::Place;
use ananke_model::recording::{Finding, Trouble, TroubleKind, TurnStatus};
use ananke_model::result::{Outcome, TestResult, TestStatus};
use serde_json::json;

use super::corner::corner_tests;
use super::result::{check, test};
use super::script::Script;

/// What an agent that wants out of its text node might say.
const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)> {{script}} \u{202e}txet\u{202c} \u{2028}\u{0} &lt;b&gt; ${7*7} javascript:alert(3)";

/// Returns the tests.
pub(crate) fn mixed_tests() -> Vec<TestResult> {
    let mut tests = vec![
        forbidden(),
        flaky(),
        hostile(),
        truncated(),
        slow(),
        undecided(),
        skipped(),
    ];
    tests.extend(corner_tests());
    let areas = [
        "checkout", "cart", "search", "shipping", "account", "returns",
    ];
    for number in 0..34 {
        let area = areas[number % areas.len()];
        let turns = vec![
            Script::new(&format!("Show me the {area} page, please"))
                .call(
                    "search",
                    &format!(r#"{{"query":"{area}","limit":{number}}}"#),
                    180_000 + number as u64 * 9_000,
                    Some(
                        r#"{"hits":[{"sku":"MUG-1","price":12.50},{"sku":"MUG-2","price":14.00}]}"#,
                    ),
                )
                .say(
                    240_000,
                    &format!("Here is what I found for {area}: two mugs, from 12.50."),
                )
                .end(vec![check(
                    "tools.require",
                    "search",
                    Outcome::Passed,
                    "at least 1 call of \"search\"",
                    "1 call",
                )]),
        ];
        let mut passed = test(
            &format!("{area}/case-{number:02}"),
            &format!("{area}: case {number} answers from the catalog"),
            TestStatus::Passed,
            turns,
        );
        passed.tags = vec![area.to_owned()];
        passed.target = ["shop", "support"][number % 2].to_owned();
        tests.push(passed);
    }
    // Several results of one id, as a merged report has them.
    for number in 0..9u64 {
        let is_failed = number == 3 || number == 6;
        let status = if is_failed {
            TestStatus::Failed
        } else {
            TestStatus::Passed
        };
        let outcome = if is_failed {
            Outcome::Failed
        } else {
            Outcome::Passed
        };
        let turns = vec![
            Script::new("Is the blue mug in stock?")
                .say(
                    300_000 + (number * 37) % 11 * 40_000,
                    if is_failed {
                        "I do not know."
                    } else {
                        "Yes, seven of them."
                    },
                )
                .end(vec![check(
                    "text.must_match",
                    "/yes|seven/i",
                    outcome,
                    "text that matches /yes|seven/i",
                    if is_failed {
                        "\"I do not know.\""
                    } else {
                        "\"Yes\""
                    },
                )]),
        ];
        tests.push(test("stock", "the blue mug is in stock", status, turns));
    }
    tests
}

/// Two turns; the second calls what it must not, and the check points at the call.
fn forbidden() -> TestResult {
    let first = Script::new("I would like a refund for order 42")
        .think("The user wants a refund. I should look the order up before I promise anything.")
        .call("get_order", r#"{"order_id":42}"#, 340_000, Some(r#"{"id":42,"status":"shipped","total":59.90,"currency":"EUR","lines":[{"sku":"MUG-1","qty":2,"price":12.50},{"sku":"LAMP-7","qty":1,"price":34.90}],"customer":{"name":"Ann","since":9007199254740993}}"#))
        .say(480_000, "I found order 42, it has been shipped. Shall I ask a colleague to approve the refund?")
        .end(vec![check("tools.require", "get_order", Outcome::Passed, "at least 1 call of \"get_order\"", "1 call")]);
    let mut second = Script::new("Yes, and be quick about it!")
        .call(
            "check_policy",
            r#"{"order_id":42,"kind":"refund"}"#,
            260_000,
            Some(r#"{"needs_approval":true,"limit":50}"#),
        )
        .call(
            "issue_refund",
            r#"{"order_id":42,"amount":59.90,"currency":"EUR"}"#,
            910_000,
            Some(r#"{"ok":true,"refund_id":"rf_8812"}"#),
        )
        .call(
            "send_mail",
            r#"{"to":"ann@example.com","template":"refund"}"#,
            0,
            None,
        )
        .say(
            1_400_000,
            "Done! I refunded 59.90 EUR to your card. You will get a mail in a minute.",
        );
    second.turn.state = json!({"order": {"id": 42, "refunded": true}, "steps": ["lookup", "policy", "refund"], "approved_by": null});
    second.turn.usage =
        vec![json!({"model": "large-1", "input_tokens": 1834, "output_tokens": 214})];
    second.turn.interrupts =
        vec![json!({"id": "int-1", "reason": "approval", "value": {"amount": 59.9}})];
    second.turn.findings = vec![Finding {
        rule: "V8".to_owned(),
        event: 9,
        message: "the call `send_mail` has no result".to_owned(),
    }];
    let event = second.turn.tool_calls[1].event;
    let mut failed = check(
        "tools.forbid",
        "issue_refund",
        Outcome::Failed,
        "no call of \"issue_refund\"",
        "1 call",
    );
    failed.event = Some(event);
    failed.details = vec![
        format!(
            "event {event}: issue_refund({{\"order_id\":42,\"amount\":59.90,\"currency\":\"EUR\"}})"
        ),
        "the policy was checked first: needs_approval was true".to_owned(),
    ];
    let mut idle = check(
        "timing.max_idle_ms",
        "1000",
        Outcome::Failed,
        "at most 1000 ms without a tool call in progress",
        "1989 ms, after send_mail",
    );
    idle.origin.level = Level::Target;
    idle.origin.named = Some("limits".to_owned());
    idle.origin.place = Place {
        line: 22,
        ..Place::file("ananke.config.yaml")
    };
    let ok = check(
        "text.must_not_match",
        "/password/i",
        Outcome::Passed,
        "no text that matches /password/i",
        "no match",
    );
    TestResult {
        tags: vec!["refunds".to_owned(), "smoke".to_owned()],
        variables: BTreeMap::from([
            ("ORDER".to_owned(), json!(42)),
            ("USER".to_owned(), json!({"id": 7, "name": "Ann"})),
        ]),
        checks: vec![check(
            "timing.max_duration_ms",
            "20000",
            Outcome::Passed,
            "at most 20000 ms",
            "6120 ms",
        )],
        ..test(
            "refund",
            "a refund above the limit needs an approval",
            TestStatus::Failed,
            vec![first, second.end(vec![failed, idle, ok])],
        )
    }
}

fn flaky() -> TestResult {
    let attempt = |text: &str, outcome| {
        vec![
            Script::new("Which mugs are blue?")
                .call(
                    "search",
                    r#"{"query":"blue mug"}"#,
                    200_000,
                    Some("[\"MUG-1\"]"),
                )
                .say(150_000, text)
                .end(vec![check(
                    "text.must_match",
                    "/MUG-1/",
                    outcome,
                    "text that matches /MUG-1/",
                    &format!("{text:?}"),
                )]),
        ]
    };
    TestResult {
        flaky: true,
        earlier: vec![
            test(
                "flaky",
                "the answer names the article",
                TestStatus::Failed,
                attempt("There is one.", Outcome::Failed),
            ),
            test(
                "flaky",
                "the answer names the article",
                TestStatus::Failed,
                attempt("A blue one!", Outcome::Failed),
            ),
        ],
        tags: vec!["search".to_owned()],
        ..test(
            "flaky",
            "the answer names the article",
            TestStatus::Passed,
            attempt("MUG-1 is blue.", Outcome::Passed),
        )
    }
}

fn hostile() -> TestResult {
    let args = json!({"html": HOSTILE, "__proto__": {"polluted": true}, "nested": [[[["deep"]]]]})
        .to_string();
    let mut script = Script::new(HOSTILE)
        .call("<b>tool</b>", &args, 90_000, Some(HOSTILE))
        .say(60_000, HOSTILE);
    script.turn.state = json!({"<img src=x onerror=alert(4)>": HOSTILE});
    script.turn.warnings = vec![HOSTILE.to_owned()];
    script.event(
        100,
        &json!({"type": "<script>alert(5)</script>", "x": HOSTILE}),
    );
    script
        .turn
        .events
        .push(b"not json at all <b>", script.now_us);
    let mut failed = check(
        "text.must_match",
        HOSTILE,
        Outcome::Failed,
        HOSTILE,
        HOSTILE,
    );
    failed.details = vec![HOSTILE.to_owned(); 3];
    failed.event = Some(1);
    TestResult {
        tags: vec!["<b>tag</b>".to_owned()],
        target: "</option><script>alert(6)</script>".to_owned(),
        ..test(
            "hostile</script>&test=\"x'",
            &format!("=HYPERLINK(\"http://evil.example\") {HOSTILE}"),
            TestStatus::Failed,
            vec![script.end(vec![failed])],
        )
    }
}

fn truncated() -> TestResult {
    let mut judged = Script::new("Cancel my subscription")
        .say(200_000, "I am cancelling your")
        .end(Vec::new());
    judged.turn.status = TurnStatus::Broken(Trouble {
        kind: TroubleKind::Truncated,
        message: "the stream ended before RUN_FINISHED, after 9 events".to_owned(),
        refusal: None,
    });
    TestResult {
        n_turns: 3,
        target: "support".to_owned(),
        ..test(
            "truncated",
            "a subscription can be cancelled",
            TestStatus::Error,
            vec![judged],
        )
    }
}

fn slow() -> TestResult {
    let mut judged = Script::new("Summarize my last 200 orders")
        .call("list_orders", r#"{"limit":200}"#, 2_400_000, Some("[]"))
        .end(Vec::new());
    judged.turn.timing.total_us = 10_000_000;
    judged.turn.status = TurnStatus::Broken(Trouble {
        kind: TroubleKind::Timeout,
        message: "the turn took longer than 10000 ms".to_owned(),
        refusal: None,
    });
    TestResult {
        duration_us: 10_004_000,
        reason_details: vec!["stderr: still working".to_owned()],
        ..test(
            "slow",
            "a long summary comes in time",
            TestStatus::Timeout,
            vec![judged],
        )
    }
}

fn undecided() -> TestResult {
    let turns = vec![
        Script::new("Tell me a story")
            .say(90_000, "Once upon a time")
            .end(vec![check(
                "text.must_match",
                "/(a+)+$/",
                Outcome::Inconclusive,
                "text that matches /(a+)+$/",
                "the pattern took too many steps",
            )]),
    ];
    test(
        "undecided",
        "the story ends well",
        TestStatus::Inconclusive,
        turns,
    )
}

fn skipped() -> TestResult {
    TestResult {
        reason: Some("needs the staging catalog".to_owned()),
        started_at_ms: None,
        ended_at_ms: None,
        n_turns: 2,
        ..test(
            "skipped",
            "the staging catalog is complete",
            TestStatus::Skipped,
            Vec::new(),
        )
    }
}
