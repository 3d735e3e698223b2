//! Servers that are processes: how they begin, how they end, and that none of them is left.

use std::time::{Duration, Instant};

use insta::assert_snapshot;
use serde_json::json;

use super::fake::{call, options, shown};
use crate::mcp::options::{McpOptions, McpTransport, McpVersion};
use crate::mcp::session::McpSession;

/// A shell that runs `script`.
fn shell(script: &str) -> McpOptions {
    let mut options = options();
    options.transport = McpTransport::Stdio {
        command: vec!["sh".to_owned(), "-c".to_owned(), script.to_owned()],
        cwd: ".".into(),
        env: vec![("GREETING".to_owned(), "hello".to_owned())],
    };
    options.version = McpVersion::Pinned("2025-11-25".to_owned());
    options.limits.turn_bytes = 1 << 20;
    options
}

/// Shakes hands, and then does `rest`. The ids are those that come next.
fn after_handshake(rest: &str) -> String {
    let hello = json!({"jsonrpc": "2.0", "id": 0, "result": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "serverInfo": {"name": "sh", "version": "1"},
    }});
    format!("read a; echo '{hello}'; read b; {rest}")
}

fn answer(text: &str) -> String {
    let result = json!({"content": [{"type": "text", "text": text}]});
    json!({"jsonrpc": "2.0", "id": 1, "result": result}).to_string()
}

async fn called(options: McpOptions) -> (String, Vec<String>) {
    let began = Instant::now();
    let mut session = McpSession::new(options);
    let turn = call(&mut session, "say", json!({})).await;
    let notes = session.close().await;
    assert!(began.elapsed() < Duration::from_secs(10));
    (shown(&turn), notes)
}

#[tokio::test]
async fn a_program_answers_and_leaves_when_its_stdin_ends() {
    let said = answer("$GREETING").replace('"', "\\\"");
    let script = after_handshake(&format!("echo Booting; read c; echo \"{said}\"; read d"));
    let (turn, notes) = called(shell(&script)).await;
    assert_snapshot!(turn, @r#"
    mcp:call finished
    text: "hello"
    call: say({}) = hello
    note: the server printed a line that is no message to its stdout, where only messages may be: `Booting`
    "#);
    assert!(notes.is_empty());
}

#[tokio::test]
async fn connecting_does_not_count_as_calling() {
    let script = format!(
        "sleep 0.3; {}",
        after_handshake(&format!("read c; echo '{}'", answer("ok")))
    );
    let mut session = McpSession::new(shell(&script));
    let turn = call(&mut session, "say", json!({})).await;
    let connect_us = turn.timing.connect_us.unwrap();
    assert!(connect_us >= 300_000, "{connect_us}");
    assert!(turn.timing.total_us < connect_us, "{:?}", turn.timing);
    session.close().await;
}

#[tokio::test]
async fn a_modern_program_that_is_slow_to_begin_is_asked_again() {
    let found = json!({"jsonrpc": "2.0", "id": 0, "result": {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {},
        "serverInfo": {"name": "sh", "version": "1"},
        "ttlMs": 0,
        "cacheScope": "private",
    }});
    let refused =
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32022, "message": "too late"}});
    let folder = tempfile::tempdir().unwrap();
    let seen = folder.path().join("seen");
    // It takes its time on the first start only.
    let script = format!(
        "if mkdir {seen}; then sleep 0.5; fi 2>/dev/null; read a; echo '{found}'; read b; case $b in *initialize*) echo '{refused}';; *) echo '{answer}';; esac; read c",
        seen = seen.display(),
        answer = answer("ok"),
    );
    let mut options = shell(&script);
    options.version = McpVersion::Auto;
    let (turn, _) = called(options).await;
    assert_snapshot!(turn, @r#"
    mcp:call finished
    text: "ok"
    call: say({}) = ok
    note: the server was connected to twice, because it did not answer at first: the server refuses the handshake: too late (-32022)
    "#);
}

