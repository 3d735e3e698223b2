//! The order of a stream: how it begins, what may follow, how it ends.

use ananke_model::conformance::{Layer, Level};

use super::super::asked::A2aAsked;
use super::super::wire::{self, Kind, Standing, is_new};
use crate::exchange::{Ending, Exchange, Framing};
use crate::rpc::{Reply, replies};
use crate::rule::{Findings, Rule};

static FIRST_EVENT: Rule = Rule {
    id: "a2a.first-event",
    layer: Layer::Sequence,
    old: None,
    v1: Some(Level::Must),
    title: "a stream begins with the task, or is a single message",
    reason: "The task tells a client at once which id to ask for when the connection is lost.",
    section: "Send streaming message",
    advice: "Send the task before the first update, also when a message continues it.",
    needs: "stream",
};

static MESSAGE_ALONE: Rule = Rule {
    id: "a2a.message-alone",
    layer: Layer::Sequence,
    old: Some(Level::Should),
    v1: Some(Level::Must),
    title: "a stream with a message holds nothing else",
    reason: "An agent answers with a task or with a message; the official clients stop at a mix.",
    section: "Send streaming message",
    advice: "While a task is worked on, put messages into status updates.",
    needs: "message in a stream",
};

static AFTER_TERMINAL: Rule = Rule {
    id: "a2a.after-terminal",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "nothing follows a state in which a task has ended",
    reason: "Clients stop reading there, so what follows is lost.",
    section: "Task states, streaming",
    advice: "Send artifacts first and the last status after them, then close the stream.",
    needs: "task that ended in a stream",
};

static STREAM_END: Rule = Rule {
    id: "a2a.stream-end",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a stream closes once the task has ended or waits for the user, and not before",
    reason: "A stream that just stops leaves a client in the dark; one that stays open keeps it waiting.",
    section: "Send streaming message",
    advice: "Send a last status (completed, failed, input-required, …) and close the stream, also when the agent fails.",
    needs: "stream about a task",
};

static FINAL: Rule = Rule {
    id: "a2a.final",
    layer: Layer::Sequence,
    old: Some(Level::Should),
    v1: None,
    title: "the last status update of a stream has `final: true`, and no other",
    reason: "In 0.3 clients wait for `final` and not for the end of the stream.",
    section: "Status update events (0.3)",
    advice: "Set `final` to true on the update that ends the stream, input-required included.",
    needs: "status update in a stream",
};

static IDS_STABLE: Rule = Rule {
    id: "a2a.ids-stable",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "an answer is about one task in one context, and about that which was continued",
    reason: "Clients put updates together by these ids.",
    section: "Task and context identifiers",
    advice: "Make the ids once for each task, and repeat those that came with the message.",
    needs: "task id",
};

pub(super) const RULES: &[&Rule] = &[
    &FIRST_EVENT,
    &MESSAGE_ALONE,
    &AFTER_TERMINAL,
    &STREAM_END,
    &FINAL,
    &IDS_STABLE,
];

pub(super) fn look(exchange: &Exchange, asked: A2aAsked, found: &mut Findings) {
    if !asked.is_message() {
        return;
    }
    ids(exchange, found);
    if exchange.answer.framing != Framing::Sse {
        return;
    }
    order(exchange, found);
    end(exchange, found);
}

fn is_error(reply: &Reply<'_>) -> bool {
    reply.value.get("error").is_some()
}

