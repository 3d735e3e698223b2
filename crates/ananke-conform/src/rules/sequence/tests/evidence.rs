//! A rule that had nothing to look at says so.

use insta::assert_snapshot;

use super::{look, read};
use crate::exchange::Ending;
use crate::rule::Profile;
use crate::rules::sequence::RULES;

fn seen(text: &str, ending: Ending) -> String {
    let mut exchange = read(text);
    exchange.answer.ending = ending;
    let found = look(&exchange, Profile::V1);
    let rules = RULES.iter().copied().flatten();
    let seen = rules.filter(|rule| found.has_seen(rule.id));
    let names = seen.map(|rule| rule.id.trim_start_matches("sequence."));
    names.collect::<Vec<_>>().join(", ")
}

#[test]
fn only_what_was_there_is_evidence() {
    assert_snapshot!(seen("RUN_STARTED\nTEXT_MESSAGE_START messageId=m\nTEXT_MESSAGE_END messageId=m\nRUN_FINISHED", Ending::Closed), @"first-event, after-finish, nested-run, terminal, run-id, thread-id, finish-ids, version, version-grammar, version-major, text-start, text-open, open-at-finish");
    assert_snapshot!(seen("RUN_STARTED protocolVersion=-\nTEXT_MESSAGE_CHUNK messageId=m\nTEXT_MESSAGE_CHUNK delta=x\nRUN_ERROR message=no", Ending::Closed), @"first-event, after-error, nested-run, terminal, run-id, thread-id, version, chunk-first, chunk-ambiguous, chunk-mixed");
    assert_snapshot!(seen("RUN_ERROR message=no", Ending::GivenUp("enough".to_owned())), @"first-event");
    assert_snapshot!(seen("", Ending::GivenUp("enough".to_owned())), @"");
    assert_snapshot!(seen("RUN_STARTED
        SUBAGENT_STARTED subagentRunId=s name=n
        TEXT_MESSAGE_CHUNK messageId=m subagentRunId=s
        TEXT_MESSAGE_CHUNK messageId=m subagentRunId=s role=assistant
        TOOL_CALL_CHUNK toolCallId=c toolCallName=a parentMessageId=m subagentRunId=s
        STEP_STARTED stepName=a subagentRunId=s", Ending::GivenUp("enough".to_owned())), @"first-event, nested-run, run-id, thread-id, version, version-grammar, version-major, call-owner, step, subagent-start, null-owner, chunk-first, chunk-repeat, chunk-owner, chunk-mixed");
}
