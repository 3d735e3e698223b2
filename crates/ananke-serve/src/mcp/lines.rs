//! MCP over lines of text, as a program speaks it on its standard streams. Whoever calls reads and writes the lines.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::face::Mcp;
use super::play::{Next, Play};
use super::who::Who;
use crate::agent::{Agent, Received};
use crate::rpc::{self, Message, PARSE_ERROR};
use crate::talk::Fault;

/// What the conversation of the process is kept under.
const SESSION: &str = "stdio";
/// How many answers are given at the same time.
const MAX_ANSWERS: usize = 64;
/// How long answers may take after the client has gone.
const GRACE: Duration = Duration::from_secs(5);

/// A line that came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Its text.
    Text(String),
    /// It was longer than anybody reads.
    TooLong,
}

/// Answers lines with lines, until there are no more, `shutdown`, or an answer whose agent breaks the connection.
pub async fn serve_lines(
    agent: Arc<dyn Agent>,
    mut lines: Receiver<Line>,
    out: Sender<String>,
    shutdown: CancellationToken,
) {
    let mcp = Arc::new(Mcp::new(agent));
    let mut capabilities = Value::Null;
    let mut answers = JoinSet::new();
    loop {
        let line = tokio::select! {
            () = shutdown.cancelled() => return,
            Some(ended) = answers.join_next() => match ended {
                Ok(Ended::Broken) => return,
                _ => continue,
            },
            line = lines.recv(), if answers.len() < MAX_ANSWERS => line,
        };
        let Some(line) = line else {
            break;
        };
        let message = match line {
            Line::Text(text) if text.trim().is_empty() => continue,
            Line::Text(text) => rpc::parse(text.as_bytes()).and_then(|body| {
                mcp.agent.observe(&Received {
                    path: SESSION.to_owned(),
                    headers: Vec::new(),
                    body: body.clone(),
                });
                rpc::read(body)
            }),
            Line::TooLong => Err(rpc::Refused::new(PARSE_ERROR, "the line is too long")),
        };
        match message {
            Ok(Message::Call(call)) => {
                let who = Who {
                    session: Some(SESSION.to_owned()),
                    can_hear: true,
                    capabilities: capabilities.clone(),
                    ..Who::default()
                };
                let answer = mcp.call(&call, who);
                if let Some(session) = &answer.session {
                    capabilities = mcp.session(session).unwrap_or_default();
                }
                let play = Play::new(Arc::clone(&mcp), answer, shutdown.clone());
                answers.spawn(write(play, out.clone()));
            }
            Ok(Message::Answer(id, result)) => mcp.answered(&id, result),
            Ok(Message::Notification(_)) => {}
            Err(why) => {
                let answer = why.answer(&Value::Null).to_string();
                if out.send(answer).await.is_err() {
                    return;
                }
            }
        }
    }
    let rest = async { while answers.join_next().await.is_some() {} };
    // What a client that has gone asked for is still answered, but nobody waits for long.
    tokio::time::timeout(GRACE, rest).await.ok();
}

#[derive(Debug, PartialEq, Eq)]
enum Ended {
    Answered,
    Broken,
}

async fn write(mut play: Play, out: Sender<String>) -> Ended {
    loop {
        match play.next().await {
            Next::Message(message) => {
                if out.send(message.to_string()).await.is_err() {
                    return Ended::Broken;
                }
            }
            Next::Over => return Ended::Answered,
            Next::Fault(Fault::Stall) => return Ended::Answered,
            Next::Fault(Fault::Reset | Fault::Close) => return Ended::Broken,
        }
    }
}
