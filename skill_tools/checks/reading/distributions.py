"""Installed distributions: which distribution contains a module, and what each distribution requires."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires


def plain_name(requirement: str) -> str:
    """Return the package's name in a requirement, normalized as in package indexes: "my-pkg" for "My_Pkg>=2"."""
    name = re.match(r"[A-Za-z0-9._-]*", requirement.strip())
    return re.sub(r"[-_.]+", "-", name[0]).lower() if name else ""


def with_requirements(names: set[str]) -> set[str]:
    """Add all requirements of the distributions, because a requirement may contain the files, as for fastmcp."""
    found: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            with suppress(PackageNotFoundError):
                needed = (each for each in requires(name) or () if "extra ==" not in each)
                left += map(plain_name, needed)
    return found


def distributions_of(module: str) -> list[str]:
    """Return the installed distributions that contain a top-level module."""
    return _by_module().get(module, [])


@cache
def _by_module() -> dict[str, list[str]]:
    return dict(packages_distributions())
