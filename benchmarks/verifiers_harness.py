"""Verifiers rollouts: ours, and the default harness with a tool server per rollout.

Both sides are `vf-eval` on the same tasks, moves and policy endpoint, from start to end of the
command.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
from comparison import (
    TASKS,
    Row,
    Variant,
    game_script,
    listens,
    say,
    scratch_folder,
    show,
    variants,
    venvs_of_this_run,
    with_path,
)
from uv import find_uv_bin

from skill_tools.policies.loopback import HttpAnswer, HttpRequest
from skill_tools.policies.scripted import Script
from skill_tools.policies.server import ANY_LABEL, PolicyEndpoint
from skill_tools.runtime import supervise

SHARE = 0.1
RATE = 10.0
PORT_FILES = Path("/tmp")
LEAST_MEMORY = 2e9
"""Bytes; a run that leaves fewer is ended as if its time were up."""

RUNTIME = ("--env.agent.runtime.type", "subprocess")
DEFAULT = (*RUNTIME, "--env.agent.harness.id", "null")


class FirstCall(PolicyEndpoint):
    """A policy endpoint, which notes when it is first called."""

    def __init__(self, scripts: Mapping[str, Mapping[str, Script]]) -> None:
        super().__init__(scripts)
        self.at: float | None = None

    def answer(self, request: HttpRequest) -> HttpAnswer:
        """Note the time, and answer."""
        if self.at is None:
            self.at = time.perf_counter()
        return super().answer(request)


@dataclass(frozen=True)
class Run:
    """One vf-eval: how long it took, and how many rollouts have a score.

    seconds: of the whole command. playing: from its first model call on.
    """

    wanted: int
    done: int
    seconds: float
    playing: float
    steps: float
    cut: bool

    @property
    def rate(self) -> float:
        """Rollouts per second, once the command has started up."""
        return self.done / self.playing if self.playing else 0.0

    def __str__(self) -> str:
        took = f"{'more than ' if self.cut else ''}{self.seconds:.1f} s"
        return f"{took} ({self.done} of {self.wanted})"


def main() -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rollouts", type=int, default=64)
    parser.add_argument("--many", type=int, default=1024, help="0 leaves this run out")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for the default way")
    args = parser.parse_args()
    with scratch_folder() as scratch:
        [variant] = made = variants(scratch, "verifiers")
        models = {
            "bare": {ANY_LABEL: game_script()},
            "prefixed": {ANY_LABEL: game_script("connect_four_drop_piece")},
        }
        with venvs_of_this_run(made), no_port_files_left(), FirstCall(models) as endpoint:

            def run(taskset: str, model: str, count: int, limit: float, *options: str) -> Run:
                say(f"{count} rollouts of {taskset} at once")
                output = scratch / f"{taskset}-{count}"
                command = vf_eval(taskset, model, count, endpoint.base_url, output)
                return evaluate(variant, [*command, *options], count, output, limit, endpoint)

            few = run("connect-four", "bare", args.rollouts, args.limit)
            many = run("connect-four", "bare", args.many, args.limit) if args.many else None
            theirs = run("connect-four-by-hand", "prefixed", args.rollouts, args.limit, *DEFAULT)
    return show("Verifiers, one process", "null harness, tool server each", rows(few, many, theirs))


@contextmanager
def no_port_files_left() -> Iterator[None]:
    """Remove what tool servers left in /tmp when the block is left.

    Verifiers writes their ports there whatever TMPDIR says, and leaves the files. Somebody else's
    rollouts may write some at the same time, so only those go whose server is gone.
    """
    before = set(PORT_FILES.glob("vf-port-*"))
    try:
        yield
    finally:
        for path in set(PORT_FILES.glob("vf-port-*")) - before:
            with suppress(OSError, ValueError):
                if not listens(int(path.read_text())):
                    path.unlink()


def rows(few: Run, many: Run | None, theirs: Run) -> list[Row]:
    """The table."""
    ratio = few.seconds / theirs.seconds
    complete = few.done == few.wanted
    share = f"under 1/{1 / SHARE:.0f}"
    bound = f"{'under ' if theirs.cut else ''}1/{1 / ratio:.1f}"
    met = complete and ratio < SHARE
    # A run that was cut short bounds the ratio from above only: it shows a bar met, never missed.
    verdict = True if met else None if theirs.cut else False
    table = [
        Row(f"{few.wanted} rollouts at once", str(few), str(theirs), bound, share, verdict),
        Row("steps per game", f"{few.steps:.1f}", f"{theirs.steps:.1f}"),
    ]
    for run in filter(None, (few, many)):
        bar = f"at least {RATE:g}/s, all done"
        met = run.rate >= RATE and run.done == run.wanted
        what = f"rollouts per second once started, {run.wanted} at once"
        ours = f"{run.rate:.1f}/s ({run.done / run.seconds:.1f}/s with the start)"
        table.append(Row(what, ours, bar=bar, met=met))
    return table


def vf_eval(taskset: str, model: str, count: int, base_url: str, output: Path) -> list[str]:
    """The command's arguments for `count` rollouts, all at once."""
    each, rest = divmod(count, TASKS)
    if rest:
        raise SystemExit(f"error: {count} rollouts are not a multiple of {TASKS} tasks")
    return [
        *(taskset, "-n", str(TASKS), "-r", str(each), "-c", str(count)),
        *("--model", model, "--client.base-url", base_url),
        *("--no-push", "--no-rich", "-o", str(output)),
    ]


def evaluate(
    variant: Variant,
    arguments: Sequence[str],
    count: int,
    output: Path,
    limit: float,
    calls: FirstCall,
) -> Run:
    """Run vf-eval for at most `limit` seconds."""
    environment = with_path(variant.environment, Path(find_uv_bin()).parent)
    command = [*variant.venv.script("vf-eval"), *arguments]
    log = output.with_suffix(".log")
    with supervise.process(command, cwd=output.parent, env=environment, log=log) as it:
        started, calls.at = time.perf_counter(), None
        while it.running and time.perf_counter() - started < limit and not _short_of_memory():
            time.sleep(0.05)
        cut = it.running
        seconds = time.perf_counter() - started
        playing = started + seconds - calls.at if calls.at else 0.0
        result = it.terminate()
    scored = [trace for trace in _traces(output) if not trace.get("errors")]
    if not scored and not cut:
        raise RuntimeError(f"vf-eval ended with code {result.returncode}\n{result.log_tail}")
    steps = [trace["metrics"]["turns"] for trace in scored]
    mean = sum(steps) / len(steps) if steps else 0.0
    run = Run(count, len(scored), seconds, playing, mean, cut)
    say(f"{run}, of which {run.seconds - run.playing:.1f} s until the first model call")
    return run


def _short_of_memory() -> bool:
    """Whether the machine is about to have none left; a tool server takes about 200 MB."""
    return psutil.virtual_memory().available < LEAST_MEMORY


def _traces(output: Path) -> list[dict]:
    lines = [line for file in output.rglob("traces.jsonl") for line in file.open()]
    return [trace for line in lines for trace in json.loads(line)["traces"]]


if __name__ == "__main__":
    sys.exit(main())
