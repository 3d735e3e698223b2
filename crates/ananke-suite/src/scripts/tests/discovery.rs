//! Which test functions are found, and what they are called.

use insta::assert_snapshot;

use crate::testing::{CONFIG, Suite, problems};
use crate::{Input, Loaded};

const TWO: &str = "function TestA(t, ctx) {\n}\nexport async function TestB(t) { throw 1 }\nfunction helper() {}\n";
const ONE: &str = "function TestOne(t) {}\n";
const YAML: &str = "version: 1\nname: y\nturns: [{user: a}]\nassert: {text: {must_match: x}}\n";

fn suite() -> Suite {
    Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        ("assistants/expense/package.yao", "{}"),
        (
            "assistants/expense/src/setup.ts",
            "export function Setup() {}\n",
        ),
        ("assistants/expense/src/setup_test.ts", TWO),
        ("assistants/expense/src/lib/math_test.js", ONE),
        ("assistants/expense/checks/loose_test.ts", ONE),
        ("assistants/bare/src/index_test.ts", ONE),
        ("keyword/src/index_test.ts", ONE),
        ("scripts/tools/format_test.ts", ONE),
        ("b.test.yaml", YAML),
        ("node_modules/x/y_test.js", ONE),
        (".gitignore", "ignored\n"),
        ("ignored/z_test.ts", ONE),
        ("plain.ts", ONE),
        ("empty_test.ts", "function helper() {}\n"),
    ])
}

/// Returns each test with its file and what is known of it, and what is wrong.
fn shown(loaded: &Loaded) -> String {
    let mut lines: Vec<String> = Vec::new();
    for test in &loaded.plan.tests {
        lines.push(match &test.script {
            Some(script) => {
                let module = script.file.module.as_ref();
                let module = module.and_then(|path| path.file_name());
                format!(
                    "{} | {} | {} | {} | {}",
                    test.id,
                    script.file.id,
                    script.file.assistant_id,
                    module.unwrap_or_default().display(),
                    test.name.place,
                )
            }
            None => test.id.to_string(),
        });
    }
    lines.extend((!loaded.diagnostics.is_empty()).then(|| problems(loaded)));
    lines.join("\n")
}

fn arguments(inputs: &[&str]) -> String {
    shown(&suite().load_in("", inputs))
}

fn flag(input: &str) -> String {
    shown(&suite().load_inputs("", &[Input::Flag(input.to_owned())]))
}

