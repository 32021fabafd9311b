"""Play episodes with any OpenAI-compatible model and write the trajectories down.

Rendered from env.yaml; `skill-tools render` overwrites it. The parts of a rollout that do not
depend on a framework: arguments, models, the chat loop, printing, the trajectory file.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import json
import math
import os
import socket
import sys
import threading
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from openai import AsyncOpenAI

from . import episode

TRAJECTORY_FORMAT = 1


@dataclass(frozen=True)
class Assignment:
    """One episode to play: which task, which seed, and the label that names it everywhere."""

    split: str | None
    index: int | None
    task: dict[str, Any]
    seed: int
    max_turns: int

    @property
    def label(self) -> str:
        """Sent with every model request, so that logs and scripted models can tell episodes apart."""
        place = f"{self.split}/{self.index}" if self.split else str(self.task.get("id", "task"))
        return f"{episode.NAME}/{place}/{self.seed}"


class Session(Protocol):
    """An open episode, seen through a framework's own client.

    It may have an attribute `truncated`: whether the turn limit, not the world, ended the episode.
    """

    prompt: list[dict[str, Any]]
    tools: list[dict[str, Any]]

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Play one tool call; returns observation, reward, done and error."""

    async def end(self) -> float:
        """End the episode because the model stopped; returns the reward that this still pays."""


def parse_arguments(framework: str, url_variable: str | None = None) -> argparse.Namespace:
    """Read the command line; the arguments are the same in every variant."""
    parser = argparse.ArgumentParser(description=f"Roll out {episode.TITLE} on {framework}.")
    which = parser.add_argument_group("which episodes")
    which.add_argument("--split", default=episode.splits()[0], choices=episode.splits())
    which.add_argument("--index", default="0", help="task index or inclusive range: 3, 0-9")
    which.add_argument("--task", help="a task as JSON, instead of split and index")
    which.add_argument("--seed", type=int, help="default: the task's own seed")
    which.add_argument("--max-turns", type=int, default=episode.MAX_TURNS)
    model = parser.add_argument_group("which model")
    default = os.environ.get("ROLLOUT_MODEL")
    model.add_argument("--model", nargs="+", default=[default] if default else None)
    model.add_argument("--base-url", help="an OpenAI-compatible endpoint (key: ROLLOUT_API_KEY)")
    if url_variable:
        help_text = f"a running server (default: {url_variable}, else one is started)"
        parser.add_argument("--url", default=os.environ.get(url_variable), help=help_text)
    parser.add_argument("--concurrency", type=int, default=8)
    name = time.strftime("trajectories-%Y%m%d-%H%M%S.jsonl")
    parser.add_argument("--output", type=Path, default=Path(name), help="a new file")
    parser.add_argument("--quiet", action="store_true", help="do not print the tool calls")
    args = parser.parse_args()
    if not args.model:
        parser.error("name a model with --model or ROLLOUT_MODEL")
    if not 1 <= args.max_turns <= episode.MAX_TURNS:
        parser.error(
            f"--max-turns is {args.max_turns}; this environment allows 1 to {episode.MAX_TURNS}"
        )
    if args.output.exists():
        parser.error(f"{args.output} exists; name a new file with --output")
    if args.concurrency < 1:
        parser.error(f"--concurrency is {args.concurrency}; it must be at least 1")
    try:
        args.assignments = _assignments(args)
    except (ValueError, LookupError) as error:
        parser.error(str(error.args[0]))
    for name in args.model:
        model_address(name, args.base_url)
    return args


def _assignments(args: argparse.Namespace) -> list[Assignment]:
    if args.task:
        task = json.loads(args.task)
        if not isinstance(task, dict):
            raise ValueError("--task must be a JSON object")
        chosen = [(None, None, task)]
    else:
        first, _, last = args.index.partition("-")
        if not (first.isdigit() and (last or first).isdigit()):
            raise ValueError(f"--index is {args.index!r}; write a number or a range such as 0-9")
        indices = range(int(first), int(last or first) + 1)
        if not indices:
            raise ValueError(f"--index is {args.index!r}; the range is empty")
        chosen = [(args.split, index, episode.task(args.split, index)) for index in indices]
    return [
        Assignment(split, index, task, _seed(args.seed, task), args.max_turns)
        for split, index, task in chosen
    ]


def _seed(given: int | None, task: dict[str, Any]) -> int:
    return int(task.get("seed", 0)) if given is None else given


