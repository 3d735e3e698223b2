//! A request as it came over the wire.

use std::io::Read as _;
use std::net::TcpStream;

use serde_json::Value;

/// The largest request that is read.
const MAX_BYTES: usize = 64 << 20;

/// A request, read far enough to know its body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawRequest {
    /// The request line, such as `POST / HTTP/1.1`.
    pub line: String,
    /// Header names in lower case with their values, in order.
    pub headers: Vec<(String, String)>,
    /// The body, as far as its length was given.
    pub body: Vec<u8>,
}

impl RawRequest {
    /// Reads the next request of a connection. `None` if the peer closes or falls silent before it is whole.
    pub fn read(stream: &mut TcpStream) -> Option<Self> {
        let mut bytes = Vec::new();
        let mut buffer = [0; 16 << 10];
        loop {
            if let Some(request) = Self::parse(&bytes) {
                return Some(request);
            }
            let n = stream.read(&mut buffer).ok().filter(|n| *n > 0)?;
            bytes.extend(buffer.iter().take(n));
            if bytes.len() > MAX_BYTES {
                return None;
            }
        }
    }

    /// Returns the value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(have, _)| have == name)
            .map(|(_, value)| value.as_str())
    }

    /// Returns the body as JSON; null if it is not.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let head_end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let (head, body) = bytes.split_at(head_end + 4);
        let head = String::from_utf8_lossy(head);
        let mut lines = head.lines();
        let line = lines.next()?.to_owned();
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let mut request = Self {
            line,
            headers,
            body: Vec::new(),
        };
        let n_body = request
            .header("content-length")
            .and_then(|n| n.parse().ok())
            .unwrap_or(0);
        request.body = body.get(..n_body)?.to_vec();
        Some(request)
    }
}

#[cfg(test)]
mod tests {
    use super::RawRequest;

    #[test]
    fn a_request_is_whole_with_its_body() {
        let text = b"POST /x HTTP/1.1\r\nContent-Length: 2\r\nX-A:  b \r\n\r\n{}";
        for end in 0..text.len() {
            assert_eq!(RawRequest::parse(&text[..end]), None);
        }
        let request = RawRequest::parse(text).unwrap();
        assert_eq!(request.line, "POST /x HTTP/1.1");
        assert_eq!(request.header("x-a"), Some("b"));
        assert!(request.json().is_object());
    }
}
