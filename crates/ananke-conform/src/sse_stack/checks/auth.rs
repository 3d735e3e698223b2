//! `auth.*`: who is let in.

use ananke_model::conformance::{Layer, Level};

use super::{Check, Outcome, Step};
use crate::sse_stack::seen::{Asked, Seen, Short};

pub(super) static CHECKS: &[Check] = &[
    Check {
        id: "auth.401_on_missing_bearer",
        layer: Layer::Http,
        level: Level::Convention,
        title: "the stream without a token is answered with status 401",
        reason: "events hold what users said; and a client asks for a new token only when it sees 401.",
        section: "RFC 6750, section 3",
        advice: "Check the token before anything else, and answer 401 if there is none.",
        step: Step::MissingBearer,
        look: missing_bearer,
    },
    Check {
        id: "auth.403_on_insufficient_scope",
        layer: Layer::Http,
        level: Level::Convention,
        title: "a write with a token that may only read is answered with status 403",
        reason: "who may watch may not steer; and 403 tells a client that a new token would not help.",
        section: "RFC 6750, section 3.1",
        advice: "Check the token's scope on every path that changes something.",
        step: Step::Write,
        look: insufficient_scope,
    },
    Check {
        id: "auth.dpop_required_on_cnf",
        layer: Layer::Http,
        level: Level::Convention,
        title: "a bound token without a DPoP header is answered with status 401 and `dpop_required`",
        reason: "a token that is bound to a key is worth nothing to who does not hold the key.",
        section: "RFC 9449, section 7",
        advice: "If the token has a `cnf` claim, ask for a DPoP header: status 401 with `dpop_required` in the body.",
        step: Step::Bound,
        look: dpop_required,
    },
];

fn missing_bearer(seen: &Seen) -> Outcome {
    let Some(asked) = &seen.missing_bearer else {
        // The stream itself was asked for without a token.
        return match seen.stream.status {
            401 => Outcome::pass("status 401"),
            403 => Outcome::fail("expected status 401 without a token, seen 403"),
            _ => Outcome::inconclusive(
                "no token is given with `--bearer`: the server may be open on purpose",
            ),
        };
    };
    judged(asked, |short| match short.status {
        401 => Outcome::pass("status 401"),
        status => Outcome::fail(format!(
            "expected status 401 without a token, seen {status}"
        )),
    })
}

fn insufficient_scope(seen: &Seen) -> Outcome {
    let Some(asked) = &seen.write else {
        return Outcome::inconclusive(match seen.write_path {
            Some(_) => "no token that may only read is given with `--insufficient-scope-bearer`",
            None => "no path for a write is given with `--write-probe-path`",
        });
    };
    let path = seen.write_path.as_deref().unwrap_or_default();
    judged(asked, |short| {
        let hint = match short.status {
            403 => return Outcome::pass("status 403"),
            200..300 => "; the write was taken",
            401 => "; the token was not accepted at all",
            404 | 405 => "; is the path right? it is given with `--write-probe-path`",
            _ => "",
        };
        let status = short.status;
        Outcome::fail(format!(
            "expected status 403 for a write to `{path}` with a token that may only read, seen {status}{hint}"
        ))
    })
}

fn dpop_required(seen: &Seen) -> Outcome {
    let Some(asked) = &seen.bound else {
        return Outcome::inconclusive("no bound token is given with `--cnf-bound-bearer`");
    };
    judged(asked, |short| {
        let says_so = [&short.text, &short.www_authenticate]
            .into_iter()
            .any(|text| text.contains("dpop_required"));
        match short.status {
            401 if says_so => Outcome::pass("status 401 with `dpop_required`"),
            401 => Outcome::fail(
                "expected `dpop_required` in the answer with status 401, but it is not there",
            ),
            status => Outcome::fail(format!(
                "expected status 401 with `dpop_required` for a bound token without a DPoP header, seen {status}"
            )),
        }
    })
}

fn judged(asked: &Asked<Short>, judge: impl Fn(&Short) -> Outcome) -> Outcome {
    match &asked.answer {
        Ok(short) => judge(short),
        Err(why) => Outcome::inconclusive(format!("the request got no answer: {why}")),
    }
}
