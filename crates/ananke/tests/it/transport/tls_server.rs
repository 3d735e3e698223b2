//! A TLS server whose certificate the test chooses.

use std::sync::Arc;

use ananke_testkit::{RawServer, hello_run, ok_sse_headers};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, Stream};

const KEY: &[u8] = include_bytes!("../testdata/tls/server.key");

/// Starts a server that shows this certificate and answers every request with a run that says `Hello`.
pub(crate) fn tls_server(certificate: &[u8]) -> RawServer {
    let certificate = CertificateDer::from_pem_slice(certificate).expect("the file is PEM");
    let key = PrivateKeyDer::from_pem_slice(KEY).expect("the file is PEM");
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider has the usual versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("the key is that of the certificate");
    let config = Arc::new(config);
    RawServer::start_unread(move |_, socket| {
        let mut connection =
            ServerConnection::new(Arc::clone(&config)).expect("the configuration is whole");
        let mut stream = Stream::new(&mut connection, socket);
        answer(&mut stream).ok(); // a client that does not trust us leaves
    })
}

/// Reads until the body of a request seems to be there, and answers.
fn answer(stream: &mut (impl std::io::Read + std::io::Write)) -> std::io::Result<()> {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    // The body is one line of JSON, the last thing that a client sends; a GET has none.
    let is_whole = |request: &[u8]| {
        let is_get = request.starts_with(b"GET") && request.ends_with(b"\r\n\r\n");
        is_get || request.ends_with(b"}")
    };
    while !is_whole(&request) {
        let n = stream.read(&mut buffer)?;
        if n == 0 {
            return Ok(());
        }
        request.extend(&buffer[..n]);
    }
    write!(stream, "{}{}", ok_sse_headers(), hello_run())?;
    stream.flush()
}
