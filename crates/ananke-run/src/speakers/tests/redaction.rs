//! Keys never leave, however an endpoint sends them back.

use ananke_model::plan::Protocol;
use insta::assert_snapshot;
use serde_json::json;

use super::{Peer, chat, run, shell, streamed, text};
use crate::testing::shown;

const TEST: &str = "turns: [{user: Hello}]\nassert: {text: {must_match: 'never'}}\n";

#[tokio::test]
async fn a_key_that_comes_back_in_two_chunks_is_hidden_everywhere() {
    let peer = Peer::start(&[streamed(&[
        r#"{"role":"assistant","content":"your key is sk-sec"}"#,
        r#"{"content":"ret-1, keep it","reasoning_content":"sk-"}"#,
        r#"{"reasoning_content":"secret-1"}"#,
        r#"{"tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"key\":\"sk-secr"}}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"arguments":"et-1\"}"}}]}"#,
    ])]);
    let results = run(Protocol::OpenAi(Box::new(chat(&peer))), &[("a", TEST)]).await;
    let turn = &results[0].turns[0].turn;
    assert_snapshot!(turn.text, @"your key is [redacted key], keep it");
    assert_snapshot!(turn.reasoning, @"[redacted key]");
    assert_snapshot!(turn.tool_calls[0].args_text, @r#"{"key":"[redacted key]"}"#);
    let events = turn.events.iter();
    let events: Vec<String> = events
        .map(|(payload, _)| String::from_utf8_lossy(payload).into_owned())
        .collect();
    assert_snapshot!(events.join("\n"), @r#"
    {"choices":[{"index":0,"delta":{"role":"assistant","content":"your key is [redacted key]"},"finish_reason":null}]}
    {"choices":[{"index":0,"delta":{"content":", keep it","reasoning_content":"[redacted key]"},"finish_reason":null}]}
    {"choices":[{"index":0,"delta":{"reasoning_content":""},"finish_reason":null}]}
    {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"key\":\"[redacted key]"}}]},"finish_reason":null}]}
    {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"}"}}]},"finish_reason":null}]}
    {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"total_tokens":7}}
    "#);
    let all = serde_json::to_string(&results).unwrap();
    assert!(
        !all.contains("secret-1") && !all.contains("sk-sec"),
        "{all}"
    );
}

#[tokio::test]
async fn the_environment_of_a_program_is_hidden_too() {
    let mut command = shell("printf '\"%s %s\"' \"$MODEL_KEY\" \"$PLACE\"; cat > /dev/null");
    command.env = vec![
        ("MODEL_KEY".to_owned(), text("sk-program-1")),
        ("PLACE".to_owned(), text("Hamburg-1")),
    ];
    let results = run(Protocol::Command(Box::new(command)), &[("a", TEST)]).await;
    assert_snapshot!(results[0].turns[0].turn.text, @"[redacted MODEL_KEY] Hamburg-1");
    assert!(!json!(results).to_string().contains("sk-program-1"));
    assert_snapshot!(shown(&results), @"the a test: FAILED [text.must_match /never/] · 1 turns, 1 checks");
}
