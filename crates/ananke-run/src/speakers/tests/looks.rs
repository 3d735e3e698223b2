//! A look at agents and servers before any test, as a diagnosis has it.

use std::time::Duration;

use ananke_model::plan::Protocol;
use ananke_protocol::http::Proxies;
use insta::assert_snapshot;
use tempfile::TempDir;

use super::a2a::{agent, card};
use super::mcp_server::{COUNTS, script, server};
use super::{Peer, respond, target};
use crate::probe::{Probed, Seen, probe};
use crate::testing::variables;

async fn look(protocol: Protocol) -> String {
    let folder = TempDir::new().unwrap();
    let probed = probe(
        &target(protocol),
        &variables(),
        &Proxies::default(),
        folder.path(),
    );
    let Ok(Probed::Other(probe)) = probed else {
        return "no such probe".to_owned();
    };
    let seen = match probe.look(Duration::from_secs(5)).await {
        Seen::Fine(what) => format!("fine: {what}"),
        Seen::Odd(what) => format!("odd: {what}"),
        Seen::Wrong(what) => format!("wrong: {what}"),
    };
    seen.replace(&probe.address(), "ADDRESS")
}

#[tokio::test]
async fn an_agent_is_looked_at_by_its_card() {
    let look = async |answer: String| {
        let peer = Peer::start(&[answer]);
        look(Protocol::A2a(Box::new(agent(&peer.host())))).await
    };
    assert_snapshot!(look(card()).await, @"fine: `shop 1` answers, and is spoken to in version 1.0 over JSONRPC at ADDRESS/a2a");
    assert_snapshot!(look(respond("500 Oops", "text/plain", "broken")).await, @"wrong: the agent card: HTTP 500 from ADDRESS/.well-known/agent-card.json: broken");
}

#[tokio::test]
async fn a_server_is_looked_at_by_its_tools() {
    let look = async |script: &str| look(Protocol::Mcp(Box::new(server(script)))).await;
    assert_snapshot!(look(&script(COUNTS)).await, @"fine: `sh 1` answers; its tools are `ask`");
    assert_snapshot!(look("echo 'no module' >&2; exit 3").await, @"wrong: `sh` ended (exit status: 3) before it was connected; stderr: no module");
}
