"""Reading env.yaml: every problem named with its file, line, field and what was expected."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent

from skill_tools.errors import Problem, Remedy, SpecError, closest, nearest
from skill_tools.files import EXAMPLES_FILE, SPEC_FILE
from skill_tools.spec.examples import Example, ExpectedCall
from skill_tools.spec.halves import half_a_character
from skill_tools.spec.model import (
    CheckException,
    Display,
    EnvSpec,
    EpisodeLimits,
    Prompt,
    Reward,
    Seed,
)
from skill_tools.spec.parameters import TYPES, Array, Boolean, Enum, Integer, Number, String, Tool
from skill_tools.spec.rules import rule_problems

LARGEST = 262_144
"""Bytes; a spec is some dozens of lines, and an untrusted one is not read further."""

RENAMED = {"secret": "hidden"}
"""Fields that had another name in an earlier release: {then: now}."""

_MODELS: dict[str, type[BaseModel]] = {
    "prompt": Prompt,
    "reward": Reward,
    "episode": EpisodeLimits,
    "seed": Seed,
    "display": Display,
    "exceptions": CheckException,
    "examples": Example,
}
_PARAMETERS: dict[str, type[BaseModel]] = {
    "string": String,
    "integer": Integer,
    "number": Number,
    "boolean": Boolean,
    "enum": Enum,
    "array": Array,
}


Place = tuple[str, ...]
"""Path of a field in env.yaml."""
Rules = Callable[[EnvSpec], Iterable[tuple[Place, str, str]]]
"""What is wrong with a spec: (path of the field, what is wrong, what to do) for each problem."""


def read(folder: Path, *more_rules: Rules) -> EnvSpec:
    """The spec of an environment folder (or of a path to an env.yaml).

    Its examples may stand in an examples.yaml beside it. ``more_rules`` are those of whoever uses
    the spec, such as the frameworks it is rendered for.
    Raises SpecError with every problem found: syntax, unknown or missing fields, wrong types, and
    names that Python, the domain or ``more_rules`` reserve.
    """
    path = folder / SPEC_FILE if folder.is_dir() else folder
    if not path.is_file():
        raise SpecError(
            [Problem(str(path), "there is no such file", "start an environment in a new folder")],
            remedy=Remedy("new"),
        )
    data, text = _parse(path)
    examples_file = path.with_name(EXAMPLES_FILE)
    examples = _parse(examples_file) if path.name == SPEC_FILE and examples_file.is_file() else None
    if examples:
        _add_examples(data, path, examples[0], examples_file)

    def where(place: Sequence[str]) -> str:
        inside = examples if place[:1] == ("examples",) else None
        return _where(examples_file, inside[1], place) if inside else _where(path, text, place)

    if (half := half_a_character(data)) is not None:
        what = "holds half of a surrogate pair, which nobody can read or send on"
        raise SpecError([Problem(where(half), what, "write the whole character")])
    try:
        spec = EnvSpec.model_validate(data)
    except ValidationError as error:
        items = _not_misspelt(data, error.errors(include_url=False))
        raise SpecError([_typed_problem(where, data, item) for item in items]) from error
    found = rule_problems(spec) or [
        *(problem for rules in more_rules for problem in rules(spec)),
        *_missing_files(spec, path.parent),
    ]
    problems = [Problem(where(place), what, fix) for place, what, fix in found]
    if problems:
        raise SpecError(problems)
    return spec


def json_schema() -> str:
    """JSON Schema of env.yaml, as committed in env.schema.json for editors."""
    return json.dumps(EnvSpec.model_json_schema(), indent=2) + "\n"


def _missing_files(spec: EnvSpec, folder: Path) -> Iterator[tuple[tuple[str, ...], str, str]]:
    named = [("domain", f"{spec.domain_module}.py"), ("oracle", spec.oracle.split(":")[0] + ".py")]
    if not spec.tasks_in_files:
        named.append(("tasks", spec.tasks.split(":")[0] + ".py"))
    named += [("include", name) for name in spec.include]
    for field, name in named:
        if not _is_file(folder / name):
            yield (
                (field,),
                f"there is no file {name} beside env.yaml",
                "write it, or correct the name",
            )


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long for the file system, or with a zero byte
        return False


def _add_examples(
    data: dict[str, Any], path: Path, found: dict[str, Any], examples_file: Path
) -> None:
    """Put the field of examples.yaml into the spec's."""
    if unknown := [name for name in found if name != "examples"]:
        problem = f"{unknown[0]!r} is no field of this file, whose only one is 'examples'"
        fix = f"call it 'examples', or move it to {SPEC_FILE}"
        raise SpecError([Problem(f"{examples_file}:1", problem, fix)])
    if "examples" in data:
        problem = f"there are examples here and in {EXAMPLES_FILE}"
        raise SpecError([Problem(f"{path}, examples", problem, f"move them to {EXAMPLES_FILE}")])
    data.update(found)