fn order(exchange: &Exchange, found: &mut Findings) {
    let is_new = is_new(found.profile);
    let mut ended: Option<&str> = None;
    let mut has_message = false;
    let mut last_final = None;
    let mut number = 0;
    for reply in replies(&exchange.answer) {
        let Some(Ok((kind, content))) = reply.result().map(|result| wire::kind(result, is_new))
        else {
            continue;
        };
        let is_first = number == 0;
        number += 1;
        if is_first {
            found.saw(&FIRST_EVENT);
            if !matches!(kind, Kind::Task | Kind::Message) {
                let message = format!("expected the task first, saw a {}", kind.name());
                found.told(&FIRST_EVENT, reply.event, message);
            }
        }
        has_message |= kind == Kind::Message;
        if has_message {
            found.saw(&MESSAGE_ALONE);
            if !is_first {
                let message = match kind {
                    Kind::Message => "a message came after other events".to_owned(),
                    _ => format!("a {} came after a message", kind.name()),
                };
                found.told(&MESSAGE_ALONE, reply.event, message);
            }
        }
        if let Some(state) = ended {
            let message = format!("a {} came after the state `{state}`", kind.name());
            found.told(&AFTER_TERMINAL, reply.event, message);
        }
        let state = wire::state(content);
        if let Some(state) = state
            && wire::standing(state, is_new) == Some(Standing::Terminal)
        {
            found.saw(&AFTER_TERMINAL);
            ended = Some(state);
        }
        if kind == Kind::Status {
            found.saw(&FINAL);
            if let Some(at) = last_final.take() {
                let message = "`final` is true, and another status update follows";
                found.told(&FINAL, at, message);
            }
            let is_final = content.get("final").is_some_and(|value| value == true);
            last_final = is_final.then_some(reply.event);
        }
    }
}

fn end(exchange: &Exchange, found: &mut Findings) {
    let is_new = is_new(found.profile);
    let answer = &exchange.answer;
    let things = || {
        replies(answer).filter_map(move |reply| {
            let (kind, content) = wire::kind(reply.result()?, is_new).ok()?;
            Some((reply, kind, content))
        })
    };
    let has_message = things().any(|(_, kind, _)| kind == Kind::Message);
    // An error is an end of its own, and a message needs none.
    if replies(answer).any(|reply| is_error(&reply)) || (has_message && things().count() == 1) {
        return;
    }
    found.saw(&STREAM_END);
    let state = things()
        .filter_map(|(_, _, content)| wire::state(content))
        .last();
    let standing = state.and_then(|state| wire::standing(state, is_new));
    let has_settled = matches!(standing, Some(Standing::Terminal | Standing::Interrupted));
    let last = match state {
        Some(state) => format!("the last state is `{state}`"),
        None => "there was no state at all".to_owned(),
    };
    match &answer.ending {
        Ending::Closed | Ending::Unknown if has_settled => {}
        Ending::Closed | Ending::Unknown => {
            let message = format!("the stream ended, but {last}");
            found.whole(&STREAM_END, message);
        }
        Ending::Broken(why) => {
            let message = format!("the connection broke, and {last}: {why}");
            found.whole(&STREAM_END, message);
        }
        Ending::GivenUp(why) | Ending::NoAnswer(why) => {
            let message = format!("the stream stayed open, and {last}: {why}");
            found.whole(&STREAM_END, message);
        }
    }
    let status = things().filter(|(_, kind, _)| *kind == Kind::Status).last();
    if let Some((reply, _, content)) = status.filter(|_| has_settled)
        && content.get("final").is_none_or(|value| value != true)
    {
        let seen = content
            .get("final")
            .map_or("none".to_owned(), ToString::to_string);
        let message = format!("expected `final: true` in the last status update, saw {seen}");
        found.told(&FINAL, reply.event, message);
    }
}

/// Compares ids within an answer, and with what was sent.
fn ids(exchange: &Exchange, found: &mut Findings) {
    let is_new = is_new(found.profile);
    let sent = exchange
        .request
        .as_ref()
        .and_then(|request| request.get("params")?.get("message"));
    let sent = |name: &str| sent.and_then(|message| message.get(name)?.as_str());
    let mut known = [
        ("task id", sent("taskId")),
        ("context id", sent("contextId")),
    ];
    for reply in replies(&exchange.answer) {
        let Some(Ok((kind, content))) = reply.result().map(|result| wire::kind(result, is_new))
        else {
            continue;
        };
        let context = content.get("contextId").and_then(|id| id.as_str());
        let ids = [wire::task_id(kind, content), context];
        for ((name, known), id) in known.iter_mut().zip(ids) {
            let Some(id) = id.filter(|id| !id.is_empty()) else {
                continue;
            };
            found.saw(&IDS_STABLE);
            if let Some(before) = known.filter(|before| *before != id) {
                let message = format!("expected the {name} `{before}`, saw `{id}`");
                found.told(&IDS_STABLE, reply.event, message);
            }
            known.get_or_insert(id);
        }
    }
}
