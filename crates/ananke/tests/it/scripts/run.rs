//! What a user sees of script tests in the terminal, and how they end.

use ananke_testkit::TestContext;

use super::found::shown;
use crate::ANANKE;

const CART: &str = "\
export enum Kind { Book = 'book', Toy = 'toy' }
interface Item { kind: Kind; price: number }
export const TAX: Record<Kind, number> = { [Kind.Book]: 0.07, [Kind.Toy]: 0.19 };
export function total(items: Item[]): number {
  return items.reduce((sum, item) => sum + item.price * (1 + TAX[item.kind]), 0);
}
function discount(sum: number, user: { ID: string } | null): number {
  if (!user) throw new Error('nobody gets a discount');
  return user.ID === 'vip' ? sum * 0.9 : sum;
}
";

fn cart(tests: &str) -> TestContext {
    let cx = TestContext::new(ANANKE);
    cx.write("src/cart.ts", CART);
    cx.write("src/cart_test.ts", tests);
    cx
}

#[test]
fn functions_pass_fail_and_skip() {
    let cx = cart(
        "import { Kind } from './cart';

function TestTotal(t: testing.T, ctx: agent.Context) {
  t.assert.Equal(total([{ kind: Kind.Book, price: 100 }]), 107);
}

export async function TestDiscount(t: testing.T, ctx: agent.Context) {
  t.log('asked by', ctx.User.ID);
  await null;
  t.assert.Equal(
    { sum: discount(100, ctx.User), for: ctx.User.ID },
    { sum: 90, for: 'vip' },
    'vips get a discount',
  );
}

const TestNobody = (t: testing.T) => {
  t.assert.Panic(() => discount(1, null));
  discount(1, null);
};

function TestLater(t: testing.T) {
  t.skip('not today');
}

function TestNothing(t: testing.T) {
  t.log('looks good to me');
}
",
    );
    let output = cx.run(&["run", "src", "--no-bundle"]);
    insta::assert_snapshot!(shown(&cx, &output), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════════════════════
      Script Test: src/cart_test.ts
    ═══════════════════════════════════════════════════════════════════════════════
      Script: src/cart_test.ts
      Tests: 5 functions
      User: test-user
      Team: test-team
    ───────────────────────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────────────────────
    ► [TestTotal] ...
      ✓ PASSED ([TIME])

    ► [TestDiscount] ...
      ✗ FAILED ([TIME])
        └─ assertion failed: vips get a discount
           expected: {"sum":90,"for":"vip"}
           actual: {"sum":100,"for":"test-user"}
           --> src/cart_test.ts:10:12
              |
            8 |   t.log('asked by', ctx.User.ID);
            9 |   await null;
           10 |   t.assert.Equal(
              |            ^^^^^
           11 |     { sum: discount(100, ctx.User), for: ctx.User.ID },
        logs:
        │ asked by test-user

    ► [TestNobody] ...
      ✗ ERROR ([TIME])
        └─ nobody gets a discount
           --> src/cart.ts:8:20
             |
           6 | }
           7 | function discount(sum: number, user: { ID: string } | null): number {
           8 |   if (!user) throw new Error('nobody gets a discount');
             |                    ^^^
           9 |   return user.ID === 'vip' ? sum * 0.9 : sum;

    ► [TestLater] ...
      ○ SKIPPED: not today

    ► [TestNothing] ...
      ? INCONCLUSIVE ([TIME])
        └─ no assertion was evaluated: a test that demands nothing shows nothing
        logs:
        │ looks good to me

    Rerun: ananke run src/cart_test.ts --run '^(TestDiscount|TestNobody|TestNothing)$'

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 1 passed, 2 failed (1 error), 1 skipped, 1 inconclusive ([TIME])
    ═══════════════════════════════════════════════════════════════════════════════
    --- stderr
    "#);
}

#[test]
fn functions_are_picked_by_name() {
    let cx = cart(
        "function TestSystemReady(t) { t.assert.True(true); }
function TestSystemError(t) { t.assert.True(true); }
function TestOther(t) { t.assert.True(true); }
",
    );
    let names = |args: &[&str]| {
        let args = [&["run", "src", "--no-bundle", "-q", "-o", "-"], args].concat();
        let output = cx.run(&args);
        let lines = output
            .stdout
            .lines()
            .filter(|line| line.contains("\"type\":\"result\""));
        let names = lines.filter_map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).ok()?;
            Some(line["name"].as_str()?.to_owned())
        });
        let names: Vec<String> = names.collect();
        format!("{:?} {names:?}", output.code)
    };
    insta::assert_snapshot!(names(&["--run", "TestSystem.*"]), @r#"Some(0) ["TestSystemReady", "TestSystemError"]"#);
    insta::assert_snapshot!(names(&["-run", "TestSystemReady"]), @r#"Some(0) ["TestSystemReady"]"#);
    insta::assert_snapshot!(names(&["--run", ".*Error.*"]), @r#"Some(0) ["TestSystemError"]"#);
    insta::assert_snapshot!(names(&["--run", "Nope"]), @"Some(4) []");
}

#[test]
fn who_asks_is_in_the_context() {
    let cx = cart(
        "function TestWho(t: testing.T, ctx: agent.Context) {
  t.assert.Equal(
    [ctx.User.ID, ctx.Team.ID, ctx.Locale, ctx.authorized.tenant_id, ctx.Client.Type, ctx.Metadata.request_id, ctx.referer],
    JSON.parse(ctx.metadata.expected ?? '[\"admin\",\"ops\",\"en-us\",null,\"test\",null,\"test\"]'),
  );
}
",
    );
    let output = cx.run(&["run", "src", "--no-bundle", "-u", "admin", "-t", "ops"]);
    assert_eq!(output.code, Some(0), "{output}");
    cx.write(
        "ctx.json",
        r#"{"authorized": {"user_id": "u1", "team_id": "t1", "tenant_id": "acme"}, "metadata": {"request_id": "r1",
            "expected": "[\"u1\",\"t1\",\"zh-cn\",\"acme\",\"web\",\"r1\",\"https://x\"]"},
            "client": {"type": "web"}, "locale": "zh-cn", "referer": "https://x"}"#,
    );
    let output = cx.run(&[
        "run",
        "src",
        "--no-bundle",
        "-u",
        "admin",
        "--ctx",
        "ctx.json",
    ]);
    assert_eq!(output.code, Some(0), "{output}");
}

