//! Files that break a rule: `fixtures/<rule>.json`, each with the rule that it trips first, and what follows from that.
//!
//! ```json
//! {
//!   "trips": "sequence.open-at-finish",
//!   "profile": "ag-ui@1.0",
//!   "consequences": [],
//!   "exchanges": [{"request": {…}, "events": [{…}, {…}]}]
//! }
//! ```
//!
//! An exchange may have `scenario`, `step`, `asked` (`run`, `resume: resolved`, `abort`, `error`, `probe: bad-json`, …),
//! `status`, `headers`, `events` (JSON; a string stands for data as it is), `body` (the raw bytes of an event stream
//! instead; with `latin1` each character stands for a byte), `text` (a body that is no stream), `framing` (`sse`, `protobuf`, `none`), `ending` (`closed`, `broken`,
//! `given up`, `limit`, `no answer`, `unknown`) and `at_ms` (arrival of each event).

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::a2a::A2aAsked;
use crate::body::{BodyReader, Limits};
use crate::case::Case;
use crate::exchange::{
    Answer, Asked, Ending, Exchange, Framing, LIMIT_REACHED, Observed, Probe, Resume, TIME_IS_OVER,
};
use crate::mcp::McpAsked;
use crate::rule::{Findings, Profile};
use crate::rules;

/// A file that breaks a rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fixture {
    pub(crate) trips: String,
    #[serde(default = "v1")]
    pub(crate) profile: String,
    #[serde(default)]
    pub(crate) consequences: Vec<String>,
    #[serde(default)]
    capabilities: Option<Value>,
    exchanges: Vec<Sketch>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sketch {
    #[serde(default)]
    scenario: Option<String>,
    #[serde(default)]
    step: Option<String>,
    #[serde(default)]
    asked: Option<String>,
    #[serde(default)]
    request: Option<Value>,
    #[serde(default)]
    status: Option<u16>,
    #[serde(default)]
    headers: Option<Vec<(String, String)>>,
    #[serde(default)]
    framing: Option<String>,
    #[serde(default)]
    events: Vec<Value>,
    #[serde(default)]
    body: Option<String>,
    #[serde(default)]
    latin1: bool,
    #[serde(default)]
    text: String,
    #[serde(default)]
    ending: Option<String>,
    #[serde(default)]
    at_ms: Vec<u64>,
}

fn v1() -> String {
    Profile::V1.name().to_owned()
}

impl Fixture {
    /// Reads all of them, by name.
    pub(crate) fn all() -> Vec<(String, Self)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "json")
            })
            .collect();
        files.sort();
        let read = |path: PathBuf| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let fixture = serde_json::from_str(&text);
            (
                name.clone(),
                fixture.unwrap_or_else(|error| panic!("{name}: {error}")),
            )
        };
        files.into_iter().map(read).collect()
    }

    /// Returns the rules that are broken, in order, each once.
    pub(crate) fn broken(&self) -> Vec<(&'static str, String)> {
        let profile = match self.profile.as_str() {
            "ag-ui@0.x" => Profile::Old,
            "ag-ui@1.0" => Profile::V1,
            "a2a@0.3" => Profile::A2aOld,
            "a2a@1.0" => Profile::A2a,
            "mcp" => Profile::Mcp,
            other => panic!("unknown profile {other}"),
        };
        let mut found = Findings::new(profile);
        rules::look(&self.case(), &mut found);
        let mut broken: Vec<(&'static str, String)> = Vec::new();
        for found in found.in_order() {
            if broken.iter().all(|(rule, _)| *rule != found.rule) {
                broken.push((found.rule, found.message.clone()));
            }
        }
        broken
    }

    /// Returns what is judged.
    pub(crate) fn case(&self) -> Case {
        Case {
            subject: self.trips.clone(),
            exchanges: self.exchanges.iter().map(Sketch::exchange).collect(),
            capabilities: self.capabilities.clone(),
            ..Case::default()
        }
    }
}

