//! Misbehaving peers: a TCP server whose every byte the test decides.

pub(crate) mod canned;
pub(crate) mod peer;
pub(crate) mod request;
pub(crate) mod server;
