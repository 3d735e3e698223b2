//! Cases of a JSONL file: what they mean, and every mistake in them.

use std::path::Path;

use ananke_model::check::SnapshotUpdate;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::plan::TurnAction;
use ananke_model::variables::Variables;
use insta::assert_snapshot;

use crate::schema::{CASE, IMAGE_URL, INPUT_AUDIO, MESSAGE, PART_FILE, SOURCE, TOOL_CALL};
use crate::testing::{CONFIG, Suite, demands, problems};
use crate::{Asking, Input, LoadRequest, load};

/// Returns a project with one case file.
fn suite(cases: &str) -> Suite {
    Suite::new(&[("ananke.config.yaml", CONFIG), ("tests/a.jsonl", cases)])
}

/// Returns the diagnostics of a case file.
fn found(cases: &str) -> String {
    problems(&suite(cases).load())
}

/// Returns the diagnostics of a case that holds `keys` beside what every case needs.
fn key_problems(keys: &str) -> String {
    found(&format!(
        "{{\"id\": \"a\", \"input\": \"hi\", \"expected\": \"x\", {keys}}}"
    ))
}

/// Returns the diagnostics of a case with this `assert`.
fn assert_problems(assert: &str) -> String {
    found(&format!(
        "{{\"id\": \"a\", \"input\": \"hi\", \"assert\": {assert}}}"
    ))
}

/// Returns the diagnostics of several, one after another.
fn all(read: fn(&str) -> String, texts: &[&str]) -> String {
    let found: Vec<_> = texts.iter().map(|text| read(text)).collect();
    found.join("\n")
}

/// Returns what a case demands.
fn demanded(keys: &str) -> String {
    let suite = suite(&format!("{{\"id\": \"a\", \"input\": \"hi\", {keys}}}"));
    let loaded = suite.load();
    assert!(!loaded.diagnostics.iter().any(Diagnostic::is_error));
    demands(&loaded.plan)
}

#[test]
fn a_case_is_a_test() {
    let suite = suite(concat!(
        "// two cases\n",
        "{\"id\": \"T001\", \"input\": \"Hello\", \"expected\": \"Hi\"}\n",
        "{\n  \"id\": \"T002\", \"name\": \"by name\", \"messages\": [{\"content\": \"A\"}, ",
        "{\"role\": \"assistant\", \"content\": \"B\"}, {\"role\": \"user\", \"content\": \"C\"}],\n",
        "  \"assertions\": [{\"type\": \"contains\", \"value\": \"c\"}], \"tags\": [\"smoke\"],\n",
        "  \"skip\": true, \"timeout\": \"1m30s\", \"user\": \"u\", \"metadata\": {\"k\": [1]}\n}\n",
    ));
    let loaded = suite.load();
    assert_eq!(problems(&loaded), "");
    let lines = loaded.plan.tests.iter().map(|test| {
        let case = test.case.as_ref().unwrap();
        let TurnAction::Messages(messages) = &test.turns[0].action else {
            panic!("{:?}", test.turns);
        };
        format!(
            "{} | {} | {} | {:?} | skip {:?} | {:?} | {:?} {} {} | {} | {}",
            test.id,
            test.short_id(),
            test.name.text,
            test.tags,
            test.skip.as_ref().map(|text| &text.text),
            test.timeout_ms,
            case.kind,
            case.n_messages,
            case.input,
            serde_json::Value::Object(case.metadata.clone()),
            messages.list.value,
        )
    });
    assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
    tests/a.jsonl#T001 | T001 | T001 | [] | skip None | None | Input 1 "Hello" | {} | [{"role":"user","content":"Hello"}]
    tests/a.jsonl#T002 | T002 | by name | ["smoke"] | skip Some("the case says `skip`") | Some(90000) | Messages 3 [{"content":"A"},{"role":"assistant","content":"B"},{"role":"user","content":"C"}] | {"k":[1]} | [{"role":"user","content":"A"},{"role":"assistant","content":"B"},{"role":"user","content":"C"}]
    "#);
}

