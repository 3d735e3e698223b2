"""An A2A 0.3 agent on a2a-sdk 0.3: JSON-RPC at `/`. It needs a Python environment of its own.

    python a2a_old_app.py --port 0 --streaming on --lock none --card open
"""

import asyncio
import base64
import logging
import uuid

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.apps import A2AStarletteApplication
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
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

from a2a_guard import LOCKS, Guard, old_scheme_of, token_route
from a2a_words import steps_for
from lifecycle import address_of, listen, options, serve

FINAL = {"completed", "failed", "canceled", "rejected", "input-required", "auth-required"}


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
    status = TaskStatus(state=TaskState.submitted)
    return Task(id=context.task_id, context_id=context.context_id, status=status, history=[context.message])


def event_of(step: dict, context: RequestContext):
    """Turns one step into an event of the SDK."""
    if "message" in step:
        return message_of(step["message"], context, task_id=None)
    ids = {"task_id": context.task_id, "context_id": context.context_id}
    if "artifact" in step:
        artifact = Artifact(artifact_id=step["artifact"], name=step["artifact"], parts=parts_of(step["parts"]))
        return TaskArtifactUpdateEvent(artifact=artifact, append=step["append"], last_chunk=step["last"], **ids)
    said = message_of(step["parts"], context, task_id=context.task_id) if "parts" in step else None
    return TaskStatusUpdateEvent(
        status=TaskStatus(state=TaskState(step["status"]), message=said),
        metadata=step.get("metadata"),
        final=step["status"] in FINAL,
        **ids,
    )


def message_of(parts: list[dict], context: RequestContext, task_id: str | None) -> Message:
    """A message of the agent."""
    return Message(
        message_id=str(uuid.uuid4()),
        role=Role.agent,
        parts=parts_of(parts),
        context_id=context.context_id,
        task_id=task_id,
    )


def parts_of(parts: list[dict]) -> list[Part]:
    """Turns the parts of a step into parts of the SDK."""
    return [Part.model_validate(wire_part(part)) for part in parts]


def wire_part(part: dict) -> dict:
    """Writes one part as it stands on the wire."""
    metadata = {"metadata": part["metadata"]} if "metadata" in part else {}
    if "text" in part:
        return {"kind": "text", "text": part["text"], **metadata}
    if "data" in part:
        return {"kind": "data", "data": part["data"], **metadata}
    file = {"mimeType": part["mediaType"], "name": part["filename"]}
    if "bytes" in part:
        file["bytes"] = base64.b64encode(part["bytes"]).decode()
    else:
        file["uri"] = part["url"]
    return {"kind": "file", "file": file, **metadata}


def card(address: str, chosen) -> AgentCard:
    """The agent card for the options of the command line."""
    described = {
        "name": "Scripted agent",
        "description": "Does what the first word of a message says.",
        "version": "1.2.3",
        "protocolVersion": "0.3.0",
        "url": address,
        "preferredTransport": "JSONRPC",
        "capabilities": {"streaming": chosen.streaming == "on"},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain", "application/json"],
        "skills": [{
            "id": "weather", "name": "Weather", "description": "Tells the weather.", "tags": ["weather", "tools"],
            "examples": ["tool Paris"],
        }],
    }
    scheme = old_scheme_of(chosen.lock, address)
    if scheme:
        described["securitySchemes"] = {"lock": scheme}
        described["security"] = [{"lock": []}]
    return AgentCard.model_validate(described)


def main() -> None:
    """Serves the agent."""
    logging.disable()  # an exception on purpose needs no trace
    chosen = options(streaming=["on", "off"], lock=LOCKS, card=["open", "guarded"])
    listener = listen(chosen.port)
    handler = DefaultRequestHandler(agent_executor=ScriptedAgent(), task_store=InMemoryTaskStore())
    described = card(address_of(listener), chosen)
    app = A2AStarletteApplication(agent_card=described, http_handler=handler).build(routes=[token_route()])
    serve(Guard(app, chosen.lock, is_card_open=chosen.card == "open"), listener)


if __name__ == "__main__":
    main()
