//! HTTP clients, built when first needed and shared by all tests with the same options.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ananke_protocol::http::{ClientError, HttpClient, HttpOptions};

/// The clients of a run.
#[derive(Debug, Default)]
pub(crate) struct Clients(Mutex<HashMap<HttpOptions, HttpClient>>);

impl Clients {
    /// Returns the client for `options`.
    pub(crate) fn get(&self, options: HttpOptions) -> Result<HttpClient, ClientError> {
        let mut clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&options) {
            return Ok(client.clone());
        }
        let client = HttpClient::build(&options)?;
        clients.insert(options, client.clone());
        Ok(client)
    }
}
