//! What results and events of streams are: tasks, messages, updates.

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::super::asked::A2aAsked;
use super::super::wire::{self, Kind as Thing, is_new};
use crate::exchange::{Exchange, Framing};
use crate::rpc::{Kind, member, replies};
use crate::rule::{Findings, Rule};

static RESULT_KIND: Rule = Rule {
    id: "a2a.result-kind",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a message is answered with a task or a message",
    reason: "A client must know whether there is a task to follow.",
    section: "Send message",
    advice: "Answer with exactly one of `task` and `message`; before 1.0 by `kind`.",
    needs: "result of a message",
};

static EVENT_KIND: Rule = Rule {
    id: "a2a.event-kind",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "every event of a stream is a task, a message, a status update or an artifact update",
    reason: "Clients decide by the kind of an event what to do with it, and many stop at one they do not know.",
    section: "Streaming events",
    advice: "Send exactly one of the four in each event.",
    needs: "event of a stream",
};

static TASK_SHAPE: Rule = Rule {
    id: "a2a.task-shape",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "tasks and updates say which task they are about, and have a status",
    reason: "Without an id a task cannot be asked for, continued or canceled.",
    section: "Task, status updates, artifact updates",
    advice: "Fill in `id` (in updates `taskId` and `contextId`) and `status.state`.",
    needs: "task",
};

static STATE_KNOWN: Rule = Rule {
    id: "a2a.state-known",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a task is in a state that there is",
    reason: "Clients wait until a state is one in which a task has ended; one they do not know never is.",
    section: "Task states",
    advice: "Use the names of the version: `TASK_STATE_COMPLETED` in 1.0, `completed` in 0.3.",
    needs: "state of a task",
};

pub(super) const RULES: &[&Rule] = &[&RESULT_KIND, &EVENT_KIND, &TASK_SHAPE, &STATE_KNOWN];

pub(super) fn look(exchange: &Exchange, asked: A2aAsked, found: &mut Findings) {
    let is_new = is_new(found.profile);
    let is_stream = exchange.answer.framing == Framing::Sse;
    for reply in replies(&exchange.answer) {
        let Some(result) = reply.result() else {
            continue;
        };
        if !asked.is_message() {
            // What is asked for is the task itself.
            if matches!(asked, A2aAsked::Get | A2aAsked::CancelFinished) {
                task(Thing::Task, result, reply.event, is_new, found);
            }
            continue;
        }
        let rule = if is_stream { &EVENT_KIND } else { &RESULT_KIND };
        found.saw(rule);
        match wire::kind(result, is_new) {
            Ok((kind, _)) if !is_stream && !matches!(kind, Thing::Task | Thing::Message) => {
                let message = format!("expected a task or a message, saw a {}", kind.name());
                found.whole(rule, message);
            }
            Ok((Thing::Message, _)) => {}
            Ok((kind, content)) => task(kind, content, reply.event, is_new, found),
            Err(why) => {
                let wanted = match is_stream {
                    true => "a task, a message, a status update or an artifact update",
                    false => "a task or a message",
                };
                found.told(rule, reply.event, format!("expected {wanted}, but {why}"));
            }
        }
    }
}

fn task(kind: Thing, content: &Value, event: Option<usize>, is_new: bool, found: &mut Findings) {
    found.saw(&TASK_SHAPE);
    let mut members = match kind {
        Thing::Task => vec![("id", Kind::Name), ("status", Kind::Object)],
        Thing::Status => vec![
            ("taskId", Kind::Name),
            ("contextId", Kind::Name),
            ("status", Kind::Object),
        ],
        _ => vec![
            ("taskId", Kind::Name),
            ("contextId", Kind::Name),
            ("artifact", Kind::Object),
        ],
    };
    // In 1.0 only updates must have it.
    if kind == Thing::Task && !is_new {
        members.push(("contextId", Kind::Name));
    }
    if kind == Thing::Status && !is_new {
        members.push(("final", Kind::Flag));
    }
    for (name, kind) in members {
        if let Some(problem) = member(content, name, kind) {
            found.told(&TASK_SHAPE, event, problem);
        }
    }
    let Some(status) = content.get("status").filter(|status| status.is_object()) else {
        return;
    };
    found.saw(&STATE_KNOWN);
    let Some(state) = wire::state(content) else {
        let problem = member(status, "state", Kind::Name).unwrap_or_default();
        found.told(&STATE_KNOWN, event, format!("`status`: {problem}"));
        return;
    };
    if wire::standing(state, is_new).is_none() {
        let wanted = match is_new {
            true => "one such as `TASK_STATE_WORKING` or `TASK_STATE_COMPLETED`",
            false => "one such as `working` or `completed`",
        };
        found.told(
            &STATE_KNOWN,
            event,
            format!("expected {wanted}, saw `{state}`"),
        );
    }
}
