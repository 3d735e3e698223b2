//! How runs and subagents end: outcomes, interrupts, token usage.

use super::described::{
    COUNT, Kind, Object, Union, Variant, When, always_closed, closed, late, optional, required,
    variant,
};

/// How a run ended.
pub(super) static RUN_OUTCOME: Union = Union {
    by: "type",
    variants: &[
        variant(
            "success",
            &always_closed(
                "the outcome `success`",
                &[&[late("pendingToolCallIds", Kind::List(&Kind::Text))]],
            ),
        ),
        variant(
            "interrupt",
            &always_closed(
                "the outcome `interrupt`",
                &[&[required(
                    "interrupts",
                    Kind::NotEmpty(&Kind::Object(&INTERRUPT)),
                )]],
            ),
        ),
        Variant {
            tag: "cancelled",
            object: &closed("the outcome `cancelled`", &[]),
            when: When::Since1,
        },
    ],
};

/// How a subagent ended.
pub(super) static SUBAGENT_OUTCOME: Union = Union {
    by: "type",
    variants: &[
        variant("success", &always_closed("the outcome `success`", &[])),
        variant(
            "suspended",
            &always_closed(
                "the outcome `suspended`",
                &[&[optional("interruptIds", Kind::List(&Kind::Text))]],
            ),
        ),
    ],
};

static INTERRUPT: Object = closed(
    "an interrupt",
    &[&[
        required("id", Kind::Text),
        required("reason", Kind::Text),
        optional("message", Kind::Text),
        optional("toolCallId", Kind::Text),
        optional("responseSchema", Kind::Data),
        optional("expiresAt", Kind::Text),
        optional("metadata", Kind::Data),
        optional("subagentRunId", Kind::Text),
    ]],
);

/// Token counts by provider and model.
pub(super) const USAGE: Kind = Kind::List(&Kind::Object(&TOKEN_USAGE));

static TOKEN_USAGE: Object = closed(
    "a usage entry",
    &[&[
        optional("provider", Kind::Text),
        optional("model", Kind::Text),
        optional("inputTokens", COUNT),
        optional("outputTokens", COUNT),
        optional("totalTokens", COUNT),
        optional("reasoningTokens", COUNT),
        optional("cachedInputTokens", COUNT),
        late("cacheWriteInputTokens", COUNT),
    ]],
);
