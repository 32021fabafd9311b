"""Worked examples of a program in prompts and tests: function calls, and texts that the program reads."""

from __future__ import annotations

import ast
import builtins
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST = 40
"""Maximum examples per program: further tests repeat them."""
LONGEST = 200_000
"""Maximum characters at the start of a text to search for examples."""
CALL = 2_000
"""Maximum characters in a call: a longer one is a speed test."""
WORD = 12
"""Maximum characters in a constant that may be in an input; a longer one is a message."""
DEEP = 6
"""Maximum levels of lists and objects to search."""
CANDIDATE = "candidate"
"""HumanEval's name for the tested function."""
GIVEN = re.compile(r"(?i)^(?:inputs?|stdin|args|arguments|params|given|in)$")
"""Test fields with a program's input."""
CALLS = re.compile(r"(?i)^(?:(?:test_?)?inputs|cases|calls|test_?cases)$")
"""Test fields with a list of inputs, one per test."""
BLOCK = re.compile(
    r"(?i)\binputs?\b[^\n:]{0,20}:?[ \t]*\n+(?:```\w*\n)?(?P<text>(?:(?!\s*(?:sample |example "
    r"|expected )?outputs?\b|```).*\n){1,40})"
)
"""Matches a sample of a script's input in a prompt."""


@dataclass(frozen=True)
class Arguments:
    """The positional and keyword arguments of a call, which are plain values."""

    places: tuple[Any, ...]
    names: tuple[tuple[str, Any], ...] = ()

    def __hash__(self) -> int:
        return hash(repr((self.places, self.names)))  # lists have no hash

    def call(self, function: str) -> str:
        """Return the call as source code."""
        named = [f"{name}={value!r}" for name, value in self.names]
        return f"{function}({', '.join([*map(repr, self.places), *named])})"


@dataclass(frozen=True)
class ProgramExample:
    """One example of a program's use: a function call, a text to read, or statements and an expression.

    The statements ``before`` precede the expression ``ask``. If ``ask`` is empty, ``function`` is called with
    ``arguments``, or ``stdin`` is read.
    """

    function: str = ""
    arguments: Arguments | None = None
    stdin: str | None = None
    before: str = ""
    ask: str = ""

    @property
    def expression(self) -> str:
        """Return the expression to evaluate; "" for a script."""
        return self.arguments.call(self.function) if self.arguments else self.ask


@dataclass(frozen=True)
class Defined:
    """The definitions of a program: its functions with their parameters, its classes, and whether it is a script.

    ``constants`` are the program's numbers and texts. Inputs close to these constants are most likely to show a
    difference.
    """

    functions: Mapping[str, ast.arguments]
    classes: frozenset[str]
    script: bool
    constants: tuple[Any, ...] = ()


def defined_in(tree: ast.Module) -> Defined:
    """Return a program's definitions; a method of a class ``Solution`` is called on a new instance."""
    functions: dict[str, ast.arguments] = {}
    classes = {each.name for each in tree.body if isinstance(each, ast.ClassDef)}
    for each in tree.body:
        if isinstance(each, ast.FunctionDef):
            functions[each.name] = each.args
        elif isinstance(each, ast.ClassDef) and each.name == "Solution":
            methods = [part for part in each.body if isinstance(part, ast.FunctionDef)]
            plain = [m for m in methods if not m.name.startswith("_") and m.args.args[:1]]
            own = {f"Solution().{m.name}": _without_self(m.args) for m in plain}
            functions |= own
    read = any(
        (isinstance(n, ast.Name) and n.id == "input")
        or (isinstance(n, ast.Attribute) and n.attr == "stdin")
        for n in ast.walk(tree)
    )
    at_once = any(not isinstance(each, ast.FunctionDef | ast.ClassDef) for each in tree.body)
    prints = any(isinstance(n, ast.Name) and n.id == "print" for n in ast.walk(tree))
    script = at_once and (read or (prints and not functions))
    constants = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
    short = dict.fromkeys(c for c in constants if type(c) in (int, str) and len(str(c)) <= WORD)
    return Defined(functions, frozenset(classes), script, tuple(short))


def _without_self(arguments: ast.arguments) -> ast.arguments:
    return ast.arguments(
        arguments.posonlyargs,
        arguments.args[1:],
        arguments.vararg,
        arguments.kwonlyargs,
        arguments.kw_defaults,
        arguments.kwarg,
        arguments.defaults,
    )


def examples_in(defined: Defined, texts: Sequence[str]) -> list[ProgramExample]:
    """Return the distinct examples in a task's prompt and in its tests."""
    found: dict[ProgramExample, None] = {}
    for text in texts:
        for each in _in_text(defined, text[:LONGEST]):
            found.setdefault(each)
            if len(found) >= MOST:
                return list(found)
    return list(found)


def _in_text(defined: Defined, text: str) -> Iterator[ProgramExample]:
    value = _as_data(text)
    if value is not None:
        yield from _in_data(defined, value, 0)
        return
    if defined.script:
        yield from (ProgramExample(stdin=each["text"]) for each in BLOCK.finditer(text))
        return
    called = list(_calls(defined, text))
    yield from called
    if not called and defined.classes:
        yield from _asserted(defined, text)


