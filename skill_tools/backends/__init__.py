"""The execution backends; adding one is a module here, one in `packages/rl-env-sandbox`, and a name.

The name goes into BACKEND_NAMES.
"""

from __future__ import annotations

import os
from importlib import import_module

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from skill_tools.backends.backend import Backend
from skill_tools.spec.model import BACKEND_NAMES, EnvSpec

BACKENDS: dict[str, Backend] = {
    name: getattr(import_module(f"{__name__}.{name}"), name.upper()) for name in BACKEND_NAMES
}

__all__ = [
    "BACKENDS",
    "Backend",
    "kept_variables",
    "lacking",
    "requirements",
    "secrets",
]


def secrets(spec: EnvSpec) -> list[str]:
    """The environment variables without which some backend of this environment cannot be used."""
    chosen = BACKENDS.values() if spec.backend != "none" else ()
    return [name for backend in chosen for name in backend.secrets]


def kept_variables(spec: EnvSpec) -> list[str]:
    """The environment variables that this environment's processes are given, secret or not."""
    chosen = BACKENDS.values() if spec.backend != "none" else ()
    settings = [name for backend in chosen for name in backend.settings]
    return list(dict.fromkeys([*spec.secrets, *secrets(spec), *settings]))


def lacking(spec: EnvSpec, backend: Backend) -> list[str]:
    """The requirements of a backend whose distributions are not under `packages` in env.yaml."""
    there = {canonicalize_name(Requirement(package).name) for package in spec.packages}
    wanted = backend.requirements
    if spec.display:  # cells need ipython, and there are none on a screen of this machine
        client = backend.requirements if backend.secrets else ()
        wanted = (*client, *backend.display_requirements)
    return [
        requirement
        for requirement in wanted
        if canonicalize_name(Requirement(requirement).name) not in there
    ]


def requirements(spec: EnvSpec) -> list[str]:
    """What the domain's venv holds: `packages`, and what a backend needs that env.yaml lacks.

    `packages` is the author's word for the backend that env.yaml names; another one, chosen by
    <NAME>_BACKEND, brings its own requirements.
    """
    name = os.environ.get(f"{spec.name.upper()}_BACKEND", "")
    switched = "none" not in (spec.backend, name) and name != spec.backend
    other = BACKENDS.get(name) if switched else None
    return [*spec.packages, *(lacking(spec, other) if other else [])]
