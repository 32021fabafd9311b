"""The generated parts of the skills' pages: archetypes, checks, frameworks, and spec fields.

Each function returns the lines of one part, and ``PARTS`` maps the names in pages to these functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from skill_tools.archetypes import ARCHETYPES
from skill_tools.backends import BACKENDS
from skill_tools.checks import FAMILIES, catalogue
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.render import text_actions
from skill_tools.spec.accepted_findings import CheckException
from skill_tools.spec.model import (
    END_EPISODE,
    RENDERED_FOLDERS,
    RESERVED_METHODS,
    RESERVED_TAGS,
    USUAL_FRAMEWORKS,
    EnvSpec,
    EpisodeLimits,
    Prompt,
    Reward,
    Seed,
)
from skill_tools.spec.parameters import (
    Array,
    Boolean,
    Enum,
    Integer,
    Number,
    Object,
    Raw,
    String,
)
from skill_tools.spec.surroundings import Display
from skill_tools.spec.tools import Tool

ROOT = Path(__file__).parent.parent
NESTED: dict[str, type[BaseModel]] = {
    "prompt": Prompt,
    "reward": Reward,
    "episode": EpisodeLimits,
    "seed": Seed,
    "display": Display,
    "exceptions": CheckException,
}
"""Fields of the spec that have fields of their own, or a list of such."""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def _archetype_names() -> Iterator[str]:
    yield from (f"- [`{a.name}`](references/{a.name}.md): {a.when}" for a in ARCHETYPES.values())


def _questions(name: str) -> Iterator[str]:
    a = ARCHETYPES[name]
    yield from _table(("question", "default answer"), ((q.ask, q.default) for q in a.questions))
    d = a.defaults
    low, high = d.reward_range
    yield ""
    yield (
        f"Spec defaults: `max_turns: {d.max_turns}`, `timing: {d.reward_timing}`, "
        f"`range: [{low:g}, {high:g}]`, `backend: {d.backend}`."
    )


def _risks(name: str) -> Iterator[str]:
    yield from (f"- {risk.gamed} → {risk.answer}" for risk in ARCHETYPES[name].risks)


def _shapes(name: str) -> Iterator[str]:
    yield from (f"- {shape}" for shape in ARCHETYPES[name].reward_shapes)


def _facts(name: str) -> Iterator[str]:
    f = FRAMEWORKS[name]
    yield f.summary
    yield ""
    rows = (
        ("in `frameworks`", f"`{name}`" + ("" if name in USUAL_FRAMEWORKS else ", on request")),
        ("package", f"`{', '.join(f.requirements)}` on Python `{f.python}`"),
        ("transport", f.transport),
        ("actions", "tool calls" if f.actions == "tool-calls" else "text, parsed from tags"),
        ("who drives", f.driver),
        ("turns", f.turns),
        ("reward and end", f.reward_and_end),
        ("state", f.state),
        ("docs", f"<{f.docs}>"),
    )
    yield from _table(("fact", f.title), rows)
    yield ""
    yield from _table(("our word", f"in {f.title}"), f.vocabulary.items())


def _pitfalls(name: str) -> Iterator[str]:
    known = FRAMEWORKS[name]
    yield from (f"- {pitfall}" for pitfall in (*known.pitfalls, *known.blocking_pitfalls))


def _publish() -> Iterator[str]:
    rows = ((f.title, f"`skill-tools bundle DIR {f.name}`", f.publish) for f in FRAMEWORKS.values())
    yield from _table(("framework", "make the folder", "then"), rows)


def _fields() -> Iterator[str]:
    yield from _table(("field", "default", "what it is"), _rows(EnvSpec, ""))


def _rows(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, ...]]:
    for name, field in model.model_fields.items():
        if not prefix and name in NESTED:
            listed = "[]" if isinstance(field.default, list) else ""
            yield from _rows(NESTED[name], f"{name}{listed}.")
            continue
        default = "required" if field.is_required() else f"`{_plain(field.default)}`"
        about = " ".join((field.description or model.__doc__ or "").split())
        yield f"`{prefix}{name}`", default, about


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return '""' if value == "" else str(value).replace("'", "")


def _parameters() -> Iterator[str]:
    rows = []
    for model in (String, Integer, Number, Boolean, Enum, Array, Object, Raw):
        (kind,) = get_args(model.model_fields["type"].annotation)
        fields = model.model_fields.items()
        own = [each.alias or name for name, each in fields if name not in ("type", "description")]
        about = " ".join((model.__doc__ or "").split())
        rows.append((f"`{kind}`", about, ", ".join(f"`{name}`" for name in own)))
    yield from _table(
        ("type", "what it is", "fields in addition to `type` and `description`"), rows
    )
    yield ""
    yield f"`tag`: {Tool.model_fields['tag'].description}"


def _reserved() -> Iterator[str]:
    def listed(names: frozenset[str]) -> str:
        return ", ".join(f"`{name}`" for name in sorted(names))

    yield f"- Tools: `{END_EPISODE}`. Methods of tools: {listed(RESERVED_METHODS)}. Parameters: `self`, `_raw`."
    for f in FRAMEWORKS.values():
        if f.reserved_tools:
            yield f"- Tools for {f.title}: {listed(f.reserved_tools)}."
    yield f"- Tags: {listed(RESERVED_TAGS)}."
    yield f"- Your modules: {listed(RENDERED_FOLDERS)}."


def _checks() -> Iterator[str]:
    for family, title in FAMILIES.items():
        yield f"## {family}: {title}"
        yield ""
        for entry in catalogue.entries():
            if entry.id.startswith(family):
                yield f"- {entry.id} {entry.name}"
        yield ""


def _backends() -> Iterator[str]:
    for b in BACKENDS.values():
        needs = [f"`{name}` under `packages`" for name in b.requirements]
        needs += [f"the variable `{name}`" for name in b.secrets]
        yield f"**`{b.name}`**: {b.summary} {b.confines} Needs {', '.join(needs)}. <{b.docs}>"
        yield ""
        yield from (f"- {pitfall}" for pitfall in b.pitfalls)
        yield ""


def _described(folder: str) -> Iterator[str]:
    yield "```text"
    yield text_actions.instructions(load(ROOT / folder))
    yield "```"


PARTS: Mapping[str, Callable[..., Iterator[str]]] = {
    "archetype-names": _archetype_names,
    "questions": _questions,
    "risks": _risks,
    "reward-shapes": _shapes,
    "facts": _facts,
    "pitfalls": _pitfalls,
    "publish": _publish,
    "fields": _fields,
    "parameters": _parameters,
    "reserved": _reserved,
    "checks": _checks,
    "backends": _backends,
    "told": _described,
}
"""By the name that stands in the pages' markers."""
