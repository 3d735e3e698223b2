//! A yardstick of the benchmarks: calls of a tool over stdio, by the same MCP library, with nothing around them.
//!
//! `bare_mcp <calls> <program> [arguments]` prints the microseconds that the calls took, one after another, without
//! connecting.

use std::process::Stdio;
use std::time::Instant;

use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use tokio::process::Command;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let n_calls: usize = words.next().unwrap_or_default().parse()?;
    let program = words.next().unwrap_or_default();
    let mut child = Command::new(program)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let pipes = child.stdout.take().zip(child.stdin.take());
    let service = ().serve(pipes.ok_or("the child has no pipes")?).await?;
    let started = Instant::now();
    for number in 0..n_calls {
        let mut arguments = serde_json::Map::new();
        arguments.insert("number".to_owned(), number.into());
        let params = CallToolRequestParams::new("echo").with_arguments(arguments);
        service.call_tool(params).await?;
    }
    let spent = started.elapsed();
    write_result(spent.as_micros());
    service.cancel().await?;
    Ok(())
}

#[expect(
    clippy::print_stdout,
    reason = "the number is the output of this program"
)]
fn write_result(micros: u128) {
    println!("{micros}");
}
