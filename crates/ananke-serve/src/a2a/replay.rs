//! Tasks that were recorded: the events as they came, with the ids of the one who asks now.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::face::{A2a, Outcome};
use super::method::{Operation, Version};
use super::parts::said_in;
use super::task::{Form, Task};
use super::timeline::Timeline;
use crate::recorded::{End, Exchange, Face, ForeignAsk, RecordedAgent, Renames, message_of};
use crate::rpc::Refused;
use crate::talk::Fault;

/// Nothing fits what was asked.
const INVALID_RESPONSE: i64 = -32006;
/// It was recorded in another version.
const VERSION_NOT_SUPPORTED: i64 = -32009;

impl A2a {
    /// Answers a message from recordings.
    pub(super) fn replayed(
        &self,
        recordings: &RecordedAgent,
        (version, operation): (Version, Operation),
        params: &Value,
        path: &str,
    ) -> Result<Outcome, Refused> {
        let message = &params["message"];
        let named = |name: &str| message[name].as_str().filter(|id| !id.is_empty());
        let context = named("contextId").map_or_else(|| self.new_context(), str::to_owned);
        let mut said = self.heard().get(&context).cloned().unwrap_or_default();
        said.push(said_in(message));
        let ask = ForeignAsk {
            face: Face::A2a,
            thread: Some(&context),
            said: &said,
            path,
        };
        let played = recordings.play(ask);
        let exchange = played.map_err(|why| Refused::new(INVALID_RESPONSE, why))?;
        let form = match exchange.foreign.version.as_str() {
            "0.3" => Form::Old,
            _ => Form::New,
        };
        if version == Version::New && form == Form::Old {
            let why = "what was said here was recorded in 0.3: ask in that version";
            return Err(Refused::new(VERSION_NOT_SUPPORTED, why));
        }
        if let (End::Http(reply), true) = (&exchange.end, exchange.events.is_empty()) {
            return Ok(Outcome::Http(reply.clone()));
        }
        let task_id = named("taskId").map_or_else(|| self.new_task(), str::to_owned);
        let old_message = message_of(&exchange.foreign.request);
        let ids = [
            (exchange.foreign.context.as_deref(), Some(context.as_str())),
            (exchange.foreign.task.as_deref(), Some(task_id.as_str())),
            (old_message["messageId"].as_str(), named("messageId")),
        ];
        let ids = ids.into_iter().filter_map(|(old, new)| Some((old?, new?)));
        let timeline = timeline(exchange, &Renames::of(ids));
        let n_bytes = said.iter().map(String::len).sum();
        self.heard().put(&context, said, n_bytes);
        let before = self.tasks().get(&task_id).map(|task| task.now());
        // A stream need not begin with its task.
        let before = before.unwrap_or_else(|| json!({"id": task_id, "contextId": context}));
        let task = Task::new(task_id, context, before, timeline);
        let task = Arc::new(task.in_form(form));
        self.keep(&task);
        let configuration = &params["configuration"];
        let is_immediate =
            configuration["returnImmediately"] == true || configuration["blocking"] == false;
        Ok(match operation {
            Operation::Stream => Outcome::Stream(task, None, None),
            _ if is_immediate => Outcome::First(task, None),
            _ => Outcome::Whole(task, None),
        })
    }
}

fn timeline(exchange: &Exchange, renames: &Renames) -> Timeline {
    let mut now = Duration::ZERO;
    let events = exchange.events.iter().map(|(pause, payload)| {
        now = now.saturating_add(*pause);
        (now, wrapped(&renames.apply(payload)))
    });
    let events = events.collect();
    Timeline {
        events,
        length: now,
        fault: match exchange.end {
            End::Reset => Some(Fault::Reset),
            End::Close => Some(Fault::Close),
            End::Stall => Some(Fault::Stall),
            End::Body | End::Http(_) => None,
        },
    }
}

/// Takes the envelope off an event, and puts it under the name of what it is. What is inside keeps its form.
fn wrapped(payload: &str) -> Value {
    let mut event: Value = serde_json::from_str(payload).unwrap_or_else(|_| payload.into());
    if let Some(error) = event.get_mut("error") {
        return json!({"error": error.take()});
    }
    if let Some(result) = event.get_mut("result") {
        event = result.take();
    }
    let name = match event["kind"].as_str() {
        Some("task") => "task",
        Some("message") => "message",
        Some("status-update") => "statusUpdate",
        Some("artifact-update") => "artifactUpdate",
        _ => {
            let names = ["task", "message", "statusUpdate", "artifactUpdate"];
            if names.iter().any(|name| event.get(*name).is_some()) {
                return event;
            }
            // A task that was asked for comes bare.
            "task"
        }
    };
    json!({name: event})
}
