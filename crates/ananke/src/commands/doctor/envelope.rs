//! When a run is refused: is it wrapped as the server expects? CopilotKit runtimes tell which agents they have.

use std::time::Duration;

use ananke_model::diagnostic::did_you_mean;
use ananke_model::plan::Envelope;
use ananke_model::recording::{Trouble, TroubleKind};
use ananke_protocol::http::{Look, without_secrets};
use ananke_run::Probe;
use serde_json::{Value, json};

use super::notes::Finding;

const LIMIT: Duration = Duration::from_secs(5);

/// Looks for an envelope that fits better. Only asked after a run went wrong.
pub(super) async fn envelope(probe: &Probe, trouble: &Trouble) -> Option<Finding> {
    let status = trouble.refusal.map(|refusal| refusal.status);
    let may_be_envelope = match trouble.kind {
        TroubleKind::HttpStatus => matches!(status, Some(400 | 404 | 405 | 415 | 422)),
        TroubleKind::ContentType => true,
        // Servers crash, or hang up, when a body is not what they expect.
        TroubleKind::Transport | TroubleKind::Empty => true,
        _ => false,
    };
    if !may_be_envelope {
        return None;
    }
    let own = probe.settings().envelope;
    let agents = copilotkit(probe).await;
    let Some((fitting, agents)) = agents else {
        return without_runtime(own, trouble);
    };
    let known: Vec<&str> = agents.iter().map(String::as_str).collect();
    let list = known.join(", ");
    let word = word(fitting);
    if own != fitting {
        let id = known.first().copied().unwrap_or("my-agent");
        let message = format!(
            "this is a CopilotKit runtime, spoken to as `{}`; its agents: {list}",
            self::word(own)
        );
        let hint = format!("write `envelope: {word}` and `agentId: {id}` in the target");
        return Some(Finding::wrong("envelope", message).hint(hint));
    }
    let id = probe.agent_id().unwrap_or_default();
    if !known.is_empty() && !known.contains(&id) {
        let message = format!("the runtime has no agent `{id}`; it has {list}");
        let meant = did_you_mean(id, known.iter().copied()).or(known.first().copied());
        let hint = format!("write `agentId: {}`", meant.unwrap_or_default());
        return Some(Finding::wrong("envelope", message).hint(hint));
    }
    Some(Finding::fine(
        "envelope",
        format!("`{word}` fits; the runtime has {list}"),
    ))
}

/// Says what can be said of a server that is no CopilotKit runtime.
fn without_runtime(own: Envelope, trouble: &Trouble) -> Option<Finding> {
    if own != Envelope::Plain {
        let message = format!(
            "`{}`, but nothing here says that it is a CopilotKit runtime",
            word(own)
        );
        let hint =
            "leave out `envelope` for a plain AG-UI endpoint, or correct the path of `endpoint`";
        return Some(Finding::wrong("envelope", message).hint(hint));
    }
    let complaint = trouble.message.to_ascii_lowercase();
    let no_runtime = "plain; no CopilotKit runtime answers here";
    let (message, hint) = match trouble.refusal.map(|refusal| refusal.status) {
        Some(404 | 405) => (
            no_runtime,
            "is the path of `endpoint` right? it must take a POST",
        ),
        // CopilotKit's envelope has a `method`, a plain request has none.
        Some(400 | 415 | 422) if complaint.contains("method") => (
            "plain, but the server asks for a `method`, as a CopilotKit runtime does",
            "write `envelope: copilotkit` and the `agentId` in the target",
        ),
        Some(400 | 415 | 422) if complaint.contains("protocolversion") => (
            "plain; the server does not know `protocolVersion`",
            "the agent is of an older AG-UI: write `era: \"0.x\"` in the target",
        ),
        Some(400 | 415 | 422) => (
            no_runtime,
            "the server wants another body: is it AG-UI? a CopilotKit runtime wants `envelope: copilotkit`, an older agent `era: \"0.x\"`",
        ),
        // What broke it is not known, and a plain request is the usual one.
        _ if matches!(trouble.kind, TroubleKind::Transport | TroubleKind::Empty) => return None,
        _ => (
            no_runtime,
            "the answer must be `text/event-stream`: is the path of `endpoint` right?",
        ),
    };
    Some(Finding::odd("envelope", message).hint(hint))
}

/// Asks both kinds of CopilotKit runtime for their agents.
async fn copilotkit(probe: &Probe) -> Option<(Envelope, Vec<String>)> {
    let shown = without_secrets(probe.endpoint());
    let rest = format!("{}/info", shown.trim_end_matches('/'));
    if let Ok(look) = probe.get(&rest, LIMIT).await
        && let Some(agents) = agents(&look)
    {
        return Some((Envelope::CopilotKitRest, agents));
    }
    let single = probe.post(&json!({"method": "info"}), LIMIT).await;
    Some((Envelope::CopilotKit, agents(&single.ok()?)?))
}

/// Reads `{"agents": …}`: a map by id, or a list.
fn agents(look: &Look) -> Option<Vec<String>> {
    if !(200..300).contains(&look.status) {
        return None;
    }
    let body: Value = serde_json::from_str(&look.body).ok()?;
    match body.get("agents")? {
        Value::Object(agents) => Some(agents.keys().cloned().collect()),
        Value::Array(agents) => {
            let name = |agent: &Value| {
                let named = agent
                    .get("id")
                    .or_else(|| agent.get("name"))
                    .unwrap_or(agent);
                named.as_str().map(str::to_owned)
            };
            Some(agents.iter().filter_map(name).collect())
        }
        _ => None,
    }
}

fn word(envelope: Envelope) -> &'static str {
    match envelope {
        Envelope::Plain => "plain",
        Envelope::CopilotKit => "copilotkit",
        Envelope::CopilotKitRest => "copilotkit-rest",
    }
}
