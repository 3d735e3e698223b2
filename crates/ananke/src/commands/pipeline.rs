//! Runs a loaded plan inside the async runtime and writes its reports.

use std::time::Duration;

use ananke_model::place::Text;
use ananke_model::plan::{Plan, Protocol};
use ananke_model::run_event::RunEvent;
use ananke_model::variables::Variables;
use ananke_protocol::http::{HttpClient, HttpOptions, Proxies, check_url, without_secrets};
use ananke_report::{Chunk, JsonReport, ReportInfo, Terminal, TerminalOptions};
use ananke_run::{Ready, RunOptions, Server};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::load::LoadedPlan;
use super::run::HowArgs;
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, unix_ms};
use crate::signals::Signals;
use crate::ui::Ui;

/// When a running test is worth a notice.
const SLOW_AFTER: Duration = Duration::from_secs(60);
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// Which reports to write.
#[derive(Debug)]
pub(crate) struct Reporting {
    /// One JSON document on stdout instead of the human report.
    pub(crate) json: bool,
    /// The command that runs the same again, without the inputs.
    pub(crate) rerun: Vec<String>,
}

/// Runs the plan to its end.
pub(crate) fn run(
    loaded: LoadedPlan,
    how: &HowArgs,
    reporting: &Reporting,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    runtime(how.parallel)?.block_on(run_async(loaded, how, reporting, environment, ui))
}

/// Builds the async runtime. One test at a time needs one thread: handing every chunk of a stream from one thread to
/// another would cost more than all the rest.
pub(crate) fn runtime(parallel: usize) -> Result<tokio::runtime::Runtime, CommandError> {
    let mut builder = if parallel == 1 {
        tokio::runtime::Builder::new_current_thread()
    } else {
        tokio::runtime::Builder::new_multi_thread()
    };
    builder.enable_all().build().map_err(|error| {
        CommandError::new(
            Exit::Trouble,
            format!("the runtime cannot be started: {error}"),
        )
    })
}

/// Runs the plan to its end, inside the runtime.
pub(crate) async fn run_async(
    loaded: LoadedPlan,
    how: &HowArgs,
    reporting: &Reporting,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let signals = Signals::listen().map_err(|error| {
        CommandError::new(Exit::Trouble, format!("signals cannot be heard: {error}"))
    })?;
    check_proxies(environment)?;
    let server = start_server(
        &loaded.plan,
        &loaded.variables,
        environment,
        &signals.cancel,
    )
    .await
    .map_err(|error| match signals.stop() {
        Some(stop) => CommandError::new(Exit::Stopped(stop), error.message),
        None => error,
    })?;
    let agents = agents(&loaded.plan, &loaded.variables);
    let config_file = loaded.plan.config_file.clone();
    let options = RunOptions {
        parallel: how.parallel,
        fail_fast: how.fail_fast,
        test_timeout: how.timeout,
        slow_after: SLOW_AFTER,
        variables: loaded.variables,
        proxies: environment.proxies(),
        unix_ms,
        input: loaded.input,
        agents,
    };
    let (sender, receiver) = mpsc::channel(1024);
    let run = ananke_run::run(loaded.plan, options, sender, signals.cancel.clone());
    let (outcome, ()) = tokio::join!(run, report(receiver, reporting, config_file, ui));
    if let Some(server) = server {
        for trouble in server.stop(outcome.summary.errors > 0).await {
            ui.warning(&trouble.message, &trouble.output);
        }
    }
    Ok(Exit::of(&outcome, signals.stop()))
}

/// Feeds the reports until the run is over.
async fn report(
    mut events: mpsc::Receiver<RunEvent>,
    reporting: &Reporting,
    config_file: Option<String>,
    ui: &Ui,
) {
    let mut terminal = Terminal::new(TerminalOptions {
        style: ui.stdout_style.clone(),
        verbose: ui.verbose,
        quiet: ui.quiet,
        rerun: reporting.rerun.clone(),
        dry_run: false,
    });
    let mut json = reporting.json.then(|| {
        JsonReport::new(ReportInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            config_file,
        })
    });
    let mut tick = tokio::time::interval(PROGRESS_EVERY);
    let mut batch = Vec::new();
    loop {
        tokio::select! {
            n_events = events.recv_many(&mut batch, 256) => {
                if n_events == 0 {
                    break;
                }
                let mut written = Chunk::default();
                for event in batch.drain(..) {
                    let chunk = terminal.event(&event);
                    written.stderr.push_str(&chunk.stderr);
                    match &mut json {
                        Some(json) => json.event(&event),
                        None => written.stdout.push_str(&chunk.stdout),
                    }
                }
                write(ui, written).await;
            }
            _ = tick.tick(), if ui.shows_progress => {
                let now_ms = u64::try_from(unix_ms()).unwrap_or_default();
                ui.progress(&terminal.progress(now_ms));
            }
        }
    }
    ui.clear_progress();
    if let Some(json) = json {
        let document = Chunk {
            stdout: format!("{}\n", json.finish()),
            ..Chunk::default()
        };
        write(ui, document).await;
    }
}

