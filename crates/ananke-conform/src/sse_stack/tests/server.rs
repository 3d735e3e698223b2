//! A small HTTP/1.1 server on a loopback port. It answers each request as a function says, and keeps what it was asked.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A request.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: Vec<(String, String)>,
    /// Names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Request {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let (_, value) = headers.find(|(key, _)| key == name)?;
        Some(value)
    }

    pub(super) fn query(&self, name: &str) -> Option<&str> {
        let mut query = self.query.iter();
        let (_, value) = query.find(|(key, _)| key == name)?;
        Some(value)
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: String,
    pub(super) end: End,
}

/// What comes after the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The answer is complete.
    Close,
    /// The answer stays open until the client goes.
    Hold,
    /// The connection is cut.
    Cut,
    /// This follows again and again until the client goes.
    Repeat(String),
}

impl Reply {
    pub(super) fn json(status: u16, body: &str) -> Self {
        Self {
            status,
            headers: vec![("Content-Type", "application/json".to_owned())],
            body: body.to_owned(),
            end: End::Close,
        }
    }

    /// Sets a header, or takes it away.
    pub(super) fn with_header(mut self, name: &'static str, value: Option<&str>) -> Self {
        self.headers.retain(|(known, _)| *known != name);
        self.headers
            .extend(value.map(|value| (name, value.to_owned())));
        self
    }
}

type Answer = dyn Fn(&Request) -> Reply + Send + Sync;

/// A running server; it ends with the test's process.
pub(super) struct Server {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Starts a server.
    pub(super) fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        let answer: Arc<Answer> = Arc::new(answer);
        let address = listen(move |stream| {
            let (answer, kept) = (Arc::clone(&answer), Arc::clone(&kept));
            std::thread::spawn(move || serve(stream, &*answer, &kept));
        });
        Self { address, asked }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns method and path of each request, in order.
    pub(super) fn asked(&self) -> Vec<Request> {
        self.asked.lock().unwrap().clone()
    }
}

/// Hands every connection to `take`.
pub(super) fn listen(take: impl Fn(TcpStream) + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || listener.incoming().flatten().for_each(take));
    address
}

/// Waits until the client is gone.
pub(super) fn hold(stream: &mut TcpStream) {
    let mut buffer = [0; 1024];
    while stream.read(&mut buffer).is_ok_and(|n| n > 0) {}
}

fn serve(mut stream: TcpStream, answer: &Answer, kept: &Mutex<Vec<Request>>) {
    while let Some(request) = read_request(&mut stream) {
        kept.lock().unwrap().push(request.clone());
        let reply = answer(&request);
        let mut head = format!("HTTP/1.1 {} OK\r\n", reply.status);
        for (name, value) in &reply.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        head += "Transfer-Encoding: chunked\r\n\r\n";
        let written = stream
            .write_all(head.as_bytes())
            .and_then(|()| write_chunk(&mut stream, &reply.body));
        if written.is_err() {
            return;
        }
        match &reply.end {
            End::Close => {
                if stream.write_all(b"0\r\n\r\n").is_err() {
                    return;
                }
            }
            End::Hold => return hold(&mut stream),
            End::Cut => return,
            End::Repeat(text) => {
                while write_chunk(&mut stream, text).is_ok() {}
                return;
            }
        }
    }
}

fn write_chunk(stream: &mut TcpStream, text: &str) -> std::io::Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    let chunk = format!("{:x}\r\n{text}\r\n", text.len());
    stream.write_all(chunk.as_bytes())
}

fn read_request(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let request = parse(head, body);
            let length = request.header("content-length").unwrap_or("0");
            if body.len() >= length.parse().unwrap() {
                return Some(request);
            }
        }
        let n = stream.read(&mut buffer).ok().filter(|n| *n > 0)?;
        bytes.extend_from_slice(&buffer[..n]);
    }
}

fn parse(head: &str, body: &str) -> Request {
    let mut lines = head.split("\r\n");
    let mut first = lines.next().unwrap().split(' ');
    let (method, target) = (first.next().unwrap(), first.next().unwrap());
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let pair = |(name, value): (&str, &str)| (name.to_lowercase(), value.trim().to_owned());
    Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query
            .split('&')
            .filter_map(|part| part.split_once('='))
            .map(pair)
            .collect(),
        headers: lines
            .filter_map(|line| line.split_once(':'))
            .map(pair)
            .collect(),
        body: body.to_owned(),
    }
}
