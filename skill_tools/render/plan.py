"""Rendering: the plan of all files, as a pure function of the spec."""

from __future__ import annotations

import functools
import json
import re
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import jinja2
from ruff.__main__ import find_ruff_bin

from skill_tools import backends
from skill_tools.backends import BACKENDS
from skill_tools.errors import RenderError
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.render import text_actions, wheel
from skill_tools.render.refusals import refusals
from skill_tools.render.type_hints import signature
from skill_tools.spec.model import SHARED, EnvSpec

TEMPLATES = Path(__file__).parent / "templates"
"""Templates of the files that all variants of an environment share."""
MODEL_REQUIREMENTS = ("anthropic>=0.80",)
"""Additional imports for playing computer-use models on a screen."""
CHATTING = frozenset({"openenv", "ors"})
"""The frameworks whose rollouts can play computer-use models."""
DOMAIN_REQUIREMENTS = ("jsonschema>=4.23,<5",)
"""Packages that an episode imports, in addition to those of the domain."""
PLAY_REQUIREMENTS = ("httpx[socks]>=0.28,<1", "prometheus-client>=0.22,<1")
"""Requirements for playing models: the client, its support for socks proxies, and server metrics."""
SHARED_REQUIREMENTS = (*DOMAIN_REQUIREMENTS, *PLAY_REQUIREMENTS)
"""Packages that the modules shared by all variants import."""
COPIED = sorted(wheel.EPISODE_MODULES - {"env_spec"})
"""The modules that every environment contains unchanged, in addition to the rendered one."""
RUFF_OPTIONS = ("--isolated", "--quiet", "--line-length", "100", "--target-version", "py311")


Plan = dict[str, str | bytes]
"""Files by their path in an environment's folder: text, and wheels as bytes."""


def plan(spec: EnvSpec, frameworks: Iterable[str] | None = None) -> Plan:
    """Plan every file of an environment. The plan is a pure function of the spec: the same spec gives the same
    bytes."""
    wanted = spec.frameworks if frameworks is None else frameworks
    return dict(_planned(type(spec), spec.model_dump_json(), frozenset(wanted)))


def texts(planned: Mapping[str, str | bytes]) -> dict[str, str]:
    """Return the text files of a plan."""
    return {path: content for path, content in planned.items() if isinstance(content, str)}


def wheels_of(spec: EnvSpec) -> list[wheel.Wheel]:
    """Return the wheels that an environment has in `vendor/`."""
    return [wheel.HARNESS, *([wheel.SANDBOX] if spec.backend != "none" else [])]


@functools.lru_cache(maxsize=16)
def _planned(kind: type[EnvSpec], text: str, names: frozenset[str]) -> Plan:
    # Cached, because one build asks several times and formatting is most of the cost.
    spec = kind.model_validate_json(text)
    chosen = [framework for name, framework in FRAMEWORKS.items() if name in names]
    modules = sorted([*COPIED, *wheel.ROLE_MODULES]) if spec.models else COPIED
    copied = {f"{SHARED}/{name}.py": wheel.episode_module(name) for name in modules}
    wheels = wheels_of(spec)
    beside: Plan = {}
    for each in wheels:
        beside |= each.sources() if _bundles(spec) else {each.path: each.content()}
    known = {
        "backends": BACKENDS,
        "backend_secrets": backends.secrets(spec),
        "lacking": {name: backends.lacking(spec, found) for name, found in BACKENDS.items()},
        "text": text_actions,
        "refusals": refusals,
        "subpackages": _subpackages(spec, [f"{SHARED}/env_spec.py", *copied]),
        "wheels": wheels,
        "harness": wheel.HARNESS,
        "play_requirements": list(PLAY_REQUIREMENTS),
        "sandbox": wheel.SANDBOX,
        "sandbox_protocol": wheel.protocol(),
        "beside": _packages(beside) if _bundles(spec) else [],
        "beside_roots": sorted({path.split("/")[0] for path in beside}),
        "in_text": [framework for framework in chosen if framework.reads_text],
    }
    files = _render_folder(TEMPLATES, spec, {**known, "frameworks": chosen})
    for framework in chosen:
        folders = [framework.templates, *([framework.bundled] if _bundles(spec) else [])]
        for folder in filter(Path.is_dir, folders):
            rendered = _render_folder(folder, spec, {**known, "framework": framework})
            files |= {f"{framework.name}/{path}": text for path, text in rendered.items()}
    # Copied modules are already formatted, and identical everywhere.
    return {**_formatted(files), **copied, **beside}


