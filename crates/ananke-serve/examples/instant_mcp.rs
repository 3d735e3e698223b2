//! An MCP server over stdio that does nearly nothing, for the benchmarks: one tool, `echo`, whose answer is always the same.

use std::io::{self, BufRead as _, Write as _};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let Some(id) = id(&line) else { continue };
        let has = |method: &str| line.contains(&format!("\"{method}\""));
        let body = if has("tools/call") {
            r#""result":{"content":[{"type":"text","text":"Hi"}],"isError":false}"#
        } else if has("initialize") {
            r#""result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"instant","version":"1"}}"#
        } else if has("tools/list") {
            r#""result":{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}"#
        } else {
            r#""error":{"code":-32601,"message":"there is no such method"}"#
        };
        writeln!(out, r#"{{"jsonrpc":"2.0","id":{id},{body}}}"#)?;
        out.flush()?;
    }
    Ok(())
}

/// Returns the id of a request as it stands there; notifications have none.
fn id(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("\"id\":")?;
    let end = rest.find([',', '}'])?;
    rest.get(..end)
}
