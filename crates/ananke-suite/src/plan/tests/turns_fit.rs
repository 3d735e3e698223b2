//! Turns of other protocols: how they come through, and targets that know nothing of them.

use ananke_model::plan::{ServerAsk, TurnAction};
use insta::assert_snapshot;

use crate::Input;
use crate::testing::{Suite, problems};

const CONFIG: &str = "version: 1.2
targets:
  agui: {type: agui, endpoint: 'http://h'}
  chat: {type: openai, host: 'http://h', model: m}
  program: {type: command, cmd: [a]}
  agent: {type: a2a, endpoint: 'http://h'}
  server: {type: mcp, command: [a]}
  asked: {type: mcp, command: [a], userTool: {name: ask, argument: question}}
";

fn suite(turns: &str, target: &'static str) -> Suite {
    let test = format!(
        "version: 1.2\nname: t\nassert: {{text: {{must_match: x}}}}\nturns:\n{turns}target: {target}\n"
    );
    Suite::new(&[("ananke.config.yaml", CONFIG), ("tests/t.test.yaml", &test)])
}

fn problems_of(turns: &str, target: &'static str) -> String {
    problems(&suite(turns, target).load())
}

/// Returns the turns as they are planned.
fn turns(suite: &Suite) -> String {
    let loaded = suite.load();
    let mut lines = Vec::new();
    for turn in loaded.plan.tests.iter().flat_map(|test| &test.turns) {
        lines.push(match &turn.action {
            TurnAction::Send(message) => {
                let metadata = message.metadata.as_ref().map(|json| json.value.to_string());
                let task = message.task_id.as_ref().map(|id| id.text.as_str());
                let context = message.context_id.as_ref().map(|id| id.text.as_str());
                let rest = (metadata, task, message.new_task, context);
                format!("send {} {rest:?}", message.parts.value)
            }
            TurnAction::Ask(asked) => match &**asked {
                ServerAsk::Call { tool: name, args } | ServerAsk::Prompt { name, args } => {
                    let args = args.as_ref().map(|args| args.value.to_string());
                    format!("{} {} {args:?}", asked.kind(), name.text)
                }
                ServerAsk::Read { uri } => format!("{} {}", asked.kind(), uri.text),
                ServerAsk::List(listed) => format!("{} {listed:?}", asked.kind()),
            },
            other => format!("{other:?}"),
        });
    }
    lines.extend((!loaded.diagnostics.is_empty()).then(|| problems(&loaded)));
    lines.join("\n")
}

