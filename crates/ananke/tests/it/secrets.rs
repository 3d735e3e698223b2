//! Secrets: whatever an agent does with them, nothing that ananke writes holds one.

use std::path::Path;

use ananke_testkit::{RunOutput, ScriptedAgent, TestContext};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::ANANKE;
use crate::run::one_turn;

const KEY: &str = "sk-live.7f3a/2b1c+9";
const KEY_IN_BASE64: &str = "c2stbGl2ZS43ZjNhLzJiMWMrOQ";

/// An agent that says its client's token back: in one piece, character by character, in arguments and results, encoded.
fn parrot() -> (TestContext, ScriptedAgent) {
    let pieces: Vec<Value> = KEY.chars().map(|c| json!(c.to_string())).collect();
    let agent = ScriptedAgent::start(json!({"rules": [{"reply": [
        {"text": format!("You sent {KEY}.")},
        {"tool": {"name": "login", "args": {"key": KEY, "n": 1}, "result": {"token": KEY_IN_BASE64}}},
        {"text_deltas": {"deltas": pieces}},
        {"tool": {"name": "fetch", "args": {}, "result": [
            "quoted sk-live.7f3a/2b1c%2B9", "a path /sk-live.7f3a~12b1c+9", "a page sk-live.7f3a&#x2F;2b1c+9",
        ]}},
        {"state": {"key": "sk-live.7f3a"}},
        {"state": {"key": KEY}},
    ]}]}));
    let cx = TestContext::new(ANANKE);
    cx.write(
        "ananke.config.yaml",
        &format!(
            "version: \"1.0\"\ntarget:\n  type: agui\n  endpoint: \"{}\"\n  headers: {{Authorization: 'Bearer ${{ENV.API_KEY}}'}}\n",
            agent.url()
        ),
    );
    (cx, agent)
}

fn leak_test(cx: &TestContext) {
    cx.write(
        "leak.test.yaml",
        &one_turn(
            "leak",
            "What is my key?",
            "assert: {text: {must_not_match: '${ENV.API_KEY}'}}\n",
        ),
    );
}

fn run(cx: &TestContext, args: &[&str]) -> RunOutput {
    cx.bundled(args).env("API_KEY", KEY).run()
}

/// Goes through all files below `folder`, bundles decompressed.
fn files(folder: &Path, look: &mut dyn FnMut(&Path, &str)) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            files(&path, look);
            continue;
        }
        let bytes = std::fs::read(&path).expect("the file can be read");
        let is_packed = path.extension().is_some_and(|end| end == "zst");
        let bytes = if is_packed {
            zstd::decode_all(bytes.as_slice()).expect("it is a bundle")
        } else {
            bytes
        };
        look(&path, &String::from_utf8_lossy(&bytes));
    }
}

#[track_caller]
fn assert_clean(text: &str, what: &str) {
    for form in [KEY, "7f3a", KEY_IN_BASE64, "sk-live"] {
        assert!(!text.contains(form), "{what} holds {form}:\n{text}");
    }
}

