//! From the JSON of either version to an event. Members that are missing are taken as their defaults, which the JSON of
//! Protocol Buffers leaves out.

use serde_json::{Map, Value};

use super::event::{Artifact, ArtifactUpdate, Event, Message, State, Status, StatusUpdate, Task};
use super::part::Part;
use super::version::Form;

/// An event, and what is odd about it.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) event: Event,
    /// Whether it has another form than was expected.
    pub(crate) is_other_form: bool,
    /// A state that no version knows.
    pub(crate) unknown_state: Option<String>,
}

/// Reads an event of either version, most likely in `form`; says why it is none.
pub(crate) fn decode(value: &Value, form: Form) -> Result<Decoded, String> {
    if !value.is_object() {
        return Err("it is not an object".to_owned());
    }
    let is_named = form == Form::Named;
    let (mut event, is_other_form) = match value["kind"].as_str() {
        Some(kind) => (named(kind, value)?, !is_named),
        None => match wrapped(value) {
            Some(event) => (event, is_named),
            None => (guessed(value)?, false),
        },
    };
    if form == Form::Proto {
        event.parts_mut().for_each(Part::unwrap_data);
    }
    let status = match &event {
        Event::Task(_) => Some(inner(value, &["task"])),
        Event::Status(_) => Some(inner(value, &["statusUpdate", "status_update"])),
        Event::Message(_) | Event::Artifact(_) => None,
    };
    let state = status.and_then(|holder| holder["status"]["state"].as_str());
    let unknown_state = state.filter(|state| State::read(state).is_none());
    Ok(Decoded {
        event,
        is_other_form,
        unknown_state: unknown_state.map(|state| state.chars().take(100).collect()),
    })
}

/// Returns the member under one of the names, or the value itself.
fn inner<'a>(value: &'a Value, names: &[&str]) -> &'a Value {
    let found = names.iter().find_map(|name| value.get(*name));
    found.filter(|inner| inner.is_object()).unwrap_or(value)
}

/// 0.3: what it is, is said by `kind`.
fn named(kind: &str, value: &Value) -> Result<Event, String> {
    match kind {
        "task" => Ok(Event::Task(task(value))),
        "message" => Ok(Event::Message(message(value))),
        "status-update" => Ok(Event::Status(status_update(value))),
        "artifact-update" => Ok(Event::Artifact(artifact_update(value))),
        other => {
            let shown: String = other.chars().take(100).collect();
            Err(format!("its kind is `{shown}`, which is not known"))
        }
    }
}

/// 1.0: what it is, is said by the name of its only member.
fn wrapped(value: &Value) -> Option<Event> {
    type Read = fn(&Value) -> Event;
    let kinds: [(&str, Read); 7] = [
        ("task", |value| Event::Task(task(value))),
        ("message", |value| Event::Message(message(value))),
        ("msg", |value| Event::Message(message(value))),
        ("statusUpdate", |value| Event::Status(status_update(value))),
        ("status_update", |value| Event::Status(status_update(value))),
        ("artifactUpdate", |value| {
            Event::Artifact(artifact_update(value))
        }),
        ("artifact_update", |value| {
            Event::Artifact(artifact_update(value))
        }),
    ];
    kinds.into_iter().find_map(|(name, read)| {
        let inner = value.get(name).filter(|inner| inner.is_object())?;
        Some(read(inner))
    })
}

/// A task that was asked for comes bare.
fn guessed(value: &Value) -> Result<Event, String> {
    if value["artifact"].is_object() {
        Ok(Event::Artifact(artifact_update(value)))
    } else if value["status"].is_object() && value["id"].is_string() {
        Ok(Event::Task(task(value)))
    } else if value["status"].is_object() {
        Ok(Event::Status(status_update(value)))
    } else if value["parts"].is_array() || value["content"].is_array() {
        Ok(Event::Message(message(value)))
    } else {
        let members = value.as_object().into_iter().flat_map(Map::keys);
        let names: Vec<String> = members.take(8).map(|name| format!("`{name}`")).collect();
        let names = if names.is_empty() {
            "no member".to_owned()
        } else {
            names.join(", ")
        };
        Err(format!(
            "expected a task, a message, a status or an artifact, got {names}"
        ))
    }
}

fn task(value: &Value) -> Task {
    Task {
        id: text(value, "id"),
        context_id: text(value, "contextId"),
        status: status(&value["status"]),
        artifacts: list(&value["artifacts"]).map(artifact).collect(),
        history: list(&value["history"]).map(message).collect(),
        metadata: value["metadata"].clone(),
    }
}

fn status(value: &Value) -> Status {
    let state = value["state"].as_str().unwrap_or_default();
    Status {
        state: State::read(state).unwrap_or(State::Unknown),
        message: value["message"]
            .is_object()
            .then(|| message(&value["message"])),
        timestamp: value["timestamp"].as_str().map(str::to_owned),
    }
}

fn status_update(value: &Value) -> StatusUpdate {
    StatusUpdate {
        task_id: text(value, "taskId"),
        context_id: text(value, "contextId"),
        status: status(&value["status"]),
        metadata: value["metadata"].clone(),
    }
}

fn artifact_update(value: &Value) -> ArtifactUpdate {
    ArtifactUpdate {
        task_id: text(value, "taskId"),
        context_id: text(value, "contextId"),
        artifact: artifact(&value["artifact"]),
        is_append: value["append"] == true,
        metadata: value["metadata"].clone(),
    }
}

fn artifact(value: &Value) -> Artifact {
    let named = |name: &str| value[name].as_str().filter(|text| !text.is_empty());
    Artifact {
        id: text(value, "artifactId"),
        name: named("name").map(str::to_owned),
        description: named("description").map(str::to_owned),
        parts: list(&value["parts"]).map(Part::read).collect(),
        metadata: value["metadata"].clone(),
    }
}

fn message(value: &Value) -> Message {
    let role = value["role"].as_str().unwrap_or_default();
    let parts = if value["parts"].is_array() {
        &value["parts"]
    } else {
        &value["content"]
    };
    let mut parts: Vec<Part> = list(parts).map(Part::read).collect();
    if is_reasoning(&value["metadata"]) {
        parts.iter_mut().for_each(Part::mark_thought);
    }
    Message {
        id: text(value, "messageId"),
        context_id: text(value, "contextId"),
        task_id: text(value, "taskId"),
        is_users: matches!(role, "user" | "ROLE_USER"),
        parts,
        metadata: value["metadata"].clone(),
    }
}

/// Tells whether a message as a whole is a thought: its metadata has `agno_content_category`, with whatever prefix.
fn is_reasoning(metadata: &Value) -> bool {
    let mut marks = metadata.as_object().into_iter().flatten();
    marks.any(|(name, value)| name.ends_with("content_category") && *value == "reasoning")
}

/// Returns a member that is text; drafts spelled names with underscores.
fn text(value: &Value, name: &str) -> String {
    let found = value[name].as_str().map(str::to_owned);
    found.unwrap_or_else(|| {
        let mut snake = String::new();
        for letter in name.chars() {
            if letter.is_ascii_uppercase() {
                snake.push('_');
            }
            snake.push(letter.to_ascii_lowercase());
        }
        value[snake.as_str()]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    })
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
