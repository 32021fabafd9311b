"""Rules of an env spec that types cannot express: names, references, tags, placeholders, values."""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import InvalidVersion, Version

from skill_tools.errors import closest, nearest
from skill_tools.spec.examples import Example
from skill_tools.spec.model import (
    FRAMEWORK_NAMES,
    MESSAGE,
    NAME,
    PLACEHOLDER,
    REFERENCE,
    RENDERED_FOLDERS,
    RESERVED_TAGS,
    RESERVED_TOOLS,
    TAG,
    EnvSpec,
)
from skill_tools.spec.parameters import UNPARSED
from skill_tools.spec.shown import LONGEST_NAME

ALIKE = 0.7
"""Similarity from which a name counts as a misspelling of a tool's name; see ``closest``."""


def rule_problems(spec: EnvSpec) -> list[tuple[tuple[str, ...], str, str]]:
    """Violations of these rules; each as (path of the field, what is wrong, what to do)."""
    return [
        *_name_problems(spec),
        *_reference_problems(spec),
        *_tool_problems(spec),
        *_prompt_problems(spec),
        *_value_problems(spec),
        *_limit_problems(spec),
        *_display_problems(spec),
        *_example_problems(spec),
    ]


def _identifier_problem(name: str) -> str:
    if not NAME.fullmatch(name):
        return f"{name!r} is not snake_case (lower-case letters, digits and single underscores)"
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return f"{name!r} is a Python keyword"
    return ""


def _name_problems(spec: EnvSpec) -> Any:
    if problem := _identifier_problem(spec.name):
        yield ("name",), problem, "choose a name such as connect_four"
    elif spec.name in FRAMEWORK_NAMES:
        yield ("name",), f"{spec.name!r} is the name of a framework", "choose another name"


def _reference_problems(spec: EnvSpec) -> Any:
    for field in ("domain", "oracle", "tasks"):
        value = getattr(spec, field)
        if field == "tasks" and spec.tasks_in_files:
            if not _inside(value.replace("{split}", "split")):
                yield (field,), f"{value!r} leaves the environment folder", "use a path inside it"
            continue
        match = REFERENCE.fullmatch(value)
        if not match:
            expected = "module:name of a module next to env.yaml" + (
                ", or tasks/{split}.jsonl" if field == "tasks" else ""
            )
            yield (field,), f"{value!r} is not {expected}", f"write {field}: {_EXAMPLES[field]}"
        elif field == "oracle" and match[1] in (spec.domain_module, spec.tasks.partition(":")[0]):
            yield (
                (field,),
                f"{match[1]}.py is shipped with the domain",
                "give the oracle its own module",
            )
        elif match[1] in RENDERED_FOLDERS or keyword.iskeyword(match[1]):
            yield (field,), f"the module name {match[1]!r} is reserved", "rename the module"
    for position, path in enumerate(spec.include):
        if not _inside(path):
            problem = f"{path!r} leaves the environment folder"
            yield ("include", str(position)), problem, "use a relative path inside it"


_EXAMPLES = {"domain": "game:ConnectFour", "oracle": "oracle:solve", "tasks": "tasks:TASKS"}


def _inside(path: str) -> bool:
    parts = Path(path).parts
    return bool(parts) and not Path(path).is_absolute() and ".." not in parts and "\\" not in path


def _tool_problems(spec: EnvSpec) -> Any:
    if not spec.tools and not spec.message:
        fix = "describe the model's tools under `tools`, its messages under `message`, or both"
        yield ("tools",), "the model has no action", fix
    if spec.message and MESSAGE in spec.tools:
        fix = "rename the tool: the domain's method of this name plays messages"
        yield ("tools", MESSAGE), "the tool name 'message' is taken by `message`", fix
    for name, tool in spec.tools.items():
        if problem := _identifier_problem(name):
            yield ("tools", name), problem, "rename the tool"
        elif len(name) > LONGEST_NAME:
            problem = f"the tool name has {len(name)} characters, but model servers allow at most {LONGEST_NAME}"
            yield ("tools", name), problem, "choose a shorter name"
        elif name in RESERVED_TOOLS:
            fix = "rename the tool; it would collide with the domain's own methods"
            yield ("tools", name), f"the tool name {name!r} is reserved", fix
        tag = spec.tags[name]
        if tool.tag and (not TAG.fullmatch(tag) or tag in RESERVED_TAGS):
            fix = f"write a name such as {name}; reserved are: {', '.join(sorted(RESERVED_TAGS))}"
            yield ("tools", name, "tag"), f"{tag!r} cannot be a tag", fix
        elif list(spec.tags.values()).count(tag) > 1:
            fix = "give each tool a tag of its own"
            yield ("tools", name, "tag"), f"two tools share the tag {tag!r}", fix
        for parameter in tool.parameters:
            if parameter in (UNPARSED, "self") or not parameter.isidentifier():
                problem = f"the parameter name {parameter!r} cannot be used"
                yield ("tools", name, "parameters", parameter), problem, "rename it"
            elif not parameter.isascii() or len(parameter) > LONGEST_NAME:
                problem = f"model servers refuse the parameter name {parameter!r}"
                fix = f"use at most {LONGEST_NAME} ASCII letters, digits and underscores"
                yield ("tools", name, "parameters", parameter), problem, fix
            elif keyword.iskeyword(parameter):
                problem = f"the parameter name {parameter!r} is a Python keyword"
                yield ("tools", name, "parameters", parameter), problem, "rename it"


