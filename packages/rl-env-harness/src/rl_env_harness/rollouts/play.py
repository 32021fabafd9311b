"""The episodes of a rollout: assignments, results so far, trajectories, and printed reports."""

import argparse
import asyncio
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from .. import env_spec
from ..arguments import clean, clean_all
from ..blocks import as_text
from ..models import deadline
from ..models.conversation import Conversation
from ..models.replies import Reply
from ..records import rollout_files, rollout_statistics

TRAJECTORY_FORMAT = 2
RECORDED = ("label", "split", "index", "seed", "max_turns", "sample")
AFTER = 60.0
"""Seconds after an episode's deadline that remain for closing the episode."""
PRINTED = 10_000
"""Maximum characters of an observation to print; the trajectory has all of them."""


@dataclass(frozen=True)
class Assignment:
    """One episode to play: the task, the seed, and the label that identifies the episode in requests and logs."""

    split: str | None
    index: int | None
    task: dict[str, Any]
    seed: int
    max_turns: int
    sample: int = 0

    @property
    def label(self) -> str:
        """Return the label that identifies the episode in every model request and in logs."""
        place = f"{self.split}/{self.index}" if self.split else str(self.task.get("id", "task"))
        again = f"#{self.sample}" if self.sample else ""
        return f"{env_spec.NAME}/{place}/{self.seed}{again}"


@dataclass
class Played:
    """An episode's results so far.

    Attributes:
        over: Whether the episode is over, so that no further message is requested.
        limit: The external limit that ended the episode: `context_full` or `time`.
        cut_off: Whether the last message, which has no call, was cut off before the model ended it.
        metrics, requests: Metrics and model requests that the framework reports, if env.yaml declares any."""

    prompt: list[dict[str, Any]] = field(default_factory=list)
    tools: list[dict[str, Any]] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    final_reward: float = 0.0
    final_message: str | None = None
    truncated: bool = False
    failure: dict[str, str] | None = None
    over: bool = False
    limit: str | None = None
    cut_off: bool = False
    metrics: dict[str, float] | None = None
    requests: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.conversation = Conversation(self.prompt)

    def follow(self, session: Any) -> None:
        """Copy the truncation, metrics and requests that a session reports for its episode."""
        self.truncated = session.truncated
        self.metrics = getattr(session, "metrics", None)
        self.requests = getattr(session, "requests", self.requests)

    def stop(self, reply: Reply) -> None:
        """End the episode because a reply has no call: the model stopped, or its reply was cut off."""
        self.final_message, self.cut_off, self.over = reply.text, reply.cut, True


Play = Callable[[str, Assignment], Awaitable[dict[str, Any]]]


def trajectory(model: str, assignment: Assignment, played: Played) -> dict[str, Any]:
    """Return one episode as JSON data: a line of the trajectory file.

    `end` is terminated (by the world), truncated (by `limit`), cut_off (the model's last message was cut off), stopped
    (the model made no further call) or failed (environment or infrastructure broke: the episode has no score)."""
    steps, failed = list(played.steps), played.failure is not None
    limit = None if failed else _limit(played)
    if failed:
        end = "failed"
    elif limit:
        end = "truncated"
    elif steps and steps[-1]["done"]:
        end = "terminated"
    else:
        end = "cut_off" if played.cut_off else "stopped"
    kept = ("prompt", "tools", "final_reward", "final_message", "failure")
    return {
        "format": TRAJECTORY_FORMAT,
        "environment": env_spec.NAME,
        "reward_range": env_spec.REWARD_RANGE,
        "best": None if env_spec.BEST_DIFFERS else env_spec.REWARD_RANGE[1],
        "model": model,
        "task_id": assignment.task.get("id"),
        **{name: getattr(assignment, name) for name in RECORDED},
        **{name: getattr(played, name) for name in kept},
        "steps": steps,  # its own copy: a late call must not add to them
        "messages": played.conversation.record(),
        "turns": list(played.conversation.turns),
        "return": None if failed else sum(step["reward"] for step in steps) + played.final_reward,
        **({"metrics": None if failed else played.metrics} if env_spec.METRICS else {}),
        **({"requests": list(played.requests)} if env_spec.MODELS else {}),
        "end": end,
        "limit": limit,
    }


def _limit(played: Played) -> str | None:
    """Return the limit that ended an episode, or None if no limit ended it."""
    if not played.truncated:
        return played.limit
    refused = sum(step["error"] is not None for step in played.steps)
    free = env_spec.MAX_REFUSALS
    return "refusals" if free is not None and refused >= free else "turns"


def show(
    model: str, assignment: Assignment, step: dict[str, Any], args: argparse.Namespace
) -> None:
    """Print one tool call and its result."""
    if args.quiet:
        return
    call = f"{step['tool']}({json.dumps(step['arguments'])})"
    text = as_text(step["observation"], "[an image]")
    if (left := len(text) - PRINTED) > 0:  # a blocked terminal must not delay the connection
        text = f"{text[:PRINTED]}\n[and {left} more characters]"
    text = text.replace("\n", "\n    ")
    note = f" ({step['error']})" if step["error"] else ""
    ended = f"reward {step['reward']:g}, done {step['done']}{note}"
    say(f"[{model} {assignment.label}] {call}\n    {text}\n    {ended}")


def say(text: str, stream: Any = None) -> None:
    """Print a text without ever raising an exception, because a closed or limited terminal must not stop an episode."""
    stream = stream or sys.stdout
    try:
        encoding = getattr(stream, "encoding", None) or "utf-8"
        print(text.encode(encoding, "backslashreplace").decode(encoding), file=stream, flush=True)
    except (OSError, ValueError):  # the reader is gone
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complain(text: str) -> None:
    """Print a text to standard error."""
    say(text, sys.stderr)


