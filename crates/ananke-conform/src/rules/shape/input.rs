//! `RunAgentInput`: what is sent to an agent, and what `RUN_STARTED` may repeat.

use serde_json::Value;

use super::described::{Kind, Object, closed, late, once_required, optional, required};
use super::messages::MESSAGE;
use super::walk::Walk;
use crate::rule::Profile;

/// Returns what is wrong with a request; nothing if every server of the profile can read it.
pub fn check_input(input: &Value, profile: Profile) -> Vec<String> {
    static WHOLE: Kind = Kind::Object(&RUN_INPUT);
    let mut walk = Walk::of_request(profile);
    walk.kind(&WHOLE, input);
    walk.into_messages()
}

/// The request. Packages before 1.0 wanted nearly all of it.
pub(super) static RUN_INPUT: Object = closed(
    "`RunAgentInput`",
    &[&[
        required("threadId", Kind::Text),
        required("runId", Kind::Text),
        required("messages", Kind::List(&MESSAGE)),
        late("protocolVersion", Kind::Text),
        optional("parentRunId", Kind::Text),
        once_required("state", OPEN),
        once_required("tools", Kind::List(&Kind::Object(&TOOL))),
        once_required("context", Kind::List(&Kind::Object(&CONTEXT))),
        once_required("forwardedProps", OPEN),
        optional("resume", Kind::List(&Kind::Object(&RESUME_ENTRY))),
    ]],
);

const OPEN: Kind = Kind::Changed {
    old: &Kind::Anything,
    v1: &Kind::Value,
};

/// A tool that the application offers, or that the agent says it has.
pub(super) static TOOL: Object = closed(
    "a tool",
    &[&[
        required("name", Kind::Text),
        required("description", Kind::Text),
        optional("parameters", Kind::Value),
        optional("metadata", Kind::Data),
    ]],
);

static CONTEXT: Object = closed(
    "a context entry",
    &[&[
        required("description", Kind::Text),
        required("value", Kind::Text),
    ]],
);

static RESUME_ENTRY: Object = closed(
    "a resume entry",
    &[&[
        required("interruptId", Kind::Text),
        required("status", Kind::OneOf(&["resolved", "cancelled"])),
        optional("payload", Kind::Value),
        optional("metadata", Kind::Data),
    ]],
);
