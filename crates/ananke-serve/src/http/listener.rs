//! Accepts connections that can be reset: hyper only knows how to close one politely.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// How long to wait when no connection can be accepted, as when file descriptors run out.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub(super) struct ResettableListener(pub(super) TcpListener);

impl Listener for ResettableListener {
    type Io = ResettableStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let Ok((stream, address)) = self.0.accept().await else {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            };
            // Without it deltas would wait for the client's acknowledgments. A socket that refuses is merely slower.
            stream.set_nodelay(true).ok();
            let switch = ResetSwitch::default();
            return (ResettableStream { stream, switch }, address);
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.0.local_addr()
    }
}

/// Makes the connection that it belongs to end with a reset.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResetSwitch(Arc<AtomicBool>);

/// How long bytes get to leave before the connection is reset; a reset drops what is still queued.
const FLUSH_TIME: Duration = Duration::from_millis(20);

impl ResetSwitch {
    /// Turns it on, once what was sent had time to leave.
    pub(crate) async fn turn_on_soon(&self) {
        tokio::time::sleep(FLUSH_TIME).await;
        self.0.store(true, Ordering::Release);
    }
}

impl Connected<IncomingStream<'_, ResettableListener>> for ResetSwitch {
    fn connect_info(stream: IncomingStream<'_, ResettableListener>) -> Self {
        stream.io().switch.clone()
    }
}

#[derive(Debug)]
pub(super) struct ResettableStream {
    stream: TcpStream,
    switch: ResetSwitch,
}

impl Drop for ResettableStream {
    fn drop(&mut self) {
        if self.switch.0.load(Ordering::Acquire) {
            // With a linger time of zero, closing sends RST instead of FIN.
            self.stream.set_zero_linger().ok();
        }
    }
}

impl AsyncRead for ResettableStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for ResettableStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.switch.0.load(Ordering::Acquire) {
            // A FIN now would reach the client before the reset does.
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
