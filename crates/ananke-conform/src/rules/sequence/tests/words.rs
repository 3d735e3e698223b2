//! What is said of each rule that is broken.

use insta::assert_snapshot;

use super::{broken, read};
use crate::exchange::Ending;
use crate::rule::Profile;

/// The findings of a stream.
fn whole(text: &str) -> String {
    broken(&read(text), Profile::V1)
}

/// The findings of a run with these events between its start and its end.
fn run(text: &str) -> String {
    whole(&format!("RUN_STARTED\n{text}\nRUN_FINISHED"))
}

#[test]
fn runs() {
    assert_snapshot!(whole("STATE_SNAPSHOT snapshot={}\nRUN_STARTED\nRUN_FINISHED"), @"0 first-event: the first event is `STATE_SNAPSHOT`; expected `RUN_STARTED` or `RUN_ERROR`");
    assert_snapshot!(whole("RUN_STARTED\nRUN_ERROR message=no\nRUN_FINISHED"), @"2 after-error: `RUN_FINISHED` follows `RUN_ERROR`; expected the end of the stream or `RUN_STARTED` of another run");
    assert_snapshot!(whole("RUN_STARTED\nRUN_FINISHED\nCUSTOM name=a value=1"), @"2 after-finish: `CUSTOM` follows `RUN_FINISHED`; expected the end of the stream, `RUN_STARTED` of another run or `RUN_ERROR`");
    assert_snapshot!(whole("RUN_STARTED\nRUN_STARTED runId=r2\nRUN_FINISHED runId=r2"), @"1 nested-run: run `r2` begins while run `r` has not ended");
    assert_snapshot!(whole("RUN_STARTED\nSTEP_STARTED stepName=a"), @"end terminal: the stream ended after 2 events, but run `r`, begun at event 0, has neither `RUN_FINISHED` nor `RUN_ERROR`");
    assert_snapshot!(whole("RUN_ERROR message=no"), @"");
}

#[test]
fn a_stream_that_stops() {
    let mut exchange = read("RUN_STARTED");
    exchange.answer.ending = Ending::Broken("reset by peer".to_owned());
    assert_snapshot!(broken(&exchange, Profile::V1), @"end terminal: the connection broke (reset by peer) after 1 event, but run `r`, begun at event 0, has neither `RUN_FINISHED` nor `RUN_ERROR`");
    exchange.answer.ending = Ending::GivenUp("the client went away after 3 events".to_owned());
    assert_snapshot!(broken(&exchange, Profile::V1), @"");
    exchange.answer.ending = Ending::GivenUp("the time was over: 30000 ms".to_owned());
    assert_snapshot!(broken(&exchange, Profile::V1), @"end terminal: no end came within 30000 ms: the stream was still open after 1 event, but run `r`, begun at event 0, has neither `RUN_FINISHED` nor `RUN_ERROR`");
    exchange.asked = crate::exchange::Asked::Abort;
    assert_snapshot!(broken(&exchange, Profile::V1), @"");
    exchange.asked = crate::exchange::Asked::Run;
    exchange.answer.ending =
        Ending::GivenUp("the limit was reached: 1 events were read".to_owned());
    assert_snapshot!(broken(&exchange, Profile::V1), @"end terminal: no end came within the limit (1 events were read): the stream was still open after 1 event, but run `r`, begun at event 0, has neither `RUN_FINISHED` nor `RUN_ERROR`");
    exchange.answer.ending = Ending::Unknown;
    exchange.answer.wire.is_unfinished = true;
    assert_snapshot!(broken(&exchange, Profile::V1), @"end terminal: the stream ended after 1 event, but run `r`, begun at event 0, has neither `RUN_FINISHED` nor `RUN_ERROR`; one more event had begun, but no blank line ends it, so it does not count");
    assert_snapshot!(whole(""), @"end terminal: the stream ended without a single event");
}

