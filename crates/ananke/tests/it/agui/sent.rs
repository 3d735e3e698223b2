//! What is sent: bodies, envelopes, headers.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::project::{Project, shown};

const TWO_TURNS: &str = "turns:
  - user: first
  - user: second
assert: {text: {must_match: ok}}
";

/// Runs a test of two turns against an agent with these target keys; returns what was sent.
fn sent(keys: &str) -> Vec<Value> {
    let project = Project::ok().target(keys);
    project.test(TWO_TURNS);
    let output = project.output(&[]);
    assert_eq!(output.code, Some(0), "{output}");
    project.agent.requests()
}

/// Returns the messages of a request, one line each.
fn messages(request: &Value) -> String {
    let messages = request["messages"].as_array().cloned().unwrap_or_default();
    let line = |message: Value| {
        let calls = message["toolCalls"].as_array().cloned().unwrap_or_default();
        let calls: Vec<String> = calls
            .iter()
            .map(|call| {
                format!(
                    " {}={}{}",
                    call["id"], call["function"]["name"], call["function"]["arguments"]
                )
            })
            .collect();
        let answered = message["toolCallId"]
            .as_str()
            .map_or_else(String::new, |id| format!(" for {id}"));
        let (role, content) = (&message["role"], &message["content"]);
        format!("{role} {content}{answered}{}", calls.concat())
    };
    messages
        .into_iter()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn every_member_is_always_sent() {
    let project = Project::ok();
    project.test(TWO_TURNS);
    assert_eq!(project.output(&[]).code, Some(0));
    let requests = project.agent.requests();
    assert_snapshot!(shown(&project.cx, &requests[0]), @r#"
    {
      "threadId": "[UUID]",
      "runId": "[UUID]",
      "protocolVersion": "1.0",
      "state": {},
      "messages": [
        {
          "id": "[UUID]",
          "role": "user",
          "content": "first"
        }
      ],
      "tools": [],
      "context": [],
      "forwardedProps": {}
    }
    "#);
    assert_snapshot!(shown(&project.cx, &requests[1]), @r#"
    {
      "threadId": "[UUID]",
      "runId": "[UUID]",
      "protocolVersion": "1.0",
      "state": {},
      "messages": [
        {
          "id": "[UUID]",
          "role": "user",
          "content": "first"
        },
        {
          "id": "msg-[UUID]-1",
          "role": "assistant",
          "content": "ok"
        },
        {
          "id": "[UUID]",
          "role": "user",
          "content": "second"
        }
      ],
      "tools": [],
      "context": [],
      "forwardedProps": {}
    }
    "#);
}

#[test]
fn what_the_config_says_is_in_every_request() {
    let requests = sent(
        r#"forwardedProps: {temperature: 0, nested: {list: [1, null]}}
state: {cart: []}
context: [{description: shop, value: open}, {description: floor, value: 3}]
tools:
  - name: ask
    description: Asks the user
    parameters: {type: object, properties: {question: {type: string}}}
  - name: beep
    description: Beeps"#,
    );
    assert_snapshot!(requests[0]["forwardedProps"].to_string(), @r#"{"temperature":0,"nested":{"list":[1,null]}}"#);
    assert_snapshot!(requests[0]["state"].to_string(), @r#"{"cart":[]}"#);
    assert_snapshot!(requests[0]["context"].to_string(), @r#"[{"description":"shop","value":"open"},{"description":"floor","value":"3"}]"#);
    assert_snapshot!(requests[0]["tools"].to_string(), @r#"[{"name":"ask","description":"Asks the user","parameters":{"type":"object","properties":{"question":{"type":"string"}}}},{"name":"beep","description":"Beeps"}]"#);
    for member in ["forwardedProps", "state", "context", "tools"] {
        assert_eq!(requests[0][member], requests[1][member]);
    }
}

#[test]
fn the_thread_stays_and_the_run_changes() {
    let project = Project::ok();
    project.test_named("a", TWO_TURNS);
    project.test_named("b", TWO_TURNS);
    assert_eq!(project.output(&[]).code, Some(0));
    let requests = project.agent.requests();
    let ids = |name: &str| -> Vec<String> {
        let ids = requests.iter().map(|request| request[name].to_string());
        ids.collect()
    };
    let (threads, mut runs) = (ids("threadId"), ids("runId"));
    assert_eq!(threads[0], threads[1]);
    assert_eq!(threads[2], threads[3]);
    assert_ne!(threads[0], threads[2]);
    runs.sort_unstable();
    runs.dedup();
    assert_eq!(runs.len(), 4);
}

#[test]
fn a_literal_thread_is_used_as_it_is() {
    let requests = sent("threadId: the-thread");
    assert_eq!(requests[0]["threadId"], "the-thread");
    assert_eq!(requests[1]["threadId"], "the-thread");
    assert_ne!(requests[0]["runId"], requests[1]["runId"]);
}

/// An agent that thinks, calls two tools at once and answers, then just answers.
fn busy() -> Value {
    json!({"rules": [
        {"when": {"turn": 1}, "reply": [
            {"reasoning": "Let me see."},
            {"parallel_tools": [
                {"id": "c1", "name": "search", "args": {"q": "mug"}, "result": [{"id": 7}]},
                {"id": "c2", "name": "price", "args": "{}", "result": "12 EUR"},
            ]},
            {"text": "Found one."},
        ]},
        {"reply": [{"text": "Gladly."}]},
    ]})
}

const BUSY: &str = "turns:
  - user: find a mug
  - user: thanks
assert: {text: {must_match: Gladly}}
";

#[test]
fn the_full_history_holds_calls_results_and_reasoning() {
    let project = Project::new(busy());
    project.test(BUSY);
    assert_eq!(project.output(&[]).code, Some(0));
    let requests = project.agent.requests();
    assert_snapshot!(messages(&requests[0]), @r#""user" "find a mug""#);
    assert_snapshot!(messages(&requests[1]), @r#"
    "user" "find a mug"
    "reasoning" "Let me see."
    "assistant" null "c1"="search""{\"q\":\"mug\"}"
    "tool" "[{\"id\":7}]" for c1
    "assistant" null "c2"="price""{}"
    "tool" "12 EUR" for c2
    "assistant" "Found one."
    "user" "thanks"
    "#);
    let ids: Vec<&Value> = requests[1]["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| &message["id"])
        .collect();
    assert!(ids.iter().all(|id| id.is_string()), "{ids:?}");
    assert_eq!(ids[0], &requests[0]["messages"][0]["id"], "ids are kept");
}

#[test]
fn history_last_sends_the_new_message_only() {
    let project =
        Project::new(json!({"rules": [{"reply": [{"text": "Gladly."}]}]})).target("history: last");
    project.test(BUSY);
    assert_eq!(project.output(&[]).code, Some(0));
    let requests = project.agent.requests();
    assert_snapshot!(messages(&requests[0]), @r#""user" "find a mug""#);
    assert_snapshot!(messages(&requests[1]), @r#""user" "thanks""#);
}

#[test]
fn the_era_before_1_declares_no_version() {
    let requests = sent("era: \"0.x\"");
    assert_eq!(requests.len(), 2);
    for request in &requests {
        assert!(request.get("protocolVersion").is_none());
        for member in [
            "threadId",
            "runId",
            "state",
            "messages",
            "tools",
            "context",
            "forwardedProps",
        ] {
            assert!(
                request.get(member).is_some(),
                "{member} is missing: {request}"
            );
        }
    }
}

#[test]
fn the_copilotkit_envelope_wraps_every_request() {
    let project = Project::ok().target("envelope: copilotkit\nagentId: shop/eu");
    project.test(TWO_TURNS);
    assert_eq!(project.output(&[]).code, Some(0));
    let received = project.agent.received();
    assert_snapshot!(shown(&project.cx, &received[0].body), @r#"
    {
      "method": "agent/run",
      "params": {
        "agentId": "shop/eu"
      },
      "body": {
        "threadId": "[UUID]",
        "runId": "[UUID]",
        "protocolVersion": "1.0",
        "state": {},
        "messages": [
          {
            "id": "[UUID]",
            "role": "user",
            "content": "first"
          }
        ],
        "tools": [],
        "context": [],
        "forwardedProps": {}
      }
    }
    "#);
    assert_eq!(received[1].body["method"], "agent/run");
    assert_eq!(
        received[1].body["body"]["messages"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    assert_eq!(
        (received[0].path.as_str(), received[1].path.as_str()),
        ("/", "/")
    );
}

#[test]
fn the_copilotkit_routes_name_the_agent_in_the_path() {
    let project = Project::ok().target("envelope: copilotkit-rest\nagentId: shop/eu 1");
    project.test(TWO_TURNS);
    assert_eq!(project.output(&[]).code, Some(0));
    let received = project.agent.received();
    assert_eq!(received[0].path, "/agent/shop%2Feu%201/run");
    assert_eq!(received[0].body["messages"][0]["content"], "first");
    assert!(received[0].body.get("method").is_none());
}

#[test]
fn headers_say_what_is_wanted_and_carry_what_the_config_says() {
    let project = Project::ok()
        .target("headers:\n  Authorization: 'Bearer ${ENV.TOKEN}'\n  X-Tenant: ${TENANT}");
    project.test(TWO_TURNS);
    let run = project.cx.command(&["run", "--var", "TENANT=eu"]);
    let output = run.env("TOKEN", "s3cret").run();
    assert_eq!(output.code, Some(0), "{output}");
    let received = project.agent.received();
    let headers = |index: usize| -> Vec<String> {
        let headers = received[index].headers.iter();
        headers
            .filter(|(name, _)| name != "content-length" && name != "host")
            .map(|(name, value)| format!("{name}: {value}"))
            .collect()
    };
    assert_snapshot!(headers(0).join("\n"), @"
    accept: text/event-stream
    content-type: application/json
    accept-encoding: identity
    authorization: Bearer s3cret
    x-tenant: eu
    user-agent: ananke
    ");
    assert_eq!(headers(0), headers(1));
}

#[test]
fn state_is_carried_from_turn_to_turn() {
    let project = Project::new(json!({"rules": [
        {"when": {"turn": 1}, "reply": [
            {"state": {"cart": [], "user": "u1"}},
            {"state_delta": [{"op": "add", "path": "/cart/-", "value": {"sku": "mug"}}]},
            {"text": "ok"},
        ]},
        {"when": {"turn": 2}, "reply": [{"state_delta": [{"op": "remove", "path": "/user"}]}, {"text": "ok"}]},
        {"reply": [{"text": "ok"}]},
    ]}))
    .target("state: {from: config}");
    project.test(
        "turns:\n  - user: one\n  - user: two\n  - user: three\nassert: {text: {must_match: ok}}\n",
    );
    let turns = project.turns();
    let requests = project.agent.requests();
    assert_snapshot!(requests[0]["state"].to_string(), @r#"{"from":"config"}"#);
    assert_snapshot!(requests[1]["state"].to_string(), @r#"{"cart":[{"sku":"mug"}],"user":"u1"}"#);
    assert_snapshot!(requests[2]["state"].to_string(), @r#"{"cart":[{"sku":"mug"}]}"#);
    assert_eq!(turns[2]["state"], requests[2]["state"]);
}

#[test]
fn activities_are_kept_and_not_sent_back() {
    let project = Project::new(json!({"rules": [
        {"when": {"turn": 1}, "reply": [
            {"event": {"type": "ACTIVITY_SNAPSHOT", "messageId": "a1", "activityType": "PLAN", "content": {"steps": 1}}},
            {"text": "ok"},
        ]},
        {"reply": [{"text": "ok"}]},
    ]}));
    project.test(TWO_TURNS);
    assert_eq!(project.output(&[]).code, Some(0));
    assert_snapshot!(messages(&project.agent.requests()[1]), @r#"
    "user" "first"
    "assistant" "ok"
    "user" "second"
    "#);
}
