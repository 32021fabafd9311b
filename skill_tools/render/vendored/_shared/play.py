"""Command line, episodes and trajectory file of rollouts. `skill-tools render` overwrites this."""

import argparse
import asyncio
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import env_spec, episode, loopback, task_table

TRAJECTORY_FORMAT = 1
RECORDED = ("label", "split", "index", "seed", "max_turns")


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
        return f"{env_spec.NAME}/{place}/{self.seed}"


def parse_arguments(framework: str, url_variable: str | None = None) -> argparse.Namespace:
    """Read the command line; the arguments are the same in every variant."""
    loopback.spare()  # here, before any client is made
    parser = argparse.ArgumentParser(description=f"Roll out {env_spec.TITLE} on {framework}.")
    which = parser.add_argument_group("which episodes")
    which.add_argument("--split", default=task_table.splits()[0], choices=task_table.splits())
    which.add_argument("--index", default="0", help="task index or inclusive range: 3, 0-9")
    which.add_argument("--task", help="a task as JSON, instead of split and index")
    which.add_argument("--seed", type=int, help="default: the task's own seed")
    turns = os.environ.get("MAX_TURNS") or env_spec.MAX_TURNS
    which.add_argument("--max-turns", type=int, default=turns, help="default: MAX_TURNS, else all")
    model = parser.add_argument_group("which model")
    default = os.environ.get("ROLLOUT_MODEL")
    model.add_argument("--model", nargs="+", default=[default] if default else None)
    model.add_argument("--base-url", help="an OpenAI-compatible endpoint (key: ROLLOUT_API_KEY)")
    if url_variable:
        help_text = f"a running server (default: {url_variable}, else one is started)"
        parser.add_argument("--url", default=os.environ.get(url_variable), help=help_text)
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--episode-seconds", type=float, default=3600.0, help="then it has failed")
    name = time.strftime("trajectories-%Y%m%d-%H%M%S.jsonl")
    parser.add_argument("--output", type=Path, default=Path(name), help="a new file")
    parser.add_argument("--quiet", action="store_true", help="do not print the tool calls")
    args = parser.parse_args()
    if not args.model:
        parser.error("name a model with --model or ROLLOUT_MODEL")
    if not 1 <= args.max_turns <= (most := env_spec.MAX_TURNS):
        parser.error(f"--max-turns is {args.max_turns}; this environment allows 1 to {most}")
    if args.output.exists():
        parser.error(f"{args.output} exists; name a new file with --output")
    if args.concurrency < 1:
        parser.error(f"--concurrency is {args.concurrency}; it must be at least 1")
    try:
        args.assignments = _assignments(args)
    except (ValueError, LookupError) as error:
        parser.error(str(error.args[0]))
    for name in args.model:
        if why := loopback.unreachable(model_address(name, args.base_url)[0]):
            sys.exit(f"error: {why}")
    for secret in env_spec.SECRETS:
        if not os.environ.get(secret):
            sys.exit(f"error: {secret} is not set; this environment needs it")
    if env_spec.BACKEND != "none" and not (url_variable and args.url):  # else the server has them
        from .. import sandbox

        try:
            sandbox.backend()
        except sandbox.SandboxUnavailable as error:
            sys.exit(f"error: {error}")
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
        chosen = [(args.split, index, task_table.task_at(args.split, index)) for index in indices]
    seeds = (int(t.get("seed", 0)) if args.seed is None else args.seed for _, _, t in chosen)
    return [Assignment(*at, seed, args.max_turns) for at, seed in zip(chosen, seeds, strict=True)]


def model_address(model: str, base_url: str | None) -> tuple[str, str]:
    """Base URL and key for a model. Ends the program, naming the secret that is missing."""
    if base_url:
        return base_url, os.environ.get("ROLLOUT_API_KEY", "none")
    openai = ("https://api.openai.com/v1", "OPENAI_API_KEY")
    url, variable = ("https://router.huggingface.co/v1", "HF_TOKEN") if ":" in model else openai
    if key := os.environ.get(variable):
        return url, key
    sys.exit(f"error: {variable} is not set; {model} needs it (or give --base-url)")