def _parse(path: Path) -> tuple[dict[str, Any], str]:
    """A document and its text. Raises SpecError where it is too large, no YAML, or no mapping."""
    if path.stat().st_size > LARGEST:
        raise SpecError([Problem(str(path), f"larger than {LARGEST} bytes", "move data to files")])
    try:
        text = path.read_text("utf-8")
        # An alias of an alias of an alias grows without limit, and a spec has no use for one.
        for event in YAML(typ="safe", pure=True).parse(text):
            if isinstance(event, AliasEvent):
                where = f"{path}:{event.start_mark.line + 1}"
                raise SpecError([Problem(where, "YAML aliases are not allowed", "write it out")])
        data = YAML(typ="safe", pure=True).load(text)
    except UnicodeDecodeError as error:
        raise SpecError(
            [Problem(str(path), f"not UTF-8 text: {error}", "save it as UTF-8")]
        ) from error
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f":{mark.line + 1}" if mark else ""
        what = f"not valid YAML: {error.problem or error.context}"
        raise SpecError(
            [Problem(f"{path}{line}", what, "check the indentation and quotes")]
        ) from error
    except (YAMLError, RecursionError, ValueError) as error:
        raise SpecError([Problem(str(path), f"not valid YAML: {error}", "")]) from error
    if not isinstance(data, dict):
        raise SpecError([Problem(f"{path}:1", "not a mapping of fields", "see env.schema.json")])
    return data, text


def _typed_problem(where: Callable[[Sequence[str]], str], data: Any, item: Any) -> Problem:
    place = _in_document(data, item["loc"])
    kind, context = item["type"], item.get("ctx", {})
    name = str(item["loc"][-1])
    if kind == "extra_forbidden" and name in RENAMED:
        what = f"the field {name!r} is called {RENAMED[name]!r} now"
        return Problem(where(place), what, f"write {RENAMED[name]}: instead")
    if kind == "extra_forbidden":
        allowed = _fields_around(data, item["loc"])
        return Problem(
            where(place),
            f"unknown field {name!r}",
            nearest(name, allowed, before=""),
        )
    if kind == "missing":
        what = f"the field {name!r} is missing"
        return Problem(where(place), what, f"add {name}: to env.yaml")
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        given = context.get("tag", "")
        found = where((*place, "type"))
        what = f"unknown parameter type {given!r}" if given else "the parameter has no type"
        return Problem(found, what, nearest(given, TYPES, before=""))
    if kind == "literal_error":
        allowed = [part.strip("' ") for part in context["expected"].replace(" or ", ",").split(",")]
        what = f"{item['input']!r} is not one of the values allowed here"
        return Problem(where(place), what, nearest(str(item["input"]), allowed, before=""))
    what = f"{item['msg'].removeprefix('Value error, ')} (found {_short(item['input'])})"
    return Problem(where(place), what, _EXPECTED.get(kind, ""))


_EXPECTED = {
    "int_type": "write a whole number, without quotes",
    "string_type": "write text; put quotes around it if it looks like a number",
    "bool_type": "write true or false",
    "dict_type": "write fields below it, indented",
    "list_type": "write a list: [a, b]",
}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _not_misspelt(data: Any, items: list[Any]) -> list[Any]:
    """The problems without fields that are missing only because they are spelt otherwise."""
    meant = set()
    for item in items:
        if item["type"] == "extra_forbidden":
            *place, name = item["loc"]
            # Less alike, it may well be missing besides.
            meant.add((*place, closest(str(name), _fields_around(data, item["loc"]), alike=0.6)))
    return [item for item in items if item["type"] != "missing" or item["loc"] not in meant]


def _in_document(data: Any, loc: Sequence[int | str]) -> tuple[str, ...]:
    """The error's place without the union tags that pydantic puts into it."""
    place: list[str] = []
    for position, part in enumerate(loc):
        if _has(data, part):
            data = data[part]
        elif position < len(loc) - 1 or part in TYPES:
            continue
        place.append(str(part))
    return tuple(place)


def _has(data: Any, part: int | str) -> bool:
    if isinstance(data, list):
        return isinstance(part, int) and part < len(data)
    return isinstance(data, dict) and part in data


def _fields_around(data: Any, loc: Sequence[int | str]) -> list[str]:
    if len(loc) == 1:
        return list(EnvSpec.model_fields)
    if loc[0] in _MODELS:
        model = ExpectedCall if "calls" in loc[:-1] else _MODELS[str(loc[0])]
        return list(model.model_fields)
    tags = [part for part in loc if part in _PARAMETERS and part not in _in_document(data, loc)]
    if tags:
        return list(_PARAMETERS[str(tags[-1])].model_fields)
    return list(Tool.model_fields)


@functools.lru_cache(maxsize=1)
def _marks(text: str) -> Any:
    """A document with its lines, which only a problem needs: reading it so takes long."""
    try:
        return YAML(typ="rt").load(text)
    except (YAMLError, RecursionError, ValueError):
        return None


def _where(path: Path, text: str, place: Sequence[str]) -> str:
    """``file:line, field`` of the deepest part of a place that is in the document."""
    line, node = 1, _marks(text)
    for part in place:
        key: Any = int(part) if isinstance(node, CommentedSeq) and part.isdigit() else part
        if isinstance(node, CommentedMap) and key in node:
            line = node.lc.key(key)[0] + 1
        elif isinstance(node, CommentedSeq) and isinstance(key, int) and key < len(node):
            line = node.lc.item(key)[0] + 1
        else:
            break
        node = node[key]
    return f"{path}:{line}, {'.'.join(place) or 'the document'}"
