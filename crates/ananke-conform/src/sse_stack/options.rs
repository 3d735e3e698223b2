//! What the profile is told: where the server is, tokens, limits.

use std::collections::BTreeMap;
use std::time::Duration;

use ananke_model::conformance::Severity;
use ananke_protocol::http::HttpOptions;

use super::vocabulary::Vocabulary;

/// The path of the stream, unless another is given.
pub const DEFAULT_STREAM_PATH: &str = "/remote/stream";
/// The path that takes writes, unless another is given.
pub const DEFAULT_WRITE_PROBE_PATH: &str = "/remote/inject";
/// How many frames are read, unless told otherwise.
pub const DEFAULT_MAX_FRAMES: usize = 32;
/// How long all of it may take, in milliseconds, unless told otherwise.
pub const DEFAULT_TIMEOUT_MS: u64 = 5000;

/// What the profile is told.
#[derive(Clone, Debug)]
pub struct StackOptions {
    /// `http://localhost:3113`; may have a path that the others are appended to.
    pub base_url: String,
    /// Where the stream is.
    pub stream_path: String,
    /// Where a write is tried; `None`: nowhere.
    pub write_probe_path: Option<String>,
    /// The token that may do everything.
    pub bearer: Option<String>,
    /// A token that may only read. With it, and only with it, a write is tried.
    pub insufficient_scope_bearer: Option<String>,
    /// A token that is bound to a key, so that it is worth nothing without a `DPoP` header.
    pub cnf_bound_bearer: Option<String>,
    /// Frames that are read of the stream.
    pub max_frames: usize,
    /// The limit for all requests together. Three quarters of it are for the stream.
    pub timeout: Duration,
    /// Which types events may have.
    pub vocabulary: Vocabulary,
    /// Of the HTTP client. Whether TLS is needed is found out from the URL.
    pub http: HttpOptions,
    /// Sent with every request. `Authorization` here stands for the bearer token if that is missing.
    pub headers: Vec<(String, String)>,
    /// Severities by check; the others are errors.
    pub severities: BTreeMap<String, Severity>,
}

/// Why nothing could be found out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StackError {
    /// The options cannot be used.
    #[error("{0}")]
    Options(String),
    /// No HTTP answer came from the server at all.
    #[error("`{url}` cannot be reached: {why}")]
    Unreachable {
        /// The stream's URL without secrets.
        url: String,
        /// What went wrong.
        why: String,
    },
}
