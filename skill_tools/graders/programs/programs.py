"""Wrong programs for a grader of programs: mutants whose results differ from the right program's results."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from skill_tools.evidence.grading.graded import Exposed, GradedReply, WrongProgram
from skill_tools.graders.grader_client import Grader, GradeRequest, spread
from skill_tools.graders.programs.examples import Defined, ProgramExample, defined_in, examples_in
from skill_tools.graders.programs.fuzz_inputs import Input, inputs_of
from skill_tools.graders.programs.mutants import Mutant, mutants
from skill_tools.graders.programs.program_runner import Gave, Outcome, Runs, is_plain, run_all
from skill_tools.graders.templates.answer_templates import Template
from skill_tools.graders.templates.question import Question

TASKS = 25
"""Maximum tasks to mutate: enough to know the share with weak tests to within a tenth or two."""
EACH = 8
"""Maximum wrong programs to send per task: each may cost a second."""
UNSEEN = 5
"""Maximum of these programs that the task's own examples do not distinguish from the right one."""


@dataclass(frozen=True)
class Program:
    """A task's right program, with the inputs and mutants to run."""

    item: Question
    inputs: Sequence[Input]
    mutants: Sequence[Mutant]

    @property
    def called(self) -> str:
        """Return the function that is called; "" if the inputs call several functions or none."""
        names = {i.example.function for i in self.inputs if i.example.arguments}
        return names.pop() if len(names) == 1 and "." not in "".join(names) else ""

    @property
    def runs(self) -> Runs:
        """Return the programs and inputs to run."""
        programs = [self.item.gold, *(each.program for each in self.mutants)]
        return Runs(programs, [each.example for each in self.inputs])


@dataclass(frozen=True)
class _Wrong:
    """A mutant and an input that reveals its error. ``shown`` is the kind of result with which an example of the task
    reveals the error: "value", "raised" or ""."""

    mutant: Mutant
    at: Input
    right: Gave
    gave: Gave
    shown: Exposed


def wrong_programs(
    questions: Sequence[Question], frame: Template, grade: Grader
) -> list[WrongProgram]:
    """Return a grader's rewards for wrong programs, on tasks whose answer is a Python program.

    Tasks are left out if their program cannot run alone, or if its values have no Python notation.
    """
    coded = [each for each in questions if each.kind == "code"]
    programs = [made for each in spread(coded, TASKS) if (made := program_of(each))]
    told = run_all([each.runs for each in programs])
    chosen = [
        (program, wrong)
        for program, outcomes in zip(programs, told, strict=False)
        for wrong in _chosen(program, outcomes)
    ]
    asks = [GradeRequest(p.item.label, frame.hold(wrong.mutant.program)) for p, wrong in chosen]
    earned = grade(asks) if asks else []
    return [
        _given(program, wrong, GradedReply(ask.task, "", "", "", ask.reply, each.paid, each.broke))
        for (program, wrong), ask, each in zip(chosen, asks, earned, strict=True)
        if each.reached
    ]


def _given(program: Program, wrong: _Wrong, reply: GradedReply) -> WrongProgram:
    probe = f"mutant.{wrong.mutant.operator}"
    given = replace(reply, probe=probe, must="broken", how=wrong.mutant.how)
    # If several answers are right, a different one may be right, too.
    alike = wrong.at.alike and not program.item.is_open
    return WrongProgram(given, _test(wrong), alike, wrong.shown)


def program_of(item: Question) -> Program | None:
    """Return the right program of a task; None if the program cannot run alone."""
    try:
        tree = ast.parse(item.gold)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    defined = defined_in(tree)
    examples = examples_in(defined, [*item.beside, item.prompt])
    inputs = inputs_of(defined, examples, item.label)
    silent = _silent(tree, defined)
    if silent:
        inputs = [replace(each, example=_after(each.example)) for each in inputs]
    made = mutants(item.gold)
    return Program(item, inputs, made) if inputs and made else None


def _silent(tree: ast.Module, defined: Defined) -> bool:
    """Return whether no function of a program returns a value, so that the program must change its arguments."""
    returns = any(isinstance(n, ast.Return | ast.Yield) and n.value for n in ast.walk(tree))
    return bool(defined.functions) and not returns


def _after(example: ProgramExample) -> ProgramExample:
    """Return an example that makes the same call but returns the call's first argument, which the call may change."""
    arguments = example.arguments
    if not arguments or not arguments.places:
        return example
    first, *rest = map(repr, arguments.places)
    rest += [f"{name}={value!r}" for name, value in arguments.names]
    call = f"{example.function}({', '.join(['given', *rest])})"
    return ProgramExample(before=f"given = {first}\n{call}", ask="given")


def _chosen(program: Program, outcomes: Sequence[Outcome]) -> list[_Wrong]:
    """Return the wrong programs to send. Programs that the task's own examples do not expose come first."""
    right, *others = outcomes
    found = [
        wrong
        for mutant, outcome in zip(program.mutants, others, strict=False)
        if (wrong := _wrong(program, mutant, right, outcome))
    ]
    found.sort(key=lambda each: not each.at.alike)
    unseen = [each for each in found if not each.shown][:UNSEEN]
    shown = [each for each in found if each.shown]
    return [*unseen, *shown][:EACH]


def _wrong(program: Program, mutant: Mutant, right: Outcome, outcome: Outcome) -> _Wrong | None:
    """Return an input for which a mutant has a wrong result.

    Return None if there is no such input, or if the mutant runs too long.
    """
    both = [(i, r, g) for i, r, g in zip(program.inputs, right, outcome, strict=True) if r and g]
    if any(gave.kind == "late" for _, _, gave in both):
        return None
    other = [(i, r, g) for i, r, g in both if _differs(r, g, program.item) and is_plain(r.written)]
    if not other:
        return None
    place = lambda each: (not each[0].own, not each[0].alike, len(_input(each[0].example)))
    at, want, gave = min(other, key=place)
    kinds = {gave.kind for each, _, gave in other if each.own}
    return _Wrong(
        mutant, at, want, gave, "raised" if kinds == {"raised"} else "value" if kinds else ""
    )


def _differs(right: Gave, gave: Gave, item: Question) -> bool:
    """Return whether a result differs from the right result by more than notation or a permitted order."""
    if gave.kind == "value" and gave.plain == right.plain:
        return False
    if {right.written, gave.written} == {"None", "False"}:
        return False
    return "any_order" not in item.says or _sorted(right) != _sorted(gave)


def _sorted(gave: Gave) -> Any:
    if gave.kind != "value":
        return None
    value = json.loads(gave.plain)
    return sorted(value, key=json.dumps) if isinstance(value, list) else value


def _input(example: ProgramExample) -> str:
    return example.stdin if example.stdin is not None else example.before + example.expression


def _test(wrong: _Wrong) -> str:
    """Return an assertion that fails for the wrong program and holds for the right program."""
    example, right = wrong.at.example, wrong.right.written
    gave = f"# the paid program {wrong.gave.words}"
    if example.stdin is not None:
        return f"assert run({example.stdin!r}) == {right}  {gave}"
    before = "".join(f"{line}; " for line in example.before.split("\n") if line)
    return f"{before}assert {example.expression} == {right}  {gave}"
