//! A recorded test in, a new test out.

use std::sync::Arc;

use ananke_model::check::Level;
use ananke_model::recording::{EventLog, TroubleKind, TurnStatus};
use ananke_model::result::{Outcome, TestResult, TestStatus};
use insta::assert_snapshot;
use serde_json::json;

use super::{Kept, messages_case, pick, yaml_test};
use crate::samples::{broken, call, check, judged, passed, result, turn};

const RUN: &str = "20261115-115353-7f3a2b1c";

fn written(result: &TestResult) -> String {
    yaml_test(result, RUN, &Kept::default()).unwrap_or_else(|error| format!("error: {error}"))
}

/// Returns a conversation of two turns with a call.
fn conversation() -> TestResult {
    let mut first = turn("Find red mugs", "Found 3 red mugs.");
    first.tool_calls = vec![call(
        "search",
        r#"{"query":"red mug","limit":10}"#,
        Some(r#"{"hits":3}"#),
    )];
    first.messages = vec![
        Arc::new(json!({"id": "u1", "role": "user", "content": "Find red mugs"})),
        Arc::new(json!({"id": "r1", "role": "reasoning", "content": "hmm"})),
        Arc::new(
            json!({"id": "a1", "role": "assistant", "content": "Found 3 red mugs.", "toolCalls": [
                {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{\"query\":\"red mug\"}"}},
            ]}),
        ),
        Arc::new(
            json!({"id": "t1", "role": "tool", "toolCallId": "c1", "content": "{\"hits\":3}"}),
        ),
    ];
    let mut second = turn(
        "Buy: the \"first\" # one\nplease ${X}",
        "Done! Order 12 is on its way.",
    );
    second.tool_calls = vec![call("buy", "{}", None)];
    let mut result = result(
        "shop",
        TestStatus::Passed,
        vec![judged(first, vec![]), judged(second, vec![])],
    );
    result.tags = vec!["smoke".to_owned()];
    result
}

#[test]
fn a_conversation_becomes_a_test() {
    assert_snapshot!(written(&conversation()), @r#"
    # Written by `ananke history` from tests/shop.test.yaml in run 20261115-115353-7f3a2b1c, which talked to shop.
    # Assertions are suggestions from what that run showed: keep what must hold, drop the rest.
    version: "1.0"
    name: "shop works (recorded 20261115-115353-7f3a2b1c)"
    tags: ["smoke"]
    turns:
      - user: "Find red mugs"
        assert:
          tools:
            # suggestion from run 20261115-115353-7f3a2b1c: these tools were called
            require:
              - name: "search"
                args_match:
                  "limit": "^10$"
                  "query": "^red mug$"
          text:
            # suggestion from run 20261115-115353-7f3a2b1c: the agent said this
            must_match: "Found 3 red mugs"
          timing:
            # suggestion from run 20261115-115353-7f3a2b1c: it took 1.2s
            max_duration_ms: 5000
      - user: "Buy: the \"first\" # one\nplease $${X}"
        assert:
          tools:
            # suggestion from run 20261115-115353-7f3a2b1c: these tools were called
            require:
              - name: "buy"
          text:
            # suggestion from run 20261115-115353-7f3a2b1c: the agent said this
            must_match: "Order 12 is on its way"
          timing:
            # suggestion from run 20261115-115353-7f3a2b1c: it took 1.2s
            max_duration_ms: 5000
    "#);
}

#[test]
fn what_was_kept_of_the_test_stands_before_its_turns() {
    let kept = Kept {
        target_name: Some("a: b".to_owned()),
        keys: vec!["hooks:\n  - run: login\n".to_owned()],
        notes: vec!["Two\nlines.".to_owned()],
        minor_version: 1,
        ..Kept::default()
    };
    let mut result = conversation();
    let mut unmet = check("tools.require", "login", Outcome::Passed);
    unmet.origin.level = Level::Target;
    result.checks = vec![unmet];
    let text = yaml_test(&result, RUN, &kept).unwrap();
    let lines: Vec<&str> = text.lines().skip(1).take(16).collect();
    assert_snapshot!(lines.join("\n"), @r#"
    # Assertions are suggestions from what that run showed: keep what must hold, drop the rest.
    # Two\nlines.
    version: "1.1"
    name: "shop works (recorded 20261115-115353-7f3a2b1c)"
    tags: ["smoke"]
    target: "a: b"
    hooks:
      - run: login
    turns:
      - user: "Find red mugs"
        assert:
          # what the target demands, the turns fulfill together
          inherit: limits
          tools:
            # suggestion from run 20261115-115353-7f3a2b1c: these tools were called
            require:
    "#);
}

#[test]
fn turns_without_a_message_are_kept() {
    let mut connect = turn("", "");
    connect.kind = "agui:connect".to_owned();
    connect.user = None;
    connect.events = EventLog::default();
    let mut resume = turn("", "Paid.");
    resume.kind = "agui:resume".to_owned();
    resume.user = None;
    let entry = json!({"interruptId": "i1", "status": "resolved", "payload": {"approved": true, "note": "a: b"}});
    resume.requests = vec![json!({"method": "agent/run", "body": {"resume": [entry]}})];
    let mut cancel = resume.clone();
    cancel.requests = vec![json!({"resume": [{"interruptId": "i2", "status": "cancelled"}]})];
    cancel.status = TurnStatus::RunError {
        message: "Card (visa) declined".to_owned(),
        code: None,
    };
    let turns = [connect, resume, cancel].map(|turn| judged(turn, vec![]));
    assert_snapshot!(written(&result("pay", TestStatus::Passed, turns.into())), @r#"
    # Written by `ananke history` from tests/pay.test.yaml in run 20261115-115353-7f3a2b1c, which talked to shop.
    # Assertions are suggestions from what that run showed: keep what must hold, drop the rest.
    version: "1.0"
    name: "pay works (recorded 20261115-115353-7f3a2b1c)"
    turns:
      - type: agui:connect
        allow_empty: true
        assert:
          timing:
            # suggestion from run 20261115-115353-7f3a2b1c: it took 1.2s
            max_duration_ms: 5000
      - type: agui:resume
        payload: {"approved": true, "note": "a: b"}
        assert:
          text:
            # suggestion from run 20261115-115353-7f3a2b1c: the agent said this
            must_match: "Paid"
          timing:
            # suggestion from run 20261115-115353-7f3a2b1c: it took 1.2s
            max_duration_ms: 5000
      - type: agui:resume
        status: cancelled
        assert:
          # suggestion from run 20261115-115353-7f3a2b1c: the agent ended the run with this error
          error: "Card \\(visa\\) declined"
          text:
            # suggestion from run 20261115-115353-7f3a2b1c: the agent said this
            must_match: "Paid"
          timing:
            # suggestion from run 20261115-115353-7f3a2b1c: it took 1.2s
            max_duration_ms: 5000
    "#);
}

#[test]
fn what_broke_is_told_and_the_test_still_has_something_to_check() {
    let turn = broken(TroubleKind::Timeout, "no answer\nwithin 5 s", "Half a");
    let mut result = result("slow", TestStatus::Timeout, vec![judged(turn, vec![])]);
    result.variables.insert("ORDER".to_owned(), json!(42));
    result.name = String::new();
    result.target = String::new();
    assert_snapshot!(written(&result), @r#"
    # Written by `ananke history` from tests/slow.test.yaml in run 20261115-115353-7f3a2b1c.
    # Assertions are suggestions from what that run showed: keep what must hold, drop the rest.
    # The test came out as TIMEOUT there: turn 1: no answer\nwithin 5 s
    # Its hooks gave values for ORDER; the messages hold them as they were.
    version: "1.0"
    name: "tests/slow.test.yaml (recorded 20261115-115353-7f3a2b1c)"
    turns:
      - user: "Refund order 42"
        # nothing is suggested: no answer\nwithin 5 s
    assert:
      timing:
        # suggestion from run 20261115-115353-7f3a2b1c
        max_duration_ms: 5000
    "#);
}

#[test]
fn what_cannot_be_written_is_refused() {
    let blank = result(
        "blank",
        TestStatus::Passed,
        vec![judged(turn(" ", "x"), vec![])],
    );
    let mut odd = turn("x", "y");
    odd.kind = "agui:later".to_owned();
    let odd = result("odd", TestStatus::Passed, vec![judged(odd, vec![])]);
    let none = result("none", TestStatus::Skipped, vec![]);
    assert_snapshot!([blank, odd, none].map(|result| written(&result)).join("\n"), @"
    error: turn 1 cannot be written: its user message is blank
    error: turn 1 cannot be written: turns of the kind `agui:later` are not known
    error: no turn of this test was run, so there is no conversation
    ");
}

#[test]
fn a_conversation_becomes_a_messages_case() {
    let result = conversation();
    assert_snapshot!(messages_case(&result, None).unwrap(), @r#"{"id":"tests/shop.test.yaml","name":"shop works","messages":[{"role":"user","content":"Find red mugs"},{"role":"assistant","content":"Found 3 red mugs.","tool_calls":[{"id":"c1","type":"function","function":{"name":"search","arguments":"{\"query\":\"red mug\"}"}}]},{"role":"tool","content":"{\"hits\":3}","tool_call_id":"c1"},{"role":"user","content":"Buy: the \"first\" # one\nplease ${X}"}],"assertions":[{"type":"tool_called","name":"buy"},{"type":"contains","value":"Order 12 is on its way"}]}"#);
    assert_snapshot!(messages_case(&result, Some(1)).unwrap(), @r#"{"id":"tests/shop.test.yaml","name":"shop works","messages":[{"role":"user","content":"Find red mugs"}],"assertions":[{"type":"tool_called","name":"search"},{"type":"contains","value":"Found 3 red mugs"}]}"#);
    let errors =
        [Some(0), Some(3)].map(|turn| messages_case(&result, turn).unwrap_err().to_string());
    assert_snapshot!(errors.join("\n"), @"
    there is no turn 0: 2 were run
    there is no turn 3: 2 were run
    ");
    let mut resumed = conversation();
    resumed.turns[1].turn.user = None;
    resumed.turns[1].turn.kind = "agui:resume".to_owned();
    assert_snapshot!(messages_case(&resumed, Some(2)).unwrap_err(), @"turn 2 cannot be written: it is of the kind `agui:resume`, without a user message that the agent could answer");
    assert!(messages_case(&resumed, None).is_ok());
}

#[test]
fn tests_are_found_by_id_name_or_a_part_of_them() {
    let results = [
        passed("cart"),
        passed("cart-empty"),
        passed("pay"),
        passed("pay"),
    ];
    let found = |wanted: &str| match pick(&results, wanted) {
        Ok(result) => result.id.0.clone(),
        Err(error) => format!("{error}: {}", error.candidates.join(", ")),
    };
    let wanted = [
        "tests/cart.test.yaml",
        "cart works",
        "empty",
        "PAY",
        "cart",
        "zebra",
        "",
    ];
    assert_snapshot!(wanted.map(found).join("\n"), @"
    tests/cart.test.yaml
    tests/cart.test.yaml
    tests/cart-empty.test.yaml
    tests/pay.test.yaml
    `cart` could be any of 2 tests: tests/cart.test.yaml (cart works), tests/cart-empty.test.yaml (cart-empty works)
    no test of this run has `zebra` in its id or name: tests/cart.test.yaml (cart works), tests/cart-empty.test.yaml (cart-empty works), tests/pay.test.yaml (pay works)
    no test of this run has `` in its id or name: tests/cart.test.yaml (cart works), tests/cart-empty.test.yaml (cart-empty works), tests/pay.test.yaml (pay works)
    ");
}

#[test]
fn a_case_becomes_user_turns() {
    let case = crate::samples::case("T001", TestStatus::Passed, "Here are 2 red shoes for Ada.");
    assert_snapshot!(written(&case), @r#"
    # Written by `ananke history` from tests/shop.jsonl#T001 in run 20261115-115353-7f3a2b1c, which talked to shop.
    # Assertions are suggestions from what that run showed: keep what must hold, drop the rest.
    version: "1.0"
    name: "T001 (recorded 20261115-115353-7f3a2b1c)"
    turns:
      - user: "Find shoes\n  for  Ada"
        assert:
          text:
            # suggestion from run 20261115-115353-7f3a2b1c: the agent said this
            must_match: "Here are 2 red shoes for Ada"
          timing:
            # suggestion from run 20261115-115353-7f3a2b1c: it took 1.2s
            max_duration_ms: 5000
    "#);
    assert_snapshot!(written(&crate::samples::messages_case("T002", TestStatus::Passed)), @r#"
    # Written by `ananke history` from tests/shop.jsonl#T002 in run 20261115-115353-7f3a2b1c, which talked to shop.
    # Assertions are suggestions from what that run showed: keep what must hold, drop the rest.
    version: "1.0"
    name: "Second turn - find shoes (recorded 20261115-115353-7f3a2b1c)"
    turns:
      # The case sent 3 messages at once; a YAML test sends 2, those of the user, one turn each.
      # The agent answers each of them anew, so what it says before the last may differ from the recorded history.
      # Left out: messages of assistant.
      # Left out, since user turns are text: image file://./fixtures/shoes.jpg. Keep the case if they matter.
      - user: "Hi"
      - user: "Shoes like these"
        assert:
          text:
            # suggestion from run 20261115-115353-7f3a2b1c: the agent said this
            must_match: "\\{\"shoes\": \\[\"red\", \"blue\"\\]\\}"
          timing:
            # suggestion from run 20261115-115353-7f3a2b1c: it took 1.2s
            max_duration_ms: 5000
    "#);
    assert_snapshot!(messages_case(&crate::samples::messages_case("T002", TestStatus::Passed), None).unwrap(), @r#"{"id":"T002","name":"Second turn - find shoes","messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"What are you looking for?"},{"role":"user","content":[{"type":"text","text":"Shoes like these"},{"type":"image","source":"file://./fixtures/shoes.jpg"}]}],"assertions":[{"type":"contains","value":"{\"shoes\": [\"red\", \"blue\"]}"}]}"#);
    assert_snapshot!(messages_case(&case, None).unwrap(), @r#"{"id":"T001","name":"T001","messages":[{"role":"user","content":"Find shoes\n  for  Ada"}],"assertions":[{"type":"contains","value":"Here are 2 red shoes for Ada"}]}"#);
}

#[test]
fn a_case_without_text_is_refused() {
    let mut silent = crate::samples::messages_case("T001", TestStatus::Passed);
    let mut case = ananke_model::case::Case::clone(silent.case.as_ref().unwrap());
    case.input =
        json!([{"role": "user", "content": [{"type": "image", "source": "file://a.png"}]}]);
    silent.case = Some(Arc::new(case));
    assert_snapshot!(written(&silent), @"error: turn 1 cannot be written: its messages hold no text of a user");
}

#[test]
fn cases_are_picked_by_their_own_id() {
    let cases = ["T001", "T0011"].map(|id| crate::samples::case(id, TestStatus::Passed, ""));
    assert_eq!(pick(&cases, "T001").unwrap().short_id(), "T001");
    assert_eq!(
        pick(&cases, "tests/shop.jsonl#T0011").unwrap().short_id(),
        "T0011"
    );
    assert!(pick(&cases, "shop").is_err());
}
