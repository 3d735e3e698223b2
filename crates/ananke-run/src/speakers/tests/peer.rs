//! A server on a loopback port that answers one connection after another as it was told.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// The server, and what it was asked.
#[derive(Debug)]
pub(crate) struct Peer {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Peer {
    /// Starts a server that gives these answers in order, the last one for ever.
    pub(crate) fn start(answers: &[String]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked: Arc<Mutex<Vec<(String, Value)>>> = Arc::default();
        let (answers, noted) = (answers.to_vec(), Arc::clone(&asked));
        // It ends with the test's process.
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let mut stream = stream.unwrap();
                let Some(request) = request(&mut stream) else {
                    continue;
                };
                noted.lock().unwrap().push(request);
                let answer = answers.get(number).or(answers.last()).unwrap();
                stream.write_all(answer.as_bytes()).ok();
            }
        });
        Self { address, asked }
    }

    pub(crate) fn host(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the bodies so far.
    pub(crate) fn bodies(&self) -> Vec<Value> {
        let asked = self.asked.lock().unwrap();
        asked.iter().map(|(_, body)| body.clone()).collect()
    }

    /// Returns the first line of each request so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        let heads = asked.iter().map(|(head, _)| head.lines().next());
        heads
            .map(|line| line.unwrap_or_default().to_owned())
            .collect()
    }

    /// Returns the line of the first request's head that begins with this.
    pub(crate) fn head_line(&self, beginning: &str) -> String {
        let asked = self.asked.lock().unwrap();
        let line = asked[0].0.lines().find(|line| line.starts_with(beginning));
        line.unwrap_or("none").to_owned()
    }
}

fn request(stream: &mut TcpStream) -> Option<(String, Value)> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let mut lines = head.lines();
            let length = lines.find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.parse().unwrap());
            if body.len() >= length {
                let body = serde_json::from_str(body).unwrap_or_default();
                return Some((head.to_owned(), body));
            }
        }
        let n = stream.read(&mut buffer).ok().filter(|n| *n > 0)?;
        bytes.extend_from_slice(&buffer[..n]);
    }
}

/// Returns a streamed answer that consists of these deltas.
pub(crate) fn streamed(deltas: &[&str]) -> String {
    let chunks = deltas.iter().map(|delta| {
        format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":null}}]}}\n\n"
        )
    });
    let chunks: String = chunks.collect();
    let end =
        r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"total_tokens":7}}"#;
    let body = format!("{chunks}data: {end}\n\ndata: [DONE]\n\n");
    respond("200 OK", "text/event-stream", &body)
}

/// Returns a response whose body ends with its connection.
pub(crate) fn respond(status: &str, content_type: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\nconnection: close\r\n\r\n{body}")
}
