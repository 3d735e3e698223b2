//! How much of the user's scripts was run.

use ananke_testkit::TestContext;

use super::found::shown;
use crate::ANANKE;

fn project() -> TestContext {
    let cx = TestContext::new(ANANKE);
    cx.write(
        "src/price.ts",
        "export enum Unit { Cent, Euro }\n\nexport function price(cents: number): string {\n  if (cents < 0) {\n    return 'free';\n  }\n  return `${cents / 100} EUR`;\n}\n\nexport function never() {\n  return 1;\n}\n",
    );
    cx.write(
        "src/price_test.ts",
        "function TestPrice(t: testing.T) { t.assert.Equal(price(150), '1.5 EUR'); }\n",
    );
    cx
}

#[test]
fn lines_and_functions_are_counted() {
    let cx = project();
    let output = cx.run(&[
        "run",
        "--no-bundle",
        "--coverage",
        "--coverage-report",
        "out/lcov.info",
        "--coverage-report",
        "out/c.html",
    ]);
    insta::assert_snapshot!(shown(&cx, &output), @"
    exit code: 0
    --- stdout
    ═══════════════════════════════════════════════════════════════════════════════
      Script Test: src/price_test.ts
    ═══════════════════════════════════════════════════════════════════════════════
      Script: src/price_test.ts
      Tests: 1 function
      User: test-user
      Team: test-team
    ───────────────────────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────────────────────
    ► [TestPrice] ...
      ✓ PASSED ([TIME])

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 1 passed, 0 failed, 0 skipped ([TIME])
    ═══════════════════════════════════════════════════════════════════════════════
    File            Lines  Functions  Uncovered lines
    src/price.ts    60.0%      50.0%  5, 11
    ────────────────────────────────
    All files       60.0%      50.0%
    --- stderr
    ");
    insta::assert_snapshot!(cx.read("out/lcov.info"), @"
    TN:
    SF:src/price.ts
    FN:3,price
    FN:10,never
    FNDA:1,price
    FNDA:0,never
    FNF:2
    FNH:1
    DA:1,1
    DA:4,1
    DA:5,0
    DA:7,1
    DA:11,0
    LF:5
    LH:3
    end_of_record
    ");
    assert!(cx.read("out/c.html").contains("price.ts"));
}

#[test]
fn too_little_fails() {
    let cx = project();
    let run = |least: &str| cx.run(&["run", "--no-bundle", "-q", "--fail-under", least]);
    let output = run("20");
    assert_eq!(output.code, Some(0), "{output}");
    let output = run("90");
    insta::assert_snapshot!(shown(&cx, &output), @"
    exit code: 1
    --- stdout

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 1 passed, 0 failed, 0 skipped ([TIME])
    ═══════════════════════════════════════════════════════════════════════════════
    --- stderr
    error: --fail-under 90: 3 of 5 lines of the scripts were run (60.00 %)
    ");
}
