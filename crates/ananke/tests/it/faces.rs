//! One test, three faces: the checkout of the example shop, as it is written for AG-UI, runs over A2A and MCP as well.

use ananke_testkit::{Running, TestContext};
use insta::assert_snapshot;

use crate::ANANKE;

const CHECKOUT: &str = include_str!("../../../../examples/shop/tests/checkout.test.yaml");
const CART: &str = include_str!("../../../../examples/shop/tests/cart.test.yaml");
const SEARCH: &str = include_str!("../../../../examples/shop/tests/search.test.yaml");

/// The example shop, and a project that speaks to it in every way there is.
struct Shop {
    cx: TestContext,
    _serving: Running,
}

impl Shop {
    fn open() -> Self {
        let cx = TestContext::new(ANANKE);
        let mut serving = cx.command(&["demo", "--serve"]).start();
        serving.wait_for(|stdout, _| stdout.contains('\n'));
        let stdout = serving.stdout_so_far();
        let start = stdout.find("http://").expect("it tells its address");
        let address: String = stdout
            .chars()
            .skip(stdout.chars().take(start).count())
            .take_while(|c| !c.is_whitespace())
            .collect();
        let url = address.trim_end_matches('/');
        let tool = "{name: ask, argument: question, conversation: conversation, toolCalls: structuredContent.toolCalls}";
        cx.write(
            "ananke.config.yaml",
            &format!(
                "version: \"1.2\"
targets:
  agui: {{type: agui, endpoint: \"{url}/\"}}
  a2a: {{type: a2a, agentCardUrl: \"{url}\"}}
  a2a_old: {{type: a2a, agentCardUrl: \"{url}\", protocolVersion: \"0.3\"}}
  a2a_http: {{type: a2a, agentCardUrl: \"{url}\", binding: HTTP+JSON, stream: false}}
  mcp: {{type: mcp, endpoint: \"{url}/mcp\", userTool: {tool}}}
  mcp_old: {{type: mcp, endpoint: \"{url}/mcp\", protocolVersion: \"2025-11-25\", userTool: {tool}}}
  mcp_stdio: {{type: mcp, command: [\"{ANANKE}\", demo, --serve, --stdio], userTool: {tool}}}
  mcp_blind: {{type: mcp, endpoint: \"{url}/mcp\", userTool: {{name: ask, argument: question}}}}
assertions:
  quick: {{timing: {{max_duration_ms: 5000}}}}
  polite: {{text: {{must_not_match: [\"/stupid/i\"]}}}}
"
            ),
        );
        Self {
            cx,
            _serving: serving,
        }
    }

    /// Returns how each test ended, and the exit code.
    fn verdicts(&self, args: &[&str]) -> String {
        let output = self.cx.bundled(args).run();
        let lines = output.stdout.lines().map(str::trim_end);
        let told: Vec<&str> = lines
            .filter(|line| {
                let line = line.trim_start();
                ["✓", "✗", "⚠", "└─"]
                    .iter()
                    .any(|mark| line.starts_with(mark))
            })
            .collect();
        let shown = format!("exit code: {:?}\n{}\n", output.code, told.join("\n"));
        ananke_testkit::Filters::default().apply(&shown)
    }
}

const ALL: &str = "agui,a2a,a2a_old,a2a_http,mcp,mcp_old,mcp_stdio";

#[test]
fn the_checkout_passes_on_every_face() {
    let shop = Shop::open();
    shop.cx.write("tests/checkout.test.yaml", CHECKOUT);
    assert_snapshot!(shop.verdicts(&["run", "--target", ALL]), @"
    exit code: Some(0)
    ✓ [tests/checkout.test.yaml@agui] checkout validates the cart before it offers shipping ([TIME])
    ✓ [tests/checkout.test.yaml@a2a] checkout validates the cart before it offers shipping ([TIME])
    ✓ [tests/checkout.test.yaml@a2a_old] checkout validates the cart before it offers shipping ([TIME])
    ✓ [tests/checkout.test.yaml@a2a_http] checkout validates the cart before it offers shipping ([TIME])
    ✓ [tests/checkout.test.yaml@mcp] checkout validates the cart before it offers shipping ([TIME])
    ✓ [tests/checkout.test.yaml@mcp_old] checkout validates the cart before it offers shipping ([TIME])
    ✓ [tests/checkout.test.yaml@mcp_stdio] checkout validates the cart before it offers shipping ([TIME])
    ");
    assert_snapshot!(shop.verdicts(&["judge", "latest"]), @"
    exit code: Some(0)
    ✓ [tests/checkout.test.yaml@agui] checkout validates the cart before it offers shipping ([TIME])
    ✓ [tests/checkout.test.yaml@a2a] checkout validates the cart before it offers shipping ([TIME])
    ✓ [tests/checkout.test.yaml@a2a_old] checkout validates the cart before it offers shipping ([TIME])
    ✓ [tests/checkout.test.yaml@a2a_http] checkout validates the cart before it offers shipping ([TIME])
    ✓ [tests/checkout.test.yaml@mcp] checkout validates the cart before it offers shipping ([TIME])
    ✓ [tests/checkout.test.yaml@mcp_old] checkout validates the cart before it offers shipping ([TIME])
    ✓ [tests/checkout.test.yaml@mcp_stdio] checkout validates the cart before it offers shipping ([TIME])
    ");
    for others in ["a2a", "a2a_old", "a2a_http", "mcp", "mcp_old", "mcp_stdio"] {
        let targets = format!("agui,{others}");
        let output = shop.cx.bundled(&["compare", "--targets", &targets]).run();
        assert!(output.stdout.contains("no difference"), "{output}");
        assert_eq!(output.code, Some(0));
    }
}

#[test]
fn searching_and_filling_a_cart_pass_on_every_face() {
    let shop = Shop::open();
    shop.cx.write("tests/search.test.yaml", SEARCH);
    shop.cx.write("tests/cart.test.yaml", CART);
    assert_snapshot!(shop.verdicts(&["run", "--target", ALL]), @"
    exit code: Some(0)
    ✓ [tests/cart.test.yaml@agui] the cart remembers what was added ([TIME])
    ✓ [tests/cart.test.yaml@a2a] the cart remembers what was added ([TIME])
    ✓ [tests/cart.test.yaml@a2a_old] the cart remembers what was added ([TIME])
    ✓ [tests/cart.test.yaml@a2a_http] the cart remembers what was added ([TIME])
    ✓ [tests/cart.test.yaml@mcp] the cart remembers what was added ([TIME])
    ✓ [tests/cart.test.yaml@mcp_old] the cart remembers what was added ([TIME])
    ✓ [tests/cart.test.yaml@mcp_stdio] the cart remembers what was added ([TIME])
    ✓ [tests/search.test.yaml@agui] search finds the blue mug ([TIME])
    ✓ [tests/search.test.yaml@a2a] search finds the blue mug ([TIME])
    ✓ [tests/search.test.yaml@a2a_old] search finds the blue mug ([TIME])
    ✓ [tests/search.test.yaml@a2a_http] search finds the blue mug ([TIME])
    ✓ [tests/search.test.yaml@mcp] search finds the blue mug ([TIME])
    ✓ [tests/search.test.yaml@mcp_old] search finds the blue mug ([TIME])
    ✓ [tests/search.test.yaml@mcp_stdio] search finds the blue mug ([TIME])
    ");
}

#[test]
fn a_wrong_demand_fails_on_every_face() {
    let shop = Shop::open();
    let wrong = CHECKOUT.replace("\"total_cents\":3900", "\"total_cents\":1");
    shop.cx.write("tests/checkout.test.yaml", &wrong);
    assert_snapshot!(shop.verdicts(&["run", "--target", "agui,a2a,mcp"]), @r#"
    exit code: Some(1)
    ✗ [tests/checkout.test.yaml@agui] checkout validates the cart before it offers shipping FAILED ([TIME])
      └─ turn 3 · tools.require calculate_total: expected at least 1 call of `calculate_total` with shipping matching /standard/ and result matching /"total_cents":1/ and result not matching /error|failed/, got 0 of 1 call
    ✗ [tests/checkout.test.yaml@a2a] checkout validates the cart before it offers shipping FAILED ([TIME])
      └─ turn 3 · tools.require calculate_total: expected at least 1 call of `calculate_total` with shipping matching /standard/ and result matching /"total_cents":1/ and result not matching /error|failed/, got 0 of 1 call
    ✗ [tests/checkout.test.yaml@mcp] checkout validates the cart before it offers shipping FAILED ([TIME])
      └─ turn 3 · tools.require calculate_total: expected at least 1 call of `calculate_total` with shipping matching /standard/ and result matching /"total_cents":1/ and result not matching /error|failed/, got 0 of 1 call
      ✗ [tests/checkout.test.yaml@agui] turn 3: tools.require calculate_total: expected at least 1 call of `calculate_total` with shipping matching /standard/ and result matching /"total_cents":1/ and result not matching /error|failed/, got…
      ✗ [tests/checkout.test.yaml@a2a] turn 3: tools.require calculate_total: expected at least 1 call of `calculate_total` with shipping matching /standard/ and result matching /"total_cents":1/ and result not matching /error|failed/, got…
      ✗ [tests/checkout.test.yaml@mcp] turn 3: tools.require calculate_total: expected at least 1 call of `calculate_total` with shipping matching /standard/ and result matching /"total_cents":1/ and result not matching /error|failed/, got…
    "#);
}

#[test]
fn an_agent_behind_a_tool_that_shows_no_calls_is_no_proof() {
    let shop = Shop::open();
    let test = "version: \"1.0\"\nname: buys nothing\nturns:\n  - user: Add a teapot to my cart\n    assert: {tools: {forbid: [add_to_cart]}}\n";
    shop.cx.write("tests/nothing.test.yaml", test);
    assert_snapshot!(shop.verdicts(&["run", "--target", "mcp_blind"]), @"
    exit code: Some(5)
      └─ turn 1 · tools.forbid add_to_cart: could not be decided: expected no call of `add_to_cart`, got no call: the tool of `userTool` stands for an agent, and nothing in its answer says which tools that agent called (`userTool.toolCalls`)
      ⚠ TESTS INCONCLUSIVE
    ");
    assert_snapshot!(shop.verdicts(&["run", "--target", "mcp"]), @"
    exit code: Some(1)
    ✗ [tests/nothing.test.yaml] buys nothing FAILED ([TIME])
      └─ turn 1 · tools.forbid add_to_cart: expected no call of `add_to_cart`, got 1 call
      ✗ [tests/nothing.test.yaml] turn 1: tools.forbid add_to_cart: expected no call of `add_to_cart`, got 1 call
    ");
}