#[test]
fn a_failure_can_be_the_last() {
    let cx = cart(
        "function TestA(t) { t.assert.True(false); }
function TestB(t) { t.assert.True(true); }
",
    );
    let output = cx.run(&["run", "src", "--no-bundle", "--fail-fast"]);
    insta::assert_snapshot!(shown(&cx, &output), @"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════════════════════
      Script Test: src/cart_test.ts
    ═══════════════════════════════════════════════════════════════════════════════
      Script: src/cart_test.ts
      Tests: 2 functions
      User: test-user
      Team: test-team
    ───────────────────────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────────────────────
    ► [TestA] ...
      ✗ FAILED ([TIME])
        └─ assertion failed: expected true, got false
           expected: true
           actual: false
           --> src/cart_test.ts:1:30
             |
           1 | function TestA(t) { t.assert.True(false); }
             |                              ^^^^
           2 | function TestB(t) { t.assert.True(true); }

    ○ 1 test not run: --fail-fast stopped after a failure

    Rerun: ananke run src/cart_test.ts --run '^(TestA)$'

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 0 passed, 1 failed, 1 skipped ([TIME])
    ═══════════════════════════════════════════════════════════════════════════════
    --- stderr
    ");
}

#[test]
fn several_runs_tell_how_stable_a_function_is() {
    let cx = cart("function TestA(t) { t.assert.True(true); }\n");
    let output = cx.run(&["run", "src", "--no-bundle", "--runs", "3"]);
    insta::assert_snapshot!(shown(&cx, &output), @"
    exit code: 0
    --- stdout
    ═══════════════════════════════════════════════════════════════════════════════
      Script Test: src/cart_test.ts
    ═══════════════════════════════════════════════════════════════════════════════
      Script: src/cart_test.ts
      Tests: 1 function
      User: test-user
      Team: test-team
    ───────────────────────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────────────────────
    ✓ [src/cart_test.ts#TestA] 100% (3/3) Stable avg:[TIME]

    ───────────────────────────────────────────────────────────────
      Stability Analysis
    ───────────────────────────────────────────────────────────────
      Runs/Case:     3
      Total Runs:    3
      Stable Cases:  1
      Unstable:      0
      Pass Rate:     100%

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 1 passed, 0 failed, 0 skipped ([TIME])
    ═══════════════════════════════════════════════════════════════════════════════
    --- stderr
    ");
}

#[test]
fn recorded_functions_are_judged_again_without_running_them() {
    let cx = cart(
        "function TestA(t) { t.assert.Equal(1, 2); }\nfunction TestB(t) { t.assert.True(true); }\n",
    );
    let output = cx.bundled(&["run", "src"]).run();
    assert_eq!(output.code, Some(1), "{output}");
    let output = cx.bundled(&["judge", "latest"]).run();
    insta::assert_snapshot!(shown(&cx, &output), @"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════════════════════
      Script Test: src/cart_test.ts
    ═══════════════════════════════════════════════════════════════════════════════
      Script: src/cart_test.ts
      Tests: 2 functions
      User: test-user
      Team: test-team
    ───────────────────────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────────────────────
    ► [TestA] ...
      ✗ FAILED ([TIME])
        └─ assertion failed: expected 2, got 1
           expected: 2
           actual: 1
           --> src/cart_test.ts:1:30
             |
           1 | function TestA(t) { t.assert.Equal(1, 2); }
             |                              ^^^^^
           2 | function TestB(t) { t.assert.True(true); }

    ► [TestB] ...
      ✓ PASSED ([TIME])

    Rerun: ananke run src/cart_test.ts --run '^(TestA)$'

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 1 passed, 1 failed, 0 skipped ([TIME])
      Bundle: .ananke/runs/[RUN]
    ═══════════════════════════════════════════════════════════════════════════════
    --- stderr
    judging .ananke/runs/[RUN]; no agent is called
    ");
    let output = cx.bundled(&["report", "latest"]).run();
    insta::assert_snapshot!(shown(&cx, &output), @"
    exit code: 0
    --- stdout
    ═══════════════════════════════════════════════════════════════════════════════
      Script Test: src/cart_test.ts
    ═══════════════════════════════════════════════════════════════════════════════
      Script: src/cart_test.ts
      Tests: 2 functions
      User: test-user
      Team: test-team
    ───────────────────────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────────────────────
    ► [TestA] ...
      ✗ FAILED ([TIME])
        └─ assertion failed: expected 2, got 1
           expected: 2
           actual: 1
           --> src/cart_test.ts:1:30
             |
           1 | function TestA(t) { t.assert.Equal(1, 2); }
             |                              ^^^^^
           2 | function TestB(t) { t.assert.True(true); }

    ► [TestB] ...
      ✓ PASSED ([TIME])

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 1 passed, 1 failed, 0 skipped ([TIME])
      Bundle: .ananke/runs/[RUN]
    ═══════════════════════════════════════════════════════════════════════════════
    --- stderr
    ");
}
