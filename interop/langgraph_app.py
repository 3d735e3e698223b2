"""A LangGraph graph behind ag-ui-langgraph, with a scripted chat model.

    python langgraph_app.py --port 0

The checkpointer keeps every thread on the server, so use a new threadId per conversation.
`/` is the endpoint as the library ships it; `/outcome` has its opt-in settings: interrupts end the run
with an interrupt outcome, and no raw LangGraph events are sent.
"""

import json
import os
import re
from collections.abc import Iterator

# Before LangChain is loaded: no traces may leave the machine.
os.environ["LANGSMITH_TRACING"] = os.environ["LANGCHAIN_TRACING_V2"] = "false"

from ag_ui_langgraph import LangGraphAgent, add_langgraph_fastapi_endpoint
from fastapi import FastAPI
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import interrupt

from lifecycle import serve


class ScriptedModel(BaseChatModel):
    """Plays the model: words in the last user message choose what it does."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(self, messages, stop=None, run_manager=None, **kwargs) -> ChatResult:
        whole = sum_of(self._stream(messages))
        message = AIMessage(content=whole.content, tool_calls=whole.tool_calls, id=whole.id)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(self, messages, stop=None, run_manager=None, **kwargs) -> Iterator[ChatGenerationChunk]:
        for chunk in scripted_answer(messages):
            generation = ChatGenerationChunk(message=chunk)
            if run_manager:
                run_manager.on_llm_new_token(chunk.content, chunk=generation)
            yield generation


def scripted_answer(messages: list[BaseMessage]) -> Iterator[AIMessageChunk]:
    """Yields the pieces of the answer to the conversation so far."""
    prompts = [text_of(message) for message in messages if isinstance(message, HumanMessage)]
    words = prompts[-1].lower() if prompts else ""
    if messages and isinstance(messages[-1], ToolMessage):
        yield AIMessageChunk(content="The tool says: ")
        yield AIMessageChunk(content=f"{messages[-1].text}.")
    elif "weather in" in words:
        city = re.search(r"weather in (\w+)", prompts[-1], re.IGNORECASE).group(1)
        yield from call(messages, "get_weather", city=city)
    elif "approve" in words:
        yield from call(messages, "delete_file", path="old.txt")
    elif "what did i say" in words:
        yield AIMessageChunk(content=f"You sent {len(prompts)} messages. ")
        yield AIMessageChunk(content=f"The one before was: {prompts[-2] if len(prompts) > 1 else 'nothing'}")
    elif "remember" in words:
        yield AIMessageChunk(content=f"I heard message {len(prompts)}: ")
        yield AIMessageChunk(content=prompts[-1])
    elif "boom" in words:
        yield AIMessageChunk(content="I will now")
        raise RuntimeError("boom")
    elif "hello" in words:
        yield AIMessageChunk(content="Hello")
        yield AIMessageChunk(content=" from LangGraph.")
    else:
        yield AIMessageChunk(content=f"User message {len(prompts)}: {prompts[-1] if prompts else ''}")


def call(messages: list[BaseMessage], name: str, **arguments) -> Iterator[AIMessageChunk]:
    """Calls a tool. The id counts the messages before it, so it is new on every turn of a thread."""
    whole = json.dumps(arguments)
    call_id = f"call-{len(messages)}"
    yield call_chunk(name=name, args="", id=call_id)
    yield call_chunk(name=None, args=whole[:8], id=None)
    yield call_chunk(name=None, args=whole[8:], id=None)


def call_chunk(**fields) -> AIMessageChunk:
    """Returns one piece of the only tool call of a message."""
    return AIMessageChunk(content="", tool_call_chunks=[{"type": "tool_call_chunk", "index": 0, **fields}])


def sum_of(generations: Iterator[ChatGenerationChunk]) -> AIMessageChunk:
    """Adds the pieces of an answer up."""
    chunks = [generation.message for generation in generations]
    whole = chunks[0]
    for chunk in chunks[1:]:
        whole = whole + chunk
    return whole


def text_of(message: BaseMessage) -> str:
    """Returns the text of a message; pictures and other parts are passed over."""
    return str(message.text)


@tool
def get_weather(city: str) -> str:
    """Tells the weather in a city."""
    return f"sunny in {city}"


@tool
def delete_file(path: str) -> str:
    """Deletes a file after approval; nothing is deleted here."""
    answer = interrupt({"reason": "approval", "message": f"May I delete {path}?"})
    approved = isinstance(answer, dict) and answer.get("approved") is True
    return f"{path} deleted" if approved else f"{path} kept"


def build_graph():
    """Returns the graph: the model, then its tools, until there is no call left."""
    model = ScriptedModel()

    async def ask_model(state: MessagesState):
        return {"messages": [await model.ainvoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("model", ask_model)
    graph.add_node("tools", ToolNode([get_weather, delete_file]))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile(checkpointer=InMemorySaver())


app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
add_langgraph_fastapi_endpoint(app, LangGraphAgent(name="shop", graph=build_graph()), "/")
add_langgraph_fastapi_endpoint(
    app,
    LangGraphAgent(name="shop", graph=build_graph(), emit_interrupt_outcome=True, emit_raw_events=False),
    "/outcome",
)

if __name__ == "__main__":
    serve(app)