#[test]
fn messages_are_sent_with_parts_of_any_kind() {
    let suite = suite(
        "  - {type: 'a2a:send', text: Hello}
  - {type: 'a2a:send', text: See, parts: [{data: {sku: 5}}, {text: 7, metadata: {a: 1}}, {url: 'http://h/a.png', mediaType: image/png, filename: a}], metadata: {k: v}, taskId: t, contextId: c}
  - {type: 'a2a:send', parts: [{file: note.md}, {file: ../odd.bin, mediaType: x/y, filename: z}, {file: ../odd.bin}], newTask: true}
  - {type: 'a2a:send', parts: [{raw: aGk=, mediaType: text/plain}, {raw: '', filename: empty.txt}]}
",
        "agent",
    );
    suite.write("tests/note.md", b"hi");
    suite.write("odd.bin", &[0xff, 0x00]);
    assert_snapshot!(turns(&suite), @r#"
    send [{"text":"Hello"}] (None, None, false, None)
    send [{"text":"See"},{"data":{"sku":5}},{"text":"7","metadata":{"a":1}},{"url":"http://h/a.png","mediaType":"image/png","filename":"a"}] (Some("{\"k\":\"v\"}"), Some("t"), false, Some("c"))
    send [{"raw":"aGk=","mediaType":"text/markdown","filename":"note.md"},{"raw":"/wA=","mediaType":"x/y","filename":"z"},{"raw":"/wA=","mediaType":"application/octet-stream","filename":"odd.bin"}] (None, None, true, None)
    send [{"raw":"aGk=","mediaType":"text/plain"},{"raw":"","filename":"empty.txt"}] (None, None, false, None)
    "#);
}

#[test]
fn servers_are_asked_for_all_that_they_have() {
    let suite = suite(
        "  - {type: 'mcp:call', tool: add, args: {a: 1, b: 2}}
  - {type: 'mcp:call', tool: now}
  - {type: 'mcp:list'}
  - {type: 'mcp:list', what: templates}
  - {type: 'mcp:read', uri: 'file:///x'}
  - {type: 'mcp:prompt', name: greeting, args: {name: Ada}}
",
        "server",
    );
    assert_snapshot!(turns(&suite), @r#"
    mcp:call add Some("{\"a\":1,\"b\":2}")
    mcp:call now None
    mcp:list None
    mcp:list Some(Templates)
    mcp:read file:///x
    mcp:prompt greeting Some("{\"name\":\"Ada\"}")
    "#);
}

#[test]
fn mistakes_in_turns_are_told() {
    assert_snapshot!(problems_of("  - {type: 'a2a:send'}\n  - {type: 'a2a:send', parts: []}\n  - {type: 'a2a:send', user: a}\n  - {type: 'a2a:send', text: a, taskId: t, newTask: true}\n", "agent"), @"
    tests/t.test.yaml:5:5 error `text` or `parts` is missing in an `a2a:send` turn |  | write `text: Hello`
    tests/t.test.yaml:6:31 error `parts` is empty |  | write `text: Hello`
    tests/t.test.yaml:7:5 error `text` or `parts` is missing in an `a2a:send` turn |  | write `text: Hello`
    tests/t.test.yaml:7:24 error unknown key `user` in an `a2a:send` turn | expected `type`, `text`, `parts`, `metadata`, `taskId`, `newTask`, `contextId`, `assert` or `timeout_ms` | write `text`
    tests/t.test.yaml:8:41 error `taskId` goes on with a task, `newTask` begins one |  | leave one of them out
    ");
    assert_snapshot!(problems_of("  - {type: 'a2a:send', parts: [{}, {text: a, data: 1}, {text: a, mediaType: x}, {raw: a}, {raw: aGk}, {raw: aGk=, url: 'http://h'}, {bytes: aGk=}, 5, {file: '${A}'}, {file: no.md}, {file: .}]}\n", "agent"), @"
    tests/t.test.yaml:5:32 error a part has none of `text`, `data`, `url`, `raw` and `file` |  | write one part for each: `[{text: Hello}, {data: {sku: mug-blue}}]`
    tests/t.test.yaml:5:36 error a part has one content, found `text`, `data` |  | write one part for each: `[{text: Hello}, {data: {sku: mug-blue}}]`
    tests/t.test.yaml:5:66 error `mediaType` says something about a file, and the part has none |  | leave it out, or write `url`, `raw` or `file`
    tests/t.test.yaml:5:87 error `raw` is not Base64 |  | encode it with `base64 -w0`, or write `file` with the path of the file
    tests/t.test.yaml:5:97 error `raw` is not Base64 |  | encode it with `base64 -w0`, or write `file` with the path of the file
    tests/t.test.yaml:5:103 error a part has one content, found `url`, `raw` |  | write one part for each: `[{text: Hello}, {data: {sku: mug-blue}}]`
    tests/t.test.yaml:5:133 error a part has none of `text`, `data`, `url`, `raw` and `file` |  | write one part for each: `[{text: Hello}, {data: {sku: mug-blue}}]`
    tests/t.test.yaml:5:134 error unknown key `bytes` in a part | expected `text`, `data`, `url`, `raw`, `file`, `mediaType`, `filename` or `metadata` | write `raw`
    tests/t.test.yaml:5:148 error expected a map, found the number `5` | expected `text`, `data`, `url`, `raw`, `file`, `mediaType`, `filename` or `metadata`
    tests/t.test.yaml:5:158 error the path of a file holds no references |  | write the path itself: files are read before the first test runs
    tests/t.test.yaml:5:174 error there is no file `tests/no.md` |  | the path is relative to the folder of the test
    tests/t.test.yaml:5:189 error `tests` is no file
    ");
    assert_snapshot!(problems_of("  - {type: 'mcp:call', name: add, args: [1]}\n  - {type: 'mcp:list', what: tool}\n  - {type: 'mcp:read'}\n  - {type: 'mcp:prompt', arguments: {}}\n  - {type: 'mcp:call', tool: a, args: {x: '${X}'}}\n", "server"), @r#"
    tests/t.test.yaml:5:5 error `tool` is missing in an `mcp:call` turn |  | write `tool: add`
    tests/t.test.yaml:5:24 error unknown key `name` in an `mcp:call` turn | expected `type`, `tool`, `args`, `assert` or `timeout_ms` | write `tool`
    tests/t.test.yaml:5:41 error expected a map, found a list
    tests/t.test.yaml:6:30 error unknown word `tool` | expected `tools`, `resources`, `templates` or `prompts` | did you mean `tools`?
    tests/t.test.yaml:7:5 error `uri` is missing in an `mcp:read` turn |  | write `uri: "file:///readme.md"`
    tests/t.test.yaml:8:5 error `name` is missing in an `mcp:prompt` turn |  | write `name: greeting`
    tests/t.test.yaml:8:26 error unknown key `arguments` in an `mcp:prompt` turn | expected `type`, `name`, `args`, `assert` or `timeout_ms` | write `args`
    tests/t.test.yaml:9:39 error `${X}` has no value |  | give it with `--var X=…`, print it from a hook, or write a default: `${X:-…}`
    "#);
}

#[test]
fn files_have_a_limit() {
    let suite = suite(
        "  - {type: 'a2a:send', parts: [{file: big.bin}]}\n",
        "agent",
    );
    suite.write("tests/big.bin", &vec![0; (16 << 20) + 1]);
    assert_snapshot!(problems(&suite.load()), @"tests/t.test.yaml:5:39 error `tests/big.bin` is larger than 16 MiB |  | send a smaller one, or a `url`");
}

#[test]
fn turns_of_another_protocol_are_refused() {
    let all = "  - user: hi\n  - {type: 'agui:connect'}\n  - {type: 'agui:resume'}\n  - {type: 'a2a:send', text: a}\n  - {type: 'mcp:list'}\n";
    assert_snapshot!(problems_of(all, "agui"), @"
    tests/t.test.yaml:8:5 error `a2a:send` turns need an `a2a` target | the target `agui` is of type `agui` | name another target, with `target` in the test or with `--target`, or leave the turn out
    tests/t.test.yaml:9:5 error `mcp:list` turns need an `mcp` target | the target `agui` is of type `agui` | name another target, with `target` in the test or with `--target`, or leave the turn out
    ");
    assert_snapshot!(problems_of(all, "chat"), @"
    tests/t.test.yaml:6:5 error `agui:connect` turns need an `agui` target | the target `chat` is of type `openai` | name another target, with `target` in the test or with `--target`, or leave the turn out
    tests/t.test.yaml:7:5 error `agui:resume` turns need an `agui` target | the target `chat` is of type `openai` | name another target, with `target` in the test or with `--target`, or leave the turn out
    tests/t.test.yaml:8:5 error `a2a:send` turns need an `a2a` target | the target `chat` is of type `openai` | name another target, with `target` in the test or with `--target`, or leave the turn out
    tests/t.test.yaml:9:5 error `mcp:list` turns need an `mcp` target | the target `chat` is of type `openai` | name another target, with `target` in the test or with `--target`, or leave the turn out
    ");
    assert_snapshot!(problems_of(all, "program"), @"
    tests/t.test.yaml:6:5 error `agui:connect` turns need an `agui` target | the target `program` is of type `command` | name another target, with `target` in the test or with `--target`, or leave the turn out
    tests/t.test.yaml:7:5 error `agui:resume` turns need an `agui` target | the target `program` is of type `command` | name another target, with `target` in the test or with `--target`, or leave the turn out
    tests/t.test.yaml:8:5 error `a2a:send` turns need an `a2a` target | the target `program` is of type `command` | name another target, with `target` in the test or with `--target`, or leave the turn out
    tests/t.test.yaml:9:5 error `mcp:list` turns need an `mcp` target | the target `program` is of type `command` | name another target, with `target` in the test or with `--target`, or leave the turn out
    ");
    assert_snapshot!(problems_of(all, "agent"), @"
    tests/t.test.yaml:6:5 error `agui:connect` turns need an `agui` target | the target `agent` is of type `a2a` | name another target, with `target` in the test or with `--target`, or leave the turn out
    tests/t.test.yaml:7:5 error `agui:resume` turns need an `agui` target | the target `agent` is of type `a2a` | name another target, with `target` in the test or with `--target`, or leave the turn out
    tests/t.test.yaml:9:5 error `mcp:list` turns need an `mcp` target | the target `agent` is of type `a2a` | name another target, with `target` in the test or with `--target`, or leave the turn out
    ");
    assert_snapshot!(problems_of(all, "server"), @"
    tests/t.test.yaml:5:5 error a `user` turn needs the `userTool` of an `mcp` target | the target `server` has none | write `userTool: {name: ask, argument: question}` in the target, or an `mcp:call` turn here
    tests/t.test.yaml:6:5 error `agui:connect` turns need an `agui` target | the target `server` is of type `mcp` | name another target, with `target` in the test or with `--target`, or leave the turn out
    tests/t.test.yaml:7:5 error `agui:resume` turns need an `agui` target | the target `server` is of type `mcp` | name another target, with `target` in the test or with `--target`, or leave the turn out
    tests/t.test.yaml:8:5 error `a2a:send` turns need an `a2a` target | the target `server` is of type `mcp` | name another target, with `target` in the test or with `--target`, or leave the turn out
    ");
    assert_snapshot!(problems_of(all, "asked"), @"
    tests/t.test.yaml:6:5 error `agui:connect` turns need an `agui` target | the target `asked` is of type `mcp` | name another target, with `target` in the test or with `--target`, or leave the turn out
    tests/t.test.yaml:7:5 error `agui:resume` turns need an `agui` target | the target `asked` is of type `mcp` | name another target, with `target` in the test or with `--target`, or leave the turn out
    tests/t.test.yaml:8:5 error `a2a:send` turns need an `a2a` target | the target `asked` is of type `mcp` | name another target, with `target` in the test or with `--target`, or leave the turn out
    ");
    assert_snapshot!(problems_of(&format!("{all}skip: later\n"), "server"), @"");
}

#[test]
fn words_need_a_tool() {
    let case = "{\"id\": \"A\", \"input\": \"hi\", \"assert\": {\"type\": \"contains\", \"value\": \"x\"}}\n{\"id\": \"B\", \"input\": \"ho\", \"assert\": {\"type\": \"contains\", \"value\": \"x\"}}\n{\"id\": \"C\", \"simulator\": {\"use\": \"asked\"}, \"checkpoints\": [{\"id\": \"a\", \"assert\": {\"type\": \"contains\", \"value\": \"x\"}}]}\n{\"id\": \"D\", \"input\": \"ho\", \"assert\": {\"type\": \"agent\", \"use\": \"agents:server\", \"value\": \"polite\"}}\n";
    let mut suite = Suite::new(&[("ananke.config.yaml", CONFIG), ("tests/a.jsonl", case)]);
    suite.asking.name = Some("server");
    assert_snapshot!(problems(&suite.load()), @"
    tests/a.jsonl:1:1 error what a case says needs the `userTool` of an `mcp` target | the target `server` has none | write `userTool: {name: ask, argument: question}` in the target
    tests/a.jsonl:3:1 error what a simulator says needs the `userTool` of an `mcp` target | the target `server` has none | write `userTool: {name: ask, argument: question}` in the target
    tests/a.jsonl:4:63 error the agent `server` cannot be asked: it is an `mcp` target without `userTool` |  | write `userTool: {name: ask, argument: question}` in it, at ananke.config.yaml:7
    ");
    assert_snapshot!(problems(&suite.load_inputs("", &[Input::Flag("say hello".to_owned())])), @"- error a message needs the `userTool` of an `mcp` target; the target `server` has none |  | write `userTool: {name: ask, argument: question}` in the target");
    suite.asking.name = Some("asked");
    assert_snapshot!(problems(&suite.load()), @"tests/a.jsonl:4:63 error the agent `server` cannot be asked: it is an `mcp` target without `userTool` |  | write `userTool: {name: ask, argument: question}` in it, at ananke.config.yaml:7");
}

#[test]
fn who_asks_is_not_told() {
    let case = "{\"id\": \"A\", \"input\": \"hi\", \"user\": \"ada\", \"options\": {\"metadata\": {\"a\": 1}, \"connector\": \"fast\"}, \"assert\": {\"type\": \"contains\", \"value\": \"x\"}}\n";
    let mut suite = Suite::new(&[("ananke.config.yaml", CONFIG), ("tests/a.jsonl", case)]);
    suite.asking.name = Some("agent");
    assert_snapshot!(problems(&suite.load()), @"
    ananke.config.yaml:6:10 warning an `a2a` target is not told who asks | `-u`, `-t`, `--ctx`, and `user` and `team` of a case have no effect
    tests/a.jsonl:1:55 warning the option `metadata` has no effect | an `a2a` target is sent messages; `metadata` of the target goes with them
    tests/a.jsonl:1:90 error an `a2a` target has no connectors |  | leave the connector out
    ");
    suite.asking.name = Some("asked");
    assert_snapshot!(problems(&suite.load()), @"
    ananke.config.yaml:8:10 warning an `mcp` target is not told who asks | `-u`, `-t`, `--ctx`, and `user` and `team` of a case have no effect
    tests/a.jsonl:1:55 warning the option `metadata` has no effect | an `mcp` target is sent the arguments of a tool; write them under `userTool`
    tests/a.jsonl:1:90 error an `mcp` target has no connectors |  | leave the connector out
    ");
}
