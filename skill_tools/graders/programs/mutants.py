"""Mutants: copies of a right program, each with one small change in a different place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass

from skill_tools.graders.programs.mutations import Changed, changes_of

MOST = 48
"""Maximum mutants of a program: twenty lines have about this many places."""
LONGEST = 20_000
"""Maximum characters in a program to mutate: a longer one is a library."""
SHOWN = 50
"""Maximum characters of a part to show."""
LONG = 90
"""Maximum characters of a part to show with its replacement."""
ATOMS = (ast.Constant, ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.List, ast.stmt)
"""Parts that never need parentheses."""


@dataclass(frozen=True)
class Mutant:
    """A program with one change.

    Attributes:
        operator: The kind of change.
        how: The description of the change, with its line.
        before: The changed part, shortened.
        after: Its replacement, shortened, or "" if the part is left out.
    """

    operator: str
    how: str
    line: int
    program: str
    before: str = ""
    after: str = ""


def mutants(program: str) -> list[Mutant]:
    """Return at most ``MOST`` mutants of a program: each kind of change in turn, spread over the lines.

    The list is empty if the text is not a Python program. Mutants may be equivalent to the program.
    """
    by_operator: dict[str, list[Mutant]] = {}
    for made in every_mutant(program, lambda _: changes_of):
        by_operator.setdefault(made.operator, []).append(made)
    chosen: dict[str, Mutant] = {}
    queues = [_scattered(each) for each in by_operator.values()]
    while any(queues) and len(chosen) < MOST:
        for queue in queues:
            if queue and len(chosen) < MOST:
                made = queue.pop(0)
                chosen.setdefault(made.program, made)
    return list(chosen.values())


Ways = Callable[[ast.AST], Iterator[Changed]]
"""Yields the possible changes to a node, but not to the nodes within it."""


def every_mutant(
    program: str, ways: Callable[[ast.Module], Ways], lines: Container[int] | None = None
) -> Iterator[Mutant]:
    """Yield all mutants of a program in the order of its lines, or those of some of its lines.

    ``ways`` takes the parsed program. Nothing is yielded if the text is not a Python program.
    """
    try:
        tree = ast.parse(program) if len(program) <= LONGEST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if tree is None:
        return
    source = _Source(program, ast.dump(tree))
    for change in _changes(tree, ways(tree)):
        if lines is not None and getattr(change.old, "lineno", 0) not in lines:
            continue
        if made := source.changed(change):
            yield made


def _scattered(several: list[Mutant]) -> list[Mutant]:
    """Return the mutants in an order in which the first mutants change different parts of the program."""
    several = sorted(several, key=lambda each: each.line)
    size = len(several)
    width = max(1, size.bit_length() - 1)
    turned = sorted(range(size), key=lambda at: (int(f"{at:0{width + 1}b}"[::-1], 2), at))
    return [several[at] for at in turned]


def _changes(tree: ast.Module, ways: Ways) -> Iterator[Changed]:
    """Yield all possible changes to a program, in the order of its lines."""
    told = {id(each) for node in ast.walk(tree) for each in _told(node)}
    defaults = {
        id(each)
        for node in ast.walk(tree)
        if isinstance(node, ast.arguments)
        for each in (*node.defaults, *node.kw_defaults)
    }
    waiting: list[ast.AST] = [tree]
    found: list[Changed] = []
    while waiting:
        node = waiting.pop()
        if id(node) in told:
            continue
        more = list(ways(node))
        found += [c._replace(operator="default") for c in more] if id(node) in defaults else more
        waiting += list(ast.iter_child_nodes(node))[::-1]
    place = lambda change: (getattr(change.old, "lineno", 0), getattr(change.old, "col_offset", 0))
    yield from sorted(found, key=place)


def _told(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that must not be changed, such as docstrings and annotations."""
    if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        first = node.body[0] if node.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            yield first
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield from node.decorator_list
    if isinstance(node, ast.If) and "__name__" in ast.dump(node.test):
        yield node.test
    # Before Python 3.12, expressions in an f-string have no position of their own.
    if isinstance(node, ast.JoinedStr):
        yield from node.values
    for name in ("annotation", "returns"):
        if (said := getattr(node, name, None)) is not None:
            yield said


class _Source:
    """The text of a program in which parts can be replaced."""

    def __init__(self, program: str, dump: str) -> None:
        self.lines = program.encode().split(b"\n")
        self.dump = dump

    def changed(self, change: Changed) -> Mutant | None:
        """Return a mutant with one part replaced; None if the program stays the same or becomes invalid."""
        old, new = change.old, ast.fix_missing_locations(change.new)
        if not isinstance(old, ast.expr | ast.stmt):
            return None
        try:
            text = ast.unparse(new)
            program = self._put(old, text if isinstance(new, ATOMS) else f"({text})")
            if ast.dump(ast.parse(program)) == self.dump:
                return None
        except (SyntaxError, ValueError, RecursionError):
            return None
        before, after = ast.unparse(old), "" if isinstance(new, ast.Pass) else text
        how = _words(change, before, text)
        return Mutant(change.operator, how, old.lineno, program, *_differing(before, after))

    def _put(self, old: ast.expr | ast.stmt, text: str) -> str:
        first, last = old.lineno - 1, (old.end_lineno or old.lineno) - 1
        head, tail = self.lines[first][: old.col_offset], self.lines[last][old.end_col_offset :]
        blanks = head if isinstance(old, ast.stmt) and not head.strip() else b""
        body = [
            line if at == 0 else blanks + line for at, line in enumerate(text.encode().split(b"\n"))
        ]
        body[0] = head + body[0]
        body[-1] += tail
        return b"\n".join([*self.lines[:first], *body, *self.lines[last + 1 :]]).decode()


def _words(change: Changed, before: str, after: str) -> str:
    line = f"line {getattr(change.old, 'lineno', 0)}"
    if change.operator == "loop":
        return f"{line}: the loop `{_cut(before)}` runs once"
    if isinstance(change.new, ast.Pass):
        return f"{line}: `{_cut(before)}` is left out"
    if change.operator == "branch":
        return f"{line}: `{_cut(before)}` is taken to be {_cut(after)}"
    return f"{line}: `{_cut(before)}` is `{_cut(after)}`"


def _differing(before: str, after: str) -> tuple[str, str]:
    """Return two texts without what they share at the beginning, if they are long."""
    pairs = enumerate(zip(before, after, strict=False))
    shared = next((at for at, (one, other) in pairs if one != other), len(after))
    shared = shared if len(before) > SHOWN else 0
    start = max(before.rfind(mark, 0, shared) for mark in "(, ") + 1 if shared else 0
    head = "…" if start else ""
    shown = [_cut(head + text[start:], LONG) if text else "" for text in (before, after)]
    return shown[0], shown[1]


def _cut(text: str, most: int = SHOWN) -> str:
    first = text.partition("\n")[0]
    return first if len(first) <= most else f"{first[:most]}…"
