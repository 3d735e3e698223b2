//! The choice of an interface: the first of the card that can be spoken, on the card's own origin.

use reqwest::Url;

use super::card::{Card, Interface};
use super::options::A2aOptions;
use super::wire::{Binding, Version, Wire};
use crate::http::{check_url, without_secrets};

/// An interface, and what is odd about it.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) wire: Wire,
    pub(super) warnings: Vec<String>,
}

/// Why there is no way to speak to the agent.
#[derive(Debug)]
pub(super) enum NoChoice {
    /// The card leads to another origin.
    Elsewhere(String),
    /// The card, or what was configured, says nothing that can be used.
    Unusable(String),
}

/// Chooses how to speak to the agent; says why it cannot be done.
pub(super) fn choose(options: &A2aOptions, card: Option<&Card>) -> Result<Choice, NoChoice> {
    let interfaces = card.map(Card::interfaces).unwrap_or_default();
    let mut warnings = Vec::new();
    let fitting = fitting(options, &interfaces, &mut warnings);
    if let Some(endpoint) = &options.endpoint {
        let first = fitting.first();
        let wire = wire(options, first.copied(), endpoint.clone());
        return Ok(Choice { wire, warnings });
    }
    let Some(card) = card else {
        let why = "there is neither an agent card nor an `endpoint`";
        return Err(NoChoice::Unusable(why.to_owned()));
    };
    let mut others = Vec::new();
    for interface in &fitting {
        let placed = match place(card.url.as_ref(), &interface.url).map_err(NoChoice::Unusable)? {
            Placed::Here(url) => (url, None),
            Placed::Moved(url, warning) => (url, Some(warning)),
            Placed::Elsewhere(url, why) => {
                others.push((*interface, url, why));
                continue;
            }
        };
        let (url, warning) = placed;
        warnings.extend(warning);
        let wire = wire(options, Some(interface), url);
        return Ok(Choice { wire, warnings });
    }
    let Some((interface, url, why)) = others.into_iter().next() else {
        return Err(NoChoice::Unusable(unspoken(options, &interfaces)));
    };
    if !options.allow_other_origin {
        return Err(NoChoice::Elsewhere(format!(
            "{why}; set `endpoint` to where the agent answers, or `allowOtherOrigin: true` if it is right"
        )));
    }
    warnings.push(format!("{why}; it is used, as the other origin is allowed"));
    let wire = wire(options, Some(interface), url);
    Ok(Choice { wire, warnings })
}

/// Returns the interfaces that can be spoken and that the options allow, in the card's order.
fn fitting<'a>(
    options: &A2aOptions,
    interfaces: &'a [Interface],
    warnings: &mut Vec<String>,
) -> Vec<&'a Interface> {
    let bound = interfaces.iter().filter(|interface| {
        let wanted = options.binding;
        interface
            .binding
            .is_some_and(|binding| wanted.is_none_or(|wanted| wanted == binding))
    });
    let bound: Vec<&Interface> = bound.collect();
    let versioned = bound.iter().copied().filter(|interface| {
        let wanted = options.version;
        interface
            .version
            .is_some_and(|version| wanted.is_none_or(|wanted| wanted == version))
    });
    let versioned: Vec<&Interface> = versioned.collect();
    if let (true, Some(wanted), Some(first)) =
        (versioned.is_empty(), options.version, bound.first())
    {
        warnings.push(format!(
            "the agent card names no interface of version {}: {} of version {} is spoken to as if it were",
            wanted.name(),
            first.binding_name,
            first.version_name
        ));
        return bound;
    }
    versioned
}

fn wire(options: &A2aOptions, interface: Option<&Interface>, url: String) -> Wire {
    let version = options
        .version
        .or(interface.and_then(|interface| interface.version));
    let binding = options
        .binding
        .or(interface.and_then(|interface| interface.binding));
    let tenant = options.tenant.clone();
    Wire {
        url,
        version: version.unwrap_or(Version::V1),
        binding: binding.unwrap_or(Binding::JsonRpc),
        tenant: tenant.or_else(|| interface.and_then(|interface| interface.tenant.clone())),
    }
}

/// Says why none of the interfaces can be used.
fn unspoken(options: &A2aOptions, interfaces: &[Interface]) -> String {
    let named: Vec<String> = interfaces
        .iter()
        .take(8)
        .map(|interface| format!("{} {}", interface.binding_name, interface.version_name))
        .collect();
    let wanted = options
        .binding
        .map_or("JSONRPC or HTTP+JSON", Binding::name);
    let versions = options.version.map_or("1.0 or 0.3", Version::name);
    if named.is_empty() {
        return "the agent card names no interface: expected `supportedInterfaces` or `url`"
            .to_owned();
    }
    format!(
        "the agent card names no interface that can be spoken: expected {wanted} of version {versions}, got {}",
        named.join(", ")
    )
}

/// Where an interface is, seen from the card.
enum Placed {
    /// On the card's own origin.
    Here(String),
    /// At an address that nobody can be spoken to at; the card's own host is taken. The warning says so.
    Moved(String, String),
    /// On another origin; what to say of it.
    Elsewhere(String, String),
}

fn place(card: Option<&Url>, url: &str) -> Result<Placed, String> {
    let shown = without_secrets(url);
    let Some(card) = card else {
        check_url(url).map_err(|why| format!("the agent card: {why}"))?;
        return Ok(Placed::Here(url.to_owned()));
    };
    let there = card
        .join(url)
        .map_err(|error| format!("the agent card names `{shown}`, which is no URL: {error}"))?;
    check_url(there.as_str()).map_err(|why| format!("the agent card: {why}"))?;
    if there.origin() == card.origin() {
        return Ok(Placed::Here(there.to_string()));
    }
    let host = there.host_str().unwrap_or_default();
    let own_host = card.host_str().unwrap_or_default();
    let is_nowhere = matches!(host, "0.0.0.0" | "[::]");
    if is_nowhere || (is_loopback(host) && is_loopback(own_host)) {
        let mut moved = there.clone();
        let is_moved = moved.set_host(Some(own_host)).is_ok();
        if is_moved && moved.origin() == card.origin() {
            let warning = format!(
                "the agent card names `{shown}`, whose host is only for the server itself: {own_host} is used instead"
            );
            return Ok(match is_nowhere {
                true => Placed::Moved(moved.to_string(), warning),
                false => Placed::Here(moved.to_string()),
            });
        }
    }
    let from = card.origin().ascii_serialization();
    let is_beside = host == own_host || (is_loopback(host) && is_loopback(own_host));
    let why = match host {
        _ if !is_beside && (is_nowhere || is_loopback(host)) => {
            format!(
                "the agent card of {from} names `{shown}`, an address inside of the server's own machine"
            )
        }
        _ if is_beside => {
            format!(
                "the agent card of {from} names `{shown}`: the same host, but another scheme or port"
            )
        }
        _ => format!("the agent card of {from} names `{shown}`, which is another host"),
    };
    Ok(Placed::Elsewhere(there.to_string(), why))
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host == "[::1]" || host.starts_with("127.")
}
