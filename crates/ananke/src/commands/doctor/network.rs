//! From the name of the server to its HTTP: each step by itself, so that the one that fails is named.

use std::net::SocketAddr;
use std::time::Duration;

use ananke_protocol::http::{UsedProxy, tls_words, without_secrets};
use ananke_run::Probe;
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;

use super::config::Project;
use super::notes::{Finding, Notes};
use super::seen::skew;
use crate::settings::unix_ms;

/// How long a name and a plain request may take.
const LIMIT: Duration = Duration::from_secs(5);

/// Whether anything answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reached {
    Yes,
    No,
}

/// Looks for the server of a target.
pub(super) async fn reach(probe: &Probe, project: &Project, notes: &mut Notes<'_>) -> Reached {
    let shown = without_secrets(probe.endpoint());
    let Some(server) = Server::of(&shown) else {
        notes.add(Finding::wrong("endpoint", format!("`{shown}` has no host")));
        return Reached::No;
    };
    let proxy = project.proxies.used_for(server.is_tls, &server.host);
    if let Some(UsedProxy { variable, url }) = &proxy {
        let message = format!("not tried directly: requests go through {url} ({variable})");
        notes.add(Finding::fine("connection", message));
    } else if connect(&server, probe, project, notes).await == Reached::No {
        return Reached::No;
    }
    answer(&server, probe, proxy.as_ref(), notes).await
}

/// Resolves the name and opens a connection.
async fn connect(
    server: &Server,
    probe: &Probe,
    project: &Project,
    notes: &mut Notes<'_>,
) -> Reached {
    let Server { host, port, .. } = server;
    let found = timeout(LIMIT, lookup_host((host.as_str(), *port))).await;
    let addresses: Vec<SocketAddr> = match found {
        Ok(Ok(addresses)) => addresses.collect(),
        Ok(Err(error)) => {
            let message = format!("the name `{host}` is not known: {error}");
            let hint = "check the host in `endpoint`, and the network of this machine";
            notes.add(Finding::wrong("name", message).hint(hint));
            return Reached::No;
        }
        Err(_) => {
            let message = format!("the name `{host}` was not resolved within 5 s");
            notes.add(Finding::wrong("name", message).hint("check the DNS of this machine"));
            return Reached::No;
        }
    };
    let limit = Duration::from_millis(probe.settings().connect_timeout_ms);
    let mut why = "the name has no address".to_owned();
    for address in &addresses {
        match timeout(limit, TcpStream::connect(address)).await {
            Ok(Ok(_)) => {
                notes.add(Finding::fine("connection", format!("{address} accepts")));
                return Reached::Yes;
            }
            Ok(Err(error)) => why = format!("{address}: {error}"),
            Err(_) => why = format!("{address}: no answer (connect_timeout_ms)"),
        }
    }
    let hint = if project.has_server {
        "the config has a `server`, which `ananke run` starts and `doctor` does not: start it first"
    } else {
        "start the agent, or correct host and port of `endpoint`"
    };
    notes.add(Finding::wrong("connection", why).hint(hint));
    Reached::No
}

/// Sends a plain request: any answer will do.
async fn answer(
    server: &Server,
    probe: &Probe,
    proxy: Option<&UsedProxy>,
    notes: &mut Notes<'_>,
) -> Reached {
    let look = probe.get(probe.endpoint(), LIMIT).await;
    match &look {
        Err(why) if server.is_tls && is_about_tls(why) => {
            let (message, hint) = explained(why);
            notes.add(Finding::wrong("tls", message).hint(hint));
            return Reached::No;
        }
        Err(why) if why.starts_with("no answer within") => {
            let message = format!("{why} to a GET; the run may still be answered");
            notes.add(Finding::odd("http", message));
            return Reached::Yes;
        }
        Err(why) => {
            let finding = unanswered(server, proxy, why);
            notes.add(finding.edited(|text| probe.redacted(text)));
            return Reached::No;
        }
        Ok(_) => notes.add(tls(server, probe)),
    }
    if let Ok(look) = look {
        let message = format!("HTTP {} to a GET", look.status);
        notes.add(Finding::fine("http", message));
        if let Some(date_ms) = look.date_ms.and_then(|ms| i64::try_from(ms).ok()) {
            notes.add(skew(
                "clock",
                "the server's `Date`",
                date_ms - unix_ms(),
                1000,
            ));
        }
    }
    Reached::Yes
}

/// Says that no HTTP came back, and who may be to blame.
fn unanswered(server: &Server, proxy: Option<&UsedProxy>, why: &str) -> Finding {
    if let Some(UsedProxy { variable, url }) = proxy {
        let message = format!("no HTTP answer through the proxy {url} ({variable}): {why}");
        let host = &server.host;
        let hint = format!("is the proxy right, and up? `NO_PROXY={host}` goes around it");
        return Finding::wrong("http", message).hint(hint);
    }
    let hint = if server.is_tls {
        "is it a server of HTTP at all?"
    } else {
        "does the server speak TLS? then `endpoint` begins with https"
    };
    Finding::wrong("http", format!("no HTTP answer: {why}")).hint(hint)
}

fn tls(server: &Server, probe: &Probe) -> Finding {
    let settings = probe.settings();
    if !server.is_tls {
        let has_headers = !settings.headers.is_empty();
        return if has_headers && !server.is_local() {
            Finding::odd("tls", "none: the headers of the target travel in the clear")
                .hint("use https, if the server has it")
        } else {
            Finding::fine("tls", "none, plain http")
        };
    }
    if settings.tls.insecure {
        return Finding::odd("tls", "any certificate is accepted (tls.insecure)")
            .hint("name the server's authority in `tls.ca` instead");
    }
    match &settings.tls.ca {
        Some(ca) => Finding::fine(
            "tls",
            format!("trusted, with the authorities of {} (tls.ca)", ca.text),
        ),
        None => Finding::fine("tls", "trusted by the authorities of this machine"),
    }
}

fn is_about_tls(why: &str) -> bool {
    let words = [
        "certificate",
        "InvalidContentType",
        "tls",
        "TLS",
        "handshake",
        "alert",
    ];
    words.iter().any(|word| why.contains(word))
}

/// Says in plain words what is wrong with TLS, and what to do.
fn explained(why: &str) -> (String, &'static str) {
    tls_words(why).unwrap_or_else(|| {
        (
            format!("the encrypted connection failed ({why})"),
            "see `tls` in the guide's page on configuration",
        )
    })
}

/// Where a server is.
struct Server {
    host: String,
    port: u16,
    is_tls: bool,
}

impl Server {
    /// Reads a URL without user, password and query.
    fn of(url: &str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let is_tls = scheme.eq_ignore_ascii_case("https");
        let authority = rest.split('/').next()?;
        let standard = if is_tls { 443 } else { 80 };
        let (host, port) = match authority.strip_prefix('[') {
            Some(v6) => {
                let (host, port) = v6.split_once(']')?;
                (host, port.strip_prefix(':'))
            }
            None => match authority.rsplit_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (authority, None),
            },
        };
        let port = match port {
            Some(port) if !port.is_empty() => port.parse().ok()?,
            _ => standard,
        };
        (!host.is_empty()).then(|| Self {
            host: host.to_owned(),
            port,
            is_tls,
        })
    }

    /// Tells whether it is this machine.
    fn is_local(&self) -> bool {
        self.host == "localhost" || self.host == "::1" || self.host.starts_with("127.")
    }
}
