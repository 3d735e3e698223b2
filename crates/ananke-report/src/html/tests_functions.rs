//! Functions of scripts in the page's data.

use insta::assert_snapshot;
use serde_json::json;

use super::tests::{island, page};
use crate::samples::{
    function_failed, function_hostile, function_passed, function_thrown, function_with_subtests,
    script_run,
};

#[test]
fn a_function_has_code_difference_logs_and_subtests() {
    let results = vec![
        function_passed("TestA", 12_000),
        function_failed("TestB", json!(["a\n", "b".repeat(70)]), json!(["a\n"])),
        function_thrown("TestC"),
        function_with_subtests("TestD"),
    ];
    let page = page(&script_run(results));
    let chunk = island(&page, "chunk-0");
    let functions = chunk.as_array().unwrap().iter();
    let functions: Vec<String> = functions.map(|one| one["fn"].to_string()).collect();
    assert_snapshot!(functions.join("\n\n"), @r#"
    {"s":"scripts.expense.setup","n":2}

    {"s":"scripts.expense.setup","n":3,"fs":[{"m":"assertion failed: Result ID should match","k":"Equal","e":"[\"a\\n\",\"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\"]","a":"[\"a\\n\"]","d":[[" ","["],["-","  \"a\\n\","],["-","  \"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\""],["+","  \"a\\n\""],[" ","]"]],"at":[["check","expense/src/setup_test.ts",12,2],["TestB","expense/src/setup_test.ts",20,5]],"x":[[11,"  const result = Setup(ctx);"],[12,"\tassert.Equal(result.id, 1, \"Result ID should match\");"],[13,"}"]]}]}

    {"s":"scripts.expense.setup","n":1,"fs":[{"m":"TypeError: cannot read property 'id' of undefined\ncaused by: no row","at":[["find","expense/src/setup_test.ts",31,12],["","expense/src/setup_test.ts",33,1],["TestC","expense/src/setup_test.ts",40,9]],"x":[[31,"  return rows[0].id;"]]}],"logs":[["i","looking for 7"],["w","slow\nvery slow"],["e","no rows"]],"more":[0,12]}

    {"s":"scripts.expense.setup","n":3,"fs":[{"m":"assertion failed: Result ID should match","k":"Equal","e":"0","a":"2","at":[["check","expense/src/setup_test.ts",12,2],["TestD","expense/src/setup_test.ts",20,5]],"x":[[11,"  const result = Setup(ctx);"],[12,"\tassert.Equal(result.id, 1, \"Result ID should match\");"],[13,"}"]],"in":"TestD/empty cart/total"}],"sub":[["TestD/empty cart","f",2000],["TestD/empty cart/total","f",2000],["TestD/empty cart/tax","p",2000],["TestD/full cart","s",2000]]}
    "#);
    // The plain lines say the same.
    assert!(!page.contains("plain lines"));
    assert_eq!(
        island(&page, "index")["file"]["0"],
        "expense/src/setup_test.ts"
    );
}

#[test]
fn hostile_text_is_data() {
    let page = page(&script_run(vec![function_hostile("TestH")]));
    assert!(!page.contains("<img"));
    assert_eq!(
        island(&page, "chunk-0")[0]["fn"]["logs"][0][1],
        crate::samples::HOSTILE
    );
}
