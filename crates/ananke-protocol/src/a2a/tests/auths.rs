//! Credentials: where they go, and where they do not.

use insta::assert_snapshot;

use super::peer::{Act, Peer, Setup, json, respond, result};
use crate::a2a::options::CardSource;
use crate::a2a::{Auth, KeyPlace};

const HELLO: &str =
    r#"{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"Hello"}]}}"#;
const CARD: &str = r#"{"supportedInterfaces":[{"url":"/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
    "securitySchemes":{"corp":{"oauth2SecurityScheme":{"flows":{"clientCredentials":{"tokenUrl":"TOKEN"}}}}}}"#;

fn client_credentials(token_url: Option<String>) -> Auth {
    Auth::ClientCredentials {
        token_url,
        client_id: "me".to_owned(),
        client_secret: "s3cret-s3cret".to_owned(),
        scopes: vec!["a".to_owned(), "b".to_owned()],
    }
}

/// Speaks to a peer and returns what came of it, and the requests without their bodies.
fn spoken(acts: Vec<Act>, auth: Auth) -> String {
    let peer = Peer::start(acts);
    let mut options = super::options(None);
    options.card = CardSource::Url(peer.base());
    options.auth = auth;
    let said = Setup::with(options).say(&peer, &["Hi"]);
    let asked = peer.asked();
    let asked = asked
        .lines()
        .filter(|line| !line.starts_with('{') && !line.starts_with("x-team"));
    format!("{said}\n---\n{}", asked.collect::<Vec<_>>().join("\n"))
}

#[test]
fn the_card_and_the_agent_are_shown_the_key() {
    let auth = Auth::ApiKey {
        place: KeyPlace::Query,
        name: "key".to_owned(),
        value: "s3cret-s3cret".to_owned(),
    };
    let echo = respond(
        "401 Unauthorized",
        "text/plain",
        "s3cret-s3cret is not known",
    );
    let acts = vec![Act::Say(json(CARD)), Act::Say(echo)];
    assert_snapshot!(spoken(acts, auth), @"
    HttpStatus: HTTP 401 Unauthorized: [redacted] is not known; is `auth` right? The agent card names corp
    events: 0
    reached: true
    ---
    GET /.well-known/agent-card.json?key=s3cret-s3cret
    a2a-version: 1.0
    POST /rpc?key=s3cret-s3cret
    a2a-version: 1.0
    ");
}

#[test]
fn a_token_is_fetched_where_the_card_says() {
    let acts = vec![
        Act::Say(json(&CARD.replace("TOKEN", "/token"))),
        Act::Say(respond(
            "401 Unauthorized",
            "application/json",
            r#"{"error":"invalid_client"}"#,
        )),
        Act::Say(json(r#"{"access_token":"tok-1","expires_in":3600}"#)),
        Act::Say(result(HELLO)),
    ];
    assert_snapshot!(spoken(acts, client_credentials(None)), @"
    finished
    text: Hello
    events: 1
    reached: true
    ---
    GET /.well-known/agent-card.json
    a2a-version: 1.0
    POST /token
    authorization: Basic bWU6czNjcmV0LXMzY3JldA==
    grant_type=client_credentials&scope=a+b
    POST /token
    grant_type=client_credentials&scope=a+b&client_id=me&client_secret=s3cret-s3cret
    POST /rpc
    a2a-version: 1.0
    authorization: Bearer tok-1
    ");
}

#[test]
fn the_secret_of_a_client_does_not_go_to_another_origin() {
    let card = CARD.replace("TOKEN", "http://elsewhere.example/token");
    let acts = vec![Act::Say(json(&card)), Act::Say(result(HELLO))];
    assert_snapshot!(spoken(acts, client_credentials(None)), @"
    BadEvent: the agent card names `http://elsewhere.example/token` for tokens, which is another origin than its own: set `tokenUrl` if it is right
    events: 0
    reached: true
    ---
    GET /.well-known/agent-card.json
    a2a-version: 1.0
    ");
}

#[test]
fn a_token_that_is_refused_says_why() {
    let acts = vec![
        Act::Say(json(&CARD.replace("TOKEN", "/token"))),
        Act::Say(respond(
            "400 Bad Request",
            "application/json",
            r#"{"error":"invalid_scope","error_description":"no scope b"}"#,
        )),
    ];
    assert_snapshot!(spoken(acts, client_credentials(None)), @"
    HttpStatus: the token: HTTP 400: no scope b
    events: 0
    reached: true
    ---
    GET /.well-known/agent-card.json
    a2a-version: 1.0
    POST /token
    authorization: Basic bWU6czNjcmV0LXMzY3JldA==
    grant_type=client_credentials&scope=a+b
    ");
}
