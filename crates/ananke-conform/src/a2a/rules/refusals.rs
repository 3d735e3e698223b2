//! What must be refused, and by which code.

use ananke_model::conformance::{Layer, Level};

use super::super::asked::A2aAsked;
use crate::exchange::{Exchange, Framing};
use crate::rpc::{came, response};
use crate::rule::{Findings, Rule};

static ANSWERED: Rule = Rule {
    id: "a2a.answered",
    layer: Layer::Behaviour,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a message gets a response of JSON-RPC",
    reason: "An agent that is silent, or answers with a page, cannot be worked with at all.",
    section: "Send message",
    advice: "See that the address in the card is the one that takes messages, and that failures are answered as errors.",
    needs: "message to the agent",
};

static UNKNOWN_TASK: Rule = Rule {
    id: "a2a.unknown-task",
    layer: Layer::Behaviour,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a task that is not there is refused with -32001",
    reason: "A client tells a task that is gone from a server that is broken by this code.",
    section: "Error codes, TaskNotFoundError",
    advice: "Answer with the error -32001.",
    needs: "answer to a request for an unknown task",
};

static UNKNOWN_METHOD: Rule = Rule {
    id: "a2a.unknown-method",
    layer: Layer::Behaviour,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "an unknown method is refused with -32601",
    reason: "By this code a client finds out that a server speaks another version.",
    section: "JSON-RPC binding, standard errors",
    advice: "Answer with the error -32601.",
    needs: "answer to an unknown method",
};

static BAD_JSON: Rule = Rule {
    id: "a2a.bad-json",
    layer: Layer::Behaviour,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a body that is no JSON is refused with -32700",
    reason: "A client must be able to tell a request that never arrived whole from one that failed.",
    section: "JSON-RPC binding, standard errors",
    advice: "Answer with the error -32700 and the id null.",
    needs: "answer to a body that is no JSON",
};

static BAD_PARAMS: Rule = Rule {
    id: "a2a.bad-params",
    layer: Layer::Behaviour,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a message that is none is refused with -32602",
    reason: "The mistake is the client's, and only this code says so.",
    section: "JSON-RPC binding, standard errors",
    advice: "Check the parameters before the agent runs, and answer with the error -32602.",
    needs: "answer to wrong parameters",
};

static BAD_VERSION: Rule = Rule {
    id: "a2a.unknown-version",
    layer: Layer::Behaviour,
    old: None,
    v1: Some(Level::Must),
    title: "a version that is not supported is refused with -32009",
    reason: "A newer client falls back to a version that both know only if it is told.",
    section: "Versioning, VersionNotSupportedError",
    advice: "Read `A2A-Version`, and answer with the error -32009 unless the version is one of the card's.",
    needs: "answer to a request of an unknown version",
};

static FINISHED_MESSAGE: Rule = Rule {
    id: "a2a.finished-message",
    layer: Layer::Behaviour,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a message to a task that has ended is refused",
    reason: "A task that has ended cannot be restarted; who wants more begins a new one in the same context.",
    section: "Send message, terminal tasks",
    advice: "Answer with an error: -32004 in 1.0.",
    needs: "answer to a message for a finished task",
};

static FINISHED_CANCEL: Rule = Rule {
    id: "a2a.finished-cancel",
    layer: Layer::Behaviour,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "canceling a task that has ended is refused with -32002",
    reason: "Otherwise a client believes that it prevented what has long happened.",
    section: "Cancel task, TaskNotCancelableError",
    advice: "Answer with the error -32002.",
    needs: "answer to the cancel of a finished task",
};

pub(super) const RULES: &[&Rule] = &[
    &ANSWERED,
    &UNKNOWN_TASK,
    &UNKNOWN_METHOD,
    &BAD_JSON,
    &BAD_PARAMS,
    &BAD_VERSION,
    &FINISHED_MESSAGE,
    &FINISHED_CANCEL,
];

pub(super) fn look(exchange: &Exchange, asked: A2aAsked, found: &mut Findings) {
    let is_locked = matches!(exchange.answer.status, Some(401 | 403));
    if asked.is_message() && !is_locked {
        found.saw(&ANSWERED);
        // A stream that says nothing is told by the rule about its end.
        let is_stream = exchange.answer.framing == Framing::Sse;
        if !is_stream && response(&exchange.answer).is_none() {
            let message = format!("expected a response, saw {}", came(&exchange.answer));
            found.whole(&ANSWERED, message);
        }
    }
    let (rule, codes): (&'static Rule, &[i64]) = match asked {
        A2aAsked::UnknownTask => (&UNKNOWN_TASK, &[-32001]),
        A2aAsked::UnknownMethod => (&UNKNOWN_METHOD, &[-32601]),
        A2aAsked::BadJson => (&BAD_JSON, &[-32700]),
        A2aAsked::BadParams => (&BAD_PARAMS, &[-32602]),
        A2aAsked::BadVersion => (&BAD_VERSION, &[-32009]),
        A2aAsked::SendFinished => (&FINISHED_MESSAGE, &[]),
        A2aAsked::CancelFinished => (&FINISHED_CANCEL, &[-32002]),
        _ => return,
    };
    // Whoever wants to know first who asks has said nothing about the request.
    if is_locked {
        return;
    }
    found.saw(rule);
    let reply = response(&exchange.answer);
    let code = reply.and_then(|reply| reply.code());
    let fits = match codes {
        [] => code.is_some(),
        codes => code.is_some_and(|code| codes.contains(&code)),
    };
    if !fits {
        let wanted = match codes.first() {
            Some(code) => format!("the error {code}"),
            None => "an error".to_owned(),
        };
        let event = reply.and_then(|reply| reply.event);
        let message = format!("expected {wanted}, saw {}", came(&exchange.answer));
        found.told(rule, event, message);
    }
}
