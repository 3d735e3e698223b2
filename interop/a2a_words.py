"""What the Python A2A agents do: the first word of a message chooses a list of steps.

The steps are plain data, so that servers on different versions of the SDK say exactly the same:

    {"message": parts}                                       a direct message, and no task
    {"status": state, "parts": parts, "metadata": {...}}     a new state of the task, with or without a message
    {"artifact": id, "parts": parts, "append": bool, "last": bool}
    {"wait": seconds}
    {"raise": text}                                          the executor itself fails

A part has one of `text`, `data`, `bytes` and `url`, and perhaps `metadata`, `mediaType` and `filename`.
"""

import json

ANSWER = "answer"


def steps_for(text: str, number: int, is_answer: bool) -> list[dict]:
    """Returns the steps for the message `text`.

    `number` counts the messages of its conversation from 1; `is_answer` is true for a message to an interrupted task.
    """
    if is_answer:
        return task(artifact(f"You answered: {text}"))
    word, _, rest = text.strip().partition(" ")
    if word == "message":
        return [{"message": [{"text": f"Message: {rest}"}]}]
    if word == "raise":
        return [{"status": "working"}, {"raise": rest or "raised on purpose"}]
    if word in ENDINGS:
        return ENDINGS[word]()
    if word in SCRIPTS:
        return task(*SCRIPTS[word](rest))
    if word == "count":
        return task(artifact(f"This is message {number} of the conversation."))
    return task(artifact(f"You said: {text}"))


def task(*steps: dict) -> list[dict]:
    """A task that works, does the steps and is completed."""
    return [{"status": "working"}, *steps, {"status": "completed"}]


def artifact(*texts: str, name: str = ANSWER, append: bool = False, last: bool = True) -> dict:
    """One event about a text artifact."""
    return {"artifact": name, "parts": [{"text": text} for text in texts], "append": append, "last": last}


def echo(rest: str) -> list[dict]:
    """The text itself, whole."""
    return [artifact(rest)]


def chunks(rest: str, wait: float = 0) -> list[dict]:
    """N pieces `1 2 3 …` of one artifact, the first of which makes it."""
    count = int(rest or "3")
    steps = []
    for piece in range(1, count + 1):
        steps.append(artifact(f"{piece} ", append=piece > 1, last=piece == count))
        if wait:
            steps.append({"wait": wait})
    return steps


def slow(rest: str) -> list[dict]:
    """The pieces of `chunks`, one every 100 ms."""
    return chunks(rest or "20", wait=0.1)


def replace(_rest: str) -> list[dict]:
    """Two pieces, and then the whole again: the last event takes the place of the others."""
    return [
        artifact("Half a ", last=False),
        artifact("sentence", append=True, last=False),
        artifact("The whole sentence."),
    ]


def two(_rest: str) -> list[dict]:
    """Two artifacts, the pieces of which are mixed."""
    return [
        artifact("First ", name="first", last=False),
        artifact("Second ", name="second", last=False),
        artifact("artifact.", name="first", append=True),
        artifact("artifact.", name="second", append=True),
    ]


def tool(rest: str) -> list[dict]:
    """A tool call and its result as data parts with a type in their metadata."""
    city = rest or "Paris"
    call = {"id": "call-1", "name": "get_weather", "args": {"city": city, "days": 3}}
    result = {"id": "call-1", "name": "get_weather", "response": {"sky": "sunny", "degrees": 21.5}}
    return [
        {"status": "working", "parts": [{"data": call, "metadata": {"adk_type": "function_call"}}]},
        {"status": "working", "parts": [{"data": result, "metadata": {"adk_type": "function_response"}}]},
        artifact(f"It is sunny in {city}."),
    ]


def metadata(rest: str) -> list[dict]:
    """A tool call in the metadata of status updates; a blocking call keeps only the last of them."""
    city = rest or "Paris"
    common = {"tool_name": "get_weather", "tool_call_id": "call-1", "tool_args": json.dumps({"city": city})}
    return [
        {"status": "working", "metadata": {"agno_event_type": "tool_call_started", **common}},
        {"status": "working", "metadata": {"agno_event_type": "tool_call_completed", **common}},
        artifact(f"It is sunny in {city}."),
    ]


def bridge(rest: str) -> list[dict]:
    """A tool call and its result as data parts that carry their type themselves."""
    city = rest or "Paris"
    call = {"type": "tool-call", "id": "call-1", "name": "get_weather", "arguments": {"city": city}}
    result = {"type": "tool-result", "toolCallId": "call-1", "payload": "sunny"}
    return [
        {"status": "working", "parts": [{"data": call}]},
        {"status": "working", "parts": [{"data": result}]},
        artifact(f"It is sunny in {city}."),
    ]


def think(_rest: str) -> list[dict]:
    """A thought before the answer, in the same artifact."""
    thought = {"text": "The user wants a thought. ", "metadata": {"adk_thought": True}}
    return [{"artifact": ANSWER, "parts": [thought, {"text": "I thought about it."}], "append": False, "last": True}]


def data(_rest: str) -> list[dict]:
    """A data part: whole numbers, fractions, nesting, null."""
    value = {"total": 3, "price": 9.5, "items": [{"name": "tea", "count": 2}], "note": None, "paid": True}
    return [{"artifact": "order", "parts": [{"text": "Your order."}, {"data": value}], "append": False, "last": True}]


def file(_rest: str) -> list[dict]:
    """A file by value and a file by address."""
    parts = [
        {"bytes": b"hello file\n", "mediaType": "text/plain", "filename": "hello.txt"},
        {"url": "https://example.com/picture.png", "mediaType": "image/png", "filename": "picture.png"},
    ]
    return [{"artifact": "files", "parts": parts, "append": False, "last": True}]


SCRIPTS = {
    script.__name__: script
    for script in (echo, chunks, slow, replace, two, tool, metadata, bridge, think, data, file)
}


def ending(state: str, text: str):
    """Steps of a task that stops in `state` with a message."""
    return lambda: [{"status": "working"}, {"status": state, "parts": [{"text": text}]}]


ENDINGS = {
    "status": ending("completed", "Done, without an artifact."),
    "ask": ending("input-required", "Which city?"),
    "auth": ending("auth-required", "Please sign in first."),
    "fail": ending("failed", "It failed on purpose."),
    "reject": ending("rejected", "I do not do that."),
}