def _bundles(spec: EnvSpec) -> bool:
    """Return whether the spec is for a bundle, in which the variant's folder contains the domain."""
    return hasattr(spec, "bundled")


def _subpackages(spec: EnvSpec, files: Iterable[str]) -> list[str]:
    """Return the Python names of the packages below the domain's package that contain these files."""
    return _packages(f"{spec.package}/{path}" for path in files)


def _packages(files: Iterable[str]) -> list[str]:
    folders = {PurePosixPath(path).parent for path in files}
    return sorted(".".join(folder.parts) for folder in folders)


def _render_folder(folder: Path, spec: EnvSpec, known: dict[str, Any]) -> dict[str, str]:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=False,
        autoescape=False,
    )
    environment.filters |= {"py": as_python, "json": as_json, "plain": as_plain, "prose": as_prose}
    environment.filters["signature"] = signature
    context = {"spec": spec, **known}
    files = {}
    for name in sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.jinja")):
        path = environment.from_string(name.removesuffix(".jinja")).render(context)
        text = environment.get_template(name).render(context)
        # A template that is a condition from end to end is no file of other environments.
        if text.strip() or not (folder / name).read_text("utf-8").strip():
            files[path] = text
    return files


def as_python(value: Any) -> str:
    """Return a value as a Python literal, so that an author's text is data and never code.

    A text of several lines becomes one literal per line, which keeps the rendered file readable.
    """
    if isinstance(value, str) and "\n" in value:
        return "(" + " ".join(map(repr, re.findall(r"[^\n]*\n+|[^\n]+", value))) + ")"
    return repr(value)


def as_json(value: Any) -> str:
    """Return a value as JSON. The result is also valid TOML (for strings and lists) and valid YAML."""
    text = json.dumps(value, ensure_ascii=True).replace("\x7f", "\\u007f")
    # JSON writes an emoji as two halves, which TOML and YAML refuse.
    return _PAIR.sub(lambda pair: json.loads(f'"{pair[0]}"'), text)


_PAIR = re.compile(r"\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}")


def as_plain(text: str) -> str:
    """Return text on one line that cannot end a docstring, a comment or a quoted string."""
    return as_prose(text).replace('"', "'")


def as_prose(text: str) -> str:
    """Return text on one line that cannot end a Markdown block or a code span."""
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.split()).replace("\\", "/").replace("`", "'")


def _formatted(files: dict[str, str]) -> dict[str, str]:
    # A variant's folder has the name of a package that it imports, which would mislead ruff.
    sorting = f"--config=lint.isort.known-third-party={json.dumps(list(FRAMEWORKS))}"
    with tempfile.TemporaryDirectory(prefix="skill-tools-") as folder:
        # Markdown too, because ruff formats its code blocks.
        paths = {path: Path(folder) / path for path in files if path.endswith((".py", ".md"))}
        for path, target in paths.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(files[path], "utf-8")
        elsewhere = Path(folder) / ".elsewhere"  # ruff also reads the working folder
        elsewhere.mkdir()
        for command in (["check", "--fix", "--select", "I", sorting], ["format"]):
            run = subprocess.run(
                [find_ruff_bin(), *command, *RUFF_OPTIONS, "--no-cache", folder],
                cwd=elsewhere,
                capture_output=True,
                text=True,
                check=False,
            )
            if run.returncode:
                raise RenderError(f"a template produced invalid Python:\n{run.stderr}{run.stdout}")
        return files | {path: target.read_text("utf-8") for path, target in paths.items()}


def inside(root: Path, path: str) -> Path:
    """Return the target of a planned path. Raises RenderError if the target is outside the folder."""
    relative = PurePosixPath(path)
    target = root.joinpath(*relative.parts)
    if relative.is_absolute() or ".." in relative.parts or not _within(root, target):
        raise RenderError(f"{path} is outside {root}; nothing was written")
    return target


def _within(root: Path, target: Path) -> bool:
    return target.resolve().is_relative_to(root.resolve())
