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
    insta::assert_snapshot!(shown(&cx, &output), @"");
    insta::assert_snapshot!(cx.read("out/lcov.info"), @"");
    assert!(cx.read("out/c.html").contains("price.ts"));
}

#[test]
fn too_little_fails() {
    let cx = project();
    let run = |least: &str| cx.run(&["run", "--no-bundle", "-q", "--fail-under", least]);
    let output = run("20");
    assert_eq!(output.code, Some(0), "{output}");
    let output = run("90");
    insta::assert_snapshot!(shown(&cx, &output), @"");
}
