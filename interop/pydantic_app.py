"""pydantic-ai behind AG-UI, with a scripted function in place of a model.

    python pydantic_app.py --port 0

The server is stateless: the whole conversation comes with every request.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator

from ag_ui.core import EventType, StateSnapshotEvent
from pydantic import BaseModel, ConfigDict
from pydantic_ai import Agent, DeferredToolRequests, RunContext, ToolReturn
from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaThinkingPart, DeltaToolCall, FunctionModel
from pydantic_ai.ui import StateDeps
from pydantic_ai.ui.ag_ui import AGUIAdapter
from starlette.applications import Starlette
from starlette.routing import Route

from lifecycle import serve


class Counter(BaseModel):
    """The shared state; keys that it does not know are kept."""

    model_config = ConfigDict(extra="allow")

    count: int = 0


async def scripted_model(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator:
    """Plays the model: words in the last user message choose what it does."""
    prompts = user_prompts(messages)
    words = prompts[-1].lower() if prompts else ""
    returns = tool_returns(messages)
    if returns:
        for piece in answer_from(returns):
            yield piece
    elif "weather in" in words:
        city = re.search(r"weather in (\w+)", prompts[-1], re.IGNORECASE).group(1)
        yield call(messages, 0, "get_weather", city=city)
    elif "two cities" in words:
        yield call(messages, 0, "get_weather", city="Paris")
        yield call(messages, 1, "get_weather", city="Oslo")
    elif "approve" in words:
        yield call(messages, 0, "delete_file", path="old.txt")
    elif "pick color" in words:
        if any(tool.name == "pick_color" for tool in info.function_tools):
            yield call(messages, 0, "pick_color", choices=["red", "green"])
        else:
            yield "The tool pick_color was not offered."
    elif "what did i say" in words:
        yield f"You sent {len(prompts)} messages. "
        yield f"The one before was: {prompts[-2] if len(prompts) > 1 else 'nothing'}"
    elif "remember" in words:
        yield f"I heard message {len(prompts)}: "
        yield prompts[-1]
    elif "state" in words:
        yield call(messages, 0, "count_up")
    elif "think" in words:
        yield {0: DeltaThinkingPart(content="The user wants ")}
        yield {0: DeltaThinkingPart(content="a thought.", signature="signed")}
        yield "I thought about it."
    elif "slow" in words:
        for number in range(1, 51):
            yield f"{number} "
            await asyncio.sleep(0.1)
    elif "boom" in words:
        yield "I will now"
        raise RuntimeError("boom")
    elif "hello" in words:
        yield "Hello"
        yield " from pydantic-ai."
    else:
        yield f"User message {len(prompts)}: {prompts[-1] if prompts else ''}"


def answer_from(returns: list[ToolReturnPart]) -> list[str]:
    """Turns what the tools returned into the words of the answer."""
    sentences = {
        "get_weather": "It is {}.",
        "delete_file": "About the file: {}",
        "pick_color": "You picked {}.",
        "count_up": "The count is {}.",
    }
    texts = [sentences.get(part.tool_name, "{}").format(part.model_response_str()) for part in returns]
    return [piece for text in texts for piece in (text, " ")][:-1]


def call(messages: list[ModelMessage], index: int, name: str, **arguments) -> dict[int, DeltaToolCall]:
    """Calls a tool. The id counts the messages before it, so it is new on every turn of a thread."""
    call_id = f"call-{len(messages)}-{index}"
    return {index: DeltaToolCall(name=name, json_args=json.dumps(arguments), tool_call_id=call_id)}


def user_prompts(messages: list[ModelMessage]) -> list[str]:
    """Returns the text of every user message, oldest first."""
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    return [text_of(part.content) for part in parts if isinstance(part, UserPromptPart)]


def text_of(content) -> str:
    """Returns the text of a prompt; pictures and other parts are passed over."""
    return content if isinstance(content, str) else "".join(item for item in content if isinstance(item, str))


def tool_returns(messages: list[ModelMessage]) -> list[ToolReturnPart]:
    """Returns the tool results that the model has not answered yet."""
    parts = messages[-1].parts if messages and isinstance(messages[-1], ModelRequest) else []
    if any(isinstance(part, UserPromptPart) for part in parts):
        return []
    return [part for part in parts if isinstance(part, ToolReturnPart)]


agent = Agent(
    FunctionModel(stream_function=scripted_model, model_name="script"),
    deps_type=StateDeps[Counter],
    output_type=[str, DeferredToolRequests],
)


@agent.tool_plain
def get_weather(city: str) -> str:
    """Tells the weather in a city."""
    return f"sunny in {city}"


@agent.tool_plain(requires_approval=True)
def delete_file(path: str) -> str:
    """Deletes a file; nothing is deleted here."""
    return f"{path} deleted"


@agent.tool
def count_up(context: RunContext[StateDeps[Counter]]) -> ToolReturn:
    """Adds one to the count of the shared state."""
    state = context.deps.state
    state.count += 1
    event = StateSnapshotEvent(type=EventType.STATE_SNAPSHOT, snapshot=state.model_dump())
    return ToolReturn(return_value=state.count, metadata=[event])


async def run_agent(request):
    """Answers one AG-UI request."""
    return await AGUIAdapter.dispatch_request(
        request, agent=agent, deps=StateDeps(Counter()), include_usage=True
    )


if __name__ == "__main__":
    serve(Starlette(routes=[Route("/", run_agent, methods=["POST"])]))
