"""How large rooms, folders and modules may grow, and what ``graders`` imports and offers.

A change that has to raise a number says why in its commit.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

from .conftest import ROOT
from .test_architecture import MODULES, PACKAGE, _dotted, imported_modules, parsed, room

MOST_MODULES = 15
"""Modules in a folder, besides its ``__init__``: as many as a listing shows at a glance."""
LEAST_LINES = 40
"""Of a module that one other imports: a smaller one is a part of that."""
SMALL = {
    # It would lift the module that imports it over 300 lines.
    "checks.reading.distributions",
}
BODY_LINES = 5
"""Of a function's body, from which on another function may not have the same."""
MOST_PARAMETERS = 8
"""Parameters of a function. The commands of ``cli`` have one for each option."""
PARAMETERS = {
    "skill_tools/checks/check.py: check": 13,
    "skill_tools/checks/rules/rewards/ceilings.py: _row": 12,
}
"""Functions with more, and how many; the table may only shrink."""
ROOM_LINES = {
    "archetypes": 900,
    "audit": 7370,
    "backends": 180,
    "checks": 15035,
    "cli": 2223,
    "evidence": 3580,
    "frameworks": 4405,
    "graders": 10195,
    "learnability": 850,
    "pipeline": 5160,
    "policies": 1290,
    "ports": 1880,
    "probes": 3105,
    "reference": 1231,
    "render": 1720,
    "report": 4779,
    "rollouts": 2830,
    "runtime": 1300,
    "mcp": 1780,
    "spec": 2530,
    "worker": 2675,
    "packages/rl-env-harness": 8040,
    "packages/rl-env-sandbox": 5730,
}
"""Lines of Python of each room, and of the sources of each package.

Rooms grew last when messages became actions, when openings and arguments got structure and scores got names, and when
environments got models inside: judges, simulated users and players, with a family of checks. Audits grew when they
matched solutions with tasks, found calls in rows, and recognised rewards that judge form; graders grew when wrong
answers were verified by other readings, prompts computed, and the rows of a finding told from the others. Reviews came
with claims of readers, which are played. Then audits learned Gymnasium's spaces, PettingZoo's seats and MCP servers,
each with a driver among the frameworks, and reports learned that an environment may have no rewards. OpenAPI
documents became tools, in the pipeline. Ports came with imports and certificates: drivers play live, the pipeline
compares, and what somebody's schema declares is read in one place, in ``render``. Audits grew again when a
stand-in judged for served servers, graders when right replies were searched for. All rooms grew by a few lines when
docstrings named their fields one by one, and ``spec`` when the names of tools got a module.
``checks`` learned that calls in a hidden field, or a wanted state, are one secret, ``ports`` and ``audit`` that a
row's texts may be answers and that sessions may have to wait, and ``pipeline`` to read a package's module and a
class's methods. ``graders`` learned to compare given answers with their rows, and ``audit`` and ``evidence`` to hand
over the rows and to name what most of the affected prompts share; ``checks`` names the rows' own answers, and what
several rewarded replies have in common. ``graders`` reads stated tolerances and numbers of items, and ``probes`` and
``worker`` tell which task fields a domain reads. ``audit`` records the lines of a grader that run, and ``graders``
finds the line that decides, and columns whose numbers change no reward. The recording moved to ``worker`` when builds
of domains named the line, too. ``graders`` grew by 900 lines when audits learned to change a grader's code, and refused
replies, until the verdict is right, and to find answers in given replies of any style.
"""
OFFERED = {
    "graders.grader_client", "graders.circumstances", "graders.decisions", "graders.slips", "graders.grader_audit", "graders.extraction_rules", "graders.datasets.fields",  # noqa: E501
    "graders.datasets.files", "graders.datasets.survey", "graders.judges.judge_audit", "graders.repairs.code_repairs",
    "graders.perturbations.expressions", "graders.row_answers",
    "graders.templates.answer_templates", "graders.templates.question",
    "graders.templates.answer_argument", "graders.templates.shown_examples", "graders.templates.reward_search",
}  # fmt: skip
"""Modules of ``graders`` that others import."""
SOURCES = [
    *MODULES,
    *(path for path in ROOT.glob("packages/*/src/**/*.py")),
]


