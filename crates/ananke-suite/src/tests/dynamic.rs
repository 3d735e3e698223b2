//! Dynamic cases: what they mean, and every mistake in them.

use insta::assert_snapshot;

use crate::testing::{CONFIG, Suite, demands, problems};

const AGENTS: &str = "agents:\n  user: {type: agui, endpoint: 'http://localhost:9000/user'}\n  judge: {type: agui, endpoint: 'http://localhost:9000/judge'}\n";

fn suite(cases: &str) -> Suite {
    let config = format!("{CONFIG}{AGENTS}");
    Suite::new(&[("ananke.config.yaml", &config), ("tests/a.jsonl", cases)])
}

/// Returns the diagnostics of a case with these keys beside its id.
fn found(keys: &str) -> String {
    problems(&suite(&format!("{{\"id\": \"a\", {keys}}}")).load())
}

/// Returns the diagnostics of a case with these keys and a checkpoint that is right.
fn beside(keys: &str) -> String {
    found(&format!(
        r#""checkpoints": [{{"id": "x", "assert": {{"type": "contains", "value": "x"}}}}], {keys}"#
    ))
}

/// Returns the diagnostics of a case with these checkpoints.
fn checkpoints(list: &str) -> String {
    found(&format!(
        r#""simulator": {{"use": "user"}}, "checkpoints": {list}"#
    ))
}

