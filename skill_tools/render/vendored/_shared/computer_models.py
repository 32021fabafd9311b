"""Computer-use models, each in the API that it was trained on. `skill-tools render` overwrites this.

`--actions` chooses: `tools`, the environment's tools as functions; `openai`, the computer tool of the
Responses API (https://developers.openai.com/api/docs/guides/tools-computer-use); `anthropic`, the tool
`computer_20251124` of the Messages API
(https://platform.claude.com/docs/en/agents-and-tools/tool-use/computer-use-tool); `qwen`, the function
`computer_use` of Qwen3-VL (https://github.com/QwenLM/Qwen3-VL) over chat completions. Tools that an API
has no action for are functions beside it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

from . import chat, computer_actions, play
from .computer_actions import Action
from .episode import read_arguments
from .play import Played
from .screen_space import Space, space

SPACES = {"tools": "pixels", "openai": "pixels", "anthropic": "pixels", "qwen": "thousandths"}
"""The APIs, and how each counts on the screen unless `--space` says otherwise."""

FAMILIES = {
    "openai": ("computer-use-preview", "gpt-", "o3", "o4"),
    "anthropic": ("claude-",),
    "qwen": ("qwen",),
}
"""How the names of an API's models begin, after an organisation's name and a slash."""

ANTHROPIC = ("computer_20251124", "computer-use-2025-11-24")
"""Type of the tool, and the beta header that it needs."""
LONGEST_ANSWER = 4096


def parse_arguments(framework: str, url_variable: str) -> argparse.Namespace:
    """Read the command line: this module's options, and those of every rollout."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    group = parser.add_argument_group("computer use")
    group.add_argument("--actions", choices=SPACES, default="tools", help="the model's API")
    group.add_argument("--space", help="its coordinates: pixels, thousandths or a size as 640x480")
    own, rest = parser.parse_known_args()
    if {"-h", "--help"} & set(rest):
        print(parser.format_help())
    sys.argv[1:] = rest
    args = play.parse_arguments(framework, url_variable)
    args.actions = own.actions
    try:
        args.space = space(own.space or SPACES[own.actions])
    except ValueError as error:
        sys.exit(f"error: --space: {error}")
    for model in args.model if not args.base_url else ():
        if problem := misfit(own.actions, model):
            sys.exit(f"error: {problem}")
    return args


def misfit(actions: str, model: str) -> str:
    """Why a model cannot be asked through an API, by its name; "" if it may be."""
    name = model.rpartition("/")[2].lower()
    families = {api for api, starts in FAMILIES.items() if name.startswith(starts)}
    if actions == "tools" and name.startswith("computer-use-preview"):
        return f"{model} takes no functions alone: use --actions openai"
    if actions == "tools" or actions in families or (not families and actions == "qwen"):
        return ""
    instead = f"use --actions {min(families)}, or tools" if families else "use --actions tools"
    return f"--actions {actions} is not for {model}: {instead} (or give --base-url)"


async def chat_or_act(
    session: Any, model: str, assignment: play.Assignment, args: argparse.Namespace
) -> dict[str, Any]:
    """Let a model play a session to its end through its API; returns the trajectory."""
    if args.actions == "tools" and args.space.picture == args.space.size == space("pixels").size:
        return await chat.chat(session, model, assignment, args)
    played = Played(session.prompt, session.tools)
    api = APIS[args.actions](session, model, assignment, args)
    seen = _Screen(args.space)
    try:
        while not played.over:
            actions, said = await api.ask()
            if not actions:
                played.final_message, played.over = said, True
                played.final_reward = await session.end()
                break
            for action in actions:
                for tool, arguments in action.calls:
                    step = {"tool": tool, "arguments": arguments}
                    step |= await session.call(tool, arguments)
                    played.steps.append(step)
                    play.show(model, assignment, step, args)
                    seen.take(step["observation"])
                    if step["done"]:
                        break
                played.over = played.steps[-1]["done"]
                if played.over:
                    break
                await api.tell(action, *await seen.after(session, played, action.needs_picture))
            played.truncated = session.truncated
    except Exception as error:  # noqa: BLE001 - what was played before it is kept
        played.failure = play.failure_of(error)
    return play.trajectory(model, assignment, played)


class _Screen:
    """What the model has seen: the texts since it was told last, and the last picture."""

    def __init__(self, of: Space) -> None:
        self._space = of
        self._texts: list[str] = []
        self._picture: dict[str, Any] | None = None

    def take(self, blocks: list[dict[str, Any]]) -> None:
        self._texts += [block["text"] for block in blocks if block["type"] == "text"]
        for block in blocks:
            if block["type"] == "image":
                self._picture = self._space.shown(block)

    async def after(
        self, session: Any, played: Played, wanted: bool
    ) -> tuple[str, dict[str, Any] | None]:
        """The texts, and the picture; it is asked for if one is needed and none was seen yet."""
        if wanted and self._picture is None:
            step = {"tool": "screenshot", "arguments": {}, **await session.call("screenshot", {})}
            played.steps.append(step)
            played.over = step["done"]
            self.take(step["observation"])
        texts, self._texts = self._texts, []
        return "\n".join(texts), self._picture


