//! What is a file, what is a message, and what is neither.

use ananke_model::plan::TurnAction;
use insta::assert_snapshot;

use crate::testing::{CONFIG, Suite, problems};
use crate::{Input, Loaded};

const CASE: &str =
    "{\"id\": \"a\", \"input\": \"hi\", \"assert\": {\"type\": \"contains\", \"value\": \"x\"}}\n";
const TEST: &str = "version: 1\nname: t\nturns: [{user: a}]\nassert: {text: {must_match: x}}\n";

fn suite() -> Suite {
    Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        ("t.test.yaml", TEST),
        ("loose.jsonl", CASE),
        ("tests/a.jsonl", CASE),
        ("tests/deep/b.jsonl", CASE),
        ("tests/output-20260101000000.jsonl", CASE),
        (
            "tests/report.jsonl",
            "{\"type\": \"start\", \"tests\": 1}\n",
        ),
        ("agents/x/tests/c.jsonl", CASE),
        ("notes.txt", "hello"),
        ("data.json", "{}"),
    ])
}

/// Returns the id of each test with what it sends, and what is wrong.
fn shown(loaded: &Loaded) -> String {
    let mut lines = Vec::new();
    for test in &loaded.plan.tests {
        let sent = match &test.turns[0].action {
            TurnAction::Messages(messages) => messages.list.value[0]["content"].to_string(),
            _ => "turns".to_owned(),
        };
        lines.push(format!("{} = {} {sent}", test.file, test.id));
    }
    lines.extend((!loaded.diagnostics.is_empty()).then(|| problems(loaded)));
    lines.join("\n")
}

fn flags(inputs: &[&str]) -> String {
    let flag = |input: &&str| Input::Flag((*input).to_owned());
    let inputs: Vec<_> = inputs.iter().map(flag).collect();
    shown(&suite().load_inputs("", &inputs))
}

fn arguments(cwd: &str, inputs: &[&str]) -> String {
    shown(&suite().load_in(cwd, inputs))
}

fn stdin(text: &str) -> String {
    shown(&suite().load_inputs("", &[Input::Stdin(text.to_owned())]))
}

