"""Record how a foreign function computes its result: the lines that run, the values that they read, what they make.

Runs in the venv of a framework, without skill-tools: standard library only.
"""

from __future__ import annotations

import ast
import contextlib
import datetime
import re
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

MOST_STEPS = 2_000
"""Maximum steps to record. Code with more steps loops over letters or pairs; no single line of it decides."""
LONGEST_VALUE = 20_000
"""Maximum characters of a value's text to compare."""
MOST_ITEMS = 1_000
"""Maximum items of a list, dict or set to compare: a longer one takes too long at each line."""
SHOWN = 60
"""Maximum characters of a value's text to keep for messages."""
DATES = (datetime.date, datetime.datetime, datetime.time, datetime.timedelta)
PLAIN = (
    *(str, int, float, bool, type(None), list, tuple, dict, set, frozenset),
    *(re.Match, Decimal, Fraction, type(Path()), *DATES),
)
"""Types whose text shows their value and has no side effect."""
ADDRESS = re.compile(r" at 0x[0-9a-f]+")

Value = tuple[str, str]
"""A value as a digest, which is equal for equal values, and as a short text."""


def value_of(value: Any) -> Value:
    """Return a value's digest and text. A value of a type that is not plain has its type as text."""
    text = _text_of(value)[:LONGEST_VALUE]
    # Not hash(), which differs between processes.
    digest = f"{len(text)}-{zlib.crc32(text.encode('utf-8', 'replace'))}"
    return digest, text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _text_of(value: Any) -> str:
    name = type(value).__name__
    try:
        if isinstance(value, list | tuple | dict | set | frozenset) and len(value) > MOST_ITEMS:
            return f"<{name} of {len(value)} items>"
        if isinstance(value, set | frozenset):
            return f"{{{', '.join(sorted(map(repr, value)))}}}"
        return ADDRESS.sub("", repr(value)) if type(value) in PLAIN else f"<{name}>"
    except Exception:  # noqa: BLE001 - an item's own __repr__, or more digits than Python writes
        return f"<{name}>"


class _Statement(NamedTuple):
    """The text of a statement, the names and attributes (``self.reward``) that it reads, and the attributes that it
    sets."""

    source: str = ""
    reads: frozenset[str] = frozenset()
    sets: frozenset[str] = frozenset()


@dataclass
class _Line:
    """A line that is running in a frame, with the values of the names that it reads."""

    began: int
    number: int
    reads: dict[str, Value]
    before: dict[str, Value]


@dataclass
class Trace:
    """The steps of a call, in the order in which they ended.

    A step is an object with ``file``, ``function``, ``line``, ``source``, ``began``, ``reads`` and ``makes``. ``began``
    is its position in the order in which steps began; ``reads`` has values by name, and ``makes`` the changed values
    by name, with the name ``return`` for a returned value. Code outside ``folder`` is not recorded. After too many
    steps, ``steps`` is empty.
    """

    folder: Path
    steps: list[dict[str, Any]] = field(default_factory=list)
    _files: dict[str, dict[int, _Statement]] = field(default_factory=dict)
    _running: dict[FrameType, _Line] = field(default_factory=dict)
    _began: int = 0

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        """Record the steps of all code that runs within the block on this thread."""
        before = sys.gettrace()
        sys.settrace(self._call)
        try:
            yield
        finally:
            sys.settrace(before)
            self._running.clear()
            if len(self.steps) >= MOST_STEPS:  # the end, which matters most, is missing
                self.steps.clear()

    def _call(self, frame: FrameType, event: str, _: Any) -> Any:
        if len(self.steps) >= MOST_STEPS or not self._statements(frame.f_code):
            return None
        return self._event

    def _event(self, frame: FrameType, event: str, given: Any) -> Any:
        if len(self.steps) >= MOST_STEPS:
            return None
        if event in ("line", "return"):
            self._finish(frame, {"return": value_of(given)} if event == "return" else {})
        if event == "line":
            statement = self._statements(frame.f_code).get(frame.f_lineno, _Statement())
            names, values = statement.reads, _values_in(frame, statement)
            kept = {n: v for n, v in frame.f_globals.items() if n in names and type(v) in PLAIN}
            kept = {name: value_of(value) for name, value in kept.items()}
            reads = {name: each for name, each in {**kept, **values}.items() if name in names}
            self._began += 1
            self._running[frame] = _Line(self._began, frame.f_lineno, reads, values)
        return self._event

    def _finish(self, frame: FrameType, makes: dict[str, Value]) -> None:
        """Record the step that ends: the last line that ran in this frame."""
        line = self._running.pop(frame, None)
        if line is None:
            return
        statement = self._statements(frame.f_code).get(line.number, _Statement())
        now = _values_in(frame, statement)
        changed = {
            name: each
            for name, each in now.items()
            if name in statement.sets or line.before.get(name) != each
        }
        file = Path(frame.f_code.co_filename).relative_to(self.folder).as_posix()
        makes = {**changed, **makes}
        self.steps.append(
            {
                "file": file,
                "function": frame.f_code.co_name,
                "line": line.number,
                "source": statement.source,
                "began": line.began,
                "reads": line.reads,
                "makes": makes,
            }
        )

    def _statements(self, code: CodeType) -> dict[int, _Statement]:
        """Return the statement on each line, or {} for code outside the folder."""
        name = code.co_filename
        if name not in self._files:
            path = Path(name)
            ours = path.is_relative_to(self.folder) and "site-packages" not in path.parts
            self._files[name] = dict(_read(path)) if ours and path.is_file() else {}
        return self._files[name]


def _values_in(frame: FrameType, statement: _Statement) -> dict[str, Value]:
    """Return the values of a frame's local names, and of the attributes of local objects in a statement."""
    found = {name: value_of(value) for name, value in frame.f_locals.items()}
    for each in statement.reads | statement.sets:
        name, _, attribute = each.partition(".")
        # Not getattr(), which may run a property.
        values = getattr(frame.f_locals.get(name), "__dict__", {})
        if type(values.get(attribute)) in PLAIN and attribute in values:
            found[each] = value_of(values[attribute])
    return found


def _read(path: Path) -> Iterator[tuple[int, _Statement]]:
    text = path.read_text("utf-8")
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.stmt):
            continue
        own = _own_parts(node)
        inner = [each for part in own for each in ast.walk(part)]
        made = {each.target.id for each in inner if isinstance(each, ast.NamedExpr)}
        read = {each.id for each in inner if isinstance(each, ast.Name) and _is_read(each, node)}
        dotted = {
            each: f"{each.value.id}.{each.attr}"
            for each in inner
            if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name)
        }
        read |= {name for each, name in dotted.items() if _is_read(each, node)}
        sets = frozenset(n for each, n in dotted.items() if isinstance(each.ctx, ast.Store))
        last = max((getattr(each, "end_lineno", 0) or 0 for each in own), default=0)
        last = max(last, node.lineno)
        source = " ".join(" ".join(text.splitlines()[node.lineno - 1 : last]).split())
        for number in range(node.lineno, last + 1):
            yield number, _Statement(source, frozenset(read - made), sets)


def _is_read(name: ast.Name | ast.Attribute, statement: ast.stmt) -> bool:
    return isinstance(name.ctx, ast.Load) or isinstance(statement, ast.AugAssign)


def _own_parts(node: ast.stmt) -> list[ast.AST]:
    """Return a statement's own expressions, without the statements in its body."""
    return [
        each
        for each in ast.iter_child_nodes(node)
        if not isinstance(each, ast.stmt | ast.ExceptHandler | ast.match_case)
    ]
