//! Where the card is, and where the agent is, as the card says.

use serde_json::Value;

use crate::rule::Profile;

/// Where cards are, seen from the agent's address.
const WELL_KNOWN: &str = "/.well-known/agent-card.json";

/// Returns where the card is asked for: at the address itself if it names a document, else at the well-known place under
/// it, and then at that of the host.
pub(super) fn card_urls(url: &str) -> Vec<String> {
    let bare = url.split(['?', '#']).next().unwrap_or_default();
    if bare.to_ascii_lowercase().ends_with(".json") {
        return vec![url.to_owned()];
    }
    let below = format!("{}{WELL_KNOWN}", bare.trim_end_matches('/'));
    let mut urls = vec![below];
    if let Some(origin) = origin(bare) {
        let of_host = format!("{origin}{WELL_KNOWN}");
        if !urls.contains(&of_host) {
            urls.push(of_host);
        }
    }
    urls
}

/// Returns scheme, host and port of a URL.
pub(super) fn origin(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    (!authority.is_empty()).then(|| format!("{scheme}://{authority}"))
}

/// Returns the host of a URL, without its port.
pub(super) fn host(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let authority = authority.rsplit('@').next()?;
    match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next(),
        None => authority.split(':').next(),
    }
}

/// An address that speaks JSON-RPC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interface {
    /// Where requests go.
    pub(super) url: String,
    /// Sent with every request.
    pub(super) tenant: Option<String>,
}

/// Returns the profile that a card is made for: 1.0 if it names an interface of it.
pub(super) fn profile(card: &Value) -> Profile {
    let is_new = interfaces(card).any(|interface| is_version(interface, "1"));
    if is_new {
        Profile::A2a
    } else {
        Profile::A2aOld
    }
}

/// Returns where the agent speaks JSON-RPC in the version of a profile.
pub(super) fn interface(card: &Value, profile: Profile) -> Option<Interface> {
    let major = match profile {
        Profile::A2a => "1",
        _ => "0",
    };
    let word = |value: &Value, name: &str| Some(value.get(name)?.as_str()?.to_owned());
    let is_rpc = |name: Option<&str>| name.is_some_and(|name| name.eq_ignore_ascii_case("JSONRPC"));
    let mut listed = interfaces(card).filter(|interface| {
        let binding = interface.get("protocolBinding").and_then(Value::as_str);
        is_rpc(binding) && is_version(interface, major)
    });
    let found = listed.next().and_then(|interface| {
        Some(Interface {
            url: word(interface, "url")?,
            tenant: word(interface, "tenant").filter(|tenant| !tenant.is_empty()),
        })
    });
    if found.is_some() || profile == Profile::A2a {
        return found;
    }
    let preferred = card.get("preferredTransport").and_then(Value::as_str);
    let more = card.get("additionalInterfaces").and_then(Value::as_array);
    let more = more.into_iter().flatten().find_map(|interface| {
        let transport = interface.get("transport").and_then(Value::as_str);
        word(interface, "url").filter(|_| is_rpc(transport))
    });
    // Without a transport it is JSON-RPC.
    let main = word(card, "url").filter(|_| preferred.is_none() || is_rpc(preferred));
    let url = main.or(more)?;
    Some(Interface { url, tenant: None })
}

fn interfaces(card: &Value) -> impl Iterator<Item = &Value> {
    let list = card.get("supportedInterfaces").and_then(Value::as_array);
    list.into_iter().flatten()
}

fn is_version(interface: &Value, major: &str) -> bool {
    let version = interface.get("protocolVersion").and_then(Value::as_str);
    let version = version.unwrap_or_default();
    version.split('.').next() == Some(major)
}

/// Tells whether a host stands for all addresses of a machine: nobody else can reach it.
pub(super) fn is_nowhere(host: &str) -> bool {
    matches!(host, "0.0.0.0" | "::" | "0:0:0:0:0:0:0:0")
}

/// Tells whether what is meant for one origin may be sent to the other: the same, or the same machine by another name.
pub(super) fn is_same_place(one: &str, other: &str) -> bool {
    let port = |url: &str| {
        let place = origin(url).unwrap_or_default();
        let (scheme, authority) = place.split_once("://").unwrap_or_default();
        let after = authority.rsplit(']').next().unwrap_or_default();
        let port = after.rsplit_once(':').map(|(_, port)| port.to_owned());
        (scheme.to_ascii_lowercase(), port)
    };
    let is_own = |host: &str| matches!(host, "localhost" | "127.0.0.1" | "::1");
    match (host(one), host(other)) {
        (Some(a), Some(b)) => {
            (a.eq_ignore_ascii_case(b) || (is_own(a) && is_own(b))) && port(one) == port(other)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{card_urls, host, interface, is_same_place, profile};
    use crate::rule::Profile;

    #[test]
    fn cards_lie_under_the_address_or_at_the_host() {
        assert_eq!(
            card_urls("http://a:1/x/"),
            [
                "http://a:1/x/.well-known/agent-card.json",
                "http://a:1/.well-known/agent-card.json"
            ]
        );
        assert_eq!(card_urls("http://a").len(), 1);
        assert_eq!(card_urls("http://a/my.json?x=1"), ["http://a/my.json?x=1"]);
        assert_eq!(host("http://u@[::1]:80/x"), Some("::1"));
        assert!(is_same_place("http://localhost:1/a", "http://127.0.0.1:1"));
        assert!(!is_same_place("http://a:1", "http://a:2"));
        assert!(!is_same_place("http://a.example", "http://b.example"));
    }

    #[test]
    fn a_card_may_be_of_both_versions() {
        let card = json!({
            "supportedInterfaces": [
                {"url": "http://a/rest", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"},
                {"url": "http://a/new", "protocolBinding": "JSONRPC", "protocolVersion": "1.0", "tenant": "t"},
            ],
            "url": "http://a/old",
        });
        assert_eq!(profile(&card), Profile::A2a);
        let new = interface(&card, Profile::A2a).unwrap();
        assert_eq!(
            (new.url.as_str(), new.tenant.as_deref()),
            ("http://a/new", Some("t"))
        );
        assert_eq!(
            interface(&card, Profile::A2aOld).unwrap().url,
            "http://a/old"
        );
        let rest = json!({"url": "http://a/rest", "preferredTransport": "HTTP+JSON"});
        assert_eq!(interface(&rest, Profile::A2aOld), None);
        assert_eq!(profile(&rest), Profile::A2aOld);
    }
}
