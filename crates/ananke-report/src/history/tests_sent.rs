//! Messages with parts and questions to servers in, a new test out.

use ananke_model::recording::{TaskRecord, TroubleKind, Turn};
use ananke_model::result::{TestResult, TestStatus};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{Kept, Sent, yaml_test};
use crate::samples::{broken, call, judged, result, turn};

fn written(turns: Vec<Turn>, sent: Vec<Option<Sent>>) -> String {
    let turns = turns.into_iter().map(|turn| judged(turn, vec![]));
    let result: TestResult = result("shop", TestStatus::Passed, turns.collect());
    let kept = Kept {
        sent,
        ..Kept::default()
    };
    yaml_test(&result, "r1", &kept).unwrap_or_else(|error| format!("error: {error}"))
}

fn asked(kind: &str, requests: &[(&str, Value)]) -> Turn {
    let sent = |(method, params): &(&str, Value)| json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    Turn {
        kind: kind.to_owned(),
        user: None,
        requests: requests.iter().map(sent).collect(),
        ..turn("", "5")
    }
}

/// Returns a turn whose task ended in a state.
fn sending(task: &str, state: &str) -> Turn {
    Turn {
        kind: "a2a:send".to_owned(),
        task: Some(Box::new(TaskRecord {
            id: Some(task.to_owned()),
            context_id: Some("made".to_owned()),
            state: Some(state.to_owned()),
            ..TaskRecord::default()
        })),
        ..turn("Hello", "Which one?")
    }
}

fn message(parts: Value, task_id: Value, context_id: Value) -> Option<Sent> {
    Some(Sent {
        parts: parts.as_array().cloned().unwrap_or_default(),
        task_id,
        context_id,
        ..Sent::default()
    })
}

