"""What a framework package declares: the facts that differ, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

VOCABULARY = {
    "environment": "what a policy acts in: rules, state, tasks and reward",
    "task": "one problem instance",
    "split": "a named set of tasks",
    "episode": "one task being played, from its first observation to its end",
    "tool": "what the model can do, with a name, a schema and a description",
    "observation": "what the model is shown after a step",
    "step": "one tool call with its observation, reward and done",
    "reward": "the reward of a step; the return of an episode is their sum",
    "end": "how an episode stops: the world is done, the model stops or the turn limit is reached",
    "turn limit": "how many tool calls an episode may take; the last of them truncates it",
    "seed": "what all chance in a world comes from",
    "rollout": "running a policy once",
    "trajectory": "the record of a rollout, step by step",
}
"""Our words and what they mean, in the order in which every translation lists them."""


def _same_name(tool: str) -> str:
    return tool


@dataclass(frozen=True)
class InFolder:
    """How somebody else's environment of a framework is in a folder, and by what it is played.

    manifest: a file that only such environments have; its field ``app`` says what to serve, else
    ``app`` does. mark: what is said in files of theirs alone; where ``hosts`` is set they may say
    that of another framework, too. serves: files of which the first that is there is served, by its
    name or, if ``as_module``, without the suffix. rows: patterns of files of tasks. links: whether the
    folder is imported as a package. id: whence the environment's name comes, where it has one: of the
    package, or from the person who asks, and then importing the package registers it. defines: the
    function that its module has, which may be a single file, and unlike: a pattern of what no module of
    such an environment says. outdated: patterns of its source, and the releases that still know that.
    """

    manifest: str = ""
    app: str = ""
    mark: str = ""
    hosts: bool = False
    serves: tuple[str, ...] = ()
    as_module: bool = False
    rows: tuple[str, ...] = ()
    links: bool = False
    id: Literal["none", "package", "asked"] = "none"
    defines: str = ""
    unlike: str = ""
    outdated: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Affinity:
    """How requests of one session are told, so that a balancer keeps it on the worker that holds it.

    ``by`` is a connection for each session, or a header or a cookie of every request; ``name`` that header, or
    that cookie, in which ``{class_name}`` and ``{name}`` are the spec's. ``app`` is the module that serves
    it, run in its folder. ``opens`` begins the paths by which a session is opened. ``dockerfile``: in the bundle, ""
    where it has none. ``space``: whether it can be served as a Hugging Face Space.
    """

    by: Literal["connection", "header", "cookie"]
    app: str
    name: str = ""
    opens: str = ""
    dockerfile: str = ""
    space: bool = False


@dataclass(frozen=True, kw_only=True)
class Playable:
    """What an audit must know to play environments of a kind, whoever wrote them.

    ``packages`` are the names that its framework is imported by, ``formerly`` other distributions
    that are the framework itself, and ``in_folder`` tells how its environments lie in a folder.
    ``without`` are packages that the venvs of checks leave out, though the framework requires them.
    ``configured``: whether its environments are loaded with arguments that somebody may give.
    ``releases`` are those that its driver plays where an environment's own requirement decides which.
    ``loads_itself``: whether it imports an environment's module, which a script else does. ``empty_row`` is the
    row of a data set that nobody gave; None where episodes are opened by none.
    Its driver is the script ``driver.py`` in the folder of its name.
    """

    name: str
    title: str
    distribution: str
    requirements: tuple[str, ...]
    python: str
    transport: Literal["http", "in-process"]
    warm_imports: tuple[str, ...]
    packages: tuple[str, ...]
    in_folder: InFolder
    formerly: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    releases: tuple[str, ...] = ()
    configured: bool = False
    environment: dict[str, str] = field(default_factory=dict)
    loads_itself: bool = False
    empty_row: dict[str, Any] | None = None

    @property
    def distributions(self) -> tuple[str, ...]:
        """All distributions that are the framework itself."""
        return tuple(filter(None, (self.distribution, *self.formerly)))

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return Path(__file__).parent / self.name


@dataclass(frozen=True, kw_only=True)
class Framework(Playable):
    """One framework we render for.

    ``vocabulary`` says what this framework calls each of VOCABULARY, in their order. Four facts answer the
    questions that decide between frameworks, in whole sentences: ``driver`` who drives, ``turns``
    what makes an episode one of many turns, ``reward_and_end`` where both are told, and ``state``
    where an episode lives between two tool calls. ``endpoint`` gives the address under which the
    framework serves a tool, so that two tools that would share one are found before anything is
    rendered.

    ``comparison`` compares it with the others, in whole sentences.

    ``pitfalls`` are what one would not expect, ``blocking_pitfalls`` what concerns only environments
    whose calls block.

    ``actions`` says how a model acts: by tool calls, or by text that the environment parses.
    ``reads_text`` whether its variant can read actions out of text.

    ``publish`` says what to do with a bundle, which has the files of the folder ``bundled`` as well:
    what only a hub needs. It lacks the variant's files ``not_bundled``.

    ``affinity`` says how several servers share the work; None where nothing is served.
    """

    actions: Literal["tool-calls", "text"]
    reads_text: bool = False
    docs: str
    summary: str
    driver: str
    turns: str
    reward_and_end: str
    state: str
    vocabulary: dict[str, str]
    comparison: tuple[str, ...]
    pitfalls: tuple[str, ...]
    url_variable: str | None = None
    reserved_tools: frozenset[str] = frozenset()
    reserved_names: frozenset[str] = frozenset()
    blocking_pitfalls: tuple[str, ...] = ()
    endpoint: Callable[[str], str] = _same_name
    publish: str = ""
    not_bundled: frozenset[str] = frozenset()
    affinity: Affinity | None = None

    @property
    def templates(self) -> Path:
        """Folder of this framework's templates; a template's path is its output path."""
        return self.folder / "templates"

    @property
    def bundled(self) -> Path:
        """Folder of the templates of what only a bundle has."""
        return self.folder / "bundled"
