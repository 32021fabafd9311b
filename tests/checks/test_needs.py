"""What a check may rely on: it reads what it needs, and it needs what it reads."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import partial
from types import FunctionType

import pytest

from skill_tools.checks import CHECKS, needs
from skill_tools.checks.check import Check
from skill_tools.checks.needs import MAX_TURNS, PROBED, REWARD_RANGE, Need
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory, return_of
from tests.over import over

NAMES = {id(need): name for name, need in vars(needs).items() if isinstance(need, Need)}
ROOMS = tuple(f"skill_tools.checks.{name}" for name in ("reading", "rules", "tables"))
IMPLIED = {"SECRETS": "HIDDEN", "WITH_TASKS": "TASKS", "SOAK": "PROBED", "TRIED": "PROBED"}
"""What is there where another need is met; each probe implies that anything was probed."""


def test_what_is_needed_is_what_was_declared_or_seen() -> None:
    declared = Declaration(name="counter", reward_range=(-1.0, 1.0), max_turns=0)
    assert REWARD_RANGE.of(Evidence(declared)) == (-1.0, 1.0)
    assert MAX_TURNS.of(Evidence(declared)) == 0


def test_what_is_not_there_is_named_to_who_reads_it_all_the_same() -> None:
    nothing = Evidence(Declaration(name="counter"))
    for need in (REWARD_RANGE, PROBED):
        with pytest.raises(AssertionError, match=f"^{need.name} is missing"):
            need.of(nothing)


def test_a_failed_episode_has_no_return_to_compute_with() -> None:
    played = Trajectory(model="oracle", label="a", end="terminated", total=0.0)
    assert return_of(played) == 0.0
    with pytest.raises(ValueError, match="no return"):
        return_of(played.model_copy(update={"end": "failed", "total": None}))


@pytest.mark.everything("costly")
@over("check", CHECKS.values(), ids=CHECKS)
def test_a_check_needs_what_it_reads(check: Check) -> None:
    needed = {NAMES.get(id(need), "PROBED") for need in check.needs}
    needed |= {IMPLIED[name] for name in needed & IMPLIED.keys()}
    assert isinstance(check.function, FunctionType)
    # Of an engine also what its rows read: the functions that they were given.
    given = check.find.args if isinstance(check.find, partial) else ()
    functions = [check.function, *_functions(given)]
    needed |= {NAMES.get(id(need), "PROBED") for need in _row_needs(given)}
    assert {name for each in functions for name in _read(each, set())} <= needed


def _row_needs(row: object) -> Iterator[Need[object]]:
    """What the rows of an engine need, each of which is left out without it."""
    for part in row if isinstance(row, tuple | list) else ():
        yield from getattr(part, "needs", ())
        yield from _row_needs(part)


def _functions(row: object) -> Iterator[FunctionType]:
    """The functions in a row of an engine, which may hold further rows."""
    if isinstance(row, FunctionType):
        yield row
    elif isinstance(row, tuple | list):
        yield from (each for part in row for each in _functions(part))
    elif is_dataclass(row) and not isinstance(row, Need | type):
        yield from _functions(list(vars(row).values()))


def _read(function: FunctionType, known: set[FunctionType]) -> Iterator[str]:
    """The needs that a function of the checks reads, and those that it calls; not where it asks first."""
    known.add(function)
    module = sys.modules[function.__module__]
    if function.__name__ == "<lambda>":  # its source is a part of a row
        names = function.__code__.co_names
        yield from (name for name in names if isinstance(getattr(module, name, None), Need))
        return
    nodes = list(ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))))
    uses = [
        (node.value.id, node.attr)
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if isinstance(getattr(module, node.value.id, None), Need)
    ]
    yield from (name for name, use in uses if use == "of" and (name, "unmet") not in uses)
    for node in nodes:
        other = getattr(module, node.id, None) if isinstance(node, ast.Name) else None
        ours = isinstance(other, FunctionType) and other.__module__.startswith(ROOMS)
        if ours and other not in known:
            yield from _read(other, known)
