//! The shapes of the files: one table, from which the parser knows the keys and editors get their JSON Schema.

mod a2a_shapes;
mod a2a_turn_shapes;
mod agent_shapes;
mod assert_shapes;
mod auth_shapes;
mod case_shapes;
mod chat_shapes;
mod check_shapes;
mod config_shapes;
mod conform_shapes;
mod context_shapes;
mod identity_shapes;
mod json_schema;
mod judge_shapes;
mod mcp_shapes;
mod mcp_turn_shapes;
mod message_shapes;
mod script_check_shapes;
mod script_shapes;
mod shape;
mod target_fields;
mod target_shapes;
mod task_shapes;
mod test_shapes;
#[cfg(test)]
mod tests;

pub(crate) use a2a_shapes::{A2A_BINDINGS, A2A_TARGET, CALL_RULE};
pub(crate) use a2a_turn_shapes::{SEND_PART, TURN_SEND};
pub(crate) use agent_shapes::{ASSISTANT_TARGET, COMMAND_TARGET, SCRIPTED_TARGET, TARGET_TYPES};
pub(crate) use assert_shapes::{
    ASSERT, COUNT, FORBID_CALL, INHERIT, PROTOCOL, REQUIRE, SNAPSHOT, SNAPSHOT_PARTS, TEXT, TIMING,
    TOOLS,
};
pub(crate) use auth_shapes::{
    AUTH_API_KEY, AUTH_BASIC, AUTH_BEARER, AUTH_MTLS, AUTH_OAUTH2, AUTH_SCHEMES, KEY_PLACES,
};
pub(crate) use case_shapes::{CASE, CHECKPOINT, MOST_TURNS, OPTIONS, OPTIONS_SKIP, SIMULATOR};
pub(crate) use chat_shapes::{
    CONNECTOR, CONNECTOR_TYPES, KEY_HEADER, MAX_RETRIES, OPENAI_TARGET, PROMPT, PROMPT_ROLES,
};
pub(crate) use check_shapes::{
    CALLED_VALUE, CHECK_CONTAINS, CHECK_EQUALS, CHECK_JSON_PATH, CHECK_NOT_CONTAINS, CHECK_REGEX,
    CHECK_TOOL_CALLED, CHECK_TOOL_RESULT, CHECK_TYPE, CHECK_TYPES, JSON_TYPES, RESULT_VALUE,
};
pub(crate) use config_shapes::{BUNDLE, CONFIG, SERVER};
pub(crate) use conform_shapes::{
    ABORT_SCENARIO, BASELINE, CALL_SCENARIO, CONFORM, INTERRUPT_SCENARIO, KNOWN_FAILURE,
    OFFERED_TOOL, PROFILES, SCENARIO, SCENARIOS, SEVERITIES,
};
pub(crate) use context_shapes::{AUTHORIZED, CLIENT, CONSTRAINTS, CONTEXT_FILE};
pub(crate) use identity_shapes::IDENTITY;
pub use json_schema::{SchemaKind, schema};
pub(crate) use judge_shapes::{CHECK_AGENT, JUDGE, JUDGE_OPTIONS};
pub(crate) use mcp_shapes::{
    ELICIT_ACTIONS, ELICITATION, ISOLATIONS, MCP_TARGET, ROOT, SAMPLING, TRANSPORTS, USER_TOOL,
};
pub(crate) use mcp_turn_shapes::{LISTED, TURN_CALL, TURN_LIST, TURN_PROMPT, TURN_READ};
pub(crate) use message_shapes::{
    FILE, IMAGE_URL, INPUT_AUDIO, MESSAGE, PART_AUDIO, PART_DOCUMENT, PART_FILE, PART_IMAGE,
    PART_IMAGE_URL, PART_INPUT_AUDIO, PART_TEXT, PART_TYPES, PART_VIDEO, ROLES, SOURCE,
    SOURCE_TYPES, TOOL_CALL, TOOL_FUNCTION,
};
pub(crate) use script_check_shapes::{
    CHECK_SCRIPT, SCRIPT_DEMAND, SCRIPT_OPTIONS, SCRIPT_TARGET, SCRIPTS,
};
pub(crate) use script_shapes::{INLINE_SCRIPT, NAMED_STEPS, SCRIPT, STEP, STEP_WORDS};
pub(crate) use shape::{FieldKind, Shape};
pub(crate) use target_fields::{CLIENT_TOOL, CONTEXT, LIMITS, TLS};
pub(crate) use target_shapes::{CLOCK, ENCODING, ENVELOPE, ERA, HISTORY, TARGET};
pub(crate) use task_shapes::{ARTIFACT, ARTIFACTS, CARD, TASK};
pub(crate) use test_shapes::{
    HOOK, RESUME_STATUS, TEST, TURN_CONNECT, TURN_RESUME, TURN_TYPES, TURN_USER,
};
