//! An endpoint with the client's credentials in its place: put there before the first message, fetched where they have to be.

use ananke_model::recording::{Trouble, TroubleKind};
use tokio::time::Instant;

use super::options::McpEndpoint;
use super::turn::trouble;
use crate::auth::{Auth, Found, TokenRequest, find_token_url};
use crate::http::Headers;

/// Returns the endpoint that messages go to, and the token that was fetched for it, if one was.
pub(super) async fn signed(
    endpoint: &McpEndpoint,
    deadline: Instant,
) -> Result<(McpEndpoint, Option<String>), Trouble> {
    let token = token(endpoint, deadline).await?;
    let mut url = endpoint.url.clone();
    let mut headers = endpoint.headers.0.clone();
    endpoint
        .auth
        .sign(&mut url, &mut headers, token.as_deref())
        .map_err(|why| trouble(TroubleKind::BadEvent, why))?;
    let signed = McpEndpoint {
        url,
        headers: Headers(headers),
        client: endpoint.client.clone(),
        auth: Auth::None,
    };
    Ok((signed, token))
}

async fn token(endpoint: &McpEndpoint, deadline: Instant) -> Result<Option<String>, Trouble> {
    let Auth::ClientCredentials {
        token_url,
        client_id,
        client_secret,
        scopes,
    } = &endpoint.auth
    else {
        return Ok(None);
    };
    let client = &endpoint.client;
    let found = match token_url {
        Some(url) => Found {
            token_url: url.clone(),
            resource: None,
        },
        None => find_token_url(client, &endpoint.url, deadline)
            .await
            .map_err(|unfetched| unfetched.trouble)?,
    };
    let request = TokenRequest {
        client,
        url: &found.token_url,
        client_id,
        client_secret,
        scopes,
        resource: found.resource.as_deref(),
        deadline,
    };
    let token = request.fetch().await.map_err(|unfetched| {
        let trouble = unfetched.trouble;
        let is_refused = matches!(
            trouble.refusal.map(|refusal| refusal.status),
            Some(400 | 401 | 403)
        );
        let next = if is_refused { "; is `auth` right?" } else { "" };
        Trouble {
            message: format!("{}{next}", trouble.message),
            ..trouble
        }
    })?;
    Ok(Some(token.value))
}
