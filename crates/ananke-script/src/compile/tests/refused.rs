//! What is said about mistakes.

use insta::assert_snapshot;

use super::{mistakes, told};
use crate::compile::find_tests;

#[test]
fn a_syntax_error_has_a_place_and_a_label() {
    assert_snapshot!(mistakes("a.ts", "const a = 1;\nfunction TestA(t { }\n"), @"
    a.ts:2:18 [30..31] expected `,` or `)` but found `{`
      ^ `,` or `)` expected
    ");
    assert_snapshot!(mistakes("a.ts", "const é = 'ü', ñ = ;"), @"
    a.ts:1:20 [22..23] unexpected token
      ^ not allowed here
    ");
    assert_snapshot!(mistakes("a.ts", "\u{feff}const a = ;"), @"
    a.ts:1:11 [13..14] unexpected token
      ^ not allowed here
    ");
    assert_snapshot!(mistakes("a.ts", "function f() {"), @"
    a.ts:1:15 [14..14] expected `}` but found the end of the file
      ^ `}` expected
    ");
    assert_snapshot!(mistakes("a.ts", "const a = 'x"), @"
    a.ts:1:11 [10..12] unterminated string
      ^ it never ends
    ");
    assert_snapshot!(mistakes("a.ts", "const a = (1, 2;"), @"
    a.ts:1:16 [15..16] expected `,` or `)` but found `;`
      ^ `,` or `)` expected
    ");
    assert_snapshot!(mistakes("a.ts", "await = 1; const r = /(/;"), @"
    a.ts:1:23 [22..23] invalid regular expression: Unterminated capturing group
      ^ not allowed here
      hint: add the missing closing delimiter
    ");
}

#[test]
fn all_mistakes_that_can_be_seen_are_told_at_once() {
    assert_snapshot!(mistakes("a.ts", "const a = 1;\nlet a = 2;\nfunction TestA() {}\nfunction TestA() {}\nbreak;\nclass B { constructor() {} constructor() {} }\n"), @"
    a.ts:2:5 [17..18] identifier `a` has already been declared
      ^ it can not be redeclared here
    a.ts:4:10 [53..58] the function `TestA` has already been declared
      ^ expected another name
      hint: rename one of the two: only one of them would run
    a.ts:5:1 [64..70] illegal break statement
      ^ not allowed here
      hint: a `break` statement can only be used within an enclosing iteration or switch statement
    a.ts:6:28 [98..109] multiple constructor implementations are not allowed
      ^ it cannot be redeclared here
    ");
}

#[test]
fn what_scripts_cannot_do_is_refused_with_the_way_out() {
    assert_snapshot!(mistakes("a.ts", "import fs = require('fs');\nexport = { a: 1 };\n"), @r#"
    a.ts:1:1 [0..26] `import … = require(…)` cannot be used in scripts: they are ES modules
      ^ expected `import … from …`
      hint: write `import * as fs from "fs"`
    a.ts:2:1 [27..45] `export =` cannot be used in scripts: they are ES modules
      ^ expected `export default`
      hint: write `export default …`
    "#);
    assert_snapshot!(mistakes("a.tsx", "const a = <div>it's</div>;\nconst b = <></>;\n"), @"
    a.tsx:1:11 [10..15] JSX cannot be used in scripts
      ^ expected an expression without markup
      hint: build the text with a template string
    a.tsx:2:11 [37..39] JSX cannot be used in scripts
      ^ expected an expression without markup
      hint: build the text with a template string
    ");
    assert_snapshot!(mistakes("a.js", "const a = <div/>;"), @"
    a.js:1:11 [10..16] JSX cannot be used in scripts
      ^ expected an expression without markup
      hint: build the text with a template string
    ");
    assert_snapshot!(mistakes("a.js", "const a: number = 1;"), @"
    a.js:1:7 [6..7] missing initializer in const declaration
      ^ expected it here
      hint: types can be written in `.ts` files only
    a.js:1:8 [7..7] expected a semicolon or an implicit semicolon after a statement, but found none
      ^ expected it here
      hint: types can be written in `.ts` files only
    ");
    assert_snapshot!(mistakes("a.ts", "namespace N { export let x = 1; x++; }"), @"
    a.ts:1:26 [25..30] a namespace can export no variable that changes
      ^ not allowed here
      hint: export a `const` or a function, or use an object
    ");
    assert_snapshot!(mistakes("a.ts", "return 1;"), @"
    a.ts:1:1 [0..6] a 'return' statement can only be used within a function body
      ^ not allowed here
    ");
    assert_snapshot!(mistakes("a.ts", "function f() { await g(); }"), @"
    a.ts:1:16 [15..20] `await` is only allowed within async functions and at the top levels of modules
      ^ not allowed here
      hint: either remove this `await` or add the `async` keyword to the enclosing function
    ");
}

#[test]
fn decorators_are_refused() {
    assert_snapshot!(mistakes("a.ts", "@logged class A { @bound() f() {} }"), @"
    a.ts:1:1 [0..7] decorators cannot be used in scripts
      ^ expected a class or a member without one
      hint: call the function that decorates where the class is used, such as `const Shop = logged(class { … })`
    a.ts:1:19 [18..26] decorators cannot be used in scripts
      ^ expected a class or a member without one
      hint: call the function that decorates where the class is used, such as `const Shop = logged(class { … })`
    ");
}

#[test]
fn accessor_fields_are_refused() {
    let text = "class A { accessor x = 1; accessor = 2; }\nfunction TestA(t) {}\n";
    assert_snapshot!(mistakes("a.ts", text), @"
    a.ts:1:11 [10..25] `accessor` fields cannot be used in scripts
      ^ expected a field, or `get` and `set`
      hint: leave `accessor` out: a field does the same unless it is decorated
    ");
    assert_eq!(
        told(&find_tests("a.ts", text).unwrap_err()),
        mistakes("a.ts", text)
    );
}

#[test]
fn namespaces_in_parts_are_refused() {
    assert_snapshot!(mistakes("a.ts", "namespace U { export const pi = 3 }\nexport namespace U { export const e = pi - 1 }\n"), @"
    a.ts:2:18 [53..54] the namespace `U` has already been declared
      ^ expected another name
      hint: put both into one namespace
    ");
    assert!(
        mistakes(
            "a.ts",
            "namespace U { export type A = 1 }\nnamespace U { export const e = 1 }\n"
        )
        .starts_with("no mistake")
    );
}

#[test]
fn a_function_that_is_declared_twice_is_told_once() {
    assert_snapshot!(mistakes("a.js", "function f() {}\nexport function f() {}\n"), @"
    a.js:2:17 [32..33] identifier `f` has already been declared
      ^ it can not be redeclared here
    ");
}

#[test]
fn a_test_that_is_a_generator_is_refused() {
    let text = "function* TestA(t) { yield 1; }\nconst TestB = async function* (t) {};\nfunction* helper() {}\n";
    assert_snapshot!(told(&find_tests("a_test.ts", text).unwrap_err()), @"
    a_test.ts:1:11 [10..15] the test `TestA` is a generator, which would never run
      ^ expected a function or an async function
      hint: remove the `*`
    a_test.ts:2:7 [38..43] the test `TestB` is a generator, which would never run
      ^ expected a function or an async function
      hint: remove the `*`
    ");
}

#[test]
fn json_has_its_own_mistakes() {
    assert_snapshot!(mistakes("a.json", "{\n  \"é\": 1,\n}\n"), @"
    a.json:3:1 [13..14] the file is no JSON: key must be a string
      ^ expected JSON
      hint: JSON has no comments, no trailing commas, and only double quotes
    ");
    assert_snapshot!(mistakes("a.json", "{\"a\": 'x'}"), @"
    a.json:1:7 [6..7] the file is no JSON: expected value
      ^ expected JSON
      hint: JSON has no comments, no trailing commas, and only double quotes
    ");
    assert_snapshot!(mistakes("a.json", ""), @"
    a.json:1:1 [0..0] the file is no JSON: EOF while parsing a value
      ^ expected JSON
      hint: JSON has no comments, no trailing commas, and only double quotes
    ");
}

#[test]
fn files_that_are_too_large_or_too_deep_are_refused() {
    let large = format!("// {}\n", "x".repeat(10 * 1024 * 1024));
    assert_snapshot!(mistakes("a.ts", &large), @"
    a.ts:1:1 [0..0] the file is larger than 10 MiB
      ^ 
      hint: move data to a JSON file that tests do not import, or split the script
    ");
    let deep = format!(
        "const a =\n  {}1{};",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    assert_snapshot!(mistakes("a.ts", &deep), @"
    a.ts:2:1003 [1012..1013] the script is nested too deeply
      ^ expected at most 1000 brackets inside each other
      hint: split the expression, or move the data to a JSON file
    ");
    assert_snapshot!(told(&find_tests("a_test.ts", &"[".repeat(100_000)).unwrap_err()), @"
    a_test.ts:1:1001 [1000..1001] the script is nested too deeply
      ^ expected at most 1000 brackets inside each other
      hint: split the expression, or move the data to a JSON file
    ");
}
