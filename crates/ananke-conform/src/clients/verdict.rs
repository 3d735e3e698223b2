//! From one stream to the table: which client gets through everything.

use ananke_model::conformance::{ClientVerdict, Layer, Verdict};

use super::reading::Client;
use crate::case::Case;
use crate::exchange::{Asked, Ending, Exchange, Framing};
use crate::judge::told;
use crate::rule::Found;

/// Tells for each client whether it gets through all streams.
pub fn verdicts(case: &Case) -> Vec<ClientVerdict> {
    Client::ALL
        .into_iter()
        .map(|client| verdict(client, case))
        .collect()
}

fn verdict(client: Client, case: &Case) -> ClientVerdict {
    let streams = case.exchanges.iter().enumerate();
    let mut streams = streams
        .filter(|(_, exchange)| is_for_clients(exchange))
        .peekable();
    let has_streams = streams.peek().is_some();
    let is_unended = case.exchanges.iter().any(|exchange| {
        let was_left = exchange.asked == Asked::Abort;
        is_for_clients(exchange) && !was_left && exchange.answer.unended().is_some()
    });
    let breaks = streams.find_map(|(number, exchange)| {
        let found = client.breaks_at(&exchange.answer)?;
        Some(told(
            &Found {
                rule: "client",
                layer: Layer::Sequence,
                exchange: number,
                event: found.event,
                message: found.message,
            },
            case,
        ))
    });
    ClientVerdict {
        client: client.name().to_owned(),
        verdict: match &breaks {
            Some(_) => Verdict::Fail,
            // Whether a client would have come through to the end, nobody knows.
            None if is_unended => Verdict::Inconclusive,
            None if has_streams => Verdict::Pass,
            None => Verdict::Inconclusive,
        },
        breaks,
    }
}

/// Tells whether a client could have asked for this: no client sends what probes send, and none asks for protobuf.
fn is_for_clients(exchange: &Exchange) -> bool {
    let answer = &exchange.answer;
    !matches!(exchange.asked, Asked::Probe(_))
        && answer.is_stream()
        && answer.framing == Framing::Sse
        && !matches!(answer.ending, Ending::NoAnswer(_))
}
