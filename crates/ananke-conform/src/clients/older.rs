//! How `@ag-ui/client` 0.0.59 takes an event: as our shape rules for servers before 1.0 want it. They are made by it.

use serde_json::Value;

use super::reading::Taken;
use crate::rule::Profile;
use crate::rules::shape::check_event;

/// Takes an event. None is dropped: a type that it does not know ends the run.
pub(super) fn take(event: &Value) -> Taken {
    if let Some((_, message)) = check_event(event, Profile::Old).into_iter().next() {
        return Taken::Refused(message);
    }
    let mut read = event.clone();
    let is_absent = |name: &str, value: &Value| match name {
        "parentMessageId" | "outcome" => value.is_null(),
        // Events that have no owner may carry one, of any kind; only null is looked for.
        "subagentRunId" => !value.is_string() && !value.is_null(),
        _ => false,
    };
    if let Value::Object(members) = &mut read {
        members.retain(|name, value| !is_absent(name, value));
    }
    Taken::Event(read)
}
