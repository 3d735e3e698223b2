//! Accepts connections and hands each to the test's own code, in a thread of its own.

use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::request::RawRequest;

/// How long any read or write of a connection may take.
const IO_LIMIT: Duration = Duration::from_secs(60);

/// A server on a loopback port. Dropping it shuts its connections and waits for their threads.
#[derive(Debug)]
pub struct RawServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    is_stopped: AtomicBool,
    n_connections: AtomicUsize,
    requests: Mutex<Vec<RawRequest>>,
    open: Mutex<Vec<(usize, TcpStream)>>,
}

type Handler = dyn Fn(usize, &Shared, &mut TcpStream) + Send + Sync;

impl RawServer {
    /// Starts a server. `handle` gets the number of the connection, counted from 0, its first request, and the
    /// connection, which is closed when `handle` returns. A connection without a whole request is not handed over.
    pub fn start<F>(handle: F) -> Self
    where
        F: Fn(usize, &RawRequest, &mut TcpStream) + Send + Sync + 'static,
    {
        Self::start_with(Arc::new(
            move |index, shared: &Shared, stream: &mut TcpStream| {
                if let Some(request) = RawRequest::read(stream) {
                    lock(&shared.requests).push(request.clone());
                    handle(index, &request, stream);
                }
            },
        ))
    }

    /// Starts a server that reads nothing: `handle` gets the bare connection as soon as it is accepted.
    pub fn start_unread<F>(handle: F) -> Self
    where
        F: Fn(usize, &mut TcpStream) + Send + Sync + 'static,
    {
        Self::start_with(Arc::new(
            move |index, _: &Shared, stream: &mut TcpStream| handle(index, stream),
        ))
    }

    fn start_with(handler: Arc<Handler>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
        let address = listener.local_addr().expect("the socket is bound");
        let shared = Arc::new(Shared::default());
        let accepting = std::thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept(&listener, &shared, &handler)
        });
        Self {
            address,
            shared,
            accepting: Some(accepting),
        }
    }

    /// Returns where it listens, such as `http://127.0.0.1:49152/`.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Returns the address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns how many connections were accepted so far.
    pub fn n_connections(&self) -> usize {
        self.shared.n_connections.load(Ordering::Acquire)
    }

    /// Returns the first request of each connection so far.
    pub fn requests(&self) -> Vec<RawRequest> {
        lock(&self.shared.requests).clone()
    }
}

impl Drop for RawServer {
    fn drop(&mut self) {
        self.shared.is_stopped.store(true, Ordering::Release);
        // Accepting one more connection is what wakes the thread up. If that fails, the listener is gone already.
        TcpStream::connect_timeout(&self.address, IO_LIMIT).ok();
        if let Some(accepting) = self.accepting.take() {
            // A panic in a handler has been printed; the test sees its consequences.
            accepting.join().ok();
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>, handler: &Arc<Handler>) {
    let mut threads = Vec::new();
    while let Ok((stream, _)) = listener.accept() {
        if shared.is_stopped.load(Ordering::Acquire) {
            break;
        }
        let index = shared.n_connections.fetch_add(1, Ordering::AcqRel);
        let (shared, handler) = (Arc::clone(shared), Arc::clone(handler));
        threads.push(std::thread::spawn(move || {
            serve(stream, index, &shared, &*handler);
        }));
    }
    for (_, stream) in lock(&shared.open).drain(..) {
        // Most are closed by now; the others end their threads' reads and writes.
        stream.shutdown(Shutdown::Both).ok();
    }
    for thread in threads {
        thread.join().ok();
    }
}

fn serve(mut stream: TcpStream, index: usize, shared: &Shared, handler: &Handler) {
    let prepared = stream
        .set_nodelay(true)
        .and_then(|()| stream.set_read_timeout(Some(IO_LIMIT)))
        .and_then(|()| stream.set_write_timeout(Some(IO_LIMIT)))
        .and_then(|()| stream.try_clone());
    // A client that has left already is not served.
    let Ok(twin) = prepared else { return };
    lock(&shared.open).push((index, twin));
    if shared.is_stopped.load(Ordering::Acquire) {
        // The twin may have come too late to be shut with the others.
        return;
    }
    handler(index, shared, &mut stream);
    // The connection is only closed, or reset, when its twin is gone too.
    lock(&shared.open).retain(|(open, _)| *open != index);
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Read as _, Write as _};
    use std::net::TcpStream;
    use std::time::{Duration, Instant};

    use super::RawServer;
    use crate::raw_server::canned::{hello_run, ok_sse_headers};
    use crate::raw_server::peer::{drip, hold, reset_on_close};

    fn connect(server: &RawServer) -> TcpStream {
        let stream = TcpStream::connect(server.address()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        stream
    }

    fn ask(server: &RawServer) -> (String, Option<ErrorKind>) {
        let mut stream = connect(server);
        stream
            .write_all(b"POST / HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}")
            .unwrap();
        let mut answer = Vec::new();
        let end = stream
            .read_to_end(&mut answer)
            .err()
            .map(|error| error.kind());
        (String::from_utf8(answer).unwrap(), end)
    }

    #[test]
    fn requests_are_handed_over_counted_and_kept() {
        let server = RawServer::start(|index, request, stream| {
            write!(
                stream,
                "{}{index} {}\n{}",
                ok_sse_headers(),
                request.line,
                hello_run()
            )
            .unwrap();
        });
        assert!(ask(&server).0.contains("\r\n\r\n0 POST / HTTP/1.1\ndata: "));
        assert!(ask(&server).0.contains("\r\n\r\n1 POST"));
        assert_eq!(server.n_connections(), 2);
        assert_eq!(server.requests().len(), 2);
    }

    #[test]
    fn a_reset_is_a_reset() {
        let server = RawServer::start(|_, _, stream| {
            stream.write_all(b"HTTP/1.1").unwrap();
            reset_on_close(stream);
        });
        assert_eq!(ask(&server).1, Some(ErrorKind::ConnectionReset));
    }

    #[test]
    fn a_drip_arrives_piece_by_piece() {
        let server = RawServer::start(|_, _, stream| {
            drip(
                stream,
                [b"a".as_slice(), b"b", b"c"],
                Duration::from_millis(5),
            );
        });
        assert_eq!(ask(&server), ("abc".to_owned(), None));
    }

    #[test]
    fn dropping_the_server_ends_what_it_holds() {
        let start = Instant::now();
        let server = RawServer::start_unread(|_, stream| hold(stream, Duration::from_secs(600)));
        let mut stream = connect(&server);
        while server.n_connections() == 0 {
            std::thread::yield_now();
        }
        drop(server);
        assert!(matches!(stream.read(&mut [0]), Ok(0) | Err(_)));
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
