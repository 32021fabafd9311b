"""The APIs of computer-use models: requests, the actions in their answers, and the results."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import quote

from ..arguments import UNPARSED, plain
from ..blocks import blocks_of, said
from ..models import replies
from ..models.connections import on_loopback
from ..models.conversation import Conversation
from ..models.model_server import EPISODE, ContextFull, Model, ServerFailed, context_full
from ..models.replies import Reply
from ..models.responses import as_items
from . import computer_actions
from .computer_actions import Action

ANTHROPIC = ("computer_20251124", "computer-use-2025-11-24")
"""Type of Anthropic's computer tool, and the beta header that this tool requires."""
LONGEST_ANSWER = 4096


class _Api:
    """A model behind its own API, with the interface of `Model` for `chat.take_turns`."""

    def __init__(self, model: Model, session: Any, args: argparse.Namespace) -> None:
        self._model, self._space = model, args.space
        self.name, self.url = model.name, model.url

    def _computer(self, name: str, build: Callable[[], list[Any]], asked: Any) -> list[Any]:
        """Return the tool calls for an action. If its form is unknown, return a call that the environment refuses."""
        try:
            return build()
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            return [(name, {UNPARSED: json.dumps(asked, default=str)})]


class _OpenAI(_Api):
    """The computer tool of the Responses API."""

    def __init__(self, model: Model, session: Any, args: Any) -> None:
        super().__init__(model, session, args)
        width, height = args.space.size
        computer: dict[str, Any] = {"type": "computer"}
        if model.name.startswith("computer-use-preview"):
            size = {"display_width": width, "display_height": height, "environment": "linux"}
            computer = {"type": "computer_use_preview", **size}
        others = computer_actions.others("openai", session.tools)
        functions = [{"type": "function", "strict": False, **tool} for tool in others]
        self._input = [item for message in session.prompt for item in as_items(message)]
        self._tools = [computer, *functions]
        self._said: list[dict[str, Any]] = []

    async def ask(self, conversation: Conversation, _: Any, label: str, sample: int = 0) -> Reply:
        model = self._model

        def body() -> dict[str, Any]:
            settings = model.options.settings(sample, model.habits)
            asked = {"model": model.name, "truncation": "auto", **settings}
            return {**asked, "input": self._input, "tools": self._tools}

        def read(data: Any, used: set[str], turn: int) -> Reply:
            data = plain(data)
            reply = replies.of_response(data, used, turn)
            output = data["output"] if isinstance(data.get("output"), list) else []
            self._said = [item for item in output if isinstance(item, dict)]
            for item in self._said:
                usual = "function_call" if "arguments" in item else "message"
                item["type"] = item.get("type") or usual
            return reply

        reply = await model.talk(conversation, body, read, label)
        calls = iter(reply.calls)
        for item in self._said:
            # Calls in the common form, and the API's own items unchanged.
            called = next(calls, None) if item.get("type") in _CALLS else None
            if called and item["type"] == "function_call":
                item |= {"call_id": called.id, **called.written(sent=True)["function"]}
            elif called:
                item["call_id"] = called.id
            self._input.append({k: v for k, v in item.items() if v is not None})
        return reply

    def actions(self, reply: Reply) -> list[Action]:
        items = [item for item in self._said if item.get("type") in _CALLS]
        return [
            Action(item, self._computer("computer", partial(self._calls, item), item))
            if item["type"] == "computer_call"
            else Action(item, [(call.name, call.arguments)])
            for item, call in zip(items, reply.calls, strict=True)
        ]

    def _calls(self, item: dict[str, Any]) -> list[Any]:
        return computer_actions.of_openai(item, self._space).calls

    def tell(self, action: Action, text: str, picture: dict[str, Any] | None) -> None:
        call = action.said
        answer: dict[str, Any] = {"call_id": call["call_id"]}
        if call["type"] == "function_call":
            answer |= {"type": "function_call_output", "output": text}
        else:
            shot = {"type": "computer_screenshot", "image_url": _url(picture)}
            # The machine belongs to the agent: what its provider wants confirmed is confirmed.
            checks = call.get("pending_safety_checks") or []
            answer |= {"type": "computer_call_output", "output": shot}
            answer |= {"acknowledged_safety_checks": checks} if checks else {}
        self._input.append(answer)


_CALLS = ("computer_call", "function_call")


