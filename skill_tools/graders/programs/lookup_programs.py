"""Programs that memorize a table of inputs and outputs, which is made from a program's tests.

If data have tests but no right program, such a program serves as the right answer, because graders reward
every program that passes all tests.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from skill_tools.graders.perturbations.operators import Guess
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import Question, read_json

MOST = 300
"""Maximum tests of a task."""
NAMED = re.compile(r"(?i)^(?:name|entry|entry_?point|func(?:tion)?(?:_?name)?|fn_?name)$")
"""Fields with a function's name."""
GIVEN = re.compile(r"(?i)^(?:inputs?|args|arguments|given|stdin|in|cases|x)$")
"""Fields with a program's input."""
WANTED = re.compile(
    r"(?i)^(?:outputs?|expected(?:_?outputs?)?|want(?:ed)?|stdout|result|answer|out|y)$"
)
"""Fields with the expected output."""
DIGITS = 15
"""Number of digits from which a floating-point number shows the order of its computation."""
PLAIN = (
    'lambda value: "".join(each for each in repr(value).replace(",)", ")") if each not in "()[] ")'
)
"""The form of inputs in a table: lists and tuples are written alike."""


@dataclass(frozen=True)
class Cases:
    """The tests of one task.

    ``name`` is the name of the tested function; "" for a script, which is given a text. ``rows`` pair arguments
    with the expected value.
    """

    name: str
    rows: tuple[tuple[Any, Any], ...]

    def program(self, rows: Sequence[tuple[Any, Any]], *, raises: bool = False) -> str:
        """Return a program that memorizes these rows. For other arguments it returns None, or raises KeyError."""
        if not self.name:
            texts = {str(given).strip(): str(want) for given, want in rows}
            return f"import sys\n\nknown = {texts!r}\nprint(known.get(sys.stdin.read().strip(), ''), end='')\n"
        known = {_plain(list(given)): want for given, want in rows}
        found = "known[plain(list(args))]" if raises else "known.get(plain(list(args)))"
        return (
            f"known = {known!r}\nplain = {PLAIN}\n\n\ndef {self.name}(*args):\n    return {found}\n"
        )


def _plain(value: Any) -> str:
    return "".join(each for each in repr(value).replace(",)", ")") if each not in "()[] ")


def tabled(candidates: Sequence[Sequence[Question]]) -> list[list[Question]]:
    """Return candidates for right answers, which are programs that memorize the tests in a field.

    A field is used only if it has tests for most tasks.
    """
    found = []
    names = {label: name for some in candidates for label, name in _named(some)}
    for some in candidates:
        made = [each for one in some if (each := _question(one, names.get(one.label, "")))]
        if made and len(made) >= len(some) / 2:
            found.append(made)
    return found


def _named(questions: Sequence[Question]) -> Iterator[tuple[str, str]]:
    """Yield the label and answer of each task whose answer is the name of a function that the prompt calls."""
    for each in questions:
        if each.gold.isidentifier() and f"{each.gold}(" in each.prompt:
            yield each.label, each.gold


def _question(item: Question, name: str) -> Question | None:
    table = table_in(item.gold, name or next(iter(item.functions), ""), item.prompt)
    if table is None:
        return None
    program = table.program(table.rows)
    return replace(item, gold=program, kind="code", also=(), beside=(item.gold,))


def table_in(text: str, name: str, prompt: str = "") -> Cases | None:
    """Return the table of inputs and outputs in the text of tests; None without tests of a known function."""
    value = read_json(text)
    lines = value if isinstance(value, list) and all(isinstance(x, str) for x in value) else [text]
    if "assert " in text and (found := _asserted("\n".join(lines))):
        return found
    named = _name_in(value) or name
    rows = [(given, want) for given, want in _pairs(value, 0)][:MOST]
    if not rows:
        return None
    script = all(isinstance(given, str) and isinstance(want, str) for given, want in rows)
    if script and (re.search(r"(?i)\bstdin\b|standard input|\bprint", prompt) or not named):
        return Cases("", tuple(rows))
    called = tuple((_arguments(given), _value(want, given)) for given, want in rows)
    return Cases(named, called) if named.isidentifier() else None


def _name_in(value: Any) -> str:
    pairs = value.items() if isinstance(value, Mapping) else ()
    return next((v for k, v in pairs if NAMED.match(str(k)) and isinstance(v, str)), "")


def _pairs(value: Any, depth: int) -> Iterator[tuple[Any, Any]]:
    """Yield inputs and outputs from lists of pairs, from objects that hold both, and from two parallel lists."""
    if depth > 3:
        return
    if isinstance(value, str):
        yield from _pairs(read_json(value), depth + 1) if value[:1] in "[{" else ()
    elif isinstance(value, Mapping):
        given = next((v for k, v in value.items() if GIVEN.match(str(k))), None)
        want = next((v for k, v in value.items() if WANTED.match(str(k))), None)
        keys = {str(key).lower() for key in value}
        if given is not None and any(WANTED.match(key) for key in keys):
            aside = depth == 0 or {"inputs", "outputs"} <= keys
            if isinstance(given, list) and isinstance(want, list) and aside:
                yield from zip(given, want, strict=False)
            else:
                yield given, want
        else:
            for each in value.values():
                if isinstance(each, list | Mapping):
                    yield from _pairs(each, depth + 1)
    elif isinstance(value, list):
        pairs = all(isinstance(each, list) and len(each) == 2 for each in value)
        if pairs and all(isinstance(each[0], list | str) for each in value):
            yield from ((given, want) for given, want in value)
        elif all(isinstance(each, Mapping) for each in value):
            for each in value:
                yield from _pairs(each, depth + 1)


