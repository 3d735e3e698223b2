//! `ananke conform`: servers that are correct, servers that are not, files, and every way to be told.

mod a2a;
mod bad_input;
mod files;
mod live;
mod mcp;
mod outputs;
mod rules;
mod stack;

use std::sync::Arc;

use ananke_serve::shop::{Shop, ShopBehavior};
use ananke_testkit::ScriptedAgent;

/// The embedded agent.
fn shop() -> ScriptedAgent {
    ScriptedAgent::start_agent(Arc::new(Shop {
        behavior: ShopBehavior::Healthy,
    }))
}