class _Anthropic(_Api):
    """The tool `computer_20251124` of the Messages API."""

    def __init__(self, model: Model, session: Any, args: Any) -> None:
        super().__init__(model, session, args)
        try:
            from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient
        except ImportError:
            raise RuntimeError(
                "--action-api anthropic needs the package anthropic: run with `uv run --with anthropic`"
            ) from None
        address = {"base_url": model.url.removesuffix("/v1"), "api_key": model.key}
        http = DefaultAsyncHttpxClient(trust_env=not on_loopback(model.url), timeout=None)
        self._client = AsyncAnthropic(
            **(address if args.base_url else {}), http_client=http, timeout=None, max_retries=3
        )
        width, height = args.space.size
        kind, beta = ANTHROPIC
        computer = {"type": kind, "name": "computer"}
        computer |= {"display_width_px": width, "display_height_px": height}
        others = [
            {"name": t["name"], "description": t["description"], "input_schema": t["parameters"]}
            for t in computer_actions.others("anthropic", session.tools)
        ]
        self._pointer: list[Any] = [width // 2, height // 2]
        system = [m["content"] for m in session.prompt if m["role"] == "system"]
        self._messages = [_told(m) for m in session.prompt if m["role"] != "system"]
        chosen = model.options.sampling
        named = {"stop": "stop_sequences"}
        taken = {named.get(k, k): v for k, v in chosen.items() if k != "seed"}
        self._request = {
            "model": model.name,
            "max_tokens": LONGEST_ANSWER,
            "betas": [beta],
            **taken,
        }
        self._request |= {"tools": [computer, *others], "extra_body": model.options.extra or None}
        self._request |= {"system": "\n\n".join(system)} if system else {}

    async def ask(self, conversation: Conversation, _: Any, label: str, sample: int = 0) -> Reply:
        from anthropic import APIStatusError

        started = time.monotonic()
        try:
            answer = await self._client.beta.messages.create(
                messages=self._messages, extra_headers={EPISODE: quote(label)}, **self._request
            )
        except APIStatusError as error:
            kind = ContextFull if context_full(error.status_code, str(error)) else ServerFailed
            raise kind(f"{error} ({self.url})") from error
        data = answer.model_dump(exclude_none=True)
        reply = replies.of_anthropic(data, conversation.used, len(conversation.turns))
        self._blocks = [block for block in data["content"] if block != {"type": "text", "text": ""}]
        if self._blocks:
            self._messages += [{"role": "assistant", "content": self._blocks}]
        self._results: list[dict[str, Any]] = []
        conversation.add(reply, seconds=round(time.monotonic() - started, 3))
        self._model.answered |= {"model": reply.model} if reply.model else {}
        return reply

    def actions(self, reply: Reply) -> list[Action]:
        found = []
        for block in (each for each in self._blocks if each["type"] == "tool_use"):
            asked = block["input"] if isinstance(block["input"], dict) else {}
            calls: list[Any] = [(block["name"], block["input"])]
            if block["name"] == "computer":
                build = partial(computer_actions.of_anthropic, asked, self._space, self._pointer)
                calls = self._computer("computer", build, block["input"])
                self._pointer = asked.get("coordinate") or self._pointer
            found.append(Action(block, calls))
        return found

    def tell(self, action: Action, text: str, picture: dict[str, Any] | None) -> None:
        content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
        if picture and action.said["name"] == "computer":
            content.append(_source(picture))
        result = {"type": "tool_result", "tool_use_id": action.said["id"], "content": content}
        if not self._results:
            self._messages.append({"role": "user", "content": self._results})
        self._results.append(result)


class _Chat(_Api):
    """Chat completions: the environment's tools, or Qwen's single function for the whole screen."""

    def __init__(self, model: Model, session: Any, args: Any) -> None:
        super().__init__(model, session, args)
        self._qwen, self._tools = args.actions == "qwen", session.tools
        if self._qwen:
            function = computer_actions.qwen_function(self._space)
            self._tools = [function, *computer_actions.others("qwen", session.tools)]
        self._pointer: list[Any] = [part // 2 for part in self._space.size]
        self._answers: list[tuple[Any, list[dict[str, Any]]]] = []
        self._sent: Conversation | None = None

    async def ask(self, conversation: Conversation, _: Any, label: str, sample: int = 0) -> Reply:
        # The model sees scaled and combined content; the record keeps the environment's own.
        sent = self._sent = self._sent or Conversation(conversation.opening)
        if self._answers:
            sent.answer(self._answers)
            self._answers = []
        reply = await self._model.ask(sent, self._tools, label, sample)
        conversation.adopt(reply, sent)
        return reply

    def actions(self, reply: Reply) -> list[Action]:
        found = []
        for call in reply.calls:
            asked = call.arguments
            calls: list[Any] = [(call.name, computer_actions.placed(asked, self._space))]
            if self._qwen and call.name == computer_actions.QWEN:
                build = partial(computer_actions.of_qwen, asked, self._space, self._pointer)
                calls = self._computer(computer_actions.QWEN, build, asked)
                self._pointer = asked.get("coordinate") or self._pointer
            found.append(Action({"call": call, "type": "function_call"}, calls))
        return found

    def tell(self, action: Action, text: str, picture: dict[str, Any] | None) -> None:
        blocks = [{"type": "text", "text": text}, *([picture] if picture else [])]
        self._answers.append((action.said["call"], blocks))


def _told(message: dict[str, Any]) -> dict[str, Any]:
    """Return an opening message in the format of the Messages API.

    Earlier calls become text, because the tools of that API are different.
    """
    content: Any = said(message)
    if isinstance(message["content"], list):
        blocks = blocks_of(message["content"])
        content = [block if block["type"] == "text" else _source(block) for block in blocks]
    return {"role": "user" if message["role"] == "tool" else message["role"], "content": content}


def _source(picture: dict[str, Any]) -> dict[str, Any]:
    source = {key: picture[key] for key in ("media_type", "data")}
    return {"type": "image", "source": {"type": "base64", **source}}


def _url(picture: dict[str, Any] | None) -> str:
    if picture is None:
        raise RuntimeError("the environment showed no picture of its screen")
    return f"data:{picture['media_type']};base64,{picture['data']}"


APIS: dict[str, Callable[..., Any]] = {
    "tools": _Chat,
    "openai": _OpenAI,
    "anthropic": _Anthropic,
    "qwen": _Chat,
}