@cache
def text(path: Path) -> str:
    return path.read_text("utf-8")


def test_a_folder_is_read_at_a_glance() -> None:
    counted = Counter(path.parent for path in SOURCES)
    names = {folder.relative_to(ROOT).as_posix(): count for folder, count in counted.items()}
    large = {name: n for name, n in names.items() if n > MOST_MODULES}
    assert not large, "put what belongs together in a folder of its own"


def test_a_small_module_has_several_that_need_it() -> None:
    importers: Counter[str] = Counter()
    for path in MODULES:
        importers.update(imported_modules(path) - {_dotted(path)})
    small = {
        _dotted(path)
        for path in MODULES
        if path.stem != "__init__" and len(text(path).splitlines()) < LEAST_LINES
        if importers[_dotted(path)] == 1
    }
    assert small == SMALL, "make it a part of the module that imports it"


def test_no_two_functions_have_the_same_body() -> None:
    places: dict[str, list[str]] = {}
    for path in SOURCES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[isinstance(node.body[0], ast.Expr) :]
                if body and body[-1].end_lineno - body[0].lineno + 1 >= BODY_LINES:
                    shape = ast.dump(ast.Module(body, []))
                    places.setdefault(shape, []).append(f"{path.relative_to(ROOT)}: {node.name}")
    assert not [found for found in places.values() if len(found) > 1]


def test_what_a_function_is_given_is_read_at_a_glance() -> None:
    found = {}
    for path in SOURCES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                given = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
                names = [each.arg for each in given if each.arg not in ("self", "cls")]
                names += ["*"] * bool(node.args.vararg) + ["**"] * bool(node.args.kwarg)
                if len(names) > MOST_PARAMETERS and path.parent != PACKAGE / "cli":
                    found[f"{path.relative_to(ROOT).as_posix()}: {node.name}"] = len(names)
    assert found == PARAMETERS, "put what belongs together in a dataclass; shorten the table"


def test_no_room_grows_unseen() -> None:
    lines: Counter[str] = Counter()
    for path in SOURCES:
        inside = path.is_relative_to(PACKAGE)
        name = room(path) if inside else "/".join(path.relative_to(ROOT).parts[:2])
        lines[name] += len(text(path).splitlines())
    grown = {name: (lines[name], most) for name, most in ROOM_LINES.items() if lines[name] > most}
    assert not grown, "look for what the change replaces; raise the number with a reason"
    assert not set(lines) - set(ROOM_LINES) - {"errors", "files"}


def test_graders_import_evidence_and_processes_alone_and_offer_some_modules() -> None:
    inside, outside = set(), set()
    for path in MODULES:
        for name in imported_modules(path):
            if room(path) == "graders" and not name.startswith("graders"):
                inside.add(name.partition(".")[0])
            elif room(path) != "graders" and name.startswith("graders."):
                outside.add(name)
    assert inside <= {"errors", "evidence", "runtime"}
    assert outside == OFFERED


def test_no_check_is_named_by_its_id_outside_of_the_checks() -> None:
    named = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in MODULES
        if room(path) != "checks"
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant) and re.fullmatch(r"[A-Z]{3}\d{3}", str(node.value))
    ]
    assert not named, "let the check declare it, as `shows` and `criteria` do"


def test_no_message_of_a_finding_is_searched() -> None:
    searched = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Compare) and any(isinstance(op, ast.In) for op in node.ops)
        if any(
            isinstance(each, ast.Attribute) and each.attr == "message" for each in node.comparators
        )
    ]
    assert not searched, "put what is looked for into the finding as data"