#[tokio::test]
async fn a_program_that_is_not_there_cannot_be_started() {
    let mut options = shell("");
    options.transport = McpTransport::Stdio {
        command: vec!["/nowhere/server".to_owned()],
        cwd: ".".into(),
        env: Vec::new(),
    };
    assert_snapshot!(called(options).await.0, @"
    mcp:call broken, Unreachable: `/nowhere/server` cannot be started: No such file or directory (os error 2)
    call: say({}) without an end
    ");
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_named() {
    let mut options = shell("");
    options.transport = McpTransport::Stdio {
        command: vec!["sh".to_owned()],
        cwd: "/nowhere/shop".into(),
        env: Vec::new(),
    };
    assert_snapshot!(called(options).await.0, @"
    mcp:call broken, Unreachable: `cwd`: there is no folder `/nowhere/shop`
    call: say({}) without an end
    ");
}

#[tokio::test]
async fn a_program_that_dies_says_its_last_words() {
    let early = "echo 'no config' >&2; exit 3";
    assert_snapshot!(called(shell(early)).await.0, @"
    mcp:call broken, Transport: `sh` ended (exit status: 3) before it was connected; stderr: no config
    note: stderr: no config
    ");
    let late = after_handshake("read c; echo 'out of memory' >&2; exit 4");
    assert_snapshot!(called(shell(&late)).await.0, @"
    mcp:call broken, Transport: `sh` ended (exit status: 4) before the answer came; stderr: out of memory
    call: say({}) without an end
    note: stderr: out of memory
    ");
    let killed = after_handshake("read c; kill -9 $$");
    assert_snapshot!(called(shell(&killed)).await.0, @"
    mcp:call broken, Transport: `sh` ended (signal: 9 (SIGKILL)) before the answer came
    call: say({}) without an end
    ");
}

#[tokio::test]
async fn a_program_that_floods_is_stopped() {
    let early = shell("yes");
    assert_snapshot!(called(early).await.0.lines().next().unwrap(), @"mcp:call broken, Limit: the server sent more than 1048576 bytes (limits.turn_bytes)");
    let late = shell(&after_handshake("read c; yes"));
    assert_snapshot!(called(late).await.0.lines().next().unwrap(), @"mcp:call broken, Limit: the server sent more than 1048576 bytes (limits.turn_bytes)");
    let one_line = shell(&after_handshake("read c; yes | tr -d '\\n'"));
    assert_snapshot!(called(one_line).await.0.lines().next().unwrap(), @"mcp:call broken, Limit: the server sent a message of more than 1048576 bytes (limits.event_bytes)");
}

#[tokio::test]
async fn a_program_that_is_silent_is_given_up_and_ended() {
    let mut silent = shell("sleep 60 & echo $! >&2; wait");
    silent.connect_timeout = Duration::from_millis(1500);
    let (turn, _) = called(silent).await;
    let pid = turn
        .lines()
        .find_map(|line| line.strip_prefix("note: stderr: "))
        .unwrap();
    let (head, _) = turn.split_once(&format!("; stderr: {pid}")).unwrap();
    assert_snapshot!(head, @"mcp:call broken, Timeout: timeout after 1500ms (connect_timeout_ms): the server had not said a word");
    // Nobody may be there to take note of its end.
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "{state}");
}

#[tokio::test]
async fn a_program_that_will_not_leave_is_made_to() {
    let stubborn = format!(
        "read c; echo '{}'; trap '' TERM; while :; do sleep 0.1; done",
        answer("ok")
    );
    let (_, notes) = called(shell(&after_handshake(&stubborn))).await;
    assert_snapshot!(notes.join("\n"), @"`sh` went on after its stdin was closed; it was ended with SIGKILL");
    let slow = format!(
        "read c; echo '{}'; while :; do sleep 0.1; done",
        answer("ok")
    );
    let (_, notes) = called(shell(&after_handshake(&slow))).await;
    assert_snapshot!(notes.join("\n"), @"`sh` went on after its stdin was closed; it was ended with SIGTERM");
}
