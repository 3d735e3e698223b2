//! What events become: words, artifacts, states.

use insta::assert_snapshot;

use super::{fold, fold_whole};
use crate::a2a::wire::Version;

#[test]
fn chunks_of_an_artifact_are_one_text() {
    assert_snapshot!(fold(Version::V1, r#"
        {"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_SUBMITTED"}}}
        {"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}
        {"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","parts":[{"text":"Grü"}]}}}
        {"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","parts":[{"text":"ße"}]},"append":true}}
        {"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"b","parts":[{"text":""}]}}}
        {"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"d","parts":[{"data":{"n":3.0}},{"text":"!"}]},"lastChunk":true}}
        {"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}
    "#), @r#"
    completed
    text: Grüße
    !
    artifact: a {"text":"Grüße"}
    artifact: b {"text":""}
    artifact: d {"data":{"n":3}} {"text":"!"}
    "#);
    // A task that comes as a whole holds the chunks as parts.
    assert_snapshot!(fold_whole(Version::V1, r#"{"task":{"id":"t","status":{"state":"TASK_STATE_COMPLETED"},
        "artifacts":[{"artifactId":"a","parts":[{"text":"Grü"},{"text":"ße"}]}]}}"#, &[]), @r#"
    completed
    text: Grüße
    artifact: a {"text":"Grüße"}
    "#);
}

#[test]
fn an_artifact_that_is_sent_again_takes_the_place_of_its_chunks() {
    assert_snapshot!(fold(Version::V03, r#"
        {"kind":"artifact-update","taskId":"t","artifact":{"artifactId":"a","parts":[{"kind":"text","text":"Hel"}]},"append":false}
        {"kind":"artifact-update","taskId":"t","artifact":{"artifactId":"a","parts":[{"kind":"text","text":"lo"}]},"append":true}
        {"kind":"artifact-update","taskId":"t","artifact":{"artifactId":"a","parts":[{"kind":"text","text":"Hello"}]},"lastChunk":true}
        {"kind":"status-update","taskId":"t","status":{"state":"completed"},"final":true}
    "#), @r#"
    completed
    text: Hello
    artifact: a {"text":"Hello"}
    "#);
}

#[test]
fn the_last_of_artifacts_with_the_same_id_counts() {
    assert_snapshot!(fold_whole(Version::V1, r#"{"task":{"id":"t","status":{"state":"TASK_STATE_COMPLETED"},
        "artifacts":[{"artifactId":"a","parts":[{"text":"one"}]},{"artifactId":"b","parts":[{"text":"two"}]},{"artifactId":"a","parts":[{"text":"three"}]},{"parts":[{"text":"four"}]}]}}"#, &[]), @r#"
    completed
    text: three
    two
    four
    artifact: a {"text":"three"}
    artifact: b {"text":"two"}
    artifact:  {"text":"four"}
    warning: an artifact came without an id
    "#);
}

#[test]
fn a_message_goes_before_artifacts_and_those_before_the_status() {
    let status = r#"{"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_COMPLETED","message":{"messageId":"s","role":"ROLE_AGENT","parts":[{"text":"status"}]}}}}"#;
    let artifact = r#"{"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","parts":[{"text":"artifact"}]}}}"#;
    let message = r#"{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"mess"},{"text":"age"}]}}"#;
    assert_snapshot!(fold(Version::V1, status), @"
    completed
    text: status
    ");
    assert_snapshot!(fold(Version::V1, &format!("{artifact}\n{status}")), @r#"
    completed
    text: artifact
    artifact: a {"text":"artifact"}
    "#);
    assert_snapshot!(fold(Version::V1, &format!("{artifact}\n{message}\n{status}")), @r#"
    completed
    text: message
    artifact: a {"text":"artifact"}
    warning: a message came after a task, which the protocol forbids: taken as the answer
    "#);
    assert_snapshot!(fold(Version::V1, message), @"
    no state
    text: message
    ");
}

#[test]
fn only_the_latest_status_speaks_and_only_at_the_end() {
    let said = |state: &str, text: &str| {
        format!(
            r#"{{"statusUpdate":{{"taskId":"t","status":{{"state":"TASK_STATE_{state}","message":{{"messageId":"{text}","role":"ROLE_AGENT","parts":[{{"text":"{text}"}}]}}}}}}}}"#
        )
    };
    let silent = |state: &str| {
        format!(r#"{{"statusUpdate":{{"taskId":"t","status":{{"state":"TASK_STATE_{state}"}}}}}}"#)
    };
    let working = said("WORKING", "looking");
    assert_snapshot!(fold(Version::V1, &working), @"working");
    assert_snapshot!(fold(Version::V1, &format!("{working}\n{}", silent("COMPLETED"))), @"completed");
    assert_snapshot!(fold(Version::V1, &format!("{working}\n{}", said("INPUT_REQUIRED", "which?"))), @"
    input-required
    text: which?
    ");
    assert_snapshot!(fold(Version::V1, &format!("{working}\n{}", said("FAILED", "broken"))), @"
    failed
    text: broken
    ");
}

#[test]
fn thoughts_are_no_words() {
    assert_snapshot!(fold(Version::V1, r#"
        {"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"s","role":"ROLE_AGENT","parts":[{"text":"Hm.","metadata":{"adk_thought":true}}]}}}}
        {"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","parts":[{"text":"So.","metadata":{"type":"thinking"}},{"text":"Yes","metadata":{"adk_thought":false}}]}}}
        {"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_COMPLETED"}}}
    "#), @r#"
    completed
    text: Yes
    reasoning: Hm.
    So.
    artifact: a {"text":"So.","metadata":{"type":"thinking"}} {"text":"Yes","metadata":{"adk_thought":false}}
    "#);
}

#[test]
fn the_users_own_words_and_repeated_messages_do_not_count() {
    assert_snapshot!(fold(Version::V03, r#"
        {"kind":"message","messageId":"u","role":"user","parts":[{"kind":"text","text":"mine"}]}
        {"kind":"message","messageId":"m","role":"agent","parts":[{"kind":"text","text":"yours"}]}
        {"kind":"message","messageId":"m","role":"agent","parts":[{"kind":"text","text":"yours"}]}
    "#), @"
    no state
    text: yours
    ");
}

#[test]
fn words_after_a_task_are_taken_with_a_warning() {
    assert_snapshot!(fold(Version::V03, r#"
        {"kind":"task","id":"t","contextId":"c","status":{"state":"working"}}
        {"kind":"message","messageId":"m1","role":"agent","parts":[{"kind":"text","text":"one"}]}
        {"kind":"message","messageId":"m2","role":"agent","parts":[{"kind":"text","text":"two"}]}
        {"kind":"status-update","taskId":"t","status":{"state":"completed"},"final":true}
    "#), @"
    completed
    text: one
    two
    warning: a message came after a task, which the protocol forbids: taken as the answer
    ");
}

#[test]
fn odd_events_are_kept_and_told() {
    assert_snapshot!(fold(Version::V1, r#"
        {"weather":{"sun":true}}
        {"kind":"weather"}
        []
        {"kind":"task","id":"t","status":{"state":"dreaming"}}
        raw {"jsonrpc":"2.0","id":7,"result":{"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_COMPLETED"}}}}
        raw {"jsonrpc":"2.0","id":1}
        raw {"broken
    "#), @r#"
    completed
    warning: event 0 is kept, not folded: expected a task, a message, a status or an artifact, got `weather`
    warning: event 1 is kept, not folded: its kind is `weather`, which is not known
    warning: event 2 is kept, not folded: it is not an object
    warning: the agent answers in the form of 0.3 over JSON-RPC although another was spoken
    warning: event 3 names the state `dreaming`, which is not known
    warning: a response has the id 7 although the request had 1
    warning: event 5 is kept, not folded: it is not an object
    bad: event 6 cannot be read: it is not JSON: {"broken
    "#);
    assert_snapshot!(fold(Version::V1, r#"raw {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"boom"}}"#), @"
    no state
    error: Some(-32603) boom
    ");
}

#[test]
fn files_and_data_keep_one_form() {
    let old = fold_whole(
        Version::V03,
        r#"{"kind":"task","id":"t","status":{"state":"completed"},"artifacts":[{"artifactId":"a","parts":[
        {"kind":"data","data":{"data":{"n":1}}},{"kind":"file","file":{"uri":"http://f/x","mimeType":"text/plain","name":"x"}},{"kind":"file","file":{"bytes":"aGk="}}]}]}"#,
        &[],
    );
    let new = fold_whole(
        Version::V1,
        r#"{"task":{"id":"t","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[
        {"data":{"data":{"n":1},"m":2}},{"url":"http://f/x","mediaType":"text/plain","filename":"x"},{"raw":"aGk="}]}]}}"#,
        &[],
    );
    assert_snapshot!(old, @r#"
    completed
    artifact: a {"data":{"data":{"n":1}}} {"url":"http://f/x","mediaType":"text/plain","filename":"x"} {"raw":"aGk="}
    "#);
    assert_snapshot!(new, @r#"
    completed
    artifact: a {"data":{"data":{"n":1},"m":2}} {"url":"http://f/x","mediaType":"text/plain","filename":"x"} {"raw":"aGk="}
    "#);
}
