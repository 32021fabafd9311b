"""Let a chat model play a session to its end."""

import argparse
import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from importlib.metadata import version
from typing import Any

from .. import env_spec
from ..models import deadline
from ..models.model_server import ContextFull, ServerFailed
from ..models.replies import Call, Reply
from ..tool_rules import MESSAGE
from ..visible_text import visible
from . import command_line, play
from .play import Played

Answer = Callable[[Reply], Awaitable[None]]
"""A function that executes the calls of a message, and adds the results to the conversation."""
STOP = "<end_episode/>"
"""The text that a model writes to stop, in text-action variants."""
GRACE = 30.0
"""Seconds that a world has to end an episode whose time is over."""


async def chat(
    session: Any, model: str, assignment: play.Assignment, args: argparse.Namespace
) -> dict[str, Any]:
    """Let a model with tool calls play a session to its end, and return the trajectory.

    A session is an open episode, accessed through a framework's own client. It has `prompt` and `tools`. `await
    call(tool, arguments)` returns observation, reward, done and error, and so does `await message(text)` if
    messages are actions. `await end()` returns the final reward for stopping. `truncated` is whether a limit of
    the episode ended it, and `metrics` has the metrics that env.yaml declares.
    """
    played = Played(session.prompt, session.tools)

    async def end() -> None:
        played.final_reward = await session.end()
        played.follow(session)

    async def answer(reply: Reply) -> None:
        step: dict[str, Any]
        if env_spec.MESSAGE and (env_spec.WITH_CALLS or not reply.calls):
            calls = [{"name": call.name, "arguments": call.arguments} for call in reply.calls]
            beside = {"calls": calls} if env_spec.WITH_CALLS else {}
            step = {"tool": MESSAGE, "arguments": {"text": visible(reply.text), **beside}}
            step |= await session.message(reply.text, calls)
            played.steps.append(step)
            play.show(model, assignment, step, args)
            played.over = step["done"]
            played.follow(session)
            played.conversation.reply(step["observation"], len(played.steps) - 1)
            return
        if not reply.calls:
            played.stop(reply)
            await end()
            return
        seen: list[tuple[Call, list[dict[str, Any]]]] = []
        for call in reply.calls:
            step = {"tool": call.name, "arguments": call.arguments}
            step |= await session.call(call.name, call.arguments)
            played.steps.append(step)
            play.show(model, assignment, step, args)
            seen.append((call, step["observation"]))
        played.over = played.steps[-1]["done"]
        played.follow(session)
        played.conversation.answer(seen)

    return await recorded(played, args.models[model], assignment, answer, end)


async def converse(
    session: Any, model: str, assignment: play.Assignment, args: argparse.Namespace
) -> dict[str, Any]:
    """Let a model that only writes text play a session to its end, and return the trajectory.

    A session is an environment that reads actions from text, for one episode. `open()` returns the opening
    messages, `say(message, played)` returns the next observation, and `close()` ends the session. If messages are
    actions, `stop(played)` ends the episode without a message.
    """
    async with _runner(session) as run:
        played = Played(await run(session.open))

        async def answer(reply: Reply) -> None:
            before = len(played.steps)
            observation = await run(session.say, reply.text, played)
            for step in played.steps[before:]:
                play.show(model, assignment, step, args)
            if played.over and not (played.steps and played.steps[-1]["done"]):
                played.final_message = reply.text
            pictures = [
                f"#/steps/{number}/observation/{at}"
                for number, step in enumerate(played.steps[before:], before)
                for at, block in enumerate(step["observation"])
                if block["type"] == "image"
            ]
            played.conversation.say(observation, pictures)

        async def end() -> None:
            if env_spec.MESSAGE:
                await run(session.stop, played)
            else:
                await run(session.say, STOP, played)

        return await recorded(played, args.models[model], assignment, answer, end)


async def take_turns(
    played: Played,
    model: Any,
    label: str,
    answer: Answer,
    end: Callable[[], Any],
    sample: int = 0,
) -> None:
    """Request messages and play them until the world or a limit ends the episode.

    The outcome depends on the cause. If a conversation fills the model's context, or a model is still writing at
    its deadline, the episode ends with a score. Errors of the world are raised, and so is ServerFailed if a
    server still refuses at the deadline.

    Args:
        model: A `Model`, or an object with the same interface.
    """
    until = deadline.deadline()
    while not played.over:
        turns = len(played.conversation.turns)
        try:
            async with asyncio.timeout_at(until):
                reply = await model.ask(played.conversation, played.tools, label, sample)
        except ContextFull as full:
            if not turns:
                raise ServerFailed(
                    f"prompt and tools do not fit into the context: {full}"
                ) from full
            played.limit = "context_full"
        except TimeoutError:
            if not turns:
                raise TimeoutError(f"the model gave no answer in time ({model.url})") from None
            played.limit = "time"
        else:
            before = len(played.steps)
            try:
                async with asyncio.timeout_at(until):
                    await answer(reply)
            except TimeoutError:
                raise TimeoutError("the environment gave no answer in time") from None
            played.conversation.turns[-1]["steps"] = len(played.steps) - before
            continue
        played.over = True
        async with asyncio.timeout(GRACE):
            await end()


def main(
    title: str, framework: str, distribution: str, session: Callable[[play.Assignment], Any]
) -> int:
    """Play sessions through `converse` as the command line states, and return the exit code."""

    def program() -> int:
        args = command_line.parse(title)

        async def play_one(model: str, assignment: play.Assignment) -> dict[str, Any]:
            return await converse(session(assignment), model, assignment, args)

        return play.run(framework, {distribution: version(distribution)}, args, play_one)

    return play.interruptible(program)


async def recorded(
    played: Played,
    model: Any,
    assignment: play.Assignment,
    answer: Answer,
    end: Callable[[], Any],
) -> dict[str, Any]:
    """Play an episode to its end, and return its trajectory. An error is recorded together with the steps before it."""
    try:
        await take_turns(played, model, assignment.label, answer, end, assignment.sample)
    except Exception as error:  # noqa: BLE001 - what was played before it is kept
        played.steps += getattr(error, "steps", ())
        played.failure = play.failure_of(error)
    return play.trajectory(model.name, assignment, played)


@asynccontextmanager
async def _runner(session: Any) -> AsyncIterator[Callable[..., Awaitable[Any]]]:
    """Yield a function that calls a session's functions, in their own thread if they block. The session is closed at
    the end."""
    if not env_spec.BLOCKING:
        with closing(session):
            yield _directly
        return
    from ..servers.threads import EpisodeThread

    thread = EpisodeThread(session)
    try:
        yield thread.run
    finally:
        await thread.close()


async def _directly(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)
