"""The declaration of an execution backend: the facts in which backends differ, without code."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Backend:
    """A place for an episode's programs to run, isolated from the domain and from other episodes.

    Attributes:
        requirements: Packages that the backend's programs or its client import, for `packages` in env.yaml.
        display_requirements: Packages for a display. Without secrets, they replace ``requirements``.
        secrets: The environment variables that the backend requires.
        settings: The other environment variables that the backend reads.
        summary: A description of the place where the programs run.
        confines: A description of the resources that an agent's code cannot reach.
        pitfalls: Surprising behavior, in whole sentences.
    """

    name: str
    title: str
    summary: str
    confines: str
    docs: str
    requirements: tuple[str, ...] = ()
    display_requirements: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    pitfalls: tuple[str, ...] = ()
