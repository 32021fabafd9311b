"""Programs that are right only on the examples in the prompt."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from skill_tools.graders.perturbations.operators import Guess
from skill_tools.graders.programs.examples import defined_in, examples_in
from skill_tools.graders.templates.answer_templates import Template

SESSION = re.compile(r"^>>> (\w{1,60})\((.{0,400})\)[ \t]*\n(\S.{0,400})$", re.MULTILINE)
"""Matches an example in a prompt that is written like a Python session: the call and its result."""
SHOWN_ALONE = "a program that is right only on the prompt's own examples"
EXIT = "(_ for _ in ()).throw(SystemExit(0))"
"""An expression that exits with success, also where a grader offers no names of builtins."""


def shown_alone(program: str, prompt: str, frame: Template) -> Iterator[Guess]:
    """Yield a program that is right only on the prompt's examples; yield nothing without such examples."""
    if text := _right_if_shown(program, prompt, "None"):
        yield Guess("shown", "wrong", SHOWN_ALONE, frame.hold(text))


def shown_then_exits(program: str, prompt: str, frame: Template) -> Iterator[Guess]:
    """Yield a program that is right on the prompt's examples and exits with success when called otherwise."""
    if text := _right_if_shown(program, prompt, EXIT):
        how = f"{SHOWN_ALONE}, and exits on others"
        yield Guess("shown-exits", "wrong", how, frame.hold(text))


def _right_if_shown(program: str, prompt: str, otherwise: str) -> str:
    """Return a program that gives the value of an expression where it is not called as in the prompt's examples.

    Return "" if the prompt has no examples.
    """
    try:
        defined = defined_in(ast.parse(program))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    examples = examples_in(defined, [prompt])
    names = {each.function for each in examples if each.arguments and not each.arguments.names}
    if len(names) != 1 or "." in (name := names.pop()):
        return ""
    shown = {repr(each.arguments.places) for each in examples if each.arguments}
    return (
        f"{program}\n\nright, shown = {name}, {sorted(shown)!r}\n\n"
        f"def {name}(*args):\n    return right(*args) if repr(args) in shown else {otherwise}\n"
    )


def table_of(prompt: str, frame: Template) -> Iterator[Guess]:
    """Yield a program that memorizes the prompt's own examples, if these are a Python session."""
    known: dict[str, list[tuple[Any, Any]]] = {}
    for name, given, value in SESSION.findall(prompt):
        try:
            places = ast.literal_eval(f"({given},)" if given else "()")
            known.setdefault(name, []).append((places, ast.literal_eval(value)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    if known:
        text = "\n\n".join(
            f"def {name}(*args):\n    return next(value for given, value in {pairs!r} if given == args)"
            for name, pairs in known.items()
        )
        yield Guess("shown", "wrong", SHOWN_ALONE, frame.hold(text))
