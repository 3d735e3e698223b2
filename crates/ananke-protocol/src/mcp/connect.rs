//! A connection to a server: opened in either era within a time of its own, and always closed with its process.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ananke_model::plan::McpListed;
use ananke_model::recording::{Trouble, TroubleKind};
use rmcp::RoleClient;
use rmcp::service::RunningService;
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::action::Listed as _;
use super::answers::Answers;
use super::asked::Asked;
use super::handshake::{Begun, Parts, start};
use super::noted::Taken;
use super::options::{McpOptions, McpVersion};
use super::record::Tape;
use super::stdio::Program;
use super::turn::{since_us, trouble};
use super::words::rpc_error;

/// How long a connection may take to close before its process is ended.
const CLOSING: Duration = Duration::from_millis(500);

/// An open connection.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) running: RunningService<RoleClient, Asked>,
    pub(super) program: Option<Program>,
    /// The token that was fetched for it.
    pub(super) token: Option<String>,
    pub(super) tape: Tape,
    pub(super) answers: Arc<Answers>,
    /// What the server says about itself.
    pub(super) server: Value,
    /// What tools announce about their results, by their names.
    pub(super) schemas: BTreeMap<String, Value>,
    /// How long it took to open it.
    pub(super) connect_us: u64,
}

/// Why there is no connection, and what was seen before that was known.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) trouble: Trouble,
    pub(super) taken: Taken,
    pub(super) reached: bool,
    /// The token that was fetched.
    pub(super) token: Option<String>,
    /// Whether the server showed that it begins without a handshake.
    is_modern: bool,
}

impl Connection {
    /// Opens a connection.
    pub(super) async fn open(
        options: &McpOptions,
        within: Duration,
        cancel: &CancellationToken,
    ) -> Result<Self, Failure> {
        let started = Instant::now();
        let parts = || Parts::new(options, started, within.min(options.connect_timeout));
        let failure = match Self::try_open(options, &options.version, parts(), cancel).await {
            Err(failure) if failure.is_modern && options.version == McpVersion::Auto => failure,
            opened => return opened,
        };
        let modern = McpVersion::Pinned(options.version.modern().unwrap_or_default().to_owned());
        let connection = Self::try_open(options, &modern, parts(), cancel).await?;
        // It was only slow to begin, and was taken for one of the legacy era.
        connection.tape.note(format!(
            "the server was connected to twice, because it did not answer at first: {}",
            failure.trouble.message
        ));
        Ok(connection)
    }

    async fn try_open(
        options: &McpOptions,
        version: &McpVersion,
        parts: Parts,
        cancel: &CancellationToken,
    ) -> Result<Self, Failure> {
        let mut begun = Begun::default();
        let opening = start(options, version, &parts, &mut begun);
        let opened = parts.in_time(options, cancel, opening).await;
        match opened {
            Ok(running) => Ok(Self::ready(options, cancel, parts, running, begun).await),
            Err(trouble) => Err(failure(trouble, &parts.tape, begun).await),
        }
    }

    /// Asks what is to be known before the first turn.
    pub(super) async fn ready(
        options: &McpOptions,
        cancel: &CancellationToken,
        parts: Parts,
        running: RunningService<RoleClient, Asked>,
        begun: Begun,
    ) -> Self {
        let server = running.peer_info().map(|info| serde_json::to_value(&info));
        let mut connection = Self {
            running,
            program: begun.program,
            token: begun.token,
            tape: parts.tape,
            answers: parts.answers,
            server: server.and_then(Result::ok).unwrap_or_default(),
            schemas: BTreeMap::new(),
            connect_us: 0,
        };
        if options.validate_output && connection.has(McpListed::Tools) {
            connection.learn_schemas(parts.deadline, cancel).await;
        }
        connection.tape.forget_messages();
        connection.connect_us = since_us(parts.started);
        connection
    }

    /// Tells whether the server announces that it has something to list.
    pub(super) fn has(&self, listed: McpListed) -> bool {
        self.server["capabilities"]
            .get(listed.capability())
            .is_some()
    }

    /// Asks what tools announce about their results. A server that does not tell is only noted: calls may work.
    async fn learn_schemas(&mut self, deadline: Instant, cancel: &CancellationToken) {
        let listed = self.pages(McpListed::Tools, deadline, cancel).await;
        if cancel.is_cancelled() {
            return;
        }
        let tools = match listed {
            Ok(Ok(tools)) => Ok(tools),
            Ok(Err(error)) => Err(rpc_error(&error).0),
            Err(stopped) => Err(stopped.message),
        };
        let tools = tools.unwrap_or_else(|why| {
            self.tape.note(format!(
                "the tools cannot be listed, so results are not held against a schema: {why}"
            ));
            Vec::new()
        });
        for tool in &tools {
            let schema = tool.get("outputSchema").filter(|schema| !schema.is_null());
            if let (Some(name), Some(schema)) = (tool["name"].as_str(), schema) {
                self.schemas.insert(name.to_owned(), schema.clone());
            }
        }
    }

    /// Closes the connection and ends the process of the server. Returns what was not as it should be.
    pub(super) async fn close(self) -> Vec<String> {
        let mut notes = Vec::new();
        tokio::time::timeout(CLOSING, self.running.cancel())
            .await
            .ok();
        if let Some(program) = self.program {
            notes.extend(program.end().await);
        }
        notes
    }
}

/// Says why there is no connection, with the last words of the server, and ends its process.
async fn failure(found: Trouble, tape: &Tape, begun: Begun) -> Failure {
    // A limit closes the connection, which may be noticed first.
    let mut found = match tape.overflow() {
        Some(why) => trouble(TroubleKind::Limit, why),
        None => found,
    };
    let mut notes = Vec::new();
    // A program that runs is there, whatever it says; over HTTP any answer shows that somebody is.
    let is_there = begun.program.is_some()
        || found.refusal.is_some()
        || matches!(
            found.kind,
            TroubleKind::ContentType | TroubleKind::Redirect | TroubleKind::Limit
        );
    if let Some(mut program) = begun.program {
        let is_cut_off = matches!(
            found.kind,
            TroubleKind::Transport | TroubleKind::Unreachable
        );
        if is_cut_off && let Some(ended) = program.ending().await {
            found = trouble(
                TroubleKind::Transport,
                format!("{ended} before it was connected"),
            );
        }
        with_stderr(&mut found, &program, &mut notes);
        program.end().await;
    }
    let reached = is_there || tape.is_heard();
    let mut taken = tape.take();
    taken.notes.extend(notes);
    Failure {
        trouble: found,
        taken,
        reached,
        token: begun.token,
        is_modern: tape.is_modern(),
    }
}

/// Adds the last words of a server to what went wrong.
pub(super) fn with_stderr(found: &mut Trouble, program: &Program, notes: &mut Vec<String>) {
    let lines = program.stderr();
    if let Some(last) = lines.last() {
        found.message = format!("{}; stderr: {last}", found.message);
    }
    notes.extend(lines.iter().map(|line| format!("stderr: {line}")));
}