#[test]
fn a_folder_gives_all_functions_in_the_order_of_the_files() {
    assert_snapshot!(arguments(&[]), @"
    assistants/bare/src/index_test.ts#TestOne | scripts.bare.index | bare |  | assistants/bare/src/index_test.ts:1
    assistants/expense/checks/loose_test.ts#TestOne | assistants/expense/checks/loose_test.ts | expense |  | assistants/expense/checks/loose_test.ts:1
    assistants/expense/src/lib/math_test.js#TestOne | scripts.expense.lib.math | expense |  | assistants/expense/src/lib/math_test.js:1
    assistants/expense/src/setup_test.ts#TestA | scripts.expense.setup | expense | setup.ts | assistants/expense/src/setup_test.ts:1
    assistants/expense/src/setup_test.ts#TestB | scripts.expense.setup | expense | setup.ts | assistants/expense/src/setup_test.ts:3
    b.test.yaml
    keyword/src/index_test.ts#TestOne | keyword/src/index_test.ts |  |  | keyword/src/index_test.ts:1
    scripts/tools/format_test.ts#TestOne | scripts/tools/format_test.ts |  |  | scripts/tools/format_test.ts:1
    empty_test.ts:1:1 warning the file has no test function |  | write `function TestSomething(t, ctx) { … }`: names begin with `Test`
    ");
    assert_snapshot!(arguments(&["assistants/expense/src"]), @"
    assistants/expense/src/lib/math_test.js#TestOne | scripts.expense.lib.math | expense |  | assistants/expense/src/lib/math_test.js:1
    assistants/expense/src/setup_test.ts#TestA | scripts.expense.setup | expense | setup.ts | assistants/expense/src/setup_test.ts:1
    assistants/expense/src/setup_test.ts#TestB | scripts.expense.setup | expense | setup.ts | assistants/expense/src/setup_test.ts:3
    ");
}

#[test]
fn files_and_globs_are_found() {
    assert_snapshot!(arguments(&["keyword/src/index_test.ts", "b.test.yaml", "scripts/**/*_test.ts"]), @"
    keyword/src/index_test.ts#TestOne | keyword/src/index_test.ts |  |  | keyword/src/index_test.ts:1
    b.test.yaml
    scripts/tools/format_test.ts#TestOne | scripts/tools/format_test.ts |  |  | scripts/tools/format_test.ts:1
    ");
    assert_snapshot!(flag("assistants/**/*.js"), @"assistants/expense/src/lib/math_test.js#TestOne | scripts.expense.lib.math | expense |  | assistants/expense/src/lib/math_test.js:1");
    assert_snapshot!(arguments(&["plain.ts"]), @"- error `plain.ts` is a script without tests |  | test functions stand in a file whose name ends in `_test.ts` or `_test.js`, such as `plain_test.ts`");
    assert_snapshot!(arguments(&["keyword/src/idnex_test.ts"]), @"- error no such file or folder: `keyword/src/idnex_test.ts` |  | did you mean `keyword/src/index_test.ts`?");
    assert_snapshot!(flag("gone.ts"), @"- error no such file or folder: `gone.ts`");
}

#[test]
fn scripts_are_found_by_what_they_are_called() {
    assert_snapshot!(flag("scripts.expense.setup"), @"
    assistants/expense/src/setup_test.ts#TestA | scripts.expense.setup | expense | setup.ts | assistants/expense/src/setup_test.ts:1
    assistants/expense/src/setup_test.ts#TestB | scripts.expense.setup | expense | setup.ts | assistants/expense/src/setup_test.ts:3
    ");
    assert_snapshot!(arguments(&["scripts.expense.lib.math", "scripts.keyword.index"]), @"
    assistants/expense/src/lib/math_test.js#TestOne | scripts.expense.lib.math | expense |  | assistants/expense/src/lib/math_test.js:1
    keyword/src/index_test.ts#TestOne | scripts.keyword.index | keyword |  | keyword/src/index_test.ts:1
    ");
    assert_snapshot!(flag("scripts.bare.index"), @"assistants/bare/src/index_test.ts#TestOne | scripts.bare.index | bare |  | assistants/bare/src/index_test.ts:1");
    assert_snapshot!(flag("scripts.tools.format_test"), @"scripts/tools/format_test.ts#TestOne | scripts.tools.format |  |  | scripts/tools/format_test.ts:1");
}

#[test]
fn a_file_that_is_named_twice_runs_once() {
    assert_snapshot!(arguments(&["scripts.keyword.index", "keyword/src/index_test.ts", "keyword"]), @"keyword/src/index_test.ts#TestOne | scripts.keyword.index | keyword |  | keyword/src/index_test.ts:1");
}

#[test]
fn what_is_not_there_is_told_with_the_places() {
    assert_snapshot!(flag("scripts.expense.setpu"), @"- error there is no script test `scripts.expense.setpu` |  | did you mean `scripts.expense.setup`? looked for `assistants/expense/src/setpu_test.ts`, `scripts/expense/setpu_test.ts`, and for `.js`");
    assert_snapshot!(flag("scripts.nobody.x.y"), @"- error there is no script test `scripts.nobody.x.y` |  | looked for `assistants/nobody/x/src/y_test.ts`, `scripts/nobody/x/y_test.ts`, and for `.js`");
    assert_snapshot!(flag("scripts.expense"), @"- error there is no script test `scripts.expense` |  | did you mean `scripts.expense.setup`? looked for `scripts/expense_test.ts`, and for `.js`");
    assert_snapshot!(flag("scripts.expense..setup"), @"- error `scripts.expense..setup` names no script |  | write `scripts.`, the assistant and the module: `scripts.expense.setup`");
    assert_snapshot!(flag("scripts:tests.gen?count=10"), @"- error `scripts:tests.gen?count=10` asks for cases, which is not done here");
}

#[test]
fn files_without_functions_and_with_mistakes_are_told() {
    assert_snapshot!(arguments(&["empty_test.ts"]), @"empty_test.ts:1:1 warning the file has no test function |  | write `function TestSomething(t, ctx) { … }`: names begin with `Test`");
    let suite = Suite::new(&[
        ("a_test.ts", "function TestA(t) {}\nsyntax error\n"),
        ("b_test.ts", "function TestA(t) {}\nfunction TestA(t) {}\n"),
    ]);
    assert_snapshot!(shown(&suite.load()), @"
    b_test.ts#TestA | b_test.ts |  |  | b_test.ts:1
    a_test.ts:2:1 error this is not TypeScript
    b_test.ts:1:1 error `TestA` is there twice | the first is at b_test.ts:1 | give each test function a name of its own
    ");
}

#[test]
fn the_app_is_the_root() {
    let suite = Suite::new(&[
        ("app/app.yao", "{}"),
        ("app/assistants/a/package.yao", "{}"),
        ("app/assistants/a/src/x_test.ts", ONE),
        ("app/tests/note.txt", ""),
    ]);
    let input = [Input::Flag("scripts.a.x".to_owned())];
    let loaded = suite.load_inputs("app/tests", &input);
    assert_snapshot!(shown(&loaded), @"../assistants/a/src/x_test.ts#TestOne | scripts.a.x | a |  | ../assistants/a/src/x_test.ts:1");
    assert_eq!(loaded.plan.scripts.root, suite.root().join("app"));
    let loaded = suite.load_in("app/tests", &["../assistants/a/src/x_test.ts"]);
    assert_snapshot!(shown(&loaded), @"../assistants/a/src/x_test.ts#TestOne | scripts.a.x | a |  | ../assistants/a/src/x_test.ts:1");
}

#[test]
fn functions_have_limits_and_an_identity() {
    let mut suite = suite();
    suite.asking.user = Some("admin");
    let inputs = ["scripts.expense.setup"];
    let facts = |suite: &Suite| {
        let plan = suite.load_in("", &inputs).plan;
        let user = plan.identity.map(|identity| identity.user_id);
        let tests = plan.tests.iter().map(|test| {
            let by_itself = test.script.as_ref().unwrap().function.fails_by_itself;
            format!("{:?} {by_itself}", test.timeout_ms)
        });
        format!("{user:?} {}", tests.collect::<Vec<_>>().join(", "))
    };
    assert_snapshot!(facts(&suite), @r#"Some("admin") Some(30000) false, Some(30000) true"#);
    suite.timeout_given = true;
    suite.allow_unchecked = true;
    assert_snapshot!(facts(&suite), @r#"Some("admin") None true, None true"#);
}

#[test]
fn files_with_mistakes_do_not_hide_the_others() {
    let mut suite = Suite::new(&[
        ("a_test.ts", "function TestA(t) {}\nsyntax error\n"),
        ("b_test.ts", "function TestA(t) {}\nfunction TestA(t) {}\n"),
        ("c/good_test.ts", ONE),
        ("c/module.ts", "syntax error\n"),
        ("c/module_test.ts", TWO),
        ("c/wide_test.ts", "function TestA(t) {}\n\u{0}"),
    ]);
    suite.write("d_test.ts", b"\xff\xfe");
    let told = |loaded: &Loaded| {
        let broken = Loaded {
            diagnostics: loaded.broken.clone(),
            ..loaded.clone()
        };
        format!("{}\n-- broken\n{}", shown(loaded), problems(&broken))
    };
    assert_snapshot!(told(&suite.load()), @"
    b_test.ts#TestA | b_test.ts |  |  | b_test.ts:1
    c/good_test.ts#TestOne | c/good_test.ts |  |  | c/good_test.ts:1
    c/module_test.ts#TestA | c/module_test.ts |  | module.ts | c/module_test.ts:1
    c/module_test.ts#TestB | c/module_test.ts |  | module.ts | c/module_test.ts:3
    c/wide_test.ts#TestA | c/wide_test.ts |  |  | c/wide_test.ts:1
    c/module.ts:1:1 error this is not TypeScript
    a_test.ts:2:1 error this is not TypeScript
    b_test.ts:1:1 error `TestA` is there twice | the first is at b_test.ts:1 | give each test function a name of its own
    d_test.ts:1:1 error the file is not UTF-8 text | the byte at offset 0 is not UTF-8 | save the file as UTF-8
    -- broken
    ");
    suite.goes_on = true;
    let loaded = suite.load();
    assert_snapshot!(told(&loaded), @"
    a_test.ts#(file) | a_test.ts |  |  | a_test.ts:1
    b_test.ts#(file) | b_test.ts |  |  | b_test.ts:1
    c/good_test.ts#TestOne | c/good_test.ts |  |  | c/good_test.ts:1
    c/module_test.ts#TestA | c/module_test.ts |  | module.ts | c/module_test.ts:1
    c/module_test.ts#TestB | c/module_test.ts |  | module.ts | c/module_test.ts:3
    c/wide_test.ts#TestA | c/wide_test.ts |  |  | c/wide_test.ts:1
    d_test.ts#(file) | d_test.ts |  |  | d_test.ts:1
    -- broken
    c/module.ts:1:1 error this is not TypeScript
    a_test.ts:2:1 error this is not TypeScript
    b_test.ts:1:1 error `TestA` is there twice | the first is at b_test.ts:1 | give each test function a name of its own
    d_test.ts:1:1 error the file is not UTF-8 text | the byte at offset 0 is not UTF-8 | save the file as UTF-8
    ");
    assert_eq!(loaded.plan.tests[0].name.text, "a_test.ts");
}

#[test]
fn only_one_of_two_files_has_the_name_of_the_module() {
    let suite = Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        ("assistants/expense/package.yao", "{}"),
        ("assistants/expense/src/setup_test.js", ONE),
        ("assistants/expense/src/setup_test.ts", ONE),
        ("assistants/expense/src/other_test.mts", ONE),
    ]);
    assert_snapshot!(shown(&suite.load()), @"
    assistants/expense/src/other_test.mts#TestOne | scripts.expense.other | expense |  | assistants/expense/src/other_test.mts:1
    assistants/expense/src/setup_test.js#TestOne | assistants/expense/src/setup_test.js | expense |  | assistants/expense/src/setup_test.js:1
    assistants/expense/src/setup_test.ts#TestOne | scripts.expense.setup | expense |  | assistants/expense/src/setup_test.ts:1
    ");
}
