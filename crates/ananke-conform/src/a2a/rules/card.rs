//! The card as a document: where it is, and that it is JSON.

use ananke_model::conformance::{Layer, Level};

use super::super::interface::{host, is_nowhere};
use crate::exchange::{Ending, Exchange};
use crate::rule::{Findings, Rule};

static CARD_FOUND: Rule = Rule {
    id: "a2a.card-found",
    layer: Layer::Http,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "the agent card is at `/.well-known/agent-card.json`",
    reason: "Clients find out by the card where an agent is and what it can do.",
    section: "Agent discovery, well-known URI",
    advice: "Answer `GET /.well-known/agent-card.json` with 200 and the card, without a redirect.",
    needs: "answer to the request for the card",
};

static CARD_TYPE: Rule = Rule {
    id: "a2a.card-type",
    layer: Layer::Http,
    old: Some(Level::Should),
    v1: Some(Level::Should),
    title: "the card has a content type of JSON",
    reason: "Clients and proxies decide by it how to read the body.",
    section: "Agent discovery, well-known URI",
    advice: "Send the card as `application/json`.",
    needs: "card",
};

static CARD_HOST: Rule = Rule {
    id: "a2a.card-host",
    layer: Layer::Http,
    old: Some(Level::Convention),
    v1: Some(Level::Convention),
    title: "the addresses in the card can be reached from elsewhere",
    reason: "An address such as `0.0.0.0` is one to listen on: on another machine it leads nowhere.",
    section: "Agent card, interfaces",
    advice: "Put the public address into the card, not the one that the server listens on.",
    needs: "card with an address",
};

pub(super) const RULES: &[&Rule] = &[&CARD_FOUND, &CARD_TYPE, &CARD_HOST];

pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let answer = &exchange.answer;
    found.saw(&CARD_FOUND);
    if answer.status != Some(200) {
        let saw = match (&answer.ending, answer.status) {
            (Ending::NoAnswer(why), _) => format!("no answer: {why}"),
            (_, Some(status)) => format!("status {status}"),
            (_, None) => "no status".to_owned(),
        };
        found.whole(
            &CARD_FOUND,
            format!("expected status 200 and the card, saw {saw}"),
        );
        return;
    }
    found.saw(&CARD_TYPE);
    let media = answer.media_type().unwrap_or_default();
    if media != "application/json" && !media.ends_with("+json") {
        let message = format!("expected `application/json`, saw `{media}`");
        found.whole(&CARD_TYPE, message);
    }
    let card = answer.events.first();
    let Some(Ok(card)) = card.map(|event| event.value.as_ref()) else {
        return;
    };
    let lists = ["supportedInterfaces", "additionalInterfaces"].into_iter();
    let listed = lists
        .filter_map(|name| card.get(name)?.as_array())
        .flatten();
    let urls = listed
        .chain([card])
        .filter_map(|one| one.get("url")?.as_str());
    let mut told: Vec<&str> = Vec::new();
    for url in urls {
        found.saw(&CARD_HOST);
        if host(url).is_some_and(is_nowhere) && !told.contains(&url) {
            told.push(url);
            let message = format!("expected an address that others can reach, saw `{url}`");
            found.whole(&CARD_HOST, message);
        }
    }
}