def model_address(model: str, base_url: str | None) -> tuple[str, str]:
    """Base URL and key for a model. Ends the program, naming the secret that is missing."""
    if base_url:
        return base_url, os.environ.get("ROLLOUT_API_KEY", "none")
    if ":" in model:
        url, variable = "https://router.huggingface.co/v1", "HF_TOKEN"
    else:
        url, variable = "https://api.openai.com/v1", "OPENAI_API_KEY"
    key = os.environ.get(variable)
    if not key:
        sys.exit(f"error: {variable} is not set; {model} needs it (or give --base-url)")
    return url, key


async def chat(
    session: Session, model: str, assignment: Assignment, args: argparse.Namespace
) -> dict[str, Any]:
    """Let a chat model play a session to its end; returns the trajectory."""
    url, key = model_address(model, args.base_url)
    messages: list[dict[str, Any]] = list(session.prompt)
    tools = [{"type": "function", "function": tool} for tool in session.tools]
    steps: list[dict[str, Any]] = []
    final_reward, final_message = 0.0, None
    client, failure = _client(url, key), None
    try:
        while not (steps and steps[-1]["done"]):
            completion = await client.chat.completions.create(
                model=model, messages=messages, tools=tools, user=assignment.label
            )
            reply = completion.choices[0].message
            messages.append(reply.model_dump(exclude_none=True))
            if not reply.tool_calls:
                final_message, final_reward = reply.content, await session.end()
                break
            images: list[dict[str, Any]] = []
            for call in reply.tool_calls:
                tool, arguments = call.function.name, read_arguments(call.function.arguments)
                step = {"tool": tool, "arguments": arguments, **await session.call(tool, arguments)}
                steps.append(step)
                show(model, assignment, step, args)
                answer, shown = tool_messages(call.id, step["observation"])
                messages.append(answer)
                images += shown
            messages += images
    except Exception as error:  # noqa: BLE001 - what was played before it is kept
        failure = _failure(error)
    return trajectory(
        model,
        assignment,
        prompt=session.prompt,
        tools=session.tools,
        steps=steps,
        final_reward=final_reward,
        final_message=final_message,
        truncated=getattr(session, "truncated", None),
        failure=failure,
    )


@functools.cache
def _client(url: str, key: str) -> AsyncOpenAI:
    # One for all episodes: each new client reads the certificate store again.
    return AsyncOpenAI(base_url=url, api_key=key)


