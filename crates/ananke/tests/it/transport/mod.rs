//! How a request travels: headers, TLS, proxies, and the other encoding of events.

mod protobuf;
mod proxies;
mod requests;
mod tls;
mod tls_server;

pub(crate) use tls_server::tls_server;