def _limit_problems(spec: EnvSpec) -> Any:
    if spec.episode.max_refusals and spec.episode.refusals == "turn":
        problem = "max_refusals limits refusals that cost no turn, but here each refusal costs one"
        yield ("episode", "max_refusals"), problem, "write refusals: free, or remove the line"


def _display_problems(spec: EnvSpec) -> Any:
    if spec.display and spec.backend == "none":
        yield ("display",), "a screen needs a backend to run programs", "add backend: local"


def _example_problems(spec: EnvSpec) -> Any:
    for number, example in enumerate(spec.examples):
        for place, call in enumerate(example.calls):
            where = ("examples", str(number), "calls", str(place))
            hint = nearest(call.tool, spec.actions)
            # A name close to a tool's is a misspelling, and any call of it would be refused.
            if call.tool not in spec.actions and (
                closest(call.tool, spec.actions, ALIKE) or not call.refused
            ):
                fix = (
                    "name a tool of this spec; to show that an unknown tool is refused, use a "
                    "name that resembles none of the tools and write refused: true"
                )
                yield (*where, "tool"), f"there is no tool {call.tool!r}{hint}", fix
        yield from late_calls(example, ("examples", str(number)))


def late_calls(
    example: Example, place: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Problems with an example's calls after its end, which are all refused.

    ``place`` is the example's place in the document.
    """
    for number, call in enumerate(example.calls):
        if example.ending is not None and number > example.ending and not call.refused:
            problem = f"this call comes after the end: call {example.ending + 1} has done: true"
            fix = "write refused: true, since calls after the end are refused, or done: true on the last call"
            yield (*place, "calls", str(number)), problem, fix


def _prompt_problems(spec: EnvSpec) -> Any:
    for part in ("system", "user"):
        text = getattr(spec.prompt, part)
        for braces in ("{{", "}}", "{%", "{#"):
            if braces in text:
                problem = f"{braces!r} is not a placeholder"
                fix = "write {observation} or {field}, with single braces; no other placeholder is filled in"
                yield ("prompt", part), problem, fix
        for field in PLACEHOLDER.findall(text):
            if field in spec.hidden:
                problem = f"{{{field}}} is a hidden task field: the model would see the answer"
                yield ("prompt", part), problem, f"remove {{{field}}} from the prompt"
    if spec.prompt.history in spec.hidden:
        problem = f"{spec.prompt.history!r} is a hidden task field: the model would see all of it"
        yield ("prompt", "history"), problem, "name a field that is not under hidden"


def _value_problems(spec: EnvSpec) -> Any:
    low, high = spec.reward.range
    if not low < high:
        yield ("reward", "range"), f"[{low}, {high}] is empty", "write [lowest, highest]"
    if len(set(spec.frameworks)) != len(spec.frameworks):
        yield ("frameworks",), "a framework is listed twice", "list each framework once"
    if len(set(spec.varies)) != len(spec.varies):
        yield ("varies",), "a name is listed twice", "list each name once"
    try:
        Version(spec.version)
    except InvalidVersion:
        yield ("version",), f"{spec.version!r} is not a version", "write a version such as 0.1.0"
    for position, package in enumerate(spec.packages):
        try:
            Requirement(package)
        except InvalidRequirement as error:
            problem = f"{package!r} is not a requirement: {error}".splitlines()[0]
            yield ("packages", str(position)), problem, "write a requirement such as numpy>=2"
    if not spec.seed.used and not spec.seed.reason:
        yield (
            ("seed",),
            "a seed that is not used needs a reason",
            "add seed.reason, a single sentence",
        )
