//! Which values are secret: what headers take from the environment, what token headers hold, what URLs carry.

use std::collections::HashSet;

use ananke_model::place::Text;
use ananke_model::plan::{Plan, Protocol, Target};
use ananke_model::variables::{Piece, Scope, Variables, pieces, text_form};

use super::secrets::Secrets;
use super::{base64, percent};

/// Words in the names of headers that carry credentials.
const TOKEN_HEADERS: [&str; 10] = [
    "authorization",
    "authentication",
    "cookie",
    "token",
    "secret",
    "api-key",
    "apikey",
    "password",
    "x-auth",
    "signature",
];
/// Shorter values that stand in a file for everybody to read, such as `Bearer test` or `theme=dark`, are hardly secrets, and
/// hiding these words would hide much else.
const MIN_LITERAL_CHARS: usize = 8;
/// Words before the credential in an `Authorization` header.
const SCHEMES: [&str; 7] = [
    "bearer",
    "basic",
    "token",
    "digest",
    "apikey",
    "api-key",
    "negotiate",
];
/// Words in the names of query parameters that carry credentials.
const TOKEN_PARAMETERS: [&str; 7] = [
    "key",
    "token",
    "secret",
    "password",
    "passwd",
    "signature",
    "auth",
];

/// Returns the secrets of all targets of `plan`, as far as they are known before the hooks.
pub fn secrets_of(plan: &Plan, variables: &Variables) -> Secrets {
    let mut secrets = Secrets::default();
    let mut seen: HashSet<(&str, &str)> = HashSet::new();
    for test in &plan.tests {
        for (name, value) in texts(&test.target) {
            // Tests share their targets: each header is looked at once.
            if seen.insert((name, &value.text)) {
                add_text(&mut secrets, name, value, variables);
            }
        }
    }
    secrets
}

/// Returns the secrets of one target, with what the hooks of a test gave.
pub(crate) fn secrets_of_target(target: &Target, variables: &Variables) -> Secrets {
    let mut secrets = Secrets::default();
    for (name, value) in texts(target) {
        add_text(&mut secrets, name, value, variables);
    }
    secrets
}

/// Returns what of a target may hold secrets: headers by name, the key, and the address without a name.
fn texts(target: &Target) -> Vec<(&str, &Text)> {
    let protocol = &target.protocol;
    let headers = protocol.headers().iter();
    let mut texts: Vec<_> = headers
        .map(|(name, value)| (name.as_str(), value))
        .collect();
    match protocol {
        Protocol::OpenAi(chat) => texts.extend(chat.key.as_ref().map(|key| ("authorization", key))),
        Protocol::Command(command) => {
            let env = command.env.iter();
            texts.extend(env.map(|(name, value)| (name.as_str(), value)));
        }
        Protocol::Agui(_) | Protocol::Scripted(_) => {}
    }
    texts.extend(protocol.address().map(|address| ("", address)));
    texts
}

/// Adds what is secret in a header, or in the endpoint if there is no name.
fn add_text(secrets: &mut Secrets, header: &str, text: &Text, variables: &Variables) {
    let is_url = header.is_empty();
    let is_token = is_token_header(header);
    let mut values = Vec::new();
    for piece in pieces(&text.text) {
        let Piece::Reference(reference) = piece else {
            continue;
        };
        let is_default = reference.default.is_some() && {
            let mut own = reference.clone();
            own.default = None;
            variables.get(&own).is_none()
        };
        // A default is written in the file for everybody to read.
        if let Some(value) = variables.get(&reference).filter(|_| !is_default) {
            let value = text_form(&value);
            let is_scheme = SCHEMES.contains(&value.to_ascii_lowercase().as_str());
            if !is_url && !is_scheme && (is_token || reference.scope == Scope::Environment) {
                secrets.add(reference.name, &value);
            }
            values.push((reference.name, value));
        }
    }
    let Ok(resolved) = variables.text(&text.text) else {
        return; // a hook may still give what is missing
    };
    let parts = match (is_url, is_token) {
        (true, _) => url_parts(&resolved),
        (false, true) => header_parts(header, &resolved),
        (false, false) => Vec::new(),
    };
    for (name, part) in parts {
        // What a variable gave is called by the variable's name.
        let own = values.iter().find(|(_, value)| *value == part);
        let is_literal = !values.iter().any(|(_, value)| value.contains(&part));
        let is_weak_literal = is_literal && !is_url && part.chars().count() < MIN_LITERAL_CHARS;
        if !is_weak_literal {
            secrets.add(own.map_or(name.as_str(), |(name, _)| name), &part);
        }
    }
}

/// Tells whether a header carries a credential, by its name.
fn is_token_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    TOKEN_HEADERS.iter().any(|word| name.contains(word))
}

