//! A stand-in of the server that this profile was made for: numbered events in an envelope, a backlog, then live.

use serde_json::{Value, json};

use super::server::{End, Reply, Request, Server};

pub(super) const FULL: &str = "full-token";
pub(super) const READ_ONLY: &str = "read-only-token";
pub(super) const BOUND: &str = "bound-token";

/// How it is set up.
#[derive(Clone, Debug)]
pub(super) struct StandIn {
    pub(super) naming: Naming,
    /// Whether it asks for tokens.
    pub(super) is_locked: bool,
    /// Pieces of text have the number 0 and are not sent again.
    pub(super) has_loose_pieces: bool,
    /// What follows the backlog.
    pub(super) end: End,
}

/// How it spells types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    Legacy,
    Canonical,
}

/// An event that the hub keeps.
struct Kept {
    legacy: &'static str,
    canonical: &'static str,
    data: Value,
}

impl StandIn {
    /// As its makers set it up: it never closes the stream.
    pub(super) fn new(naming: Naming) -> Self {
        Self {
            naming,
            is_locked: true,
            has_loose_pieces: false,
            end: End::Hold,
        }
    }

    /// One that closes the stream, so that a test need not wait until nothing more comes.
    pub(super) fn closing() -> Self {
        Self {
            end: End::Close,
            ..Self::new(Naming::Canonical)
        }
    }

    pub(super) fn start(self) -> Server {
        Server::start(move |request| self.answer(request))
    }

    /// Starts it with another answer where `change` makes one.
    pub(super) fn start_with(
        self,
        change: impl Fn(&Request, Reply) -> Reply + Send + Sync + 'static,
    ) -> Server {
        Server::start(move |request| change(request, self.answer(request)))
    }

    pub(super) fn answer(&self, request: &Request) -> Reply {
        if request.path == "/remote/health" {
            return Reply::json(200, r#"{"ok":true}"#);
        }
        let header = request.header("authorization");
        let token = header.and_then(|value| value.strip_prefix("Bearer "));
        let token = token.or_else(|| request.query("token")).unwrap_or_default();
        if self.is_locked && ![FULL, READ_ONLY, BOUND].contains(&token) {
            return Reply::json(401, r#"{"error":"unauthorized"}"#);
        }
        if token == BOUND && request.header("dpop").is_none() {
            return Reply::json(401, r#"{"error":"dpop_required","scheme":"DPoP"}"#);
        }
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/remote/stream") => self.stream(request.query("since")),
            ("POST", "/remote/inject") if token == READ_ONLY => Reply::json(
                403,
                r#"{"error":"forbidden","required":"full","granted":"read-only"}"#,
            ),
            ("POST", "/remote/inject") => Reply::json(200, r#"{"queued":true,"pending":1}"#),
            _ => Reply::json(404, r#"{"error":"not_found"}"#),
        }
    }

    fn stream(&self, since: Option<&str>) -> Reply {
        let since = since.map(|number| number.parse::<u64>().unwrap());
        let mut next = 0;
        let mut body = String::new();
        for kept in events() {
            let is_loose = self.has_loose_pieces && kept.legacy == "assistant.delta";
            let number = if is_loose { 0 } else { next };
            next += u64::from(!is_loose);
            let is_missed = since.is_none_or(|since| number > since);
            if is_missed {
                body += &self.frame(&kept, number);
            }
        }
        Reply {
            status: 200,
            headers: vec![
                ("Content-Type", "text/event-stream".to_owned()),
                ("Cache-Control", "no-cache".to_owned()),
                ("Connection", "keep-alive".to_owned()),
            ],
            body,
            end: self.end.clone(),
        }
    }

    fn frame(&self, kept: &Kept, number: u64) -> String {
        let kind = match self.naming {
            Naming::Legacy => kept.legacy,
            Naming::Canonical => kept.canonical,
        };
        let payload = json!({
            "type": kind,
            "id": format!("evt_{number:04}"),
            "seq": number,
            "ts": "2026-05-04T10:00:00.000Z",
            "data": kept.data,
        });
        format!("event: {kind}\ndata: {payload}\n\n")
    }
}

fn events() -> Vec<Kept> {
    let kept = |legacy, canonical, data| Kept {
        legacy,
        canonical,
        data,
    };
    vec![
        kept("run.start", "RUN_STARTED", json!({"runId": "run-1"})),
        kept("run.step", "STEP_STARTED", json!({"step": 1})),
        kept(
            "assistant.delta",
            "TEXT_MESSAGE_CONTENT",
            json!({"text": "Look"}),
        ),
        kept(
            "assistant.delta",
            "TEXT_MESSAGE_CONTENT",
            json!({"text": "ing."}),
        ),
        kept(
            "assistant.message",
            "TEXT_MESSAGE_END",
            json!({"text": "Looking."}),
        ),
        kept(
            "tool.call.start",
            "TOOL_CALL_START",
            json!({"tool": "lookup"}),
        ),
        kept(
            "tool.call.end",
            "TOOL_CALL_END",
            json!({"tool": "lookup", "ok": true}),
        ),
        kept("cost.update", "CUSTOM_COST_UPDATE", json!({"usd": 0.01})),
        kept("run.finished", "RUN_FINISHED", json!({"runId": "run-1"})),
        kept("state", "STATE_SNAPSHOT", json!({"phase": "idle"})),
    ]
}
