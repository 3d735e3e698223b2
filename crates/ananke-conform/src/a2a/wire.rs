//! What the versions 1.0 and 0.3 call things.

use serde_json::Value;

use crate::rule::Profile;

/// What comes back from a message, or in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Task,
    Message,
    Status,
    Artifact,
}

impl Kind {
    /// Returns its name in messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Message => "message",
            Self::Status => "status update",
            Self::Artifact => "artifact update",
        }
    }
}

const KINDS: [(Kind, &str, &str); 4] = [
    (Kind::Task, "task", "task"),
    (Kind::Message, "message", "message"),
    (Kind::Status, "statusUpdate", "status-update"),
    (Kind::Artifact, "artifactUpdate", "artifact-update"),
];

/// Where a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Running,
    Interrupted,
    Terminal,
}

/// Tells whether a profile is about 1.0.
pub(super) fn is_new(profile: Profile) -> bool {
    profile == Profile::A2a
}

/// Returns what a result is, and its content; says what is wrong if it is nothing that there is.
pub(super) fn kind(result: &Value, is_new: bool) -> Result<(Kind, &Value), String> {
    if !is_new {
        let Some(word) = result.get("kind") else {
            return Err("it has no `kind`".to_owned());
        };
        let known = KINDS.iter().find(|(_, _, old)| word == *old);
        return match known {
            Some((kind, _, _)) => Ok((*kind, result)),
            None => Err(format!("its `kind` is {word}")),
        };
    }
    let mut there = KINDS
        .iter()
        .filter_map(|(kind, name, _)| Some((*kind, result.get(name)?)));
    match (there.next(), there.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => Err("it has more than one of them".to_owned()),
        (None, _) => Err(match result.as_object() {
            Some(members) if members.is_empty() => "it is empty".to_owned(),
            Some(members) => {
                let names: Vec<&str> = members.keys().map(String::as_str).take(8).collect();
                format!("its members are `{}`", names.join("`, `"))
            }
            None => format!("it is {}", crate::rpc::shown(result)),
        }),
    }
}

/// Returns where a task stands by the name of its state; `None` for a name that there is not.
pub(super) fn standing(state: &str, is_new: bool) -> Option<Standing> {
    let word = match is_new {
        true => state.strip_prefix("TASK_STATE_")?.replace('_', "-"),
        false => state.to_owned(),
    };
    let has_case = |c: char| match is_new {
        true => c.is_ascii_lowercase(),
        false => c.is_ascii_uppercase(),
    };
    if word.chars().any(has_case) {
        return None;
    }
    match word.to_ascii_lowercase().as_str() {
        "submitted" | "working" => Some(Standing::Running),
        "unknown" if !is_new => Some(Standing::Running),
        "completed" | "failed" | "canceled" | "rejected" => Some(Standing::Terminal),
        "input-required" | "auth-required" => Some(Standing::Interrupted),
        _ => None,
    }
}

/// Returns the state of a task or a status update.
pub(super) fn state(content: &Value) -> Option<&str> {
    content.get("status")?.get("state")?.as_str()
}

/// Returns the id of the task that a part of a stream is about.
pub(super) fn task_id(kind: Kind, content: &Value) -> Option<&str> {
    let name = match kind {
        Kind::Task => "id",
        _ => "taskId",
    };
    content.get(name)?.as_str()
}

/// Returns the texts of parts, joined.
pub(super) fn text_of(parts: &Value) -> String {
    let parts = parts.as_array().into_iter().flatten();
    let texts = parts.filter_map(|part| part.get("text")?.as_str());
    texts.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Kind, Standing, kind, standing};

    #[test]
    fn both_versions_have_their_own_names() {
        assert_eq!(
            standing("TASK_STATE_INPUT_REQUIRED", true),
            Some(Standing::Interrupted)
        );
        assert_eq!(standing("completed", false), Some(Standing::Terminal));
        assert_eq!(standing("completed", true), None);
        assert_eq!(standing("COMPLETED", false), None);
        assert_eq!(standing("TASK_STATE_completed", true), None);
        let task = json!({"task": {"id": "t"}});
        assert_eq!(kind(&task, true), Ok((Kind::Task, &json!({"id": "t"}))));
        assert!(kind(&task, false).is_err());
        assert!(kind(&json!({"task": {}, "message": {}}), true).is_err());
        let old = json!({"kind": "status-update"});
        assert_eq!(kind(&old, false), Ok((Kind::Status, &old)));
    }
}
