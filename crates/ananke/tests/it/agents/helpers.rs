//! Generators, reporters, simulators and judges as a user calls them, and what can go wrong.

use insta::assert_snapshot;

use super::desk::desk;

const DYNAMIC: &str = r#"{"id": "tour", "checkpoints": [{"id": "asks", "assert": {"type": "contains", "value": "type"}}, {"id": "creates", "after": ["asks"], "assert": {"type": "tool_called", "name": "create_expense"}}]}
"#;

#[test]
fn a_generator_makes_cases_that_are_run() {
    let cx = desk();
    assert_snapshot!(cx.ananke(&["run", "-i", "agents:workers.test.generator?count=2&focus=money", "-n", "assistants.expense"]), @"
    exit code: 0
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: assistants.expense
    ℹ Input: agents:workers.test.generator?count=2&focus=money (2 tests)
    ℹ User: test-user, Team: test-team

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ► [G1] hello PASSED ([TIME])
    ► [G2] Yes PASSED ([TIME])

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:      2 tests
      Passed:     2
      Failed:     0
      Pass Rate:  100%
      Time:       [TIME]

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
}

#[test]
fn made_cases_can_be_saved_and_run_again() {
    let cx = desk();
    let args = [
        "run",
        "-i",
        "agents:workers.test.generator",
        "-n",
        "assistants.expense",
        "--dry-run",
        "-o",
        "made.jsonl",
    ];
    assert_snapshot!(cx.ananke(&args), @"
    exit code: 0
    --- stdout
      ○ [G1] hello (1 message, 1 check)
      ○ [G2] Yes (1 message, 1 check)

      2 tests with 2 turns and 2 checks; nothing was run
    --- stderr
    warning: `agents:workers.test.generator`: 5 cases were asked for, 2 were given
    2 cases written to made.jsonl
    ");
    assert_snapshot!(cx.read("made.jsonl"), @r#"
    {"id":"G1","input":"hello","assertions":[{"type":"contains","value":"type"}]}
    {"id":"G2","input":"Yes","assert":{"type":"contains","value":"submitted"}}
    "#);
    let output = cx.run(&[
        "run",
        "made.jsonl",
        "-n",
        "assistants.expense",
        "--no-output",
        "-q",
    ]);
    assert_eq!(output.code, Some(0), "{output}");
    // What was saved is not lost by asking again.
    assert_eq!(cx.run(&args).code, Some(2));
}

#[test]
fn references_to_agents_are_checked() {
    let cx = desk();
    for input in [
        "agents:nobody",
        "agents:",
        "agents:workers.test.generator?count=many",
    ] {
        assert_eq!(
            cx.run(&["run", "-i", input, "-n", "assistants.expense"])
                .code,
            Some(2),
            "{input}"
        );
    }
    assert_snapshot!(cx.ananke(&["run", "-i", "agents:workers.test.generater", "-n", "assistants.expense"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: there is no agent `workers.test.generater`
    hint: did you mean `workers.test.generator`?

    error: 1 error
    error: `agents:workers.test.generater` could not be asked
    ");
    assert_snapshot!(cx.ananke(&["list", "-i", "agents:workers.test.generator"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `agents:workers.test.generator` asks an agent for cases, which only `run` does
    hint: `ananke run --dry-run -o cases.jsonl` saves them
    ");
    // An agent that makes no cases.
    assert_snapshot!(cx.ananke(&["run", "-i", "agents:report.beautiful", "-n", "assistants.expense"]), @"
    exit code: 5
    --- stdout
    --- stderr
    error: `agents:report.beautiful`: the answer holds no case
    hint: expected a JSON list of cases, or an object with `cases` or `test_cases`; `-v` shows the answer
    ");
}

#[test]
fn an_agent_writes_the_report() {
    let cx = desk();
    let args = [
        "run",
        "hello there",
        "-n",
        "assistants.chat",
        "-r",
        "report.beautiful",
        "-o",
        "report.html",
    ];
    assert_snapshot!(cx.ananke(&args), @"
    exit code: 0
    --- stdout
    I am fine, thank you.
    --- stderr
    ");
    assert_eq!(cx.read("report.html"), "<h1>Beautiful</h1>");
    assert_snapshot!(cx.ananke(&["run", "hello there", "-n", "assistants.chat", "-r", "report.ugly", "-o", "report.html"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: there is no agent `report.ugly`
    hint: write it under `agents` in the config, or name one of `assistants.expense`, `assistants.chat`, `workers.test.user-simulator`, `workers.test.validator`, `workers.test.generator`, `report.beautiful`

    error: 1 error
    ");
    assert_snapshot!(cx.ananke(&["run", "hello there", "-n", "assistants.chat", "-r", "jsn"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: invalid value 'jsn' for '--reporter <FORMAT[:FILE]>': `jsn` is no format; known are jsonl, json, markdown, html, junit, tap, github, summary

    For more information, try '--help'.
    ");
}

#[test]
fn the_default_simulator_leads_cases_that_name_none() {
    let cx = desk();
    cx.write("tests/tour.jsonl", DYNAMIC);
    let args = [
        "run",
        "tests/tour.jsonl",
        "--no-output",
        "-n",
        "assistants.expense",
    ];
    assert_snapshot!(cx.ananke(&args), @r#"
    exit code: 2
    --- stdout
    --- stderr
    error: nobody plays the user in this case
     --> tests/tour.jsonl:1:16
      |
    1 | {"id": "tour", "checkpoints": [{"id": "asks", "assert": {"type": "contains", "value": "type…
      |                ^^^^^^^^^^^^^ neither `simulator` nor `--simulator` names an agent
    hint: write `"simulator": {"use": "…"}`, or pass `--simulator`

    error: 1 error in 1 file
    "#);
    let args = [&args[..], &["--simulator", "workers.test.user-simulator"]].concat();
    assert_snapshot!(cx.ananke(&args), @"
    exit code: 0
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: assistants.expense
    ℹ Input: tests/tour.jsonl (1 test case)
    ℹ User: test-user, Team: test-team

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ► [tour] (dynamic, 2 checkpoints)
      └─ PASSED (2 turns, 2 checkpoints, [TIME])

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:      1 test
      Passed:     1
      Failed:     0
      Pass Rate:  100%
      Time:       [TIME]

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    let args = [
        &args[..5],
        &["--simulator", "agents:workers.test.user-simulator"],
    ]
    .concat();
    assert_eq!(cx.run(&args).code, Some(2), "a simulator has no prefix");
}

#[test]
fn a_judge_refuses_and_says_why() {
    let cx = desk();
    cx.write(
        "tests/j.jsonl",
        r#"{"id": "no", "input": "hello", "assert": {"type": "agent", "use": "agents:workers.test.validator", "value": "refuse this"}}
{"id": "broken", "input": "hello", "assert": {"type": "agent", "use": "agents:report.beautiful", "value": "anything"}}
{"id": "yes", "input": "hello", "assert": {"type": "agent", "use": "agents:workers.test.validator", "value": "anything", "samples": 3}}
"#,
    );
    assert_snapshot!(cx.ananke(&["run", "tests/j.jsonl", "--no-output", "-n", "assistants.expense"]), @"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: assistants.expense
    ℹ Input: tests/j.jsonl (3 test cases)
    ℹ User: test-user, Team: test-team

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ► [no] hello FAILED ([TIME])
      └─ agent workers.test.validator: expected an output that `workers.test.validator` accepts: refuse this, got refused: it was to be refused
         demanded at tests/j.jsonl:1:42 (test level)
    ► [broken] hello INCONCLUSIVE ([TIME])
      └─ agent report.beautiful: could not be decided: expected an output that `report.beautiful` accepts: anything, got no verdict: its reply is not JSON with `passed` and `reason`: <h1>Beautiful</h1>
         demanded at tests/j.jsonl:2:46 (test level)
    ► [yes] hello PASSED ([TIME])

    Failures:
      ✗ [no] agent workers.test.validator: expected an output that `workers.test.validator` accepts: refuse this, got refused: it was to be refused
      ? [broken] agent report.beautiful: could not be decided: expected an output that `report.beautiful` accepts: anything, got no verdict: its reply is not JSON with `passed` and `reason`: <h1>Beautiful</h1>

    Rerun: ananke run -n assistants.expense tests/j.jsonl --run '^(no|broken)$'

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:         3 tests
      Passed:        1
      Failed:        1
      Inconclusive:  1
      Pass Rate:     33.3%
      Time:          [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
}

#[test]
fn what_agents_said_is_judged_again_without_asking_them() {
    let cx = desk();
    cx.write("tests/tour.jsonl", DYNAMIC);
    cx.write(
        "tests/j.jsonl",
        r#"{"id": "yes", "input": "hello", "assert": {"type": "agent", "use": "agents:workers.test.validator", "value": "anything", "samples": 3}}
"#,
    );
    let args = [
        "run",
        "tests",
        "-n",
        "assistants.expense",
        "--simulator",
        "workers.test.user-simulator",
        "--json",
    ];
    let ran = cx.bundled(&args).run();
    assert_eq!(ran.code, Some(0), "{ran}");
    let judged = cx.bundled(&["judge", "latest", "--json"]).run();
    assert_eq!(ran.stdout, judged.stdout);
    let judged = cx
        .bundled(&["judge", "latest", "--json", "--as-recorded"])
        .run();
    assert_eq!(ran.stdout, judged.stdout);
}

#[test]
fn a_bundle_holds_every_file_that_is_needed_to_judge_it() {
    let cx = desk();
    cx.write(
        "ananke.config.yaml",
        "version: \"1.0\"\ntarget: {type: scripted, script: agents/a.script.yaml}\nagents: {judge: {type: scripted, script: agents/j.script.yaml}}\n",
    );
    cx.write(
        "agents/a.script.yaml",
        "version: \"1.0\"\nrules: [{reply: [{text: fine}]}]\n",
    );
    cx.write(
        "agents/j.script.yaml",
        "version: \"1.0\"\nrules: [{reply: [{text: '{\"passed\": true, \"reason\": \"fine\"}'}]}]\n",
    );
    cx.write(
        "tests/j.jsonl",
        "{\"id\": \"a\", \"input\": \"hi\", \"assert\": {\"type\": \"agent\", \"use\": \"agents:judge\", \"value\": \"x\"}}\n",
    );
    let ran = cx.bundled(&["run", "--json"]).run();
    assert_eq!(ran.code, Some(0), "{ran}");
    for path in ["agents", "tests"] {
        std::fs::remove_dir_all(cx.dir().join(path)).expect("it is ours");
    }
    let judged = cx
        .bundled(&["judge", "latest", "--json", "--as-recorded"])
        .run();
    assert_eq!(ran.stdout, judged.stdout, "{judged}");
}

/// Writes a config whose generator answers with this.
fn generator(answer: &str) -> ananke_testkit::TestContext {
    let cx = desk();
    let answer = serde_json::Value::from(answer);
    cx.write(
        "ananke.config.yaml",
        &format!("version: \"1.0\"\ntargets: {{desk: {{type: scripted, script: {{rules: [{{reply: [{{echo: last_message}}]}}]}}}}}}\nagents: {{gen: {{type: scripted, script: {{rules: [{{reply: [{{text: {answer}}}]}}]}}}}}}\n"),
    );
    cx
}

#[test]
fn a_generator_reads_no_variables_sends_no_files_and_shows_no_secrets() {
    let cx = generator(
        r#"[{"id": "env", "input": "${ENV.TOKEN}", "assert": {"type": "contains", "value": "ENV"}},
            {"id": "file", "messages": [{"role": "user", "content": [{"type": "text", "text": "x"}, {"type": "file", "source": "file:///etc/passwd"}]}], "assert": {"type": "contains", "value": "x"}},
            {"id": "said", "input": "plainsecret4711", "assert": {"type": "plainsecret4711"}}]"#,
    );
    let args = [
        "run",
        "-i",
        "agents:gen?count=3",
        "-n",
        "desk",
        "--secret",
        "TOKEN",
        "-vv",
    ];
    let output = cx.command(&args).env("TOKEN", "plainsecret4711").run();
    assert_eq!(output.code, Some(0), "{output}");
    let said = format!("{}{}", output.stdout, output.stderr);
    assert!(!said.contains("plainsecret4711"), "{said}");
    assert!(
        said.contains("case 2 was refused") && said.contains("case 3 was refused"),
        "{said}"
    );
}

#[test]
fn what_a_helper_says_moves_no_cursor() {
    let cx = generator(
        "\u{1b}[2J[{\"id\": \"a\", \"input\": \"hi\", \"assert\": {\"type\": \"contains\", \"value\": \"hi\"}}]",
    );
    let output = cx.run(&[
        "run",
        "-i",
        "agents:gen?count=1",
        "-n",
        "desk",
        "-v",
        "-r",
        "gen",
    ]);
    assert!(!format!("{output}").contains('\u{1b}'), "{output}");
}

#[test]
fn made_cases_are_judged_again() {
    let cx = generator(
        "{\"id\": \"a\", \"input\": \"hi\", \"assert\": {\"type\": \"contains\", \"value\": \"hi\"}}",
    );
    let ran = cx
        .bundled(&["run", "-i", "agents:gen?count=1", "-n", "desk", "--json"])
        .run();
    assert_eq!(ran.code, Some(0), "{ran}");
    for how in [
        &["judge", "latest", "--json"][..],
        &["judge", "latest", "--json", "--as-recorded"],
    ] {
        let judged = cx.bundled(how).run();
        assert_eq!(ran.stdout, judged.stdout, "{judged}");
    }
}

#[test]
fn one_document_on_stdout_stays_one() {
    let cx = desk();
    let args = [
        "run",
        "hello there",
        "-n",
        "assistants.chat",
        "-r",
        "report.beautiful",
    ];
    let output = cx.run(&args);
    assert_eq!(output.stdout, "<h1>Beautiful</h1>\n", "{output}");
    assert_eq!(cx.run(&[&args[..], &["--json"]].concat()).code, Some(2));
    assert_eq!(
        cx.run(&[
            "run",
            "hi there",
            "-n",
            "assistants.chat",
            "-r",
            "agents:report.beautiful"
        ])
        .code,
        Some(2)
    );
}
