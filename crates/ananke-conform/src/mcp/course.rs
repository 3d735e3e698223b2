//! Goes through the scenarios of MCP: first which era the server speaks, then the same requests in each.

use ananke_model::conformance::ScenarioPlan;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::asked::McpAsked;
use super::era::Era;
use super::requests::{Request, initialize};
use super::scenarios;
use crate::case::{Case, Shown};
use crate::drive::{DriveError, Target};
use crate::rpc::{Driver, came, response};

/// The scenarios, in the order in which they are played.
pub const SCENARIOS: &[&str] = &["discover", "initialize", "list", "call", "probes"];

/// Plays the scenarios of `plan` on a server.
pub async fn drive(
    target: &Target,
    plan: &ScenarioPlan,
    tell: &dyn Fn(&str),
) -> Result<Case, DriveError> {
    let started = Instant::now();
    let mut driver = Driver::new(target)?;
    let mut eras: Vec<Era> = Vec::new();
    let mut tools: Vec<Value> = Vec::new();
    for name in SCENARIOS {
        driver.scenario = name;
        let setup = plan.given.get(*name).cloned().unwrap_or_default();
        let (shown, detail) = if setup.is_off {
            (Shown::Off, "switched off".to_owned())
        } else if let Some(why) = driver.closed_door() {
            (Shown::No, format!("not tried, because {why}"))
        } else {
            tell(name);
            match *name {
                "discover" => discover(&mut driver, &mut eras).await?,
                "initialize" => shake_hands(&mut driver, &mut eras).await?,
                _ if eras.is_empty() => {
                    let why = "the server spoke neither with a handshake nor without";
                    (Shown::No, format!("not tried, because {why}"))
                }
                "list" => scenarios::list(&mut driver, &eras, &mut tools).await?,
                "call" => scenarios::call(&mut driver, &eras, &tools, &setup).await?,
                _ => scenarios::probes(&mut driver, &eras).await?,
            }
        };
        driver.seen(name, shown, detail);
    }
    let duration_ms = u64::try_from(started.elapsed().as_millis());
    driver.case.duration_ms = duration_ms.unwrap_or(u64::MAX);
    Ok(driver.case)
}

async fn discover(
    driver: &mut Driver<'_>,
    eras: &mut Vec<Era>,
) -> Result<(Shown, String), DriveError> {
    let request = |asked| Request {
        asked,
        era: Some(&Era::Modern),
        method: "server/discover",
        params: json!({}),
    };
    let answer = request(McpAsked::Discover).send(driver).await?;
    let result = response(answer).and_then(|reply| reply.result());
    let is_modern = result.is_some_and(|result| result.get("supportedVersions").is_some());
    if !is_modern {
        let detail = format!("expected what the server is, saw {}", came(answer));
        return Ok((Shown::No, detail));
    }
    eras.push(Era::Modern);
    request(McpAsked::DiscoverVersion).send(driver).await?;
    Ok((
        Shown::Yes,
        "the server speaks without a handshake".to_owned(),
    ))
}

async fn shake_hands(
    driver: &mut Driver<'_>,
    eras: &mut Vec<Era>,
) -> Result<(Shown, String), DriveError> {
    let Some(era) = initialize(driver).await? else {
        let last = driver.case.exchanges.last();
        let words = last
            .map(|exchange| came(&exchange.answer))
            .unwrap_or_default();
        let detail = format!("expected a handshake, saw {words}");
        return Ok((Shown::No, detail));
    };
    let detail = format!("the server speaks {}", era.version());
    let ping = Request {
        asked: McpAsked::Ping,
        era: Some(&era),
        method: "ping",
        params: json!({}),
    };
    ping.send(driver).await?;
    eras.push(era);
    Ok((Shown::Yes, detail))
}
