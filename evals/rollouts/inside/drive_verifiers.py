"""A driver that plays a Verifiers taskset as vf-eval does, and is itself the model that the harness asks.

If the environment ends an episode, no model sees the last observation, so the observation counts as unseen.
"""

import asyncio
import json
import os
import queue
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import verifiers.v1 as vf
import wire
from verifiers.v1.configs.cli.eval import EvalConfig

settings = wire.settings()
state = {"rollout": None}
loop = asyncio.new_event_loop()
threading.Thread(target=loop.run_forever, daemon=True).start()


class Rollout:
    """One rollout: the harness's last request, the model's next reply, and the end of the rollout."""

    def __init__(self):
        self.asked, self.answers = queue.Queue(), queue.Queue()
        self.ended, self.shown = None, 0

    def next(self):
        """Return the harness's next request, or None if the rollout is over."""
        kind, item = self.asked.get(timeout=80)
        if kind == "ended":
            self.ended = item
            return None
        return item


class Model(BaseHTTPRequestHandler):
    """A Chat Completions server that sends the replies of the player."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        """Pass the request on to the player, wait for the reply, and send it."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        rollout = state["rollout"]
        rollout.asked.put(("request", body))
        message = rollout.answers.get()
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        about = {"id": "c", "created": 0, "model": body["model"]}
        if body.get("stream"):
            delta = {"index": 0, "delta": message, "finish_reason": finish}
            chunk = {**about, "object": "chat.completion.chunk", "choices": [delta], "usage": usage}
            data = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode()
        else:
            choice = {"index": 0, "message": message, "finish_reason": finish}
            whole = {**about, "object": "chat.completion", "choices": [choice], "usage": usage}
            data = json.dumps(whole).encode()
        self.send_response(200)
        kind = "text/event-stream" if body.get("stream") else "application/json"
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        """Log nothing, instead of a line per request."""


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ["EVALS_KEY"] = "none"


def package():
    """Return the name of the taskset's package. Make the package importable, whether it is installed or not."""
    file = Path(settings["file"])
    top = file.parent if (file.parent / "__init__.py").is_file() else None
    while top and (top.parent / "__init__.py").is_file():
        top = top.parent
    sys.path.insert(0, str(top.parent if top else file.parent))
    return top.name if top else file.stem


PACKAGE = package()


def environment(split):
    """Return the environment of a split, as the command line would make it, and its config."""
    taskset = {"id": PACKAGE, **({"split": split} if split else {})}
    client = {"base_url": f"http://127.0.0.1:{server.server_port}/v1", "api_key_var": "EVALS_KEY"}
    agent = {"runtime": {"type": "subprocess"}}
    wanted = {"env": {"taskset": taskset, "agent": agent}, "model": "evals", "client": client}
    config = EvalConfig.model_validate(wanted)
    return vf.load_environment(config.env), config


async def play(rollout, split, index):
    """Run one rollout to its end, and report the end to the player, even if it is an exception."""
    try:
        env, config = environment(split)
        tasks = iter(env.taskset.load())
        task = next(task for number, task in enumerate(tasks) if number == index)
        context = vf.ModelContext(client=config.client, model="evals", sampling=config.sampling)
        async with env.serving():
            (slot,) = env.slots(task)
            rollout.asked.put(("ended", await env.run_slot(slot, context)))
    except BaseException as error:  # noqa: BLE001 - whoever plays waits for it
        rollout.asked.put(("ended", error))


def open_(split, index):
    """Start a rollout. Return the first messages and the tools that the harness shows the model."""
    close()
    rollout = state["rollout"] = Rollout()
    asyncio.run_coroutine_threadsafe(play(rollout, split, index), loop)
    request = rollout.next()
    if request is None:
        raise RuntimeError(f"the rollout ended before the model was asked: {why(rollout.ended)}")
    rollout.shown = len(request["messages"])
    tools = [each["function"] for each in request.get("tools") or []]
    tools = [{"name": t["name"], "schema": wire.schema(t.get("parameters"))} for t in tools]
    texts = [wire.said(each) for each in request["messages"]]
    images = [image for each in texts for image in each["images"]]
    return {"text": "\n".join(each["text"] for each in texts), "images": images, "tools": tools}


def call(tool, arguments):
    """Reply to the harness with a tool call."""
    number = state["rollout"].shown
    function = {"name": tool, "arguments": json.dumps(arguments)}
    called = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
    return answered({"role": "assistant", "content": None, "tool_calls": [called]})


def message(text):
    """Reply to the harness without a tool call."""
    return answered({"role": "assistant", "content": text})


def answered(reply):
    """Reply to the harness. Return the new messages in the harness's next request."""
    rollout = state["rollout"]
    if rollout.ended is not None:
        return {"text": "", "unseen": True, "done": True}
    rollout.answers.put(reply)
    request = rollout.next()
    if request is None:
        checked(rollout.ended)
        return {"text": "", "unseen": True, "done": True}
    new = request["messages"][rollout.shown :]
    rollout.shown = len(request["messages"])
    texts = [wire.said(each) for each in new if each["role"] != "assistant"]
    images = [image for each in texts for image in each["images"]]
    return {"text": "\n".join(each["text"] for each in texts), "images": images, "done": False}


def close():
    """End the rollout like a model that calls no tool. Return the sum of the rollout's rewards."""
    rollout = state["rollout"]
    if rollout is None:
        return {}
    while rollout.ended is None:
        rollout.answers.put({"role": "assistant", "content": "I stop here."})
        rollout.next()
    state["rollout"] = None
    return {"returned": float(checked(rollout.ended).traces[0].reward)}


def checked(ended):
    """Return the end of an episode if it succeeded. Otherwise, raise RuntimeError with the reason."""
    if isinstance(ended, BaseException) or not ended.ok:
        raise RuntimeError(f"the rollout failed: {why(ended)}")
    return ended


def why(ended):
    """Return the reason why a rollout ended."""
    if isinstance(ended, BaseException):
        return f"{type(ended).__name__}: {ended}"
    error = ended.last_error or (ended.traces[0].last_error if ended.traces else None)
    return f"{error.type}: {error.message}" if error else "the model was never asked"


def splits():
    """Return no splits, because only the taskset's config knows them."""
    return {"splits": None}


handlers = {"open": open_, "call": call, "message": message, "close": close, "splits": splits}
wire.answer(handlers)
