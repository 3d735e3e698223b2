//! Which values are secret: what headers take from the environment, what token headers hold, what URLs carry.

use std::collections::HashSet;

use ananke_model::place::Text;
use ananke_model::plan::{McpTarget, McpWay, Plan, Protocol, Target, TargetAuth};
use ananke_model::sensitive::SecretHolder;
use ananke_model::variables::{Piece, Reference, Scope, Variables, pieces, text_form};

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
/// Words in the names of query parameters and of environment variables that carry credentials.
const TOKEN_PARAMETERS: [&str; 7] = [
    "key",
    "token",
    "secret",
    "password",
    "passwd",
    "signature",
    "auth",
];

/// Returns the secrets of all targets of `plan`, helpers included, and of what else was read, as far as they are known before
/// the hooks.
pub fn secrets_of(plan: &Plan, variables: &Variables) -> Secrets {
    let mut secrets = Secrets::default();
    let mut seen: HashSet<(Holder<'_>, &str)> = HashSet::new();
    let targets = plan.tests.iter().map(|test| &test.target);
    let of_scripts = plan
        .scripts
        .agents
        .values()
        .filter_map(|found| found.as_ref().ok());
    for target in targets.chain(plan.agents.values()).chain(of_scripts) {
        for (holder, value) in texts(target) {
            // Tests share their targets: each header is looked at once.
            if seen.insert((holder, &value.text)) {
                add_text(&mut secrets, holder, value, variables);
            }
        }
    }
    for one in &plan.sensitive {
        let holder = Holder::from(&one.holder);
        if seen.insert((holder, &one.text.text)) {
            add_text(&mut secrets, holder, &one.text, variables);
        }
    }
    for name in &plan.scripts.grants.env {
        if let Some(value) = variables
            .environment
            .get(name)
            .filter(|_| is_token_name(name))
        {
            secrets.add(name, value);
        }
    }
    secrets
}

/// What holds a text that may be secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder<'a> {
    /// A header, by its name.
    Header(&'a str),
    /// The URL of the agent.
    Url,
    /// The key of a chat endpoint.
    Key,
    /// A variable in the environment of a program, by its name.
    Environment(&'a str),
}

/// Returns the secrets of one target, with what the hooks of a test gave.
pub(crate) fn secrets_of_target(target: &Target, variables: &Variables) -> Secrets {
    let mut secrets = Secrets::default();
    for (name, value) in texts(target) {
        add_text(&mut secrets, name, value, variables);
    }
    secrets
}

/// Returns what of a target may hold secrets.
fn texts(target: &Target) -> Vec<(Holder<'_>, &Text)> {
    let protocol = &target.protocol;
    let headers = protocol.headers().iter();
    let mut texts: Vec<_> = headers
        .map(|(name, value)| (Holder::Header(name), value))
        .collect();
    match protocol {
        Protocol::OpenAi(chat) => {
            texts.extend(chat.key.as_ref().map(|key| (Holder::Key, key)));
            let servers = chat.assistant.iter().flat_map(|own| &own.servers);
            texts.extend(servers.flat_map(|server| of_server(&server.target)));
        }
        Protocol::Command(command) => {
            let env = command.env.iter();
            texts.extend(env.map(|(name, value)| (Holder::Environment(name), value)));
        }
        Protocol::Mcp(server) => texts.extend(of_server(server)),
        Protocol::Agui(_) | Protocol::Scripted(_) | Protocol::Script(_) | Protocol::A2a(_) => {}
    }
    let auth = protocol.auth().map(TargetAuth::secrets);
    texts.extend(
        auth.into_iter()
            .flatten()
            .map(|secret| (Holder::Key, secret)),
    );
    texts.extend(protocol.address().map(|address| (Holder::Url, address)));
    texts
}

/// Returns what of a server may hold secrets, beside headers that all targets have.
fn of_server(server: &McpTarget) -> Vec<(Holder<'_>, &Text)> {
    let mut texts = Vec::new();
    if let McpWay::Stdio { env, .. } = &server.transport {
        let env = env.iter();
        texts.extend(env.map(|(name, value)| (Holder::Environment(name), value)));
    }
    let auth = server.auth.iter().flat_map(TargetAuth::secrets);
    texts.extend(auth.map(|secret| (Holder::Key, secret)));
    texts.extend(
        server
            .transport
            .address()
            .map(|address| (Holder::Url, address)),
    );
    texts
}

impl<'a> From<&'a SecretHolder> for Holder<'a> {
    fn from(holder: &'a SecretHolder) -> Self {
        match holder {
            SecretHolder::Header(name) => Self::Header(name),
            SecretHolder::Url => Self::Url,
            SecretHolder::Key => Self::Key,
            SecretHolder::Environment(name) => Self::Environment(name),
        }
    }
}

impl Holder<'_> {
    /// Tells whether all of it is a credential, wherever it comes from.
    fn is_token(self) -> bool {
        match self {
            Self::Header(name) => is_token_header(name),
            Self::Environment(name) => is_token_name(name),
            Self::Key => true,
            Self::Url => false,
        }
    }

    /// Tells whether the value of a reference in it is a credential.
    fn makes_secret(self, reference: &Reference<'_>) -> bool {
        let is_environment = reference.scope == Scope::Environment;
        match self {
            Self::Url => false,
            Self::Header(_) | Self::Key => self.is_token() || is_environment,
            // Paths and regions are handed on like this too.
            Self::Environment(_) => {
                self.is_token() || is_environment && is_token_name(reference.name)
            }
        }
    }

    /// Returns the credentials in a value, each with a name.
    fn parts(self, value: &str) -> Vec<(String, String)> {
        match self {
            Self::Url => url_parts(value),
            Self::Header(name) if self.is_token() => header_parts(name, value),
            Self::Environment(name) if self.is_token() => {
                vec![(name.to_owned(), value.trim().to_owned())]
            }
            Self::Key => vec![("key".to_owned(), value.trim().to_owned())],
            Self::Header(_) | Self::Environment(_) => Vec::new(),
        }
    }
}