class _OpenAI:
    """The computer tool of the Responses API."""

    def __init__(self, session: Any, model: str, assignment: Any, args: Any) -> None:
        self._space = args.space
        self._client = chat.connect(*play.model_address(model, args.base_url))
        width, height = args.space.size
        computer: dict[str, Any] = {"type": "computer"}
        if model.startswith("computer-use-preview"):
            size = {"display_width": width, "display_height": height, "environment": "linux"}
            computer = {"type": "computer_use_preview", **size}
        others = computer_actions.others("openai", session.tools)
        functions = [{"type": "function", "strict": False, **tool} for tool in others]
        self._input: list[dict[str, Any]] = list(session.prompt)
        self._request = {"model": model, "user": assignment.label, "truncation": "auto"}
        self._request |= {"tools": [computer, *functions]}

    async def ask(self) -> tuple[list[Action], str]:
        from openai.types.responses import Response

        body = {**self._request, "input": self._input}
        said = await self._client.post("/responses", cast_to=Response, body=body)
        if not getattr(said, "output", None):
            raise ValueError(f"no response, but {str(said)[:200]!r}")
        items = [item.model_dump(exclude_none=True) for item in said.output]
        self._input += items
        actions = [
            computer_actions.of_openai(item, self._space)
            if item["type"] == "computer_call"
            else Action(item, [(item["name"], read_arguments(item["arguments"]))])
            for item in items
            if item["type"] in ("computer_call", "function_call")
        ]
        return actions, said.output_text

    async def tell(self, action: Action, text: str, picture: dict[str, Any] | None) -> None:
        call = action.said
        answer: dict[str, Any] = {"call_id": call["call_id"]}
        if call["type"] == "function_call":
            answer |= {"type": "function_call_output", "output": text}
        else:
            shot = {"type": "computer_screenshot", "image_url": _url(picture)}
            # The machine is the agent's own: what its provider wants confirmed is.
            checks = call.get("pending_safety_checks", [])
            answer |= {"type": "computer_call_output", "output": shot}
            answer |= {"acknowledged_safety_checks": checks} if checks else {}
        self._input.append(answer)


class _Anthropic:
    """The tool `computer_20251124` of the Messages API."""

    def __init__(self, session: Any, model: str, assignment: Any, args: Any) -> None:
        try:
            from anthropic import AsyncAnthropic
        except ImportError:
            raise RuntimeError(
                "--actions anthropic needs the package anthropic: run with `uv run --with anthropic`"
            ) from None
        address = {"base_url": args.base_url.removesuffix("/v1")} if args.base_url else {}
        key = {"api_key": play.model_address(model, args.base_url)[1]} if args.base_url else {}
        self._client = AsyncAnthropic(**address, **key)
        self._space = args.space
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
        self._messages = [m for m in session.prompt if m["role"] != "system"]
        self._request = {"model": model, "max_tokens": LONGEST_ANSWER, "betas": [beta]}
        self._request |= {"tools": [computer, *others], "metadata": {"user_id": assignment.label}}
        self._request |= {"system": "\n\n".join(system)} if system else {}

    async def ask(self) -> tuple[list[Action], str]:
        said = await self._client.beta.messages.create(messages=self._messages, **self._request)
        blocks = [block.model_dump(exclude_none=True) for block in said.content]
        self._messages += [{"role": "assistant", "content": blocks}]
        actions = []
        for block in (each for each in blocks if each["type"] == "tool_use"):
            calls = [(block["name"], block["input"])]
            if block["name"] == "computer":
                calls = computer_actions.of_anthropic(block["input"], self._space, self._pointer)
                self._pointer = block["input"].get("coordinate") or self._pointer
            actions.append(Action(block, calls))
        self._results: list[dict[str, Any]] = []
        return actions, "".join(block["text"] for block in blocks if block["type"] == "text")

    async def tell(self, action: Action, text: str, picture: dict[str, Any] | None) -> None:
        content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
        if picture and action.said["name"] == "computer":
            source = {
                "type": "base64",
                "media_type": picture["media_type"],
                "data": picture["data"],
            }
            content.append({"type": "image", "source": source})
        result = {"type": "tool_result", "tool_use_id": action.said["id"], "content": content}
        if not self._results:
            self._messages.append({"role": "user", "content": self._results})
        self._results.append(result)


class _Chat:
    """Chat completions: the environment's tools, or Qwen's one function for all of the screen."""

    def __init__(self, session: Any, model: str, assignment: Any, args: Any) -> None:
        self._qwen, self._space = args.actions == "qwen", args.space
        self._client = chat.connect(*play.model_address(model, args.base_url))
        tools = session.tools
        if self._qwen:
            tools = [
                computer_actions.qwen_function(self._space),
                *computer_actions.others("qwen", tools),
            ]
        self._messages = list(session.prompt)
        self._pointer: list[Any] = [part // 2 for part in self._space.size]
        self._request = {"model": model, "user": assignment.label}
        self._request["tools"] = [{"type": "function", "function": tool} for tool in tools]

    async def ask(self) -> tuple[list[Action], str | None]:
        from openai.types.chat import ChatCompletion

        body = {**self._request, "messages": self._messages}
        said = await self._client.post("/chat/completions", cast_to=ChatCompletion, body=body)
        if not getattr(said, "choices", None):
            raise ValueError(f"no chat completion, but {str(said)[:200]!r}")
        reply = said.choices[0].message
        self._messages.append(reply.model_dump(exclude_none=True))
        actions = []
        for call in reply.tool_calls or []:
            name, arguments = call.function.name, read_arguments(call.function.arguments)
            calls = [(name, computer_actions.placed(arguments, self._space))]
            if self._qwen and name == computer_actions.QWEN:
                calls = computer_actions.of_qwen(arguments, self._space, self._pointer)
                self._pointer = arguments.get("coordinate") or self._pointer
            actions.append(Action({"id": call.id, "type": "function_call"}, calls))
        return actions, reply.content

    async def tell(self, action: Action, text: str, picture: dict[str, Any] | None) -> None:
        blocks = [{"type": "text", "text": text}, *([picture] if picture else [])]
        self._messages += chat.tool_messages([(action.said["id"], blocks)])


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