/// Returns the diagnostics of a case with a checkpoint that has these keys.
fn checkpoint(keys: &str) -> String {
    checkpoints(&format!(r#"[{{"id": "x", {keys}}}]"#))
}

#[test]
fn a_dynamic_case_has_a_simulator_checkpoints_and_limits() {
    let suite = suite(
        r#"{
  "id": "T004", "name": "Expense", "input": "Hello ${NAME:-you}",
  "simulator": {"use": "user", "options": {"metadata": {"persona": "new", "goal": "file ${NAME:-it}"}}},
  "checkpoints": [
    {"id": "ask", "description": "asks", "assertion": {"type": "contains", "value": "type"}},
    {"id": "call", "after": ["ask"], "assert": [{"tools": {"require": [{"name": "create"}]}}, {"type": "regex", "pattern": "\\d"}]},
    {"id": "nice", "after": "ask", "required": false, "assert": {"type": "agent", "use": "agents:judge", "value": "is nice"}}
  ],
  "assert": {"text": {"must_not_match": "sorry"}}, "max_turns": 10, "timeout": "2m", "tags": ["slow"], "user": "ada"
}"#,
    );
    let loaded = suite.load();
    assert_eq!(problems(&loaded), "");
    let test = &loaded.plan.tests[0];
    let dynamic = test.dynamic.as_ref().unwrap();
    let case = test.case.as_ref().unwrap();
    assert!(test.turns.is_empty());
    assert_snapshot!(format!(
        "{} {:?} {:?} | {} {} | {:?} {:?} {}",
        test.id,
        test.timeout_ms,
        test.tags,
        case.input,
        case.n_messages,
        dynamic.simulator.agent,
        dynamic.simulator.metadata.as_ref().map(|json| json.value.to_string()),
        dynamic.max_turns,
    ), @r#"tests/a.jsonl#T004 Some(120000) ["slow"] | "Hello ${NAME:-you}" 1 | "user" Some("{\"persona\":\"new\",\"goal\":\"file ${NAME:-it}\"}") 10"#);
    let lines = dynamic.checkpoints.iter().map(|one| {
        format!(
            "{} {:?} after {:?} required {}",
            one.id, one.description, one.after, one.required
        )
    });
    assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
    ask Some("asks") after [] required true
    call None after ["ask"] required true
    nice None after ["ask"] required false
    "#);
    assert_snapshot!(demands(&loaded.plan), @r#"
    checkpoint ask:
      contains "type" <- turn tests/a.jsonl:5
    checkpoint call:
      tools.require create at least 1 <- turn tests/a.jsonl:6
      regex "\\d" <- turn tests/a.jsonl:6
    checkpoint nice:
      agent judge <- turn tests/a.jsonl:7
    test:
      text.must_not_match sorry <- test tests/a.jsonl:9
    "#);
    let agents: Vec<_> = loaded.plan.agents.keys().collect();
    assert_eq!(agents, ["judge", "user"]);
}

#[test]
fn there_are_defaults() {
    let suite = suite(
        r#"{"id": "a", "simulator": {"use": "user"}, "checkpoints": [{"id": "x", "assert": {"type": "contains", "value": "x"}}]}"#,
    );
    let loaded = suite.load();
    assert_eq!(problems(&loaded), "");
    let test = &loaded.plan.tests[0];
    let dynamic = test.dynamic.as_ref().unwrap();
    assert_eq!((dynamic.max_turns, test.timeout_ms), (20, None));
    assert!(dynamic.checkpoints[0].required && dynamic.input.is_none());
}

#[test]
fn the_flag_gives_a_simulator_to_those_that_have_none() {
    let case = |simulator: &str| {
        format!(
            "{{\"id\": \"a\", {simulator}\"checkpoints\": [{{\"id\": \"x\", \"assert\": {{\"type\": \"contains\", \"value\": \"x\"}}}}]}}"
        )
    };
    let named = |flag, simulator: &str| {
        let mut suite = suite(&case(simulator));
        suite.asking.simulator = flag;
        let loaded = suite.load();
        match loaded
            .plan
            .tests
            .first()
            .and_then(|test| test.dynamic.as_ref())
        {
            Some(dynamic) => format!("{} {}", dynamic.simulator.agent, problems(&loaded)),
            None => problems(&loaded),
        }
    };
    assert_snapshot!(named(Some("judge"), ""), @"judge");
    assert_snapshot!(named(Some("judge"), "\"simulator\": {\"use\": \"user\"}, "), @"user");
    let told = r#""simulator": {"options": {"metadata": {"goal": "x"}}}, "#;
    assert_snapshot!(named(Some("judge"), told), @"judge");
    assert_snapshot!(named(None, told), @r#"tests/a.jsonl:1:26 error `use` is missing in `simulator` |  | write `"use": "user-simulator"`, or pass `--simulator`"#);
    let chosen = r#""simulator": {"options": {"connector": "fast"}}, "#;
    assert_snapshot!(named(Some("judge"), chosen), @r#"judge tests/a.jsonl:1:52 error the target `judge` has no connector `fast` |  | write `connectors: {"fast": {}}` in the target; what differs from the target stands in its map"#);
    assert_snapshot!(named(None, ""), @r#"tests/a.jsonl:1:13 error nobody plays the user in this case | neither `simulator` nor `--simulator` names an agent | write `"simulator": {"use": "…"}`, or pass `--simulator`"#);
    assert_snapshot!(named(Some("usr"), ""), @"usr - error --simulator: there is no agent `usr` |  | did you mean `user`?");
}

#[test]
fn an_optional_checkpoint_that_a_required_one_needs_is_told() {
    let check = r#""assert": {"type": "contains", "value": "x"}"#;
    let list = format!(
        r#"[{{"id": "a", "required": false, {check}}}, {{"id": "b", "after": "a", {check}}}, {{"id": "c", "after": "a", "required": false, {check}}}]"#
    );
    assert_snapshot!(checkpoints(&list), @r#"tests/a.jsonl:1:158 warning the required checkpoint `b` comes after `a`, which is not required | the case cannot pass without `a` | leave `"required": false` out of `a`, or take `a` out of `after`"#);
}

#[test]
fn a_simulator_is_named_by_its_id() {
    assert_snapshot!(beside(r#""simulator": "user""#), @"tests/a.jsonl:1:102 error expected a map, found text | expected `use` or `options`");
    assert_snapshot!(beside(r#""simulator": {}"#), @r#"tests/a.jsonl:1:102 error `use` is missing in `simulator` |  | write `"use": "user-simulator"`, or pass `--simulator`"#);
    assert_snapshot!(beside(r#""simulator": {"use": "agents:user"}"#), @"tests/a.jsonl:1:110 error `agents:` is not written here | only an agent can stand here | write `user`");
    assert_snapshot!(beside(r#""simulator": {"use": "scripts:user"}"#), @"tests/a.jsonl:1:110 error `scripts:user` names a script, not an agent | expected an agent | write the id of an agent");
    assert_snapshot!(beside(r#""simulator": {"use": "usr"}"#), @"tests/a.jsonl:1:110 error there is no agent `usr` |  | did you mean `user`?");
    assert_snapshot!(beside(r#""simulator": {"use": "user", "persona": "x"}"#), @"tests/a.jsonl:1:118 error unknown key `persona` in `simulator` | expected `use` or `options` | write `persona` in `options.metadata`");
    assert_snapshot!(beside(r#""simulator": {"use": "user", "options": {"metadat": {}}}"#), @"tests/a.jsonl:1:130 error unknown key `metadat` in `options` | expected `connector`, `metadata`, `mode`, `search`, `disable_global_prompts` or `skip` | did you mean `metadata`?");
    assert_snapshot!(beside(r#""simulator": {"use": "user", "options": {"metadata": {"turn_number": 1}, "search": true}}"#), @"
    tests/a.jsonl:1:143 error `turn_number` is told to every simulator and cannot be given |  | give it another name
    tests/a.jsonl:1:162 warning the option `search` has no effect | a simulator is given `connector` and `metadata`
    ");
    assert_snapshot!(beside(r#""simulator": {"use": "user", "options": {"metadata": {"goal": "${NOTHING}"}}}"#), @"tests/a.jsonl:1:142 error `${NOTHING}` has no value |  | give it with `--var NOTHING=…`, print it from a hook, or write a default: `${NOTHING:-…}`");
}

#[test]
fn a_dynamic_case_is_no_other_case() {
    let beside = |keys: &str| beside(&format!(r#""simulator": {{"use": "user"}}, {keys}"#));
    assert_snapshot!(beside(r#""messages": [{"role": "user", "content": "hi"}]"#), @"tests/a.jsonl:1:131 error a case has a simulator or `messages`, not both | the simulator makes the conversation | write the first message of the user under `input`, or leave `messages` out");
    assert_snapshot!(beside(r#""expected": "hi""#), @"tests/a.jsonl:1:119 error a dynamic case has no one output that is `expected` |  | write what has to be said under `checkpoints`");
    assert_snapshot!(beside(r#""input": [{"role": "user", "content": "hi"}]"#), @r#"tests/a.jsonl:1:128 error expected text, found a list | the first message of a dynamic case | write `"input": "Hello"`"#);
    assert_snapshot!(beside(r#""max_turns": 0"#), @"tests/a.jsonl:1:132 error `0` is out of range | expected a whole number from 1 to 1000");
    assert_snapshot!(beside(r#""max_turns": 1001"#), @"tests/a.jsonl:1:132 error `1001` is out of range | expected a whole number from 1 to 1000");
    assert_snapshot!(beside(r#""max_turns": "ten""#), @"tests/a.jsonl:1:132 error expected a whole number, found text");
    assert_snapshot!(beside(r#""goal": "refund""#), @"tests/a.jsonl:1:119 error unknown key `goal` in a case | expected `id`, `name`, `input`, `messages`, `expected`, `assert`, `assertions`, `simulator`, `checkpoints`, `max_turns`, `user`, `team`, `metadata`, `options`, `skip`, `timeout`, `tags`, `before`, `after`, `target` or `targets` | write `goal` in `simulator.options.metadata`");
}

#[test]
fn without_checkpoints_nothing_has_to_happen() {
    assert_snapshot!(found(r#""simulator": {"use": "user"}"#), @r#"tests/a.jsonl:1:13 error a dynamic case has no `checkpoints` | nothing says what has to happen in the conversation | write `"checkpoints": [{"id": "asks", "assert": {"type": "contains", "value": "…"}}]`"#);
    assert_snapshot!(found(r#""max_turns": 3, "input": "hi""#), @r#"tests/a.jsonl:1:13 error a dynamic case has no `checkpoints` | nothing says what has to happen in the conversation | write `"checkpoints": [{"id": "asks", "assert": {"type": "contains", "value": "…"}}]`"#);
    assert_snapshot!(checkpoints("[]"), @r#"tests/a.jsonl:1:58 error `checkpoints` is empty | nothing says what has to happen in the conversation | write `{"id": "asks", "assert": {"type": "contains", "value": "…"}}`"#);
    assert_snapshot!(checkpoints("{}"), @"tests/a.jsonl:1:58 error expected a list, found a map");
    assert_snapshot!(checkpoint(r#""required": false, "assert": {"type": "contains", "value": "x"}"#), @r#"tests/a.jsonl:1:58 error no checkpoint is required | the case would pass whatever the agent says | leave `"required": false` out of at least one of them"#);
}

#[test]
fn a_checkpoint_has_an_id_and_a_check() {
    assert_snapshot!(checkpoints(r#"["x"]"#), @"tests/a.jsonl:1:59 error expected a map, found text | expected `id`, `description`, `after`, `required`, `assert` or `assertion`");
    assert_snapshot!(checkpoints(r#"[{"assert": {"type": "contains", "value": "x"}}]"#), @"tests/a.jsonl:1:59 error `id` is missing in a checkpoint |  | write `id: asks`");
    assert_snapshot!(checkpoints(r#"[{"id": "${X}", "assert": {"type": "contains", "value": "x"}}]"#), @"tests/a.jsonl:1:66 error the id of a checkpoint holds no control characters and no references |  | write a short word, and what it is about under `description`");
    assert_snapshot!(checkpoint(r#""description": "x""#), @r#"tests/a.jsonl:1:66 error the checkpoint `x` has no check | it would be reached whatever the agent says | write `"assert": {"type": "contains", "value": "…"}`"#);
    assert_snapshot!(checkpoint(r#""assert": []"#), @r#"tests/a.jsonl:1:66 error the checkpoint `x` has no check | it would be reached whatever the agent says | write `"assert": {"type": "contains", "value": "…"}`"#);
    assert_snapshot!(checkpoint(r#""assert": {"inherit": "none"}"#), @r#"tests/a.jsonl:1:66 error the checkpoint `x` has no check | it would be reached whatever the agent says | write `"assert": {"type": "contains", "value": "…"}`"#);
    assert_snapshot!(checkpoint(r#""assert": {"type": "contain", "value": "x"}"#), @"tests/a.jsonl:1:90 error unknown check type `contain` | expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script` | did you mean `contains`?");
    assert_snapshot!(checkpoint(r#""assertions": [{"type": "contains", "value": "x"}]"#), @"tests/a.jsonl:1:71 error unknown key `assertions` in a checkpoint | expected `id`, `description`, `after`, `required`, `assert` or `assertion` | write `assert`, which may be a list");
    // What is wrong with its block is all that is said.
    assert_snapshot!(checkpoint(r#""assert": {"text": {"must_matsch": "x"}}"#), @"tests/a.jsonl:1:91 error unknown key `must_matsch` in `text` | expected `must_match` or `must_not_match` | did you mean `must_match`?");
    assert_snapshot!(checkpoint(r#""assert": {"error": true}"#), @"tests/a.jsonl:1:91 error expected a pattern, found `true` | what the message of the error must match | write `/.+/` for any error, or put the word in quotes");
    assert_snapshot!(checkpoint(r#""assert": {"snapshot": "x"}"#), @"tests/a.jsonl:1:94 error a checkpoint cannot demand a snapshot | which turn is stored would depend on the conversation | write `snapshot` in the `assert` of the case");
    assert_snapshot!(checkpoint(r#""assert": {"type": "contains", "value": "${NOTHING}"}"#), @"tests/a.jsonl:1:111 error `${NOTHING}` has no value |  | give it with `--var NOTHING=…`, print it from a hook, or write a default: `${NOTHING:-…}`");
    assert_snapshot!(checkpoint(r#""assert": {"extends": "nothing"}"#), @"tests/a.jsonl:1:93 error unknown assertion block `nothing` |  | named blocks are written under `assertions` in the config");
    assert_snapshot!(checkpoint(r#""assert": {"type": "contains", "value": "x"}, "required": "no""#), @"tests/a.jsonl:1:129 error expected `true` or `false`, found text");
    assert_snapshot!(checkpoint(r#""assert": {"type": "agent", "use": "agents:jugde", "value": "x"}"#), @"tests/a.jsonl:1:106 error there is no agent `jugde` |  | did you mean `judge`?");
}

#[test]
fn checkpoints_come_after_one_another() {
    let list = |entries: &[(&str, &str)]| {
        let entries = entries.iter().map(|(id, after)| {
            format!(
                r#"{{"id": "{id}", "after": {after}, "assert": {{"type": "contains", "value": "x"}}}}"#
            )
        });
        checkpoints(&format!("[{}]", entries.collect::<Vec<_>>().join(", ")))
    };
    assert_snapshot!(list(&[("a", "[]"), ("b", r#"["a"]"#), ("c", r#"["a", "b"]"#)]), @"");
    assert_snapshot!(list(&[("a", r#""b""#), ("b", "[]")]), @"");
    assert_snapshot!(list(&[("a", "[]"), ("a", "[]")]), @"tests/a.jsonl:1:138 error the checkpoint `a` is there twice | the first is at tests/a.jsonl:1:66 | give each checkpoint of a case an id of its own");
    assert_snapshot!(list(&[("ask", "[]"), ("b", r#"["aks"]"#)]), @"tests/a.jsonl:1:155 error `after` names `aks`, which is no checkpoint | expected `ask` or `b` | did you mean `ask`?");
    assert_snapshot!(list(&[("a", r#"["a"]"#)]), @"tests/a.jsonl:1:81 error the checkpoint `a` comes after itself | none of them can be reached | take one of them out of `after`");
    assert_snapshot!(list(&[("x", r#"["a"]"#), ("a", r#"["c"]"#), ("b", r#"["a"]"#), ("c", r#"["b"]"#)]), @"tests/a.jsonl:1:156 error checkpoints wait for one another: a → c → b → a | none of them can be reached | take one of them out of `after`");
    assert_snapshot!(list(&[("a", "[1]")]), @r#"tests/a.jsonl:1:81 error expected text, found the number `1` |  | put it in quotes: "1""#);
}