/// Returns the credentials in a header's value: the value without its scheme, or the values of cookies.
fn header_parts(header: &str, value: &str) -> Vec<(String, String)> {
    let name = header.to_ascii_lowercase();
    if name.contains("cookie") {
        let cookies = value.split(';').filter_map(|pair| pair.split_once('='));
        let cookies: Vec<_> = cookies
            .map(|(_, value)| (name.clone(), value.trim().trim_matches('"').to_owned()))
            .collect();
        if !cookies.is_empty() {
            return cookies;
        }
    }
    let (scheme, credential) = match value.trim().split_once(' ') {
        Some((scheme, rest)) if SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()) => {
            (scheme, rest.trim())
        }
        _ => ("", value.trim()),
    };
    let mut parts = vec![(name.clone(), credential.to_owned())];
    if scheme.eq_ignore_ascii_case("basic")
        && let Some(decoded) = base64::decoded(credential)
        && let Some((_, password)) = decoded.split_once(':')
    {
        parts.push((name.clone(), password.to_owned()));
        parts.push((name, decoded));
    }
    parts
}

/// Returns the credentials in a URL: the password, and parameters that are called like one.
fn url_parts(url: &str) -> Vec<(String, String)> {
    let mut parts = Vec::new();
    let mut add = |name: &str, value: &str| {
        for value in [value.to_owned(), percent::decoded(value)] {
            parts.push((name.to_owned(), value));
        }
    };
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if let Some((user_info, _)) = authority.rsplit_once('@') {
        let (_, password) = user_info.split_once(':').unwrap_or(("", user_info));
        add("endpoint-password", password);
        // This is what the request carries in base64.
        add("endpoint-password", user_info);
    }
    let query = rest.split_once('?').map_or("", |(_, query)| query);
    let query = query.split('#').next().unwrap_or_default();
    for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
        let lower = name.to_ascii_lowercase();
        if TOKEN_PARAMETERS.iter().any(|word| lower.contains(word)) {
            add(name, value);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::json;

    use super::*;
    use crate::redact::secrets::notice;
    use crate::redact::tests::text;

    /// Returns what is secret in a header, or in the endpoint if there is no name: names with values.
    fn found(header: &str, value: &str) -> String {
        let mut variables = Variables::default();
        let given =
            json!({"TOKEN": "hook-token", "SCHEME": "Bearer", "N": 123_456, "SHOP": "north"});
        variables.variables = given.as_object().unwrap().clone();
        let environment = [
            ("KEY", "sk-live-1"),
            ("AUTH", "Bearer sk-2-live"),
            ("REGION", "eu"),
        ];
        variables.environment = environment
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        let mut secrets = Secrets::default();
        add_text(&mut secrets, header, &text(value), &variables);
        let list = secrets.list.iter();
        let mut lines: Vec<String> = list
            .map(|secret| format!("{}={}", secret.name, secret.value))
            .collect();
        lines.extend(notice(&secrets.too_short));
        lines.join(" | ")
    }

    #[test]
    fn headers_that_take_from_the_environment_hold_secrets() {
        assert_snapshot!(found("x-tenant", "acme-${ENV.KEY}"), @"KEY=sk-live-1");
        assert_snapshot!(found("x-tenant", "${ENV.REGION}"), @"`REGION` is not redacted: a value shorter than 4 characters is found everywhere");
        assert_snapshot!(found("x-tenant", "${SHOP} ${ENV.NONE:-default}"), @"");
    }

    #[test]
    fn token_headers_hold_secrets_whatever_their_origin() {
        assert_snapshot!(found("Authorization", "Bearer ${ENV.KEY}"), @"KEY=sk-live-1");
        assert_snapshot!(found("authorization", "bearer literal-token"), @"authorization=literal-token");
        assert_snapshot!(found("Authorization", "${SCHEME} ${TOKEN}"), @"TOKEN=hook-token");
        assert_snapshot!(found("Authorization", "${ENV.AUTH}"), @"AUTH=Bearer sk-2-live | authorization=sk-2-live");
        assert_snapshot!(found("Authorization", "Basic YWxhZGRpbjpvcGVuc2VzYW1l"), @"authorization=YWxhZGRpbjpvcGVuc2VzYW1l | authorization=opensesame | authorization=aladdin:opensesame");
        assert_snapshot!(found("Authorization", "Bearer test"), @"");
        assert_snapshot!(found("X-Api-Key", "0123456789"), @"x-api-key=0123456789");
        assert_snapshot!(found("x-customer-secret", "${N}"), @"N=123456");
        assert_snapshot!(found("Cookie", "session=${TOKEN}; theme=dark; other=\"abcdefghij\""), @"TOKEN=hook-token | cookie=abcdefghij");
        assert_snapshot!(found("x-trace", "0123456789"), @"");
        assert_snapshot!(found("Authorization", "Bearer ${LATER}"), @"");
    }

    #[test]
    fn urls_hold_secrets() {
        assert_snapshot!(found("", "https://user:pa%24%24word@host/agent?api_key=abc123&page=2#key=no"), @"endpoint-password=pa%24%24word | endpoint-password=pa$$word | endpoint-password=user:pa%24%24word | endpoint-password=user:pa$$word | api_key=abc123");
        assert_snapshot!(found("", "https://${ENV.KEY}@host/?token=${TOKEN}"), @"KEY=sk-live-1 | TOKEN=hook-token");
        assert_snapshot!(found("", "http://localhost:8000/agent"), @"");
    }
}
