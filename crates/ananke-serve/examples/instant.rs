//! The server of the benchmarks: answers at once, or streams, or drips. Prints its URL and stops when stdin ends.

use std::io::{Read as _, Write as _};

use ananke_serve::instant::serve_instant;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

#[tokio::main]
#[expect(clippy::print_stdout, reason = "a program for `cargo xtask bench`")]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}/", listener.local_addr()?);
    std::io::stdout().flush()?;
    let shutdown = CancellationToken::new();
    let stopper = shutdown.clone();
    std::thread::spawn(move || {
        std::io::stdin().read_to_end(&mut Vec::new()).ok();
        stopper.cancel();
    });
    serve_instant(listener, shutdown).await
}
