//! Events of runs, steps and subagents.

use super::described::{Kind, Member, Object, closed, late, once_nullable, optional, required};
use super::endings::{RUN_OUTCOME, SUBAGENT_OUTCOME, USAGE};
use super::envelope::{BASE, OWNER};
use super::input::RUN_INPUT;

pub(super) static RUN_STARTED: Object = closed(
    "`RUN_STARTED`",
    &[
        BASE,
        RUN_IDS,
        &[
            late("protocolVersion", Kind::Text),
            optional("parentRunId", Kind::Text),
            optional("input", Kind::Object(&RUN_INPUT)),
        ],
    ],
);

pub(super) static RUN_FINISHED: Object = closed(
    "`RUN_FINISHED`",
    &[
        BASE,
        RUN_IDS,
        &[
            optional("result", Kind::Value),
            once_nullable("outcome", Kind::Union(&RUN_OUTCOME)),
            optional("usage", USAGE),
        ],
    ],
);

const RUN_IDS: &[Member] = &[
    required("threadId", Kind::Text),
    required("runId", Kind::Text),
];

pub(super) static RUN_ERROR: Object = closed(
    "`RUN_ERROR`",
    &[
        BASE,
        &[
            required("message", Kind::Text),
            optional("code", Kind::Text),
            optional("usage", USAGE),
        ],
    ],
);

pub(super) const STEP: &[&[Member]] = &[BASE, OWNER, &[required("stepName", Kind::Text)]];

pub(super) static SUBAGENT_STARTED: Object = closed(
    "`SUBAGENT_STARTED`",
    &[
        BASE,
        SUBAGENT,
        &[
            required("name", Kind::Text),
            optional("description", Kind::Text),
            optional("parentSubagentRunId", Kind::Text),
            optional("parentToolCallId", Kind::Text),
            optional("parentMessageId", Kind::Text),
        ],
    ],
);

pub(super) static SUBAGENT_FINISHED: Object = closed(
    "`SUBAGENT_FINISHED`",
    &[
        BASE,
        SUBAGENT,
        &[
            optional("result", Kind::Value),
            optional("outcome", Kind::Union(&SUBAGENT_OUTCOME)),
        ],
    ],
);

pub(super) static SUBAGENT_ERROR: Object = closed(
    "`SUBAGENT_ERROR`",
    &[
        BASE,
        SUBAGENT,
        &[
            required("message", Kind::Text),
            optional("code", Kind::Text),
        ],
    ],
);

const SUBAGENT: &[Member] = &[required("subagentRunId", Kind::Text)];
