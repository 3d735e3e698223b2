//! Functions of scripts in listings, and what has no place for them.

use std::sync::Arc;

use ananke_model::place::Place;
use ananke_model::plan::{PlannedTest, TestId};
use ananke_model::script::{ScriptFile, ScriptTest, TestFunction};
use ananke_model::variables::Variables;
use insta::assert_snapshot;

use crate::history::{Kept, messages_case, yaml_test};
use crate::listing::{dry_run_listing, list_json, list_text, resolved_plan};
use crate::samples::{SCRIPT_FILE, function_passed, plain, plan, planned, text};

#[test]
fn history_refuses_functions() {
    let result = function_passed("TestA", 1);
    let error = yaml_test(&result, "run", &Kept::default()).unwrap_err();
    assert_snapshot!(error, @"it is a function of a script, which has no conversation; the script itself is the test to be changed");
    assert_eq!(messages_case(&result, None).unwrap_err(), error);
}

fn planned_function(name: &str, line: u32) -> PlannedTest {
    let file = ScriptFile {
        shown: SCRIPT_FILE.into(),
        id: "scripts.expense.setup".to_owned(),
        ..ScriptFile::default()
    };
    PlannedTest {
        id: TestId(format!("{SCRIPT_FILE}#{name}")),
        name: text(name),
        file: SCRIPT_FILE.into(),
        turns: Vec::new(),
        script: Some(Arc::new(ScriptTest {
            file: Arc::new(file),
            function: TestFunction {
                name: name.to_owned(),
                place: Place {
                    line,
                    ..Place::file(SCRIPT_FILE)
                },
                fails_by_itself: false,
            },
        })),
        ..planned(name, Vec::new(), Vec::new())
    }
}

#[test]
fn listings() {
    let mut skipped = planned_function("TestB", 9);
    skipped.skip = Some(text("waits for #12"));
    let functions = vec![planned_function("TestA", 3), skipped];
    let only = plan(functions.clone());
    let mixed = plan([vec![planned("a", Vec::new(), Vec::new())], functions].concat());
    assert_snapshot!(list_text(&only, &plain()), @"
    expense/src/setup_test.ts (scripts.expense.setup, 2 functions)
      TestA (line 3)
      TestB (line 9) SKIPPED: waits for #12
    ");
    assert_snapshot!(list_text(&mixed, &plain()), @"
    ID                 NAME     TARGET
    tests/a.test.yaml  a works  http://localhost:8000/agui

    expense/src/setup_test.ts (scripts.expense.setup, 2 functions)
      TestA (line 3)
      TestB (line 9) SKIPPED: waits for #12
    ");
    assert_snapshot!(dry_run_listing(&only, &plain()), @"
    ○ [expense/src/setup_test.ts#TestA] (line 3)
    ○ [expense/src/setup_test.ts#TestB] SKIPPED: waits for #12

    1 function of scripts, 1 skipped; nothing was run
    ");
    assert_snapshot!(dry_run_listing(&mixed, &plain()), @"
    ○ [tests/a.test.yaml] a works (2 turns, 0 checks)
    ○ [expense/src/setup_test.ts#TestA] (line 3)
    ○ [expense/src/setup_test.ts#TestB] SKIPPED: waits for #12

    1 test with 2 turns and 0 checks, 1 function of scripts, 1 skipped; nothing was run
    ");
    assert_snapshot!(list_json(&only)["tests"][0], @r#"{"id":"expense/src/setup_test.ts#TestA","name":"TestA","file":"expense/src/setup_test.ts","script":"scripts.expense.setup","line":3,"tags":[],"target":"http://localhost:8000/agui","turns":0,"checks":0}"#);
    let resolved = serde_json::to_value(resolved_plan(&only, &Variables::default())).unwrap();
    assert_snapshot!(resolved["tests"][0]["script"], @r#"{"script":"scripts.expense.setup","file":"expense/src/setup_test.ts","function":"TestA","line":3}"#);
}