#[test]
fn ids() {
    assert_snapshot!(whole("RUN_STARTED runId=x\nRUN_FINISHED runId=x"), @"0 run-id: the request has the `runId` `r`, but the run has `x`");
    assert_snapshot!(whole("RUN_STARTED threadId=x\nRUN_FINISHED threadId=x"), @"0 thread-id: the request has the `threadId` `t`, but this run has `x`");
    assert_snapshot!(whole("RUN_STARTED\nRUN_FINISHED runId=x threadId=y"), @"
    1 finish-ids: `RUN_STARTED` has the `threadId` `t`, but `RUN_FINISHED` has `y`
    1 finish-ids: `RUN_STARTED` has the `runId` `r`, but `RUN_FINISHED` has `x`
    ");
    assert_snapshot!(whole("RUN_STARTED\nRUN_FINISHED\nRUN_STARTED\nRUN_FINISHED"), @"2 run-id-reused: another run before this one had the `runId` `r`");
    // A stream may replay another run before the one that was asked for.
    assert_snapshot!(whole("RUN_STARTED runId=x\nRUN_FINISHED runId=x\nRUN_STARTED\nRUN_FINISHED"), @"");
}

#[test]
fn versions() {
    assert_snapshot!(whole("RUN_STARTED protocolVersion=-\nRUN_FINISHED"), @"0 version: the request declares version `1.0`, but `RUN_STARTED` has no `protocolVersion`");
    assert_snapshot!(whole(r#"RUN_STARTED protocolVersion="1.0.0"
        RUN_FINISHED
        RUN_STARTED runId=r2 protocolVersion="v1"
        RUN_FINISHED runId=r2"#), @"
    0 version-grammar: the `protocolVersion` is `1.0.0`; expected two numbers with a dot between, such as `1.0`
    2 version-grammar: the `protocolVersion` is `v1`; expected two numbers with a dot between, such as `1.0`
    ");
    let mut old = read("RUN_STARTED protocolVersion=-\nRUN_FINISHED");
    old.request = None;
    assert_snapshot!(broken(&old, Profile::V1), @"");
}

#[test]
fn text_messages() {
    assert_snapshot!(run("TEXT_MESSAGE_START messageId=m
        TEXT_MESSAGE_START messageId=m
        TEXT_MESSAGE_END messageId=m
        TEXT_MESSAGE_CONTENT messageId=m delta=x
        TEXT_MESSAGE_END messageId=k"), @"
    2 text-start: text message `m` is started again, but it is open since event 1
    4 text-open: `TEXT_MESSAGE_CONTENT` for text message `m`, which is not open: it ended at event 3
    5 text-open: `TEXT_MESSAGE_END` for text message `k`, which is not open: no `TEXT_MESSAGE_START` came before
    ");
}

#[test]
fn tool_calls() {
    assert_snapshot!(run("TOOL_CALL_START toolCallId=c toolCallName=a
        TOOL_CALL_START toolCallId=c toolCallName=a
        TOOL_CALL_END toolCallId=c
        TOOL_CALL_ARGS toolCallId=c delta=x
        TOOL_CALL_END toolCallId=d"), @"
    2 call-start: tool call `c` is started again, but it is open since event 1
    4 call-open: `TOOL_CALL_ARGS` for tool call `c`, which is not open: it ended at event 3
    5 call-open: `TOOL_CALL_END` for tool call `d`, which is not open: no `TOOL_CALL_START` came before
    ");
    assert_snapshot!(run("SUBAGENT_STARTED subagentRunId=s name=n
        TEXT_MESSAGE_START messageId=m
        TEXT_MESSAGE_END messageId=m
        TOOL_CALL_START toolCallId=c toolCallName=a parentMessageId=m subagentRunId=s
        TOOL_CALL_END toolCallId=c
        SUBAGENT_FINISHED subagentRunId=s"), @"4 call-owner: tool call `c` is tagged with subagent `s`, but its parent message `m` does not belong to that owner");
}

#[test]
fn steps() {
    assert_snapshot!(run("STEP_STARTED stepName=a
        STEP_STARTED stepName=a
        STEP_FINISHED stepName=a subagentRunId=s
        STEP_FINISHED stepName=a
        STEP_FINISHED stepName=a"), @"
    2 step: step `a` of the agent itself is started again, but it is open since event 1
    3 step: step `a` is finished by subagent `s`, but it was started by the agent itself
    5 step: step `a` of the agent itself is finished, but it is not open
    ");
}

#[test]
fn reasoning() {
    let text = "RUN_STARTED
        REASONING_START messageId=r
        REASONING_START messageId=r
        REASONING_MESSAGE_CONTENT messageId=r delta=x
        REASONING_MESSAGE_START messageId=q
        REASONING_MESSAGE_START messageId=q
        REASONING_END messageId=r
        REASONING_END messageId=r
        RUN_FINISHED";
    assert_snapshot!(whole(text), @"
    2 reasoning-span: reasoning span `r` is started again, but it is open since event 1
    3 reasoning-message: `REASONING_MESSAGE_CONTENT` for reasoning message `r`, which is not open: no `REASONING_MESSAGE_START` came before
    5 reasoning-message: reasoning message `q` is started again, but it is open since event 4
    7 reasoning-span: `REASONING_END` for reasoning span `r`, which is not open: it ended at event 6
    8 open-at-finish: `RUN_FINISHED` while this is open: reasoning message `q`
    ");
    // Clients before 1.0 do not follow reasoning.
    assert_snapshot!(broken(&read(text), Profile::Old), @"");
}

#[test]
fn thinking() {
    let text = "RUN_STARTED
        THINKING_TEXT_MESSAGE_START
        THINKING_TEXT_MESSAGE_END
        THINKING_START
        THINKING_START
        THINKING_TEXT_MESSAGE_CONTENT delta=x
        THINKING_END
        THINKING_END
        RUN_FINISHED";
    assert_snapshot!(broken(&read(text), Profile::Old), @"
    1 thinking: `THINKING_TEXT_MESSAGE_START` while no span is open
    4 thinking: `THINKING_START` while a span is open already
    5 thinking: `THINKING_TEXT_MESSAGE_CONTENT` while no message is open
    7 thinking: `THINKING_END` while no span is open
    ");
    // In 1.0 such events are wrong in themselves.
    assert_snapshot!(whole(text), @"");
}

#[test]
fn subagents() {
    assert_snapshot!(run("SUBAGENT_STARTED subagentRunId=s name=n parentSubagentRunId=x
        SUBAGENT_STARTED subagentRunId=s name=n
        SUBAGENT_FINISHED subagentRunId=s
        SUBAGENT_STARTED subagentRunId=s name=n
        SUBAGENT_FINISHED subagentRunId=s
        SUBAGENT_ERROR subagentRunId=s message=no
        SUBAGENT_FINISHED subagentRunId=u"), @"
    1 subagent-start: subagent `s` names the parent `x`, which was not started in this run
    2 subagent-start: subagent `s` is started again, but it is active since event 1
    4 subagent-start: subagent `s` is started again, but it ended at event 3: an id is for one invocation
    6 subagent-end: `SUBAGENT_ERROR` for subagent `s`, which is not active: it ended at event 5
    7 subagent-end: `SUBAGENT_FINISHED` for subagent `u`, which is not active: it was not started in this run
    ");
}

#[test]
fn owners() {
    assert_snapshot!(run("TEXT_MESSAGE_START messageId=m
        TEXT_MESSAGE_CONTENT messageId=m delta=x subagentRunId=s
        TEXT_MESSAGE_END messageId=m
        TOOL_CALL_START toolCallId=c toolCallName=a
        TOOL_CALL_END toolCallId=c
        REASONING_ENCRYPTED_VALUE subtype=tool-call entityId=c encryptedValue=x subagentRunId=s"), @"
    2 owner: `TEXT_MESSAGE_CONTENT` for `m` is tagged with subagent `s`, but another owner started that item
    6 owner: `REASONING_ENCRYPTED_VALUE` for `c` is tagged with subagent `s`, but another owner started that item
    ");
    let nulls = r#"RUN_STARTED
        SUBAGENT_STARTED subagentRunId=s name=n description=null
        STEP_STARTED stepName=a subagentRunId=null
        STEP_FINISHED stepName=a
        SUBAGENT_FINISHED subagentRunId=s outcome={"type":"suspended","interruptIds":null}
        RUN_FINISHED subagentRunId=null"#;
    assert_snapshot!(broken(&read(nulls), Profile::Old), @"5 null-owner: `RUN_FINISHED` carries `subagentRunId: null`");
    // In 1.0 this is a matter of shape.
    assert_snapshot!(whole(nulls), @"");
}

#[test]
fn chunks() {
    assert_snapshot!(run("TEXT_MESSAGE_CHUNK delta=x\nTOOL_CALL_CHUNK toolCallId=c"), @"
    1 chunk-first: `TEXT_MESSAGE_CHUNK` goes on with nothing: the first chunk of an item must have a `messageId`
    2 chunk-first: `TOOL_CALL_CHUNK` goes on with nothing: the first chunk of an item must have a `toolCallId` and a `toolCallName`
    ");
    assert_snapshot!(run("TEXT_MESSAGE_CHUNK messageId=a subagentRunId=s
        TEXT_MESSAGE_CHUNK messageId=b subagentRunId=u
        TEXT_MESSAGE_CHUNK delta=x
        TEXT_MESSAGE_CHUNK messageId=a role=user
        TEXT_MESSAGE_CHUNK messageId=a subagentRunId=u
        TOOL_CALL_CHUNK toolCallId=c toolCallName=f
        TOOL_CALL_CHUNK toolCallName=g parentMessageId=it's"), @"
    3 chunk-ambiguous: `TEXT_MESSAGE_CHUNK` has neither an id nor a `subagentRunId`, and several subagents have an item of its kind open
    4 chunk-repeat: `TEXT_MESSAGE_CHUNK` for `a` has the `role` `user`, but the first chunk of `a` had `assistant`
    5 chunk-owner: `TEXT_MESSAGE_CHUNK` is tagged with subagent `u`, but another owner sent the first chunk of its item
    7 chunk-repeat: `TOOL_CALL_CHUNK` for `c` has the `toolCallName` `g`, but the first chunk of `c` had `f`
    7 chunk-repeat: `TOOL_CALL_CHUNK` for `c` has the `parentMessageId` `it's`, but the first chunk of `c` had none
    ");
}

#[test]
fn mixed_forms() {
    assert_snapshot!(run("TEXT_MESSAGE_CHUNK messageId=m delta=x
        TEXT_MESSAGE_CONTENT messageId=m delta=y
        TEXT_MESSAGE_END messageId=m"), @"
    2 chunk-mixed: `TEXT_MESSAGE_CONTENT` for text message `m`, which is sent as chunks
    3 chunk-mixed: `TEXT_MESSAGE_END` for text message `m`, which is sent as chunks
    ");
    assert_snapshot!(run("TOOL_CALL_START toolCallId=c toolCallName=a
        TOOL_CALL_CHUNK toolCallId=c toolCallName=a delta=x
        TOOL_CALL_END toolCallId=c"), @"
    2 chunk-mixed: `TOOL_CALL_CHUNK` for tool call `c`, which was begun with `TOOL_CALL_START`
    3 chunk-mixed: `TOOL_CALL_END` for tool call `c`, which is sent as chunks
    ");
    // The tag is left out, so the lane of the subagent stays open until the end.
    assert_snapshot!(run("TEXT_MESSAGE_CHUNK messageId=m delta=x subagentRunId=s
        TEXT_MESSAGE_END messageId=m"), @"3 chunk-mixed: `RUN_FINISHED` ends a text message that was sent as chunks and has ended already");
}

#[test]
fn open_at_the_end() {
    assert_snapshot!(run("SUBAGENT_STARTED subagentRunId=s name=n
        TOOL_CALL_START toolCallId=c toolCallName=a
        TEXT_MESSAGE_START messageId=it's"), @"4 open-at-finish: `RUN_FINISHED` while this is open: text message `it's`, tool call `c`, subagent `s`");
}

#[test]
fn what_is_malformed_is_not_told_again() {
    assert_snapshot!(whole(r#"RUN_STARTED threadId=- runId=7
        TOOL_CALL_START toolCallId=c parentMessageId=3
        TOOL_CALL_END toolCallId=c
        SUBAGENT_STARTED subagentRunId=s
        SUBAGENT_ERROR subagentRunId=s
        SUBAGENT_STARTED name=n
        TEXT_MESSAGE_CONTENT delta=x
        RUN_FINISHED runId=-"#), @"");
}
