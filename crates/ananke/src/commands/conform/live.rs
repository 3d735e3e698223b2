//! A server, over HTTP.

use std::time::Duration;

use ananke_conform::drive::{self, DriveError, Target};
use ananke_conform::{Case, Limits, Profile};
use ananke_model::conformance::{ConformSetup, ScenarioPlan, ScenarioSetup};
use ananke_protocol::http::{HttpOptions, check_url};

use super::args::ConformArgs;
use super::capabilities::capabilities;
use super::command::configuration;
use crate::commands::pipeline::runtime;
use crate::error::{CommandError, Exit};
use crate::settings::Environment;
use crate::signals::Signals;
use crate::ui::Ui;

/// How long a request may take unless the user says otherwise.
pub(super) const USUAL_MS: u64 = 30_000;
/// How long reaching a server may take.
const LONGEST_CONNECT: Duration = Duration::from_secs(10);
/// What to look at when nobody answers.
pub(super) const NOT_THERE: &str = "is the server running, and is this its address?";

/// Drives the scenarios.
pub(super) fn ask(
    args: &ConformArgs,
    setup: &ConformSetup,
    profile: Profile,
    environment: &Environment,
    ui: &Ui,
) -> Result<Case, CommandError> {
    let Some(url) = args.url.as_ref().or(setup.url.as_ref()) else {
        return Err(
            configuration("there is nothing to judge: name a server or a file").hint(
                "ananke conform http://localhost:8000/agent, or ananke conform --file capture.sse",
            ),
        );
    };
    check_url(url).map_err(configuration)?;
    let plan = plan(args, setup)?;
    let http = http(args, environment)?;
    let mut headers = setup.headers.clone();
    headers.extend(headers_of(args));
    let target = Target {
        url: url.clone(),
        headers,
        timeout: args.asking.timeout(USUAL_MS),
        limits: Limits {
            max_events: args
                .asking
                .max_frames
                .map_or(Limits::default().max_events, |n| n as usize),
            ..Limits::default()
        },
        http,
        profile,
        forwarded_props: setup.forwarded_props.clone(),
    };
    let source = args.capabilities.as_ref().or(setup.capabilities.as_ref());
    runtime(1)?.block_on(async {
        let signals = Signals::listen().map_err(|error| {
            CommandError::new(Exit::Trouble, format!("no signals can be caught: {error}"))
        })?;
        let tell = |scenario: &str| {
            if ui.shows_progress {
                ui.progress(&format!("scenario {scenario} …"));
            }
        };
        let work = async {
            let capabilities = match source {
                Some(source) => {
                    let agent = Some((target.url.as_str(), target.headers.as_slice()));
                    Some(capabilities(source, agent, args, environment).await?)
                }
                None => None,
            };
            let mut case = drive::drive(&target, &plan, &tell).await.map_err(failed)?;
            case.capabilities = capabilities;
            Ok(case)
        };
        tokio::select! {
            case = work => case,
            () = signals.cancel.cancelled() => {
                ui.clear_progress();
                let exit = signals.stop().map_or(Exit::Trouble, Exit::Stopped);
                Err(CommandError::new(exit, "stopped before a verdict was reached"))
            }
        }
    })
}

fn failed(error: DriveError) -> CommandError {
    match error {
        DriveError::Configuration(why) => configuration(why),
        unreachable @ DriveError::Unreachable { .. } => {
            CommandError::new(Exit::Trouble, unreachable.to_string()).hint(NOT_THERE)
        }
    }
}

/// Returns the scenarios: those of the setup, narrowed to the ones that are typed.
fn plan(args: &ConformArgs, setup: &ConformSetup) -> Result<ScenarioPlan, CommandError> {
    let mut plan = setup.scenarios.clone();
    if args.scenarios.is_empty() {
        return Ok(plan);
    }
    for name in &args.scenarios {
        if !drive::SCENARIOS.contains(&name.as_str()) {
            return Err(configuration(format!("there is no scenario `{name}`"))
                .hint(format!("known are {}", drive::SCENARIOS.join(", "))));
        }
    }
    for name in drive::SCENARIOS {
        if !args.scenarios.iter().any(|wanted| wanted == name) {
            let off = ScenarioSetup {
                is_off: true,
                ..ScenarioSetup::default()
            };
            plan.given.insert((*name).to_owned(), off);
        }
    }
    Ok(plan)
}

/// Returns how connections are made. Whether TLS is needed follows from the URL.
pub(super) fn http(
    args: &ConformArgs,
    environment: &Environment,
) -> Result<HttpOptions, CommandError> {
    let ca_pem = match &args.asking.ca {
        None => None,
        Some(path) => {
            let bytes = std::fs::read(environment.cwd.join(path))
                .map_err(|error| configuration(format!("`--ca {}`: {error}", path.display())))?;
            Some(bytes)
        }
    };
    Ok(HttpOptions {
        connect_timeout: LONGEST_CONNECT,
        ca_pem,
        identity: None,
        insecure: args.asking.insecure,
        needs_tls: false,
        proxies: environment.proxies(),
    })
}

/// Returns the headers that are typed.
pub(super) fn headers_of(args: &ConformArgs) -> Vec<(String, String)> {
    let bearer = args.asking.bearer.as_ref();
    let bearer = bearer.map(|token| ("Authorization".to_owned(), format!("Bearer {token}")));
    args.asking.headers.iter().cloned().chain(bearer).collect()
}
