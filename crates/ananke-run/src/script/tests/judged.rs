//! Recordings with scripts, judged again.

use std::sync::Arc;

use ananke_model::plan::Plan;
use ananke_model::result::TestResult;
use ananke_model::run_event::{RunEvent, RunInfo};
use ananke_model::script::{ScriptFile, ScriptTest, TestFunction};
use insta::assert_snapshot;
use serde_json::json;

use super::Scripts;
use super::checks::{CHECKS, judged_by};
use crate::judge::{JudgeOptions, Lookup, Recordings, judge};
use crate::session::FlakyResult;
use crate::testing::{options, run_live, shown, variables};

pub(super) fn again(plan: &Plan, results: &[TestResult], lookup: Lookup) -> Vec<TestResult> {
    let how = JudgeOptions {
        variables: variables(),
        lookup,
        flaky_result: FlakyResult::Pass,
        min_pass_rate: None,
        info: RunInfo::default(),
        duration_us: 0,
        is_interrupted: false,
    };
    let mut judged = Vec::new();
    judge(plan, Recordings::new(results.to_vec()), how, &mut |event| {
        if let RunEvent::TestFinished { result, .. } = event {
            judged.push(*result);
        }
    });
    judged
}

#[tokio::test]
async fn the_record_of_a_function_decides_again() {
    let file = "function TestA(t) { t.assert.True(true) }\nfunction TestB(t) { t.assert.Equal(1, 2) }\nfunction TestC(t) {}\n";
    let scripts = Scripts::new(&[("a_test.ts", file)]);
    let (results, _) = run_live(&scripts.plan, options()).await;
    for lookup in [Lookup::ById, Lookup::ByConversation] {
        let judged = again(&scripts.plan, &results, lookup);
        assert_eq!(shown(&judged), shown(&results));
        assert_eq!(judged, results);
    }
    let mut plan = scripts.plan.clone();
    let test = ScriptTest::clone(plan.tests[2].script.as_ref().unwrap());
    plan.tests[2].script = Some(Arc::new(ScriptTest {
        function: TestFunction {
            fails_by_itself: true,
            ..test.function
        },
        ..test
    }));
    let judged = again(&plan, &results, Lookup::ById);
    assert_snapshot!(shown(&judged[2..]), @"TestC: PASSED · 0 turns, 0 checks");
}

