"""A driver that plays a NeMo Gym resources server as its agents do: with a data row, cookies and plain HTTP.

There are two protocols. A Gymnasium server has /reset and /step. Any other server has /seed_session, a route
per tool, and /verify, which alone gives a reward.
"""

import json
from pathlib import Path

import httpx
import wire

settings = wire.settings()
NAMES = {"id": "response", "model": "model", "object": "response", "tool_choice": "auto"}
RESPONSE = {**NAMES, "created_at": 0, "parallel_tool_calls": False, "tools": []}
state = {"http": None, "steps": False, "row": {}, "output": []}


def rows(split):
    """Return the data rows that come with the environment, or only the rows of the named split."""
    folder = Path(settings["folder"])
    files = [*folder.glob("data/*.jsonl"), *folder.parent.glob("data/*.jsonl")]
    named = [path for path in files if split and path.stem == split]
    chosen = named or [path for path in files if not split or path.stem in ("example", "train")]
    return [json.loads(line) for path in chosen[:1] for line in path.read_text().splitlines()]


def open_(split, index):
    """Open a session on a task: with its data row, or with its index if the environment keeps the tasks."""
    close()
    http = state["http"] = httpx.Client(base_url=settings["url"], timeout=80, trust_env=False)
    reply = http.get("/environment")
    known = reply.json().get("splits") if reply.status_code == 200 else None
    place = {"split": split or (next(iter(known)) if known else "train"), "index": index}
    there = rows(split)
    row = (
        there[index] if index < len(there) else {"responses_create_params": {"input": []}, **place}
    )
    state["row"], state["output"] = row, []
    params = row["responses_create_params"]
    paths = http.get("/openapi.json").json()["paths"]
    state["steps"] = "/reset" in paths
    answer = post("/reset" if state["steps"] else "/seed_session", row)
    asked = params["input"] if isinstance(params["input"], list) else [{"content": params["input"]}]
    messages = [wire.said(each)["text"] for each in asked]
    tools = params.get("tools") or []
    if state["steps"]:
        info = answer.get("info") or {}
        messages += [wire.said(each)["text"] for each in info.get("messages", [])]
        messages.append(answer.get("observation") or "")
        tools = info.get("tools") or tools
    tools = [{"name": t["name"], "schema": wire.schema(t.get("parameters"))} for t in tools]
    return {"text": "\n".join(messages), "tools": tools, "done": False}


def call(tool, arguments):
    """Make one tool call."""
    wanted = {"type": "function_call", "call_id": "call", "name": tool}
    wanted["arguments"] = json.dumps(arguments)
    if state["steps"]:
        return stepped(wanted)
    answer = state["http"].post(f"/{tool}", json=arguments)
    text = answer.text
    output = {"type": "function_call_output", "call_id": "call", "output": text}
    state["output"] += [wanted, output]
    item = parsed(text, str | dict)
    if isinstance(item, dict):
        item = "\n".join(each for each in item.values() if isinstance(each, str)) or text
    return {"text": item}


def message(text):
    """Send one message without a tool call. Without a /step route, the message ends the episode unanswered."""
    content = [{"type": "output_text", "text": text, "annotations": []}]
    about = {"type": "message", "id": "message", "role": "assistant", "status": "completed"}
    if state["steps"]:
        return stepped({**about, "content": content})
    state["output"].append({**about, "content": content})
    return {"text": "", "unseen": True, "done": True}


def stepped(item):
    """Play a step with one output item of a model. Return its observation and reward."""
    played = step(item)
    outputs = (played.get("info") or {}).get("tool_outputs") or []
    # `tool_output` of the framework's own server makes JSON of a text.
    texts = [parsed(str(output["output"]), str) for output in outputs]
    text = "\n".join(texts or [str(played.get("observation") or "")])
    done = played["terminated"] or played["truncated"]
    return {"text": text, "reward": played["reward"], "done": done}


def parsed(text, kinds):
    """Parse a text as JSON. Return the value if it has one of the given types, and otherwise the text."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, kinds) else text


def step(*output):
    """Send one response of a model."""
    return post("/step", {**state["row"], "response": {**RESPONSE, "output": list(output)}})


def post(path, body):
    """Send a request that must succeed."""
    answer = state["http"].post(path, json=body)
    if answer.is_error:
        raise RuntimeError(f"{path} answered {answer.status_code}: {answer.text[:1000]}")
    return answer.json() if answer.text else {}


def close():
    """End the episode like a model that stops. Without a /step route, let the server verify the episode."""
    http, state["http"] = state["http"], None
    if http is None:
        return {}
    state["http"] = http
    try:
        if not state["steps"]:
            body = {**state["row"], "response": {**RESPONSE, "output": state["output"]}}
            return {"returned": post("/verify", body)["reward"]}
        try:
            return {"final": step()["reward"]}
        except RuntimeError:
            return {}  # over already
    finally:
        http.close()
        state["http"] = None


def splits():
    """Return the splits with the number of tasks in each split, if the server reports them."""
    reply = httpx.get(f"{settings['url']}/environment", timeout=30, trust_env=False)
    return {"splits": reply.json().get("splits") if reply.status_code == 200 else None}


handlers = {"open": open_, "call": call, "message": message, "close": close, "splits": splits}
wire.answer(handlers)
