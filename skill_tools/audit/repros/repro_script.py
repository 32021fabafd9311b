"""Write a repro as a script that needs only the framework, from a template and data."""

from __future__ import annotations

import platform
import re
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import jinja2
from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import Version

from skill_tools import __version__
from skill_tools.audit.driver import DRIVERS, DriverSession
from skill_tools.audit.repros.literal import literal
from skill_tools.audit.repros.repro import Defect, Repro, Run
from skill_tools.audit.token import VARIABLE
from skill_tools.runtime.environment import SECRET

TEMPLATE = "repro.py.jinja"
"""The template in the folder of each framework; the drivers' folder has the shared parts."""
WIDTH = 98
"""Characters per line of the header comment."""
LONGEST = 1_500
"""Maximum characters of a message in the header; the script shows the rest."""
OF_PYTHON = re.compile(r"^version(?:_info)?\s*=\s*(\d[\w.]*)", re.MULTILINE)
"""The Python version in a venv's pyvenv.cfg."""


@dataclass(frozen=True)
class Written:
    """Data shared by the scripts of one audit.

    Attributes:
        driven: The session with the target.
        found: The result of discovery.
        rows: The rows of the data, by index.
    """

    driven: DriverSession
    found: Mapping[str, Any]
    rows: Sequence[Mapping[str, Any]] = ()


def write_script(
    defect: Defect, repro: Repro, written: Written, arguments: Sequence[Sequence[Any]] = ()
) -> str:
    """Return the script of a repro.

    Args:
        defect: The defect that the script shows.
        repro: The runs that the script repeats.
        written: The data shared by the audit's scripts.
        arguments: A reward function's positional and keyword arguments in each run.

    Raises:
        ValueError: If calls cannot be written as Python.
    """
    target, found = written.driven.target, written.found
    facts = target.framework
    version = _versions(written).get(facts.distribution, "0")
    served = facts.transport == "http"
    serves = served and target.url is None
    runs = [_run(each, written, arguments, n) for n, each in enumerate(repro.runs)]
    package = next(iter(target.links), "")
    config = {name: v for name, v in target.arguments.items() if not SECRET.fullmatch(name)}
    linked = target.folder is not None and not served
    said = {
        **{key: getattr(repro, key) for key in ("kind", "by", "limit", "least", "shows", "fixed")},
        "title": _plain(f"{defect.check} {defect.name}"),
        "needs": facts.distribution or "its file",
        "version": __version__,
        "header": _header(defect, repro, written),
        "target": default_target(written.driven),
        "runs": runs,
        "serves": serves,
        "loads": (linked or serves) and not facts.loads_itself,
        "linked": linked,
        "apart": repro.apart and not served,
        "at_once": repro.kind in ("mixed", "crowded"),
        "package": package,
        "id": target.id or package,
        "module": _module(target.id or package),
        "function": (target.id or "").rpartition(":")[2],
        "app": target.app,
        "imports": [each for each in target.imports if each != package],
        "config": config,
        "taskset": {"id": target.id or package, **config},
        "name": found.get("name"),
        "in_text": bool(found.get("in_text")),
        "speaks": all(each["name"] != "say" for each in found.get("tools", ())),
        "typed": bool(found.get("typed")),
        "stepped": bool(found.get("stepped")),
        "at_least": lambda other: Version(version) >= Version(other),
    }
    made = _environment(facts.folder).get_template(_named(facts.folder)).render(said)
    compile(made, "repro", "exec")  # a template's output is released only if it is valid Python
    return made


def default_target(driven: DriverSession) -> str:
    """Return the script's default target: an address, a file, a folder, or an id."""
    target = driven.target
    if target.url:
        # A name and a password in it would be published.
        at = urlsplit(target.url)
        return urlunsplit(at._replace(netloc=at.netloc.rpartition("@")[2]))
    if target.framework.name == "reward_function" and target.folder:
        return str(target.folder / (target.id or "").rpartition(":")[0])
    if target.folder is None:
        return target.id or ""
    if target.framework.transport == "http":
        return str(target.folder)
    package = next(iter(target.links.values()), target.folder)
    file = package / f"{_module(target.id or '')}.py"
    return str(file if file.is_file() else package)


def _module(identity: str) -> str:
    return identity.rpartition("/")[2].replace("-", "_")


