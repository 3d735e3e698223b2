//! Events of state, messages and activity, and those that carry what is no part of the protocol.

use super::described::{Kind, Object, closed, newly_required, optional, required};
use super::envelope::{BASE, OWNER};
use super::messages::MESSAGE;
use super::patch::PATCH;

pub(super) static STATE_SNAPSHOT: Object = closed(
    "`STATE_SNAPSHOT`",
    &[BASE, OWNER, &[newly_required("snapshot", Kind::Anything)]],
);

pub(super) static STATE_DELTA: Object =
    closed("`STATE_DELTA`", &[BASE, OWNER, &[required("delta", PATCH)]]);

pub(super) static MESSAGES_SNAPSHOT: Object = closed(
    "`MESSAGES_SNAPSHOT`",
    &[BASE, &[required("messages", Kind::List(&MESSAGE))]],
);

pub(super) static ACTIVITY_SNAPSHOT: Object = closed(
    "`ACTIVITY_SNAPSHOT`",
    &[
        BASE,
        OWNER,
        &[
            required("messageId", Kind::Text),
            required("activityType", Kind::Text),
            required("content", Kind::Data),
            optional("replace", Kind::Truth),
        ],
    ],
);

pub(super) static ACTIVITY_DELTA: Object = closed(
    "`ACTIVITY_DELTA`",
    &[
        BASE,
        OWNER,
        &[
            required("messageId", Kind::Text),
            required("activityType", Kind::Text),
            required("patch", PATCH),
        ],
    ],
);

pub(super) static RAW: Object = closed(
    "`RAW`",
    &[
        BASE,
        OWNER,
        &[
            newly_required("event", Kind::Anything),
            optional("source", Kind::Text),
        ],
    ],
);

pub(super) static CUSTOM: Object = closed(
    "`CUSTOM`",
    &[
        BASE,
        OWNER,
        &[
            required("name", Kind::Text),
            newly_required("value", Kind::Anything),
        ],
    ],
);