def interruptible(program: Callable[[], int]) -> int:
    """Run a rollout program and return its exit code. A signal or a lost server causes no traceback."""
    received = signal.SIGINT

    def interrupt(number: int, frame: Any) -> None:
        nonlocal received
        received = signal.Signals(number)
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as for background jobs
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)

    signal.signal(signal.SIGTERM, interrupt)  # otherwise it would end before its worlds are closed
    try:
        return program()
    except KeyboardInterrupt:
        complain(
            "interrupted; the trajectory file has all finished episodes: continue with --resume"
        )
        return 128 + received
    except ConnectionError as error:
        complain(f"error: {error}")
        return 1


def run(framework: str, versions: dict[str, str], args: argparse.Namespace, play: Play) -> int:
    """Play every model on every assignment concurrently; return the exit code."""
    return asyncio.run(run_async(framework, versions, args, play))


async def run_async(
    framework: str, versions: dict[str, str], args: argparse.Namespace, play: Play
) -> int:
    """Do the same as `run` inside a running event loop."""
    from ..models import preflight  # imported here: most of this module does not need it

    asked = next(iter(args.models.values())).options
    sampling = {**asked.sampling, **asked.extra}
    settings = {"framework": framework, "versions": versions, "sampling": sampling}
    output, lines = rollout_files.begin(args.output, args.resume)
    rollout_files.check(args.output, lines, {**settings, "environment": env_spec.NAME})
    done = {rollout_files.place(line) for line in lines}
    rows = [rollout_statistics.row(line) for line in lines]
    del lines  # including pictures
    left = [
        (model, at)
        for model in args.model
        for at in args.assignments
        if rollout_files.place({"model": model, "task_id": at.task.get("id"), **vars(at)})
        not in done
    ]
    if done:
        complain(f"{args.output} already has {len(done)} episodes; {len(left)} are left")
    elif not args.quiet:  # immediately, for the process that continues with it
        say(f"trajectories are kept in {args.output}")
    gate = asyncio.Semaphore(args.concurrency)
    clock = rollout_statistics.Clock(len(left))

    async def one(model: str, assignment: Assignment) -> None:
        async with gate:
            line = await _timed(play, model, assignment, args.episode_seconds)
        line |= settings | _best(assignment, args) | {"server": _server(args.models[model])}
        written = json.dumps(line)
        if "\\ud" in written:  # lone surrogates, which other JSON parsers refuse
            written = json.dumps(clean_all(line))
        rollout_files.add(output, written)
        rows.append(rollout_statistics.row(line))
        who, left_over = f"[{model} {assignment.label}]", clock.tick()
        if line["failure"]:
            say(f"{who} failed, no score: {line['failure']['message']}{left_over}")
        elif not args.quiet:
            why = f" ({line['limit']})" if line["limit"] else ""
            say(f"{who} {line['end']}{why}, return {line['return']:g}{left_over}")
        await preflight.look(args.models[model], line)

    with output:
        await _all_of([asyncio.ensure_future(one(model, at)) for model, at in left])
    found = rollout_statistics.of(rows)
    if args.json:
        say(json.dumps(found))
    shown = (*rollout_statistics.as_lines(found), f"trajectories: {args.output}")
    for text in () if args.quiet else shown:
        say(text)
    for text in rollout_statistics.warnings(rows):
        complain(f"warning: {text}")
    failures = sum(row["end"] == "failed" for row in rows)
    if failures:
        complain(f"error: {failures} of {len(rows)} episodes failed; see {args.output}")
    return 1 if failures else 0


async def _all_of(episodes: list[asyncio.Future[None]]) -> None:
    """Wait for all episodes. If storage is full, cancel the other episodes, close their worlds, and raise FullFile."""
    try:
        await asyncio.gather(*episodes)
    except rollout_files.FullFile:
        for each in episodes:
            each.cancel()
        await asyncio.gather(*episodes, return_exceptions=True)
        raise


async def _timed(play: Play, model: str, assignment: Assignment, seconds: float) -> dict[str, Any]:
    """Play an episode within its time limit. A hard limit ends the episode if its world is stuck."""
    started = time.perf_counter()
    deadline.end_in(seconds)
    try:
        async with asyncio.timeout(seconds + AFTER) as limit:
            line = await play(model, assignment)
    except Exception as error:  # noqa: BLE001 - any failure is recorded as one
        late = TimeoutError(f"no end after {seconds + AFTER:g} s")
        failure = failure_of(late if limit.expired() else error)
        line = trajectory(model, assignment, Played(failure=failure))
    return line | {"seconds": round(time.perf_counter() - started, 4)}


def _best(assignment: Assignment, args: argparse.Namespace) -> dict[str, Any]:
    """Return the task's maximum return as `best`, or an empty dict if all tasks have the same maximum."""
    if not env_spec.BEST_DIFFERS:
        return {}
    return {"best": args.bests.get(f"{assignment.split}/{assignment.index}")}


def _server(model: Any) -> dict[str, Any]:
    """Return the server's identity: the API, the address without secrets, and the model name that it reports."""
    scheme, _, rest = model.url.partition("?")[0].rpartition("://")
    address = f"{scheme}://{rest.rpartition('@')[2]}"
    return {"api": model.options.api, "url": address, **model.answered}


def failure_of(error: Exception) -> dict[str, str]:
    """Return the reason why an episode has no score, with the end of the error's traceback."""
    log = clean("".join(traceback.format_exception(error))[-4000:])
    return {"kind": type(error).__name__, "message": clean(str(error) or repr(error)), "log": log}
