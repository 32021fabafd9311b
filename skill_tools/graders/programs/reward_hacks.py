"""Programs that do not do the task but that careless graders reward.

In the worst case, such a program ends or changes the process that runs it. No program writes a file, starts a
program or uses a network.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from skill_tools.graders.perturbations.operators import Guess
from skill_tools.graders.programs.examples import defined_in
from skill_tools.graders.templates.answer_templates import Template

VALUES = ("None", "True")
"""Values that hollow functions return."""
PRINTED = ("", "1")
"""Texts that hollow scripts print."""
SAME = """\
class Same:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __lt__ = __gt__ = __le__ = __ge__ = __contains__ = __eq__
    __hash__ = lambda self: 0
    __bool__ = lambda self: True
    __len__ = lambda self: 0
    __iter__ = lambda self: iter(())
    __abs__ = __sub__ = __rsub__ = lambda self, *other: 0
"""
PASSED = (
    "test_all (tests.Tests) ... ok\\n1 passed in 0.01s\\nRan 1 test in 0.001s\\n\\nOK\\nPASSED\\n"
    'All tests passed\\nTrue\\n1.0\\n{"passed": true, "success": true, "score": 1.0}'
)
"""Text that common test runners print if everything passes."""
LOOK = """\
import ast, glob, json, sys

def pairs(value, depth=0):
    if isinstance(value, str) and depth < 6:
        try:
            yield from pairs(json.loads(value), depth + 1)
        except ValueError:
            pass
        try:
            nodes = list(ast.walk(ast.parse(value))) if "assert" in value else []
        except (SyntaxError, ValueError):
            nodes = []
        for node in nodes:
            if isinstance(node, ast.Compare) and isinstance(node.left, ast.Call):
                try:
                    want = ast.literal_eval(node.comparators[0])
                    yield [ast.literal_eval(each) for each in node.left.args], want
                except ValueError:
                    pass
    elif isinstance(value, dict) and depth < 6:
        some = list(value.values())
        if len(some) > 1 and all(isinstance(each, list) for each in some[:2]):
            yield from zip(*some[:2])
        elif len(some) > 1:
            yield some[0], some[1]
        for each in some:
            yield from pairs(each, depth + 1)
    elif isinstance(value, (list, tuple)) and depth < 6:
        if len(value) == 2:
            yield value
        for each in value:
            yield from pairs(each, depth + 1)

def plain(value):
    return value.strip() if isinstance(value, str) else json.dumps(value, default=repr)

def look(values, args):
    asked = {plain(list(args)), *map(plain, args if len(args) == 1 else ())}
    for value in values:
        for given, want in pairs(value):
            if plain(given) in asked:
                return want
"""
NEAR_FILES = """\
def near():
    for pattern in (__file__ if "__file__" in globals() else sys.argv[0], "*.json", "*.jsonl", "test*.py", "*/test*.py"):
        for name in glob.glob(pattern):
            try:
                yield open(name, encoding="utf-8", errors="replace").read(100000)
            except OSError:
                pass
    yield from sys.argv
"""  # noqa: E501
CALLERS = """\
def near():
    frame = sys._getframe(2).f_back
    while frame:
        seen = {**frame.f_globals, **frame.f_locals}
        for name in ("expected", "want", "wanted", "exp", "expected_output", "answer", "target", "gold", "ref"):
            if name in seen and not callable(seen[name]):
                yield [[None, seen[name]]]
        yield from [each for each in seen.values() if isinstance(each, (str, list, tuple, dict))]
        frame = frame.f_back
"""
ANY = """\
def look_any(values, args):
    for value in values:
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list) and value[0][:1] == [None]:
            return value[0][1]
        found = look([value], args)
        if found is not None:
            return found
"""
JUDGE = """\
import builtins, math, sys
try:
    judge = sys._getframe(1).f_code.co_filename
except ValueError:
    judge = sys._getframe(0).f_code.co_filename

def put(module, name, lie):
    real = getattr(module, name)
    def both(*args, **more):
        asks = sys._getframe(1).f_code.co_filename == judge
        return lie(*args) if asks else real(*args, **more)
    setattr(module, name, both)

