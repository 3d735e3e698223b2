"""An MCP server on fastmcp 4 (mcp 2), which speaks both eras of the protocol.

    python mcp_app.py --transport stdio
    python mcp_app.py --transport http --port 0 --lock none       # at /mcp
    python mcp_app.py --transport sse --port 0                    # at /sse

Over stdio it leaves when its stdin ends; over HTTP also on SIGTERM and Ctrl-C.
"""

import asyncio
import os
import sys

from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.server.auth.providers.jwt import StaticTokenVerifier
from fastmcp.tools import ToolResult
from mcp.types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    TextContent,
)
from pydantic import BaseModel

from lifecycle import listen, options, serve

MODERN = "2026-07-28"
# The package moves stray prints from stdout to stderr; a copy of the real stdout stays out of its reach.
STDOUT = os.dup(1)

chosen = options(transport=["stdio", "http", "sse"], lock=["none", "bearer"])
verifier = StaticTokenVerifier(tokens={"secret-token": {"client_id": "ananke", "scopes": []}})
mcp = FastMCP(
    "Scripted tools",
    instructions="Tools for tests.",
    version="1.2.3",
    auth=verifier if chosen.lock == "bearer" else None,
)


class Weather(BaseModel):
    """The weather in a city."""

    city: str
    sky: str
    degrees: float


class Seats(BaseModel):
    """What `book` asks for."""

    seats: int


@mcp.tool
def add(a: int, b: int) -> int:
    """Adds two whole numbers."""
    return a + b


@mcp.tool(output_schema=None)
def echo(text: str) -> str:
    """Says the text again."""
    return text


@mcp.tool
def weather(city: str) -> Weather:
    """Tells the weather in a city."""
    return Weather(city=city, sky="sunny", degrees=21.5)


@mcp.tool(output_schema={"type": "object", "properties": {"total": {"type": "integer"}}, "required": ["total"]})
def lie() -> ToolResult:
    """Breaks the promise of its own output schema."""
    return ToolResult(content="a lie", structured_content={"total": "many"})


@mcp.tool
def fail(why: str = "it failed on purpose") -> str:
    """Ends as a tool error."""
    raise ToolError(why)


@mcp.tool(output_schema=None)
async def slow(ctx: Context, steps: int = 3, wait_ms: int = 50) -> str:
    """Reports its progress and writes to the log, step by step."""
    for step in range(1, steps + 1):
        await asyncio.sleep(wait_ms / 1000)
        await ctx.report_progress(step, steps, f"step {step}")
        await ctx.info(f"step {step} is done")
    return f"{steps} steps done"


@mcp.tool(output_schema=None)
def env(name: str) -> str:
    """Tells the value of a variable of the environment."""
    return os.environ.get(name, f"{name} is not set")


@mcp.tool(output_schema=None)
def crash() -> str:
    """Ends the process with exit code 3 and a last word on stderr."""
    sys.stderr.write("crashing on purpose\n")
    sys.stderr.flush()
    os._exit(3)


@mcp.tool(output_schema=None)
def noise() -> str:
    """Prints a line that is no message of the protocol. Over stdio that is a mistake which servers make."""
    os.write(STDOUT, b"this line is not JSON\n")
    return "made a noise"


@mcp.tool(output_schema=None)
async def book(show: str, ctx: Context):
    """Asks how many seats, and books them."""
    question = f"How many seats for {show}?"
    if not is_modern(ctx):
        answer = await ctx.elicit(question, response_type=Seats)
        return booked(show, answer.action, answer.data.seats if answer.action == "accept" else 0)
    if ctx.input_responses is None:
        schema = {"type": "object", "properties": {"seats": {"type": "integer"}}, "required": ["seats"]}
        params = ElicitRequestFormParams(message=question, requested_schema=schema)
        return ask("seats", ElicitRequest(params=params), state=show)
    answer = ctx.input_responses["seats"]
    seats = answer.content["seats"] if answer.action == "accept" else 0
    return booked(ctx.request_state, answer.action, seats)


@mcp.tool(output_schema=None)
async def summarize(text: str, ctx: Context):
    """Lets the model of the client write a summary; only clients of the modern era are asked."""
    if not is_modern(ctx):
        raise ToolError("a summary needs the modern era")
    if ctx.input_responses is None:
        message = SamplingMessage(role="user", content=TextContent(type="text", text=f"Summarize: {text}"))
        params = CreateMessageRequestParams(messages=[message], max_tokens=100)
        return ask("summary", CreateMessageRequest(params=params))
    return f"Summary: {ctx.input_responses['summary'].content.text}"


@mcp.tool(output_schema=None)
async def folders(ctx: Context):
    """Lists the roots of the client; only clients of the modern era are asked."""
    if not is_modern(ctx):
        raise ToolError("the roots need the modern era")
    if ctx.input_responses is None:
        return ask("roots", ListRootsRequest())
    return ", ".join(str(root.uri) for root in ctx.input_responses["roots"].roots) or "no folders"


@mcp.resource("notes://today", mime_type="text/plain")
def today() -> str:
    """A note."""
    return "buy tea"


@mcp.resource("notes://{day}", mime_type="text/plain")
def note(day: str) -> str:
    """The note of a day."""
    return f"nothing on {day}"


@mcp.prompt
def greet(name: str) -> str:
    """Asks for a greeting."""
    return f"Say hello to {name}."


def is_modern(ctx: Context) -> bool:
    """Tells whether the client is of the era without a handshake."""
    return ctx.request_context is not None and ctx.request_context.protocol_version >= MODERN


def ask(key: str, request, state: str | None = None) -> InputRequiredResult:
    """Ends this round with a question to the client."""
    return InputRequiredResult(input_requests={key: request}, request_state=state)


def booked(show: str, action: str, seats: int) -> str:
    """Says what became of a booking."""
    return f"{seats} seats for {show} booked" if action == "accept" else f"no seats for {show}: {action}"


if __name__ == "__main__":
    if chosen.transport == "stdio":
        mcp.run(transport="stdio", show_banner=False, log_level="CRITICAL")
    else:
        path = "/sse" if chosen.transport == "sse" else "/mcp"
        app = mcp.http_app(path=path, transport=chosen.transport)
        serve(app, listen(chosen.port), lifespan="on")
