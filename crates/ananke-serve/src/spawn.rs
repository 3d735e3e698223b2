//! Starts an agent on a free loopback port, for as long as a value lives.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::agent::Agent;
use crate::http::{Origins, serve};

/// An agent that is being served. Dropping it stops the server and cuts its streams.
#[derive(Debug)]
pub struct RunningAgent {
    /// Where it answers, such as `http://127.0.0.1:49152/`.
    pub url: String,
    port: u16,
    shutdown: CancellationToken,
    server: JoinSet<io::Result<()>>,
}

impl RunningAgent {
    /// Serves `agent` on a free port of 127.0.0.1, inside the current tokio runtime.
    pub async fn start(agent: Arc<dyn Agent>) -> io::Result<Self> {
        let free = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
        Self::start_at(agent, free, Origins::default()).await
    }

    /// Serves `agent` at this address, inside the current tokio runtime; port 0 stands for a free one. Web pages of
    /// `origins` may read the answers.
    pub async fn start_at(
        agent: Arc<dyn Agent>,
        address: SocketAddr,
        origins: Origins,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let shutdown = CancellationToken::new();
        let mut server = JoinSet::new();
        server.spawn(serve(agent, listener, origins, shutdown.clone()));
        Ok(Self {
            url: format!("http://{address}/"),
            port: address.port(),
            shutdown,
            server,
        })
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Stops the server and waits until its streams are cut.
    pub async fn stop(mut self) {
        self.shutdown.cancel();
        while self.server.join_next().await.is_some() {}
    }
}

impl Drop for RunningAgent {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}
