"""Run programs on inputs and report their results, in a separate process with a fork per program.

The command is ``run_programs.py TASKS RESULTS SECONDS``; the script imports only the standard library. A line
of TASKS is ``{"programs": [source], "inputs": [{"before", "ask"} or {"stdin"}]}``, in which the first program
is the right one. A line of RESULTS has a list for each program: [kind, normal form, notation] by input, and
kind is "value", "raised" or "late". An input is null for all programs if the right program raises, is slow,
or returns another result in a second run.
"""

import builtins
import contextlib
import io
import itertools
import json
import math
import os
import random
import resource
import select
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NoReturn

INPUT_SECONDS = 0.25
"""Seconds for one input: a usual example takes a thousandth of a second."""
SLOW = 0.1
"""Seconds of the right program above which an input is left out: mutants are slower."""
PROGRAM_SECONDS = 4.0
"""Seconds for all inputs of one program."""
MEMORY = 1 << 30
"""Maximum bytes of memory for a program."""
FILE = 1 << 20
"""Maximum bytes that a program may write to a file."""
ITEMS = 50
"""Maximum items of an iterator."""
DEEP = 12
"""Maximum levels of a result to compare."""
WRITTEN = 400
"""Maximum characters of a value to report; a longer one is left out."""
TEXT = 20_000
"""Maximum characters of printed text to compare."""


Input = dict[str, str]
"""An input: ``{"before", "ask"}`` or ``{"stdin"}``."""
Found = list[Any]
"""A program's result on an input: the kind, the normal form, the notation, and the seconds."""


class TooLong(BaseException):
    """Error for an input that took too long.

    This is a BaseException so that a program's ``except Exception`` does not catch it.
    """


def main(tasks: str, results: str, seconds: str) -> None:
    """Run the programs of each task and write one line per task, until the time is up."""
    until = time.monotonic() + float(seconds)
    with (
        Path(tasks).open(encoding="utf-8") as asked,
        Path(results).open("w", encoding="utf-8") as told,
    ):
        for line in asked:
            if time.monotonic() > until:
                return
            told.write(json.dumps(run_task(json.loads(line), until)) + "\n")
            told.flush()


def run_task(task: dict[str, Any], until: float) -> list[list[Found | None]]:
    """Return the results of each program on the inputs for which the right program always gives the same result."""
    programs, inputs = task["programs"], task["inputs"]
    first, again = (run_apart(programs[0], inputs, patient=True) for _ in range(2))
    steady = [
        one is not None
        and two is not None
        and one[0] == "value"
        and one[:2] == two[:2]
        and one[3] < SLOW
        for one, two in zip(first, again, strict=True)
    ]
    asked = [each for each, use in zip(inputs, steady, strict=True) if use]
    found = []
    for program in programs[1:] if asked else []:
        if time.monotonic() > until:
            break
        found.append(run_apart(program, asked))
    right = [one[:3] for one, use in zip(first, steady, strict=True) if one and use]
    lines = [right, *([(each[:3] if each else ["late", "", ""]) for each in one] for one in found)]
    return [spread_out(line, steady) for line in lines]


def spread_out(line: Sequence[Found], steady: Sequence[bool]) -> list[Found | None]:
    """Return the results at the positions of their inputs, with None for each input that was left out."""
    left = iter(line)
    return [next(left) if use else None for use in steady]


