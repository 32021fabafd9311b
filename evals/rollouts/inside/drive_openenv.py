"""A driver that plays an OpenEnv server through OpenEnv's own client."""

import json

import wire
from openenv.core.generic_client import GenericEnvClient

settings = wire.settings()
state = {"client": None, "typed": False}


def open_(split, index):
    """Open a session on a task. If the server lists no tools, the arguments are sent as typed actions."""
    close()
    client = state["client"] = GenericEnvClient(base_url=settings["url"]).sync()
    client.connect()
    place = {"index": index, **({"split": split} if split else {})}
    opened = seen(client.reset(**place))
    try:
        listed = client.step({"type": "list_tools"}).observation
        tools = [
            {
                "name": t["name"],
                "schema": wire.schema(t.get("input_schema") or t.get("inputSchema")),
            }
            for t in listed["tools"]
        ]
    except Exception:  # noqa: BLE001 - whatever it says, it knows no such action
        tools, state["typed"] = [], True
    return {**opened, "tools": tools}


def call(tool, arguments):
    """Make one tool call."""
    action = {"type": "call_tool", "tool_name": tool, "arguments": arguments}
    return seen(state["client"].step(arguments if state["typed"] else action))


def message(text):
    """Send one message without a tool call."""
    return seen(state["client"].step({"type": "message", "text": text}))


def seen(result):
    """Return the content of a step: the blocks of an MCP result, or every text of a typed observation."""
    observation = result.observation
    answer = observation.get("result")
    paid = {"reward": result.reward, "done": result.done}
    if isinstance(answer, dict):
        before = [wire.said(message) for message in answer.get("prompt") or [] if message]
        blocks = wire.content(answer.get("content"))
        text = "\n".join([each["text"] for each in before] + [blocks["text"]])
        error = observation.get("error") or {}
        text = text or (error.get("message", "") if isinstance(error, dict) else str(error))
        return {"text": text.strip("\n"), "images": blocks["images"], **paid}
    error = observation.get("error")
    if error:
        return {"text": error.get("message", "") if isinstance(error, dict) else error, **paid}
    return {"text": "\n".join(texts(observation)), **paid}


def texts(value):
    """Return every text in an observation, in order. Other values are returned as JSON."""
    if isinstance(value, str):
        return [value] if value else []
    if isinstance(value, dict):
        return [text for each in value.values() for text in texts(each)]
    if isinstance(value, list):
        return [text for each in value for text in texts(each)]
    return [] if value is None or isinstance(value, bool) else [json.dumps(value)]


def close():
    """End the session. The steps have already reported all rewards."""
    if state["client"]:
        state["client"].close()
        state["client"] = None
    return {}


def splits():
    """Return the splits from OpenEnv's task routes, if the server has these routes."""
    url = settings["url"]
    listed = wire.fetched(f"{url}/list_environments")
    if not listed:
        return {"splits": None}
    name = listed[0] if isinstance(listed, list) else listed["environments"][0]
    name = name["name"] if isinstance(name, dict) else name
    reply = wire.fetched(f"{url}/{name}/splits")
    if not reply:
        return {"splits": None}
    names = reply["splits"] if isinstance(reply, dict) else reply
    counts = {}
    for each in names:
        split = each["name"] if isinstance(each, dict) else each
        counted = wire.fetched(f"{url}/{name}/num_tasks", {"split": split})
        counts[split] = counted["num_tasks"] if isinstance(counted, dict) else counted
    return {"splits": counts}


handlers = {"open": open_, "call": call, "message": message, "close": close, "splits": splits}
wire.answer(handlers)
