//! A server in the same process, over two pipes, that says what it is told to say.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use ananke_model::plan::Limits;
use ananke_model::recording::{Turn, TurnStatus};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, split};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::agui::Conversation;
use crate::mcp::McpAction;
use crate::mcp::connect::Connection;
use crate::mcp::handshake::{Begun, Parts, serve};
use crate::mcp::lines::Lines;
use crate::mcp::options::{McpOptions, McpTransport, McpVersion, ScriptedAnswers};
use crate::mcp::session::McpSession;
use crate::mcp::turn::McpTurn;
use crate::mcp::watched::Watched;

/// What a server does with a message that it got.
pub(super) enum Do {
    /// Says these lines.
    Say(Vec<String>),
    /// Goes away.
    Leave,
}

/// A result for the request `message`.
pub(super) fn result(message: &Value, result: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string()
}

/// An error for the request `message`.
pub(super) fn error(message: &Value, code: i64, words: &str) -> String {
    let error = json!({"code": code, "message": words});
    json!({"jsonrpc": "2.0", "id": message["id"], "error": error}).to_string()
}

/// Answers as a server of the legacy era does; `call` answers `tools/call`.
pub(super) fn legacy(message: &Value, call: impl FnOnce(&Value) -> Do) -> Do {
    match message["method"].as_str() {
        Some("server/discover") => Do::Say(vec![error(message, -32601, "unknown method")]),
        Some("initialize") => Do::Say(vec![result(
            message,
            &json!({
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "fake", "version": "1"},
            }),
        )]),
        Some("tools/list") => Do::Say(vec![result(message, &json!({"tools": tools()}))]),
        Some("tools/call") => call(message),
        _ => Do::Say(Vec::new()),
    }
}

/// Answers as a server of the modern era does.
pub(super) fn modern(message: &Value, call: impl FnOnce(&Value) -> Do) -> Do {
    match message["method"].as_str() {
        Some("server/discover") => Do::Say(vec![result(
            message,
            &json!({
                "resultType": "complete",
                "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "fake", "version": "2"},
                "ttlMs": 0,
                "cacheScope": "private",
            }),
        )]),
        Some("initialize") => Do::Say(vec![error(message, -32601, "unknown method")]),
        _ => legacy(message, call),
    }
}

fn tools() -> Value {
    json!([
        {"name": "say", "inputSchema": {"type": "object"}},
        {
            "name": "add",
            "inputSchema": {"type": "object"},
            "outputSchema": {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]},
        },
    ])
}

/// The result of a tool that says a text.
pub(super) fn text(words: &str) -> Value {
    json!({"content": [{"type": "text", "text": words}]})
}

pub(super) fn options() -> McpOptions {
    McpOptions {
        transport: McpTransport::Stdio {
            command: Vec::new(),
            cwd: ".".into(),
            env: Vec::new(),
        },
        version: McpVersion::Auto,
        connect_timeout: Duration::from_secs(10),
        answers: ScriptedAnswers::default(),
        validate_output: true,
        limits: Limits {
            event_bytes: 1 << 20,
            turn_bytes: 4 << 20,
        },
    }
}

/// Connects to a server that does what `server` says.
pub(super) async fn connect(
    options: McpOptions,
    server: impl FnMut(&Value) -> Do + Send + 'static,
) -> Result<McpSession, String> {
    connect_within(Duration::from_secs(8), options, server).await
}

/// Connects to a server that may be silent for so long at first.
pub(super) async fn connect_within(
    patience: Duration,
    options: McpOptions,
    server: impl FnMut(&Value) -> Do + Send + 'static,
) -> Result<McpSession, String> {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    #[expect(clippy::disallowed_methods, reason = "it ends with the test")]
    tokio::spawn(run(theirs, server));
    let (read, write) = split(ours);
    let parts = Parts::new(&options, Instant::now(), options.connect_timeout);
    let cancel = CancellationToken::new();
    let lines = Lines::new(read, write, parts.tape.clone(), options.limits.event_bytes);
    let watched = Watched::new(lines, Some(patience));
    let answers = Arc::clone(&parts.answers);
    let opening = serve(watched, &options.version, &answers);
    let running = parts.in_time(&options, &cancel, opening).await;
    let running = running.map_err(|trouble| format!("{:?}: {}", trouble.kind, trouble.message))?;
    let connection = Connection::ready(&options, &cancel, parts, running, Begun::default()).await;
    Ok(McpSession::connected(options, connection))
}

async fn run(pipe: DuplexStream, mut server: impl FnMut(&Value) -> Do) {
    let (read, mut write) = split(pipe);
    let mut lines = BufReader::new(read).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let message: Value = serde_json::from_str(&line).unwrap();
        let Do::Say(said) = server(&message) else {
            return;
        };
        for line in said {
            if write
                .write_all(format!("{line}\n").as_bytes())
                .await
                .is_err()
            {
                return;
            }
        }
    }
}

/// Calls a tool.
pub(super) async fn call(session: &mut McpSession, tool: &str, args: Value) -> Turn {
    let args: Map<String, Value> = args.as_object().cloned().unwrap_or_default();
    let tool = tool.to_owned();
    act(session, McpAction::Call { tool, args }, 5_000).await
}

/// Runs a turn within so many milliseconds.
pub(super) async fn act(session: &mut McpSession, action: McpAction, timeout_ms: u64) -> Turn {
    let cancel = CancellationToken::new();
    let request = McpTurn {
        action,
        user: None,
        calls_at: None,
        timeout: Duration::from_millis(timeout_ms),
        whole: Duration::from_secs(60),
        unix_ms: 0,
        cancel: &cancel,
    };
    let mut n = 0;
    let mut new_id = move || {
        n += 1;
        format!("id-{n}")
    };
    session
        .turn(&request, &mut Conversation::default(), &mut new_id)
        .await
}

/// Shows what matters in a turn, without times.
pub(super) fn shown(turn: &Turn) -> String {
    let mut shown = String::new();
    let status = match &turn.status {
        TurnStatus::Finished => "finished".to_owned(),
        TurnStatus::RunError { message, code } => {
            format!("error {}: {message}", code.as_deref().unwrap_or("-"))
        }
        TurnStatus::Broken(trouble) => format!("broken, {:?}: {}", trouble.kind, trouble.message),
    };
    writeln!(shown, "{} {status}", turn.kind).unwrap();
    if !turn.text.is_empty() {
        writeln!(shown, "text: {:?}", turn.text).unwrap();
    }
    for call in &turn.tool_calls {
        let end = match (&call.result, &call.error) {
            (Some(result), None) => format!("= {result}"),
            (result, Some(error)) => format!("= {result:?}, error {error:?}"),
            (None, None) => "without an end".to_owned(),
        };
        writeln!(shown, "call: {}({}) {end}", call.name, call.args_text).unwrap();
    }
    if turn.data != Value::Null {
        writeln!(shown, "data: {}", turn.data).unwrap();
    }
    for warning in &turn.warnings {
        writeln!(shown, "note: {warning}").unwrap();
    }
    shown
}
