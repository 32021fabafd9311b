"""Computer-use models, each in the API that it was trained on.

`--action-api` selects the API:

- `tools`: the environment's tools as functions
- `openai`: the computer tool of the Responses API
  (https://developers.openai.com/api/docs/guides/tools-computer-use)
- `anthropic`: the tool `computer_20251124` of the Messages API
  (https://platform.claude.com/docs/en/agents-and-tools/tool-use/computer-use-tool)
- `qwen`: the function `computer_use` of Qwen3-VL (https://github.com/QwenLM/Qwen3-VL) over chat completions

Tools for which an API has no action are offered as additional functions.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import Any

from ..models.replies import Reply
from ..rollouts import chat, command_line, play
from ..rollouts.play import Played
from .computer_apis import APIS
from .screen_space import Space, space

SPACES = {"tools": "pixels", "openai": "pixels", "anthropic": "pixels", "qwen": "thousandths"}
"""The APIs, and each one's coordinates unless `--coordinates` sets others."""

FAMILIES = {
    "openai": ("computer-use-preview", "gpt-", "o3", "o4"),
    "anthropic": ("claude-",),
    "qwen": ("qwen",),
}
"""Prefixes of the model names of an API, after an organisation's name and a slash."""


def parse_arguments(framework: str, url_variable: str) -> argparse.Namespace:
    """Read the command line: this module's options, and the options of every rollout."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    group = parser.add_argument_group("computer use")
    group.add_argument("--action-api", choices=SPACES, default="tools", help="the model's API")
    group.add_argument(
        "--coordinates", help="its coordinates: pixels, thousandths or a size as 640x480"
    )
    command_line.former_name(group, "--actions", "action_api", choices=SPACES)
    command_line.former_name(group, "--space", "coordinates")
    own, rest = parser.parse_known_args()
    if {"-h", "--help"} & set(rest):
        print(parser.format_help())
    sys.argv[1:] = rest
    args = command_line.parse(framework, url_variable)
    if own.action_api == "openai":
        for model in args.models.values():
            model.options = replace(model.options, api="responses")
    args.actions = own.action_api
    try:
        args.space = space(own.coordinates or SPACES[own.action_api])
    except ValueError as error:
        sys.exit(f"error: --coordinates: {error}")
    for model in args.model if not args.base_url else ():
        if problem := misfit(own.action_api, model):
            sys.exit(f"error: {problem}")
    return args


def misfit(actions: str, model: str) -> str:
    """Return the reason why an API does not suit a model, judging by the model's name, or "" if it may suit."""
    name = model.rpartition("/")[2].lower()
    families = {api for api, starts in FAMILIES.items() if name.startswith(starts)}
    if actions == "tools" and name.startswith("computer-use-preview"):
        return f"{model} takes no functions alone: use --action-api openai"
    if actions == "tools" or actions in families or (not families and actions == "qwen"):
        return ""
    instead = (
        f"use --action-api {min(families)}, or tools" if families else "use --action-api tools"
    )
    return f"--action-api {actions} is not for {model}: {instead} (or give --base-url)"


async def chat_or_act(
    session: Any, model: str, assignment: play.Assignment, args: argparse.Namespace
) -> dict[str, Any]:
    """Let a model play a session to its end through its API; return the trajectory."""
    if args.actions == "tools" and args.space.picture == args.space.size == space("pixels").size:
        return await chat.chat(session, model, assignment, args)
    played = Played(session.prompt, session.tools)
    api = APIS[args.actions](args.models[model], session, args)
    seen = _Screen(args.space)

    async def end() -> None:
        played.final_reward = await session.end()
        played.follow(session)

    async def answer(reply: Reply) -> None:
        if not reply.calls:
            played.stop(reply)
            return await end()
        results = []
        for call, action in zip(reply.calls, api.actions(reply), strict=True):
            shown: list[dict[str, Any]] = []
            for tool, arguments in action.calls:
                step = {"tool": tool, "arguments": arguments}
                step |= await session.call(tool, arguments)
                played.steps.append(step)
                play.show(model, assignment, step, args)
                seen.take(step["observation"])
                shown = step["observation"]
                if step["done"]:
                    break
            played.over = played.steps[-1]["done"]
            results.append((call, shown, len(played.steps) - 1))
            if played.over:
                break
            api.tell(action, *await seen.after(session, played, action.needs_picture))
        played.follow(session)
        return played.conversation.note(results)

    return await chat.recorded(played, api, assignment, answer, end)


class _Screen:
    """The screen content for a model: the texts since the last report, and the last picture."""

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
        """Return the texts since the last call, and the last picture.

        If ``wanted`` is true and no picture exists yet, request a screenshot first.
        """
        if wanted and self._picture is None:
            step = {"tool": "screenshot", "arguments": {}, **await session.call("screenshot", {})}
            played.steps.append(step)
            played.over = step["done"]
            self.take(step["observation"])
        texts, self._texts = self._texts, []
        return "\n".join(texts), self._picture