def _as_data(text: str) -> Any:
    if text.lstrip()[:1] not in ("[", "{"):
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def _calls(defined: Defined, text: str) -> Iterator[ProgramExample]:
    """Yield all calls in a text whose arguments are plain values and whose function the program defines."""
    names = {function.rpartition(".")[2]: function for function in defined.functions}
    if not names:
        return
    if CANDIDATE in text:
        named = [name for name in names if re.search(rf"\bcheck\({re.escape(name)}\)", text)]
        names[CANDIDATE] = names[(named or list(names))[-1]]
    pattern = re.compile(rf"(?<![\w.])(?:Solution\(\)\.)?({'|'.join(map(re.escape, names))})\(")
    for each in pattern.finditer(text):
        read = _arguments_at(text, each.end() - 1)
        if read and (read.places or read.names):
            yield ProgramExample(names[each[1]], read)


def _arguments_at(text: str, at: int) -> Arguments | None:
    """Return the plain values in the parentheses that begin at ``at``; None for a signature or other expressions."""
    part = text[at : at + CALL]
    for end in (found.end() for found in re.finditer(r"\)", part)):
        try:
            call = ast.parse(f"f{part[:end]}", mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if not isinstance(call, ast.Call):
            return None
        try:
            places = tuple(ast.literal_eval(each) for each in call.args)
            named = tuple((k.arg, ast.literal_eval(k.value)) for k in call.keywords if k.arg)
        except (ValueError, TypeError, SyntaxError, RecursionError):
            return None
        return Arguments(places, named)
    return None


def _in_data(defined: Defined, value: Any, depth: int) -> Iterator[ProgramExample]:
    """Yield examples in JSON data: pairs of input and expected output, and texts of tests."""
    if depth > DEEP:
        return
    if isinstance(value, str):
        yield from _in_text(defined, value) if len(value) < LONGEST else ()
    elif isinstance(value, Mapping):
        for name, each in value.items():
            calls = bool(isinstance(each, list) and CALLS.match(str(name)))
            if GIVEN.match(str(name)) or (calls and _are_calls(defined, each)):
                for given in each if calls else [each]:
                    yield from _given(defined, given)
            else:
                yield from _in_data(defined, each, depth + 1)
    elif isinstance(value, list | tuple):
        for each in value:
            if isinstance(each, list | tuple) and len(each) == 2 and isinstance(each[0], list):
                yield from _given(defined, each[0])
            elif isinstance(each, str | list | tuple | Mapping):
                yield from _in_data(defined, each, depth + 1)


def _given(defined: Defined, given: Any) -> Iterator[ProgramExample]:
    """Yield the examples in one input: the text for a script, or the arguments of the program's last function."""
    if defined.script:
        if isinstance(given, str):
            yield ProgramExample(stdin=given)
        elif isinstance(given, list) and given and all(isinstance(each, str) for each in given):
            yield ProgramExample(stdin="\n".join(given) + "\n")
        return
    if not defined.functions:
        return
    function, arguments = list(defined.functions.items())[-1]
    names = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    most, least = len(names), len(names) - len(arguments.defaults)
    if isinstance(given, str) and (lines := _lines(given, least, most)) is not None:
        given = lines
    if isinstance(given, Mapping) and given and set(given) <= set(names):
        yield ProgramExample(function, Arguments((), tuple(given.items())))
    elif isinstance(given, list | tuple) and least <= len(given) <= most:
        yield ProgramExample(function, Arguments(tuple(given)))
    elif least <= 1 <= most:
        yield ProgramExample(function, Arguments((given,)))


def _are_calls(defined: Defined, several: list[Any]) -> bool:
    """Return whether the items are argument lists of several calls, rather than the arguments of one call."""
    if defined.script or not defined.functions or not several:
        return False
    arguments = list(defined.functions.values())[-1]
    most = len(arguments.posonlyargs) + len(arguments.args)
    least = most - len(arguments.defaults)

    def fits(given: Any) -> bool:
        return isinstance(given, list) and least <= len(given) <= most

    pairs = all(isinstance(x, list) and len(x) == 2 and fits(x[0]) for x in several)
    return all(map(fits, several)) and not pairs


def _lines(text: str, least: int, most: int) -> list[Any] | None:
    """Return the arguments in a text with one argument per line; None if the text is not of this form."""
    lines = text.strip().split("\n")
    if not least <= len(lines) <= most:
        return None
    try:
        return [json.loads(line) for line in lines]
    except ValueError:
        return None


def _asserted(defined: Defined, text: str) -> Iterator[ProgramExample]:
    """Yield the assertions in a test program, with the statements before them."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    known = {*vars(builtins), *defined.classes, *defined.functions}
    for block in (n.body for n in ast.walk(tree) if isinstance(n, ast.Module | ast.FunctionDef)):
        before: list[str] = []
        for each in block:
            if isinstance(each, ast.Assign | ast.AugAssign | ast.Expr):
                before.append(ast.unparse(each))
            for asked in _asked(each):
                source = "\n".join([*before, asked])
                nodes = list(ast.walk(ast.parse(source)))
                names = {n.id for n in nodes if isinstance(n, ast.Name)}
                given = {
                    n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
                }
                if names & defined.classes and names <= known | given:
                    yield ProgramExample(before="\n".join(before), ask=asked)
                before.append(asked)


def _asked(statement: ast.stmt) -> list[str]:
    """Return the expressions that an assertion tests; an empty list for any other statement."""
    if not isinstance(statement, ast.Assert):
        return []
    test = statement.test
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        return [ast.unparse(test.left)]
    return [ast.unparse(test)]
