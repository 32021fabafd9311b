"""Rules of an env spec that types cannot express, about names, references, placeholders and values."""

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
    NAME,
    PLACEHOLDER,
    REFERENCE,
    RENDERED_FOLDERS,
    EnvSpec,
)
from skill_tools.spec.surroundings import role_problems
from skill_tools.spec.tool_names import tool_problems

METRICS = "metrics"
"""The domain's attribute that has the metrics."""
RESERVED_METRICS = {
    "environment", "framework", "model", "label", "task_id", "task", "split", "index", "seed", "sample",
    "return", "best", "end", "limit", "turns", "calls", "refusals", "input_tokens", "output_tokens",
    "seconds", "finish_reason", "server_model", "server_url", "sampling", "failure", "messages",
    "reward", "rewards", "score", "scores", "done", "metrics", "num_turns", "max_turns", "errors",
    "refused", "terminated", "truncated", "cut_off", "stopped", "failed", "steps", "info", "response",
    "responses_create_params", "episode_return", "final_reward", "observation",
}  # fmt: skip
"""Columns of exported tables, and what frameworks and trainers report under the same names."""
ALIKE = 0.7
"""Similarity from which a name counts as a misspelling of a tool's name; see ``closest``."""


def rule_problems(spec: EnvSpec) -> list[tuple[tuple[str, ...], str, str]]:
    """Return all violations of this module's rules by a spec, each as (path of the field, problem, fix)."""
    return [
        *_name_problems(spec),
        *_reference_problems(spec),
        *tool_problems(spec),
        *_metric_problems(spec),
        *role_problems(spec.models, spec.reward.soft, spec.hidden, PLACEHOLDER.findall),
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
            yield ("include", str(position)), problem, "use a relative path within this folder"


_EXAMPLES = {"domain": "game:ConnectFour", "oracle": "oracle:solve", "tasks": "tasks:TASKS"}


def _inside(path: str) -> bool:
    parts = Path(path).parts
    return bool(parts) and not Path(path).is_absolute() and ".." not in parts and "\\" not in path


def _metric_problems(spec: EnvSpec) -> Any:
    if spec.metrics and METRICS in spec.tools:
        fix = "rename the tool: the domain's attribute of this name has the metrics"
        yield ("tools", METRICS), "the tool name 'metrics' is reserved for `metrics`", fix
    for name in spec.metrics:
        if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
            fix = "use ASCII letters, digits and underscores, for example exact_match"
            yield ("metrics", name), f"{name!r} cannot be the name of a metric", fix
        elif name in RESERVED_METRICS:
            fix = f"choose another name, for example {name}_score"
            yield ("metrics", name), f"frameworks and exports already use the name {name!r}", fix


def _limit_problems(spec: EnvSpec) -> Any:
    if spec.grades_calls and spec.episode.max_turns != 1:
        problem = "the calls in a message are graded, so the message must be the whole episode"
        yield ("episode", "max_turns"), problem, "write max_turns: 1"
    if spec.grades_calls and "ors" in spec.frameworks:
        problem = "ORS plays each call of a message separately, so they cannot be graded together"
        yield (
            ("frameworks",),
            problem,
            "remove ors from frameworks, or remove with_calls so that the tools are played",
        )
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
    """Yield a problem for each call of an example that follows the episode's end but does not expect a refusal.

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
        problem = (
            f"{spec.prompt.history!r} is a hidden task field: the model would see all of that field"
        )
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
