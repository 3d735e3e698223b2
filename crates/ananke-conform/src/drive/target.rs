//! The server that is asked, and why it cannot be.

use std::time::Duration;

use ananke_protocol::http::{HttpClient, HttpOptions, check_url, without_secrets};
use serde_json::Value;

use crate::body::Limits;
use crate::rule::Profile;

/// The server that is asked, and how.
#[derive(Clone, Debug)]
pub struct Target {
    /// Where runs are sent.
    pub url: String,
    /// Sent with every request. `Accept` and `Content-Type` are the protocol's own and cannot be given.
    pub headers: Vec<(String, String)>,
    /// How long each request may take, its body included. A body whose run has ended gets a little more to be closed.
    pub timeout: Duration,
    /// What is read of each answer.
    pub limits: Limits,
    /// How connections are made. Whether TLS is needed follows from the URL.
    pub http: HttpOptions,
    /// `forwardedProps` of every run.
    pub forwarded_props: Option<Value>,
    /// Which version of the protocol is declared.
    pub profile: Profile,
}

/// Why nothing could be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DriveError {
    /// There is no connection: name, address or TLS.
    #[error("`{url}` cannot be reached: {why}")]
    Unreachable {
        /// The URL without secrets.
        url: String,
        /// What went wrong.
        why: String,
    },
    /// The URL, a header or an option is wrong.
    #[error("{0}")]
    Configuration(String),
}

impl Target {
    /// Returns the URL as it may be shown.
    pub(crate) fn shown_url(&self) -> String {
        without_secrets(&self.url)
    }

    /// Builds the client.
    pub(crate) fn client(&self) -> Result<HttpClient, DriveError> {
        let is_tls = check_url(&self.url).map_err(DriveError::Configuration)?;
        // A little less than the whole time, so that a server that cannot be reached is not taken for one that is silent.
        let longest = self.timeout - self.timeout / 10;
        let options = HttpOptions {
            needs_tls: is_tls || self.http.proxies.uses_tls(),
            connect_timeout: self.http.connect_timeout.min(longest),
            ..self.http.clone()
        };
        HttpClient::build(&options).map_err(|error| DriveError::Configuration(error.to_string()))
    }

    /// Returns the headers of a request: the protocol's own, then the user's.
    pub(crate) fn headers(&self, own: &[(&str, &str)]) -> Vec<(String, String)> {
        let is_own = |name: &str| {
            let reserved = ["accept", "content-type"];
            reserved.iter().any(|own| own.eq_ignore_ascii_case(name))
        };
        let given = self
            .headers
            .iter()
            .filter(|(name, _)| !is_own(name))
            .cloned();
        let own = own
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        own.chain(given).collect()
    }
}
