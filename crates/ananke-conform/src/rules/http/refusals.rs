//! What a server must refuse, or should: bodies that are no JSON, members of the wrong type, other media types and methods.

use ananke_model::conformance::{Layer, Level};

use crate::exchange::{Asked, Ending, Exchange, Probe};
use crate::rule::{Findings, Rule};

static BAD_JSON: Rule = Rule {
    id: "http.bad-json",
    layer: Layer::Http,
    old: Some(Level::Convention),
    v1: Some(Level::Must),
    title: "a body that is no JSON is refused with an error status and no stream",
    reason: "A client must be able to tell an input that was never accepted from a run that failed.",
    section: "HTTP binding, rejected input",
    advice: "Read the body before the stream is opened, and answer 400 if it is no JSON.",
    needs: "answer to a body that is no JSON",
};

static BAD_FIELD: Rule = Rule {
    id: "http.bad-field",
    layer: Layer::Http,
    old: Some(Level::Convention),
    v1: Some(Level::Must),
    title: "an input whose known members have wrong types is refused with an error status and no stream",
    reason: "A client must be able to tell an input that was never accepted from a run that failed.",
    section: "HTTP binding, rejected input",
    advice: "Check the input before the stream is opened, and answer 400 or 422 if `messages` is no list.",
    needs: "answer to an input with a member of the wrong type",
};

static REQUEST_CONTENT_TYPE: Rule = Rule {
    id: "http.request-content-type",
    layer: Layer::Http,
    old: Some(Level::Convention),
    v1: Some(Level::Should),
    title: "a body that is not said to be JSON is refused",
    reason: "Requests are `application/json`; a server that takes any type can be reached by forms of foreign web pages.",
    section: "HTTP binding, request",
    advice: "Answer 415 unless the content type is `application/json`.",
    needs: "answer to a body of type `text/plain`",
};

static METHOD: Rule = Rule {
    id: "http.method",
    layer: Layer::Http,
    old: Some(Level::Convention),
    v1: Some(Level::Should),
    title: "a GET does not run the agent",
    reason: "Runs are asked for with POST; a GET is repeated by browsers and proxies at will.",
    section: "HTTP binding, request",
    advice: "Answer 405 with `Allow: POST`, or show a page, but start no run.",
    needs: "answer to a GET",
};

pub(super) const RULES: &[&Rule] = &[&BAD_JSON, &BAD_FIELD, &REQUEST_CONTENT_TYPE, &METHOD];

pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let (rule, what) = match exchange.asked {
        Asked::Probe(Probe::BadJson) => (&BAD_JSON, "a body that is no JSON"),
        Asked::Probe(Probe::BadField) => (&BAD_FIELD, "an input whose `messages` is a string"),
        Asked::Probe(Probe::WrongContentType) => {
            (&REQUEST_CONTENT_TYPE, "a body of type `text/plain`")
        }
        Asked::Probe(Probe::WrongMethod) => (&METHOD, "a GET"),
        _ => return,
    };
    let answer = &exchange.answer;
    if let Ending::NoAnswer(why) = &answer.ending {
        let message = format!("expected an error status for {what}, saw no answer: {why}");
        found.whole(rule, message);
        return;
    }
    let Some(status) = answer.status else {
        return;
    };
    found.saw(rule);
    // Who asks for a page may be shown one.
    let is_page = exchange.asked == Asked::Probe(Probe::WrongMethod) && !answer.is_stream();
    if status >= 400 || is_page {
        return;
    }
    let saw = if answer.is_stream() {
        format!(
            "status {status} and a stream of {} events",
            answer.events.len()
        )
    } else {
        format!("status {status}")
    };
    found.whole(
        rule,
        format!("expected a status of 400 or more for {what}, saw {saw}"),
    );
}