#[test]
fn a_token_that_comes_back_is_in_no_output() {
    let (cx, agent) = parrot();
    leak_test(&cx);
    let reports = [
        "-o", "r.json", "-o", "r.jsonl", "-o", "r.md", "-o", "r.html", "-o", "r.xml", "-o", "r.tap",
    ];
    let output = run(&cx, &[["run", "-v"].as_slice(), &reports].concat());
    assert_eq!(output.code, Some(1), "{output}");
    let sent = &agent.received()[0].headers;
    assert!(sent.contains(&("authorization".to_owned(), format!("Bearer {KEY}"))));
    assert_clean(&output.to_string(), "the terminal");
    let json = run(&cx, &["run", "--json"]);
    assert_clean(&json.to_string(), "--json");
    let mut n_files = 0;
    files(&cx.dir(), &mut |path, text| {
        n_files += 1;
        assert_clean(text, &path.display().to_string());
    });
    assert!(n_files >= 10, "{n_files} files were looked at");
    let why = output.stdout.lines().find(|line| line.contains("└─"));
    assert_snapshot!(why.unwrap(), @r#"  └─ test · text.must_not_match /[redacted API_KEY]/: expected no text matching /[redacted API_KEY]/, got "[redacted API_KEY]""#);
}

#[test]
fn judging_the_bundle_gives_the_same_verdict() {
    let (cx, _agent) = parrot();
    leak_test(&cx);
    let live: Value = serde_json::from_str(&run(&cx, &["run", "--json"]).stdout).unwrap();
    // The environment that judges does not know the key.
    let judged = cx.run(&["judge", "latest", "--json"]);
    assert_eq!(judged.code, Some(1), "{judged}");
    let judged: Value = serde_json::from_str(&judged.stdout).unwrap();
    assert_eq!(judged["results"], live["results"]);
}

#[test]
fn a_token_of_a_hook_is_hidden_in_its_test() {
    let (cx, agent) = parrot();
    cx.write(
        "ananke.config.yaml",
        &format!(
            "version: \"1.0\"\ntarget:\n  type: agui\n  endpoint: \"{}\"\n  headers: {{X-Session-Token: '${{TOKEN}}'}}\n",
            agent.url()
        ),
    );
    let hook = format!(
        "hooks: [{{cmd: [echo, '{{\"TOKEN\": \"{KEY}\"}}']}}]\nassert: {{text: {{must_match: sent}}}}\n"
    );
    cx.write(
        "a.test.yaml",
        &one_turn("a", "Hello", &hook).replace(KEY, "${VAR.HIDDEN}"),
    );
    let output = cx
        .command(&["run", "-v", "--json", "--var", &format!("HIDDEN={KEY}")])
        .run();
    assert_eq!(output.code, Some(0), "{output}");
    assert_clean(&output.to_string(), "--json");
    assert!(output.stdout.contains("[redacted TOKEN]"), "{output}");
}

#[test]
fn a_token_of_a_hook_is_hidden_in_later_attempts_and_tests_too() {
    let token = |number: usize| format!("session-{number}-0123456789");
    let says = |n_seen: usize| {
        let seen: Vec<String> = (1..=n_seen).map(token).collect();
        json!([{"text": format!("I have seen {}.", seen.join(", "))}])
    };
    let agent = ScriptedAgent::start(json!({"rules": [
        {"times": 1, "reply": says(1)},
        {"times": 1, "reply": says(2)},
        {"reply": says(3)},
    ]}));
    let cx = TestContext::new(ANANKE);
    cx.write(
        "ananke.config.yaml",
        &format!(
            "version: \"1.0\"\ntarget:\n  type: agui\n  endpoint: \"{}\"\n  headers: {{X-Api-Key: '${{KEY}}'}}\n",
            agent.url()
        ),
    );
    let hook = r#"n=$(($(cat count 2>/dev/null || echo 0) + 1)); echo $n >count; echo "{\"KEY\": \"session-$n-0123456789\"}""#;
    let hooks = format!("hooks:\n  - cmd:\n      - sh\n      - -c\n      - '{hook}'\n");
    for name in ["a", "b"] {
        let word = if name == "a" { "nothing" } else { "seen" };
        let rest = format!("{hooks}assert: {{text: {{must_match: {word}}}}}\n");
        cx.write(
            &format!("{name}.test.yaml"),
            &one_turn(name, "Hello", &rest),
        );
    }
    let output = cx
        .bundled(&[
            "run",
            "-vv",
            "--parallel",
            "1",
            "--retries",
            "1",
            "-o",
            "r.html",
            "-o",
            "r.json",
        ])
        .run();
    assert_eq!(output.code, Some(1), "{output}");
    assert_eq!(agent.received().len(), 3);
    let is_clean = |text: &str, what: &str| {
        assert!(
            !text.contains("0123456789"),
            "{what} holds a token:\n{text}"
        );
    };
    is_clean(&output.to_string(), "the terminal");
    let mut n_files = 0;
    files(&cx.dir(), &mut |path, text| {
        n_files += 1;
        // The test files hold the command that makes the tokens.
        let own = text.replace("session-$n-0123456789", "");
        is_clean(&own, &path.display().to_string());
    });
    assert!(n_files >= 6, "{n_files} files were looked at");
}

#[test]
fn a_named_secret_may_come_from_a_hook() {
    let agent = ScriptedAgent::says("Your pin is 8264-7531.");
    let cx = TestContext::new(ANANKE);
    cx.config_for(&agent);
    let hook = "hooks: [{cmd: [sh, -c, 'printf \"{\\\"PIN\\\": \\\"8264-%s\\\"}\" 7531']}]\n";
    let rest = format!("{hook}assert: {{text: {{must_match: no}}}}\n");
    cx.write("a.test.yaml", &one_turn("a", "I am ${PIN}", &rest));
    let output = cx.bundled(&["run", "-vv", "--secret", "PIN"]).run();
    assert_eq!(output.code, Some(1), "{output}");
    assert!(!output.to_string().contains("8264-7531"), "{output}");
    assert!(
        output.stdout.contains("Your pin is [redacted PIN]."),
        "{output}"
    );
    // The run did not know it: what is shown of its recording hides it.
    cx.bundled(&["run"]).run();
    let judged = cx.run(&["judge", "latest", "-vv", "--secret", "PIN", "-o", "r.json"]);
    for shown in [judged.to_string(), cx.read("r.json")] {
        assert!(
            shown.contains("[redacted PIN]") && !shown.contains("8264-7531"),
            "{shown}"
        );
    }
}

#[test]
fn named_secrets_are_hidden_and_must_have_a_value() {
    let agent = ScriptedAgent::says("The code is c0de-xyz, pin 4711, at 1747110000.");
    let cx = TestContext::new(ANANKE);
    cx.config_for(&agent);
    cx.write(
        "a.test.yaml",
        &one_turn(
            "a",
            "My pin is ${PIN}",
            "assert: {text: {must_match: 'no ${ENV.CODE}'}}\n",
        ),
    );
    let args = [
        "run", "--var", "PIN=4711", "--secret", "PIN", "--secret", "CODE",
    ];
    let output = cx.command(&args).env("CODE", "c0de-xyz").run();
    assert_snapshot!(cx.show(&output), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [a.test.yaml] a FAILED ([TIME])
      └─ test · text.must_match /no [redacted CODE]/: expected text matching /no [redacted CODE]/, got "The code is [redacted CODE], pin [redacted PIN], at 1747110000."
         demanded at a.test.yaml:5:29 (test level)

    Failures:
      ✗ [a.test.yaml] test: text.must_match /no [redacted CODE]/: expected text matching /no [redacted CODE]/, got "The code is [redacted CODE], pin [redacted PIN], at 1747110000."

    Rerun: ananke run --var 'PIN=[redacted PIN]' a.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  0
      Failed:  1
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    "#);
    assert_snapshot!(cx.ananke(&["run", "--secret", "NOTHING"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: --secret NOTHING: neither --var nor the environment has a value for `NOTHING`, and no test has a hook
    ");
}

#[test]
fn keys_of_what_no_test_uses_get_nowhere() {
    let agent = ScriptedAgent::start(json!({"rules": [{"reply": [{"text": "Hi"}]}]}));
    let cx = TestContext::new(ANANKE);
    let config = format!(
        "version: \"1.0\"
connectors:
  c: {{type: openai, host: 'http://localhost:1', model: m, key: sk-unused-1}}
targets:
  used: {{type: agui, endpoint: '{}'}}
  chat: {{type: openai, host: 'http://me:sk-unused-2@localhost:1', model: m, key: sk-unused-3}}
agents:
  judge: {{type: command, cmd: ['true'], env: {{API_KEY: sk-unused-4}}}}
",
        agent.url()
    );
    cx.write("ananke.config.yaml", &config);
    cx.write(
        "a.test.yaml",
        &one_turn("a", "Hi", "assert: {text: {must_match: Hi}}\n"),
    );
    let output = run(&cx, &["run", "--target", "used"]);
    assert_eq!(output.code, Some(0), "{output}");
    let mut n_records = 0;
    // It is where the keys are from.
    std::fs::remove_file(cx.dir().join("ananke.config.yaml")).unwrap();
    files(&cx.dir(), &mut |path, text| {
        n_records += usize::from(text.contains("type: openai"));
        assert!(
            !text.contains("sk-unused"),
            "{} holds a key",
            path.display()
        );
    });
    assert!(n_records > 0, "the config is recorded");
}

#[test]
fn mistakes_beside_a_key_do_not_show_it() {
    let cx = TestContext::new(ANANKE);
    cx.write(
        "ananke.config.yaml",
        "version: \"1.0\"\ntarget: {type: openai, hots: 'http://h', model: m, key: sk-shown-1}\n",
    );
    for args in [&["validate"][..], &["validate", "--json"]] {
        let said = cx.run(args).to_string();
        assert!(said.contains("hots"), "{said}");
        assert!(!said.contains("sk-shown"), "{said}");
    }
}
