"""What an execution backend declares: the facts that differ, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Backend:
    """One place where an episode's programs run, apart from the domain and from other episodes.

    ``requirements`` are what its programs or its client import, for `packages` in env.yaml;
    ``display_requirements`` what it imports besides, or instead of ipython, for a screen.
    ``secrets`` are the environment variables that it cannot do without, ``settings`` the others
    that it reads. ``summary`` says what runs where, ``confines`` what an agent's code is kept
    from, and ``pitfalls`` what one would not expect, in whole sentences.
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
