//! The version that a server says it speaks.

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

static VERSION: Rule = Rule {
    id: "sequence.version",
    layer: Layer::Sequence,
    old: None,
    v1: Some(Level::Must),
    title: "`RUN_STARTED` says which version of the protocol the server speaks",
    reason: "Each side declares its own version; without one the client must take the server for one from before 1.0.",
    section: "Versioning",
    advice: "Send `\"protocolVersion\": \"1.0\"` in `RUN_STARTED`.",
    needs: "RUN_STARTED in answer to a request that declares 1.x",
};

static GRAMMAR: Rule = Rule {
    id: "sequence.version-grammar",
    layer: Layer::Sequence,
    old: None,
    v1: Some(Level::Must),
    title: "a version is two numbers with a dot between",
    reason: "Versions are compared as numbers, so a prefix, a third number or a word cannot be compared.",
    section: "Versioning",
    advice: "Write the version of the protocol such as `1.0`, not that of a package.",
    needs: "protocolVersion in RUN_STARTED",
};

static MAJOR: Rule = Rule {
    id: "sequence.version-major",
    layer: Layer::Sequence,
    old: None,
    v1: Some(Level::Must),
    title: "a server of 1.0 declares a version that begins with 1",
    reason: "The version is the server's own; clients take another first number for another protocol and may refuse the run.",
    section: "Versioning",
    advice: "Send `\"protocolVersion\": \"1.0\"`, or judge the server with the profile of what it speaks.",
    needs: "protocolVersion in RUN_STARTED that can be compared",
};

/// The rules.
pub(super) const RULES: &[&Rule] = &[&VERSION, &GRAMMAR, &MAJOR];

/// Looks at versions.
pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let request = exchange.request.as_ref();
    let asked = request.and_then(|input| input.get("protocolVersion"));
    let asked = asked
        .and_then(Value::as_str)
        .filter(|asked| major(asked) == Some("1"));
    for (number, event) in exchange.answer.of_kind("RUN_STARTED") {
        let seen = event.get("protocolVersion");
        if let Some(asked) = asked {
            found.saw(&VERSION);
            if seen.is_none() {
                let message = format!(
                    "the request declares version `{asked}`, but `RUN_STARTED` has no `protocolVersion`"
                );
                found.at(&VERSION, number, message);
            }
        }
        // What is no text is a matter of shape.
        if let Some(version) = seen.and_then(Value::as_str) {
            found.saw(&GRAMMAR);
            match major(version) {
                None => {
                    let message = format!(
                        "the `protocolVersion` is `{version}`; expected two numbers with a dot between, such as `1.0`"
                    );
                    found.at(&GRAMMAR, number, message);
                }
                Some("1") => found.saw(&MAJOR),
                Some(_) => {
                    let message = format!("the `protocolVersion` is `{version}`; expected `1.0`");
                    found.at(&MAJOR, number, message);
                }
            }
        }
    }
}

/// Returns the first number of a version that is written as it should be.
fn major(version: &str) -> Option<&str> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (major, minor) = version.split_once('.')?;
    // Versions are compared as numbers.
    let major_number = match major.trim_start_matches('0') {
        "" => "0",
        number => number,
    };
    (is_number(major) && is_number(minor)).then_some(major_number)
}
