//! HTTP as a tester needs it: no silent redirects, bounded error bodies, causes in plain words. Nothing is sent
//! again, except once over a fresh connection when a kept-alive one was closed instead of answering; then the turn says so.

mod client;
mod exchange;
mod fetch;
mod headers;
mod look;
mod open;
mod opening;
mod proxies;
mod retry_after;
mod tls_words;

pub use client::{ClientError, ClientIdentity, HttpClient, HttpOptions};
pub(crate) use exchange::{Answer, Exchange, cause};
pub use fetch::{Fetch, FetchAnswer};
pub use headers::{Headers, check_url, without_secrets};
pub use look::Look;
pub use open::{Ask, NoAnswer, Opened, Piece};
pub use proxies::{Proxies, UsedProxy};
pub(crate) use retry_after::retry_after_ms;
pub use tls_words::tls_words;
