//! `ananke serve --stdio`: MCP on the standard streams. Threads read and write, because neither can be waited for otherwise
//! without holding up everything else.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::sync::Arc;

use ananke_serve::agent::Agent;
use ananke_serve::mcp::{Line, serve_lines};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::error::{CommandError, Exit};
use crate::signals::Signals;

/// How long a line may be.
const MAX_LINE_BYTES: usize = 64 << 20;
/// How many lines wait to be answered or to be written.
const MAX_WAITING: usize = 64;

/// Answers stdin on stdout until stdin ends or a signal comes.
pub(super) async fn serve_stdio(agent: Arc<dyn Agent>) -> Result<Exit, CommandError> {
    let trouble = |message: String| CommandError::new(Exit::Trouble, message);
    let signals =
        Signals::listen().map_err(|error| trouble(format!("signals cannot be heard: {error}")))?;
    let (to_agent, lines) = channel(MAX_WAITING);
    let (out, answers) = channel(MAX_WAITING);
    // It ends with the process: a read of stdin cannot be given up.
    std::thread::spawn(move || read(&to_agent));
    let writer = std::thread::spawn(move || write(answers));
    serve_lines(agent, lines, out, signals.cancel.clone()).await;
    match signals.stop() {
        Some(signal) => Ok(Exit::Stopped(signal)),
        None => {
            // All who could send are gone, so the writer comes to its end.
            let written = writer.join().unwrap_or(Ok(()));
            written.map_err(|error| trouble(format!("stdout cannot be written to: {error}")))?;
            Ok(Exit::Passed)
        }
    }
}

/// Hands on line after line until there is no more, or nobody listens.
fn read(lines: &Sender<Line>) {
    let mut stdin = BufReader::new(io::stdin().lock());
    loop {
        let mut bytes = Vec::new();
        let limit = u64::try_from(MAX_LINE_BYTES).unwrap_or(u64::MAX);
        match stdin.by_ref().take(limit).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let is_cut = bytes.len() == MAX_LINE_BYTES && !bytes.ends_with(b"\n");
        let line = if is_cut {
            if skip_line(&mut stdin).is_err() {
                return;
            }
            Line::TooLong
        } else {
            Line::Text(String::from_utf8_lossy(&bytes).into_owned())
        };
        if lines.blocking_send(line).is_err() {
            return;
        }
    }
}

/// Reads to the end of a line without keeping it.
fn skip_line(stdin: &mut impl io::BufRead) -> io::Result<()> {
    loop {
        let buffer = stdin.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let n_read = end.map_or(buffer.len(), |end| end + 1);
        stdin.consume(n_read);
        if end.is_some() {
            return Ok(());
        }
    }
}

/// Writes line after line until there is no more.
fn write(mut lines: Receiver<String>) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    while let Some(line) = lines.blocking_recv() {
        let written = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
        match written {
            // Whoever started us has gone.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            other => other?,
        }
    }
    Ok(())
}
