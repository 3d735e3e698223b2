//! Servers that the tests of a file share: connected by the first of them that needs it, closed behind the last.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ananke_model::plan::{Isolation, PlannedTest, Protocol};
use ananke_protocol::mcp::McpSession;
use tokio::sync::Mutex as Turnstile;

/// A server, connected or not.
pub(super) type Held = Arc<Turnstile<McpSession>>;

/// The servers that are shared in a run.
#[derive(Debug, Default)]
pub(crate) struct SharedServers(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// How many runs of tests are still to end, by their files.
    left: BTreeMap<Arc<str>, usize>,
    servers: Vec<Server>,
}

#[derive(Debug)]
struct Server {
    file: Arc<str>,
    /// The settings that it is reached with.
    key: String,
    held: Held,
}

impl SharedServers {
    /// Notes that these are to be run; a test that is run several times is there several times.
    pub(crate) fn expect<'t>(&self, tests: impl IntoIterator<Item = &'t PlannedTest>) {
        let mut inner = self.inner();
        for test in tests.into_iter().filter(|test| is_shared(test)) {
            *inner.left.entry(Arc::clone(&test.file)).or_default() += 1;
        }
    }

    /// Returns the server that tests of this file share; `new` makes it if there is none.
    pub(super) fn get(&self, file: &Arc<str>, key: &str, new: impl FnOnce() -> McpSession) -> Held {
        let mut inner = self.inner();
        let mut servers = inner.servers.iter();
        if let Some(server) = servers.find(|server| server.file == *file && server.key == key) {
            return Arc::clone(&server.held);
        }
        let held: Held = Arc::new(Turnstile::new(new()));
        inner.servers.push(Server {
            file: Arc::clone(file),
            key: key.to_owned(),
            held: Arc::clone(&held),
        });
        held
    }

    /// Notes that one of the tests is over. Behind the last one of a file its servers are closed; returns what was odd.
    pub(crate) async fn leave(&self, test: &PlannedTest) -> Vec<String> {
        let over = {
            let mut inner = self.inner();
            let Some(left) = inner.left.get_mut(&test.file).filter(|_| is_shared(test)) else {
                return Vec::new();
            };
            *left = left.saturating_sub(1);
            if *left > 0 {
                return Vec::new();
            }
            inner.take(|server| server.file == test.file)
        };
        close(over).await
    }

    /// Closes whatever is still open.
    pub(crate) async fn close(&self) -> Vec<String> {
        let over = self.inner().take(|_| true);
        close(over).await
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn take(&mut self, is_over: impl Fn(&Server) -> bool) -> Vec<Server> {
        let (over, open) = std::mem::take(&mut self.servers)
            .into_iter()
            .partition(is_over);
        self.servers = open;
        over
    }
}

async fn close(servers: Vec<Server>) -> Vec<String> {
    let mut odd = Vec::new();
    for server in servers {
        odd.extend(server.held.lock().await.disconnect().await);
    }
    odd
}

fn is_shared(test: &PlannedTest) -> bool {
    match &test.target.protocol {
        Protocol::Mcp(server) => server.isolation == Isolation::File && test.skip.is_none(),
        _ => false,
    }
}
