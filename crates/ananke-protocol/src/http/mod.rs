//! HTTP as a tester needs it: no silent redirects, no silent retries, bounded error bodies, causes in plain words.

mod client;
mod exchange;
mod headers;
mod opening;

pub use client::{ClientError, HttpClient, HttpOptions, Proxies};
pub(crate) use exchange::{Answer, Exchange, cause};
pub use headers::{Headers, check_url, without_secrets};
