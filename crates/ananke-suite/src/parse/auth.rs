//! `auth` of a target: `scheme` decides which keys there are.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};
use ananke_model::plan::{KeyPlace, TargetAuth};

use super::Found;
use super::object::{Object, word_list};
use super::target_parts::is_header_name;
use super::values::{choice, scalar, text, texts};
use crate::schema::{
    AUTH_API_KEY, AUTH_BASIC, AUTH_BEARER, AUTH_MTLS, AUTH_OAUTH2, AUTH_SCHEMES, KEY_PLACES, Shape,
};
use crate::yaml::{Kind, Node};

/// `auth` as written.
#[derive(Clone, Debug)]
pub(crate) struct AuthSpec {
    pub(crate) place: Place,
    pub(crate) auth: TargetAuth,
}

/// Keys that only one scheme has, to tell what was meant where `scheme` is missing.
const TELLING: [(&str, &str); 6] = [
    ("token", "bearer"),
    ("user", "basic"),
    ("password", "basic"),
    ("clientId", "oauth2"),
    ("cert", "mtls"),
    ("value", "apiKey"),
];

/// Reads `auth`.
pub(super) fn auth(node: &Node, found: &mut Found) -> Option<AuthSpec> {
    let auth = match scheme(node, found)? {
        "apiKey" => api_key(node, found),
        "bearer" => {
            let [token] = secrets(node, &AUTH_BEARER, ["token"], found)?;
            token.map(TargetAuth::Bearer)
        }
        "basic" => {
            let [user, password] = secrets(node, &AUTH_BASIC, ["user", "password"], found)?;
            user.zip(password)
                .map(|(user, password)| TargetAuth::Basic { user, password })
        }
        "oauth2" => client_credentials(node, found),
        _ => {
            let [cert, key] = secrets(node, &AUTH_MTLS, ["cert", "key"], found)?;
            cert.zip(key)
                .map(|(cert, key)| TargetAuth::Mtls { cert, key })
        }
    };
    auth.map(|auth| AuthSpec {
        place: node.place.clone(),
        auth,
    })
}

fn scheme(node: &Node, found: &mut Found) -> Option<&'static str> {
    if let Some(scheme) = node.get("scheme") {
        return choice(scheme, AUTH_SCHEMES, found);
    }
    let expected = word_list(AUTH_SCHEMES);
    match &node.kind {
        Kind::Broken => {}
        Kind::Map(_) => {
            let told = TELLING.iter().find(|(key, _)| node.get(key).is_some());
            let (_, word) = told.unwrap_or(&("", "bearer"));
            found.push(
                Diagnostic::error(&node.place, "`scheme` is missing in `auth`")
                    .label(format!("expected {expected}"))
                    .hint(format!("write `scheme: {word}`")),
            );
        }
        Kind::Scalar(_) | Kind::Seq(_) => found.push(
            Diagnostic::error(
                &node.place,
                format!("expected a map with a `scheme`, found {}", node.described()),
            )
            .hint("write `auth: {scheme: bearer, token: \"${ENV.TOKEN}\"}`"),
        ),
    }
    None
}

/// Reads the keys of a scheme that has nothing but texts.
fn secrets<const N: usize>(
    node: &Node,
    shape: &'static Shape,
    keys: [&str; N],
    found: &mut Found,
) -> Option<[Option<Text>; N]> {
    let object = Object::open(node, shape, found)?;
    // It was read before, because it decides the shape.
    object.get("scheme");
    // A password may look like a number.
    Some(keys.map(|key| object.get(key).and_then(|node| scalar(node, found))))
}

fn api_key(node: &Node, found: &mut Found) -> Option<TargetAuth> {
    let object = Object::open(node, &AUTH_API_KEY, found)?;
    object.get("scheme");
    let place = object
        .get("in")
        .and_then(|node| choice(node, KEY_PLACES, found));
    let name = object.get("name").and_then(|node| text(node, found));
    let value = object.get("value").and_then(|node| scalar(node, found));
    let place = match place {
        Some("query") => KeyPlace::Query,
        Some("cookie") => KeyPlace::Cookie,
        _ => KeyPlace::Header,
    };
    let name = name?;
    let is_token = place == KeyPlace::Query || is_header_name(&name.text);
    if !is_token && !name.text.contains("${") {
        let what = match place {
            KeyPlace::Cookie => "cookie",
            KeyPlace::Header | KeyPlace::Query => "header",
        };
        let message = format!("`{}` cannot name a {what}", name.text.escape_debug());
        found.push(
            Diagnostic::error(&name.place, message).label("expected letters, digits and `-`"),
        );
        return None;
    }
    Some(TargetAuth::ApiKey {
        place,
        name,
        value: value?,
    })
}

fn client_credentials(node: &Node, found: &mut Found) -> Option<TargetAuth> {
    let object = Object::open(node, &AUTH_OAUTH2, found)?;
    object.get("scheme");
    let client_id = object.get("clientId").and_then(|node| scalar(node, found));
    let client_secret = object
        .get("clientSecret")
        .and_then(|node| scalar(node, found));
    let token_url = object.get("tokenUrl").and_then(|node| text(node, found));
    let scopes = object.get("scopes").and_then(|node| texts(node, found));
    Some(TargetAuth::ClientCredentials {
        token_url,
        client_id: client_id?,
        client_secret: client_secret?,
        scopes: scopes.unwrap_or_default(),
    })
}