/// Adds what is secret in a text.
fn add_text(secrets: &mut Secrets, holder: Holder<'_>, text: &Text, variables: &Variables) {
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
            if !is_scheme && holder.makes_secret(&reference) {
                secrets.add(reference.name, &value);
            }
            values.push((reference.name, value));
        }
    }
    let Ok(resolved) = variables.text(&text.text) else {
        return; // a hook may still give what is missing
    };
    for (name, part) in holder.parts(&resolved) {
        // What a variable gave is called by the variable's name.
        let own = values.iter().find(|(_, value)| *value == part);
        let is_literal = !values.iter().any(|(_, value)| value.contains(&part));
        let may_be_weak = matches!(holder, Holder::Header(_) | Holder::Environment(_));
        let is_weak_literal = is_literal && may_be_weak && part.chars().count() < MIN_LITERAL_CHARS;
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

/// Tells whether a variable or a parameter carries a credential, by its name.
fn is_token_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    TOKEN_PARAMETERS.iter().any(|word| name.contains(word))
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
        if is_token_name(name) {
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
        match header {
            "" => found_in(Holder::Url, value),
            header => found_in(Holder::Header(header), value),
        }
    }

    fn found_in(holder: Holder<'_>, value: &str) -> String {
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
        add_text(&mut secrets, holder, &text(value), &variables);
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

    #[test]
    fn keys_are_secrets_however_short() {
        assert_snapshot!(found_in(Holder::Key, "${ENV.KEY}"), @"KEY=sk-live-1");
        assert_snapshot!(found_in(Holder::Key, "sk-1"), @"key=sk-1");
        assert_snapshot!(found_in(Holder::Key, "${TOKEN}"), @"TOKEN=hook-token");
        assert_snapshot!(found_in(Holder::Key, "${ENV.NONE:-}"), @"");
    }

    #[test]
    fn the_environment_of_a_program_holds_secrets_under_names_that_say_so() {
        assert_snapshot!(found_in(Holder::Environment("OPENAI_API_KEY"), "literal-key"), @"OPENAI_API_KEY=literal-key");
        assert_snapshot!(found_in(Holder::Environment("FOR_MODEL"), "${ENV.KEY}"), @"KEY=sk-live-1");
        assert_snapshot!(found_in(Holder::Environment("DB_PASSWORD"), "${SHOP}"), @"SHOP=north");
        assert_snapshot!(found_in(Holder::Environment("PLACE"), "${ENV.REGION} ${SHOP} literal"), @"");
    }
}
