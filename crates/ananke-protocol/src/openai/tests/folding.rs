//! Chunks in the dialects of many servers, and what they amount to.

use insta::assert_snapshot;

use super::{fold, fold_whole};

#[test]
fn text_comes_in_pieces() {
    assert_snapshot!(fold(r#"
        line : keep-alive
        {"role":"assistant","content":""}
        {"content":"Hel"}
        line data:
        {"content":"lo"}
        finish stop
        raw {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}
        [DONE]
    "#), @r#"
    Finished
    text: Hello
    message: {"id":"m","role":"assistant","content":"Hello"}
    usage: {"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}
    "#);
}

#[test]
fn usage_that_is_told_with_every_chunk_is_a_sum() {
    assert_snapshot!(fold(r#"
        raw {"choices":[{"delta":{"content":"a"}}],"usage":{"total_tokens":1}}
        raw {"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}],"usage":{"total_tokens":2}}
        raw {"choices":null,"usage":null}
        [DONE]
    "#), @r#"
    Finished
    text: ab
    message: {"id":"m","role":"assistant","content":"ab"}
    usage: {"total_tokens":2}
    "#);
}

#[test]
fn reasoning_is_kept_apart_whatever_it_is_called() {
    assert_snapshot!(fold(r#"
        {"reasoning_content":"Let me "}
        {"reasoning":"think","reasoning_content":null}
        {"reasoning":".","reasoning_content":".","content":null}
        {"content":[{"type":"thinking","thinking":[{"type":"text","text":" Hm."}]},{"type":"text","text":"Yes"}]}
        finish stop
        [DONE]
    "#), @r#"
    Finished
    text: Yes
    reasoning: Let me think. Hm.
    message: {"id":"m-reasoning","role":"reasoning","content":"Let me think. Hm."}
    message: {"id":"m","role":"assistant","content":"Yes"}
    "#);
}

#[test]
fn a_refusal_is_what_the_model_says() {
    assert_snapshot!(fold(r#"
        {"refusal":"I will "}
        {"refusal":"not."}
        finish stop
        [DONE]
    "#), @r#"
    Finished
    text: I will not.
    message: {"id":"m","role":"assistant","content":"I will not."}
    warning: the model refused to answer: `refusal` is read as its text
    "#);
}

#[test]
fn calls_are_pieced_together_by_index() {
    assert_snapshot!(fold(r#"
        {"content":null,"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"find","arguments":""}}]}
        {"tool_calls":[{"index":0,"function":{"arguments":"{\"n\":"}}]}
        {"tool_calls":[{"index":1,"id":"c2","function":{"name":"buy","arguments":"{}"}}]}
        {"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}
        finish tool_calls
        [DONE]
    "#), @r#"
    Finished
    call: c1 find({"n":1})
    call: c2 buy({})
    message: {"id":"m","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{\"n\":1}"}},{"id":"c2","type":"function","function":{"name":"buy","arguments":"{}"}}]}
    "#);
}

#[test]
fn ids_and_names_come_late_or_again_or_in_pieces() {
    assert_snapshot!(fold(r#"
        {"tool_calls":[{"index":0,"id":"","function":{"name":"","arguments":""}}]}
        {"tool_calls":[{"index":0,"function":{"name":"fi"}}]}
        {"tool_calls":[{"index":0,"id":"c1","function":{"name":"nd"}}]}
        {"tool_calls":[{"index":0,"id":"c1","function":{"name":"find","arguments":"{"}}]}
        {"tool_calls":[{"index":0,"id":"c1-again","function":{"name":null,"arguments":"}"}}]}
        finish tool_calls
        [DONE]
    "#), @r#"
    Finished
    call: c1 find({})
    message: {"id":"m","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}}]}
    "#);
}

#[test]
fn calls_without_an_index_are_told_by_id_then_by_name() {
    assert_snapshot!(fold(r#"
        {"tool_calls":[{"id":"c1","function":{"name":"find","arguments":"{"}}]}
        {"tool_calls":[{"function":{"arguments":"}"}}]}
        {"tool_calls":[{"id":"c2","function":{"name":"find","arguments":"{"}}]}
        {"tool_calls":[{"id":"c2","function":{"name":"find","arguments":"}"}}]}
        {"tool_calls":[{"function":{"name":"buy","arguments":{"n":1}}}]}
        finish tool_calls
        [DONE]
    "#), @r#"
    Finished
    call: c1 find({})
    call: c2 find({})
    call: m-call-3 buy({"n":1})
    message: {"id":"m","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"find","arguments":"{}"}},{"id":"m-call-3","type":"function","function":{"name":"buy","arguments":"{\"n\":1}"}}]}
    warning: a tool call came without an id: it was given one
    "#);
}

#[test]
fn calls_that_all_have_the_index_0_are_not_mixed_up() {
    assert_snapshot!(fold(r#"
        {"tool_calls":[{"index":0,"id":"c1","function":{"name":"find","arguments":"{}"}}]}
        {"tool_calls":[{"index":0,"id":"c2","function":{"name":"find","arguments":"{}"}}]}
        {"tool_calls":[{"index":0,"function":{"name":"buy","arguments":"{}"}}]}
        finish stop
        [DONE]
    "#), @r#"
    Finished
    call: c1 find({})
    call: c2 find({})
    call: m-call-3 buy({})
    message: {"id":"m","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"find","arguments":"{}"}},{"id":"m-call-3","type":"function","function":{"name":"buy","arguments":"{}"}}]}
    warning: a tool call came without an id: it was given one
    "#);
}

#[test]
fn a_list_of_calls_is_as_many_calls() {
    assert_snapshot!(fold(r#"
        {"tool_calls":[{"function":{"name":"find","arguments":"{}"}},{"function":{"name":"find","arguments":"{}"}}]}
        finish tool_calls
        [DONE]
    "#), @r#"
    Finished
    call: m-call-1 find({})
    call: m-call-2 find({})
    message: {"id":"m","role":"assistant","toolCalls":[{"id":"m-call-1","type":"function","function":{"name":"find","arguments":"{}"}},{"id":"m-call-2","type":"function","function":{"name":"find","arguments":"{}"}}]}
    warning: a tool call came without an id: it was given one
    "#);
}

#[test]
fn calls_without_id_or_name_are_kept_and_told() {
    assert_snapshot!(fold(r#"
        {"tool_calls":[{"index":7,"function":{"arguments":"{}"}}]}
        {"tool_calls":[null,3]}
        finish tool_calls
        [DONE]
    "#), @r#"
    Finished
    call: m-call-1 ({})
    call: m-call-2 ()
    call: m-call-3 ()
    message: {"id":"m","role":"assistant","toolCalls":[{"id":"m-call-1","type":"function","function":{"name":"","arguments":"{}"}},{"id":"m-call-2","type":"function","function":{"name":"","arguments":""}},{"id":"m-call-3","type":"function","function":{"name":"","arguments":""}}]}
    warning: a tool call came without an id: it was given one
    warning: a tool call came without a name
    "#);
}

#[test]
fn only_the_first_choice_is_read() {
    assert_snapshot!(fold(r#"
        raw {"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"x"}}]}
        raw {"choices":[{"index":1,"delta":{"content":"y"},"finish_reason":"stop"}]}
        raw {"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}]}
        [DONE]
    "#), @r#"
    Finished
    text: ab
    message: {"id":"m","role":"assistant","content":"ab"}
    warning: the answer has several choices: only the first is read
    "#);
}

#[test]
fn answers_end_for_many_reasons() {
    assert_snapshot!(fold("{\"content\":\"Once\"}\nfinish length\n[DONE]"), @r#"
    Cut
    text: Once
    message: {"id":"m","role":"assistant","content":"Once"}
    "#);
    assert_snapshot!(fold("{\"content\":\"a\"}\nfinish content_filter\n[DONE]"), @r#"
    Error { message: "the content filter stopped the answer", code: Some("content_filter") }
    text: a
    message: {"id":"m","role":"assistant","content":"a"}
    "#);
    assert_snapshot!(fold("{\"content\":\"a\"}\nfinish end_turn\n[DONE]"), @r#"
    Finished
    text: a
    message: {"id":"m","role":"assistant","content":"a"}
    warning: the answer has the unknown finish_reason `end_turn`: read as its end
    "#);
    assert_snapshot!(fold("{\"content\":\"a\"}\nfinish stop"), @r#"
    Finished
    text: a
    message: {"id":"m","role":"assistant","content":"a"}
    warning: the stream ended with a finish_reason but without [DONE]
    "#);
    assert_snapshot!(fold("{\"content\":\"a\"}\n[DONE]\n{\"content\":\"b\"}"), @r#"
    Finished
    text: a
    message: {"id":"m","role":"assistant","content":"a"}
    warning: event 1 came after [DONE]: kept, not folded
    warning: the stream ended with [DONE] but without a finish_reason
    "#);
    assert_snapshot!(fold("{\"content\":\"a\"}"), @r#"
    no end
    text: a
    message: {"id":"m","role":"assistant","content":"a"}
    "#);
    assert_snapshot!(fold("[DONE]"), @"no end");
}

#[test]
fn errors_come_in_many_forms() {
    let error = |payload: &str| fold(&format!("{{\"content\":\"a\"}}\n{payload}\nfinish stop"));
    assert_snapshot!(error(r#"raw {"error":{"message":"no luck","type":"server_error","code":null}}"#), @r#"
    Error { message: "no luck", code: Some("server_error") }
    text: a
    message: {"id":"m","role":"assistant","content":"a"}
    "#);
    assert_snapshot!(error(r#"raw {"error":{"message":"no luck","code":502},"choices":[{"delta":{},"finish_reason":"error"}]}"#), @r#"
    Error { message: "no luck", code: Some("502") }
    text: a
    message: {"id":"m","role":"assistant","content":"a"}
    "#);
    assert_snapshot!(error(r#"raw {"error":"no luck"}"#), @r#"
    Error { message: "no luck", code: None }
    text: a
    message: {"id":"m","role":"assistant","content":"a"}
    "#);
    assert_snapshot!(error(r#"raw {"object":"error","message":"no luck","code":40303}"#), @r#"
    Error { message: "no luck", code: Some("40303") }
    text: a
    message: {"id":"m","role":"assistant","content":"a"}
    "#);
    assert_snapshot!(error(r#"line event: error | data: {"detail":["no luck"]}"#), @r#"
    Error { message: "[\"no luck\"]", code: None }
    text: a
    message: {"id":"m","role":"assistant","content":"a"}
    "#);
    assert_snapshot!(error(r#"raw {"error":{}}"#), @r#"
    Error { message: "{}", code: None }
    text: a
    message: {"id":"m","role":"assistant","content":"a"}
    "#);
}

#[test]
fn what_cannot_be_read_is_bad_and_the_rest_is_kept() {
    let odd = |payload: &str| {
        fold(&format!(
            "{{\"content\":\"a\"}}\nraw {payload}\nfinish stop\n[DONE]"
        ))
    };
    assert_snapshot!(odd(r#"{"choices":[{"delta":"#), @r#"
    Finished
    text: a
    message: {"id":"m","role":"assistant","content":"a"}
    bad: event 1 cannot be read: EOF while parsing a value at line 1 column 21: {"choices":[{"delta":
    "#);
    assert_snapshot!(odd("7"), @r#"
    Finished
    text: a
    message: {"id":"m","role":"assistant","content":"a"}
    bad: event 1 cannot be read: it is not a JSON object: 7
    "#);
    assert_snapshot!(odd(r#"{"type":"ping"}"#), @r#"
    Finished
    text: a
    message: {"id":"m","role":"assistant","content":"a"}
    warning: event 1 holds neither choices nor usage: kept, not folded
    "#);
    assert_snapshot!(odd(r#"{"choices":[3,{"index":"x","delta":{"content":7,"tool_calls":{}}}]}"#), @r#"
    Finished
    text: a
    message: {"id":"m","role":"assistant","content":"a"}
    "#);
    let deep = format!("{{\"x\":{}{}}}", "[".repeat(600), "]".repeat(600));
    assert!(odd(&deep).contains(
        "event 1 cannot be read: it nests too deeply, or holds too many values: {\"x\":[[["
    ));
}

#[test]
fn a_whole_answer_is_folded_alike() {
    assert_snapshot!(fold_whole(r#"
        {"id":"x","object":"chat.completion","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant",
         "content":"Wait.","refusal":null,"reasoning_content":"Hm.","tool_calls":[
         {"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}},
         {"id":"c2","type":"function","function":{"name":"find","arguments":"{"}}]}}],"usage":{"total_tokens":5}}
    "#), @r#"
    Finished
    text: Wait.
    reasoning: Hm.
    call: c1 find({})
    call: c2 find({)
    message: {"id":"m-reasoning","role":"reasoning","content":"Hm."}
    message: {"id":"m","role":"assistant","content":"Wait.","toolCalls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"find","arguments":"{"}}]}
    usage: {"total_tokens":5}
    "#);
    assert_snapshot!(fold_whole(r#"{"choices":[{"message":{"content":"Hi"}}]}"#), @r#"
    Finished
    text: Hi
    message: {"id":"m","role":"assistant","content":"Hi"}
    warning: the answer came without a finish_reason
    "#);
    assert_snapshot!(fold_whole(r#"{"error":{"message":"no luck","code":"c"}}"#), @r#"Error { message: "no luck", code: Some("c") }"#);
    assert_snapshot!(fold_whole(r#"{"choices":[]}"#), @r#"
    no end
    bad: event 0 cannot be read: it holds no choice with a message: {"choices":[]}
    "#);
    assert_snapshot!(fold_whole(r#"{"choices":[{"mess"#), @r#"
    no end
    bad: event 0 cannot be read: EOF while parsing a string at line 1 column 18: {"choices":[{"mess
    "#);
    assert_snapshot!(fold_whole(" "), @"no end");
}

#[test]
fn more_calls_than_anybody_makes_are_not_kept() {
    let pieces: Vec<String> = (0..5000)
        .map(|index| format!(r#"{{"index":{index}}}"#))
        .collect();
    let folded = fold(&format!("{{\"tool_calls\":[{}]}}", pieces.join(",")));
    assert_eq!(
        folded
            .lines()
            .filter(|line| line.starts_with("call: "))
            .count(),
        4096
    );
}