@dataclass
class Played:
    """What came of an episode so far; `over` when no further message is asked for."""

    prompt: list[dict[str, Any]] = field(default_factory=list)
    tools: list[dict[str, Any]] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    final_reward: float = 0.0
    final_message: str | None = None
    truncated: bool = False
    failure: dict[str, str] | None = None
    over: bool = False


def trajectory(model: str, assignment: Assignment, played: Played) -> dict[str, Any]:
    """One episode as JSON data: a line of the trajectory file.

    `end` is terminated (the world ended it), truncated (a limit of the episode did), stopped (the model made no
    further call) or failed (the environment or the machinery broke: no score).
    """
    found = {
        name: value for name, value in vars(played).items() if name not in ("truncated", "over")
    }
    steps, failed = played.steps, played.failure is not None
    over = bool(steps) and steps[-1]["done"]
    ended = "truncated" if played.truncated else "terminated"
    return {
        "format": TRAJECTORY_FORMAT,
        "environment": env_spec.NAME,
        "model": model,
        "task_id": assignment.task.get("id"),
        **{name: getattr(assignment, name) for name in RECORDED},
        **found,
        "return": None if failed else sum(step["reward"] for step in steps) + played.final_reward,
        "end": "failed" if failed else ended if over else "stopped",
    }


def show(
    model: str, assignment: Assignment, step: dict[str, Any], args: argparse.Namespace
) -> None:
    """Print one tool call and what came back."""
    if args.quiet:
        return
    call = f"{step['tool']}({json.dumps(step['arguments'])})"
    print(f"[{model} {assignment.label}] {call}", flush=True)
    print("    " + episode.as_text(step["observation"], "[an image]").replace("\n", "\n    "))
    note = f" ({step['error']})" if step["error"] else ""
    print(f"    reward {step['reward']:g}, done {step['done']}{note}", flush=True)


Play = Callable[[str, Assignment], Awaitable[dict[str, Any]]]


def interruptible(program: Callable[[], int]) -> int:
    """Run a rollout program to its exit code; a signal or a lost server end it without traceback."""
    received = signal.SIGINT

    def interrupt(number: int, frame: Any) -> None:
        nonlocal received
        received = signal.Signals(number)
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as for what runs in the background
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)

    signal.signal(signal.SIGTERM, interrupt)  # else it would end before its worlds are closed
    try:
        return program()
    except KeyboardInterrupt:
        print("interrupted; what was played is in the trajectory file", file=sys.stderr)
        return 128 + received
    except ConnectionError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


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
                    async with asyncio.timeout(args.episode_seconds) as limit:
                        line = await play(model, assignment)
                except Exception as error:  # noqa: BLE001 - any failure is recorded as one
                    late = TimeoutError(f"no end after {args.episode_seconds:g} s")
                    failure = failure_of(late if limit.expired() else error)
                    line = trajectory(model, assignment, Played(failure=failure))
                line |= {"framework": framework, "versions": versions}
                line["seconds"] = round(time.perf_counter() - started, 4)
            output.write(json.dumps(line) + "\n")
            output.flush()
            failures += line["end"] == "failed"
            who = f"[{model} {assignment.label}]"
            if line["failure"]:
                print(f"{who} failed, no score: {line['failure']['message']}")
            elif not args.quiet:
                print(f"{who} {line['end']}, return {line['return']:g}")

        await asyncio.gather(*(one(m, a) for m in args.model for a in args.assignments))
    if not args.quiet:
        print(f"trajectories: {args.output}")
    if failures:
        count = len(args.model) * len(args.assignments)
        print(f"error: {failures} of {count} episodes failed; see {args.output}", file=sys.stderr)
    return 1 if failures else 0


def failure_of(error: Exception) -> dict[str, str]:
    """Why an episode has no score, with the end of its log."""
    log = "".join(traceback.format_exception(error))[-4000:]
    return {"kind": type(error).__name__, "message": str(error) or repr(error), "log": log}
