"""An A2A 1.0 agent on a2a-sdk 1.x: JSON-RPC at `/`, HTTP+JSON at `/rest`, and 0.3 beside both if asked.

    python a2a_app.py --port 0 --compat on --streaming on --lock none --card open
"""

import asyncio
import logging
import uuid

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import (
    AgentCard,
    Artifact,
    Message,
    Part,
    Role,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from google.protobuf.json_format import ParseDict
from google.protobuf.struct_pb2 import Value
from starlette.applications import Starlette

from a2a_guard import LOCKS, Guard, scheme_of, token_route
from a2a_words import steps_for
from lifecycle import address_of, listen, options, serve


class ScriptedAgent(AgentExecutor):
    """Plays the steps that the first word of a message chooses."""

    def __init__(self):
        self.messages_by_context = {}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        number = self.messages_by_context.get(context.context_id, 0) + 1
        self.messages_by_context[context.context_id] = number
        steps = steps_for(context.get_user_input(), number, is_answer=context.current_task is not None)
        if context.current_task is None and "message" not in steps[0]:
            await event_queue.enqueue_event(submitted(context))
        for step in steps:
            if "wait" in step:
                await asyncio.sleep(step["wait"])
            elif "raise" in step:
                raise RuntimeError(step["raise"])
            else:
                await event_queue.enqueue_event(event_of(step, context))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await event_queue.enqueue_event(event_of({"status": "canceled"}, context))


def submitted(context: RequestContext) -> Task:
    """The task, as it is when its first message has come."""
    status = TaskStatus(state=TaskState.TASK_STATE_SUBMITTED)
    return Task(id=context.task_id, context_id=context.context_id, status=status, history=[context.message])


def event_of(step: dict, context: RequestContext):
    """Turns one step into an event of the SDK."""
    if "message" in step:
        return message_of(step["message"], context, task_id=None)
    ids = {"task_id": context.task_id, "context_id": context.context_id}
    if "artifact" in step:
        artifact = Artifact(artifact_id=step["artifact"], name=step["artifact"], parts=parts_of(step))
        return TaskArtifactUpdateEvent(artifact=artifact, append=step["append"], last_chunk=step["last"], **ids)
    status = TaskStatus(state=TaskState.Value(f"TASK_STATE_{step['status'].upper().replace('-', '_')}"))
    status.timestamp.GetCurrentTime()
    if "parts" in step:
        status.message.CopyFrom(message_of(step["parts"], context, task_id=context.task_id))
    return TaskStatusUpdateEvent(status=status, metadata=step.get("metadata"), **ids)


def message_of(parts: list[dict], context: RequestContext, task_id: str | None) -> Message:
    """A message of the agent."""
    return Message(
        message_id=str(uuid.uuid4()),
        role=Role.ROLE_AGENT,
        parts=parts_of({"parts": parts}),
        context_id=context.context_id,
        task_id=task_id,
    )


def parts_of(step: dict) -> list[Part]:
    """Turns the parts of a step into parts of the SDK."""
    return [part_of(part) for part in step["parts"]]


def part_of(part: dict) -> Part:
    """Turns one part into a part of the SDK."""
    made = Part(media_type=part.get("mediaType", ""), filename=part.get("filename", ""))
    if "text" in part:
        made.text = part["text"]
    elif "data" in part:
        made.data.CopyFrom(ParseDict(part["data"], Value()))
    elif "bytes" in part:
        made.raw = part["bytes"]
    else:
        made.url = part["url"]
    if "metadata" in part:
        made.metadata.update(part["metadata"])
    return made


def card(address: str, chosen) -> AgentCard:
    """The agent card for the options of the command line."""
    versions = ["1.0", "0.3"] if chosen.compat == "on" else ["1.0"]
    described = {
        "name": "Scripted agent",
        "description": "Does what the first word of a message says.",
        "version": "1.2.3",
        "capabilities": {"streaming": chosen.streaming == "on"},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain", "application/json"],
        "skills": [{
            "id": "weather", "name": "Weather", "description": "Tells the weather.", "tags": ["weather", "tools"],
            "examples": ["tool Paris"],
        }],
        "supportedInterfaces": [
            {"url": f"{address}{path}", "protocolBinding": binding, "protocolVersion": version}
            for version in versions
            for binding, path in (("JSONRPC", ""), ("HTTP+JSON", "rest"))
        ],
    }
    scheme = scheme_of(chosen.lock, address)
    if scheme:
        described["securitySchemes"] = {"lock": scheme}
        described["securityRequirements"] = [{"schemes": {"lock": {"list": []}}}]
    return ParseDict(described, AgentCard())


def main() -> None:
    """Serves the agent."""
    logging.disable()  # an exception on purpose needs no trace
    chosen = options(compat=["on", "off"], streaming=["on", "off"], lock=LOCKS, card=["open", "guarded"])
    listener = listen(chosen.port)
    described = card(address_of(listener), chosen)
    handler = DefaultRequestHandler(
        agent_executor=ScriptedAgent(), task_store=InMemoryTaskStore(), agent_card=described
    )
    is_compatible = chosen.compat == "on"
    app = Starlette(routes=[
        *create_agent_card_routes(described),
        token_route(),
        *create_jsonrpc_routes(handler, rpc_url="/", enable_v0_3_compat=is_compatible),
        *create_rest_routes(handler, path_prefix="/rest", enable_v0_3_compat=is_compatible),
    ])
    serve(Guard(app, chosen.lock, is_card_open=chosen.card == "open"), listener)


if __name__ == "__main__":
    main()
