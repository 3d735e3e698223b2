//! MCP servers that misbehave: silent, dying, flooding, talking about something else.

use insta::assert_snapshot;

use super::Fault;

/// Answers `initialize` and `tools/list`; what is done at a call is put in place of `CALL`, with the id in `$id`.
const SERVER: &str = r#"
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9][0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}\n' "$id" ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"say","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
    *'"tools/call"'*) CALL ;;
    *'"server/discover"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}\n' "$id" ;;
  esac
done
"#;
/// Says hello.
const HELLO: &str = r#"printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"Hello"}]}}\n' "$id""#;

fn server(call: &str) -> Fault {
    Fault::tools_of(&SERVER.replace("CALL", call))
}

#[test]
fn a_good_server_passes() {
    assert_snapshot!(server(HELLO).shown(), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: finished, 1 events, text "Hello"
    "#);
}

#[test]
fn a_program_that_is_not_there() {
    let fault = Fault::tools_of("").program("./no-such-server");
    assert_snapshot!(fault.shown(), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: `./no-such-server` cannot be started: No such file or directory
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (unreachable), 0 events, text ""
    "#);
}

#[test]
fn a_server_that_never_says_a_word() {
    let fault = Fault::tools_of("cat > /dev/null").target("connect_timeout_ms: 300");
    assert_snapshot!(fault.shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (connect_timeout_ms): the server had not said a word
         captured in turn 1: 0 events, no tool call, no text
    --- json
    timeout
    turn 1: broken (timeout), 0 events, text ""
    "#);
}

#[test]
fn a_server_that_dies_at_the_start() {
    let fault = Fault::tools_of("echo 'no database' >&2; exit 3");
    assert_snapshot!(fault.shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: `sh` ended (exit status: 3) before it was connected; stderr: no database
         captured in turn 1: 0 events, no tool call, no text
      ⚠ 1 warning (stderr: no database)
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    warning: stderr: no database
    "#);
}

#[test]
fn a_server_that_dies_in_a_call() {
    assert_snapshot!(server("echo 'out of memory' >&2; exit 7").shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: `sh` ended (exit status: 7) before the answer came; stderr: out of memory
         captured in turn 1: 0 events, no tool call, no text
      ⚠ 1 warning (stderr: out of memory)
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    warning: stderr: out of memory
    "#);
}

#[test]
fn a_server_that_does_not_answer_a_call() {
    assert_snapshot!(server(":").timeout_ms(300).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): no message came before
         captured in turn 1: 0 events, no tool call, no text
    --- json
    timeout
    turn 1: broken (timeout), 0 events, text ""
    "#);
}

#[test]
fn a_server_that_answers_something_else() {
    let call = r#"printf '{"jsonrpc":"2.0","id":987654,"result":{"content":[]}}\n'"#;
    assert_snapshot!(server(call).timeout_ms(300).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): 1 message came before
         captured in turn 1: 1 event, no tool call, no text
      ⚠ 1 warning (the server answered a request with the id `987654`, which is not open)
    --- json
    timeout
    turn 1: broken (timeout), 1 events, text ""
    warning: the server answered a request with the id `987654`, which is not open
    "#);
}

#[test]
fn a_server_that_prints_what_is_no_message() {
    assert_snapshot!(server(&format!("echo 'debug: called'; {HELLO}")).shown(), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
      ⚠ 1 warning (the server printed a line that is no message to its stdout, where only messages may be: `debug: called`)
    --- json
    passed
    turn 1: finished, 1 events, text "Hello"
    warning: the server printed a line that is no message to its stdout, where only messages may be: `debug: called`
    "#);
}

#[test]
fn a_server_that_floods() {
    let fault = server("yes flood").target("limits: {event_bytes: 65536, turn_bytes: 1048576}");
    assert_snapshot!(fault.timeout_ms(5000).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the server sent more than 1048576 bytes (limits.turn_bytes)
         captured in turn 1: 0 events, no tool call, no text
      ⚠ 11 warnings (the server printed a line that is no message to its stdout, where only messages may be: `flood`)
    --- json
    error
    turn 1: broken (limit), 0 events, text ""
    warning: the server printed a line that is no message to its stdout, where only messages may be: `flood`
    warning: the server printed a line that is no message to its stdout, where only messages may be: `flood`
    warning: the server printed a line that is no message to its stdout, where only messages may be: `flood`
    warning: the server printed a line that is no message to its stdout, where only messages may be: `flood`
    warning: the server printed a line that is no message to its stdout, where only messages may be: `flood`
    warning: the server printed a line that is no message to its stdout, where only messages may be: `flood`
    warning: the server printed a line that is no message to its stdout, where only messages may be: `flood`
    warning: the server printed a line that is no message to its stdout, where only messages may be: `flood`
    warning: the server printed a line that is no message to its stdout, where only messages may be: `flood`
    warning: the server printed a line that is no message to its stdout, where only messages may be: `flood`
    warning: the server sent 209705 more things that are no messages
    "#);
}

#[test]
fn a_server_that_sends_a_line_without_end() {
    let fault = server("tr '\\\\0' x < /dev/zero")
        .target("limits: {event_bytes: 65536, turn_bytes: 1048576}");
    assert_snapshot!(fault.timeout_ms(5000).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the server sent a message of more than 65536 bytes (limits.event_bytes)
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (limit), 0 events, text ""
    "#);
}

#[test]
fn a_tool_that_says_itself_that_it_failed() {
    let call = r#"printf '{"jsonrpc":"2.0","id":%s,"result":{"isError":true,"content":[{"type":"text","text":"no seats left"}]}}\n' "$id""#;
    assert_snapshot!(server(call).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the agent ended with an error: no seats left (isError)
         captured in turn 1: 1 event, no tool call, text:
         │ no seats left
    --- json
    error
    turn 1: run_error, 1 events, text "no seats left"
    "#);
    assert_snapshot!(server(call).demands("error: no seats").shown(), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: run_error, 1 events, text "no seats left"
    "#);
}

#[test]
fn an_error_of_json_rpc() {
    let call = r#"printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"words are missing"}}\n' "$id""#;
    assert_snapshot!(server(call).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the agent ended with an error: words are missing (-32602)
         captured in turn 1: 1 event, no tool call, no text
    --- json
    error
    turn 1: run_error, 1 events, text ""
    "#);
}

#[test]
fn a_server_that_does_not_leave_is_ended() {
    let fault = Fault::tools_of(&format!(
        "trap '' TERM\n{}\nsleep 600",
        SERVER.replace("CALL", HELLO)
    ));
    assert_snapshot!(fault.shown(), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
      ⚠ 1 warning (`sh` went on after its stdin was closed; it was ended with SIGKILL)
    --- json
    passed
    turn 1: finished, 1 events, text "Hello"
    "#);
}
