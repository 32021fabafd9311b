"""The target of an audit: an address, a folder or a name, and everything needed to play it."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypedDict

from skill_tools.audit.grading.real_models import RealModel
from skill_tools.audit.options import AuditOptions
from skill_tools.audit.project import (
    choose_python,
    find_definition,
    find_links,
    find_package,
    find_root,
    is_of_kind,
    names_in,
    read_packages,
    read_requirements,
    read_text,
)
from skill_tools.audit.token import read_token
from skill_tools.errors import DomainError, SkillToolsError, nearest
from skill_tools.frameworks import PLAYABLE
from skill_tools.frameworks.framework import InFolder, Playable
from skill_tools.graders.datasets.files import rows_of

FUNCTION = re.compile(r"(.+\.py):([A-Za-z_]\w{0,99})")
"""The name of a reward function: its file and its function."""


@dataclass(frozen=True)
class Target:
    """The target of an audit.

    Attributes:
        url: The address of a running server.
        folder: The folder to serve, or the folder of a package.
        id: The environment's name within the target.
        app: The app to serve.
        links: The folders of packages to import, by import name.
        imports: Modules that register the environment.
        requirements: Requirements other than the target's framework.
        asked: The target's version constraint on the framework.
        left_out: Requirements of the target that no index has.
        root: The root of the target's repository, which is searched for imports before any installed package.
        arguments: Arguments for loading the environment.
        judge: The real model that replaces the stand-in judge.
        player: The real model whose replies are scored.
    """

    name: str
    framework: Playable
    url: str | None = None
    folder: Path | None = None
    id: str | None = None
    app: str = ""
    links: dict[str, Path] = field(default_factory=dict)
    imports: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()
    asked: str = ""
    left_out: tuple[str, ...] = ()
    root: Path | None = None
    tasks: Path | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    judge: RealModel | None = None
    player: RealModel | None = None

    @property
    def served(self) -> bool:
        """Whether the target needs a server that is not running yet."""
        return self.url is None and self.framework.transport == "http"


class _More(TypedDict):
    """Facts that the caller states about a target in addition to its name."""

    id: str | None
    imports: tuple[str, ...]
    requirements: tuple[str, ...]


def recognise(
    target: str,
    framework: str | None = None,
    *,
    identity: str | None = None,
    imports: Sequence[str] = (),
    requirements: Sequence[str] = (),
    tasks: Path | None = None,
    arguments: Mapping[str, Any] | None = None,
) -> Target:
    """Return the target that a user names. Raise SkillToolsError if the target is invalid or incomplete."""
    facts = PLAYABLE.get(framework or "", PLAYABLE["reward_function"])
    wanted, links = read_packages(requirements, facts)
    found = _recognise(target, framework, identity, (tuple(imports), tuple(wanted)), tasks)
    found = replace(found, links={**found.links, **links})
    if arguments and not found.framework.configured:
        those = ", ".join(each.name for each in PLAYABLE.values() if each.configured)
        raise SkillToolsError(
            f"{found.framework.title} environments accept no arguments\n"
            f"    fix: remove --arg; frameworks that accept it: {those}"
        )
    return replace(found, arguments=dict(arguments or {}))


def target_of(target: str | Path, framework: str | None, asked: AuditOptions) -> Target:
    """Recognize a target with the options of an audit or a review; see ``recognise``."""
    return recognise(
        str(target),
        framework,
        identity=asked.id,
        imports=asked.imports,
        requirements=asked.requirements,
        tasks=asked.dataset,
        arguments=asked.arguments or None,
    )


def _recognise(
    target: str,
    framework: str | None,
    identity: str | None,
    listed: tuple[tuple[str, ...], tuple[str, ...]],
    tasks: Path | None,
) -> Target:
    if framework and framework not in PLAYABLE:
        raise SkillToolsError(f"there is no framework {framework!r}{nearest(framework, PLAYABLE)}")
    more = _More(id=identity, imports=listed[0], requirements=listed[1])
    if re.match(r"(https?|wss?)://", target):
        facts = _known(framework, target)
        if facts.transport != "http" and not facts.by_command:
            raise SkillToolsError(
                f"{facts.title} environments have no server address\n    fix: name a folder or an id"
            )
        read_token()  # report a token that cannot be sent before making a venv
        url = target.rstrip("/").replace("ws", "http", 1) if target.startswith("ws") else target
        return Target(target, facts, url=url.rstrip("/"), tasks=tasks, **more)
    if framework and PLAYABLE[framework].by_command:
        return _command(target, PLAYABLE[framework], more)
    if function := FUNCTION.fullmatch(target):
        file, name = Path(function[1]), function[2]
        if framework in (None, "reward_function"):
            return _function(file, name, target, more, tasks)
        more["id"] = f"{file.stem}:{name}"
        return _in_folder(file.expanduser().resolve().parent, framework, tasks, replace_with=more)
    folder = Path(target).expanduser()
    if folder.is_dir():
        return _in_folder(folder.resolve(), framework, tasks, replace_with=more)
    if "/" in target and not framework:
        raise DomainError(f"{target} is not a folder\n    fix: name a folder, an address or an id")
    facts = _known(framework, target)
    if facts.transport == "http":
        raise DomainError(f"{target} is neither a folder nor an address\n    fix: name one of them")
    more["id"] = identity or target
    return Target(target, facts, tasks=tasks, **more)


def _command(target: str, facts: Playable, more: _More) -> Target:
    """Return the target for a server that a command starts.

    The command runs in an empty folder or, if the target is a folder, in that folder.
    """
    folder = Path(target).expanduser()
    here = folder.resolve() if folder.is_dir() else None
    if here and not more["id"]:
        raise SkillToolsError(
            f"{target} is a folder: its server has no command\n"
            '    fix: name the command with --id, as in --id "python server.py"'
        )
    command = target if here is None else str(more["id"])
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise SkillToolsError(f"{command} is not a command: {error}") from error
    if here is None:
        words = [_absolute(word, first=at == 0) for at, word in enumerate(words)]
    if not words or ("/" not in words[0] and not shutil.which(words[0])):
        raise DomainError(
            f"{command} starts no program\n    fix: name a command as in a shell, or an address"
        )
    more["id"] = shlex.join(words)
    return Target(folder.name if here else target, facts, folder=here, **more)


def _absolute(word: str, *, first: bool) -> str:
    """Return a word of a command, with an existing path made absolute: the command runs in another folder."""
    path = Path(word).expanduser()
    # A link such as a venv's python stays one.
    named = path.exists() if "/" in word else path.is_file() and not first
    return str(path.absolute()) if named else word


def _function(file: Path, name: str, target: str, more: _More, tasks: Path | None) -> Target:
    """Return the target for a reward function in a file, with the rows whose answers the function scores."""
    path = file.expanduser().resolve()
    if not path.is_file():
        raise DomainError(f"{file} is not a file\n    fix: name a function as path/to/file.py:name")
    if tasks is None:
        raise SkillToolsError(
            f"{target} is a reward function: the audit needs the rows whose answers it scores\n"
            "    fix: name a file of rows, --dataset tasks.jsonl"
        )
    names = names_in(path)
    if names and name not in names:
        raise SkillToolsError(f"{file} has no function {name!r}{nearest(name, names)}")
    for _ in rows_of([tasks]):  # report an invalid line before anything runs
        pass
    more["id"] = f"{path.name}:{name}"
    facts = PLAYABLE["reward_function"]
    return Target(target, facts, folder=path.parent, tasks=tasks, **more)


def _known(framework: str | None, target: str) -> Playable:
    if framework is None:
        raise SkillToolsError(
            f"the framework of {target} cannot be detected from its name\n"
            f"    fix: name it with --framework; there are: {', '.join(PLAYABLE)}"
        )
    return PLAYABLE[framework]


def _in_folder(
    folder: Path, framework: str | None, tasks: Path | None, replace_with: _More
) -> Target:
    facts = _known(framework or _guess(folder), str(folder))
    facts = replace(facts, python=choose_python(folder, facts))
    read = read_requirements(folder, facts)
    found = Target(folder.name, facts, folder=folder, tasks=tasks, **replace_with)
    found = replace(found, requirements=(*read.wanted, *found.requirements), asked=read.asked)
    found = replace(found, left_out=read.left_out, root=find_root(folder, facts))
    signs, module = facts.in_folder, find_package(folder)
    file = find_definition(folder, signs)
    if file and file.parent == folder and file.name != "__init__.py":
        return replace(found, id=found.id or file.stem)
    if facts.transport == "http":
        rows = [path for pattern in signs.rows for path in sorted(folder.glob(pattern))]
        links = {module.name.replace("-", "_"): module} if signs.links else {}
        tasks = tasks or next(iter(rows), None)
        return replace(found, app=_served(folder, signs), tasks=tasks, links=links)
    found = replace(found, links=find_links(folder, module) if signs.links else {})
    if signs.id == "package":
        return replace(found, id=found.id or module.name)
    if signs.id == "asked" and not found.id:
        raise SkillToolsError(
            f"{facts.title} needs the id under which {folder} registers the environment: give --id"
        )
    return replace(found, imports=found.imports or (module.name,))


def _served(folder: Path, signs: InFolder) -> str:
    """Return the app to serve: the app in the manifest, or the first of the usual files that exists."""
    if signs.manifest:
        return _yaml_field(folder / signs.manifest, "app") or signs.app
    name = _first_of(folder, *signs.serves)
    return Path(name).stem if signs.as_module else name


def _guess(folder: Path) -> str | None:
    """Guess the framework of a folder from files that only environments of that framework have."""
    # Frameworks that host others come first, because their environments mention those, too.
    every = sorted(PLAYABLE.values(), key=lambda each: not each.in_folder.hosts)
    for each in every:
        if each.in_folder.manifest and (folder / each.in_folder.manifest).is_file():
            return each.name
    for each in every:
        if is_of_kind(folder, each.in_folder):
            return each.name
    said = "\n".join(
        read_text(folder / name)
        for name in ("pyproject.toml", "requirements.txt", "app.py", "server.py", "__init__.py")
    )
    marked = (each for each in every if each.in_folder.mark and each.in_folder.mark in said)
    return next((each.name for each in marked), None)


def _first_of(folder: Path, *names: str) -> str:
    for name in names:
        if (folder / name).is_file():
            return name
    raise DomainError(f"{folder} contains none of {', '.join(names)}: there is nothing to serve")


def _yaml_field(path: Path, name: str) -> str | None:
    """Return a plain top-level field of a YAML file, without parsing the foreign file as YAML."""
    found = re.search(rf"^{name}:[ \t]*['\"]?([\w.:-]+)", read_text(path), re.MULTILINE)
    return found[1] if found else None
