//! What a server must put up with: a small input, and members, parts, roles and versions that it does not know.

use ananke_model::conformance::{Layer, Level};

use super::answer::body_in_words;
use crate::exchange::{Asked, Ending, Exchange, Probe};
use crate::rule::{Findings, Rule};

static MINIMAL_INPUT: Rule = Rule {
    id: "http.minimal-input",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Must),
    title: "a run with `threadId`, `runId` and `messages` alone is served",
    reason: "All other members of the input are optional, and absent ones have defaults.",
    section: "Run input, required members",
    advice: "Make `state`, `tools`, `context`, `forwardedProps` and `resume` optional where the server reads its input.",
    needs: "answer to a minimal input",
};

static UNKNOWN_FIELD: Rule = Rule {
    id: "http.unknown-field",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Must),
    title: "an unknown member of the input is ignored",
    reason: "Later versions add members, and an older server must still serve their clients.",
    section: "Processing model, unrecognized members",
    advice: "Do not forbid extra members where the server reads its input.",
    needs: "answer to an input with an unknown member",
};

static UNKNOWN_PART: Rule = Rule {
    id: "http.unknown-part",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Must),
    title: "a content part of an unknown type is left out, and the run is served",
    reason: "An unrecognized element of a list makes that element unusable, not the input.",
    section: "Processing model, unrecognized members",
    advice: "Drop parts of unknown types before the input is checked, and tell it in the log.",
    needs: "answer to an input with an unknown part",
};

static UNKNOWN_ROLE: Rule = Rule {
    id: "http.unknown-role",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Must),
    title: "a message with an unknown role is left out, and the run is served",
    reason: "An unrecognized element of a list makes that element unusable, not the input.",
    section: "Processing model, unrecognized members",
    advice: "Drop messages with unknown roles before the input is checked, and tell it in the log.",
    needs: "answer to an input with an unknown role",
};

static NEWER_MINOR: Rule = Rule {
    id: "http.newer-minor",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Must),
    title: "a client of a newer minor version is served",
    reason: "Minor versions only add, so a server of the same major version can serve all of them.",
    section: "Versioning, negotiation",
    advice: "Compare the major version alone, and answer with the server's own version in `RUN_STARTED`.",
    needs: "answer to an input of a newer minor version",
};

static REASONING_MESSAGE: Rule = Rule {
    id: "http.reasoning-message",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Must),
    title: "a history with a reasoning message is served",
    reason: "Clients send reasoning messages back with the rest of the history, so a server that fails at them fails at every second turn of an agent that reasons.",
    section: "Messages, reasoning",
    advice: "Pass reasoning messages to a model that takes them, and leave them out for one that does not.",
    needs: "answer to an input with a reasoning message",
};

static IMAGE_PART: Rule = Rule {
    id: "http.image-part",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Must),
    title: "a user message with an image beside its text is served",
    reason: "Parts that the model cannot use do not fail the run: the user still wants an answer to the text.",
    section: "Messages, content parts",
    advice: "Leave out parts that the model cannot take, and tell it in the log.",
    needs: "answer to an input with an image part",
};

pub(super) const RULES: &[&Rule] = &[
    &MINIMAL_INPUT,
    &UNKNOWN_FIELD,
    &UNKNOWN_PART,
    &UNKNOWN_ROLE,
    &NEWER_MINOR,
    &REASONING_MESSAGE,
    &IMAGE_PART,
];

pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let (rule, what) = match exchange.asked {
        Asked::Probe(Probe::MinimalInput) => (
            &MINIMAL_INPUT,
            "an input with only `threadId`, `runId` and `messages`",
        ),
        Asked::Probe(Probe::UnknownField) => (
            &UNKNOWN_FIELD,
            "an input with the unknown member `xAnankeUnknown`",
        ),
        Asked::Probe(Probe::UnknownPart) => (
            &UNKNOWN_PART,
            "a user message with a part of the unknown type `x-ananke-unknown`",
        ),
        Asked::Probe(Probe::UnknownRole) => (
            &UNKNOWN_ROLE,
            "an input with a message of the unknown role `x-ananke-unknown`",
        ),
        Asked::Probe(Probe::NewerMinor) => {
            (&NEWER_MINOR, "an input with `\"protocolVersion\": \"1.9\"`")
        }
        Asked::Probe(Probe::ReasoningMessage) => (
            &REASONING_MESSAGE,
            "an input with a message of the role `reasoning`",
        ),
        Asked::Probe(Probe::ImagePart) => (
            &IMAGE_PART,
            "a user message with a part of the type `text` and one of the type `image`",
        ),
        _ => return,
    };
    if let Some((event, why)) = refusal(exchange) {
        let message = format!("expected a run for {what}, saw {why}");
        match event {
            Some(number) => found.at(rule, number, message),
            None => found.whole(rule, message),
        }
    } else if exchange.answer.status.is_some() && exchange.answer.unended().is_none() {
        found.saw(rule);
    }
}

/// Says how a run was refused, and by which event if a stream did it.
pub(super) fn refusal(exchange: &Exchange) -> Option<(Option<usize>, String)> {
    let answer = &exchange.answer;
    if let Ending::NoAnswer(why) = &answer.ending {
        return Some((None, format!("no answer: {why}")));
    }
    match answer.status? {
        200 if answer.is_stream() => {
            let (number, event) = answer.of_kind("RUN_ERROR").last()?;
            let message = event.text("message").unwrap_or("no message");
            Some((Some(number), format!("`RUN_ERROR`: {message}")))
        }
        200 => {
            let kind = answer.header("content-type").unwrap_or("no content type");
            Some((
                None,
                format!("status 200 with `{kind}` instead of a stream"),
            ))
        }
        status => Some((None, format!("status {status}{}", body_in_words(answer)))),
    }
}
