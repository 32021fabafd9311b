"""Plan the files for serving one bundle with many workers, as a pure function of spec and scale."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

from skill_tools.backends import kept_variables
from skill_tools.errors import SkillToolsError, nearest
from skill_tools.frameworks import FRAMEWORKS, known
from skill_tools.frameworks.framework import Affinity, Framework
from skill_tools.render.plan import as_json, as_plain, as_prose
from skill_tools.render.writer import BUNDLED
from skill_tools.spec.model import EnvSpec

TEMPLATES = Path(__file__).parent / "deploy"
"""One folder per target, next to the templates that several share."""
TARGETS = ("compose", "kubernetes", "ray", "slurm", "spaces")
"""Engines, by their names for `--to`."""
WITHOUT_IMAGES = ("ray", "slurm")
"""Engines that start a fixed number of processes on nodes, whose addresses are known only then."""
PORT = 8000
"""The port of workers and balancer, each in its own container."""
WATCH = 8404
"""The port of the balancer's metrics, as in HAProxy's documentation."""
ROOM = 512
"""MiB of a worker without sessions: the largest framework's server has 170, and reads tasks."""
SESSION_ROOM = 0.5
"""MiB of a session that only computes; measurements gave a few hundred kilobytes."""
SANDBOX_ROOM = 24.0
"""MiB of a session that runs an agent's programs: 10 to 23 were measured when empty."""
CONNECTION_ROOM = 0.05
"""MiB of the balancer per session: two connections with their buffers."""
WORKERS_A_THREAD = 4
"""Workers per thread of the balancer, which has one CPU.

A step costs the balancer 40 microseconds and a worker of OpenEnv, the fastest, 140; a worker should keep a third of
its CPU free.
"""
BOUNDS = {
    "workers": (1, 64),
    "sessions": (1, 4096),
    "memory": (256, 1_048_576),
    "drain": (10, 86_400),
}
"""The minimum and maximum of each number in a scale.

One balancer is designed for 64 workers, and a server for 4,096 sessions; memory is in MiB, and
draining takes from ten seconds to a day.
"""
IMAGE = re.compile(r"[a-z0-9][A-Za-z0-9._/:-]{0,200}(@sha256:[0-9a-f]{64})?")
LONGEST = 50
"""Maximum length of a deployment's name: engines allow 63 characters, and its parts have suffixes."""


@dataclass(frozen=True, kw_only=True)
class Scale:
    """The size of a deployment.

    Attributes:
        sessions: Sessions per worker.
        memory: MiB per worker; if None, it is derived from the sessions.
        drain: Maximum seconds that a worker waits for its sessions to end.
        image: The workers' image, or "" for an image that is built on this machine.
    """

    workers: int = 2
    sessions: int = 256
    memory: int | None = None
    drain: int = 900
    image: str = ""

    def refuse_odd(self) -> None:
        """Raise SkillToolsError if a number is out of bounds or the image name is invalid."""
        for name, (least, most) in BOUNDS.items():
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                fix = f"give --{name} a number from {least} to {most}"
                raise SkillToolsError(f"--{name} is {value}\n    fix: {fix}")
        if self.image and not IMAGE.fullmatch(self.image):
            fix = "write an image name such as registry.example.org/wordle:1"
            raise SkillToolsError(f"--image {self.image!r} is not an image name\n    fix: {fix}")


def served(framework: str, target: str) -> tuple[Framework, Affinity]:
    """Return a framework, and how to serve it. Raises SkillToolsError if the target cannot serve the framework."""
    if target not in TARGETS:
        raise SkillToolsError(f"there is no target {target!r}{nearest(target, TARGETS)}")
    (chosen,) = known([framework])
    if chosen.affinity is None:
        there = ", ".join(name for name, facts in FRAMEWORKS.items() if facts.affinity)
        raise SkillToolsError(
            f"{framework} is not served: it runs in the trainer's process\n"
            f"    fix: give each of your trainer's workers the bundle, or deploy one of {there}"
        )
    if target == "spaces" and not chosen.affinity.space:
        there = ", ".join(name for name, facts in FRAMEWORKS.items() if _has_space(facts))
        fix = f"choose another target, or one of {there}"
        raise SkillToolsError(f"{framework} has no Hugging Face Space\n    fix: {fix}")
    return chosen, chosen.affinity


def _has_space(framework: Framework) -> bool:
    return bool(framework.affinity and framework.affinity.space)


