//! A yardstick of the benchmarks: the same requests as a run of many tests, by the same HTTP library, with nothing around
//! them.
//!
//! `bare_client <url> <requests> <at once>`: every answer is read to its end and forgotten.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::task::JoinSet;

const BODY: &str = r#"{"threadId":"6f2e2c7e-7d5c-4d5f-9a56-1c1f3b7a8e01","runId":"0b6f1a52-43f3-4c1e-8a5e-2f7f6f1f9c11","protocolVersion":"1.0","state":{},"messages":[{"id":"0b6f1a52-43f3-4c1e-8a5e-2f7f6f1f9c12","role":"user","content":"hello"}],"tools":[],"context":[],"forwardedProps":{}}"#;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let url = words.next().unwrap_or_default();
    let mut number = || {
        words
            .next()
            .and_then(|word| word.parse::<usize>().ok())
            .unwrap_or(1)
    };
    let (n_requests, n_at_once) = (number(), number());
    let client = reqwest::Client::builder()
        .no_proxy()
        .tls_certs_only([])
        .build()?;
    let next = Arc::new(AtomicUsize::new(0));
    let mut loops = JoinSet::new();
    for _ in 0..n_at_once {
        let (client, url, next) = (client.clone(), url.clone(), Arc::clone(&next));
        loops.spawn(async move {
            while next.fetch_add(1, Ordering::Relaxed) < n_requests {
                let request = client
                    .post(&url)
                    .header("accept", "text/event-stream")
                    .header("content-type", "application/json")
                    .body(BODY);
                let mut answer = request.send().await?;
                while answer.chunk().await?.is_some() {}
            }
            Ok::<(), reqwest::Error>(())
        });
    }
    while let Some(done) = loops.join_next().await {
        done??;
    }
    Ok(())
}
