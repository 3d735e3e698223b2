//! Messages as lines over two pipes. Unlike the transport that `rmcp` brings, it has limits, and tells of lines that are
//! no messages.

use std::io;
use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;

use super::record::Tape;

const BOM: &str = "\u{feff}";

/// The two pipes of a server.
#[derive(Debug)]
pub(super) struct Lines<R, W> {
    read: BufReader<R>,
    /// The beginning of a line whose end has not come. It stays when a wait for more is given up.
    line: Vec<u8>,
    write: Arc<Mutex<Option<W>>>,
    tape: Tape,
    max_line: usize,
}

impl<R: AsyncRead, W> Lines<R, W> {
    pub(super) fn new(read: R, write: W, tape: Tape, max_line: usize) -> Self {
        tape.of_lines();
        Self {
            read: BufReader::new(read),
            line: Vec::new(),
            write: Arc::new(Mutex::new(Some(write))),
            tape,
            max_line,
        }
    }
}

impl<R: AsyncRead + Unpin + Send, W> Lines<R, W> {
    /// Waits for a whole line; there is none behind the end of the pipe, or behind a limit.
    async fn next_line(&mut self) -> Option<Vec<u8>> {
        loop {
            let more = self.read.fill_buf().await.ok()?;
            if more.is_empty() {
                return Some(std::mem::take(&mut self.line)).filter(|line| !line.is_empty());
            }
            let end = memchr::memchr(b'\n', more);
            let part = &more[..end.unwrap_or(more.len())];
            let n_read = part.len() + usize::from(end.is_some());
            if self.line.len() + part.len() > self.max_line {
                self.tape.too_large();
                return None;
            }
            self.line.extend_from_slice(part);
            self.read.consume(n_read);
            if end.is_some() {
                return Some(std::mem::take(&mut self.line));
            }
        }
    }
}

impl<R, W> Transport<RoleClient> for Lines<R, W>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let line = serde_json::to_value(&message).map(|message| {
            self.tape.sent(&message);
            format!("{message}\n")
        });
        let write = Arc::clone(&self.write);
        async move {
            let line = line?;
            let mut write = write.lock().await;
            let Some(write) = write.as_mut() else {
                return Err(io::ErrorKind::NotConnected.into());
            };
            write.write_all(line.as_bytes()).await?;
            write.flush().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let line = self.next_line().await?;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_start_matches(BOM).trim();
            if line.is_empty() {
                continue;
            }
            if let Some(message) = understood(&self.tape, line) {
                return Some(message);
            }
            if self.tape.overflow().is_some() {
                return None;
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        // Nobody waits for a pipe that is full: dropping it closes it as well.
        if let Ok(mut write) = self.write.try_lock() {
            write.take();
        }
        Ok(())
    }
}

/// Notes a message that came, and reads it as `rmcp` wants it.
///
/// An answer that `rmcp` cannot read becomes an error for it, so that whoever waits for that answer is woken; what the
/// server really said is on the tape.
pub(super) fn understood(tape: &Tape, text: &str) -> Option<RxJsonRpcMessage<RoleClient>> {
    let heard = tape.received(text)?;
    match serde_json::from_str(text) {
        Ok(message) => Some(message),
        Err(error) => {
            tape.not_understood(text, &error);
            substitute(&heard.reply_to?, "the answer cannot be read")
        }
    }
}

/// Returns an error that the server did not send.
pub(super) fn substitute(id: &Value, message: &str) -> Option<RxJsonRpcMessage<RoleClient>> {
    let error = json!({"code": -32601, "message": message});
    serde_json::from_value(json!({"jsonrpc": "2.0", "id": id, "error": error})).ok()
}
