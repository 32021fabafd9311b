"""One test over a table: pytest reports each row that fails by its name, as a subtest."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

Test = Callable[..., None]


def over(
    argnames: str | Sequence[str],
    argvalues: Iterable[Any],
    *,
    ids: Callable[[Any], object] | Iterable[object] | None = None,
    few: int = 0,
    part: str = "",
) -> Callable[[Test], Test]:
    """Play a test for each row of a table, as ``pytest.mark.parametrize`` does, but as one item.

    It is for cheap rows: one worker plays all of them, and ``-k`` with a row's name selects the table. The rows
    share their fixtures, except for ``tmp_path``, which is an empty folder for each row.
    Of a costly table a plain run plays ``few`` rows, spread over it; the part plays all the others.
    """
    split = argnames.split(",") if isinstance(argnames, str) else argnames
    columns, rows = [name.strip() for name in split], [*argvalues]
    cases = [_case(columns, row) for row in rows]
    given = [*map(ids, rows)] if callable(ids) else ids or [None] * len(cases)
    named = [
        (str(name or own or _label(values)), values)
        for name, (own, values) in zip(given, cases, strict=True)
    ]
    step = -(-len(named) // few) if part else 1
    usual = named[::step]
    others = [case for number, case in enumerate(named) if number % step]

    def decorate(test: Test) -> Test:
        wanted = [name for name in inspect.signature(test).parameters if name not in columns]

        @functools.wraps(test)
        def over_the_table(subtests: pytest.Subtests, **fixtures: Any) -> None:
            chosen = fixtures.pop("chosen", usual)
            assert chosen, "the table is empty"
            if "subtests" in wanted:
                fixtures["subtests"] = subtests
            for number, (label, values) in enumerate(chosen):
                own = dict(zip(columns, values, strict=True))
                if "tmp_path" in wanted:
                    own["tmp_path"] = fixtures["tmp_path"] / str(number)
                    own["tmp_path"].mkdir()
                with subtests.test(label):
                    test(**(fixtures | own))

        asked = dict.fromkeys(["subtests", *wanted, *(["chosen"] if others else [])])
        over_the_table.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in asked]
        )
        vars(over_the_table).update(dict.fromkeys(label for label, _ in named))  # -k looks there
        if not others:
            return over_the_table
        left_out = pytest.param(others, id="others", marks=pytest.mark.everything(part))
        both = [pytest.param(usual, id="some"), left_out]
        return pytest.mark.parametrize("chosen", both)(over_the_table)

    return decorate


def _case(columns: Sequence[str], row: Any) -> tuple[str | None, Sequence[Any]]:
    """The name that a row was given by ``pytest.param``, and its values."""
    if isinstance(row, type(pytest.param())):
        assert not row.marks, "a row of a table has no marks of its own"
        return row.id, row.values
    return None, row if len(columns) > 1 else (row,)


def _label(values: Sequence[Any]) -> str:
    """What a row is called in a report: its values, as far as they are short."""
    names = [getattr(value, "__name__", None) or repr(value) for value in values]
    return "-".join(name if len(name) <= 60 else f"{name[:57]}..." for name in names)
