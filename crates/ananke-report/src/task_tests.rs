//! Tasks and data in every report that shows turns.

use ananke_model::result::TestResult;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::page::Page;
use crate::report::ReportFormat;
use crate::samples::{hostile_task, invoiced, listed, plain, rendered, run};
use crate::terminal::conversation;

fn told(result: &TestResult) -> String {
    let mut page = Page::default();
    conversation(&mut page, result, &plain());
    page.finish()
}

#[test]
fn the_terminal_shows_states_artifacts_and_how_the_agent_was_spoken_to() {
    assert_snapshot!(told(&invoiced("a")), @"
    turn 1 · user · 1.2s · 2 events · first text after 300ms
      user
      │ Bill me
      assistant
      │ Total: 42
      │ Thank you
      task submitted → working → completed
        id task-1, context ctx-1
        spoken to as 1.0 over JSONRPC at http://localhost:9999/, streamed
        artifact invoice, 19 characters, 1 data part: Total: 42
        artifact a-2, 1 file
        tool calls: this agent exposes no tool calls
    ");
    assert_snapshot!(told(&listed("a")), @r#"
    turn 1 · mcp:list · 1.2s · 2 events · first text after 300ms
      assistant
      │ add
      data {"tools":[{"name":"add"}]}
    "#);
}

#[test]
fn the_terminal_shows_what_a_server_was_asked() {
    let asked = |kind: &str, method: &str, params: Value| {
        let mut result = listed("a");
        let turn = &mut result.turns[0].turn;
        turn.kind = kind.to_owned();
        turn.requests = vec![json!({"method": method, "params": params})];
        turn.data = Value::Null;
        told(&result)
    };
    let call = json!({"name": "add", "arguments": {"a": 1}});
    let turns = [
        asked("mcp:list", "tools/list", json!({})),
        asked("mcp:read", "resources/read", json!({"uri": "file:///x"})),
        asked(
            "mcp:prompt",
            "prompts/get",
            json!({"name": "greeting\u{1b}", "arguments": {"who": "Ada"}}),
        ),
        asked("mcp:call", "tools/call", call),
        asked("user", "tools/call", json!({"name": "ask"})),
    ];
    assert_snapshot!(turns.join(""), @r#"
    turn 1 · mcp:list · 1.2s · 2 events · first text after 300ms
      what tools
      assistant
      │ add
    turn 1 · mcp:read · 1.2s · 2 events · first text after 300ms
      uri file:///x
      assistant
      │ add
    turn 1 · mcp:prompt · 1.2s · 2 events · first text after 300ms
      name greeting\u{1b}
      args {"who":"Ada"}
      assistant
      │ add
    turn 1 · mcp:call · 1.2s · 2 events · first text after 300ms
      tool add
      args {"a":1}
      assistant
      │ add
    turn 1 · user · 1.2s · 2 events · first text after 300ms
      assistant
      │ add
    "#);
}

#[test]
fn json_has_all_of_it_but_the_card() {
    let document = rendered(ReportFormat::Json, &run(vec![invoiced("a"), listed("b")]));
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let turn = |index: usize| &document["results"][index]["turns"][0];
    assert_snapshot!(serde_json::to_string_pretty(&turn(0)["task"]).unwrap(), @r#"
    {
      "id": "task-1",
      "context_id": "ctx-1",
      "state": "completed",
      "states": [
        {
          "state": "submitted",
          "at_ms": 1
        },
        {
          "state": "working",
          "at_ms": 2
        },
        {
          "state": "completed",
          "at_ms": 900
        }
      ],
      "artifacts": [
        {
          "id": "a-1",
          "name": "invoice",
          "description": "What to pay",
          "parts": [
            {
              "text": "Total: 42\nThank you"
            },
            {
              "data": {
                "total": 42
              }
            }
          ]
        },
        {
          "id": "a-2",
          "parts": [
            {
              "url": "http://h/a.png",
              "mediaType": "image/png"
            }
          ]
        }
      ],
      "spoken": {
        "version": "1.0",
        "binding": "JSONRPC",
        "url": "http://localhost:9999/",
        "streamed": true
      },
      "no_calls_because": "this agent exposes no tool calls",
      "error": {
        "layer": "agent",
        "message": "no ink"
      }
    }
    "#);
    assert_snapshot!(turn(1)["data"], @r#"{"tools":[{"name":"add"}]}"#);
    assert_eq!(turn(1).get("task"), None);
}

#[test]
fn markdown_and_junit_tell_why_nothing_can_be_said_about_calls() {
    let run = run(vec![invoiced("a")]);
    let markdown = rendered(ReportFormat::Markdown, &run);
    let lines = |text: &str, word: &str| {
        let lines = text.lines().filter(|line| line.contains(word));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(lines(&markdown, "no call: this"), @"
    ``turn 1: tools.require search: could not be decided: expected at least 1 call of `search`, got no call: this agent exposes no tool calls``
    └─ turn 1 · tools.require search: could not be decided: expected at least 1 call of `search`, got no call: this agent exposes no tool calls
    ");
    assert_snapshot!(lines(&markdown, "artifact"), @"
    artifact invoice, 19 characters, 1 data part: Total: 42
    artifact a-2, 1 file
    ");
    assert_snapshot!(lines(&rendered(ReportFormat::Junit, &run), "no call: this"), @r#"            <failure message="turn 1: tools.require search: could not be decided: expected at least 1 call of `search`, got no call: this agent exposes no tool calls" type="inconclusive">└─ turn 1 · tools.require search: could not be decided: expected at least 1 call of `search`, got no call: this agent exposes no tool calls"#);
}

#[test]
fn hostile_tasks_stay_text() {
    let told = told(&hostile_task("h"));
    assert!(!told.contains('\u{1b}') && !told.contains('\r'), "{told}");
    for line in told.lines() {
        assert!(!line.trim_start().starts_with("::"), "{line}");
    }
}
