//! The shapes of the files: one table, from which the parser knows the keys and editors get their JSON Schema.

mod assert_shapes;
mod config_shapes;
mod json_schema;
mod script_shapes;
mod shape;
mod target_shapes;
mod test_shapes;
#[cfg(test)]
mod tests;

pub(crate) use assert_shapes::{
    ASSERT, COUNT, FORBID_CALL, INHERIT, PROTOCOL, REQUIRE, SNAPSHOT, SNAPSHOT_PARTS, TEXT, TIMING,
    TOOLS,
};
pub(crate) use config_shapes::{BUNDLE, CONFIG, SERVER};
pub use json_schema::{SchemaKind, schema};
pub(crate) use script_shapes::{NAMED_STEPS, SCRIPT, STEP, STEP_WORDS};
pub(crate) use shape::{FieldKind, Shape};
pub(crate) use target_shapes::{
    CLIENT_TOOL, CLOCK, CONTEXT, ENCODING, ENVELOPE, ERA, HISTORY, LIMITS, TARGET, TLS,
};
pub(crate) use test_shapes::{
    HOOK, RESUME_STATUS, TEST, TURN_CONNECT, TURN_RESUME, TURN_TYPES, TURN_USER,
};