def _run(
    run: Run, written: Written, arguments: Sequence[Sequence[Any]], number: int
) -> dict[str, Any]:
    """Return a run as data for the script."""
    told: dict[str, Any] = {"what": _plain(run.what), "expected": _plain(run.expected)}
    if arguments:
        by_place, by_name = arguments[number]
        return {**told, "by_place": by_place, "by_name": by_name}
    told |= {
        key: each for key, each in (("split", run.split), ("index", run.index)) if each is not None
    }
    told["seed"] = run.seed
    empty = written.driven.target.framework.empty_row
    if empty is not None:
        at = run.index or 0
        told["row"] = dict(written.rows[at]) if at < len(written.rows) else empty
    told["calls"] = list(run.calls)
    return {**told, "message": run.message} if run.message else told


def _header(defect: Defect, repro: Repro, written: Written) -> list[str]:
    """Return the script's header: what the script shows, on how many tasks, with which versions, and how to run the
    script."""
    target = written.driven.target
    message = _plain(_without_places(defect.message, written.driven))
    message = message if len(message) <= LONGEST else f"{message[:LONGEST]} ..."
    reach = (
        _plain(repro.reach) or f"1 task; {len(written.found.get('places', ()))} tasks were played"
    )
    used = ", ".join(f"{name} {number}" for name, number in _versions(written).items())
    wanted = " ".join(f'"{each}"' for each in _pinned(written))
    aimed = default_target(written.driven)
    kind = "ADDRESS" if target.url else "FILE" if aimed.endswith(".py") else "FOLDER"
    kind = f" [{kind}]" if target.url or target.folder else ""
    told = [
        "",
        f"What it shows: {_plain(repro.shows)}.",
        f"In the audit's words: {message}",
        f"On how many tasks: {reach}.",
        f"Observed with: {', '.join(filter(None, [used, f'Python {_python(written)}']))}.",
        f"Install: pip install {wanted}"
        if wanted
        else "Install: the packages that the file imports.",
        f"Run: python THIS_FILE{kind}",
        *([f"Token: set {VARIABLE} if the server needs one."] if target.url else []),
        "",
    ]
    lines = [line for each in told for line in (textwrap.wrap(each, WIDTH) or [""])]
    return [f" {line}".rstrip() for line in lines]


def _without_places(text: str, driven: DriverSession) -> str:
    """Remove the paths of this machine's folders from a text."""
    ours = [driven.target.folder, driven.venv.base.folder, driven.venv.folder]
    for folder in filter(None, [*ours, Path(tempfile.gettempdir()), Path.home()]):
        text = text.replace(f"{folder}/", "") if len(str(folder)) > 1 else text
    return text


def _plain(text: str) -> str:
    """Return a text on one line, without special characters."""
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in " ".join(text.split()))
    return shown.encode("utf-8", "replace").decode()


def _versions(written: Written) -> dict[str, str]:
    """Return the versions of the framework's distributions in the audit, by name."""
    facts = written.driven.target.framework
    pins = dict(_pins(written))
    return {name: pins[name] for name in facts.distributions if name in pins}


def _pinned(written: Written) -> list[str]:
    """Return the packages to install, pinned to the releases that the audit used."""
    target, pins = written.driven.target, dict(_pins(written))
    found: dict[str, str] = {}
    for line in (*target.framework.requirements, *target.requirements):
        try:
            wanted = Requirement(line)
        except InvalidRequirement:
            continue
        name = wanted.name.lower().replace("_", "-")
        extras = f"[{','.join(sorted(wanted.extras))}]" if wanted.extras else ""
        pin = f"=={pins[name]}" if name in pins else str(wanted.specifier)
        found[name] = line if wanted.url else f"{wanted.name}{extras}{pin}"
    return list(found.values())


def _pins(written: Written) -> list[tuple[str, str]]:
    lines = (line.partition(";")[0].strip() for line in written.driven.venv.base.resolved)
    return [
        (name.strip().lower(), version.strip())
        for name, equal, version in (line.partition("==") for line in lines)
        if equal
    ]


def _python(written: Written) -> str:
    file = written.driven.venv.base.folder / "pyvenv.cfg"
    found = OF_PYTHON.search(file.read_text("utf-8", "replace")) if file.is_file() else None
    return found[1] if found else platform.python_version()


def _named(folder: Path) -> str:
    return f"{folder.name}/{TEMPLATE}"


def _environment(folder: Path) -> jinja2.Environment:
    """Return a Jinja environment with a framework's templates and the shared templates.

    The ``literal`` filter turns data into Python literals.
    """
    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [jinja2.FileSystemLoader(folder.parent), jinja2.FileSystemLoader(DRIVERS)]
        ),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["literal"] = literal
    return environment
