//! `AgentCapabilities`: what an agent says about itself. All of it is optional.

use serde_json::Value;

use super::described::{COUNT, Kind, Member, Object, closed, optional, required};
use super::input::TOOL;
use super::walk::Walk;
use crate::rule::Profile;

/// Returns what is wrong with a capability document.
pub fn check_capabilities(capabilities: &Value) -> Vec<String> {
    static WHOLE: Kind = Kind::Object(&CAPABILITIES);
    // Packages before 1.0 had none, so there is one way to read them.
    let mut walk = Walk::new(Profile::V1);
    walk.kind(&WHOLE, capabilities);
    walk.into_messages()
}

static CAPABILITIES: Object = closed(
    "`AgentCapabilities`",
    &[&[
        optional("identity", Kind::Object(&IDENTITY)),
        optional("transport", Kind::Object(&TRANSPORT)),
        optional("tools", Kind::Object(&TOOLS)),
        optional("output", Kind::Object(&OUTPUT)),
        optional("state", Kind::Object(&STATE)),
        optional("multiAgent", Kind::Object(&MULTI_AGENT)),
        optional("reasoning", Kind::Object(&REASONING)),
        optional("multimodal", Kind::Object(&MULTIMODAL)),
        optional("execution", Kind::Object(&EXECUTION)),
        optional("humanInTheLoop", Kind::Object(&HUMAN_IN_THE_LOOP)),
        optional("custom", Kind::Data),
    ]],
);

static IDENTITY: Object = closed(
    "`identity`",
    &[&[
        optional("name", Kind::Text),
        optional("type", Kind::Text),
        optional("description", Kind::Text),
        optional("version", Kind::Text),
        optional("provider", Kind::Text),
        optional("documentationUrl", Kind::Text),
        optional("metadata", Kind::Data),
    ]],
);

static TRANSPORT: Object = closed(
    "`transport`",
    &[&[
        flag("streaming"),
        flag("websocket"),
        flag("httpBinary"),
        flag("pushNotifications"),
        flag("resumable"),
    ]],
);

static TOOLS: Object = closed(
    "`tools`",
    &[&[
        flag("supported"),
        optional("items", Kind::List(&Kind::Object(&TOOL))),
        flag("parallelCalls"),
        flag("clientProvided"),
    ]],
);

static OUTPUT: Object = closed(
    "`output`",
    &[&[
        flag("structuredOutput"),
        optional("supportedMimeTypes", Kind::List(&Kind::Text)),
    ]],
);

static STATE: Object = closed(
    "`state`",
    &[&[
        flag("snapshots"),
        flag("deltas"),
        flag("memory"),
        flag("persistentState"),
    ]],
);

static MULTI_AGENT: Object = closed(
    "`multiAgent`",
    &[&[
        flag("supported"),
        flag("delegation"),
        flag("handoffs"),
        optional("subagents", Kind::List(&Kind::Object(&SUBAGENT))),
    ]],
);

static SUBAGENT: Object = closed(
    "a subagent",
    &[&[
        required("name", Kind::Text),
        optional("description", Kind::Text),
    ]],
);

static REASONING: Object = closed(
    "`reasoning`",
    &[&[flag("supported"), flag("streaming"), flag("encrypted")]],
);

static MULTIMODAL: Object = closed(
    "`multimodal`",
    &[&[
        optional("input", Kind::Object(&MULTIMODAL_INPUT)),
        optional("output", Kind::Object(&MULTIMODAL_OUTPUT)),
    ]],
);

static MULTIMODAL_INPUT: Object = closed(
    "`multimodal.input`",
    &[&[
        flag("image"),
        flag("audio"),
        flag("video"),
        flag("pdf"),
        flag("file"),
    ]],
);

static MULTIMODAL_OUTPUT: Object =
    closed("`multimodal.output`", &[&[flag("image"), flag("audio")]]);

static EXECUTION: Object = closed(
    "`execution`",
    &[&[
        flag("codeExecution"),
        flag("sandboxed"),
        optional("maxIterations", COUNT),
        optional("maxExecutionTime", COUNT),
    ]],
);

static HUMAN_IN_THE_LOOP: Object = closed(
    "`humanInTheLoop`",
    &[&[
        flag("supported"),
        flag("approvals"),
        flag("interventions"),
        flag("feedback"),
        flag("interrupts"),
        flag("approveWithEdits"),
    ]],
);

const fn flag(name: &'static str) -> Member {
    optional(name, Kind::Truth)
}