def read_arguments(text: str | None) -> dict[str, Any]:
    """A model's arguments as an object; text that is none is passed on for the world to refuse."""
    try:
        arguments = json.loads(
            text or "{}", parse_constant=_refuse, parse_float=_finite, parse_int=_bounded
        )
        # Half of a surrogate pair is valid JSON, but no client can send it on.
        json.dumps(arguments, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return {episode.UNPARSED: str(text)}
    return arguments if isinstance(arguments, dict) else {episode.UNPARSED: str(text)}


def _refuse(number: str) -> float:
    raise ValueError(f"{number} is not a JSON number")


def _bounded(number: str) -> int:
    _finite(number)
    return int(number)


def _finite(number: str) -> float:
    value = float(number)
    return value if math.isfinite(value) else _refuse(number)


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


def trajectory(
    model: str,
    assignment: Assignment,
    *,
    prompt: list[dict[str, Any]],
    tools: list[dict[str, Any]],
    steps: list[dict[str, Any]],
    final_reward: float = 0.0,
    final_message: str | None = None,
    truncated: bool | None = None,
    failure: dict[str, str] | None = None,
) -> dict[str, Any]:
    """One episode as JSON data: a line of the trajectory file.

    `end` is done (the world ended it), truncated (the turn limit did), stopped (the model made no
    further call) or failed (the environment or the machinery broke: no score).
    """
    over = bool(steps) and steps[-1]["done"]
    if truncated is None:
        counted = [step for step in steps if step["error"] != "episode_over"]
        truncated = over and len(counted) >= assignment.max_turns
    end = "failed" if failure else "stopped" if not over else "truncated" if truncated else "done"
    return {
        "format": TRAJECTORY_FORMAT,
        "environment": episode.NAME,
        "model": model,
        "label": assignment.label,
        "split": assignment.split,
        "index": assignment.index,
        "task_id": assignment.task.get("id"),
        "seed": assignment.seed,
        "max_turns": assignment.max_turns,
        "prompt": prompt,
        "tools": tools,
        "steps": steps,
        "final_message": final_message,
        "final_reward": final_reward,
        "return": None if failure else sum(step["reward"] for step in steps) + final_reward,
        "end": end,
        "failure": failure,
    }


def show(
    model: str, assignment: Assignment, step: dict[str, Any], args: argparse.Namespace
) -> None:
    """Print one tool call and what came back."""
    if args.quiet:
        return
    call = f"{step['tool']}({json.dumps(step['arguments'])})"
    print(f"[{model} {assignment.label}] {call}", flush=True)
    print("    " + episode.as_text(step["observation"]).replace("\n", "\n    "))
    note = f" ({step['error']})" if step["error"] else ""
    print(f"    reward {step['reward']:g}, done {step['done']}{note}", flush=True)


Play = Callable[[str, Assignment], Awaitable[dict[str, Any]]]


def run(framework: str, versions: dict[str, str], args: argparse.Namespace, play: Play) -> int:
    """Play every model on every assignment, several at once; returns the exit code."""
    return asyncio.run(run_async(framework, versions, args, play))


async def run_async(
    framework: str, versions: dict[str, str], args: argparse.Namespace, play: Play
) -> int:
    """As `run`, inside a running event loop."""
    gate = asyncio.Semaphore(args.concurrency)
    failures = 0
    args.output.parent.mkdir(parents=True, exist_ok=True)
    with args.output.open("w", encoding="utf-8") as output:

        async def one(model: str, assignment: Assignment) -> None:
            nonlocal failures
            async with gate:
                started = time.perf_counter()
                try:
                    line = await play(model, assignment)
                except Exception as error:  # noqa: BLE001 - any failure is recorded as one
                    line = _failed(model, assignment, error)
                line |= {"framework": framework, "versions": versions}
                line["seconds"] = round(time.perf_counter() - started, 4)
            output.write(json.dumps(line) + "\n")
            output.flush()
            failures += line["end"] == "failed"
            if line["failure"]:
                print(
                    f"[{model} {assignment.label}] failed, no score: {line['failure']['message']}"
                )
            elif not args.quiet:
                print(f"[{model} {assignment.label}] {line['end']}, return {line['return']:g}")

        await asyncio.gather(*(one(m, a) for m in args.model for a in args.assignments))
    if not args.quiet:
        print(f"trajectories: {args.output}")
    if failures:
        count = len(args.model) * len(args.assignments)
        print(f"error: {failures} of {count} episodes failed; see {args.output}", file=sys.stderr)
    return 1 if failures else 0


def _failed(model: str, assignment: Assignment, error: Exception) -> dict[str, Any]:
    return trajectory(model, assignment, prompt=[], tools=[], steps=[], failure=_failure(error))


def _failure(error: Exception) -> dict[str, str]:
    log = "".join(traceback.format_exception(error))[-4000:]
    return {"kind": type(error).__name__, "message": str(error) or repr(error), "log": log}


@contextlib.contextmanager
def serve(app: Any) -> Iterator[str]:
    """Serve an ASGI app on a free loopback port from a thread; yields its URL.

    A thread, not a child process: whatever ends this program ends the server too.
    """
    with serve_together([app]) as (url,):
        yield url


@contextlib.contextmanager
def serve_together(apps: Sequence[Any]) -> Iterator[list[str]]:
    """As `serve`, for apps that must share one event loop; yields their URLs in order."""
    import uvicorn

    listeners = [socket.create_server(("127.0.0.1", 0), backlog=4096) for _ in apps]
    servers = [
        uvicorn.Server(
            uvicorn.Config(app, log_level="warning", timeout_keep_alive=120, backlog=4096)
        )
        for app in apps
    ]

    async def serve_all() -> None:
        await asyncio.gather(*(s.serve([at]) for s, at in zip(servers, listeners, strict=True)))

    def run() -> None:
        with asyncio.Runner(loop_factory=servers[0].config.get_loop_factory()) as runner:
            runner.run(serve_all())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while not all(server.started for server in servers):
        if not thread.is_alive():
            raise RuntimeError("the server did not start; see the log above")
        time.sleep(0.005)
    try:
        yield [f"http://127.0.0.1:{listener.getsockname()[1]}" for listener in listeners]
    finally:
        for server in servers:
            server.should_exit = True
        thread.join(timeout=10)


class WrongServer(RuntimeError):
    """The server at the given URL is not this environment's."""


def check_server(url: str, found: Any) -> None:
    """Refuse to play against a server of another environment. Raises WrongServer."""
    if found != episode.NAME:
        raise WrongServer(f"the server at {url} serves {found!r}, not {episode.NAME!r}")
