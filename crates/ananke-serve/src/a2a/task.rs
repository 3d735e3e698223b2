//! A task: what of its timeline is due.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::timeline::Timeline;

/// How a task is written inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As in 1.0.
    New,
    /// As in 0.3: it was recorded so.
    Old,
}

/// A task, from the message that began it or went on with it.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) id: String,
    pub(super) context: String,
    /// How the task and its events are written.
    pub(super) form: Form,
    /// The task as it was before its timeline.
    pub(super) before: Value,
    pub(super) timeline: Timeline,
    pub(super) started: Instant,
    /// When it was canceled, if it was.
    canceled: OnceLock<Duration>,
    /// Wakes those who wait for what comes next.
    pub(super) cancel: CancellationToken,
}

/// Tells whether nothing follows a state.
pub(super) fn is_terminal(state: &str) -> bool {
    let ends = ["COMPLETED", "FAILED", "CANCELED", "REJECTED"];
    ends.iter().any(|end| state.ends_with(end))
}

impl Task {
    pub(super) fn new(id: String, context: String, before: Value, timeline: Timeline) -> Self {
        Self {
            id,
            context,
            form: Form::New,
            before,
            timeline,
            started: Instant::now(),
            canceled: OnceLock::new(),
            cancel: CancellationToken::new(),
        }
    }

    /// Returns the same task, written in another form.
    pub(super) fn in_form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    /// Returns how large it is, about.
    pub(super) fn n_bytes(&self) -> usize {
        let events = self.timeline.events.iter();
        let n_bytes: usize = events.map(|(_, event)| event.to_string().len()).sum();
        n_bytes + self.before.to_string().len()
    }

    /// Returns the answer to the message that began it or went on with it: the task, or what came in place of it.
    pub(super) fn answer(&self, time: Duration) -> Value {
        let last = self
            .timeline
            .events
            .iter()
            .rev()
            .find(|(at, _)| *at <= time);
        match last {
            Some((_, event)) if event.get("message").is_some() || event.get("error").is_some() => {
                event.clone()
            }
            _ => json!({"task": self.at(time)}),
        }
    }

    /// Returns the task as it is now.
    pub(super) fn now(&self) -> Value {
        self.at(self.started.elapsed())
    }

    pub(super) fn state(&self) -> String {
        let now = self.now();
        now["status"]["state"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Ends the task, unless it is over. Tells whether it did.
    pub(super) fn cancel(&self) -> bool {
        if is_terminal(&self.state()) {
            return false;
        }
        let is_first = self.canceled.set(self.started.elapsed()).is_ok();
        self.cancel.cancel();
        is_first
    }

    /// Returns the word that the task was canceled, if it was.
    pub(super) fn canceled(&self) -> Option<Value> {
        self.canceled.get()?;
        let update = json!({
            "taskId": self.id,
            "contextId": self.context,
            "status": {"state": "TASK_STATE_CANCELED"},
        });
        Some(json!({"statusUpdate": update}))
    }

    fn at(&self, time: Duration) -> Value {
        let mut task = self.before.clone();
        let until = self
            .canceled
            .get()
            .map_or(time, |canceled| time.min(*canceled));
        let due = self.timeline.events.iter().filter(|(at, _)| *at <= until);
        for (_, event) in due {
            fold(&mut task, event);
        }
        if let Some(canceled) = self.canceled() {
            fold(&mut task, &canceled);
        }
        task
    }
}

/// Adds an event to a task, both in the form of 1.0.
pub(super) fn fold(task: &mut Value, event: &Value) {
    if let Some(whole) = event.get("task") {
        *task = whole.clone();
    }
    if let Some(update) = event.get("statusUpdate") {
        let old = std::mem::replace(&mut task["status"], update["status"].clone());
        if let Some(message) = old.get("message") {
            push(&mut task["history"], message.clone());
        }
    }
    let Some(update) = event.get("artifactUpdate") else {
        return;
    };
    let artifact = &update["artifact"];
    let known = task.get_mut("artifacts").and_then(Value::as_array_mut);
    let mut known = known.into_iter().flatten();
    let known = known.find(|known| known["artifactId"] == artifact["artifactId"]);
    match known {
        Some(known) if update["append"] == true => {
            for part in artifact["parts"].as_array().into_iter().flatten() {
                push(&mut known["parts"], part.clone());
            }
        }
        Some(known) => *known = artifact.clone(),
        None => push(&mut task["artifacts"], artifact.clone()),
    }
}

fn push(list: &mut Value, value: Value) {
    match list {
        Value::Array(list) => list.push(value),
        other => *other = json!([value]),
    }
}
