"""Plays an ORS server through OpenReward's own client."""

import wire
from openreward import EnvironmentsAPI
from openreward.api.environments.client import ToolCallError

settings = wire.settings()
api = EnvironmentsAPI(base_url=settings["url"], api_key="")
state = {"session": None}


def environment():
    """The first environment that the server has."""
    listed = wire.fetched(f"{settings['url']}/list_environments")
    name = listed[0] if isinstance(listed, list) else listed["environments"][0]
    name = name["name"] if isinstance(name, dict) else name
    return api.get(name, variant=name)


def names():
    """The splits' names."""
    return [getattr(each, "name", each) for each in environment().list_splits()]


def open_(split, index):
    """A session on a task of a split."""
    close()
    session = environment().session(split=split or names()[0], index=index)
    state["session"] = session
    entered = session.__enter__()
    messages = entered.get_messages(format="openai")
    prompt = "\n".join(wire.said(message)["text"] for message in messages)
    images = [image for message in messages for image in wire.said(message)["images"]]
    tools = [
        {"name": tool.name, "schema": wire.schema(tool.input_schema)}
        for tool in entered.list_tools()
    ]
    return {"text": prompt, "images": images, "tools": tools, "done": False}


def call(tool, arguments):
    """One tool call; what the client refuses is said to the model."""
    try:
        output = state["session"].call_tool(tool, arguments)
    except ToolCallError as error:
        return {"text": str(error), "reward": 0.0, "done": None}
    return {**wire.content(output.blocks), "reward": output.reward or 0.0, "done": output.finished}


def message(text):
    """One message without a tool call: the tool for it, or the message that ends the session."""
    session = state["session"]
    if "message" in [tool.name for tool in session.list_tools()]:
        return call("message", {"text": text})
    output = session.call_terminal_tool(text)
    return {**wire.content(output.blocks), "reward": output.reward or 0.0, "done": output.finished}


def close():
    """End the session; by the tool for that, where there is one, which may pay."""
    session, state["session"] = state["session"], None
    if session is None:
        return {}
    try:
        final = session.call_terminal_tool().reward or 0.0
    except Exception:  # noqa: BLE001 - there is no such tool, or the episode is over
        final = 0.0
    session.__exit__(None, None, None)
    return {"final": final}


def splits():
    """Splits and how many tasks each has."""
    there = environment()
    return {"splits": {name: there.num_tasks(name) for name in names()}}


handlers = {"open": open_, "call": call, "message": message, "close": close, "splits": splits}
wire.answer(handlers)
