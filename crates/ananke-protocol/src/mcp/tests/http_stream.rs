//! The stream on which a server of the legacy era asks: it is open before anything is called.

use std::io::Write as _;
use std::net::TcpListener;
use std::sync::mpsc::channel;

use insta::assert_snapshot;
use serde_json::json;

use super::fake::{Do, call, legacy, options, result, text};
use super::loopback::{asked, endpoint};
use crate::mcp::options::{McpTransport, McpVersion};
use crate::mcp::session::McpSession;

#[tokio::test]
async fn requests_of_a_session_wait_for_the_stream() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let (sender, order) = channel();
    // It ends with the test's process.
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let asked = asked(&connection);
            let (name, status, body) = if asked.method == "POST" {
                let message = asked.message();
                let done = legacy(&message, |message| {
                    Do::Say(vec![result(message, &text("said"))])
                });
                let body = match done {
                    Do::Say(said) => said.concat(),
                    Do::Leave => String::new(),
                };
                let status = if body.is_empty() { 202 } else { 200 };
                (message["method"].to_string(), status, body)
            } else {
                (asked.method, 405, String::new())
            };
            sender.send(name).ok();
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nmcp-session-id: s1\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
            );
            connection.write_all((head + &body).as_bytes()).ok();
        }
    });
    let mut options = options();
    options.transport = McpTransport::Http(endpoint(url));
    options.version = McpVersion::Pinned("2025-11-25".to_owned());
    let mut session = McpSession::new(options);
    call(&mut session, "say", json!({})).await;
    session.close().await;
    let order: Vec<String> = order.try_iter().collect();
    assert_snapshot!(order.join("\n"), @r#"
    "initialize"
    "notifications/initialized"
    GET
    "tools/list"
    "tools/call"
    DELETE
    "#);
}
