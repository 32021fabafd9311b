"""Turn a starter's templates into the author's first files."""

from __future__ import annotations

import json
import re

import jinja2
from pydantic import ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from skill_tools.archetypes.archetype import STARTERS
from skill_tools.errors import Problem, SpecError
from skill_tools.spec.model import EnvSpec, class_name_of
from skill_tools.spec.rules import rule_problems


def render_starter(
    starter: str, name: str, title: str | None, description: str | None
) -> dict[str, str]:
    """Return the files of a starter as ``{path: text}``. Raise SpecError for an invalid name, title or description."""
    folder = STARTERS / starter
    templates = {
        path.relative_to(folder).as_posix().removesuffix(".jinja"): path.read_text("utf-8")
        for path in sorted(folder.rglob("*.jinja"))
    }
    variables = {
        "name": name,
        "title": _one_line("title", title) or name.replace("_", " ").title(),
        "description": _one_line("description", description),
        "class_name": _class_name(name, templates),
    }
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    environment.filters["yaml"] = as_yaml
    files = {
        path: environment.from_string(template).render(variables)
        for path, template in templates.items()
    }
    check_name(files["env.yaml"])
    return files


def as_yaml(text: str) -> str:
    """Return text as a YAML scalar: plain if YAML reads the plain text back unchanged, otherwise in double quotes."""
    try:
        plain = YAML(typ="safe", pure=True).load(f"key: {text}") == {"key": text}
    except YAMLError:
        plain = False
    return text if plain else json.dumps(text, ensure_ascii=False)


def _one_line(field: str, text: str | None) -> str:
    """Return text with its whitespace collapsed. Raise SpecError if the text has control characters."""
    line = " ".join((text or "").split())
    if not line.isprintable():
        problem = f"{line!r} has control characters"
        raise SpecError([Problem(field, problem, "use plain text without them")])
    return line


def _class_name(name: str, templates: dict[str, str]) -> str:
    """Return a class name for the world. Append "World" if the starter's templates already contain the name."""
    class_name = class_name_of(name)
    taken = any(re.search(rf"\b{re.escape(class_name)}\b", text) for text in templates.values())
    return f"{class_name}World" if taken else class_name


def check_name(text: str) -> None:
    """Raise SpecError if the env spec ``text`` contains an invalid name."""
    try:
        spec = EnvSpec.model_validate(YAML(typ="safe", pure=True).load(text))
    except (YAMLError, ValidationError) as error:
        fix = "use lower-case letters, digits and single underscores, as in treasure_hunt"
        raise SpecError(
            [Problem("name", "it cannot be the name of an environment", fix)]
        ) from error
    problems = [
        Problem(".".join(path), what, fix)
        for path, what, fix in rule_problems(spec)
        if path == ("name",)
    ]
    if problems:
        raise SpecError(problems)