def run_apart(program: str, inputs: Sequence[Input], patient: bool = False) -> list[Found | None]:
    """Run a program in a forked process and return its results. Inputs that the process did not reach give None."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        work(program, inputs, writing, patient)
    os.close(writing)
    until, said = time.monotonic() + PROGRAM_SECONDS + 1.0, b""
    while (left := until - time.monotonic()) > 0:
        if not select.select([reading], [], [], left)[0]:
            break
        part = os.read(reading, 1 << 16)
        if not part:
            break
        said += part
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(reading)
    found: list[Found] = []
    for line in said.split(b"\n")[:-1]:
        try:
            found.append(json.loads(line))
        except ValueError:
            break
    found = found[: len(inputs)]
    return [*found, *[None] * (len(inputs) - len(found))]


def work(program: str, inputs: Sequence[Input], writing: int, patient: bool) -> NoReturn:
    """Run a program on the inputs and write a line for each input; this function runs in the fork.

    If ``patient`` is false, stop at the first late input.
    """
    os.setpgid(0, 0)
    limits = (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, FILE),
        (resource.RLIMIT_CORE, 0),
    )
    for what, most in limits:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, too_long)
    sys.setrecursionlimit(1000)
    until = time.monotonic() + PROGRAM_SECONDS
    # The program cannot change these references.
    write, dumps, stop, clock = os.write, json.dumps, os._exit, time.monotonic
    timer, real, plain_of = signal.setitimer, signal.ITIMER_REAL, plain
    try:
        code = compile(program, "<program>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        stop(0)
    for each in inputs:
        left = until - clock()
        if left <= 0:
            break
        began = clock()
        try:
            try:
                timer(real, min(INPUT_SECONDS, left))
                found = run_text(code, each) if "stdin" in each else run_call(code, each)
                if found[0] == "value":
                    found = ["value", dumps(plain_of(found[1], 0)), written(found[1])]
            finally:
                timer(real, 0)
        except TooLong:
            found = ["late", "", ""]
        except BaseException as error:  # noqa: BLE001 - the program may raise anything
            found = ["raised", type(error).__name__, ""]
        line = dumps([*found, clock() - began]).encode() + b"\n"
        while line:
            line = line[write(writing, line) :]
        if found[0] == "late" and not patient:
            break
    stop(0)


def too_long(number: int, frame: FrameType | None) -> NoReturn:
    """Handle the alarm signal, which means that the time for an input is over."""
    raise TooLong


def run_call(code: CodeType, asked: Input) -> Found:
    """Return the value of an expression, evaluated in a program's namespace after some statements."""
    random.seed(0)
    names: dict[str, Any] = {"__name__": "solution", "__builtins__": builtins}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        exec(code, names)  # noqa: S102 - a fork is there to run it
        exec(compile(asked["before"], "<before>", "exec"), names)  # noqa: S102
        value = eval(compile(asked["ask"], "<ask>", "eval"), names)
        if hasattr(value, "__next__"):
            value = list(itertools.islice(value, ITEMS))
    return ["value", value]


def run_text(code: CodeType, asked: Input) -> Found:
    """Return the output and the exit status of a script that reads a text."""
    random.seed(0)
    with tempfile.TemporaryFile() as given:
        given.write(asked["stdin"].encode())
        given.seek(0)
        os.dup2(given.fileno(), 0)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - the script reads it
        kept = io.BytesIO()
        printed = io.TextIOWrapper(kept, encoding="utf-8", write_through=True)
        status: str | int = 0
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            try:
                exec(code, {"__name__": "__main__"})  # noqa: S102
            except SystemExit as end:
                status = end.code or 0
    if status:
        return ["raised", "SystemExit", ""]
    text = kept.getvalue().decode("utf-8", "replace")[:TEXT]
    return ["value", "\n".join(line.rstrip() for line in text.rstrip().split("\n"))]


def written(value: object) -> str:
    """Return a value in Python's notation; "" if the notation is long."""
    text = repr(value)
    return text if len(text) <= WRITTEN else ""


def plain(value: object, depth: int) -> object:
    """Return a value in a normal form, which is the same for values that tests treat as equal.

    Examples are 1, 1.0 and True, or a list and a tuple.
    """
    if depth > DEEP:
        return "deep"
    if isinstance(value, (bool, int)):
        return int(value) if abs(value) < 1 << 62 else str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return ["float", repr(value)]
        short = float(f"{value:.6g}")
        return int(short) if short == int(short) else short
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(each, depth + 1) for each in value]
    if isinstance(value, dict):
        pairs = [[plain(name, depth + 1), plain(each, depth + 1)] for name, each in value.items()]
        return ["dict", sorted(pairs, key=json.dumps)]
    if isinstance(value, (set, frozenset)):
        return ["set", sorted((plain(each, depth + 1) for each in value), key=json.dumps)]
    return [type(value).__name__, repr(value)]


if __name__ == "__main__":
    main(*sys.argv[1:])
