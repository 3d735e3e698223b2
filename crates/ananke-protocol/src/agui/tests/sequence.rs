//! V1–V18 and the rules of chunks: for each, the smallest stream that breaks it and one that keeps it.

use insta::assert_snapshot;

use super::{findings, fold};

fn found(text: &str) -> String {
    let rendered = fold(text);
    let found: Vec<&str> = rendered
        .lines()
        .filter_map(|line| line.strip_prefix("finding: "))
        .collect();
    found.join("\n")
}

#[test]
fn v1_the_first_event() {
    assert_snapshot!(found("STEP_STARTED stepName=a\nRUN_STARTED\nSTEP_FINISHED stepName=a\nRUN_FINISHED"), @"V1 at 0: the first event is STEP_STARTED, not RUN_STARTED or RUN_ERROR");
    assert_eq!(found("RUN_ERROR message=no"), "");
}

#[test]
fn v2_and_v3_after_the_end() {
    assert_snapshot!(found("RUN_STARTED\nRUN_ERROR message=no\nCUSTOM name=a value=1"), @"V2 at 2: CUSTOM after RUN_ERROR");
    assert_snapshot!(found("RUN_STARTED\nRUN_FINISHED\nRUN_FINISHED"), @"V3 at 2: RUN_FINISHED after RUN_FINISHED");
    assert_eq!(
        found("RUN_STARTED\nRUN_FINISHED\nRUN_ERROR message=late"),
        ""
    );
    assert_eq!(
        found("RUN_STARTED\nRUN_ERROR message=no\nRUN_STARTED\nRUN_FINISHED"),
        ""
    );
}

#[test]
fn what_follows_the_end_is_told_by_one_rule() {
    assert_snapshot!(found("RUN_STARTED\nRUN_FINISHED\nTEXT_MESSAGE_CONTENT messageId=m delta=x"), @"V3 at 2: TEXT_MESSAGE_CONTENT after RUN_FINISHED");
    assert_snapshot!(found("RUN_STARTED\nSTEP_STARTED stepName=a\nRUN_ERROR message=no\nRUN_FINISHED"), @"V2 at 3: RUN_FINISHED after RUN_ERROR");
}

#[test]
fn v4_a_run_inside_a_run() {
    assert_snapshot!(found("RUN_STARTED\nRUN_STARTED\nRUN_FINISHED"), @"V4 at 1: RUN_STARTED while a run is active");
}

