"""The execution backends.

A new backend needs a module here, a module in `packages/rl-env-sandbox`, and a name in BackendName (spec.model).
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
    """Return the names of the secret environment variables that a backend may require for this environment."""
    chosen = BACKENDS.values() if spec.backend != "none" else ()
    return [name for backend in chosen for name in backend.secrets]


def kept_variables(spec: EnvSpec) -> list[str]:
    """Return the environment variables, secret or not, to pass to this environment's processes."""
    chosen = BACKENDS.values() if spec.backend != "none" else ()
    settings = [name for backend in chosen for name in backend.settings]
    return list(dict.fromkeys([*(each.name for each in spec.secrets), *secrets(spec), *settings]))


def lacking(spec: EnvSpec, backend: Backend) -> list[str]:
    """Return the packages that a backend requires but `packages` in env.yaml does not list."""
    there = {canonicalize_name(Requirement(package).name) for package in spec.packages}
    wanted = backend.requirements
    if spec.display:  # cells need ipython, and a screen on this machine has none
        client = backend.requirements if backend.secrets else ()
        wanted = (*client, *backend.display_requirements)
    return [
        requirement
        for requirement in wanted
        if canonicalize_name(Requirement(requirement).name) not in there
    ]


def requirements(spec: EnvSpec) -> list[str]:
    """Return the requirements of the domain's venv: `packages`, and a backend's missing requirements.

    `packages` covers the backend that env.yaml names. If the variable <NAME>_BACKEND chooses another backend, the
    requirements of that backend are added.
    """
    name = os.environ.get(f"{spec.name.upper()}_BACKEND", "")
    switched = "none" not in (spec.backend, name) and name != spec.backend
    other = BACKENDS.get(name) if switched else None
    return [*spec.packages, *(lacking(spec, other) if other else [])]
