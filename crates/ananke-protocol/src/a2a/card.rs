//! The agent card: fetched, and read in either shape. A card may carry both, so shape is no test of the version.

use ananke_model::recording::{Refusal, Trouble, TroubleKind};
use reqwest::Url;
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use serde_json::Value;
use tokio::time::Instant;

use super::wire::{Binding, Version};
use crate::agui::tree;
use crate::auth::{Fetched, Small, Unfetched, beginning_of};
use crate::http::{HttpClient, without_secrets};

/// Larger cards are not read.
const MAX_CARD: usize = 1 << 20;
const WHAT: &str = "the agent card";
const WELL_KNOWN: &str = ".well-known/agent-card.json";
/// Where cards were before 0.3.
const FORMERLY: &str = ".well-known/agent.json";

/// A card that was fetched, and from where.
#[derive(Clone, Debug)]
pub(super) struct Card {
    pub(super) value: Value,
    /// Its own URL; none if it was configured.
    pub(super) url: Option<Url>,
}

/// One way to speak to the agent, as the card tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interface {
    pub(super) url: String,
    pub(super) binding: Option<Binding>,
    /// As the card spells it.
    pub(super) binding_name: String,
    pub(super) version: Option<Version>,
    pub(super) version_name: String,
    pub(super) tenant: Option<String>,
}

/// Fetches a card from `url`: a base URL, or that of the card itself. `sign` puts credentials into a request.
pub(super) async fn fetch_card(
    client: &HttpClient,
    url: &str,
    sign: &(dyn Fn(&mut String, &mut HeaderMap) -> Result<(), String> + Sync),
    deadline: Instant,
) -> Result<Card, Unfetched> {
    let places = places(url).map_err(|why| unusable(TroubleKind::Unreachable, false, why))?;
    let mut missing = None;
    for place in places {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let mut signed = place;
        sign(&mut signed, &mut headers)
            .map_err(|why| unusable(TroubleKind::BadEvent, false, why))?;
        let small = Small {
            client,
            what: WHAT,
            method: "GET",
            url: signed,
            headers,
            body: None,
            max_bytes: MAX_CARD,
            deadline,
        };
        let fetched = small.fetch().await?;
        if fetched.status == 404 {
            missing.get_or_insert(fetched);
            continue;
        }
        return read(fetched);
    }
    match missing {
        Some(fetched) => read(fetched),
        None => Err(unusable(
            TroubleKind::Unreachable,
            false,
            "no URL to ask".to_owned(),
        )),
    }
}

/// Returns where the card may be, the likeliest place first.
fn places(url: &str) -> Result<Vec<String>, String> {
    let base: Url = url
        .parse()
        .map_err(|error| format!("the URL `{}` is wrong: {error}", without_secrets(url)))?;
    if base.path().ends_with(".json") {
        return Ok(vec![base.to_string()]);
    }
    let below = |path: &str| {
        let mut below = base.clone();
        let prefix = base.path().trim_end_matches('/');
        below.set_path(&format!("{prefix}/{path}"));
        below.to_string()
    };
    let mut places = vec![below(WELL_KNOWN), below(FORMERLY)];
    if base.path() != "/" {
        places.push(base.to_string());
    }
    Ok(places)
}

fn read(fetched: Fetched) -> Result<Card, Unfetched> {
    let shown = without_secrets(fetched.url.as_str());
    let beginning = || -> String {
        let line = fetched.body.lines().find(|line| !line.trim().is_empty());
        beginning_of(line.unwrap_or_default())
    };
    if !(200..300).contains(&fetched.status) {
        let mut unfetched = unusable(
            TroubleKind::HttpStatus,
            true,
            format!("HTTP {} from {shown}: {}", fetched.status, beginning()),
        );
        unfetched.trouble.refusal = Some(Refusal {
            status: fetched.status,
            retry_after_ms: None,
        });
        return Err(unfetched);
    }
    match tree(&fetched.body) {
        Some(value) if value.is_object() => Ok(Card {
            value,
            url: Some(fetched.url),
        }),
        _ => Err(unusable(
            TroubleKind::BadEvent,
            true,
            format!("{shown} is not a JSON object; it begins: {}", beginning()),
        )),
    }
}

impl Card {
    /// Returns the interfaces in order of preference, those of 1.0 first.
    pub(super) fn interfaces(&self) -> Vec<Interface> {
        let card = &self.value;
        let card_version = card["protocolVersion"].as_str();
        let mut interfaces = Vec::new();
        for entry in list(&card["supportedInterfaces"]) {
            let binding = ["protocolBinding", "transport"].into_iter();
            let binding = binding.filter_map(|name| entry[name].as_str()).next();
            let version = entry["protocolVersion"].as_str().or(card_version);
            let tenant = entry["tenant"].as_str().filter(|tenant| !tenant.is_empty());
            interfaces.extend(interface(entry, binding, version.unwrap_or("1.0"), tenant));
        }
        let version = card_version.unwrap_or("0.3");
        let preferred = card["preferredTransport"].as_str();
        interfaces.extend(interface(card, preferred, version, None));
        for entry in list(&card["additionalInterfaces"]) {
            interfaces.extend(interface(entry, entry["transport"].as_str(), version, None));
        }
        interfaces
    }

    /// Tells whether the agent streams; `None` if the card does not say.
    pub(super) fn streams(&self) -> Option<bool> {
        let capabilities = self.value.get("capabilities")?;
        // ProtoJSON leaves `false` out.
        Some(capabilities["streaming"] == true)
    }

    /// Returns the extensions that a client must ask for.
    pub(super) fn required_extensions(&self) -> Vec<String> {
        let extensions = list(&self.value["capabilities"]["extensions"]);
        let required = extensions.filter(|extension| extension["required"] == true);
        let uris = required.filter_map(|extension| extension["uri"].as_str());
        uris.map(str::to_owned).collect()
    }

    /// Returns the names of the ways in which a client may prove who it is.
    pub(super) fn security(&self) -> Vec<String> {
        let schemes = self.value["securitySchemes"].as_object();
        schemes
            .into_iter()
            .flatten()
            .map(|(name, _)| name.clone())
            .collect()
    }

    /// Returns where tokens for a client's own credentials come from.
    pub(super) fn token_url(&self) -> Option<String> {
        let schemes = self.value["securitySchemes"].as_object()?;
        schemes.values().find_map(|scheme| {
            let scheme = scheme.get("oauth2SecurityScheme").unwrap_or(scheme);
            let url = &scheme["flows"]["clientCredentials"]["tokenUrl"];
            url.as_str().map(str::to_owned)
        })
    }
}

fn interface(
    entry: &Value,
    binding: Option<&str>,
    version: &str,
    tenant: Option<&str>,
) -> Option<Interface> {
    let binding = binding.unwrap_or("JSONRPC");
    Some(Interface {
        url: entry["url"]
            .as_str()
            .filter(|url| !url.is_empty())?
            .to_owned(),
        binding: Binding::read(binding),
        binding_name: binding.chars().take(40).collect(),
        version: Version::read(version),
        version_name: version.chars().take(20).collect(),
        tenant: tenant.map(str::to_owned),
    })
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn unusable(kind: TroubleKind, reached: bool, message: String) -> Unfetched {
    Unfetched {
        trouble: Trouble {
            kind,
            message: format!("{WHAT}: {message}"),
            refusal: None,
        },
        reached,
    }
}
