//! A server that is a shell script, and targets that start it.

use ananke_model::plan::{Isolation, McpTarget, McpWay, Tls, UserTool};

use super::{LIMITS, text};

/// Answers whatever is asked; `CALL` becomes what a call does, with `$id`, `$line`, and `$n` calls so far.
const SERVER: &str = r#"
echo $$ >> pids
n=0
say() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/^{"jsonrpc":"2.0","id":\([0-9]*\),.*/\1/p')
  case "$line" in
    *'"initialize"'*) say '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}' ;;
    *'"tools/list"'*) say '"result":{"tools":[{"name":"ask","description":"Asks.","inputSchema":{"type":"object","properties":{"question":{"type":"string"}},"required":["question"]}}]}' ;;
    *'"tools/call"'*) n=$((n + 1)); CALL ;;
    *'"id":'*) say '"error":{"code":-32601,"message":"not known"}' ;;
  esac
done
"#;

/// What a call does that says how many there were.
pub(crate) const COUNTS: &str =
    r#"say "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"Hi $n\"}]}""#;

/// What a call does that asks the user for a date, and says whether it got one.
pub(crate) const ASKS: &str = r#"
    printf '{"jsonrpc":"2.0","id":"q%s","method":"elicitation/create","params":{"message":"Which date?","requestedSchema":{"type":"object","properties":{}}}}\n' "$n"
    read -r line
    case "$line" in *'"accept"'*) got=accept ;; *) got=decline ;; esac
    say "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"$got\"}]}""#;

/// Returns the script of a server whose calls do this.
pub(crate) fn script(call: &str) -> String {
    SERVER.replace("CALL", call)
}

/// Returns a server that a shell runs.
pub(crate) fn server(script: &str) -> McpTarget {
    McpTarget {
        transport: McpWay::Stdio {
            command: ["sh", "-c", script].map(text).to_vec(),
            cwd: None,
            env: Vec::new(),
        },
        version: Some("2025-11-25".to_owned()),
        user_tool: Some(UserTool {
            name: text("ask"),
            argument: text("question"),
            args: None,
            conversation: None,
            tool_calls: None,
        }),
        isolation: Isolation::Test,
        elicitation: Vec::new(),
        sampling: Vec::new(),
        roots: None,
        validate_output: true,
        auth: None,
        headers: Vec::new(),
        timeout_ms: 10_000,
        connect_timeout_ms: 10_000,
        tls: Tls::default(),
        limits: LIMITS,
    }
}

/// Returns a server that is reached over HTTP.
pub(crate) fn remote(url: &str) -> McpTarget {
    McpTarget {
        transport: McpWay::Http(text(url)),
        ..server("")
    }
}
