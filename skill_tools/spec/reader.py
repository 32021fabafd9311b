"""Read env.yaml, and report every problem with its file, line, field and a fix."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from skill_tools.errors import Problem, Remedy, SpecError
from skill_tools.files import EXAMPLES_FILE, SPEC_FILE
from skill_tools.spec.document import find_line, half_a_character, parse
from skill_tools.spec.mistakes import Place, typed_problems
from skill_tools.spec.model import EnvSpec
from skill_tools.spec.rules import rule_problems

Rules = Callable[[EnvSpec], Iterable[tuple[Place, str, str]]]
"""Rules of a spec: (path of the field, what is wrong, what to do) for each problem."""


def read(folder: Path, *more_rules: Rules) -> EnvSpec:
    """Read the spec of an environment folder, or of a path to an env.yaml.

    The examples may be in an examples.yaml next to env.yaml. ``more_rules`` are additional rules, such as the
    rules of the frameworks for which the spec is rendered. Raises SpecError with every problem found: syntax,
    unknown or missing fields, wrong types, and names that are reserved by Python, the domain or ``more_rules``.
    """
    path = folder / SPEC_FILE if folder.is_dir() else folder
    if not path.is_file():
        raise SpecError(
            [Problem(str(path), "the file does not exist", "start an environment in a new folder")],
            remedy=Remedy("new"),
        )
    data, text = parse(path)
    examples_file = path.with_name(EXAMPLES_FILE)
    examples = parse(examples_file) if path.name == SPEC_FILE and examples_file.is_file() else None
    if examples:
        _add_examples(data, path, examples[0], examples_file)

    def where(place: Sequence[str]) -> str:
        inside = examples if place[:1] == ("examples",) else None
        return (
            find_line(examples_file, inside[1], place) if inside else find_line(path, text, place)
        )

    if (half := half_a_character(data)) is not None:
        what = "contains half of a surrogate pair, which cannot be encoded"
        raise SpecError([Problem(where(half), what, "write the whole character")])
    try:
        spec = EnvSpec.model_validate(data)
    except ValidationError as error:
        raise SpecError(typed_problems(error, data, where, EnvSpec, SPEC_FILE)) from error
    found = rule_problems(spec) or [
        *(problem for rules in more_rules for problem in rules(spec)),
        *_missing_files(spec, path.parent),
    ]
    problems = [Problem(where(place), what, fix) for place, what, fix in found]
    if problems:
        raise SpecError(problems)
    return spec


def json_schema() -> str:
    """Return the JSON Schema of env.yaml, which is also committed as env.schema.json for editors."""
    return json.dumps(EnvSpec.model_json_schema(), indent=2) + "\n"


def _missing_files(spec: EnvSpec, folder: Path) -> Iterator[tuple[tuple[str, ...], str, str]]:
    named = [("domain", f"{spec.domain_module}.py"), ("oracle", spec.oracle.split(":")[0] + ".py")]
    if not spec.tasks_in_files:
        named.append(("tasks", spec.tasks.split(":")[0] + ".py"))
    named += [("include", name) for name in spec.include]
    for field, name in named:
        if not (_is_folder if name.endswith("/") else _is_file)(folder / name):
            yield (
                (field,),
                f"there is no file {name} next to env.yaml",
                "write that file, or correct the name",
            )


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long for the file system, or with a zero byte
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _add_examples(
    data: dict[str, Any], path: Path, found: dict[str, Any], examples_file: Path
) -> None:
    """Add the field `examples` from examples.yaml to the spec's data."""
    if unknown := [name for name in found if name != "examples"]:
        problem = f"{unknown[0]!r} is not a field of this file, whose only field is 'examples'"
        fix = f"rename the field to 'examples', or move it to {SPEC_FILE}"
        raise SpecError([Problem(f"{examples_file}:1", problem, fix)])
    if "examples" in data:
        problem = f"there are examples both here and in {EXAMPLES_FILE}"
        raise SpecError([Problem(f"{path}, examples", problem, f"move them to {EXAMPLES_FILE}")])
    data.update(found)
