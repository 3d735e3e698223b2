//! How functions are named, and what is wrong with names.

use insta::assert_snapshot;

use crate::testing::{CONFIG, Suite, demands, problems};
use crate::{Asking, Input, LoadRequest, script_reference};

fn suite(script: &str, file: &str) -> Suite {
    let test = format!("version: 1\nname: a\nturns: [{{user: hi}}]\nassert:\n  script: {script}\n");
    Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        (file, &test),
        (
            "scripts/test.ts",
            "export function Assert() {}\nfunction Other() {}\n",
        ),
        (
            "scripts/tests/validate-expense.ts",
            "export default function () {}\n",
        ),
        (
            "scripts/tests/only.js",
            "export function Only() {}\nfunction inner() {}\n",
        ),
        (
            "scripts/tests/many.ts",
            "export function A() {}\nexport function B() {}\n",
        ),
        ("scripts/tests/none.ts", "function A() {}\n"),
        ("scripts/tests/broken.ts", "syntax error\n"),
        ("scripts/both.ts", "export function Check() {}\n"),
        ("scripts/both/Check.ts", "export default function () {}\n"),
        ("assistants/shop/package.yao", "{}"),
        (
            "assistants/shop/src/checks.ts",
            "export function Polite() {}\n",
        ),
        ("tests/checks/refund.ts", "export function Check() {}\n"),
    ])
}

/// Returns what a test in `tests` demands, or what is wrong.
fn read(script: &str) -> String {
    read_in(script, "tests/a.test.yaml")
}

fn read_in(script: &str, file: &str) -> String {
    let loaded = suite(script, file).load();
    match loaded.diagnostics.is_empty() {
        true => {
            let demands = demands(&loaded.plan);
            let demands = demands.lines().filter(|line| line.contains("<-"));
            demands.map(str::trim).collect::<Vec<_>>().join("\n")
        }
        false => problems(&loaded),
    }
}

#[test]
fn functions_are_found_below_scripts() {
    assert_snapshot!(read("scripts.test.Assert"), @"script scripts/test.ts#Assert <- test tests/a.test.yaml:5");
    assert_snapshot!(read("scripts.test.Other"), @"script scripts/test.ts#Other <- test tests/a.test.yaml:5");
    assert_snapshot!(read("'scripts:tests.validate-expense'"), @"script scripts/tests/validate-expense.ts#default <- test tests/a.test.yaml:5");
    assert_snapshot!(read("'scripts:tests.only'"), @"script scripts/tests/only.js#Only <- test tests/a.test.yaml:5");
    assert_snapshot!(read("'scripts:tests.many.B'"), @"script scripts/tests/many.ts#B <- test tests/a.test.yaml:5");
    assert_snapshot!(read("scripts.both.Check"), @"script scripts/both.ts#Check <- test tests/a.test.yaml:5");
    assert_snapshot!(read("'scripts:both.Check'"), @"script scripts/both/Check.ts#default <- test tests/a.test.yaml:5");
}

#[test]
fn functions_are_found_in_assistants_and_by_path() {
    assert_snapshot!(read("scripts.shop.checks.Polite"), @"script assistants/shop/src/checks.ts#Polite <- test tests/a.test.yaml:5");
    assert_snapshot!(read_in("scripts.checks.Polite", "assistants/shop/tests/a.test.yaml"), @"script assistants/shop/src/checks.ts#Polite <- test assistants/shop/tests/a.test.yaml:5");
    assert_snapshot!(read("./checks/refund.ts#Check"), @"script tests/checks/refund.ts#Check <- test tests/a.test.yaml:5");
    assert_snapshot!(read("'scripts:checks/refund.ts'"), @"script tests/checks/refund.ts#Check <- test tests/a.test.yaml:5");
    assert_snapshot!(read("scripts/test.ts#Assert"), @"script scripts/test.ts#Assert <- test tests/a.test.yaml:5");
}

