//! A yardstick of the benchmarks: the same requests as a run of many tests, written to bare sockets.
//!
//! `bare_socket <host:port> <requests> <connections>`: each connection is kept alive and sends its share one by one.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

const BODY: &str = r#"{"threadId":"6f2e2c7e-7d5c-4d5f-9a56-1c1f3b7a8e01","runId":"0b6f1a52-43f3-4c1e-8a5e-2f7f6f1f9c11","protocolVersion":"1.0","state":{},"messages":[{"id":"0b6f1a52-43f3-4c1e-8a5e-2f7f6f1f9c12","role":"user","content":"hello"}],"tools":[],"context":[],"forwardedProps":{}}"#;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let mut words = std::env::args().skip(1);
    let address = words.next().unwrap_or_default();
    let mut number = || {
        words
            .next()
            .and_then(|word| word.parse::<usize>().ok())
            .unwrap_or(1)
    };
    let (n_requests, n_connections) = (number(), number());
    let mut connections = JoinSet::new();
    for index in 0..n_connections {
        let share = n_requests / n_connections + usize::from(index < n_requests % n_connections);
        connections.spawn(requests(address.clone(), share));
    }
    while let Some(done) = connections.join_next().await {
        done.map_err(std::io::Error::other)??;
    }
    Ok(())
}

/// Sends `n_requests` on one connection and reads every answer to its end.
async fn requests(address: String, n_requests: usize) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(&address).await?;
    stream.set_nodelay(true)?;
    let request = format!(
        "POST / HTTP/1.1\r\nhost: {address}\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{BODY}",
        BODY.len()
    );
    let mut buffer = vec![0; 16 * 1024];
    for _ in 0..n_requests {
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        while !is_whole(&answer) {
            match stream.read(&mut buffer).await? {
                0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
                n => answer.extend_from_slice(&buffer[..n]),
            }
        }
    }
    Ok(())
}

/// Tells whether the head and as many bytes as it announces are there.
fn is_whole(answer: &[u8]) -> bool {
    let Some(head) = answer.windows(4).position(|window| window == b"\r\n\r\n") else {
        return false;
    };
    let length = String::from_utf8_lossy(&answer[..head])
        .lines()
        .find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
    answer.len() >= head + 4 + length.unwrap_or(0)
}