#[test]
fn questions_to_a_server_become_turns() {
    let mut called = asked(
        "mcp:call",
        &[
            ("initialize", json!({"clientInfo": {"name": "x"}})),
            ("tools/list", json!({})),
            (
                "tools/call",
                json!({"name": "add", "arguments": {"a": 1, "b": "${X}"}, "_meta": {}}),
            ),
        ],
    );
    called.tool_calls = vec![call("add", r#"{"a":1}"#, Some("5"))];
    let turns = vec![
        called,
        asked(
            "mcp:call",
            &[("tools/call", json!({"name": "now", "arguments": {}}))],
        ),
        asked(
            "mcp:list",
            &[
                ("tools/list", json!({})),
                ("tools/list", json!({"cursor": "2"})),
                ("prompts/list", json!({})),
            ],
        ),
        asked("mcp:list", &[("resources/templates/list", json!({}))]),
        asked(
            "mcp:read",
            &[("resources/read", json!({"uri": "file:///x: #1"}))],
        ),
        asked(
            "mcp:prompt",
            &[(
                "prompts/get",
                json!({"name": "greeting", "arguments": {"who": "Ada"}}),
            )],
        ),
    ];
    assert_snapshot!(written(turns, vec![]), @r#"
    # Written by `ananke history` from tests/shop.test.yaml in run r1, which talked to shop.
    # Assertions are suggestions from what that run showed: keep what must hold, drop the rest.
    version: "1.2"
    name: "shop works (recorded r1)"
    turns:
      - type: mcp:call
        tool: "add"
        args: {"a": 1, "b": "$${X}"}
        assert:
          tools:
            # suggestion from run r1: these tools were called
            require:
              - name: "add"
                args_match:
                  "a": "^1$"
          timing:
            # suggestion from run r1: it took 1.2s
            max_duration_ms: 5000
      - type: mcp:call
        tool: "now"
        assert:
          timing:
            # suggestion from run r1: it took 1.2s
            max_duration_ms: 5000
      - type: mcp:list
        assert:
          timing:
            # suggestion from run r1: it took 1.2s
            max_duration_ms: 5000
      - type: mcp:list
        what: "templates"
        assert:
          timing:
            # suggestion from run r1: it took 1.2s
            max_duration_ms: 5000
      - type: mcp:read
        uri: "file:///x: #1"
        assert:
          timing:
            # suggestion from run r1: it took 1.2s
            max_duration_ms: 5000
      - type: mcp:prompt
        name: "greeting"
        args: {"who": "Ada"}
        assert:
          timing:
            # suggestion from run r1: it took 1.2s
            max_duration_ms: 5000
    "#);
}

#[test]
fn messages_with_parts_become_turns() {
    let mut first = message(
        json!([{"text": "See ${X}"}, {"data": {"sku": 5}}, {"text": "b", "metadata": {"a": 1}}, {"raw": "aGk=", "mediaType": "text/plain"}]),
        Value::Null,
        json!("own"),
    );
    first.as_mut().unwrap().metadata = json!({"channel": "web"});
    let sent = vec![
        first,
        message(json!([{"text": "Goes on"}]), json!("t1"), json!("made")),
        message(json!([{"text": " "}]), Value::Null, json!("made")),
        message(json!([{"text": "Back"}]), json!("t1"), json!("made")),
        message(json!([{"text": "Other"}]), json!("t9"), json!("made")),
    ];
    let turns = vec![
        sending("t1", "input-required"),
        sending("t1", "input-required"),
        sending("t2", "completed"),
        sending("t1", "completed"),
        sending("t9", "completed"),
    ];
    assert_snapshot!(written(turns, sent), @r#"
    # Written by `ananke history` from tests/shop.test.yaml in run r1, which talked to shop.
    # Assertions are suggestions from what that run showed: keep what must hold, drop the rest.
    version: "1.1"
    name: "shop works (recorded r1)"
    turns:
      - type: a2a:send
        text: "See $${X}"
        parts:
          - {"data": {"sku": 5}}
          - {"text": "b", "metadata": {"a": 1}}
          - {"raw": "aGk=", "mediaType": "text/plain"}
        metadata: {"channel": "web"}
        contextId: "own"
        assert:
          text:
            # suggestion from run r1: the agent said this
            must_match: "Which one"
          timing:
            # suggestion from run r1: it took 1.2s
            max_duration_ms: 5000
      - type: a2a:send
        text: "Goes on"
        assert:
          text:
            # suggestion from run r1: the agent said this
            must_match: "Which one"
          timing:
            # suggestion from run r1: it took 1.2s
            max_duration_ms: 5000
      - type: a2a:send
        parts:
          - {"text": " "}
        newTask: true
        assert:
          text:
            # suggestion from run r1: the agent said this
            must_match: "Which one"
          timing:
            # suggestion from run r1: it took 1.2s
            max_duration_ms: 5000
      - type: a2a:send
        text: "Back"
        # the task of an earlier turn, whose id is another one each time
        taskId: "t1"
        assert:
          text:
            # suggestion from run r1: the agent said this
            must_match: "Which one"
          timing:
            # suggestion from run r1: it took 1.2s
            max_duration_ms: 5000
      - type: a2a:send
        text: "Other"
        taskId: "t9"
        assert:
          text:
            # suggestion from run r1: the agent said this
            must_match: "Which one"
          timing:
            # suggestion from run r1: it took 1.2s
            max_duration_ms: 5000
    "#);
}

#[test]
fn what_was_not_recorded_is_refused() {
    let lost = Turn {
        kind: "a2a:send".to_owned(),
        ..broken(TroubleKind::Unreachable, "nobody is there", "")
    };
    let mut deep = json!(1);
    for _ in 0..60 {
        deep = json!([deep]);
    }
    let refused = [
        written(vec![lost], vec![None]),
        written(vec![asked("mcp:read", &[])], vec![]),
        written(
            vec![asked(
                "mcp:call",
                &[("tools/call", json!({"name": "a", "arguments": {"x": deep}}))],
            )],
            vec![],
        ),
        written(
            vec![sending("t", "completed")],
            vec![message(
                json!([{"raw": "QUJD".repeat(1 << 18)}]),
                Value::Null,
                Value::Null,
            )],
        ),
    ];
    assert_snapshot!(refused.join("\n"), @"
    error: turn 1 cannot be written: its message never left, so nothing says what it holds
    error: turn 1 cannot be written: what it asked of the server was not recorded
    error: turn 1 cannot be written: `args` nests too deep or has too long keys
    error: turn 1 cannot be written: `parts` holds more than 1 MiB; write the turn by hand, with `file` if that is a file
    ");
}
