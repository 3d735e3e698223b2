//! An agent of `ananke-serve` in a thread of its own, with a record of what it was asked.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use ananke_serve::agent::{About, Agent, Received, ScriptAgent, Toolbox};
use ananke_serve::engine::Reply;
use ananke_serve::input::RunInput;
use ananke_serve::instant::serve_instant;
use ananke_serve::recorded::RecordedAgent;
use ananke_serve::script::Script;
use ananke_serve::spawn::RunningAgent;
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

/// How long the server may take to start.
const START_LIMIT: Duration = Duration::from_secs(10);
/// How long its streams may take to end.
const STOP_LIMIT: Duration = Duration::from_secs(2);

/// An agent on a loopback port. Dropping it stops it.
#[derive(Debug)]
pub struct ScriptedAgent {
    url: String,
    log: Arc<Mutex<Vec<Received>>>,
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

impl ScriptedAgent {
    /// Starts an agent that follows a script, written as in [`Script`].
    pub fn start(script: Value) -> Self {
        match serde_json::from_value::<Script>(script) {
            Ok(script) => Self::start_agent(Arc::new(ScriptAgent::new(script))),
            Err(error) => panic!("the script is wrong: {error}"),
        }
    }

    /// Starts an agent that answers everything with this text.
    pub fn says(text: &str) -> Self {
        Self::start(serde_json::json!({"rules": [{"reply": [{"text": text}]}]}))
    }

    /// Starts any agent, such as `ananke_serve::shop::Shop`.
    pub fn start_agent(agent: Arc<dyn Agent>) -> Self {
        let log = Arc::default();
        let agent = Arc::new(Logged {
            agent,
            log: Arc::clone(&log),
        });
        let (url, stop, thread) = serve_apart(async move |stop, report| {
            let running = RunningAgent::start(agent)
                .await
                .expect("a loopback port is free");
            report(running.url.clone());
            stop.cancelled().await;
            running.stop().await;
        });
        Self {
            url,
            log,
            stop,
            thread: Some(thread),
        }
    }

    /// Starts the benchmark agent of `ananke_serve::instant`. It keeps no record.
    pub fn instant() -> Self {
        let (url, stop, thread) = serve_apart(async move |stop, report| {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
                .await
                .expect("a loopback port is free");
            let address = listener.local_addr().expect("the socket is bound");
            report(format!("http://{address}/"));
            serve_instant(listener, stop)
                .await
                .expect("it only ends when it is stopped");
        });
        Self {
            url,
            log: Arc::default(),
            stop,
            thread: Some(thread),
        }
    }

    /// Returns where it answers, such as `http://127.0.0.1:49152/`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the bodies that it received so far, envelopes included.
    pub fn requests(&self) -> Vec<Value> {
        self.received()
            .into_iter()
            .map(|request| request.body)
            .collect()
    }

    /// Returns the requests that it received so far, with paths and headers.
    pub fn received(&self) -> Vec<Received> {
        self.log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Drop for ScriptedAgent {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            // A panic in there has already failed the start, or comes too late to matter.
            thread.join().ok();
        }
    }
}

/// Runs a server in a thread with a runtime of its own, and returns its address once it listens.
fn serve_apart<F>(serve: F) -> (String, CancellationToken, JoinHandle<()>)
where
    F: AsyncFnOnce(CancellationToken, Box<dyn FnOnce(String) + Send>) + Send + 'static,
{
    let stop = CancellationToken::new();
    let (sender, address) = channel();
    let token = stop.clone();
    let thread = std::thread::spawn(move || {
        let runtime = runtime();
        let report = Box::new(move |url| sender.send(url).expect("the starter waits"));
        runtime.block_on(serve(token, report));
        runtime.shutdown_timeout(STOP_LIMIT);
    });
    let url = address
        .recv_timeout(START_LIMIT)
        .expect("the server starts in time");
    (url, stop, thread)
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime can be built")
}

/// Keeps what an agent is asked.
#[derive(Debug)]
struct Logged {
    agent: Arc<dyn Agent>,
    log: Arc<Mutex<Vec<Received>>>,
}

impl Agent for Logged {
    fn reply(&self, input: &RunInput) -> Reply {
        self.agent.reply(input)
    }

    fn connect(&self, input: &RunInput) -> Option<Reply> {
        self.agent.connect(input)
    }

    fn about(&self) -> About {
        self.agent.about()
    }

    fn toolbox(&self) -> Option<&dyn Toolbox> {
        self.agent.toolbox()
    }

    fn recordings(&self) -> Option<&RecordedAgent> {
        self.agent.recordings()
    }

    fn observe(&self, request: &Received) {
        self.log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(request.clone());
        self.agent.observe(request);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;
    use std::time::Duration;

    use super::ScriptedAgent;

    #[test]
    fn it_answers_and_keeps_what_it_was_asked() {
        let agent = ScriptedAgent::says("Good day");
        let address = agent
            .url()
            .trim_start_matches("http://")
            .trim_end_matches('/');
        let mut stream = TcpStream::connect(address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        let body = r#"{"threadId":"t","runId":"r","messages":[]}"#;
        write!(
            stream,
            "POST /a?b HTTP/1.1\r\nhost: x\r\nx-test: 1\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.contains("RUN_FINISHED"), "{answer}");
        let received = agent.received();
        assert_eq!(received[0].path, "/a?b");
        assert!(
            received[0]
                .headers
                .contains(&("x-test".to_owned(), "1".to_owned()))
        );
        assert_eq!(agent.requests()[0]["runId"], "r");
    }
}
