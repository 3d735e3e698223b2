//! Targets of every type: what they become, and what is wrong with them.

use ananke_model::plan::{OpenAiTarget, Protocol, Target};
use insta::assert_snapshot;

use super::targets::CHECKED;
use crate::testing::{Suite, config_problems, problems};

/// Returns what a target is, in one line.
pub(super) fn shown(target: &Target) -> String {
    let what = match &target.protocol {
        Protocol::Agui(agui) => format!("agui {}", agui.endpoint.text),
        Protocol::OpenAi(chat) => shown_chat(chat),
        Protocol::A2a(a2a) => super::a2a_targets::shown(a2a),
        Protocol::Mcp(mcp) => super::mcp_targets::shown(mcp),
        Protocol::Command(command) => {
            let cmd: Vec<_> = command.cmd.iter().map(|word| word.text.as_str()).collect();
            let env = command.env.iter();
            let env: Vec<_> = env
                .map(|(name, value)| format!("{name}={}", value.text))
                .collect();
            format!("command {cmd:?} {env:?} {}ms", command.timeout_ms)
        }
        Protocol::Scripted(scripted) => format!(
            "scripted {} {:?} {}ms",
            scripted.script.value,
            scripted
                .forwarded_props
                .as_ref()
                .map(|json| json.value.to_string()),
            scripted.timeout_ms
        ),
        Protocol::Script(script) => format!(
            "script {}#{} {}ms",
            script.call.shown,
            script.call.function.as_deref().unwrap_or("default"),
            script.timeout_ms
        ),
    };
    format!("{:?} {:?} {what}", target.name, target.connector)
}

fn shown_chat(chat: &OpenAiTarget) -> String {
    let headers = chat.headers.iter();
    let headers: Vec<_> = headers
        .map(|(name, value)| format!("{name}={}", value.text))
        .collect();
    let prompts = chat.prompts.iter();
    let prompts: Vec<_> = prompts
        .map(|prompt| format!("{}: {}", prompt.role, prompt.content.text))
        .collect();
    format!(
        "openai {} {} key {:?} {:?} {headers:?} {prompts:?} {:?} stream {} retries {} {}ms",
        chat.host.text,
        chat.model.text,
        chat.key.as_ref().map(|key| &key.text),
        chat.key_header,
        chat.parameters.as_ref().map(|json| json.value.to_string()),
        chat.stream,
        chat.retries,
        chat.timeout_ms
    )
}

/// Returns the target of a test, and what is wrong.
pub(super) fn planned(config: &str, keys: &str, connector: Option<&'static str>) -> String {
    let mut suite = Suite::new(&[
        ("ananke.config.yaml", config),
        ("t.test.yaml", &format!("{CHECKED}{keys}")),
        (
            "tests/greet.script.yaml",
            "version: 1\nrules: [{reply: [{text: Hi}]}]\n",
        ),
        (
            "tests/broken.script.yaml",
            "version: 1\nrules: [{reply: [{txt: Hi}]}]\n",
        ),
    ]);
    suite.asking.connector = connector;
    let loaded = suite.load();
    let mut lines: Vec<_> = loaded
        .plan
        .tests
        .iter()
        .map(|test| shown(&test.target))
        .collect();
    lines.extend((!loaded.diagnostics.is_empty()).then(|| problems(&loaded)));
    lines.join("\n")
}

fn of(target: &str) -> String {
    planned(&format!("version: 1\ntarget: {{{target}}}\n"), "", None)
}

const CONNECTORS: &str = "connectors:\n  a: {type: openai, host: 'http://a', model: ma, key: ka, headers: {X: 1, Y: 2}, options: {temperature: 0, top_p: 1}}\n  b: {type: openai, proxy: 'http://b/v1', auth_mode: api-key}\n";

/// Returns the target of a test beside two connectors.
fn beside(target: &str, keys: &str, connector: Option<&'static str>) -> String {
    let config = format!("version: 1\ntarget: {{type: openai, {target}}}\n{CONNECTORS}");
    planned(&config, keys, connector)
}

