//! Ids for what has none.

/// Returns a fresh id for a thread, a run or a message.
pub(crate) fn new_id() -> String {
    uuid::Uuid::new_v4().to_string()
}
