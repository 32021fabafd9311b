"""Lets a chat model play a session to its end. `skill-tools render` overwrites this file."""

import argparse
import functools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from importlib.metadata import version
from typing import Any

from openai import APIConnectionError, AsyncOpenAI
from openai.types.chat import ChatCompletion, ChatCompletionMessage

from . import env_spec, play
from .episode import read_arguments
from .play import Played

Answer = Callable[[ChatCompletionMessage, Played], Awaitable[list[dict[str, Any]]]]
"""Plays what a message says; returns the messages that answer it."""


async def chat(
    session: Any, model: str, assignment: play.Assignment, args: argparse.Namespace
) -> dict[str, Any]:
    """Let a model that calls tools play a session to its end; returns the trajectory.

    A session is an open episode, seen through a framework's own client: `prompt` and `tools`,
    `await call(tool, arguments)` with observation, reward, done and error, `await end()` with what
    stopping still pays, and `truncated`, whether a limit of the episode ended it.
    """

    async def answer(reply: ChatCompletionMessage, played: Played) -> list[dict[str, Any]]:
        if not reply.tool_calls:
            played.final_message, played.over = reply.content, True
            played.final_reward = await session.end()
            return []
        seen = []
        for call in reply.tool_calls:
            tool, arguments = call.function.name, read_arguments(call.function.arguments)
            step = {"tool": tool, "arguments": arguments, **await session.call(tool, arguments)}
            played.steps.append(step)
            play.show(model, assignment, step, args)
            seen.append((call.id, step["observation"]))
        played.over, played.truncated = played.steps[-1]["done"], session.truncated
        return tool_messages(seen)

    played = Played(session.prompt, session.tools)
    return await _loop(played, model, assignment, args, answer)


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
        played = Played(await run(session.open))
        return await _loop(played, model, assignment, args, answer)


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
    if not env_spec.BLOCKING:
        with closing(session):
            yield _directly
        return
    from .threads import EpisodeThread

    thread = EpisodeThread(session)
    try:
        yield thread.run
    finally:
        await thread.close()


async def _directly(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


async def _loop(
    played: Played,
    model: str,
    assignment: play.Assignment,
    args: argparse.Namespace,
    answer: Answer,
) -> dict[str, Any]:
    messages = list(played.prompt)
    request = {"model": model, "messages": messages, "user": assignment.label}
    if played.tools:
        request["tools"] = [{"type": "function", "function": tool} for tool in played.tools]
    client = connect(*play.model_address(model, args.base_url))
    try:
        while not played.over:
            # Not `create`, which looks at the types of the whole conversation each time.
            said = await client.post("/chat/completions", cast_to=ChatCompletion, body=request)
            if not getattr(said, "choices", None):  # a page of a proxy, say
                raise ValueError(f"no chat completion, but {str(said)[:200]!r}")
            reply = said.choices[0].message
            messages += [reply.model_dump(exclude_none=True), *await answer(reply, played)]
    except Exception as error:  # noqa: BLE001 - what was played before it is kept
        played.steps += getattr(error, "steps", ())
        played.failure = play.failure_of(error)
        if isinstance(error, APIConnectionError):  # it does not say of what
            played.failure["message"] += f" ({client.base_url})"
    return play.trajectory(model, assignment, played)


@functools.cache
def connect(url: str, key: str) -> AsyncOpenAI:
    """One client for all episodes: each new one reads the certificate store again."""
    return AsyncOpenAI(base_url=url, api_key=key)


def tool_messages(seen: list[tuple[str, list[dict[str, Any]]]]) -> list[dict[str, Any]]:
    """What a turn's calls, by id, brought to see: tool messages, then user messages for the images.

    Chat endpoints take images from users only, and want all tool messages of a turn together.
    """
    answers, images = [], []
    for call_id, blocks in seen:
        text = "\n".join(block["text"] for block in blocks if block["type"] == "text")
        pictures = [block for block in blocks if block["type"] == "image"]
        urls = [f"data:{each['media_type']};base64,{each['data']}" for each in pictures]
        shown = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
        content = text or ("(an image follows)" if shown else "")
        answers.append({"role": "tool", "tool_call_id": call_id, "content": content})
        images += [{"role": "user", "content": shown}] if shown else []
    return answers + images
