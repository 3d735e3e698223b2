//! `ananke demo`: works with nothing set up, fails instructively, and writes a project that runs.

use std::sync::Arc;

use ananke_serve::shop::{Shop, ShopBehavior};
use ananke_testkit::{Invocation, ScriptedAgent, TestContext};
use insta::assert_snapshot;

use crate::ANANKE;

#[test]
fn the_demo_passes() {
    let cx = TestContext::new(ANANKE);
    assert_snapshot!(cx.ananke(&["demo"]), @"
    exit code: 0
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: tests (14 tests)
    ℹ User: test-user, Team: test-team

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [tests/approval.test.yaml] an approved payment is charged once ([TIME])
    ✓ [tests/basket_test.ts#TestShippingIsFreeFrom50] ([TIME])
    ✓ [tests/basket_test.ts#TestNothingCostsNothing] ([TIME])
    ✓ [tests/cart.test.yaml] the cart remembers what was added ([TIME])
    ► [finds-the-mug] Search for a blue mug PASSED ([TIME])
    ✓ [knows-the-cart] Search for a blue mug ([TIME])
      Messages: 3, Assertions: 4/4 passed

    ► [says-what-it-found] Search for a blue mug PASSED ([TIME])
    ► [finds-something] Search for a blue mug PASSED ([TIME])
    ► [a-customer-buys] (dynamic, 2 checkpoints)
      └─ PASSED (3 turns, 2 checkpoints, [TIME])
    ✓ [tests/checkout.test.yaml] checkout validates the cart before it offers shipping ([TIME])
    ✓ [tests/declined.test.yaml] a declined payment places no order ([TIME])
    ✓ [tests/gateway-error.test.yaml] a broken gateway is reported ([TIME])
    ✓ [tests/search.test.yaml] search finds the blue mug ([TIME])
    ✓ [tests/slow-reply.test.yaml] a slow reply is still in time ([TIME])

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:      14 tests
      Passed:     14
      Failed:     0
      Pass Rate:  100%
      Time:       [TIME]

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    --- stderr

    What a failure looks like:      ananke demo --broken
    The files, to start your own:   ananke demo --write example
    ");
    assert_eq!(
        cx.run(&["demo", "--parallel", "4", "--fail-fast"]).code,
        Some(0)
    );
    // Files of the folder it is started in are none of its business.
    cx.write("ananke.config.yaml", "broken: [\n");
    assert_eq!(cx.run(&["demo"]).code, Some(0));
    let twin = cx
        .command(&["demo"])
        .env("ANANKE_INPUT", "nowhere")
        .env("ANANKE_RUN", "nothing");
    assert_eq!(twin.run().code, Some(0));
}

#[test]
fn the_broken_demo_shows_what_a_failure_looks_like() {
    let cx = TestContext::new(ANANKE);
    assert_snapshot!(cx.ananke(&["demo", "--broken"]), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: broken (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [broken/pays-once.test.yaml] checkout validates the cart and charges the card once FAILED ([TIME])
      └─ test · tools.require validate_cart: expected at least 1 call of `validate_cart`, got no call
         called instead: add_to_cart, calculate_total, charge_card (2 times), get_shipping_options
         demanded at broken/pays-once.test.yaml:21:9 (test level)
      └─ test · tools.require get_shipping_options: expected at least 1 call of `get_shipping_options`, after a call of `validate_cart`, got no call of `validate_cart` before turn 2, event 1: get_shipping_options({})
         called instead: add_to_cart, calculate_total, charge_card (2 times), get_shipping_options
         demanded at broken/pays-once.test.yaml:22:9 (test level)
      └─ test · tools.require charge_card: expected exactly 1 call of `charge_card`, got 2 calls
         turn 4, event 1: charge_card({"amount_cents":2800,"currency":"USD"})
         turn 5, event 2: charge_card({"amount_cents":2800,"currency":"USD"})
         demanded at broken/pays-once.test.yaml:24:9 (test level)

    Failures:
      ✗ [broken/pays-once.test.yaml] test: tools.require validate_cart: expected at least 1 call of `validate_cart`, got no call (+2 more)

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  0
      Failed:  1
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr

    This agent was broken on purpose: it skips the validation of the cart and
    charges the card twice, while what it says still looks right. The lines above
    name each demand that was not met, where it is written, and what was seen.
    The files, to start your own:   ananke demo --write example
    "#);
    let twin = cx.command(&["demo"]).env("ANANKE_BROKEN", "1").run();
    assert_eq!(twin.code, Some(1));
}

#[test]
fn the_written_project_runs_against_a_shop() {
    let cx = TestContext::new(ANANKE);
    assert_snapshot!(cx.ananke(&["demo", "--write", "my/shop"]), @"
    exit code: 0
    --- stdout
    The example project is in my/shop. Its agent, in another terminal:
      ananke demo --serve
    Then, with the address that it prints:
      cd my/shop && ananke run tests --var SHOP_URL=http://127.0.0.1:…/
    --- stderr
    ");
    assert_snapshot!(cx.ananke(&["demo", "--write", "my/shop"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `[TMP]/my/shop/ananke.config.yaml` exists already; nothing was written
    hint: name a folder that is new or empty
    ");
    let folder = cx.dir().join("my/shop");
    let run = |agent: &ScriptedAgent, input: &str| {
        let var = format!("SHOP_URL={}", agent.url());
        let run = Invocation::new(ANANKE.as_ref(), &folder, cx.root());
        run.args(&["run", input, "--var", &var]).run()
    };
    let healthy = ScriptedAgent::start_agent(Arc::new(Shop {
        behavior: ShopBehavior::Healthy,
    }));
    for input in ["tests", "broken"] {
        let output = run(&healthy, input);
        assert_eq!(output.code, Some(0), "{output}");
    }
    let forgetful = ScriptedAgent::start_agent(Arc::new(Shop {
        behavior: ShopBehavior::Forgetful,
    }));
    let output = run(&forgetful, "broken");
    assert_eq!(output.code, Some(1), "{output}");
    assert!(
        output.stdout.contains("Rerun: ananke run --var SHOP_URL="),
        "{output}"
    );
}

#[test]
fn nothing_is_overwritten() {
    let cx = TestContext::new(ANANKE);
    cx.write("shop/broken/pays-once.test.yaml", "mine");
    let output = cx.run(&["demo", "--write", "shop"]);
    assert_eq!(output.code, Some(2), "{output}");
    assert_eq!(cx.read("shop/broken/pays-once.test.yaml"), "mine");
    assert!(!cx.exists("shop/ananke.config.yaml"), "all files or none");
    cx.write("file", "");
    assert_snapshot!(cx.ananke(&["demo", "--write", "file"]), @"
    exit code: 3
    --- stdout
    --- stderr
    error: `[TMP]/file/ananke.config.yaml` cannot be written: File exists (os error 17)
    ");
}

#[test]
fn the_agent_can_be_served_for_the_written_project() {
    let cx = TestContext::new(ANANKE);
    let mut serving = cx.command(&["demo", "--serve"]).start();
    serving.wait_for(|stdout, _| stdout.ends_with("/\n"));
    let said = serving.stdout_so_far();
    let url = said
        .trim()
        .trim_start_matches("The example agent answers at ");
    cx.run(&["demo", "--write", "shop"]);
    let run = Invocation::new(ANANKE.as_ref(), &cx.dir().join("shop"), cx.root());
    let output = run
        .args(&["run", "tests", "--var", &format!("SHOP_URL={url}")])
        .run();
    assert_eq!(output.code, Some(0), "{output}");
    serving.interrupt();
    assert_eq!(serving.wait().code, Some(130));
}
