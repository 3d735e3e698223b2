//! Accepts connections and answers their requests, one after another.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use super::answer::{
    CHUNKED_HEAD, Ids, LAST_CHUNK, LongMessage, REFUSAL, drip_event, task_event, write_run,
};
use super::request::{Route, Scan, raw_id, raw_string, scan};

/// The fewest events that make a run with a message.
const MIN_EVENTS: u64 = 4;
/// How long to wait when no connection can be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// Serves the benchmark agent on `listener` until `shutdown`, which also cuts open connections.
pub async fn serve_instant(listener: TcpListener, shutdown: CancellationToken) -> io::Result<()> {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return Ok(()),
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(async move {
                        // A client that leaves in the middle is nothing to report.
                        serve_connection(stream).await.ok();
                    });
                }
                Err(_) => sleep(ACCEPT_PAUSE).await,
            },
        }
    }
}

async fn serve_connection(mut stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer: Vec<u8> = Vec::with_capacity(8 << 10);
    let (mut out, mut run) = (Vec::with_capacity(1 << 10), Vec::with_capacity(1 << 10));
    loop {
        let n_bytes = match scan(&buffer) {
            Scan::Partial => {
                if stream.read_buf(&mut buffer).await? == 0 {
                    return Ok(());
                }
                continue;
            }
            Scan::Refused => return stream.write_all(REFUSAL).await,
            Scan::Whole {
                route,
                body,
                n_bytes,
                is_last,
            } => {
                let ids = Ids {
                    thread: raw_string(body, b"\"threadId\"").unwrap_or(b"thread"),
                    run: raw_string(body, b"\"runId\"").unwrap_or(b"run"),
                };
                match route {
                    Route::Run => {
                        write_run(&mut out, &mut run, ids);
                        stream.write_all(&out).await?;
                    }
                    Route::Stream { mib } => stream_message(&mut stream, mib, ids).await?,
                    Route::Drip { events, every_ms } => {
                        let event = |index, events| drip_event(index, events, ids);
                        drip(&mut stream, events, every_ms, event).await?;
                    }
                    Route::Task { events, every_ms } => {
                        let id = raw_id(body).unwrap_or(b"null");
                        let event = |index, events| task_event(index, events, id);
                        drip(&mut stream, events, every_ms, event).await?;
                    }
                }
                if is_last {
                    return stream.shutdown().await;
                }
                n_bytes
            }
        };
        buffer.drain(..n_bytes);
    }
}

async fn stream_message(stream: &mut TcpStream, mib: u64, ids: Ids<'_>) -> io::Result<()> {
    let message = LongMessage::new(mib, ids);
    stream.write_all(CHUNKED_HEAD).await?;
    stream.write_all(&message.first).await?;
    for _ in 0..message.n_blocks {
        stream.write_all(LongMessage::block()).await?;
    }
    stream.write_all(&message.last).await?;
    stream.write_all(LAST_CHUNK).await
}

/// Sends event `k`, counted from 1, `k` times `every_ms` after the request: the run takes `events` times `every_ms`,
/// however long the writes take.
async fn drip(
    stream: &mut TcpStream,
    events: u64,
    every_ms: u64,
    event: impl Fn(u64, u64) -> Vec<u8>,
) -> io::Result<()> {
    let events = events.max(MIN_EVENTS);
    let start = Instant::now();
    stream.write_all(CHUNKED_HEAD).await?;
    for index in 0..events {
        sleep_until(start + Duration::from_millis(every_ms * (index + 1))).await;
        stream.write_all(&event(index, events)).await?;
    }
    stream.write_all(LAST_CHUNK).await
}