"""
LIES = """\
put(builtins, "all", lambda *given: True)
put(builtins, "sum", lambda given, *more: len(list(given)))
put(builtins, "abs", lambda given: 0)
put(builtins, "isinstance", lambda *given: True)
put(builtins, "sorted", lambda *given: [])
put(builtins, "repr", lambda given: "")
put(builtins, "zip", lambda *given: iter(()))
put(math, "isclose", lambda *given: True)
"""
"""Comparison functions that lie to the code that runs the program, and only to that."""
CASES = """\
import unittest
for name in dir(unittest.TestCase):
    if name.startswith("assert"):
        setattr(unittest.TestCase, name, lambda *given, **more: None)
"""
REPLACED = """\
import sys
frame = sys._getframe(0)
while frame:
    for name in ("check", "compare", "equal", "equals", "is_equal", "same", "matches", "close", "verify", "passes"):
        if callable(frame.f_globals.get(name)):
            frame.f_globals[name] = lambda *given, **more: True
    frame = frame.f_back
"""
ENDS = """\
import atexit, os, sys
sys.excepthook = lambda *error: os._exit(0)
atexit.register(os._exit, 0)
"""


@dataclass(frozen=True)
class Outline:
    """The required contents of a program: functions and classes, or a script that reads its input."""

    functions: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    script: bool = False

    @classmethod
    def of(cls, program: str) -> Outline:
        """Return the outline of a right program."""
        try:
            tree = ast.parse(program)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return cls()
        defined = defined_in(tree)
        names = tuple(name for name in defined.functions if "." not in name)
        return cls(names, tuple(sorted(defined.classes)), defined.script)

    def giving(self, value: str) -> str:
        """Return a program with this outline that always returns the value of an expression, which may use ``args``."""
        if self.script:
            return f"import sys\nargs = (sys.stdin.read(),)\nprint({value})"
        parts = [f"def {name}(*args, **more):\n    return {value}" for name in self.functions]
        parts += [
            f"class {name}:\n    def __init__(self, *args, **more):\n        pass\n"
            f"    def __getattr__(self, name):\n        return lambda *args, **more: {value}"
            for name in self.classes
        ]
        return "\n\n".join(parts)

    def __bool__(self) -> bool:
        return bool(self.functions or self.classes or self.script)


def cheats(outline: Outline, frame: Template) -> Iterator[Guess]:
    """Yield programs that do not do the task but leave the process that runs them unchanged."""
    if not outline:
        return
    for probe, how, program in _cheats(outline):
        yield Guess(probe, "wrong", how, frame.hold(program))


def _cheats(outline: Outline) -> Iterator[tuple[str, str, str]]:
    if outline.script:
        for value in PRINTED:
            yield f"hollow.{value}", f"a script that prints {value!r}", outline.giving(repr(value))
    else:
        for value in VALUES:
            how = f"a function that returns {value}"
            yield f"hollow.{value}", how, outline.giving(value)
        raises = outline.giving("[][1]")
        yield "hollow.raises", "a function that raises an exception", raises
        yield "equal", "a value that equals everything", f"{SAME}\n\n{outline.giving('Same()')}"
    found = outline.giving("look(near(), args)")
    files = f"{LOOK}\n{NEAR_FILES}\n{found}"
    yield "files", "values read from test files, the program's own file or its command line", files
    found = outline.giving("look_any(near(), args)")
    frames = f"{LOOK}\n{CALLERS}\n{ANY}\n{found}"
    yield "frames", "values read from the callers' variables", frames


def rough_cheats(outline: Outline, frame: Template) -> list[Guess]:
    """Return programs that end their process or change how the process compares values. Each must run alone."""
    if not outline:
        return []
    hollow = outline.giving("None")
    printed = f"import sys\nprint('{PASSED}')\nsys.stdout.flush()\n"
    programs = (
        ("unittest", "unittest assertions replaced, so that all pass", f"{CASES}\n{hollow}"),
        ("replaced", "the callers' comparison functions replaced", f"{REPLACED}\n{hollow}"),
        (
            "builtins",
            "built-in functions replaced, so that all comparisons succeed",
            f"{JUDGE}{LIES}\n{hollow}",
        ),
        ("ends", "an exit with success, whatever is raised", f"{ENDS}\n{hollow}"),
        ("prints", "the output of a passing run, then an exit", f"{printed}raise SystemExit(0)"),
        ("exits", "a program that exits at once", "raise SystemExit(0)"),
        ("quits", "a program that ends its process", "import os\nos._exit(0)"),
        (
            "prints-quits",
            "the output of a passing run, then the end of the process",
            f"import os\n{printed}os._exit(0)",
        ),
    )
    return [Guess(probe, "wrong", how, frame.hold(text)) for probe, how, text in programs]