def deployment(spec: EnvSpec, framework: str, target: str, scale: Scale) -> dict[str, str]:
    """Return every file of a deployment, except the bundle's files, keyed by path.

    Raises SkillToolsError if the deployment is not possible.
    """
    chosen, affinity = served(framework, target)
    scale.refuse_odd()
    context = _facts(spec, chosen, affinity, target, scale)
    files: dict[str, str] = {}
    if target == "spaces":
        rendered = _folder(target, context)
        image = {f"{BUNDLED}/Dockerfile": rendered.pop("Dockerfile")}
        return files | image | rendered
    if not affinity.dockerfile and target not in WITHOUT_IMAGES:
        files[f"{BUNDLED}/Dockerfile"] = _render("Dockerfile", context)
    context["configuration"] = _render("haproxy.cfg", context)
    if target != "kubernetes":
        files["haproxy.cfg"] = context["configuration"]
    return files | _folder(target, context)


def space_card(spec: EnvSpec, framework: str, text: str) -> str:
    """Return a bundle's README as the card of a Space, with the header that Hugging Face expects."""
    chosen, affinity = served(framework, "spaces")
    if text.startswith("---\n"):
        return text
    context = _facts(spec, chosen, affinity, "spaces", Scale())
    return _render("front_matter.md", context) + text


def _facts(
    spec: EnvSpec, framework: Framework, affinity: Affinity, target: str, scale: Scale
) -> dict[str, Any]:
    """Return the variables for the templates of a deployment."""
    slots = scale.workers if target in WITHOUT_IMAGES else max(16, 4 * scale.workers)
    connections = slots * scale.sessions + 1000
    room = SANDBOX_ROOM if spec.backend == "local" else SESSION_ROOM
    threads = 16 if spec.backend == "local" else 2 if spec.waits else 0
    label = f"{spec.kebab}-{framework.name.replace('_', '-')}"
    if len(label) > LONGEST:
        fix = f"shorten `name` in env.yaml by {len(label) - LONGEST}"
        raise SkillToolsError(
            f"container engines do not accept a name as long as {label}\n    fix: {fix}"
        )
    version = re.sub(r"[^A-Za-z0-9_.-]", "-", spec.version)
    port = PORT
    variables = [*kept_variables(spec), f"{spec.name.upper()}_TOKEN"]
    optional = {each.name for each in spec.secrets if each.optional}
    # Access is controlled by its surroundings, and by the token, if there is one.
    options = ["--insecure", "--metrics", "--log-episodes"]
    options += ["--max-sessions", str(scale.sessions), "--drain-seconds", str(scale.drain)]
    command = ["python", "-m", affinity.app, "--host", "0.0.0.0"]
    return {
        "spec": spec,
        "options": options,
        "command": [*command, "--port", str(port), *options],
        "framework": framework,
        "affinity": affinity,
        "cookie": affinity.name.format(class_name=spec.class_name, name=spec.name),
        "target": target,
        "discovery": "static" if target in WITHOUT_IMAGES else "dns",
        "scale": scale,
        "slots": slots,
        "connections": connections,
        "threads": math.ceil(scale.workers / WORKERS_A_THREAD),
        "files": 2 * connections + 1000,
        "memory": scale.memory or ROOM + math.ceil(scale.sessions * room),
        "balancer_memory": 128 + math.ceil(connections * CONNECTION_ROOM),
        "pids": 256 + threads * scale.sessions,
        "label": label,
        "image": scale.image or f"{label}:{version}",
        "dockerfile": affinity.dockerfile or "Dockerfile",
        "variables": variables,
        "told_variables": [f"{x} (optional)" if x in optional else x for x in variables],
        "optional_secrets": optional,
        "required_secrets": {each.name for each in spec.secrets} - optional,
        "reaches_out": bool(kept_variables(spec)),
        "bundled": BUNDLED,
        "port": PORT,
        "requirements": (framework.bundled / "requirements.txt.jinja").is_file(),
        "watch": WATCH,
    }


def _folder(target: str, context: dict[str, Any]) -> dict[str, str]:
    names = sorted(path.name for path in (TEMPLATES / target).glob("*.jinja"))
    return {
        name.removesuffix(".jinja"): _render(f"{target}/{name.removesuffix('.jinja')}", context)
        for name in names
    }


def _render(path: str, context: dict[str, Any]) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters |= {"json": as_json, "plain": as_plain, "prose": as_prose}
    return environment.get_template(f"{path}.jinja").render(context)