#[test]
fn messages_of_the_command_line_are_cases() {
    let suite = suite("");
    let messages = ["What is ${HOME} in $${x}?", "Hello there"];
    let loaded = suite.load_inputs("", &messages.map(|text| Input::Flag(text.to_owned())));
    assert_eq!(problems(&loaded), "");
    let lines = loaded.plan.tests.iter().map(|test| {
        let case = test.case.as_ref().unwrap();
        let TurnAction::Messages(messages) = &test.turns[0].action else {
            panic!("{:?}", test.turns);
        };
        let sent = &messages.list.value;
        let resolved = suite.variables.json(sent).unwrap();
        format!(
            "{} {} {:?} {} {resolved}",
            test.id, test.file, case.kind, case.input
        )
    });
    assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
    message#1 message Message "What is ${HOME} in $${x}?" [{"role":"user","content":"What is ${HOME} in $${x}?"}]
    message#2 message Message "Hello there" [{"role":"user","content":"Hello there"}]
    "#);
}

#[test]
fn entries_are_one_block() {
    assert_snapshot!(demanded("\"expected\": {\"a\": 1}"), @r#"
    turn 1: not judged
    test:
      equals {"a":1} <- test tests/a.jsonl:1
    "#);
    assert_snapshot!(demanded("\"expected\": {\"a\": 1}, \"assert\": []"), @r#"
    turn 1: not judged
    test:
      equals {"a":1} <- test tests/a.jsonl:1
    "#);
    assert_snapshot!(demanded(
        "\"expected\": 1, \"assert\": {\"type\": \"regex\", \"value\": \"a\"}, \
         \"assertions\": [{\"type\": \"tool_called\", \"name\": \"t\"}, {\"type\": \"contains\", \"value\": [\"x\", \"y\"], \"negate\": true}]"
    ), @r#"
    turn 1: not judged
    test:
      regex "a" <- test tests/a.jsonl:1
      tool_called "t" <- test tests/a.jsonl:1
      contains ["x","y"] <- test tests/a.jsonl:1
    "#);
    assert_snapshot!(demanded(
        "\"assert\": [{\"tools\": {\"forbid\": [\"rm\"]}}, {\"type\": \"equals\", \"value\": 1}, \
         {\"tools\": {\"forbid\": [\"mv\"], \"require\": [{\"name\": \"ls\"}]}, \"text\": {\"must_match\": \"/a/i\"}}, \
         {\"timing\": {\"max_duration_ms\": 5000}, \"checks\": [{\"type\": \"contains\", \"value\": \"z\"}]}]"
    ), @r#"
    turn 1: not judged
    test:
      tools.forbid rm <- test tests/a.jsonl:1
      tools.forbid mv <- test tests/a.jsonl:1
      tools.require ls at least 1 <- test tests/a.jsonl:1
      text.must_match /a/i <- test tests/a.jsonl:1
      contains "z" <- test tests/a.jsonl:1
      equals 1 <- test tests/a.jsonl:1
      timing.max_duration_ms 5000 <- test tests/a.jsonl:1
    "#);
}

#[test]
fn entries_that_contradict_each_other_are_refused() {
    assert_snapshot!(all(assert_problems, &[
        "[{\"timing\": {\"max_idle_ms\": 1}}, {\"timing\": {\"max_idle_ms\": 2}}]",
        "[{\"tools\": false}, {\"tools\": {\"forbid\": \"x\"}}]",
        "[{\"inherit\": \"none\", \"error\": \"x\"}, {\"inherit\": \"limits\", \"text\": {\"must_match\": \"x\"}}]",
        "[{\"checks\": false}, {\"type\": \"contains\", \"value\": \"x\"}]",
    ]), @"
    tests/a.jsonl:1:71 error two entries demand `timing.max_idle_ms` |  | write `timing.max_idle_ms` in one entry only
    tests/a.jsonl:1:57 error one entry drops `tools.forbid`, another demands it |  | write `tools.forbid` in one entry only
    tests/a.jsonl:1:86 error two entries say what is inherited |  | write `inherit` in one of them
    tests/a.jsonl:1:58 error one entry drops `checks`, another demands it |  | write `checks` in one entry only
    ");
}

#[test]
fn entries_that_are_no_checks_are_explained() {
    assert_snapshot!(all(assert_problems, &[
        "{}",
        "[{}]",
        "{\"value\": \"x\"}",
        "{\"contains\": \"x\"}",
        "{\"type\": {}}",
        "{\"type\": \"conatins\", \"value\": 1}",
        "\"equals\"",
        "[\"equals\", 5, null, [1]]",
        "false",
        "{\"tols\": {}}",
        "{\"tools\": {\"forbidden\": 1}}",
        "{\"type\": \"script\", \"script\": \"scripts.test.Assert\"}",
        "{\"type\": \"agent\", \"use\": \"agents:x\"}",
        "{\"type\": \"contains\"}",
    ]), @r#"
    tests/a.jsonl:1:38 error the entry demands nothing |  | write a check, such as `{"type": "contains", "value": "Hi"}`
    tests/a.jsonl:1:39 error the entry demands nothing |  | write a check, such as `{"type": "contains", "value": "Hi"}`
    tests/a.jsonl:1:38 error `type` is missing in a check | expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script` | write `type: contains`
    tests/a.jsonl:1:38 error `type` is missing in a check | expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script` | write `type: contains` and `value: …`
    tests/a.jsonl:1:47 error expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script`, found a map
    tests/a.jsonl:1:47 error unknown check type `conatins` | expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script` | did you mean `contains`?
    tests/a.jsonl:1:38 error an `equals` check needs more than its type |  | write `{type: equals, value: …}`
    tests/a.jsonl:1:39 error an `equals` check needs more than its type |  | write `{type: equals, value: …}`
    tests/a.jsonl:1:49 error expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script`, found the number `5`
    tests/a.jsonl:1:52 error expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script`, found nothing
    tests/a.jsonl:1:58 error expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script`, found a list
    tests/a.jsonl:1:38 error expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script`, found `false`
    tests/a.jsonl:1:39 error unknown key `tols` in an assertion block | expected `extends`, `inherit`, `tools`, `text`, `timing`, `task`, `artifacts`, `card`, `checks`, `judge`, `script`, `error`, `protocol` or `snapshot` | did you mean `tools`?
    tests/a.jsonl:1:49 error unknown key `forbidden` in `tools` | expected `forbid`, `require` or `forbid_calls`
    tests/a.jsonl:1:67 error there is no script `scripts.test.Assert` |  | looked for `scripts/test.ts`, `scripts/test/Assert.ts`
    tests/a.jsonl:1:38 error `value` is missing in an `agent` check |  | say what to judge by: `value: the answer is polite`
    tests/a.jsonl:1:38 error `value` is missing in a `contains` check |  | write `value: refund`
    "#);
}

#[test]
fn a_case_without_a_check_is_refused() {
    let cases = "{\"id\": \"T1\", \"input\": \"hi\"}\n{\"id\": \"T2\", \"input\": \"hi\", \"assert\": []}\n";
    assert_snapshot!(found(cases), @r#"
    tests/a.jsonl:1:8 error the case `T1` has nothing to check | no `assert`, `assertions` or `expected` demands anything | write `"assert": {"type": "contains", "value": "…"}`, or pass `--allow-unchecked`
    tests/a.jsonl:2:8 error the case `T2` has nothing to check | no `assert`, `assertions` or `expected` demands anything | write `"assert": {"type": "contains", "value": "…"}`, or pass `--allow-unchecked`
    "#);
    let mut suite = suite(cases);
    suite.allow_unchecked = true;
    assert_eq!(problems(&suite.load()), "");
}

#[test]
fn ids_are_unique_words() {
    assert_snapshot!(all(found, &[
        "{\"input\": \"hi\", \"expected\": 1}",
        "{\"id\": 7, \"input\": \"hi\", \"expected\": 1}",
        "{\"id\": \"\", \"input\": \"hi\", \"expected\": 1}",
        "{\"id\": \"a\\nb\", \"input\": \"hi\", \"expected\": 1}",
        "{\"id\": \"${A}\", \"input\": \"hi\", \"expected\": 1}",
        "{\"id\": \"a\", \"input\": \"hi\", \"expected\": 1}\n{\"id\": \"b\"}\n  {\"id\": \"a\", \"input\": \"ho\", \"expected\": 1}",
    ]), @r#"
    tests/a.jsonl:1:1 error `id` is missing in a case |  | write `"id": "…"`: reports and `--run` need to call it something
    tests/a.jsonl:1:8 error expected text, found the number `7` |  | put it in quotes: "7"
    tests/a.jsonl:1:8 error the text is empty
    tests/a.jsonl:1:8 error an id holds no control characters |  | write a short word, and what the case is about under `name`
    tests/a.jsonl:1:8 error an id holds no references |  | write a short word, and what the case is about under `name`
    tests/a.jsonl:2:1 error the case sends nothing | neither `input` nor `messages` is there | write `"input": "Hello"`
    tests/a.jsonl:3:10 error the id `a` is there twice | the first is at tests/a.jsonl:1:8 | give each case of a file an id of its own
    "#);
}

#[test]
fn keys_are_known() {
    assert_snapshot!(all(key_problems, &[
        "\"expect\": 1",
        "\"asserts\": []",
        "\"assertion\": []",
        "\"prompt\": \"x\"",
        "\"timeout_ms\": 1",
        "\"time_out\": \"1s\"",
        "\"type\": \"result\"",
        "\"tool\": 1",
        "\"zzz\": 1",
    ]), @r#"
    tests/a.jsonl:1:45 error unknown key `expect` in a case | expected `id`, `name`, `input`, `messages`, `expected`, `assert`, `assertions`, `simulator`, `checkpoints`, `max_turns`, `user`, `team`, `metadata`, `options`, `skip`, `timeout`, `tags`, `before`, `after`, `target` or `targets` | write `expected` for the exact output, or `assert` for checks
    tests/a.jsonl:1:45 error unknown key `asserts` in a case | expected `id`, `name`, `input`, `messages`, `expected`, `assert`, `assertions`, `simulator`, `checkpoints`, `max_turns`, `user`, `team`, `metadata`, `options`, `skip`, `timeout`, `tags`, `before`, `after`, `target` or `targets` | did you mean `assert`?
    tests/a.jsonl:1:45 error unknown key `assertion` in a case | expected `id`, `name`, `input`, `messages`, `expected`, `assert`, `assertions`, `simulator`, `checkpoints`, `max_turns`, `user`, `team`, `metadata`, `options`, `skip`, `timeout`, `tags`, `before`, `after`, `target` or `targets` | did you mean `assertions`?
    tests/a.jsonl:1:45 error unknown key `prompt` in a case | expected `id`, `name`, `input`, `messages`, `expected`, `assert`, `assertions`, `simulator`, `checkpoints`, `max_turns`, `user`, `team`, `metadata`, `options`, `skip`, `timeout`, `tags`, `before`, `after`, `target` or `targets` | what is sent is written under `input`
    tests/a.jsonl:1:45 error unknown key `timeout_ms` in a case | expected `id`, `name`, `input`, `messages`, `expected`, `assert`, `assertions`, `simulator`, `checkpoints`, `max_turns`, `user`, `team`, `metadata`, `options`, `skip`, `timeout`, `tags`, `before`, `after`, `target` or `targets` | write `timeout` with a unit, such as `"30s"`
    tests/a.jsonl:1:45 error unknown key `time_out` in a case | expected `id`, `name`, `input`, `messages`, `expected`, `assert`, `assertions`, `simulator`, `checkpoints`, `max_turns`, `user`, `team`, `metadata`, `options`, `skip`, `timeout`, `tags`, `before`, `after`, `target` or `targets` | did you mean `timeout`?
    tests/a.jsonl:1:45 error unknown key `type` in a case | expected `id`, `name`, `input`, `messages`, `expected`, `assert`, `assertions`, `simulator`, `checkpoints`, `max_turns`, `user`, `team`, `metadata`, `options`, `skip`, `timeout`, `tags`, `before`, `after`, `target` or `targets` | a check belongs in the `assert` of a case, and a line of a report is no case
    tests/a.jsonl:1:45 error unknown key `tool` in a case | expected `id`, `name`, `input`, `messages`, `expected`, `assert`, `assertions`, `simulator`, `checkpoints`, `max_turns`, `user`, `team`, `metadata`, `options`, `skip`, `timeout`, `tags`, `before`, `after`, `target` or `targets`
    tests/a.jsonl:1:45 error unknown key `zzz` in a case | expected `id`, `name`, `input`, `messages`, `expected`, `assert`, `assertions`, `simulator`, `checkpoints`, `max_turns`, `user`, `team`, `metadata`, `options`, `skip`, `timeout`, `tags`, `before`, `after`, `target` or `targets`
    "#);
}

#[test]
fn values_are_of_their_type() {
    assert_snapshot!(all(key_problems, &[
        "\"name\": 1",
        "\"name\": null",
        "\"user\": [\"a\"]",
        "\"team\": \"\"",
        "\"metadata\": [1]",
        "\"options\": \"fast\"",
        "\"options\": {\"conector\": \"a\"}",
        "\"options\": {\"connector\": 5, \"metadata\": 1, \"skip\": {\"history\": \"yes\", \"x\": 1}}",
        "\"skip\": 1",
        "\"timeout\": 30",
        "\"timeout\": \"30\"",
        "\"timeout\": \"soon\"",
        "\"timeout\": \"0s\"",
        "\"timeout\": \"9000h\"",
        "\"tags\": \"smoke\"",
        "\"target\": {\"type\": \"agui\"}",
        "\"target\": \"nobody\"",
        "\"metadata\": {\"n\": 1e999}",
        "\"metadata\": {\"n\": 123456789012345678901234567890}",
        "\"metadata\": {\"n\": \"${\"}",
    ]), @r#"
    tests/a.jsonl:1:53 error expected text, found the number `1` |  | put it in quotes: "1"
    tests/a.jsonl:1:53 error expected text, found nothing
    tests/a.jsonl:1:53 error expected text, found a list
    tests/a.jsonl:1:53 error the text is empty
    tests/a.jsonl:1:57 error expected a map, found a list
    tests/a.jsonl:1:56 error expected a map, found text | expected `connector`, `metadata`, `mode`, `search`, `disable_global_prompts` or `skip`
    tests/a.jsonl:1:57 error unknown key `conector` in `options` | expected `connector`, `metadata`, `mode`, `search`, `disable_global_prompts` or `skip` | did you mean `connector`?
    tests/a.jsonl:1:70 error expected text, found the number `5` |  | put it in quotes: "5"
    tests/a.jsonl:1:85 error expected a map, found the number `1`
    tests/a.jsonl:1:108 error expected `true` or `false`, found text
    tests/a.jsonl:1:115 error unknown key `x` in `skip` in `options` | expected `history`, `trace`, `output`, `keyword` or `search`
    tests/a.jsonl:1:53 error expected `true`, `false` or a reason, found the number `1` |  | write `true` or `false` without quotes, or say why: `"waits for the new cart"`
    tests/a.jsonl:1:56 error expected a time with a unit, such as `"30s"`, found the number `30` |  | write `"30s"` or `"30ms"`
    tests/a.jsonl:1:56 error `30` is not a time |  | write numbers with `h`, `m`, `s` or `ms`, such as `"30s"` or `"1m30s"`
    tests/a.jsonl:1:56 error `soon` is not a time |  | write numbers with `h`, `m`, `s` or `ms`, such as `"30s"` or `"1m30s"`
    tests/a.jsonl:1:56 error `0s` is out of range | expected `1ms` to 24 days
    tests/a.jsonl:1:56 error `9000h` is out of range | expected `1ms` to 24 days
    tests/a.jsonl:1:53 error expected a list, found text
    tests/a.jsonl:1:55 error expected text, found a map
    tests/a.jsonl:1:55 error unknown target `nobody` |  | the config has one `target` without a name; write it under `targets` to name it
    tests/a.jsonl:1:63 error the number `1e999` is too large | numbers up to 1.7976931348623157e308 are kept | put it in quotes to send it as text; demand it of an answer with `type: regex`
    tests/a.jsonl:1:63 error the number `123456789012345678901234567890` is too large | whole numbers from -9223372036854775808 to 18446744073709551615 are kept exactly | put it in quotes to send it as text; demand it of an answer with `type: regex`
    tests/a.jsonl:1:63 error `${` is not a reference | expected `${NAME}`, `${ENV.NAME}` or `${NAME:-default}` | write `$${` for a literal `${`
    "#);
    assert_snapshot!(found("{\"id\": \"a\", \"input\": \"hi\", \"expected\": null}"), @r#"tests/a.jsonl:1:40 error `expected` is `null`, which demands nothing |  | leave it out, or write `"assert": {"type": "equals", "value": null}`"#);
}

#[test]
fn hooks_that_are_not_there_are_refused() {
    assert_snapshot!(key_problems("\"before\": \"scripts.a.B\", \"after\": \"scripts.a.C\""), @"
    tests/a.jsonl:1:55 error there is no script `scripts.a.B` |  | looked for `scripts/a.ts`, `scripts/a/B.ts`
    tests/a.jsonl:1:79 error there is no script `scripts.a.C` |  | looked for `scripts/a.ts`, `scripts/a/C.ts`
    ");
}

#[test]
fn a_report_is_no_case_file() {
    assert_snapshot!(
        problems(&suite("{\"type\":\"start\",\"total_cases\":1}\n{\"type\":\"result\"}\n").load_in("", &["tests/a.jsonl"])),
        @"tests/a.jsonl:1:1 error the file is a report of a run, it holds no cases |  | name the file that the report was made from; `ananke report` shows reports"
    );
}

#[test]
fn a_file_without_cases_is_refused() {
    assert_snapshot!(all(found, &["", "// nothing\n"]), @r#"
    tests/a.jsonl:1:1 error the file holds no case |  | write one JSON object per line, such as `{"id": "greeting", "input": "Hello", "assert": {"type": "contains", "value": "Hi"}}`
    tests/a.jsonl:1:1 error the file holds no case |  | write one JSON object per line, such as `{"id": "greeting", "input": "Hello", "assert": {"type": "contains", "value": "Hi"}}`
    "#);
}

#[test]
fn all_mistakes_of_all_files_are_told() {
    let suite = Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        (
            "tests/a.jsonl",
            "{\"id\": 1}\n{oops}\n{\"id\": \"x\", \"input\": \"\"}\n",
        ),
        ("tests/b.jsonl", "\u{feff}{\"id\": \"a\", \"inptu\": 1}\r\n"),
        ("tests/c.test.yaml", "version: 2\n"),
    ]);
    assert_snapshot!(problems(&suite.load()), @r#"
    tests/a.jsonl:1:1 error the case sends nothing | neither `input` nor `messages` is there | write `"input": "Hello"`
    tests/a.jsonl:1:8 error expected text, found the number `1` |  | put it in quotes: "1"
    tests/a.jsonl:2:2 error expected a key in double quotes, found `oops` |  | write `"oops"`
    tests/a.jsonl:3:22 error the text is empty
    tests/b.jsonl:1:1 error the case sends nothing | neither `input` nor `messages` is there | write `"input": "Hello"`
    tests/b.jsonl:1:13 error unknown key `inptu` in a case | expected `id`, `name`, `input`, `messages`, `expected`, `assert`, `assertions`, `simulator`, `checkpoints`, `max_turns`, `user`, `team`, `metadata`, `options`, `skip`, `timeout`, `tags`, `before`, `after`, `target` or `targets` | did you mean `input`?
    tests/c.test.yaml:1:1 error `name` is missing in a test file |  | write `name: checkout flow`
    tests/c.test.yaml:1:1 error `turns` is missing in a test file |  | write `turns: [{user: Hello}]`
    tests/c.test.yaml:1:10 error unknown schema version `2` | this ananke supports versions 1.0, 1.1 and 1.2 | write `version: "1.0"`, or use an ananke that supports the file's version
    "#);
}

#[test]
fn references_in_cases_are_checked() {
    assert_snapshot!(found(
        "{\"id\": \"a\", \"input\": \"${NOBODY}\", \"assert\": {\"type\": \"contains\", \"value\": \"${ENV.NOTHING}\"}}"
    ), @"
    tests/a.jsonl:1:22 error `${NOBODY}` has no value |  | give it with `--var NOBODY=…`, print it from a hook, or write a default: `${NOBODY:-…}`
    tests/a.jsonl:1:75 error `${ENV.NOTHING}` has no value | the environment has no `NOTHING` | set `NOTHING`, or write a default: `${ENV.NOTHING:-…}`
    ");
}

#[test]
fn a_long_file_reads_like_a_short_one() {
    // Long enough to be read on all cores; one line end of each kind, and comments.
    let filler = "x".repeat(700);
    let lines: Vec<_> = (0..1000)
        .map(|n| {
            let end = ["\n", "\r\n", "\n// {\n", "\r\n\r"][n % 4];
            format!("{{\"id\": \"T{n}\",\n \"input\": \"ä{filler}\", \"expected\": {n}}}{end}")
        })
        .collect();
    let text = lines.concat();
    let loaded = suite(&text).load();
    assert_eq!(problems(&loaded), "");
    let (mut start, mut line) = (0, 1);
    for (n, test) in loaded.plan.tests.iter().enumerate() {
        let place = &test.turns[0].place;
        assert_eq!(test.short_id(), format!("T{n}"));
        assert_eq!((place.start as usize, place.line as usize), (start, line));
        let breaks = lines[n].replace("\r\n", "\n");
        line += breaks.matches(['\n', '\r']).count();
        start += lines[n].len();
    }
    assert_eq!(loaded.plan.tests.len(), 1000);
    let twice = format!("{text}{{\"id\": \"T0\", \"input\": \"hi\", \"expected\": 1}}");
    assert_snapshot!(found(&twice), @"tests/a.jsonl:2501:8 error the id `T0` is there twice | the first is at tests/a.jsonl:1:8 | give each case of a file an id of its own");
    let broken = format!("{text}{{\"id\": \"T0\" \"input\": 1}}");
    assert_snapshot!(found(&broken), @"tests/a.jsonl:2501:13 error expected `,` or `}`, found text |  | put a comma between the two");
}

#[test]
fn the_documented_forms_load() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/documented/desk");
    let loaded = load(&LoadRequest {
        cwd: &root,
        inputs: &[],
        config: None,
        targets: &["desk".to_owned()],
        variables: &Variables::default(),
        allow_unchecked: false,
        update_snapshots: SnapshotUpdate::None,
        asking: Asking::default(),
        find_tests: crate::testing::find_tests,
        find_functions: crate::testing::find_functions,
        timeout_given: false,
        goes_on: false,
    });
    assert_snapshot!(problems(&loaded), @r#"
    tests/forms.jsonl:20:15 warning `expected` is only shown: what `assert` says is checked instead |  | leave it out, or write it as `{"type": "equals", "value": …}`
    tests/forms.jsonl:44:30 warning the required checkpoint `booked` comes after `asked`, which is not required | the case cannot pass without `asked` | leave `"required": false` out of `asked`, or take `asked` out of `after`
    "#);
    let tests = loaded.plan.tests.iter().map(|test| {
        let block = test.block.demands.iter();
        let demands: Vec<_> = block.map(|demand| demand.check.key()).collect();
        format!("{}: {}", test.short_id(), demands.join(", "))
    });
    assert_snapshot!(tests.collect::<Vec<_>>().join("\n"), @"
    text: equals
    message: equals
    parts: contains
    history: regex
    whole: tools.forbid, text.must_not_match, not_contains, type, tool_result, timing.max_duration_ms
    skipped: equals
    skipped-why: equals
    night: text.must_match
    day-and-night: equals
    visit: 
    media: tool_called
    completions: json_path
    ");
    let shown: Vec<_> = loaded
        .files
        .iter()
        .map(|file| loaded.sources.text(file).unwrap())
        .collect();
    let text = shown.concat();
    let shapes = [
        &CASE,
        &MESSAGE,
        &TOOL_CALL,
        &SOURCE,
        &PART_FILE,
        &IMAGE_URL,
        &INPUT_AUDIO,
    ];
    for field in shapes.iter().flat_map(|shape| shape.fields) {
        assert!(
            text.contains(&format!("\"{}\":", field.name)),
            "{}",
            field.name
        );
    }
}

#[test]
fn what_is_not_checked_is_told_and_what_demands_nothing_does_not_count() {
    assert_snapshot!(found("{\"id\": \"a\", \"input\": \"hi\", \"expected\": \"bye\", \"assert\": {\"timing\": {\"max_duration_ms\": 60000}}}"), @r#"tests/a.jsonl:1:40 warning `expected` is only shown: what `assert` says is checked instead |  | leave it out, or write it as `{"type": "equals", "value": …}`"#);
    assert_snapshot!(demanded("\"expected\": \"bye\", \"assert\": {\"tools\": {}}"), @r#"
    turn 1: not judged
    test:
      equals "bye" <- test tests/a.jsonl:1
    "#);
    assert_snapshot!(assert_problems("[{\"type\": \"contains\", \"value\": \"hi\"}, {\"inherit\": \"none\"}, {\"inherit\": \"all\"}]"), @"tests/a.jsonl:1:109 error two entries say what is inherited |  | write `inherit` in one of them");
}

#[test]
fn a_yes_or_no_in_quotes_is_no_reason_to_skip() {
    let skip = |value: &str| {
        found(&format!(
            "{{\"id\": \"a\", \"input\": \"hi\", \"expected\": \"x\", \"skip\": {value}}}"
        ))
    };
    let all: Vec<String> = ["\"false\"", "\"No\"", "0", "\"\"", "[]"].map(skip).into();
    assert_snapshot!(all.join("\n"), @r#"
    tests/a.jsonl:1:53 error expected `true`, `false` or a reason, found the text "false" |  | write `true` or `false` without quotes, or say why: `"waits for the new cart"`
    tests/a.jsonl:1:53 error expected `true`, `false` or a reason, found the text "No" |  | write `true` or `false` without quotes, or say why: `"waits for the new cart"`
    tests/a.jsonl:1:53 error expected `true`, `false` or a reason, found the number `0` |  | write `true` or `false` without quotes, or say why: `"waits for the new cart"`
    tests/a.jsonl:1:53 error the text is empty
    tests/a.jsonl:1:53 error expected `true`, `false` or a reason, found a list |  | write `true` or `false` without quotes, or say why: `"waits for the new cart"`
    "#);
}

#[test]
fn a_message_that_only_calls_tools_may_say_nothing() {
    let calls = "\"tool_calls\": [{\"id\": \"c\", \"type\": \"function\", \"function\": {\"name\": \"f\", \"arguments\": \"{}\"}}]";
    let found = found(&format!(
        "{{\"id\": \"a\", \"expected\": \"x\", \"messages\": [{{\"role\": \"user\", \"content\": \"hi\"}}, {{\"role\": \"assistant\", \"content\": \"\", {calls}}}, {{\"role\": \"tool\", \"tool_call_id\": \"c\", \"content\": \"1\"}}, {{\"role\": \"user\", \"content\": \"hi\"}}]}}"
    ));
    assert_eq!(found, "");
}
