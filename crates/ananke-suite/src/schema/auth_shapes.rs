//! `auth` of a target: a map that `scheme` tells apart.

use super::shape::{Field, FieldKind, Shape};

/// The words of `scheme`.
pub(crate) const AUTH_SCHEMES: &[&str] = &["apiKey", "bearer", "basic", "oauth2", "mtls"];
/// The words of `in`: where a key stands in a request.
pub(crate) const KEY_PLACES: &[&str] = &["header", "query", "cookie"];

/// The shapes of all schemes.
static AUTHS: &[&Shape] = &[
    &AUTH_API_KEY,
    &AUTH_BEARER,
    &AUTH_BASIC,
    &AUTH_OAUTH2,
    &AUTH_MTLS,
];

/// `auth`.
pub(super) const AUTH_OF_TARGET: Field = Field::optional(
    "auth",
    FieldKind::Typed(AUTHS),
    "{scheme: bearer, token: \"${ENV.TOKEN:-none}\"}",
    "Who the client is. It goes to the origins that the target names, and nowhere else.",
);

/// Keys that name what other schemes or other tools call differently.
const ELSEWHERE: &[(&str, &str)] = &[
    ("type", "write `scheme`"),
    ("username", "write `user`"),
    ("client_id", "write `clientId`"),
    ("client_secret", "write `clientSecret`"),
    ("token_url", "write `tokenUrl`"),
    ("scope", "write `scopes`, a list"),
    ("ca", "write `ca` under `tls` of the target"),
];

/// `scheme: apiKey`.
pub(crate) static AUTH_API_KEY: Shape = Shape {
    name: "ApiKeyAuth",
    title: "`auth` with `scheme: apiKey`",
    doc: "A key in a header, in the query of the URL or in a cookie.",
    fields: &[
        Field::required(
            "scheme",
            FieldKind::Choice(&["apiKey"]),
            "apiKey",
            "How the client says who it is.",
        ),
        Field::optional(
            "in",
            FieldKind::Choice(KEY_PLACES),
            "header",
            "Where the key stands (default header).",
        ),
        Field::required("name", FieldKind::Text, "X-API-Key", "Under which name."),
        Field::required(
            "value",
            FieldKind::Text,
            "\"${ENV.AGENT_KEY:-none}\"",
            "The key.",
        ),
    ],
    elsewhere: ELSEWHERE,
};

/// `scheme: bearer`.
pub(crate) static AUTH_BEARER: Shape = Shape {
    name: "BearerAuth",
    title: "`auth` with `scheme: bearer`",
    doc: "A token, sent as `Authorization: Bearer`.",
    fields: &[
        Field::required(
            "scheme",
            FieldKind::Choice(&["bearer"]),
            "bearer",
            "How the client says who it is.",
        ),
        Field::required(
            "token",
            FieldKind::Text,
            "\"${ENV.TOKEN:-none}\"",
            "The token.",
        ),
    ],
    elsewhere: ELSEWHERE,
};

/// `scheme: basic`.
pub(crate) static AUTH_BASIC: Shape = Shape {
    name: "BasicAuth",
    title: "`auth` with `scheme: basic`",
    doc: "A name and a password, sent as `Authorization: Basic`.",
    fields: &[
        Field::required(
            "scheme",
            FieldKind::Choice(&["basic"]),
            "basic",
            "How the client says who it is.",
        ),
        Field::required("user", FieldKind::Text, "tester", "The name."),
        Field::required(
            "password",
            FieldKind::Text,
            "\"${ENV.PASSWORD:-none}\"",
            "The password.",
        ),
    ],
    elsewhere: ELSEWHERE,
};

/// `scheme: oauth2`.
pub(crate) static AUTH_OAUTH2: Shape = Shape {
    name: "OAuth2Auth",
    title: "`auth` with `scheme: oauth2`",
    doc: "A token that is fetched for the client's own credentials.",
    fields: &[
        Field::required(
            "scheme",
            FieldKind::Choice(&["oauth2"]),
            "oauth2",
            "How the client says who it is.",
        ),
        Field::required(
            "clientId",
            FieldKind::Text,
            "ananke",
            "The name of the client.",
        ),
        Field::required(
            "clientSecret",
            FieldKind::Text,
            "\"${ENV.CLIENT_SECRET:-none}\"",
            "Its secret.",
        ),
        Field::optional(
            "tokenUrl",
            FieldKind::Text,
            "\"https://login.example/token\"",
            "Where the token is fetched. If it is left out, the card of an `a2a` agent says it, or the refusal of an `mcp` server.",
        ),
        Field::optional(
            "scopes",
            FieldKind::TextList,
            "[agent.read]",
            "What the token is to allow.",
        ),
    ],
    elsewhere: ELSEWHERE,
};

/// `scheme: mtls`.
pub(crate) static AUTH_MTLS: Shape = Shape {
    name: "MtlsAuth",
    title: "`auth` with `scheme: mtls`",
    doc: "A certificate of the client. Authorities to trust are written under `tls`.",
    fields: &[
        Field::required(
            "scheme",
            FieldKind::Choice(&["mtls"]),
            "mtls",
            "How the client says who it is.",
        ),
        Field::required(
            "cert",
            FieldKind::Text,
            "certs/client.pem",
            "A PEM file with the certificate, from the folder of the config.",
        ),
        Field::required(
            "key",
            FieldKind::Text,
            "certs/client.key",
            "A PEM file with its key, from the folder of the config.",
        ),
    ],
    elsewhere: ELSEWHERE,
};
