"""Lets a chat model play a session to its end. `skill-tools render` overwrites this file."""

import argparse
import functools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionMessage

from . import env_spec, play
from .episode import read_arguments


@dataclass
class Played:
    """What came of a session so far; `over` when no further message is asked for."""

    steps: list[dict[str, Any]] = field(default_factory=list)
    final_reward: float = 0.0
    final_message: str | None = None
    truncated: bool | None = None
    failure: dict[str, str] | None = None
    over: bool = False


Answer = Callable[[ChatCompletionMessage, Played], Awaitable[list[dict[str, Any]]]]
"""Plays what a message says; returns the messages that answer it."""


async def chat(
    session: Any, model: str, assignment: play.Assignment, args: argparse.Namespace
) -> dict[str, Any]:
    """Let a model that calls tools play a session to its end; returns the trajectory.

    A session is an open episode, seen through a framework's own client: `prompt` and `tools`,
    `await call(tool, arguments)` with observation, reward, done and error, `await end()` with what
    stopping still pays, and where it is known `truncated`, whether the turn limit ended it.
    """

    async def answer(reply: ChatCompletionMessage, played: Played) -> list[dict[str, Any]]:
        if not reply.tool_calls:
            played.final_message, played.over = reply.content, True
            played.final_reward = await session.end()
            return []
        answers: list[dict[str, Any]] = []
        images: list[dict[str, Any]] = []
        for call in reply.tool_calls:
            tool, arguments = call.function.name, read_arguments(call.function.arguments)
            step = {"tool": tool, "arguments": arguments, **await session.call(tool, arguments)}
            played.steps.append(step)
            play.show(model, assignment, step, args)
            message, shown = tool_messages(call.id, step["observation"])
            answers.append(message)
            images += shown
        played.over = played.steps[-1]["done"]
        played.truncated = getattr(session, "truncated", None)
        return answers + images

    return await _loop(session.prompt, session.tools, model, assignment, args, answer)


async def converse(
    session: Any, model: str, assignment: play.Assignment, args: argparse.Namespace
) -> dict[str, Any]:
    """Let a model that only writes text play a session to its end; returns the trajectory.

    A session is an environment that reads actions from text, for one episode: `open()` with the
    opening messages, `say(message, played)` with the next observation, and `close()`.
    """

    async def answer(reply: ChatCompletionMessage, played: Played) -> list[dict[str, Any]]:
        before = len(played.steps)
        observation = await run(session.say, reply.content or "", played)
        for step in played.steps[before:]:
            play.show(model, assignment, step, args)
        if played.over and not (played.steps and played.steps[-1]["done"]):
            played.final_message = reply.content
        return [{"role": "user", "content": observation}]

    async with _runner(session) as run:
        prompt = await run(session.open)
        return await _loop(prompt, [], model, assignment, args, answer)


def main(
    title: str, framework: str, distribution: str, session: Callable[[play.Assignment], Any]
) -> int:
    """Play sessions for `converse` as the command line asks; returns the exit code."""

    def program() -> int:
        args = play.parse_arguments(title)

        async def play_one(model: str, assignment: play.Assignment) -> dict[str, Any]:
            return await converse(session(assignment), model, assignment, args)

        return play.run(framework, {distribution: version(distribution)}, args, play_one)

    return play.interruptible(program)


@asynccontextmanager
async def _runner(session: Any) -> AsyncIterator[Callable[..., Awaitable[Any]]]:
    """What calls a session's functions: in a thread of its own if they block; closes it at the end."""
    if env_spec.BLOCKING:
        from .threads import EpisodeThread

        thread = EpisodeThread(session)
        try:
            yield thread.run
        finally:
            await thread.close()
        return

    async def run(function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    try:
        yield run
    finally:
        session.close()


async def _loop(
    prompt: list[dict[str, Any]],
    tools: list[dict[str, Any]],
    model: str,
    assignment: play.Assignment,
    args: argparse.Namespace,
    answer: Answer,
) -> dict[str, Any]:
    played, messages = Played(), list(prompt)
    callable_tools = [{"type": "function", "function": tool} for tool in tools]
    request = {"model": model, "messages": messages, "user": assignment.label}
    request |= {"tools": callable_tools} if tools else {}
    client = _client(*play.model_address(model, args.base_url))
    try:
        while not played.over:
            completion = await client.chat.completions.create(**request)
            reply = completion.choices[0].message
            messages.append(reply.model_dump(exclude_none=True))
            messages += await answer(reply, played)
    except Exception as error:  # noqa: BLE001 - what was played before it is kept
        played.steps += getattr(error, "steps", ())
        played.failure = play.failure_of(error)
    found = {name: value for name, value in vars(played).items() if name != "over"}
    return play.trajectory(model, assignment, prompt=prompt, tools=tools, **found)


@functools.cache
def _client(url: str, key: str) -> AsyncOpenAI:
    # One for all episodes: each new client reads the certificate store again.
    return AsyncOpenAI(base_url=url, api_key=key)


def tool_messages(
    call_id: str, blocks: list[dict[str, Any]]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The tool message of an observation, and user messages for its images.

    Chat endpoints take images from users only, and want all tool messages of a turn together.
    """
    text = "\n".join(block["text"] for block in blocks if block["type"] == "text")
    content = [
        {"type": "image_url", "image_url": {"url": f"data:{b['media_type']};base64,{b['data']}"}}
        for b in blocks
        if b["type"] == "image"
    ]
    note = "(an image follows)" if content else ""
    answer = {"role": "tool", "tool_call_id": call_id, "content": text or note}
    return answer, [{"role": "user", "content": content}] if content else []
