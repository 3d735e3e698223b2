"""An MCP server on mcp 1, which knows only the era of the handshake. It needs a Python environment of its own.

    python mcp_old_app.py --transport stdio
    python mcp_old_app.py --transport http --port 0 --session kept --answers streamed     # at /mcp
    python mcp_old_app.py --transport sse --port 0                                        # at /sse

Over stdio it leaves when its stdin ends; over HTTP also on SIGTERM and Ctrl-C.
"""

import asyncio
import os
import sys

from mcp.server.fastmcp import Context, FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.types import SamplingMessage, TextContent
from pydantic import BaseModel

from lifecycle import listen, options, serve

chosen = options(transport=["stdio", "http", "sse"], session=["kept", "none"], answers=["streamed", "json"])
mcp = FastMCP(
    "Scripted tools",
    instructions="Tools for tests.",
    stateless_http=chosen.session == "none",
    json_response=chosen.answers == "json",
    log_level="ERROR",
)


class Weather(BaseModel):
    """The weather in a city."""

    city: str
    sky: str
    degrees: float


class Seats(BaseModel):
    """What `book` asks for."""

    seats: int


@mcp.tool()
def add(a: int, b: int) -> int:
    """Adds two whole numbers."""
    return a + b


@mcp.tool(structured_output=False)
def echo(text: str) -> str:
    """Says the text again."""
    return text


@mcp.tool()
def weather(city: str) -> Weather:
    """Tells the weather in a city."""
    return Weather(city=city, sky="sunny", degrees=21.5)


@mcp.tool(structured_output=False)
def fail(why: str = "it failed on purpose") -> str:
    """Ends as a tool error."""
    raise ToolError(why)


@mcp.tool(structured_output=False)
async def slow(ctx: Context, steps: int = 3, wait_ms: int = 50) -> str:
    """Reports its progress and writes to the log, step by step."""
    for step in range(1, steps + 1):
        await asyncio.sleep(wait_ms / 1000)
        await ctx.report_progress(step, steps, f"step {step}")
        await ctx.info(f"step {step} is done")
    return f"{steps} steps done"


@mcp.tool(structured_output=False)
def env(name: str) -> str:
    """Tells the value of a variable of the environment."""
    return os.environ.get(name, f"{name} is not set")


@mcp.tool(structured_output=False)
def crash() -> str:
    """Ends the process with exit code 3 and a last word on stderr."""
    sys.stderr.write("crashing on purpose\n")
    sys.stderr.flush()
    os._exit(3)


@mcp.tool(structured_output=False)
def noise() -> str:
    """Prints a line that is no message of the protocol. Over stdio that is a mistake which servers make."""
    os.write(1, b"this line is not JSON\n")
    return "made a noise"


@mcp.tool(structured_output=False)
async def book(show: str, ctx: Context) -> str:
    """Asks how many seats, and books them."""
    answer = await ctx.elicit(message=f"How many seats for {show}?", schema=Seats)
    if answer.action == "accept":
        return f"{answer.data.seats} seats for {show} booked"
    return f"no seats for {show}: {answer.action}"


@mcp.tool(structured_output=False)
async def summarize(text: str, ctx: Context) -> str:
    """Lets the model of the client write a summary."""
    message = SamplingMessage(role="user", content=TextContent(type="text", text=f"Summarize: {text}"))
    answer = await ctx.session.create_message(messages=[message], max_tokens=100, related_request_id=ctx.request_id)
    return f"Summary: {answer.content.text}"


@mcp.tool(structured_output=False)
async def folders(ctx: Context) -> str:
    """Lists the roots of the client."""
    answer = await ctx.session.list_roots()
    return ", ".join(str(root.uri) for root in answer.roots) or "no folders"


@mcp.resource("notes://today", mime_type="text/plain")
def today() -> str:
    """A note."""
    return "buy tea"


@mcp.resource("notes://{day}", mime_type="text/plain")
def note(day: str) -> str:
    """The note of a day."""
    return f"nothing on {day}"


@mcp.prompt()
def greet(name: str) -> str:
    """Asks for a greeting."""
    return f"Say hello to {name}."


if __name__ == "__main__":
    if chosen.transport == "stdio":
        mcp.run(transport="stdio")
    else:
        app = mcp.sse_app() if chosen.transport == "sse" else mcp.streamable_http_app()
        serve(app, listen(chosen.port), lifespan="on")
