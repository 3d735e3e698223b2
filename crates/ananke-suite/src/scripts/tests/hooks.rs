//! `before` and `after` of cases, and of everything.

use ananke_model::script::ScriptCall;
use insta::assert_snapshot;

use crate::testing::{CONFIG, Suite, problems};

const HOOKS: &str = "function Before(ctx) {}\nfunction After(ctx) {}\n";

fn suite(keys: &str) -> Suite {
    let case = format!("{{\"id\": \"a\", \"input\": \"hi\", \"expected\": 1, {keys}}}\n");
    Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        ("tests/a.jsonl", &case),
        ("tests/env_test.ts", HOOKS),
        ("scripts/hooks.ts", "export function Up() {}\n"),
    ])
}

fn shown(calls: [Option<&ScriptCall>; 2]) -> String {
    let calls = calls.into_iter().flatten();
    let calls = calls.map(|call| {
        let function = call.function.as_deref().unwrap_or("default");
        format!("{} = {}#{function}", call.reference, call.shown)
    });
    calls.collect::<Vec<_>>().join("\n")
}

fn hooks(suite: &Suite) -> String {
    let loaded = suite.load_in("", &["tests/a.jsonl", "assistants"]);
    if !loaded.diagnostics.is_empty() {
        return problems(&loaded);
    }
    let tests = loaded.plan.tests.iter();
    let tests = tests.map(|test| shown([test.before.as_ref(), test.after.as_ref()]));
    tests.collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn read(keys: &str) -> String {
    let suite = suite(keys);
    suite.write("assistants/note.txt", b"");
    hooks(&suite)
}

#[test]
fn hooks_are_found_beside_the_cases() {
    assert_snapshot!(read(r#""before": "env_test.Before", "after": "env.After""#), @"
    env_test.Before = tests/env_test.ts#Before
    env.After = tests/env_test.ts#After
    ");
    assert_snapshot!(read(r#""before": "Before", "after": "src/env_test.After""#), @"
    Before = tests/env_test.ts#Before
    src/env_test.After = tests/env_test.ts#After
    ");
    assert_snapshot!(read(r#""before": "scripts.hooks.Up", "after": "./env_test.ts#After""#), @"
    scripts.hooks.Up = scripts/hooks.ts#Up
    ./env_test.ts#After = tests/env_test.ts#After
    ");
}

#[test]
fn the_scripts_of_the_agent_go_first() {
    let suite = suite(r#""before": "Before""#);
    suite.write(
        "assistants/shop/package.yao",
        b"{\"name\": \"Shop\", \"connector\": \"local\"}",
    );
    suite.write(
        "assistants/shop/prompts.yml",
        b"- {role: system, content: Be kind.}\n",
    );
    suite.write("connectors/local.conn.yao", b"{\"type\": \"openai\", \"options\": {\"host\": \"http://h\", \"model\": \"m\", \"key\": \"k\"}}");
    suite.write("assistants/shop/src/own_test.ts", HOOKS.as_bytes());
    suite.write(
        "assistants/shop/tests/b.jsonl",
        b"{\"id\": \"b\", \"input\": \"hi\", \"expected\": 1, \"before\": \"Before\"}\n",
    );
    assert_snapshot!(hooks(&suite), @"
    Before = tests/env_test.ts#Before
    Before = assistants/shop/src/own_test.ts#Before
    ");
    // The agent that is asked, and not the folder of the cases, decides.
    let mut suite = suite;
    suite.asking.name = Some("shop");
    let loaded = suite.load_in("", &["tests/a.jsonl"]);
    assert_snapshot!(shown([loaded.plan.tests[0].before.as_ref(), None]), @"Before = assistants/shop/src/own_test.ts#Before");
}

#[test]
fn hooks_that_are_not_there_are_told() {
    assert_snapshot!(read(r#""before": "Befor", "after": "env.Aftr""#), @"
    tests/a.jsonl:1:53 error there is no hook `Befor` |  | did you mean `Before`? looked into the `*_test.ts` files of `tests`
    tests/a.jsonl:1:71 error `tests/env_test.ts` has no function `Aftr` |  | did you mean `After`?
    ");
    assert_snapshot!(read(r#""before": "evn_test.Before""#), @"tests/a.jsonl:1:53 error there is no script for the hook `evn_test.Before` |  | looked for `tests/evn_test.ts`");
    assert_snapshot!(read(r#""before": "a..b", "after": 3"#), @r#"
    tests/a.jsonl:1:53 error `a..b` cannot be the name of a hook |  | write the file and the function: `env_test.Before`
    tests/a.jsonl:1:70 error expected text, found the number `3` |  | put it in quotes: "3"
    "#);
    let two = suite(r#""before": "Before""#);
    two.write("tests/more_test.ts", HOOKS.as_bytes());
    two.write("assistants/note.txt", b"");
    assert_snapshot!(hooks(&two), @"tests/a.jsonl:1:53 error several scripts have the hook `Before` |  | name the file too, such as `env_test.Before`; there are `tests/env_test.ts`, `tests/more_test.ts`");
}

#[test]
fn hooks_of_the_whole_run_are_found() {
    let mut suite = suite(r#""tags": []"#);
    suite.asking.before_all = Some("env_test.Before");
    suite.asking.after_all = Some("After");
    let loaded = suite.load_in("", &["tests/a.jsonl"]);
    let scripts = &loaded.plan.scripts;
    assert_snapshot!(shown([scripts.before_all.as_ref(), scripts.after_all.as_ref()]), @"
    env_test.Before = tests/env_test.ts#Before
    After = tests/env_test.ts#After
    ");
    suite.asking.before_all = Some("env_test.Up");
    suite.asking.after_all = Some("scripts.hooks.Down");
    let loaded = suite.load_in("", &["tests/a.jsonl"]);
    assert_snapshot!(problems(&loaded), @"
    - error --before-all: `tests/env_test.ts` has no function `Up` |  | there is `Before`, `After`
    - error --after-all: `scripts/hooks.ts` has no function `Down` |  | there is `Up`
    ");
}

#[test]
fn hooks_of_the_whole_run_are_found_beside_test_functions() {
    let mut suite = Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        (
            "checks/a_test.ts",
            "function TestA(t) {}\nfunction After() {}\n",
        ),
    ]);
    suite.asking.after_all = Some("After");
    let loaded = suite.load_in("", &["checks"]);
    assert_snapshot!(shown([None, loaded.plan.scripts.after_all.as_ref()]), @"After = checks/a_test.ts#After");
}