def _arguments(given: Any) -> tuple[Any, ...]:
    """Return the arguments of a call as a tuple; arguments in the form of a text are parsed."""
    if isinstance(given, str) and given[:1] == "(" and given[-1:] == ")":
        for text in (f"{given[:-1]},)", given):
            try:
                found = ast.literal_eval(text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            return found if isinstance(found, tuple) else (found,)
    return tuple(given) if isinstance(given, list) else (given,)


def _value(want: Any, given: Any) -> Any:
    """Return the expected value; parse it if both the value and the input are texts."""
    if isinstance(want, str) and isinstance(given, str) and given[:1] == "(":
        try:
            return ast.literal_eval(want)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return want
    return want


def _asserted(text: str) -> Cases | None:
    """Return the table of all assertions of the form "assert f(x) == value"."""
    found: dict[str, list[tuple[Any, Any]]] = {}
    for line in re.findall(r"assert [^\n]{1,2000}", text)[:MOST]:
        try:
            test = ast.parse(line.strip()).body[0]
            assert isinstance(test, ast.Assert)
            call, want = _equal(test.test)
            given = tuple(ast.literal_eval(each) for each in call.args)
            found.setdefault(ast.unparse(call.func), []).append((given, ast.literal_eval(want)))
        except (SyntaxError, ValueError, AssertionError, RecursionError, MemoryError):
            continue
    named = {name: rows for name, rows in found.items() if name.isidentifier()}
    name = max(named, key=lambda each: len(named[each]), default="")
    return Cases(name, tuple(named[name])) if name and name != "candidate" else None


def _equal(test: ast.expr) -> tuple[ast.Call, ast.expr]:
    """Return the call and the value in a comparison. Raises ValueError for any other expression."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = test.left, test.comparators[0]
        if isinstance(test.ops[0], ast.Eq | ast.Is) and isinstance(left, ast.Call):
            return left, right
    raise ValueError("no call that equals a value")


def wrong_tables(question: Question, frame: Template) -> Iterator[Guess]:
    """Yield programs that pass only some tests, or whose values are slightly or negligibly wrong.

    Yield nothing if the data has no tests in addition to the program.
    """
    table = next((t for text in question.beside if (t := _table_beside(text, question))), None)
    if table is None or len(table.rows) < 2:
        return
    first, *rest = table.rows

    def hold(rows: Sequence[tuple[Any, Any]]) -> str:
        return frame.hold(table.program(rows))

    if any(want != first[1] for _, want in rest):
        yield Guess(
            "tests.first", "wrong", "a program that passes only the first test", hold([first])
        )
        last = (table.rows[-1][0], _other(table.rows[-1][1]))
        yield Guess(
            "tests.not-last",
            "wrong",
            "a program that passes all tests but the last",
            hold([*table.rows[:-1], last]),
        )
    shown = [
        (given, want)
        for given, want in table.rows
        if all(str(each) in question.prompt for each in (*given, want))
    ]
    if table.name and 0 < len(shown) < len(table.rows):
        how = "a program that knows the prompt's examples, and raises on others"
        yield Guess("tests.raises", "wrong", how, frame.hold(table.program(shown, raises=True)))
    every = [(given, _other(want)) for given, want in table.rows]
    yield Guess(
        "tests.none", "wrong", "a program that returns other values of the same type", hold(every)
    )
    if table.name:
        near = [(given, _last_bit(want)) for given, want in table.rows]
        if near != list(table.rows) and "exact" not in question.says:
            yield Guess(
                "code.last-bit",
                "equivalent",
                "with floating-point numbers that differ in the last bit",
                hold(near),
            )


def _table_beside(text: str, question: Question) -> Cases | None:
    return table_in(text, next(iter(question.functions), ""), question.prompt)


def _other(value: Any) -> Any:
    """Return another value of the same type."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return f"{value}zq\n" if value.endswith("\n") else f"{value}zq"
    if isinstance(value, list | tuple):
        return type(value)([*value, value[-1]]) if value else type(value)([0])
    return {**value, "zq": 1} if isinstance(value, dict) else None


def _last_bit(value: Any) -> Any:
    """Return the value with long floats changed in their last bit, like the result of another order of operations."""
    if isinstance(value, float) and len(re.sub(r"\D", "", repr(value)).lstrip("0")) >= DIGITS:
        return math.nextafter(value, math.inf)
    if isinstance(value, list | tuple):
        return type(value)(_last_bit(each) for each in value)
    return value
