//! Looks at agents by their cards, and at servers by their tools.

use std::time::Duration;

use ananke_model::recording::TurnStatus;
use ananke_protocol::a2a::Met;
use ananke_protocol::agui::{Action, Conversation};
use ananke_protocol::mcp::McpAction;
use tokio_util::sync::CancellationToken;

use super::Seen;
use crate::speakers::{A2aSpeaker, Bounds, McpSpeaker};

/// Fetches the card of an agent.
pub(super) async fn card(speaker: &A2aSpeaker, limit: Duration) -> Seen {
    let met = match speaker.look(limit).await {
        Ok(met) => met,
        Err(why) => return Seen::Wrong(why),
    };
    let Met {
        name,
        version,
        binding,
        url,
        odd,
    } = met;
    let spoken = format!("is spoken to in version {version} over {binding} at {url}");
    let how = match name {
        Some(name) => format!("`{name}` answers, and {spoken}"),
        None => format!("the agent {spoken}; nobody was asked, because it has no card"),
    };
    match odd.as_slice() {
        [] => Seen::Fine(how),
        odd => Seen::Odd(format!("{how}; {}", odd.join("; "))),
    }
}

/// Connects to a server, and asks what it has.
pub(super) async fn tools(speaker: &McpSpeaker, limit: Duration) -> Seen {
    let cancel = CancellationToken::new();
    let bounds = Bounds {
        timeout: limit,
        whole: Duration::MAX,
        unix_ms: 0,
        cancel: &cancel,
    };
    let action = Action::Ask(Box::new(McpAction::List(None)));
    let mut conversation = Conversation::default();
    let turn = speaker.turn(action, &mut conversation, bounds).await;
    let left = speaker.close().await;
    let why = match &turn.status {
        TurnStatus::Finished => None,
        TurnStatus::RunError { message, .. } => Some(message),
        TurnStatus::Broken(trouble) => Some(&trouble.message),
    };
    if let Some(why) = why {
        return Seen::Wrong(why.clone());
    }
    let server = &turn.server;
    let named = ["name", "version"].map(|name| server["serverInfo"][name].as_str());
    let named: Vec<&str> = named.into_iter().flatten().collect();
    let listed = &turn.data;
    let names = listed["tools"].as_array().into_iter().flatten();
    let names: Vec<String> = names
        .filter_map(|tool| Some(format!("`{}`", tool["name"].as_str()?)))
        .collect();
    let has = match names.as_slice() {
        [] => "it has no tools".to_owned(),
        names => format!("its tools are {}", names.join(", ")),
    };
    let how = format!("`{}` answers; {has}", named.join(" "));
    let odd: Vec<String> = turn.warnings.into_iter().chain(left).collect();
    match odd.as_slice() {
        [] => Seen::Fine(how),
        odd => Seen::Odd(format!("{how}; {}", odd.join("; "))),
    }
}
