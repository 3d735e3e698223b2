//! A file that is no bundle: what kind it is, and the request that it answers.

use serde_json::Value;

use super::{capture, lines};
use crate::case::Case;
use crate::exchange::{Answer, Asked, Ending, Exchange};

/// What exchanges of a file are called.
const SCENARIO: &str = "file";

/// Reads a file that is no bundle; says why it cannot be judged.
pub fn from_file(shown: &str, bytes: &[u8], request: Option<Value>) -> Result<Case, String> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err("it is empty: there is nothing to judge".to_owned());
    }
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    let mut exchanges = match first {
        Some(b'{' | b'[') => lines::read(bytes)?,
        _ => vec![capture::read(bytes)?],
    };
    match (request, exchanges.as_mut_slice()) {
        (None, _) => {}
        (Some(request), [only]) => only.request = Some(request),
        (Some(_), several) => {
            let n = several.len();
            return Err(format!(
                "it holds {n} answers, and one request cannot belong to all of them"
            ));
        }
    }
    let mut notes = Vec::new();
    if exchanges.iter().any(|exchange| exchange.request.is_none()) {
        notes.push(
            "the request is not known: rules that compare the answer with it are inconclusive; `--request input.json` names it"
                .to_owned(),
        );
    }
    Ok(Case {
        subject: shown.to_owned(),
        exchanges,
        notes,
        ..Case::default()
    })
}

/// An answer of which only the events are known.
pub(super) fn exchange(step: String, request: Option<Value>, answer: Answer) -> Exchange {
    Exchange {
        scenario: SCENARIO.to_owned(),
        step,
        asked: Asked::Run,
        request,
        answer: Answer {
            ending: Ending::Unknown,
            ..answer
        },
    }
}
