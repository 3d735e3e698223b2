"""Locks for the Python A2A servers: who may call, and how an agent card says so.

    bearer    Authorization: Bearer secret-token
    api-key   X-API-Key: secret-key
    basic     Authorization: Basic, user `ananke`, password `secret`
    oauth2    the bearer token, which POST /token gives for client `ananke` with secret `client-secret`
"""

import base64
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

LOCKS = ["none", "bearer", "api-key", "basic", "oauth2"]
CARD_PATH = "/.well-known/agent-card.json"
TOKEN_PATH = "/token"

_BEARER = ("authorization", "Bearer secret-token")
_KEYS = {
    "bearer": _BEARER,
    "oauth2": _BEARER,
    "api-key": ("x-api-key", "secret-key"),
    "basic": ("authorization", f"Basic {base64.b64encode(b'ananke:secret').decode()}"),
}


class Guard:
    """Answers 401 to every request without the right header; `is_card_open` lets the card through."""

    def __init__(self, app, lock: str, is_card_open: bool):
        self.app = app
        self.lock = lock
        self.open_paths = {TOKEN_PATH, CARD_PATH} if is_card_open else {TOKEN_PATH}

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http" or self.lock == "none" or scope["path"] in self.open_paths:
            return await self.app(scope, receive, send)
        name, value = _KEYS[self.lock]
        if Request(scope).headers.get(name) == value:
            return await self.app(scope, receive, send)
        challenge = "Basic" if self.lock == "basic" else "Bearer"
        refusal = JSONResponse({"error": "unauthorized"}, status_code=401, headers={"WWW-Authenticate": challenge})
        return await refusal(scope, receive, send)


def token_route() -> Route:
    """Gives the token for the client credentials, in the body or as a Basic header."""
    return Route(TOKEN_PATH, _give_token, methods=["POST"])


async def _give_token(request: Request) -> JSONResponse:
    form = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
    by_header = f"Basic {base64.b64encode(b'ananke:client-secret').decode()}"
    is_known = request.headers.get("authorization") == by_header or (
        form.get("client_id") == "ananke" and form.get("client_secret") == "client-secret"
    )
    if form.get("grant_type") != "client_credentials":
        return JSONResponse({"error": "unsupported_grant_type"}, status_code=400)
    if not is_known:
        return JSONResponse({"error": "invalid_client"}, status_code=401)
    return JSONResponse({"access_token": "secret-token", "token_type": "Bearer", "expires_in": 3600})


def scheme_of(lock: str, address: str) -> dict | None:
    """Returns the security scheme of a 1.0 card for a lock."""
    return {
        "bearer": {"httpAuthSecurityScheme": {"scheme": "bearer"}},
        "basic": {"httpAuthSecurityScheme": {"scheme": "basic"}},
        "api-key": {"apiKeySecurityScheme": {"location": "header", "name": "X-API-Key"}},
        "oauth2": {"oauth2SecurityScheme": {"flows": {"clientCredentials": {
            "tokenUrl": f"{address}token", "scopes": {"agent": "talk to the agent"},
        }}}},
    }.get(lock)


def old_scheme_of(lock: str, address: str) -> dict | None:
    """Returns the security scheme of a 0.3 card for a lock."""
    return {
        "bearer": {"type": "http", "scheme": "bearer"},
        "basic": {"type": "http", "scheme": "basic"},
        "api-key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
        "oauth2": {"type": "oauth2", "flows": {"clientCredentials": {
            "tokenUrl": f"{address}token", "scopes": {"agent": "talk to the agent"},
        }}},
    }.get(lock)