#[test]
fn names_that_mean_nothing_are_refused() {
    assert_snapshot!(read("scripts.test.Asert"), @"tests/a.test.yaml:5:11 error `scripts/test.ts` has no function `Asert` |  | did you mean `Assert`?");
    assert_snapshot!(read("scripts.tset.Assert"), @"tests/a.test.yaml:5:11 error there is no script `scripts.tset.Assert` |  | did you mean `scripts.test.Assert`? looked for `scripts/tset.ts`, `scripts/tset/Assert.ts`");
    assert_snapshot!(read("scripts.tests.none"), @"tests/a.test.yaml:5:11 error `scripts/tests/none.ts` exports no function |  | write `export default` before the function that is meant, or name it");
    assert_snapshot!(read("scripts.tests.many"), @"tests/a.test.yaml:5:11 error `scripts/tests/many.ts` exports several functions |  | name one of them: `A`, `B`");
    assert_snapshot!(read("scripts.tests.broken.A"), @"scripts/tests/broken.ts:1:1 error this is not TypeScript");
    assert_snapshot!(read("./checks/gone.ts#Check"), @"tests/a.test.yaml:5:11 error there is no script `./checks/gone.ts#Check` |  | looked for `tests/checks/gone.ts`, `checks/gone.ts`");
    assert_snapshot!(read("'./checks/refund.ts#'"), @"tests/a.test.yaml:5:11 error `./checks/refund.ts#` names no function behind `#` |  | write its name, or leave `#` out for the default export");
    assert_snapshot!(read("test.Assert"), @"tests/a.test.yaml:5:11 error `test.Assert` does not say where the script is |  | write `scripts.test.Assert` for what is below `scripts`, or a path: `./test.Assert.ts#Check`");
    assert_snapshot!(read("script.test.Assert"), @"tests/a.test.yaml:5:11 error `script.test.Assert` does not say where the script is |  | did you mean `scripts.test.Assert`?");
    assert_snapshot!(read("'agents:judge'"), @"tests/a.test.yaml:5:11 error `agents:judge` names an agent, not a script |  | write `type: agent` if an agent is to judge, or name a script: `scripts:tests.validate`");
    assert_snapshot!(read("'scripts:tests.only?a=1'"), @"tests/a.test.yaml:5:11 error parameters after `?` are only for `-i` |  | leave them out; what a check is told stands under `options.metadata`");
    assert_snapshot!(read("'scripts.${NAME:-x}.A'"), @"tests/a.test.yaml:5:11 error a script is named without references |  | write the name as it is, such as `scripts.test.Assert`");
    assert_snapshot!(read("scripts...A"), @"tests/a.test.yaml:5:11 error `scripts...A` cannot be the name of a script |  | write the folders, the file and the function with dots: `scripts.test.Assert`");
}

#[test]
fn commands_follow_references_too() {
    let suite = suite("scripts.test.Assert", "tests/a.test.yaml");
    let inputs: [Input; 0] = [];
    let request = LoadRequest {
        cwd: suite.root(),
        inputs: &inputs,
        config: None,
        targets: &[],
        variables: &suite.variables,
        allow_unchecked: false,
        update_snapshots: suite.update_snapshots,
        asking: Asking::default(),
        find_tests: crate::testing::find_tests,
        find_functions: crate::testing::find_functions,
        timeout_given: false,
        goes_on: false,
    };
    let read = |reference| match script_reference(&request, reference) {
        Ok(call) => format!("{} {:?} {}", call.shown, call.function, call.digest),
        Err(refused) => refused
            .diagnostics
            .iter()
            .map(crate::testing::line)
            .collect::<Vec<_>>()
            .join("\n"),
    };
    assert_snapshot!(read("tests.only"), @r#"scripts/tests/only.js Some("Only") f115c108dfe71ab9"#);
    assert_snapshot!(read("scripts:tests.validate-expense"), @"scripts/tests/validate-expense.ts None ca0c44b6776b6877");
    assert_snapshot!(read("tests/checks/refund.ts#Check"), @r#"tests/checks/refund.ts Some("Check") a5af6d8ae6f6efc0"#);
    assert_snapshot!(read("tests.onyl"), @"- error there is no script `scripts:tests.onyl` |  | did you mean `scripts:tests.only`? looked for `scripts/tests/onyl.ts`, `scripts/tests.ts`");
}