#[tokio::test]
async fn functions_that_were_changed_are_not_judged_by_their_records() {
    let scripts = Scripts::new(&[
        ("a.ts", "export const one = 1;\n"),
        (
            "a_test.ts",
            "import {one} from './a';\nfunction TestA(t) { t.assert.Equal(one, 1) }\n",
        ),
    ]);
    let (mut results, _) = run_live(&scripts.plan, options()).await;
    scripts.project.write("a.ts", "export const one = 2;\n");
    let judged = again(&scripts.plan, &results, Lookup::ById);
    assert_snapshot!(shown(&judged), @"
    TestA: ERROR the script was changed since it was recorded: run it again · 0 turns, 0 checks
        changed: one of a.ts, a_test.ts
    ");
    assert_eq!(
        again(&scripts.plan, &results, Lookup::ByConversation),
        judged
    );
    std::fs::remove_file(scripts.project.path("a.ts")).unwrap();
    let judged = again(&scripts.plan, &results, Lookup::ById);
    assert_snapshot!(shown(&judged), @"
    TestA: ERROR the script was changed since it was recorded: run it again · 0 turns, 0 checks
        not there any more: a.ts
    ");
    // An older recording does not say what the files were.
    let record = results[0].script.as_mut().unwrap();
    (record.modules, record.digest) = Default::default();
    let judged = again(&scripts.plan, &results, Lookup::ById);
    assert_snapshot!(format!("{}\n{:?}", shown(&judged), judged[0].warnings), @r#"
    TestA: PASSED · 0 turns, 0 checks
        the recording does not say what the script was like: whether it was changed since is not known
    ["the recording does not say what the script was like: whether it was changed since is not known"]
    "#);
}

#[tokio::test]
async fn functions_that_were_not_recorded_say_so() {
    let scripts = Scripts::new(&[("a_test.ts", "function TestA(t) { t.assert.True(true) }\n")]);
    for lookup in [Lookup::ById, Lookup::ByConversation] {
        let judged = shown(&again(&scripts.plan, &[], lookup));
        assert!(judged.contains("no recording of this"), "{judged}");
    }
}

#[tokio::test]
async fn recorded_verdicts_count_while_the_script_is_the_same() {
    let scripts = Scripts::new(&[("scripts/checks.ts", CHECKS)]);
    let (_project, plan) = judged_by(&scripts, "Total", Some(json!(5)));
    let (results, _) = run_live(&plan, options()).await;
    let judged = again(&plan, &results, Lookup::ById);
    assert_eq!(judged, results);
    let changed = CHECKS.replace("===", "!==");
    scripts.project.write("scripts/checks.ts", &changed);
    // Otherwise the function is called again.
    let (_project, plan) = judged_by(&scripts, "Total", Some(json!(5)));
    let judged = again(&plan, &results, Lookup::ById);
    assert_snapshot!(format!("{}\n{}", shown(&judged), judged[0].checks[0].actual), @"
    the a test: FAILED [script scripts.Total] · 1 turns, 1 checks
    refused: total 5, wanted 5, asked Hello
    ");
    // It reaches nobody.
    let (_project, plan) = judged_by(&scripts, "Asks", None);
    let judged = again(&plan, &results, Lookup::ById);
    assert_snapshot!(format!("{}\n{}", shown(&judged), judged[0].checks[0].actual), @"
    the a test: INCONCLUSIVE · 1 turns, 1 checks
    no verdict: the agent `none`: a recording is judged, so nobody is asked (scripts/checks.ts:12:33)
    ");
    let (_project, plan) = judged_by(&scripts, "Region", None);
    let judged = again(&plan, &results, Lookup::ById);
    assert_snapshot!(judged[0].checks[0].actual, @"no verdict: the environment variable `REGION` is out of reach: a recording is judged, so nothing outside of it is used (scripts/checks.ts:11:35)");
}

#[tokio::test]
async fn checks_are_called_again_when_a_file_that_they_import_is_another() {
    let check = "import { limit } from './rules';\nimport table from './table.json';\nexport async function Total(output) {\n  const late = await import('./late');\n  return {pass: output.total <= limit + table.more + late.more, message: `at most ${limit + table.more + late.more}`};\n}\n";
    let files = [
        ("scripts/checks.ts", check),
        ("scripts/rules.ts", "export const limit = 5;\n"),
        ("scripts/table.json", "{\"more\": 0}\n"),
        ("scripts/late.ts", "export const more = 0;\n"),
    ];
    let scripts = Scripts::new(&files);
    let (_project, plan) = judged_by(&scripts, "Total", None);
    let (results, _) = run_live(&plan, options()).await;
    let opinion = &results[0].turns[0].turn.opinions[0];
    assert_eq!(
        opinion.modules,
        [
            "scripts/checks.ts",
            "scripts/late.ts",
            "scripts/rules.ts",
            "scripts/table.json"
        ]
    );
    let judged = || {
        let judged = again(&plan, &results, Lookup::ById);
        assert_eq!(judged[0].turns[0].turn.opinions.len(), 1);
        // What it was called with now counts from then on.
        assert_eq!(
            again(&plan, &judged, Lookup::ById)[0].status,
            judged[0].status
        );
        format!("{}\n{}", shown(&judged), judged[0].checks[0].actual)
    };
    assert_eq!(again(&plan, &results, Lookup::ById), results);
    scripts
        .project
        .write("scripts/rules.ts", "export const limit = 4;\n");
    assert_snapshot!(judged(), @"
    the a test: FAILED [script scripts.Total] · 1 turns, 1 checks
    refused: at most 4
    ");
    scripts
        .project
        .write("scripts/rules.ts", "export const limit = ;\n");
    assert_snapshot!(judged(), @"
    the a test: INCONCLUSIVE · 1 turns, 1 checks
    no verdict: unexpected token (scripts/rules.ts:1:22)
    ");
    std::fs::remove_file(scripts.project.path("scripts/rules.ts")).unwrap();
    assert_snapshot!(judged(), @"
    the a test: INCONCLUSIVE · 1 turns, 1 checks
    no verdict: there is no module `./rules` (scripts/checks.ts:1:23)
    ");
    scripts.project.write("scripts/rules.ts", files[1].1);
    scripts
        .project
        .write("scripts/table.json", "{\"more\": -2}\n");
    assert_snapshot!(judged(), @"
    the a test: FAILED [script scripts.Total] · 1 turns, 1 checks
    refused: at most 3
    ");
    scripts.project.write("scripts/table.json", files[2].1);
    scripts
        .project
        .write("scripts/late.ts", "export const more = -3;\n");
    assert_snapshot!(judged(), @"
    the a test: FAILED [script scripts.Total] · 1 turns, 1 checks
    refused: at most 2
    ");
    scripts.project.write("scripts/late.ts", files[3].1);
    assert_eq!(again(&plan, &results, Lookup::ById), results);
}

#[tokio::test]
async fn files_that_a_function_loads_while_it_runs_count_too() {
    let test = "export async function TestA(t) { t.assert.Equal((await import('./late')).one, 1) }\nexport function TestB(t) { t.assert.Equal(Process('scripts.p.One'), 1) }\n";
    let files = [
        ("a_test.ts", test),
        ("late.ts", "export const one = 1;\n"),
        ("scripts/p.ts", "export function One() { return 1 }\n"),
    ];
    let scripts = Scripts::new(&files);
    let (results, _) = run_live(&scripts.plan, options()).await;
    assert_eq!(again(&scripts.plan, &results, Lookup::ById), results);
    scripts
        .project
        .write("scripts/p.ts", "export function One() { return 2 }\n");
    assert_snapshot!(shown(&again(&scripts.plan, &results, Lookup::ById)), @"
    TestA: PASSED · 0 turns, 0 checks
    TestB: ERROR the script was changed since it was recorded: run it again · 0 turns, 0 checks
        changed: one of a_test.ts, late.ts, scripts/p.ts
    ");
    scripts.project.write("scripts/p.ts", files[2].1);
    std::fs::remove_file(scripts.project.path("late.ts")).unwrap();
    assert_snapshot!(shown(&again(&scripts.plan, &results, Lookup::ById)), @"
    TestA: ERROR the script was changed since it was recorded: run it again · 0 turns, 0 checks
        not there any more: late.ts
    TestB: ERROR the script was changed since it was recorded: run it again · 0 turns, 0 checks
        not there any more: late.ts
    ");
}

#[tokio::test]
async fn a_module_that_appears_beside_its_tests_is_a_change() {
    let test = "function TestA(t) { t.assert.Equal(typeof one, 'undefined') }\n";
    let scripts = Scripts::new(&[("a_test.ts", test)]);
    let (results, _) = run_live(&scripts.plan, options()).await;
    scripts.project.write("a.ts", "export const one = 1;\n");
    let mut plan = scripts.plan.clone();
    let script = ScriptTest::clone(plan.tests[0].script.as_ref().unwrap());
    let mut file = ScriptFile::clone(&script.file);
    file.module = Some(scripts.project.path("a.ts"));
    let file = Arc::new(file);
    plan.tests[0].script = Some(Arc::new(ScriptTest { file, ..script }));
    assert_snapshot!(shown(&again(&plan, &results, Lookup::ById)), @"
    TestA: ERROR the script was changed since it was recorded: run it again · 0 turns, 0 checks
        not there before: a.ts
    ");
    // One that was there is none, also if it was broken, or if the file was loaded a second time.
    for module in ["", "export const one = ;\n", "type One = 1;\n"] {
        let scripts = Scripts::new(&[
            ("a.ts", module),
            (
                "a_test.ts",
                &format!("function TestZ(t) {{ for (;;) {{}} }}\n{test}"),
            ),
        ]);
        let mut plan = scripts.plan.clone();
        plan.tests[0].timeout_ms = Some(200);
        plan.tests[1].timeout_ms = Some(200);
        let (results, _) = run_live(&plan, options()).await;
        assert_eq!(again(&plan, &results, Lookup::ById), results, "{module}");
    }
}
