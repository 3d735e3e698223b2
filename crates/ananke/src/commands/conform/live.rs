//! A server, over HTTP.

use std::time::Duration;

use ananke_conform::drive::{self, DriveError, Target};
use ananke_conform::{Case, Limits, Profile, a2a, mcp};
use ananke_model::conformance::{ConformSetup, ScenarioPlan, ScenarioSetup};
use ananke_protocol::http::{HttpOptions, check_url};

use super::args::{ConformArgs, Judged};
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

/// Drives the scenarios; returns the profile that the answers are judged by.
pub(super) fn ask(
    args: &ConformArgs,
    setup: &ConformSetup,
    judged: Judged,
    environment: &Environment,
    ui: &Ui,
) -> Result<(Case, Profile), CommandError> {
    let target = target(args, setup, judged, environment)?;
    let plan = plan(args, setup, judged)?;
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
            if let Judged::A2a(profile) = judged {
                let driven = a2a::drive(&target, profile, &plan, &tell).await;
                return driven.map_err(failed);
            }
            if judged == Judged::Mcp {
                let driven = mcp::drive(&target, &plan, &tell).await;
                return Ok((driven.map_err(failed)?, Profile::Mcp));
            }
            let capabilities = match source {
                Some(source) => {
                    let agent = Some((target.url.as_str(), target.headers.as_slice()));
                    Some(capabilities(source, agent, args, environment).await?)
                }
                None => None,
            };
            let mut case = drive::drive(&target, &plan, &tell).await.map_err(failed)?;
            case.capabilities = capabilities;
            Ok((case, target.profile))
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

/// Returns the server, and how it is asked.
fn target(
    args: &ConformArgs,
    setup: &ConformSetup,
    judged: Judged,
    environment: &Environment,
) -> Result<Target, CommandError> {
    let Some(url) = args.url.as_ref().or(setup.url.as_ref()) else {
        return Err(
            configuration("there is nothing to judge: name a server or a file").hint(
                "ananke conform http://localhost:8000/agent, or ananke conform --file capture.sse",
            ),
        );
    };
    check_url(url).map_err(configuration)?;
    let mut headers = setup.headers.clone();
    headers.extend(headers_of(args));
    Ok(Target {
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
        http: http(args, environment)?,
        profile: match judged {
            Judged::AgUi(profile) => profile,
            Judged::A2a(profile) => profile.unwrap_or(Profile::A2a),
            Judged::Mcp => Profile::Mcp,
            Judged::Stack => Profile::V1,
        },
        forwarded_props: setup.forwarded_props.clone(),
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
fn plan(
    args: &ConformArgs,
    setup: &ConformSetup,
    judged: Judged,
) -> Result<ScenarioPlan, CommandError> {
    let scenarios: &[&str] = match judged {
        Judged::A2a(_) => a2a::SCENARIOS,
        Judged::Mcp => mcp::SCENARIOS,
        Judged::AgUi(_) | Judged::Stack => &drive::SCENARIOS,
    };
    let mut plan = setup.scenarios.clone();
    if args.scenarios.is_empty() {
        return Ok(plan);
    }
    for name in &args.scenarios {
        if !scenarios.contains(&name.as_str()) {
            return Err(configuration(format!("there is no scenario `{name}`"))
                .hint(format!("known are {}", scenarios.join(", "))));
        }
    }
    for name in scenarios {
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