impl Sketch {
    fn exchange(&self) -> Exchange {
        let framing = match self.framing.as_deref() {
            None if !self.text.is_empty() => Framing::None,
            None | Some("sse") => Framing::Sse,
            Some("protobuf") => Framing::Protobuf,
            Some("none") => Framing::None,
            Some(other) => panic!("unknown framing {other}"),
        };
        let mut answer = Answer {
            status: match self.ending.as_deref() {
                Some("no answer") => None,
                _ => Some(self.status.unwrap_or(200)),
            },
            headers: self.headers.clone().unwrap_or_else(|| usual(framing)),
            framing,
            text: self.text.clone(),
            ending: match self.ending.as_deref() {
                None | Some("closed") => Ending::Closed,
                Some("broken") => Ending::Broken("connection reset".to_owned()),
                Some("given up") => Ending::GivenUp(format!("{TIME_IS_OVER}: 30000 ms")),
                Some("limit") => {
                    Ending::GivenUp(format!("{LIMIT_REACHED}: 100000 events were read"))
                }
                Some("no answer") => Ending::NoAnswer("nothing came in 30000 ms".to_owned()),
                Some("unknown") => Ending::Unknown,
                Some(other) => panic!("unknown ending {other}"),
            },
            ..Answer::default()
        };
        if let Some(body) = &self.body {
            let mut reader = BodyReader::new(framing, Limits::default());
            let bytes: Vec<u8> = match self.latin1 {
                true => body.chars().map(|c| u8::try_from(c).unwrap()).collect(),
                false => body.clone().into_bytes(),
            };
            reader.push(&bytes, 0).unwrap();
            (answer.events, answer.wire, _) = reader.finish();
        } else {
            let at = |number: usize| self.at_ms.get(number).copied().unwrap_or_default() * 1000;
            let data = |event: &Value| {
                event
                    .as_str()
                    .map_or_else(|| event.to_string(), str::to_owned)
            };
            let events = self.events.iter().enumerate();
            answer.events = events
                .map(|(number, event)| Observed::new(data(event), at(number)))
                .collect();
        }
        Exchange {
            scenario: self.scenario.clone().unwrap_or_else(|| "hello".to_owned()),
            step: self.step.clone().unwrap_or_else(|| "run".to_owned()),
            asked: asked(self.asked.as_deref().unwrap_or("run")),
            request: self.request.clone(),
            answer,
        }
    }
}

fn usual(framing: Framing) -> Vec<(String, String)> {
    let media = match framing {
        Framing::Sse => "text/event-stream",
        Framing::Protobuf => "application/vnd.ag-ui.event+proto",
        Framing::None => "application/json",
    };
    vec![("content-type".to_owned(), media.to_owned())]
}

fn asked(words: &str) -> Asked {
    match words.split_once(": ") {
        Some(("a2a", name)) => return Asked::A2a(A2aAsked::named(name).expect(name)),
        Some(("mcp", name)) => return Asked::Mcp(McpAsked::named(name).expect(name)),
        _ => {}
    }
    match words {
        "run" => Asked::Run,
        "abort" => Asked::Abort,
        "error" => Asked::Error,
        "resume: resolved" => Asked::Resume(Resume::Resolved),
        "resume: cancelled" => Asked::Resume(Resume::Cancelled),
        "resume: uncovered" => Asked::Resume(Resume::Uncovered),
        "resume: unknown" => Asked::Resume(Resume::Unknown),
        "resume: wrong-payload" => Asked::Resume(Resume::WrongPayload),
        "probe: minimal-input" => Asked::Probe(Probe::MinimalInput),
        "probe: unknown-field" => Asked::Probe(Probe::UnknownField),
        "probe: unknown-part" => Asked::Probe(Probe::UnknownPart),
        "probe: unknown-role" => Asked::Probe(Probe::UnknownRole),
        "probe: newer-minor" => Asked::Probe(Probe::NewerMinor),
        "probe: reasoning-message" => Asked::Probe(Probe::ReasoningMessage),
        "probe: image-part" => Asked::Probe(Probe::ImagePart),
        "probe: bad-json" => Asked::Probe(Probe::BadJson),
        "probe: bad-field" => Asked::Probe(Probe::BadField),
        "probe: wrong-content-type" => Asked::Probe(Probe::WrongContentType),
        "probe: wrong-method" => Asked::Probe(Probe::WrongMethod),
        "probe: accept-any" => Asked::Probe(Probe::AcceptAny),
        "probe: accept-no-protobuf" => Asked::Probe(Probe::AcceptNoProtobuf),
        "probe: accept-protobuf" => Asked::Probe(Probe::AcceptProtobuf),
        other => panic!("unknown asked {other}"),
    }
}
