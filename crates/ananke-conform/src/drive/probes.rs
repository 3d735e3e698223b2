//! Unusual requests, each with the prompt of `hello`: what must a server put up with, and what must it refuse?

use serde_json::{Value, json};

use super::driver::{Driver, Request};
use super::talk::{EVENT_STREAM, PROTOBUF};
use super::target::DriveError;
use super::thread::{Thread, fresh_id};
use crate::case::Shown;
use crate::exchange::{Asked, Probe};
use crate::rule::Profile;

const PROBES: [(Probe, &str); 14] = [
    (Probe::MinimalInput, "probe: minimal input"),
    (Probe::UnknownField, "probe: unknown field"),
    (Probe::UnknownPart, "probe: unknown part"),
    (Probe::UnknownRole, "probe: unknown role"),
    (Probe::NewerMinor, "probe: newer minor version"),
    (Probe::ReasoningMessage, "probe: reasoning message"),
    (Probe::ImagePart, "probe: image part"),
    (Probe::BadJson, "probe: bad JSON"),
    (Probe::BadField, "probe: bad field"),
    (Probe::WrongContentType, "probe: wrong content type"),
    (Probe::WrongMethod, "probe: wrong method"),
    (Probe::AcceptAny, "probe: accept anything"),
    (Probe::AcceptNoProtobuf, "probe: accept no protobuf"),
    (Probe::AcceptProtobuf, "probe: accept protobuf"),
];

/// A picture of one pixel.
const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const NO_PROTOBUF: &str = "text/event-stream, application/vnd.ag-ui.event+proto;q=0";

/// Sends every probe.
pub(super) async fn ask_all(
    driver: &mut Driver<'_>,
    hello: &str,
) -> Result<(Shown, String), DriveError> {
    let profile = driver.target.profile;
    let probes = PROBES
        .into_iter()
        .filter(|(probe, _)| is_for(*probe, profile));
    let mut n_sent = 0;
    for (probe, words) in probes {
        let mut thread = Thread::new(None, &[]);
        thread.say(hello);
        let usual = thread.input(driver.target, &[]);
        let (request, input) = unusual(probe, usual);
        let answer = driver.ask(&request, None).await?;
        driver.keep(words.to_owned(), Asked::Probe(probe), input, answer);
        n_sent += 1;
    }
    let detail = format!("{n_sent} unusual requests were sent");
    Ok((Shown::Yes, detail))
}

/// Tells whether a version of the protocol says anything about a request. Before 1.0 servers could refuse what they did not
/// know.
fn is_for(probe: Probe, profile: Profile) -> bool {
    let since_v1 = matches!(
        probe,
        Probe::MinimalInput
            | Probe::UnknownField
            | Probe::UnknownPart
            | Probe::UnknownRole
            | Probe::NewerMinor
            | Probe::ReasoningMessage
            | Probe::ImagePart
    );
    profile == Profile::V1 || !since_v1
}

/// Returns the request, and the `RunAgentInput` in it if there is one that the answer can be held against.
fn unusual(probe: Probe, mut input: Value) -> (Request, Option<Value>) {
    let accept = match probe {
        Probe::AcceptAny => "*/*",
        Probe::AcceptNoProtobuf => NO_PROTOBUF,
        Probe::AcceptProtobuf => PROTOBUF,
        _ => EVENT_STREAM,
    };
    match probe {
        Probe::MinimalInput => {
            let named = ["threadId", "runId", "messages"];
            let members = named.map(|name| (name.to_owned(), input[name].clone()));
            input = Value::Object(members.into_iter().collect());
        }
        Probe::UnknownField => input["xAnankeUnknown"] = json!({"isIgnored": true}),
        Probe::UnknownPart => {
            let said = input["messages"][0]["content"].take();
            input["messages"][0]["content"] = json!([
                {"type": "text", "text": said},
                {"type": "x-ananke-unknown", "smell": "of the sea"},
            ]);
        }
        Probe::UnknownRole => {
            let stranger = json!({
                "id": fresh_id(), "role": "x-ananke-unknown", "content": "nobody knows who says this",
            });
            let said = input["messages"][0].take();
            input["messages"] = json!([stranger, said]);
        }
        Probe::NewerMinor => input["protocolVersion"] = json!("1.9"),
        Probe::ReasoningMessage => {
            let said = input["messages"][0].take();
            let greeting = said["content"].clone();
            input["messages"] = json!([
                {"id": fresh_id(), "role": "user", "content": greeting},
                {"id": fresh_id(), "role": "reasoning", "content": "The user greets me, so I greet the user."},
                {"id": fresh_id(), "role": "assistant", "content": "Hello!"},
                said,
            ]);
        }
        Probe::ImagePart => {
            let said = input["messages"][0]["content"].take();
            input["messages"][0]["content"] = json!([
                {"type": "text", "text": said},
                {"type": "image", "source": {"type": "data", "value": PIXEL, "mimeType": "image/png"}},
            ]);
        }
        Probe::BadField => input["messages"] = json!("not a list"),
        Probe::BadJson
        | Probe::WrongContentType
        | Probe::WrongMethod
        | Probe::AcceptAny
        | Probe::AcceptNoProtobuf
        | Probe::AcceptProtobuf => {}
    }
    let mut request = Request {
        accept,
        ..Request::run(&input)
    };
    match probe {
        Probe::BadJson => {
            request.body = Some(br#"{"threadId": "t", "messages": ["#.to_vec());
            (request, None)
        }
        Probe::BadField => (request, None),
        Probe::WrongContentType => {
            request.content_type = Some("text/plain");
            (request, Some(input))
        }
        Probe::WrongMethod => {
            request.method = "GET";
            request.content_type = None;
            request.body = None;
            (request, None)
        }
        _ => (request, Some(input)),
    }
}
