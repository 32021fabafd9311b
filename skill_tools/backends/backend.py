"""The declaration of an execution backend: the facts in which backends differ, without code."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Backend:
    """A place where an episode's programs run, isolated from the domain and from other episodes.

    ``requirements`` are the imports of its programs or its client, for `packages` in env.yaml.
    ``display_requirements`` are those that a screen needs in addition, or instead of ipython.
    ``secrets`` are the environment variables that it requires, ``settings`` the others that it
    reads. ``summary`` describes what runs where, ``confines`` what an agent's code cannot reach,
    and ``pitfalls`` surprising behaviour, in whole sentences.
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
