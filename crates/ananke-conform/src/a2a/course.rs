//! Goes through the scenarios of A2A: the card first, since it says where the agent is.

use ananke_model::conformance::{ScenarioPlan, ScenarioSetup};
use ananke_protocol::http::Ask;
use serde_json::Value;
use tokio::time::Instant;

use super::asked::A2aAsked;
use super::interface::{self, Interface, card_urls, host, is_nowhere, is_same_place};
use super::requests::{Agent, headers};
use super::scenarios;
use crate::case::{Case, Shown};
use crate::drive::{DriveError, Target};
use crate::exchange::Asked;
use crate::rpc::{Driver, Until};
use crate::rule::Profile;

/// The scenarios, in the order in which they are played.
pub const SCENARIOS: &[&str] = &["card", "hello", "stream", "continue", "probes"];

/// Plays the scenarios of `plan` on an agent. Without a profile it is judged by the version that its card names; the profile
/// that was taken comes back.
pub async fn drive(
    target: &Target,
    profile: Option<Profile>,
    plan: &ScenarioPlan,
    tell: &dyn Fn(&str),
) -> Result<(Case, Profile), DriveError> {
    let started = Instant::now();
    let mut driver = Driver::new(target)?;
    driver.scenario = "card";
    tell("card");
    let card = ask_for_card(&mut driver, profile).await?;
    let profile = profile.unwrap_or_else(|| match &card {
        Some(card) => interface::profile(card),
        None => Profile::A2a,
    });
    match &card {
        Some(_) => driver.seen("card", Shown::Yes, "the agent has a card".to_owned()),
        None => driver.seen("card", Shown::No, "there is no card".to_owned()),
    }
    let agent = find(&mut driver, card.as_ref(), profile);
    for name in SCENARIOS.iter().skip(1) {
        driver.scenario = name;
        let setup = plan.given.get(*name).cloned().unwrap_or_default();
        let (shown, detail) = match &agent {
            _ if setup.is_off => (Shown::Off, "switched off".to_owned()),
            Err(why) => (Shown::No, format!("not tried, because {why}")),
            Ok(agent) => match driver.closed_door() {
                Some(why) => (Shown::No, format!("not tried, because {why}")),
                None => {
                    tell(name);
                    play(&mut driver, agent, card.as_ref(), &setup).await?
                }
            },
        };
        driver.seen(name, shown, detail);
    }
    let duration_ms = u64::try_from(started.elapsed().as_millis());
    driver.case.duration_ms = duration_ms.unwrap_or(u64::MAX);
    Ok((driver.case, profile))
}

async fn play(
    driver: &mut Driver<'_>,
    agent: &Agent,
    card: Option<&Value>,
    setup: &ScenarioSetup,
) -> Result<(Shown, String), DriveError> {
    // Without a card only trying shows it.
    let streams = card.is_none_or(|card| {
        let streaming = card
            .get("capabilities")
            .and_then(|able| able.get("streaming"));
        streaming.is_some_and(|streaming| streaming == true)
    });
    match driver.scenario {
        "hello" => scenarios::hello(driver, agent, setup).await,
        "stream" if !streams => {
            let detail = "the card does not say `capabilities.streaming: true`";
            Ok((Shown::No, detail.to_owned()))
        }
        "stream" => scenarios::stream(driver, agent, setup).await,
        "continue" => scenarios::continued(driver, agent, setup, streams).await,
        _ => scenarios::probes(driver, agent).await,
    }
}

/// Asks for the card at the places where it may be; only the last answer is kept if none has it.
async fn ask_for_card(
    driver: &mut Driver<'_>,
    profile: Option<Profile>,
) -> Result<Option<Value>, DriveError> {
    // Some servers have a card of 1.0 only for those who ask for it, and another for all others.
    let mut own = vec![("accept", "application/json")];
    if profile != Some(Profile::A2aOld) {
        own.push(("a2a-version", "1.0"));
    }
    let urls = card_urls(&driver.target.url);
    let n_urls = urls.len();
    for (number, url) in urls.into_iter().enumerate() {
        let ask = Ask {
            method: "GET",
            headers: headers(driver.target, &url, &own),
            url,
            body: None,
        };
        let asked = Asked::A2a(A2aAsked::Card);
        let step = A2aAsked::Card.name().to_owned();
        let answer = driver.ask(step, asked, None, &ask, Until::Head).await?;
        let value = answer.events.first().map(|event| event.value.clone());
        let is_there = answer.status == Some(200);
        match value {
            Some(Ok(card)) if is_there && card.is_object() => return Ok(Some(card)),
            _ if !is_there && number + 1 < n_urls => {
                driver.case.exchanges.pop();
            }
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// Decides where the agent is: where its card says, else at the address that was given.
fn find(driver: &mut Driver<'_>, card: Option<&Value>, profile: Profile) -> Result<Agent, String> {
    let given = driver.target.url.clone();
    let is_new = profile == Profile::A2a;
    let Some(card) = card else {
        let url = given;
        let interface = Interface { url, tenant: None };
        return Ok(Agent { interface, is_new });
    };
    let Some(mut interface) = interface::interface(card, profile) else {
        return Err(format!(
            "the card names no JSON-RPC interface of `{}`, and others are not judged",
            profile.name()
        ));
    };
    if host(&interface.url).is_some_and(is_nowhere) {
        let own = host(&given).unwrap_or_default();
        let meant = ["0.0.0.0", "[::]", "[0:0:0:0:0:0:0:0]"]
            .iter()
            .fold(interface.url.clone(), |url, nowhere| {
                url.replacen(&format!("://{nowhere}"), &format!("://{own}"), 1)
            });
        let note = format!("the card says `{}`; asked was `{meant}`", interface.url);
        driver.case.notes.push(note);
        interface.url = meant;
    }
    if let Err(why) = ananke_protocol::http::check_url(&interface.url) {
        return Err(format!("the interface of the card is no address: {why}"));
    }
    if !is_same_place(&given, &interface.url) && !driver.target.headers.is_empty() {
        let note = format!(
            "the agent is at `{}`, which is another origin: your headers and tokens were not sent there",
            interface.url
        );
        driver.case.notes.push(note);
    }
    Ok(Agent { interface, is_new })
}
