"""Requests to the models of roles. One event loop in its own thread serves all episodes of a process."""

import asyncio
import functools
import threading
from collections.abc import Mapping
from typing import Any

from .. import role_replies
from . import replies
from .conversation import Conversation
from .model_server import ContextFull, Model, Options, ServerFailed

CONCURRENCY = 64
"""Maximum number of requests of a process at once, unless NAME_ROLES_CONCURRENCY is set."""
COUNTED = ("input_tokens", "output_tokens")
_starting = threading.Lock()


def ask(
    request: role_replies.Request, rule: Mapping[str, Any], known: Mapping[str, str], label: str
) -> role_replies.Answer:
    """Return the reply of a role's model. Raise ServerFailed or ContextFull if the server sends no reply.

    Args:
        rule: The declaration of the role in env.yaml.
        known: `model`, `base_url` and `api_key`.
        label: A label that is sent with the request, for logs.
    """
    future = asyncio.run_coroutine_threadsafe(_ask(request, rule, known, label), _loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


async def _ask(
    request: role_replies.Request, rule: Mapping[str, Any], known: Mapping[str, str], label: str
) -> role_replies.Answer:
    sampling = {"temperature": rule["temperature"], "max_tokens": rule["max_tokens"]}
    extra: dict[str, Any] = {}
    if request.schema:
        asked = {"name": request.role, "schema": request.schema, "strict": True}
        extra["response_format"] = {"type": "json_schema", "json_schema": asked}
    options = Options(sampling={k: v for k, v in sampling.items() if v is not None}, extra=extra)
    key = known["api_key"]
    if not (key.isascii() and key.isprintable()):  # httpx would show it in its error
        raise ServerFailed("its key holds a line break, or a character that no key has")
    model = _model(known["model"], known["base_url"], key)
    conversation = Conversation(request.messages)

    def body() -> dict[str, Any]:
        settings = options.settings(0, model.habits)
        sent = {"model": model.name, "messages": request.messages, **settings}
        if request.tools:
            sent["tools"] = [{"type": "function", "function": tool} for tool in request.tools]
        return sent

    async with _gate():
        try:
            async with asyncio.timeout(rule["seconds"]):
                reply = await model.talk(conversation, body, replies.of_chat, label)
        except TimeoutError as error:
            raise ServerFailed(f"no reply within {rule['seconds']:g} s ({model.url})") from error
        except (ContextFull, ServerFailed) as error:
            if not key or key not in str(error):
                raise
            # Some servers repeat a key that they refuse, and the error is recorded.
            raise type(error)(str(error).replace(key, "[the key]")) from None
    calls = [{"name": call.name, "arguments": call.arguments} for call in reply.calls]
    usage = {name: reply.usage[name] for name in COUNTED if name in reply.usage}
    return role_replies.Answer(
        reply.text, calls, usage, reply.finish_reason, reply.cut, reply.model
    )


@functools.cache
def _model(name: str, url: str, key: str) -> Model:
    """Return a model's client, which learns the peculiarities of the model's server for all episodes."""
    return Model(name, url or "https://api.openai.com/v1", key or "none", tell=lambda text: None)


def _loop() -> asyncio.AbstractEventLoop:
    with _starting:  # episodes ask at the same moment, each in its own thread
        return _started_loop()


@functools.cache
def _started_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True, name="model-roles").start()
    return loop


@functools.cache
def _gate() -> asyncio.Semaphore:
    return asyncio.Semaphore(
        int(role_replies.variable(role_replies.ALL, "CONCURRENCY") or CONCURRENCY)
    )
