"""Programs that change their arguments before they do their task.

A grader that then runs the right program on the same arguments compares against wrong data.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from skill_tools.evidence.grading.graded import GradedReply
from skill_tools.graders.grader_client import Grader, GradeRequest, spread
from skill_tools.graders.programs.examples import ProgramExample
from skill_tools.graders.programs.program_runner import Runs, run_all
from skill_tools.graders.programs.programs import Program, program_of
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import Question

TASKS = 10
"""Maximum tasks: programs run in the same way on all tasks."""
WAYS = {
    "emptied": ("a program that first empties its list arguments", "each.clear()"),
    "overwritten": (
        "a program that first makes all items in its list arguments equal",
        "each[:] = each[:1] * len(each)",
    ),
}
"""Ways to change a list, in words and as a statement."""
CLEARED = ("cleared", "a program that first empties its argument")
"""The same in the program itself, for graders that allow few functions."""

WORDS = {way: how for way, (how, _) in WAYS.items()} | dict([CLEARED])


def emptied_replies(
    questions: Sequence[Question], frame: Template, grade: Grader
) -> list[GradedReply]:
    """Return the graded programs that change their arguments, if the change altered results in test runs."""
    coded = spread([each for each in questions if each.kind == "code"], TASKS)
    made = [
        (program, way, text)
        for each in coded
        if (program := program_of(each))
        for way, text in _changed(each.gold, program.called)
    ]
    runs = [Runs([p.item.gold, text], _inputs(p)) for p, _, text in made]
    chosen = [
        (program.item, way, text)
        for (program, way, text), outcomes in zip(made, run_all(runs) if runs else [], strict=False)
        if len(outcomes) == 2 and outcomes[0] != outcomes[1]
    ]
    asks = [GradeRequest(item.label, frame.hold(text)) for item, _, text in chosen]
    earned = grade(asks) if asks else []
    return [
        GradedReply(
            item.label, f"given.{way}", "wrong", WORDS[way], ask.reply, each.paid, each.broke
        )
        for (item, way, _), ask, each in zip(chosen, asks, earned, strict=True)
        if each.reached
    ]


def _inputs(program: Program) -> list[ProgramExample]:
    """Return the examples in a program's task; generated inputs if the task has no examples."""
    own = [each.example for each in program.inputs if each.own]
    return own or [each.example for each in program.inputs]


def _changed(program: str, name: str) -> list[tuple[str, str]]:
    """Return programs that change their arguments first, each with the name of its change."""
    if not name:
        return []
    head = f"{program}\n\nright = {name}\n\n\ndef {name}(*args):\n    for each in args:\n"
    body = "        if isinstance(each, list):\n            {}\n    return right(*args)\n"
    ways = [(way, head + body.format(statement)) for way, (_, statement) in WAYS.items()]
    return [*ways, *((CLEARED[0], text) for text in _cleared(program, name))]


def _cleared(program: str, name: str) -> Iterator[str]:
    """Yield the program with a function that first empties its first argument."""
    tree = ast.parse(program)
    for each in tree.body:
        if isinstance(each, ast.FunctionDef) and each.name == name and each.args.args:
            each.body[:0] = ast.parse(f"{each.args.args[0].arg}.clear()").body
            yield ast.unparse(tree)
