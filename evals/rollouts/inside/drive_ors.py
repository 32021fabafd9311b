"""A driver that plays an ORS server through OpenReward's own client."""

import wire
from openreward import EnvironmentsAPI
from openreward.api.environments.client import ToolCallError

settings = wire.settings()
api = EnvironmentsAPI(base_url=settings["url"], api_key="")
state = {"session": None}


def environment():
    """Return the server's first environment."""
    listed = wire.fetched(f"{settings['url']}/list_environments")
    name = listed[0] if isinstance(listed, list) else listed["environments"][0]
    name = name["name"] if isinstance(name, dict) else name
    return api.get(name, variant=name)


def names():
    """Return the names of the splits."""
    return [getattr(each, "name", each) for each in environment().list_splits()]


def open_(split, index):
    """Open a session on a task of a split."""
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
    """Make one tool call. If the client refuses the call, the model sees the client's error."""
    try:
        output = state["session"].call_tool(tool, arguments)
    except ToolCallError as error:
        return {"text": str(error), "reward": 0.0, "done": None}
    return {**wire.content(output.blocks), "reward": output.reward or 0.0, "done": output.finished}


def message(text):
    """Send one message without a tool call: through the tool for messages, or as the message that ends the session."""
    session = state["session"]
    if "message" in [tool.name for tool in session.list_tools()]:
        return call("message", {"text": text})
    output = session.call_terminal_tool(text)
    return {**wire.content(output.blocks), "reward": output.reward or 0.0, "done": output.finished}


def close():
    """End the session. If there is a tool for the end, call it, because it may give a reward."""
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
    """Return the splits with the number of tasks in each split."""
    there = environment()
    return {"splits": {name: there.num_tasks(name) for name in names()}}


handlers = {"open": open_, "call": call, "message": message, "close": close, "splits": splits}
wire.answer(handlers)