/// Writes on another thread: a reader that is slow, or stopped, must not hold up the tests and their clocks.
async fn write(ui: &Ui, chunk: Chunk) {
    if chunk != Chunk::default() {
        let ui = ui.clone();
        let written = tokio::task::spawn_blocking(move || ui.chunk(&chunk));
        written.await.expect("writing does not panic");
    }
}

/// A proxy that cannot be used is a mistake in the environment, not the failure of every test.
fn check_proxies(environment: &Environment) -> Result<(), CommandError> {
    let proxies = environment.proxies();
    if proxies == Proxies::default() {
        return Ok(());
    }
    let hint = "see HTTP_PROXY, HTTPS_PROXY and ALL_PROXY in the environment";
    let urls = [&proxies.http, &proxies.https, &proxies.all];
    let schemes = urls
        .into_iter()
        .flatten()
        .filter_map(|url| Some(url.split_once("://")?.0));
    for scheme in schemes {
        let known = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"];
        if !known.contains(&scheme.to_ascii_lowercase().as_str()) {
            let message = format!(
                "a proxy has the scheme `{scheme}`; known are {}",
                known.join(", ")
            );
            return Err(CommandError::new(Exit::Configuration, message).hint(hint));
        }
    }
    let client = HttpClient::build(&HttpOptions {
        connect_timeout: Duration::from_secs(1),
        ca_pem: None,
        insecure: false,
        needs_tls: false,
        proxies,
    });
    client
        .map(|_| ())
        .map_err(|error| CommandError::new(Exit::Configuration, error.to_string()).hint(hint))
}

async fn start_server(
    plan: &Plan,
    variables: &Variables,
    environment: &Environment,
    cancel: &CancellationToken,
) -> Result<Option<Server>, CommandError> {
    let Some(server) = &plan.server else {
        return Ok(None);
    };
    let trouble = |message: String| CommandError::new(Exit::Trouble, message);
    let resolve = |text: &Text| {
        let undefined = |names: Vec<String>| {
            CommandError::new(
                Exit::Configuration,
                format!("{}: no value for {}", text.place, names.join(", ")),
            )
        };
        variables.text(&text.text).map_err(undefined)
    };
    let cmd: Vec<String> = server.cmd.iter().map(resolve).collect::<Result<_, _>>()?;
    let url = resolve(&server.url)?;
    let env = server
        .env
        .iter()
        .map(|(name, value)| Ok((name.clone(), resolve(value)?)));
    let env: Vec<(String, String)> = env.collect::<Result<_, CommandError>>()?;
    let needs_tls = check_url(&url).map_err(|error| {
        CommandError::new(
            Exit::Configuration,
            format!("{}: server.url: {error}", server.url.place),
        )
    })?;
    let client = HttpClient::build(&HttpOptions {
        connect_timeout: Duration::from_secs(2),
        ca_pem: None,
        insecure: true, // only whether it answers is asked
        needs_tls,
        // A proxy would answer in the name of a server on this machine that is not there yet.
        proxies: if is_loopback(&url) {
            Proxies::default()
        } else {
            environment.proxies()
        },
    });
    let client = client.map_err(|error| trouble(error.to_string()))?;
    let ready = Ready {
        client: &client,
        url: &url,
        timeout: Duration::from_millis(server.timeout_ms),
    };
    let started = Server::start(&cmd, env, &plan.root, ready, cancel).await;
    started.map(Some).map_err(|error| CommandError {
        details: error.output,
        ..trouble(error.message).hint(format!("`server` is written at {}", server.place))
    })
}

/// Returns the agents that the tests talk to, as shown to a person.
fn agents(plan: &Plan, variables: &Variables) -> Vec<String> {
    let mut agents: Vec<String> = Vec::new();
    for test in &plan.tests {
        let Protocol::Agui(agui) = &test.target.protocol;
        // What only a hook can give is shown as it is written.
        let resolved = |text: &Text| variables.text(&text.text).unwrap_or(text.text.clone());
        let agent_id = || agui.agent_id.as_ref().map(resolved);
        let shown = match test.target.name.clone().or_else(agent_id) {
            Some(name) => name,
            None => without_secrets(&resolved(&agui.endpoint)),
        };
        if !agents.contains(&shown) {
            agents.push(shown);
        }
    }
    agents
}

/// Tells whether a URL names this machine.
fn is_loopback(url: &str) -> bool {
    let shown = without_secrets(url);
    let authority = shown
        .split("://")
        .nth(1)
        .and_then(|rest| rest.split('/').next())
        .unwrap_or_default();
    let host = authority
        .rsplit_once(':')
        .map_or(authority, |(host, _)| host);
    host == "localhost" || host == "[::1]" || host.starts_with("127.")
}
