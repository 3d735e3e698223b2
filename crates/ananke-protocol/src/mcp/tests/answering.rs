//! Servers that ask back, in both eras, and are answered from one table.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::fake::{Do, call, connect, legacy, modern, options, result, shown, text};
use crate::mcp::ElicitAction;
use crate::mcp::options::{Elicited, Fits, McpOptions, Sampled, ScriptedAnswers};

fn scripted() -> McpOptions {
    let mut options = options();
    options.answers = ScriptedAnswers {
        elicitation: vec![
            Elicited {
                fits: Fits {
                    contains: Some("date".to_owned()),
                    once: true,
                },
                action: ElicitAction::Accept,
                content: Some(json!({"date": "2026-12-24"})),
            },
            Elicited {
                fits: Fits {
                    contains: Some("sure".to_owned()),
                    once: false,
                },
                action: ElicitAction::Cancel,
                content: None,
            },
        ],
        sampling: vec![Sampled {
            fits: Fits::default(),
            answer: json!("Paris"),
        }],
        roots: Some(vec![json!({"uri": "file:///work"})]),
    };
    options
}

fn question(words: &str) -> Value {
    let members = json!({"date": {"type": "string"}, "guests": {"type": "integer", "default": 2}});
    let schema = json!({"type": "object", "properties": members});
    json!({"method": "elicitation/create", "params": {"message": words, "requestedSchema": schema}})
}

/// Asks `asked` one after another over the stream, and tells what was answered.
fn asking(asked: Vec<Value>) -> impl FnMut(&Value) -> Do + Send {
    let mut asked = asked.into_iter().enumerate();
    let mut call = Value::Null;
    let mut heard = Vec::new();
    move |message: &Value| {
        if message["method"] == "tools/call" {
            call = message.clone();
        } else if message.get("method").is_none() {
            let answer = message.get("result").unwrap_or(&message["error"]);
            heard.push(answer.to_string());
        } else {
            return legacy(message, |_| Do::Leave);
        }
        Do::Say(vec![match asked.next() {
            Some((number, mut next)) => {
                next["jsonrpc"] = "2.0".into();
                next["id"] = format!("q{number}").into();
                next.to_string()
            }
            None => result(&call, &text(&heard.join("\n"))),
        }])
    }
}

#[tokio::test]
async fn a_legacy_server_asks_over_the_stream() {
    let messages =
        json!([{"role": "user", "content": {"type": "text", "text": "capital of France?"}}]);
    let asked = vec![
        question("Which DATE?"),
        question("which date?"),
        question("are you sure?"),
        json!({"method": "sampling/createMessage", "params": {"messages": messages, "maxTokens": 9}}),
        json!({"method": "roots/list"}),
        json!({"method": "ping"}),
    ];
    let mut session = connect(scripted(), asking(asked)).await.unwrap();
    let turn = call(&mut session, "say", json!({})).await;
    assert_snapshot!(turn.text, @r#"
    {"action":"accept","content":{"date":"2026-12-24","guests":2}}
    {"action":"decline"}
    {"action":"cancel"}
    {"role":"assistant","content":{"type":"text","text":"Paris"},"model":"scripted","stopReason":"endTurn"}
    {"roots":[{"uri":"file:///work"}]}
    {}
    "#);
    assert_snapshot!(shown(&turn), @r#"
    mcp:call finished
    text: "{\"action\":\"accept\",\"content\":{\"date\":\"2026-12-24\",\"guests\":2}}\n{\"action\":\"decline\"}\n{\"action\":\"cancel\"}\n{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"Paris\"},\"model\":\"scripted\",\"stopReason\":\"endTurn\"}\n{\"roots\":[{\"uri\":\"file:///work\"}]}\n{}"
    call: say({}) = {"action":"accept","content":{"date":"2026-12-24","guests":2}}
    {"action":"decline"}
    {"action":"cancel"}
    {"role":"assistant","content":{"type":"text","text":"Paris"},"model":"scripted","stopReason":"endTurn"}
    {"roots":[{"uri":"file:///work"}]}
    {}
    note: the server asked the user `which date?`; no answer of `elicitation` fits, so it was declined
    "#);
}

#[tokio::test]
async fn what_is_not_scripted_is_declined_and_said() {
    let asked = vec![question("which date?"), json!({"method": "roots/list"})];
    let mut session = connect(options(), asking(asked)).await.unwrap();
    let turn = call(&mut session, "say", json!({})).await;
    assert_snapshot!(turn.text, @r#"
    {"action":"decline"}
    {"code":-32601,"message":"the client does not offer roots/list"}
    "#);
    assert_snapshot!(shown(&turn), @r#"
    mcp:call finished
    text: "{\"action\":\"decline\"}\n{\"code\":-32601,\"message\":\"the client does not offer roots/list\"}"
    call: say({}) = {"action":"decline"}
    {"code":-32601,"message":"the client does not offer roots/list"}
    note: the server asked the user `which date?`; no answer of `elicitation` fits, so it was declined
    note: the server asked for `roots/list`; no `roots` are scripted
    "#);
}

/// Asks for input before it is done, as servers of the modern era do.
fn needing_input(message: &Value) -> Do {
    modern(message, |message| {
        let params = &message["params"];
        let answer = match params.get("inputResponses") {
            Some(given) => {
                assert_eq!(params["requestState"], "step-1");
                text(&given.to_string())
            }
            None => json!({
                "resultType": "input_required",
                "inputRequests": {"when": question("which date?")},
                "requestState": "step-1",
            }),
        };
        Do::Say(vec![result(message, &answer)])
    })
}

#[tokio::test]
async fn a_modern_server_asks_for_input_and_is_asked_again() {
    let mut session = connect(scripted(), needing_input).await.unwrap();
    let turn = call(&mut session, "say", json!({})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call finished
    text: "{\"when\":{\"action\":\"accept\",\"content\":{\"date\":\"2026-12-24\",\"guests\":2}}}"
    call: say({}) = {"when":{"action":"accept","content":{"date":"2026-12-24","guests":2}}}
    "#);
    assert_eq!(turn.requests.len(), 2);
    assert_ne!(turn.requests[0]["id"], turn.requests[1]["id"]);
}

#[tokio::test]
async fn a_modern_server_that_never_has_enough_is_left() {
    let server = |message: &Value| {
        modern(message, |message| {
            let more = json!({"resultType": "input_required", "requestState": "again"});
            Do::Say(vec![result(message, &more)])
        })
    };
    let mut session = connect(scripted(), server).await.unwrap();
    let turn = call(&mut session, "say", json!({})).await;
    assert_snapshot!(shown(&turn), @"
    mcp:call broken, Limit: the server asked for input in 10 answers one after another
    call: say({}) without an end
    ");
}

#[tokio::test]
async fn only_what_is_scripted_is_offered() {
    let (sender, offered) = std::sync::mpsc::channel();
    let server = move |message: &Value| {
        if message["method"] == "initialize" {
            sender
                .send(message["params"]["capabilities"].to_string())
                .ok();
        }
        legacy(message, |_| Do::Leave)
    };
    connect(scripted(), server.clone()).await.unwrap();
    assert_snapshot!(offered.recv().unwrap(), @r#"{"roots":{},"sampling":{},"elicitation":{"form":{}}}"#);
    connect(options(), server).await.unwrap();
    assert_snapshot!(offered.recv().unwrap(), @"{}");
}
