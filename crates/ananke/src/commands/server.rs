//! The app under test that ananke starts, and the proxies that stand between.

use std::time::Duration;

use ananke_model::place::Text;
use ananke_model::plan::Plan;
use ananke_model::variables::Variables;
use ananke_protocol::http::{HttpClient, HttpOptions, Proxies, check_url, without_secrets};
use ananke_run::{Ready, Server};
use tokio_util::sync::CancellationToken;

use crate::error::{CommandError, Exit};
use crate::settings::Environment;

/// A proxy that cannot be used is a mistake in the environment, not the failure of every test.
pub(crate) fn check_proxies(environment: &Environment) -> Result<(), CommandError> {
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
        identity: None,
        insecure: false,
        needs_tls: false,
        proxies,
    });
    client
        .map(|_| ())
        .map_err(|error| CommandError::new(Exit::Configuration, error.to_string()).hint(hint))
}

/// Starts the `server` of the config, if it has one, and waits until it answers.
pub(crate) async fn start_server(
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
        identity: None,
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