#[test]
fn cases_are_found_in_folders_named_tests() {
    assert_snapshot!(arguments("", &[]), @r#"
    agents/x/tests/c.jsonl = agents/x/tests/c.jsonl#a "hi"
    t.test.yaml = t.test.yaml turns
    tests/a.jsonl = tests/a.jsonl#a "hi"
    tests/deep/b.jsonl = tests/deep/b.jsonl#a "hi"
    "#);
    assert_snapshot!(arguments("tests/deep", &[]), @r#"b.jsonl = tests/deep/b.jsonl#a "hi""#);
    assert_snapshot!(arguments("", &["agents"]), @r#"agents/x/tests/c.jsonl = agents/x/tests/c.jsonl#a "hi""#);
}

#[test]
fn cases_are_found_by_name_and_by_glob() {
    assert_snapshot!(arguments("", &["loose.jsonl", "tests/output-20260101000000.jsonl"]), @r#"loose.jsonl = loose.jsonl#a "hi""#);
    assert_snapshot!(flags(&["*.jsonl", "tests/*"]), @r#"
    loose.jsonl = loose.jsonl#a "hi"
    tests/a.jsonl = tests/a.jsonl#a "hi"
    "#);
    assert_snapshot!(flags(&["t*"]), @"t.test.yaml = t.test.yaml turns");
}

#[test]
fn whatever_else_stands_behind_the_flag_is_a_message() {
    assert_snapshot!(flags(&["hello", "What is 2*2?", "{\"a\": 1}", "tests/a.jsonl", "smoke*"]), @r#"
    tests/a.jsonl = tests/a.jsonl#a "hi"
    message = message#1 "hello"
    message = message#2 "What is 2*2?"
    message = message#3 "{\"a\": 1}"
    message = message#4 "smoke*"
    "#);
    assert_snapshot!(arguments("tests", &["hello there"]), @r#"message = message#1 "hello there""#);
}

#[test]
fn a_mistyped_path_never_becomes_a_message() {
    assert_snapshot!(arguments("", &["test", "hello", "t.tset.yaml", "nowhere/x.yaml", "*.yaml.bak", "tests/[", "a b.jsonl"]), @"
    - error no such file or folder: `test` |  | did you mean `tests`? to send it as a message, write `-i test`
    - error no such file or folder: `hello` |  | to send it as a message, write `-i hello`
    - error no such file or folder: `t.tset.yaml` |  | did you mean `t.test.yaml`?
    - error no such file or folder: `nowhere/x.yaml`
    - error no test file matches `*.yaml.bak` |  | hidden folders, `node_modules`, `target`, ignored files and reports are left out
    - error `tests/[` is not a glob: unclosed character class; missing ']'
    - error no such file or folder: `a b.jsonl` |  | to send what looks like a path as a message, pipe it into `ananke run -`
    ");
    assert_snapshot!(flags(&["tests/inputs.jsonl", "x/y", "*.jsonl.bak", ""]), @"
    - error no such file or folder: `tests/inputs.jsonl`
    - error no such file or folder: `x/y` |  | to send what looks like a path as a message, pipe it into `ananke run -`
    - error no test file matches `*.jsonl.bak` |  | hidden folders, `node_modules`, `target`, ignored files and reports are left out
    - error an input is empty |  | name a file, a folder or a glob, or write a message
    ");
}

#[test]
fn a_reference_with_a_mistake_never_becomes_a_message() {
    assert_snapshot!(flags(&["agent:x", "script:x", "agnets:x?count=2"]), @"
    - error `agent:x`: unknown prefix `agent:` |  | did you mean `agents:x`? To send it as a message, pipe it into `ananke run -`
    - error `script:x`: unknown prefix `script:` |  | did you mean `scripts:x`? To send it as a message, pipe it into `ananke run -`
    - error `agnets:x?count=2`: unknown prefix `agnets:` |  | did you mean `agents:x?count=2`? To send it as a message, pipe it into `ananke run -`
    ");
    let suite = suite();
    let config = format!("{CONFIG}agents:\n  workers.gen: {{type: command, cmd: [never]}}\n");
    suite.write("ananke.config.yaml", config.as_bytes());
    let id = "workers.gen".to_owned();
    assert_snapshot!(shown(&suite.load_inputs("", &[Input::Flag(id.clone())])), @r#"
    message = message#1 "workers.gen"
    - error -i: `workers.gen` is the id of an agent, not a message |  | write `-i agents:workers.gen` to ask it for cases, `-n workers.gen` to test it; to send it as a message, pipe it into `ananke run -`
    "#);
    assert_snapshot!(shown(&suite.load_inputs("", &[Input::Stdin(id)])), @r#"stdin = message#1 "workers.gen""#);
    assert_snapshot!(shown(&suite.load_inputs("", &[Input::Flag("what is workers.gen".to_owned())])), @r#"message = message#1 "what is workers.gen""#);
}

#[test]
fn files_that_hold_no_tests_are_refused() {
    assert_snapshot!(flags(&["notes.txt", "data.json", "ananke.config.yaml"]), @r#"
    - error `notes.txt` is not a test file: expected `.yaml`, `.yml`, `.jsonl`, `_test.ts` or `_test.js`, or cases as JSON objects |  | to send what it holds as a message, write `ananke run - < notes.txt`
    - error `ananke.config.yaml` is a config file, not a test |  | pass it with `--config ananke.config.yaml`
    data.json:1:1 error `id` is missing in a case |  | write `"id": "…"`: reports and `--run` need to call it something
    data.json:1:1 error the case sends nothing | neither `input` nor `messages` is there | write `"input": "Hello"`
    "#);
    assert_snapshot!(flags(&["a_test.ts", "agents:x?count=3", "scripts:y", "scripts.a.b"]), @"
    - error no such file or folder: `a_test.ts`
    - error `agents:x?count=3` asks for cases, which is not done here
    - error `scripts:y` asks for cases, which is not done here
    - error there is no script test `scripts.a.b` |  | looked for `assistants/a/src/b_test.ts`, `scripts/a/b_test.ts`, and for `.js`
    ");
}

#[test]
fn standard_input_holds_cases_or_a_message() {
    assert_snapshot!(stdin(&format!("\u{feff}\n// cases\n# more\n\n{CASE}")), @r#"stdin = stdin#a "hi""#);
    assert_snapshot!(stdin("# Title\n\nWhat is this?\n\n"), @r##"stdin = message#1 "# Title\n\nWhat is this?""##);
    assert_snapshot!(stdin("[1, 2]"), @r#"stdin = message#1 "[1, 2]""#);
    assert_snapshot!(stdin(" \n\t\n"), @"- error standard input is empty |  | pipe a message or JSONL cases into it: `ananke run - < cases.jsonl`");
}

#[test]
fn messages_belong_to_the_project_around_them() {
    let suite = suite();
    suite.write("q/ananke.config.yaml", CONFIG.as_bytes());
    suite.write("q/q.test.yaml", TEST.as_bytes());
    let inputs = |file: &str| [file.to_owned(), "hello there".to_owned()].map(Input::Argument);
    assert_snapshot!(shown(&suite.load_inputs("q", &inputs("q.test.yaml"))), @r#"
    q.test.yaml = q.test.yaml turns
    message = message#1 "hello there"
    "#);
    assert_snapshot!(shown(&suite.load_inputs("", &inputs("q/q.test.yaml"))), @r#"
    message = message#1 "hello there"
    - error `q/q.test.yaml` belongs to `q/ananke.config.yaml`, not to `ananke.config.yaml` |  | run the projects one at a time, or pass `--config` to run all tests with one config
    "#);
}
