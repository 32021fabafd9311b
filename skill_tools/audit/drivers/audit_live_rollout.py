"""A session of a framework that drives its episodes itself.

If the framework requests a message of the model, the request waits until we provide the message.

Runs in the venv of a framework, without skill-tools: standard library only.
"""

from __future__ import annotations

import asyncio
import json
import queue
from collections.abc import Awaitable, Callable
from typing import Any

from audit_bounds import SAY, Broken, bounded, text_block
from audit_driver import Answered

LONGEST_EPISODE = 86_400.0
"""Seconds after which the framework ends a rollout that waits: a day."""
Call = dict[str, Any]


class LiveScript:
    """A mixin for a driver's ``Playing`` whose calls arrive one by one while the rollout is running."""

    waits = True
    request: dict[str, Any]

    def connect(self) -> None:
        """Create the queues for requests, in the event loop that answers the requests."""
        self.given: queue.Queue[Call | None] = queue.Queue()
        self.shown: asyncio.Queue[list[Any]] = asyncio.Queue()
        self.loop = asyncio.get_running_loop()

    def next_call(self) -> Call | None:
        """Pass on the model request and block the thread until the next call. Return None if the script is over."""
        self.loop.call_soon_threadsafe(self.shown.put_nowait, self.request.get("messages") or [])
        return self.given.get()


class LiveRollout:
    """A session whose rollout is already running."""

    takes_messages = True
    seen: dict[str, Any] = {}

    def __init__(self, script: Any, play: Callable[[Any], Awaitable[None]]) -> None:
        self.script, self.play = script, play

    async def open(self) -> None:
        """Start the rollout and wait until the rollout requests a message from the model.

        Raises Broken if the rollout ends without a request.
        """
        self.script.connect()
        self.rollout = asyncio.ensure_future(self.play(self.script))
        if await self._asked() is None:
            self._raise("the model was never asked")
        self.prompt, self.tools = self.script.prompt, self.script.tools

    async def call(self, tool: str, arguments: Any) -> Answered:
        """Pass on the model's call or message, and return the model's next observation."""
        self.script.given.put({"tool": tool, "arguments": arguments})
        messages = await self._asked()
        if messages is not None:
            return Answered([_block(each) for each in _after_assistant(messages)])
        self._raise()
        steps = self.script.steps
        shown = steps[-1]["observation"] if steps else [text_block("(the episode is over)")]
        return Answered(shown, self.script.final, True)

    async def end(self, message: str) -> Any:
        """Pass on the model's last message and decline all further requests. Return the reward."""
        if self.rollout.done():
            return None
        said = {"tool": SAY["name"], "arguments": {"text": message or "That is all."}}
        self.script.given.put(said)
        while await self._asked() is not None:
            self.script.given.put(None)
        self._raise()
        return self.script.final

    async def close(self) -> None:
        """End the rollout."""
        self.script.given.put(None)
        self.rollout.cancel()

    async def _asked(self) -> list[Any] | None:
        """Return the messages of the rollout's next model request, or None if the rollout ended."""
        asked = asyncio.ensure_future(self.script.shown.get())
        await asyncio.wait([asked, self.rollout], return_when=asyncio.FIRST_COMPLETED)
        if asked.done():
            messages: list[Any] = asked.result()
            return messages
        asked.cancel()
        return None

    def _raise(self, otherwise: str = "") -> None:
        if failure := self.script.failure:
            raise Broken(failure["kind"], failure["message"])
        if otherwise:
            raise Broken("rollout", otherwise)


def _after_assistant(messages: list[Any]) -> list[dict[str, Any]]:
    """Return the messages after the model's last message."""
    last = max((n for n, m in enumerate(messages) if m.get("role") == "assistant"), default=-1)
    return messages[last + 1 :]


def _block(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    return text_block(content if isinstance(content, str) else json.dumps(bounded(content)))