#[test]
fn v5_nulls() {
    assert_snapshot!(findings("STEP_STARTED stepName=a subagentRunId=null\nSTEP_FINISHED stepName=a"), @"V5 at 1: STEP_STARTED carries `subagentRunId: null`");
    assert_snapshot!(findings("SUBAGENT_STARTED subagentRunId=s name=n description=null\nSUBAGENT_FINISHED subagentRunId=s"), @"V5 at 1: SUBAGENT_STARTED carries `description: null`");
    assert_snapshot!(findings(r#"MESSAGES_SNAPSHOT messages=[{"id":"m","role":"user","content":"x","subagentRunId":null}]"#), @"V5 at 1: a message carries `subagentRunId: null`");
    assert_snapshot!(found(r#"RUN_STARTED
        RUN_FINISHED outcome={"type":"interrupt","interrupts":[{"id":"i","reason":"r","subagentRunId":null}]}"#), @"V5 at 1: an interrupt carries `subagentRunId: null`");
}

#[test]
fn v6_outcomes_of_subagents() {
    assert_snapshot!(findings(r#"SUBAGENT_STARTED subagentRunId=s name=n
        SUBAGENT_FINISHED subagentRunId=s outcome={"type":"maybe","interruptIds":[1]}"#), @"
    V6 at 2: the outcome of SUBAGENT_FINISHED is neither success nor suspended
    V6 at 2: interruptIds is not a list of strings
    ");
}

#[test]
fn v7_and_v8_text_messages() {
    assert_snapshot!(findings("TEXT_MESSAGE_START messageId=m\nTEXT_MESSAGE_START messageId=m\nTEXT_MESSAGE_END messageId=m"), @"V7 at 2: text message 'm' is started while it is open");
    assert_snapshot!(findings("TEXT_MESSAGE_CONTENT messageId=m delta=x\nTEXT_MESSAGE_END messageId=m"), @"
    V8 at 1: TEXT_MESSAGE_CONTENT: no active text message found with ID 'm'
    V8 at 2: TEXT_MESSAGE_END: no active text message found with ID 'm'
    ");
    let reopened = "TEXT_MESSAGE_START messageId=m\nTEXT_MESSAGE_END messageId=m\nTEXT_MESSAGE_START messageId=m\nTEXT_MESSAGE_END messageId=m";
    assert_eq!(findings(reopened), "");
}

#[test]
fn v9_and_v10_tool_calls() {
    assert_snapshot!(findings("TOOL_CALL_START toolCallId=c toolCallName=a\nTOOL_CALL_START toolCallId=c toolCallName=a\nTOOL_CALL_END toolCallId=c"), @"V9 at 2: tool call 'c' is started while it is open");
    assert_snapshot!(findings("TOOL_CALL_ARGS toolCallId=c delta=x\nTOOL_CALL_END toolCallId=c"), @"
    V10 at 1: TOOL_CALL_ARGS: no active tool call found with ID 'c'
    V10 at 2: TOOL_CALL_END: no active tool call found with ID 'c'
    ");
}

#[test]
fn v11_owner_of_the_parent_message() {
    assert_snapshot!(findings("SUBAGENT_STARTED subagentRunId=s name=n
        TEXT_MESSAGE_START messageId=m
        TEXT_MESSAGE_END messageId=m
        TOOL_CALL_START toolCallId=c toolCallName=a parentMessageId=m subagentRunId=s
        TOOL_CALL_END toolCallId=c
        SUBAGENT_FINISHED subagentRunId=s"), @"V11 at 4: tool call 'c' has another owner than its parent message");
}

#[test]
fn a_call_without_a_tag_belongs_to_the_owner_of_its_parent_message() {
    let call = |parent_tag: &str, tag: &str| {
        findings(&format!(
            "SUBAGENT_STARTED subagentRunId=s name=n
            TEXT_MESSAGE_START messageId=m{parent_tag}
            TEXT_MESSAGE_END messageId=m
            TOOL_CALL_START toolCallId=c toolCallName=a parentMessageId=m
            TOOL_CALL_ARGS toolCallId=c delta=x{tag}
            TOOL_CALL_END toolCallId=c
            SUBAGENT_FINISHED subagentRunId=s"
        ))
    };
    assert_eq!(call(" subagentRunId=s", " subagentRunId=s"), "");
    assert_snapshot!(call("", " subagentRunId=s"), @"V15 at 5: tool call 'c' is tagged 's' but another owner opened it");
    assert_snapshot!(findings(r#"MESSAGES_SNAPSHOT messages=[{"id":"m","role":"assistant","toolCalls":[{"id":"c"}]}]
        TEXT_MESSAGE_START messageId=k subagentRunId=s
        TEXT_MESSAGE_END messageId=k
        TOOL_CALL_START toolCallId=c toolCallName=a parentMessageId=k
        TOOL_CALL_END toolCallId=c"#), @"V11 at 4: tool call 'c' has another owner than its parent message");
}

#[test]
fn v12_steps() {
    assert_snapshot!(findings("STEP_STARTED stepName=a\nSTEP_STARTED stepName=a\nSTEP_FINISHED stepName=a\nSTEP_FINISHED stepName=a"), @"
    V12 at 2: step 'a' is started while it is open
    V12 at 4: STEP_FINISHED for step 'a' that was not started
    ");
    assert_snapshot!(findings("SUBAGENT_STARTED subagentRunId=s name=n
        STEP_STARTED stepName=a
        STEP_STARTED stepName=a subagentRunId=s
        STEP_FINISHED stepName=a
        STEP_FINISHED stepName=a
        STEP_FINISHED stepName=a subagentRunId=s
        SUBAGENT_FINISHED subagentRunId=s"), @"V12 at 5: step 'a' is finished by another owner than the one that started it");
}

#[test]
fn v13_and_v14_reasoning() {
    assert_snapshot!(findings("REASONING_START messageId=r\nREASONING_START messageId=r\nREASONING_END messageId=r\nREASONING_END messageId=r"), @"
    V13 at 2: reasoning span 'r' is started while it is open
    V13 at 4: REASONING_END: no active reasoning span found with ID 'r'
    ");
    assert_snapshot!(findings("REASONING_START messageId=r
        REASONING_MESSAGE_CONTENT messageId=r delta=x
        REASONING_END messageId=r"), @"V14 at 2: REASONING_MESSAGE_CONTENT: no active reasoning message found with ID 'r'");
}

#[test]
fn v15_a_tag_must_be_the_openers() {
    assert_snapshot!(findings("SUBAGENT_STARTED subagentRunId=s name=n
        TEXT_MESSAGE_START messageId=m
        TEXT_MESSAGE_CONTENT messageId=m delta=x subagentRunId=s
        TEXT_MESSAGE_END messageId=m
        TEXT_MESSAGE_START messageId=k subagentRunId=s
        TEXT_MESSAGE_CONTENT messageId=k delta=x
        TEXT_MESSAGE_END messageId=k
        SUBAGENT_FINISHED subagentRunId=s"), @"V15 at 3: text message 'm' is tagged 's' but another owner opened it");
}

#[test]
fn v15_who_owns_what_has_no_start() {
    // A span and a message with one id have one owner.
    assert_snapshot!(findings("REASONING_START messageId=r subagentRunId=s
        REASONING_MESSAGE_START messageId=r subagentRunId=u
        REASONING_MESSAGE_END messageId=r
        REASONING_END messageId=r subagentRunId=s"), @"V15 at 2: reasoning message 'r' is tagged 'u' but another owner opened it");
    // Whose it is stays known after its end.
    assert_snapshot!(findings("REASONING_MESSAGE_START messageId=r
        REASONING_MESSAGE_END messageId=r
        REASONING_MESSAGE_CONTENT messageId=r delta=x subagentRunId=s"), @"
    V14 at 3: REASONING_MESSAGE_CONTENT: no active reasoning message found with ID 'r'
    V15 at 3: reasoning message 'r' is tagged 's' but another owner opened it
    ");
    // An encrypted value names what it belongs to, a message of either kind or a call.
    assert_snapshot!(findings("TEXT_MESSAGE_START messageId=m subagentRunId=s
        TEXT_MESSAGE_END messageId=m
        REASONING_MESSAGE_START messageId=r
        REASONING_MESSAGE_END messageId=r
        TOOL_CALL_START toolCallId=m toolCallName=a
        TOOL_CALL_END toolCallId=m
        REASONING_ENCRYPTED_VALUE subtype=message entityId=m encryptedValue=x subagentRunId=s
        REASONING_ENCRYPTED_VALUE subtype=message entityId=m encryptedValue=x subagentRunId=u
        REASONING_ENCRYPTED_VALUE subtype=message entityId=r encryptedValue=x subagentRunId=s
        REASONING_ENCRYPTED_VALUE subtype=tool-call entityId=m encryptedValue=x subagentRunId=s"), @"
    V15 at 8: encrypted value 'm' is tagged 'u' but another owner opened it
    V15 at 9: encrypted value 'r' is tagged 's' but another owner opened it
    V15 at 10: encrypted value 'm' is tagged 's' but another owner opened it
    ");
    // The newest result owns its message.
    assert_snapshot!(findings("TOOL_CALL_RESULT messageId=m toolCallId=c content=x
        TOOL_CALL_RESULT messageId=m toolCallId=c content=x subagentRunId=s
        TEXT_MESSAGE_START messageId=m subagentRunId=s
        TEXT_MESSAGE_END messageId=m subagentRunId=u"), @"V15 at 4: text message 'm' is tagged 'u' but another owner opened it");
}

#[test]
fn v16_and_v17_subagents() {
    assert_snapshot!(findings("SUBAGENT_STARTED subagentRunId=u
        SUBAGENT_FINISHED subagentRunId=u
        SUBAGENT_STARTED subagentRunId=s name=n parentSubagentRunId=x
        SUBAGENT_STARTED subagentRunId=s name=n
        SUBAGENT_FINISHED subagentRunId=s
        SUBAGENT_STARTED subagentRunId=s name=n
        SUBAGENT_ERROR subagentRunId=s
        SUBAGENT_FINISHED subagentRunId=s
        SUBAGENT_FINISHED"), @"
    V16 at 1: SUBAGENT_STARTED without subagentRunId or name
    V16 at 3: subagent 's' names an unknown parent 'x'
    V16 at 4: subagent 's' is started while it is active
    V16 at 6: subagent 's' is started again after its end
    V17 at 7: SUBAGENT_ERROR without a message
    V17 at 8: SUBAGENT_FINISHED for subagent 's' that is not active
    V17 at 9: SUBAGENT_FINISHED without subagentRunId
    ");
}

#[test]
fn v18_everything_is_closed_at_the_end() {
    assert_snapshot!(findings("SUBAGENT_STARTED subagentRunId=s name=n
        TOOL_CALL_START toolCallId=c toolCallName=a
        REASONING_START messageId=r
        REASONING_MESSAGE_START messageId=q
        TEXT_MESSAGE_START messageId=m
        STEP_STARTED stepName=a"), @"
    V18 at 7: RUN_FINISHED while step 'a' is open
    V18 at 7: RUN_FINISHED while text message 'm' is open
    V18 at 7: RUN_FINISHED while reasoning message 'q' is open
    V18 at 7: RUN_FINISHED while reasoning span 'r' is open
    V18 at 7: RUN_FINISHED while tool call 'c' is open
    V18 at 7: RUN_FINISHED while subagent 's' is open
    ");
    assert_eq!(
        found("RUN_STARTED\nTEXT_MESSAGE_START messageId=m\nRUN_ERROR message=no"),
        ""
    );
}

#[test]
fn chunks_break_rules_of_their_own() {
    assert_snapshot!(findings("TEXT_MESSAGE_CHUNK delta=x"), @"C1 at 1: First TEXT_MESSAGE_CHUNK must have a messageId");
    assert_snapshot!(findings("TOOL_CALL_CHUNK toolCallId=c delta=x"), @"C1 at 1: First TOOL_CALL_CHUNK must have a toolCallId and a toolCallName");
    assert_snapshot!(findings("SUBAGENT_STARTED subagentRunId=s name=n
        SUBAGENT_STARTED subagentRunId=u name=n
        TEXT_MESSAGE_CHUNK messageId=a subagentRunId=s
        TEXT_MESSAGE_CHUNK messageId=b subagentRunId=u
        TEXT_MESSAGE_CHUNK delta=x
        SUBAGENT_FINISHED subagentRunId=s
        SUBAGENT_FINISHED subagentRunId=u"), @"C2 at 5: TEXT_MESSAGE_CHUNK without an id is ambiguous: several are open");
    assert_snapshot!(findings("TEXT_MESSAGE_CHUNK messageId=a role=assistant\nTEXT_MESSAGE_CHUNK messageId=a role=user"), @"C3 at 2: TEXT_MESSAGE_CHUNK for 'a' has the role 'user', but its first chunk had 'assistant'");
    assert_snapshot!(findings("SUBAGENT_STARTED subagentRunId=s name=n
        TEXT_MESSAGE_CHUNK messageId=a
        TEXT_MESSAGE_CHUNK messageId=a delta=x subagentRunId=s
        SUBAGENT_FINISHED subagentRunId=s"), @"C4 at 3: TEXT_MESSAGE_CHUNK for 'a' is tagged 's' but another owner opened it");
    assert_snapshot!(findings("TEXT_MESSAGE_CHUNK messageId=a\nTEXT_MESSAGE_CONTENT messageId=a delta=x"), @"V8 at 2: TEXT_MESSAGE_CONTENT: no active text message found with ID 'a'");
}

#[test]
fn the_end_of_a_subagent_closes_its_own_lane() {
    let end = |end: &str| {
        findings(&format!(
            "SUBAGENT_STARTED subagentRunId=s name=n
            TEXT_MESSAGE_CHUNK messageId=a delta=x
            TEXT_MESSAGE_CHUNK messageId=b delta=x subagentRunId=s
            {end}
            TEXT_MESSAGE_CHUNK delta=y
            TEXT_MESSAGE_CHUNK delta=y subagentRunId=s"
        ))
    };
    assert_snapshot!(end("SUBAGENT_FINISHED subagentRunId=s"), @"C1 at 6: First TEXT_MESSAGE_CHUNK must have a messageId");
    assert_snapshot!(end("SUBAGENT_ERROR message=no"), @"
    V17 at 4: SUBAGENT_ERROR without subagentRunId
    V18 at 7: RUN_FINISHED while subagent 's' is open
    ");
}

#[test]
fn raw_and_activities_close_no_lane() {
    assert_eq!(
        findings(
            r#"TEXT_MESSAGE_CHUNK messageId=a delta=x
        RAW event=1
        ACTIVITY_SNAPSHOT messageId=p activityType=plan content={"a":1}
        TEXT_MESSAGE_CHUNK delta=y"#
        ),
        ""
    );
    assert_snapshot!(findings("TEXT_MESSAGE_CHUNK messageId=a delta=x\nCUSTOM name=n value=1\nTEXT_MESSAGE_CHUNK delta=y"), @"C1 at 3: First TEXT_MESSAGE_CHUNK must have a messageId");
}
