//! The beginning of a connection: the server is started, or reached, and both sides agree on a revision in time.

use std::sync::Arc;
use std::time::Duration;

use ananke_model::recording::{Trouble, TroubleKind};
use rmcp::RoleClient;
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, RunningService};
use rmcp::transport::Transport;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::access::signed;
use super::answers::Answers;
use super::asked::Asked;
use super::legacy_sse::LegacySse;
use super::lines::Lines;
use super::options::{McpOptions, McpTransport, McpVersion};
use super::record::Tape;
use super::refused::{not_connected, version};
use super::stdio::Program;
use super::turn::trouble;
use super::watched::{Watched, patience};

/// What a connection begins with.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) tape: Tape,
    pub(super) answers: Arc<Answers>,
    pub(super) started: Instant,
    pub(super) deadline: Instant,
    /// How long it may take: the limit of connecting, or less where there is no more time for all.
    within: Duration,
}

impl Parts {
    pub(super) fn new(options: &McpOptions, started: Instant, within: Duration) -> Self {
        Self {
            tape: Tape::new(options.limits),
            answers: Arc::new(Answers::new(options.answers.clone())),
            started,
            deadline: started + within,
            within,
        }
    }

    /// Waits for the handshake, within the time that it has.
    pub(super) async fn in_time<T>(
        &self,
        options: &McpOptions,
        cancel: &CancellationToken,
        opening: impl Future<Output = Result<T, Trouble>>,
    ) -> Result<T, Trouble> {
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(trouble(TroubleKind::Cancelled, "interrupted")),
            flooded = self.tape.flooded() => Err(flooded),
            opened = timeout_at(self.deadline, opening) => {
                opened.unwrap_or_else(|_| Err(self.late(options)))
            }
        }
    }

    fn late(&self, options: &McpOptions) -> Trouble {
        let limit = self.within.as_millis();
        let whose = match self.within < options.connect_timeout {
            // Whoever gave less time says whose it is.
            true => "",
            false => " (connect_timeout_ms)",
        };
        let so_far = if self.tape.is_heard() {
            "the server had not finished the handshake"
        } else {
            "the server had not said a word"
        };
        trouble(
            TroubleKind::Timeout,
            format!("timeout after {limit}ms{whose}: {so_far}"),
        )
    }
}

/// What a beginning leaves behind, also where it fails.
#[derive(Debug, Default)]
pub(super) struct Begun {
    /// The process of the server.
    pub(super) program: Option<Program>,
    /// The token that was fetched.
    pub(super) token: Option<String>,
}

/// Starts the server, if it is a program, and shakes hands.
pub(super) async fn start(
    options: &McpOptions,
    version: &McpVersion,
    parts: &Parts,
    begun: &mut Begun,
) -> Result<RunningService<RoleClient, Asked>, Trouble> {
    let Parts { tape, answers, .. } = parts;
    let max_message = options.limits.event_bytes;
    let patience = (*version == McpVersion::Auto).then(|| patience(parts.within));
    match &options.transport {
        McpTransport::Stdio { command, cwd, env } => {
            let started = Program::start(command, cwd, env);
            let (started, stdout, stdin) =
                started.map_err(|why| trouble(TroubleKind::Unreachable, why))?;
            begun.program = Some(started);
            let lines = Lines::new(stdout, stdin, tape.clone(), max_message);
            let watched = Watched::new(lines, patience);
            serve(watched, version, answers).await
        }
        McpTransport::Http(endpoint) => {
            let (endpoint, token) = signed(endpoint, parts.deadline).await?;
            begun.token = token;
            let http = super::http::transport(&endpoint, tape.clone(), max_message)?;
            // Here silence is no sign of the legacy era: an answer has a status.
            serve(http, version, answers).await
        }
        McpTransport::Sse(endpoint) => {
            let (endpoint, token) = signed(endpoint, parts.deadline).await?;
            begun.token = token;
            let sse = LegacySse::open(&endpoint, tape.clone(), max_message).await?;
            let watched = Watched::new(sse, patience);
            serve(watched, version, answers).await
        }
    }
}

/// Shakes hands in the era that both sides know.
pub(super) async fn serve<T: Transport<RoleClient> + 'static>(
    transport: T,
    wanted: &McpVersion,
    answers: &Arc<Answers>,
) -> Result<RunningService<RoleClient, Asked>, Trouble> {
    let (modern, legacy) = (wanted.modern(), wanted.legacy());
    let named = legacy.or(modern).unwrap_or_default();
    let asked = Asked::new(Arc::clone(answers), named)
        .map_err(|why| trouble(TroubleKind::BadEvent, why))?;
    let lifecycle = match (modern, legacy) {
        (Some(modern), Some(legacy)) => ClientLifecycleMode::Auto {
            preferred_versions: vec![version(modern)?],
            legacy_version: Some(version(legacy)?),
        },
        (Some(modern), None) => ClientLifecycleMode::Discover {
            preferred_versions: vec![version(modern)?],
        },
        (None, _) => ClientLifecycleMode::Initialize,
    };
    // Both handshakes make a large future.
    let served = Box::pin(asked.serve_with_lifecycle(transport, lifecycle)).await;
    served.map_err(|error| not_connected(&error))
}
