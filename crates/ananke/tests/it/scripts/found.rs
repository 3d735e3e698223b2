//! How scripts are found, and what is said when they are not.

use ananke_testkit::{RunOutput, TestContext};

use crate::ANANKE;

const ONE: &str = "function TestOne(t) { t.assert.True(true); }\n";

/// Returns the exit code and everything that was printed, without times.
pub(super) fn shown(cx: &TestContext, output: &RunOutput) -> String {
    cx.show(output)
}

fn app() -> TestContext {
    let cx = TestContext::new(ANANKE);
    cx.write("app.yao", "{\"name\": \"Shop\"}\n");
    cx.write(
        "assistants/expense/package.yao",
        "{\"name\": \"Expense\", \"connector\": \"x\"}\n",
    );
    cx.write("assistants/expense/src/setup_test.ts", ONE);
    cx.write("assistants/expense/src/deep/tools_test.js", ONE);
    cx
}

#[test]
fn scripts_are_named_by_path_glob_folder_and_id() {
    let cx = app();
    for input in [
        "scripts.expense.setup",
        "scripts.expense.deep.tools",
        "assistants/expense/src/setup_test.ts",
        "assistants/**/*_test.ts",
        "assistants",
        ".",
    ] {
        let output = cx.run(&["run", "--no-bundle", "-q", "-i", input]);
        assert_eq!(output.code, Some(0), "{input}\n{output}");
    }
    let output = cx.run(&["list"]);
    insta::assert_snapshot!(shown(&cx, &output), @"
    exit code: 0
    --- stdout
    assistants/expense/src/deep/tools_test.js (scripts.expense.deep.tools, 1 function)
      TestOne (line 1)
    assistants/expense/src/setup_test.ts (scripts.expense.setup, 1 function)
      TestOne (line 1)
    --- stderr
    ");
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    let cx = app();
    for (input, code) in [
        ("scripts.expense.setupp", 2),
        ("scripts.nobody.setup", 2),
        ("assistants/expense/src/none_test.ts", 2),
    ] {
        let output = cx.run(&["run", "--no-bundle", "-i", input]);
        assert_eq!(output.code, Some(code), "{output}");
    }
    let output = cx.run(&["run", "--no-bundle", "-i", "scripts.expense.setupp"]);
    insta::assert_snapshot!(shown(&cx, &output), @"
    exit code: 2
    --- stdout
    --- stderr
    error: there is no script test `scripts.expense.setupp`
    hint: did you mean `scripts.expense.setup`? looked for `assistants/expense/src/setupp_test.ts`, `scripts/expense/setupp_test.ts`, and for `.js`

    error: 1 error
    ");
}

#[test]
fn a_file_without_tests_runs_nothing() {
    let cx = TestContext::new(ANANKE);
    cx.write(
        "empty_test.ts",
        "// function TestNo(t) {}\nfunction helper() {}\n",
    );
    let output = cx.run(&["run", "--no-bundle", "empty_test.ts"]);
    insta::assert_snapshot!(shown(&cx, &output), @"
    exit code: 4
    --- stdout
    --- stderr
    warning: the file has no test function
     --> empty_test.ts:1:1
      |
    1 | // function TestNo(t) {}
      | ^
    hint: write `function TestSomething(t, ctx) { … }`: names begin with `Test`

    warning: 1 warning in 1 file
    error: no test found in empty_test.ts
    hint: tests are files named *.test.yaml or *.test.yml, *.jsonl in a folder named tests, and functions named Test… in *_test.ts or *_test.js
    ");
}

#[test]
fn mistakes_in_scripts_are_found_before_anything_runs() {
    let cx = TestContext::new(ANANKE);
    cx.write(
        "a_test.ts",
        "function TestA(t) {\n  t.assert.True(true;\n}\n",
    );
    cx.write(
        "b_test.ts",
        "function TestB(t: testing.T) { t.assert.True(true); }\nlet x: = 3;\n",
    );
    let output = cx.run(&["validate"]);
    insta::assert_snapshot!(shown(&cx, &output), @"
    exit code: 2
    --- stdout
    --- stderr
    error: expected `,` or `)` but found `;`
     --> a_test.ts:2:21
      |
    2 |   t.assert.True(true;
      |                     ^ `,` or `)` expected

    error: unexpected token
     --> b_test.ts:2:8
      |
    2 | let x: = 3;
      |        ^ not allowed here

    error: 2 errors in 2 files
    ");
    let output = cx.run(&["run", "--no-bundle"]);
    assert_eq!(output.code, Some(2), "{output}");
}
