"""Find branches that test for a named value and that no episode takes; runs in the child process."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from skill_tools_jobs import Calls, Json, Request, random_play, runs, survey
from skill_tools_jobs.deadline import Deadline, Limit
from skill_tools_jobs.episodes import module, solve, splits

MORE_TASKS = 60
"""Maximum further tasks for the oracle: a rare kind of task is in one of twenty."""
TraceFunction = Callable[[FrameType, str, object], Any]


class Lines:
    """A record, keyed by file, of the lines of the author's code that ran. The modules ``others`` are left out.

    A function is traced only until all of its lines have run. After that, it is as fast as without tracing.
    """

    def __init__(self, folder: str, others: set[str]) -> None:
        self._folder, self._others = folder, others
        self._left: dict[CodeType, set[int]] = {}
        self.ran: dict[str, set[int]] = {}

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Record the lines of the author's code that run within the block."""
        sys.settrace(self._begin)
        try:
            yield
        finally:
            sys.settrace(None)

    def _begin(self, frame: FrameType, event: str, _: object) -> TraceFunction | None:
        code = frame.f_code
        if code not in self._left:
            path = Path(code.co_filename)
            ours = path.is_relative_to(self._folder) and path.stem not in self._others
            self._left[code] = {line for *_, line in code.co_lines() if line and ours}
        left = self._left[code]
        if not left:
            return None
        ran = self.ran.setdefault(code.co_filename, set())

        def line(frame: FrameType, event: str, _: object) -> TraceFunction:
            ran.add(frame.f_lineno)
            left.discard(frame.f_lineno)
            return line

        return line(frame, event, _)


def reach(
    request: Request,
    most: int,
    drawn: list[Calls],
    scripts: list[tuple[str, int, Calls]],
    max_turns: int,
    limit: Limit,
) -> Json | None:
    """Play the oracle on various tasks, scripts and random calls, and report the branches that were not reached.

    If some were not reached, the oracle plays more tasks.

    Returns None if time ran out, because the result would vary between runs.

    Args:
        most: Maximum number of the oracle's tasks per split.
        drawn: Lists of random calls, each of which is played on all tasks.
        scripts: Scripts, each as a tuple of split, index and calls.
    """
    table, left = splits(request), Deadline(**limit)
    module(request, request["domain"][0])
    places = survey.various_places(table, most, {})
    lines, count = Lines(request["folder"], {request["oracle"][0], request.get("tasks", "")}), 0
    for split, index in places:
        if left:
            count += 1
            with suppress(Exception):  # other probes report an oracle's failures
                calls = solve(request, split, index)
                with lines.watched():
                    runs.play_alone(request, max_turns, split, index, None, calls)
    with lines.watched():
        for number, calls in enumerate(drawn, 1):
            for split, index in places:
                if left:
                    random_play.wander_one(request, split, index, max_turns, number, calls)
                    count += 1
        for split, index, calls in scripts:
            if left:
                runs.play_alone(request, max_turns, split, index, None, calls)
                count += 1
    if count < len(places) * (1 + len(drawn)) + len(scripts):
        return None
    rest = [place for place in survey.every_place(table) if place not in places]
    for split, index in [rest[at] for at in survey.spread(len(rest), MORE_TASKS)]:
        if not _untaken_in(lines):
            break
        if not left:
            return None
        count += 1
        with suppress(Exception), lines.watched():
            runs.play_alone(request, max_turns, split, index, None, solve(request, split, index))
    return {"untaken": _untaken_in(lines), "episodes": count}


def _untaken_in(lines: Lines) -> list[Json]:
    return [
        {"file": Path(name).name, **each}
        for name, ran in sorted(lines.ran.items())
        for each in _untaken(ast.parse(Path(name).read_text("utf-8")), ran)
    ]


def _untaken(tree: ast.Module, ran: set[int]) -> Iterator[Json]:
    """Yield branches that test for a named value and did not run, although their condition was evaluated."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and node.test.lineno in ran and _of_a_name(node.test):
            for suite, said in ((node.body, "never"), (node.orelse, "always")):
                if suite and not _ran(suite, ran) and not isinstance(suite[0], ast.Raise):
                    yield _branch(node.test, ast.unparse(node.test), said)
        elif isinstance(node, ast.Match) and node.lineno in ran:
            for case in node.cases:
                of_a_name = isinstance(case.pattern, ast.MatchValue) and _is_name(
                    case.pattern.value
                )
                raises = isinstance(case.body[0], ast.Raise)
                if of_a_name and not _ran(case.body, ran) and not raises:
                    said = f"{ast.unparse(node.subject)} == {ast.unparse(case.pattern)}"
                    yield _branch(case.pattern, said, "never")


def _branch(node: ast.expr | ast.pattern, condition: str, was: str) -> Json:
    return {"line": node.lineno, "condition": condition[:100], "was": was}


def _ran(suite: Sequence[ast.AST], ran: set[int]) -> bool:
    return any(getattr(node, "lineno", 0) in ran for each in suite for node in ast.walk(each))


def _of_a_name(test: ast.expr) -> bool:
    """Return whether a condition compares a value with one named value, such as a level."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    return isinstance(test.ops[0], ast.Eq | ast.NotEq) and _is_name(test.comparators[0])


def _is_name(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str) and bool(value.value)


JOBS = {"reach": reach}