#[test]
fn a_chat_endpoint_has_defaults() {
    assert_snapshot!(of("type: openai, model: m, key: k"), @r#"None None openai https://api.openai.com m key Some("k") Bearer [] [] None stream true retries 2 120000ms"#);
    assert_snapshot!(of("type: openai, host: 'http://h', model: m, system: 'Be {{persona}}.', json: true, stream: false, retries: 0, timeout_ms: 5, options: {temperature: 0}, key_header: x-api-key"), @r#"None None openai http://h m key None XApiKey [] ["system: Be {{persona}}."] Some("{\"temperature\":0,\"response_format\":{\"type\":\"json_object\"}}") stream false retries 0 5ms"#);
    assert_snapshot!(of("type: openai, host: 'http://h', model: m, system: [{role: system, content: a}, {role: user, content: b, name: n}]"), @r#"None None openai http://h m key None Bearer [] ["system: a", "user: b"] None stream true retries 2 120000ms"#);
}

#[test]
fn a_connector_gives_what_the_target_does_not_say() {
    assert_snapshot!(beside("connector: a", "", None), @r#"None Some("a") openai http://a ma key Some("ka") Bearer ["X=1", "Y=2"] [] Some("{\"temperature\":0,\"top_p\":1}") stream true retries 2 120000ms"#);
    assert_snapshot!(beside("connector: a, model: m, headers: {y: 3}, options: {top_p: 0.5, seed: 1}", "", None), @r#"None Some("a") openai http://a m key Some("ka") Bearer ["X=1", "y=3"] [] Some("{\"temperature\":0,\"top_p\":0.5,\"seed\":1}") stream true retries 2 120000ms"#);
    assert_snapshot!(beside("connector: b, model: m", "", None), @r#"None Some("b") openai http://b/v1 m key None ApiKey [] [] None stream true retries 2 120000ms"#);
}

#[test]
fn a_connector_that_was_chosen_takes_no_key_to_another_host() {
    let own = "host: 'http://own', model: own, key: secret, headers: {X: 9}";
    assert_snapshot!(beside(own, "", Some("b")), @r#"
    None Some("b") openai http://b/v1 own key None ApiKey [] [] None stream true retries 2 120000ms
    ananke.config.yaml:2:79 warning the header `X` is not sent with a connector that was chosen |  | write it under `headers` of the connector if its host needs it
    "#);
    assert_snapshot!(beside(own, "", Some("a")), @r#"None Some("a") openai http://a ma key Some("ka") Bearer ["X=1", "Y=2"] [] Some("{\"temperature\":0,\"top_p\":1}") stream true retries 2 120000ms"#);
    assert_snapshot!(beside(own, "target: {connector: b}\n", None), @r#"
    None Some("b") openai http://b/v1 own key None ApiKey [] [] None stream true retries 2 120000ms
    ananke.config.yaml:2:79 warning the header `X` is not sent with a connector that was chosen |  | write it under `headers` of the connector if its host needs it
    "#);
    assert_snapshot!(beside(own, "target: {connector: b, model: m2}\n", None), @r#"
    None Some("b") openai http://b/v1 m2 key None ApiKey [] [] None stream true retries 2 120000ms
    ananke.config.yaml:2:79 warning the header `X` is not sent with a connector that was chosen |  | write it under `headers` of the connector if its host needs it
    "#);
    assert_snapshot!(beside(own, "target: {host: 'http://other'}\n", None), @r#"None None openai http://other own key None Bearer ["X=9"] [] None stream true retries 2 120000ms"#);
}

#[test]
fn mistakes_of_chat_endpoints_are_named() {
    assert_snapshot!(of("type: openai"), @r#"
    ananke.config.yaml:2:9 error `key` is missing: api.openai.com answers nobody without one |  | write `key: "${ENV.OPENAI_API_KEY}"`, or a `host` that needs none
    ananke.config.yaml:2:9 error `model` is missing in an `openai` target |  | write `model: gpt-5-mini`, or a `connector` that has one
    "#);
    assert_snapshot!(of("type: openai, model: m, host: 'https://API.openai.com/v1'"), @r#"
    None None openai https://API.openai.com/v1 m key None Bearer [] [] None stream true retries 2 120000ms
    ananke.config.yaml:2:9 error `key` is missing: api.openai.com answers nobody without one |  | write `key: "${ENV.OPENAI_API_KEY}"`, or a `host` that needs none
    "#);
    assert_snapshot!(of("type: openai, model: m, host: 'api.example/v1', key: '${ENV.NOTHING:-}', headers: {'a b': 1}"), @r#"
    None None openai api.example/v1 m key Some("${ENV.NOTHING:-}") Bearer [] [] None stream true retries 2 120000ms
    ananke.config.yaml:2:40 error the host is not an http or https URL | it does not begin with `http://` or `https://`
    ananke.config.yaml:2:63 error the key cannot have this value | it is empty
    ananke.config.yaml:2:93 error `a b` is not a header name | expected letters, digits and `-`
    "#);
    assert_snapshot!(of("type: openai, model: m, host: 'http://h', key: \"a\\nb\""), @r#"
    None None openai http://h m key Some("a\nb") Bearer [] [] None stream true retries 2 120000ms
    ananke.config.yaml:2:57 error the key cannot have this value | it holds a line break or another control character
    "#);
    assert_snapshot!(of("type: openai, model: m, host: 'http://h', key: '${ENV.KEY}', system: '${NAME}'"), @r#"
    None None openai http://h m key Some("${ENV.KEY}") Bearer [] ["system: ${NAME}"] None stream true retries 2 120000ms
    ananke.config.yaml:2:57 error `${ENV.KEY}` has no value | the environment has no `KEY` | set `KEY`, or write a default: `${ENV.KEY:-…}`
    ananke.config.yaml:2:79 error `${NAME}` has no value | used by `t.test.yaml`, which has no hooks | give it with `--var NAME=…`, print it from a hook, or write a default: `${NAME:-…}`
    "#);
    assert_snapshot!(of("type: openai, model: m, host: 'http://h', options: {model: x, messages: [], stream: true, tools: []}, retries: 11, key_header: basic"), @r#"
    None None openai http://h m key None Bearer [] [] Some("{\"model\":\"x\",\"messages\":[],\"stream\":true,\"tools\":[]}") stream true retries 2 120000ms
    ananke.config.yaml:2:62 error `model` does not belong under `options` |  | write `model` beside `options`
    ananke.config.yaml:2:72 error `messages` does not belong under `options` |  | the conversation and `system` are the messages
    ananke.config.yaml:2:86 error `stream` does not belong under `options` |  | write `stream` in the target
    ananke.config.yaml:2:100 error `tools` does not belong under `options` |  | write `tools` in the target
    ananke.config.yaml:2:121 error `11` is out of range | expected a whole number from 0 to 10
    ananke.config.yaml:2:137 error unknown word `basic` | expected `bearer`, `api-key` or `x-api-key`
    "#);
    assert_snapshot!(of("type: openai, model: m, host: 'http://h', options: 5, system: {role: system}, json: true"), @r#"
    None None openai http://h m key None Bearer [] [] Some("{\"response_format\":{\"type\":\"json_object\"}}") stream true retries 2 120000ms
    ananke.config.yaml:2:61 error expected a map, found the number `5`
    ananke.config.yaml:2:72 error expected text or a list of prompts, found a map
    "#);
    assert_snapshot!(of("type: openai, model: m, host: 'http://h', options: {response_format: {type: text}}, json: true, system: [{role: sytem, content: a}, {content: b}]"), @r#"
    None None openai http://h m key None Bearer [] [] Some("{\"response_format\":{\"type\":\"text\"}}") stream true retries 2 120000ms
    ananke.config.yaml:2:100 error `json` and `options.response_format` say different things |  | leave one of them out
    ananke.config.yaml:2:122 error unknown word `sytem` | expected `system`, `developer`, `user` or `assistant` | did you mean `system`?
    ananke.config.yaml:2:142 error `role` is missing in a prompt |  | write `role: system`
    "#);
    assert_snapshot!(of("type: openai, modl: m, api_key: k, temperature: 1, endpoint: x, host: 'http://h'"), @"
    ananke.config.yaml:2:9 error `model` is missing in an `openai` target |  | write `model: gpt-5-mini`, or a `connector` that has one
    ananke.config.yaml:2:24 error unknown key `modl` in an `openai` target | expected `type`, `connector`, `host`, `model`, `key`, `key_header`, `headers`, `options`, `system`, `tools`, `json`, `stream`, `retries`, `timeout_ms`, `connect_timeout_ms`, `tls`, `limits`, `assert`, `concurrency`, `group` or `backoff_ms` | did you mean `model`?
    ananke.config.yaml:2:33 error unknown key `api_key` in an `openai` target | expected `type`, `connector`, `host`, `model`, `key`, `key_header`, `headers`, `options`, `system`, `tools`, `json`, `stream`, `retries`, `timeout_ms`, `connect_timeout_ms`, `tls`, `limits`, `assert`, `concurrency`, `group` or `backoff_ms` | write `key`
    ananke.config.yaml:2:45 error unknown key `temperature` in an `openai` target | expected `type`, `connector`, `host`, `model`, `key`, `key_header`, `headers`, `options`, `system`, `tools`, `json`, `stream`, `retries`, `timeout_ms`, `connect_timeout_ms`, `tls`, `limits`, `assert`, `concurrency`, `group` or `backoff_ms` | write it under `options`
    ananke.config.yaml:2:61 error unknown key `endpoint` in an `openai` target | expected `type`, `connector`, `host`, `model`, `key`, `key_header`, `headers`, `options`, `system`, `tools`, `json`, `stream`, `retries`, `timeout_ms`, `connect_timeout_ms`, `tls`, `limits`, `assert`, `concurrency`, `group` or `backoff_ms` | write `host`
    ");
    assert_snapshot!(of("type: openai, model: m, host: 'http://h', tls: {ca: no.pem}"), @"
    None None openai http://h m key None Bearer [] [] None stream true retries 2 120000ms
    ananke.config.yaml:2:62 error there is no file `no.pem` | expected a PEM file of certificate authorities | the path is relative to the folder of the config
    ");
}

#[test]
fn mistakes_of_connectors_are_named() {
    assert_snapshot!(beside("connector: c", "", None), @"ananke.config.yaml:2:35 error there is no connector `c` |  | there is `a`, `b`");
    assert_snapshot!(beside("connector: b", "", None), @"ananke.config.yaml:2:9 error `model` is missing: neither the target nor the connector `b` has one |  | write `model: gpt-5-mini`, or a `connector` that has one");
    assert_snapshot!(beside("connector: a", "", Some("zebra")), @"- error -c: there is no connector `zebra` |  | there is `a`, `b`");
    assert_snapshot!(planned("version: 1\ntarget: {type: openai, host: 'http://h', model: m}\n", "", Some("x")), @r#"- error -c: there is no connector `x` |  | write `connectors: {"x": {type: openai, host: …, model: …, key: …}}` at the root of the config"#);
    let of = |connector: &str| {
        config_problems(&format!(
            "version: 1\ntarget: {{type: agui, endpoint: 'http://h'}}\nconnectors: {{{connector}}}\n"
        ))
    };
    assert_snapshot!(of("a: {host: 'http://h'}"), @"ananke.config.yaml:3:17 error `type` is missing in a connector |  | write `type: openai`");
    assert_snapshot!(of("a: {type: anthropic}, '': {type: openai, host: 'http://h'}, b: 5"), @"
    ananke.config.yaml:3:24 error unknown word `anthropic` | expected `openai`
    ananke.config.yaml:3:36 error the name of a connector is empty
    ananke.config.yaml:3:77 error expected a map, found the number `5` | expected `type`, `host`, `proxy`, `model`, `key`, `key_header`, `auth_mode`, `headers`, `options` or `label`
    ");
    assert_snapshot!(of("a: {type: openai}"), @r#"ananke.config.yaml:3:17 error `key` is missing: api.openai.com answers nobody without one |  | write `key: "${ENV.OPENAI_API_KEY}"`, or a `host` that needs none"#);
    assert_snapshot!(of("a: {type: openai, host: ftp, proxy: 'http://p', key_header: bearer, auth_mode: bearer, modle: m, options: {model: m}}"), @"
    ananke.config.yaml:3:38 error the host is not an http or https URL | it does not begin with `http://` or `https://`
    ananke.config.yaml:3:43 error a connector has `host` or `proxy`, not both |  | they mean the same; keep `host`
    ananke.config.yaml:3:82 error a connector has `key_header` or `auth_mode`, not both |  | they mean the same; keep `key_header`
    ananke.config.yaml:3:101 error unknown key `modle` in a connector | expected `type`, `host`, `proxy`, `model`, `key`, `key_header`, `auth_mode`, `headers`, `options` or `label` | did you mean `model`?
    ananke.config.yaml:3:121 error `model` does not belong under `options` |  | write `model` beside `options`
    ");
}

#[test]
fn a_program_and_a_script_are_agents() {
    assert_snapshot!(of("type: command, cmd: [python3, agent.py], env: {A: 1}, timeout_ms: 9"), @r#"None None command ["python3", "agent.py"] ["A=1"] 9ms"#);
    assert_snapshot!(of("type: scripted, script: {rules: [{reply: [{text: Hi}]}]}, forwardedProps: {a: 1}"), @r#"None None scripted {"rules":[{"reply":[{"text":"Hi"}]}]} Some("{\"a\":1}") 120000ms"#);
    assert_snapshot!(of("type: scripted, script: tests/greet.script.yaml"), @r#"None None scripted {"rules":[{"reply":[{"text":"Hi"}]}]} None 120000ms"#);
}

#[test]
fn mistakes_of_programs_and_scripts_are_named() {
    assert_snapshot!(of("type: command"), @"ananke.config.yaml:2:9 error `cmd` is missing in a `command` target |  | write `cmd: [node, agent.js]`");
    assert_snapshot!(of("type: command, cmd: python3 agent.py, env: {'a=b': 1}, args: []"), @"
    ananke.config.yaml:2:30 error expected a list, found text | there is no shell: program and arguments are written one by one | write `cmd: [python3, agent.py]`
    ananke.config.yaml:2:54 error `a=b` cannot name an environment variable
    ananke.config.yaml:2:65 error unknown key `args` in a `command` target | expected `type`, `cmd`, `env`, `timeout_ms`, `limits`, `assert`, `concurrency` or `group` | write them in `cmd`
    ");
    assert_snapshot!(of("type: scripted"), @"ananke.config.yaml:2:9 error `script` is missing in a `scripted` target |  | write `script: {rules: [{reply: [{text: Hello}]}]}`");
    assert_snapshot!(of("type: scripted, script: tests/greet.scrpt.yaml"), @"ananke.config.yaml:2:34 error the script `tests/greet.scrpt.yaml` is not there |  | did you mean `tests/greet.script.yaml`?");
    assert_snapshot!(of("type: scripted, script: tests"), @"ananke.config.yaml:2:34 error the script `tests` is a folder |  | the path is relative to the folder of the config");
    assert_snapshot!(of("type: scripted, script: tests/broken.script.yaml"), @"tests/broken.script.yaml:2:19 error unknown key `txt` in a step | expected `text`, `text_deltas`, `echo`, `tool`, `parallel_tools`, `tool_result`, `state`, `state_delta`, `reasoning`, `step`, `custom`, `event`, `raw`, `comment`, `delay_ms`, `error`, `interrupt`, `finish` or `http` | did you mean `text`?");
    assert_snapshot!(of("type: scripted, script: '${SCRIPT}'"), @"ananke.config.yaml:2:34 error a script is named without references | expected a plain path");
    assert_snapshot!(of("type: scripted, script: {version: 1, rules: [{reply: [{txt: Hi}]}]}, rules: []"), @r#"
    None None scripted {"rules":[{"reply":[{}]}]} None 120000ms
    ananke.config.yaml:2:35 error unknown key `version` in a script | expected `rules`, `fallback` or `timestamps` | the file around the script has it
    ananke.config.yaml:2:65 error unknown key `txt` in a step | expected `text`, `text_deltas`, `echo`, `tool`, `parallel_tools`, `tool_result`, `state`, `state_delta`, `reasoning`, `step`, `custom`, `event`, `raw`, `comment`, `delay_ms`, `error`, `interrupt`, `finish` or `http` | did you mean `text`?
    ananke.config.yaml:2:79 error unknown key `rules` in a `scripted` target | expected `type`, `script`, `forwardedProps`, `timeout_ms`, `limits`, `assert`, `concurrency` or `group` | write them under `script`
    "#);
    assert_snapshot!(planned("version: 1\ntarget: {type: scripted, script: tests/greet.script.yaml}\n", "", Some("a")), @r#"
    None Some("a") scripted {"rules":[{"reply":[{"text":"Hi"}]}]} Some("{\"connector\":\"a\"}") 120000ms
    - error -c: a `scripted` target has no connectors |  | leave the connector out
    "#);
}

#[test]
fn types_and_scripts_that_are_not_there_are_refused() {
    assert_snapshot!(of("type: script, script: a.ts"), @"ananke.config.yaml:2:32 error there is no script `a.ts` |  | looked for `a.ts`");
    assert_snapshot!(of("type: comand, cmd: [a], env: 5"), @"
    ananke.config.yaml:2:16 error unknown target type `comand` | expected `agui`, `openai`, `command`, `scripted`, `assistant`, `script`, `a2a` or `mcp` | did you mean `command`?
    ananke.config.yaml:2:39 error expected a map, found the number `5`
    ");
    assert_snapshot!(of("type: 5"), @"ananke.config.yaml:2:16 error expected `agui`, `openai`, `command`, `scripted`, `assistant`, `script`, `a2a` or `mcp`, found the number `5`");
}

#[test]
fn a_test_changes_only_what_its_target_has() {
    let scripted = "version: 1\ntarget: {type: scripted, script: tests/greet.script.yaml}\n";
    assert_snapshot!(planned(scripted, "target: {forwardedProps: {a: 1}, timeout_ms: 7}\n", None), @r#"None None scripted {"rules":[{"reply":[{"text":"Hi"}]}]} Some("{\"a\":1}") 7ms"#);
    assert_snapshot!(planned(scripted, "target: {endpoint: 'http://h', headers: {A: 1}}\n", None), @"
    t.test.yaml:5:10 error the target is of type `scripted`, which has no `endpoint` | the target is at ananke.config.yaml:2
    t.test.yaml:5:32 error the target is of type `scripted`, which has no `headers` | the target is at ananke.config.yaml:2
    ");
    assert_snapshot!(planned(scripted, "target: {type: agui, endpoint: 'http://h'}\n", None), @"t.test.yaml:5:10 error a test cannot change the type of its target from `scripted` to `agui` |  | write it under `targets` in the config, and name it here");
    assert_snapshot!(planned(scripted, "target: {modle: m}\n", None), @r#"
    None None scripted {"rules":[{"reply":[{"text":"Hi"}]}]} None 120000ms
    t.test.yaml:5:10 error unknown key `modle` in a target | expected `type`, `endpoint`, `agentId`, `threadId`, `headers`, `timeout_ms`, `connect_timeout_ms`, `assert`, `forwardedProps`, `state`, `context`, `tools`, `envelope`, `history`, `era`, `encoding`, `clock`, `tls`, `limits`, `concurrency`, `group`, `backoff_ms`, `identity`, `connectors` or `connector`
    "#);
    let chat = "version: 1\ntarget: {type: openai, host: 'http://h', model: m, key: k}\n";
    assert_snapshot!(planned(chat, "target: {model: m2, options: {temperature: 1}, system: Be short.}\n", None), @r#"None None openai http://h m2 key Some("k") Bearer [] ["system: Be short."] Some("{\"temperature\":1}") stream true retries 2 120000ms"#);
    assert_snapshot!(planned(chat, "target: {model: m2, tempo: 1}\n", None), @r#"
    None None openai http://h m2 key Some("k") Bearer [] [] None stream true retries 2 120000ms
    t.test.yaml:5:21 error unknown key `tempo` in an `openai` target | expected `type`, `connector`, `host`, `model`, `key`, `key_header`, `headers`, `options`, `system`, `tools`, `json`, `stream`, `retries`, `timeout_ms`, `connect_timeout_ms`, `tls`, `limits`, `assert`, `concurrency`, `group` or `backoff_ms`
    "#);
}

#[test]
fn a_test_can_have_a_target_of_its_own() {
    let alone = |target: &str| {
        let suite = Suite::new(&[("t.test.yaml", &format!("{CHECKED}target: {{{target}}}\n"))]);
        let loaded = suite.load();
        let mut lines: Vec<_> = loaded
            .plan
            .tests
            .iter()
            .map(|test| shown(&test.target))
            .collect();
        lines.extend((!loaded.diagnostics.is_empty()).then(|| problems(&loaded)));
        lines.join("\n")
    };
    assert_snapshot!(alone("type: openai, host: 'http://h', model: m"), @"None None openai http://h m key None Bearer [] [] None stream true retries 2 120000ms");
    assert_snapshot!(alone("type: command, cmd: [a]"), @r#"None None command ["a"] [] 120000ms"#);
    assert_snapshot!(alone("type: command"), @r#"t.test.yaml:5:9 error `target` is incomplete and there is no config file to complete it | without a config, `type` and `cmd` are needed | write `ananke.config.yaml` with two lines: `version: "1.0"` and `target: {type: agui, endpoint: "http://localhost:8000/agent"}`"#);
    assert_snapshot!(alone("type: scripted"), @r#"t.test.yaml:5:9 error `target` is incomplete and there is no config file to complete it | without a config, `type` and `script` are needed | write `ananke.config.yaml` with two lines: `version: "1.0"` and `target: {type: agui, endpoint: "http://localhost:8000/agent"}`"#);
}

#[test]
fn a_program_is_told_only_connectors_that_are_there() {
    let config = format!("version: 1\ntarget: {{type: command, cmd: [x]}}\n{CONNECTORS}");
    assert_snapshot!(planned(&config, "", Some("a")), @r#"None Some("a") command ["x"] [] 120000ms"#);
    assert_snapshot!(planned(&config, "", Some("fast")), @"- error -c: there is no connector `fast` |  | there is `a`, `b`");
    assert_snapshot!(planned("version: 1\ntarget: {type: command, cmd: [x]}\n", "", Some("fast")), @r#"- error -c: there is no connector `fast` |  | write `connectors: {"fast": {type: openai, host: …, model: …, key: …}}` at the root of the config"#);
}

#[test]
fn programs_and_scripts_have_no_back_off() {
    assert_snapshot!(of("type: command, cmd: [x], backoff_ms: 5"), @r#"
    None None command ["x"] [] 120000ms
    ananke.config.yaml:2:35 error unknown key `backoff_ms` in a `command` target | expected `type`, `cmd`, `env`, `timeout_ms`, `limits`, `assert`, `concurrency` or `group` | leave it out: a program does not ask to wait
    "#);
    assert_snapshot!(of("type: scripted, script: tests/greet.script.yaml, backoff_ms: 5"), @r#"
    None None scripted {"rules":[{"reply":[{"text":"Hi"}]}]} None 120000ms
    ananke.config.yaml:2:59 error unknown key `backoff_ms` in a `scripted` target | expected `type`, `script`, `forwardedProps`, `timeout_ms`, `limits`, `assert`, `concurrency` or `group` | leave it out: a script does not ask to wait
    "#);
    assert_snapshot!(of("type: openai, host: 'http://h', model: m, backoff_ms: 5"), @"None None openai http://h m key None Bearer [] [] None stream true retries 2 120000ms");
}

#[test]
fn headers_that_a_chosen_connector_drops_are_told() {
    let own = "host: 'http://own', model: own, headers: {X: 9, Z: 1, Authorization: t}";
    assert_snapshot!(beside(own, "", Some("a")), @r#"
    None Some("a") openai http://a ma key Some("ka") Bearer ["X=1", "Y=2"] [] Some("{\"temperature\":0,\"top_p\":1}") stream true retries 2 120000ms
    ananke.config.yaml:2:72 warning the header `Z` is not sent with a connector that was chosen |  | write it under `headers` of the connector if its host needs it
    "#);
    assert_snapshot!(beside(own, "", None), @r#"None None openai http://own own key None Bearer ["X=9", "Z=1", "Authorization=t"] [] None stream true retries 2 120000ms"#);
}
