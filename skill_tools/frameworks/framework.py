"""The declarations of a framework package: only the facts in which frameworks differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

VOCABULARY = {
    "environment": "the world in which a policy acts: rules, state, tasks and reward",
    "task": "one problem instance",
    "split": "a named set of tasks",
    "episode": "one task being played, from its first observation to its end",
    "tool": "a function that the model can call, with a name, a schema and a description",
    "observation": "the text and pictures that the model sees after a step",
    "step": "one tool call with its observation, reward and done",
    "reward": "the reward of a step; the return of an episode is the sum of its rewards",
    "end": "how an episode stops: the world is done, the model stops or the turn limit is reached",
    "turn limit": "the maximum number of tool calls in an episode; the last call truncates the episode",
    "seed": "the number that determines all chance in a world",
    "rollout": "running a policy once",
    "trajectory": "the record of a rollout, step by step",
}
"""The terms of skill-tools and their meanings, in the order of every translation."""


def _same_name(tool: str) -> str:
    return tool


@dataclass(frozen=True)
class InFolder:
    """How other authors' environments of a framework are arranged in a folder, and how they are played.

    Attributes:
        manifest: A file that only environments of this framework have; its field ``app`` names the app to serve.
        app: The app to serve if the manifest does not name an app.
        mark: A text that occurs in the files of this framework's environments.
        hosts: Whether these files may also contain the mark of another framework.
        serves: Candidate files; the first file that exists is served.
        as_module: Whether to serve this file by its name without the suffix.
        rows: Patterns of files with tasks.
        within: Name of the parent folder of the environments' folders in a repository. The repository's root
            belongs on the import path.
        links: Whether the folder is imported as a package.
        id: ``package`` if the package's name is the environment's name. ``asked`` if the user gives the name,
            and importing the package registers the environment. Otherwise ``none``.
        defines: Name of the function that the environment's module defines; the module may be a single file.
        unlike: A pattern that no module of this framework contains.
        outdated: Patterns in the module's source, with the releases that still support them.
    """

    manifest: str = ""
    app: str = ""
    mark: str = ""
    hosts: bool = False
    serves: tuple[str, ...] = ()
    as_module: bool = False
    rows: tuple[str, ...] = ()
    within: str = ""
    links: bool = False
    id: Literal["none", "package", "asked"] = "none"
    defines: str = ""
    unlike: str = ""
    outdated: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Affinity:
    """How a session's requests are identified, so that a load balancer keeps the session on its worker.

    Attributes:
        by: A connection per session, or a header or cookie of every request.
        name: Name of that header or cookie; ``{class_name}`` and ``{name}`` are replaced with the spec's values.
        app: The module that serves the framework, run in its folder.
        opens: Prefix of the paths that open a session.
        dockerfile: The bundle's Dockerfile, or "".
        space: Whether the variant can be served as a Hugging Face Space.
    """

    by: Literal["connection", "header", "cookie"]
    app: str
    name: str = ""
    opens: str = ""
    dockerfile: str = ""
    space: bool = False


@dataclass(frozen=True, kw_only=True)
class Playable:
    """The facts that an audit needs to play a framework's environments, by any author.

    The framework's driver is the script ``driver.py`` in the folder with the framework's name.

    Attributes:
        packages: Import names of the framework.
        in_folder: How the framework's environments are arranged in a folder.
        formerly: Other distributions of the same framework.
        without: Packages that checks leave out of venvs, although the framework requires them.
        releases: Releases that the driver can play; an environment's requirement may choose between them.
        configured: Whether the framework's environments are loaded with arguments.
        by_command: Whether the framework's environments are servers with a start command or an address.
        loads_itself: Whether the framework imports an environment's module, so that skill-tools does not need to.
        empty_row: The dataset row to use if the user names no rows; None if episodes need no row.
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
    by_command: bool = False
    loads_itself: bool = False
    empty_row: dict[str, Any] | None = None

    @property
    def distributions(self) -> tuple[str, ...]:
        """Return the names of all distributions of the framework."""
        return tuple(filter(None, (self.distribution, *self.formerly)))

    @property
    def folder(self) -> Path:
        """Return the folder with the framework's files."""
        return Path(__file__).parent / self.name


@dataclass(frozen=True, kw_only=True)
class Framework(Playable):
    """A framework that skill-tools renders for.

    Attributes:
        actions: How a model acts: by tool calls, or by text that the environment parses.
        reads_text: Whether the framework's variant can read actions from text.
        driver: Which side drives the episode, in whole sentences.
        turns: How an episode gets several turns, in whole sentences.
        reward_and_end: Where reward and end are reported, in whole sentences.
        state: Where an episode is kept between two tool calls, in whole sentences.
        vocabulary: The framework's terms for the entries of VOCABULARY, in the same order.
        comparison: A comparison with the other frameworks, in whole sentences.
        pitfalls: Unexpected behavior.
        blocking_pitfalls: Unexpected behavior of environments whose calls block.
        endpoint: A function from a tool's name to its address, to detect before rendering that tools share an
            address.
        publish: How to publish a bundle, which also contains the files of ``bundled``.
        not_bundled: Files of the variant that a bundle leaves out.
        affinity: How several servers share the work; None if the framework has no server.
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
    reserved_because: str = ""
    reserved_names: frozenset[str] = frozenset()
    blocking_pitfalls: tuple[str, ...] = ()
    endpoint: Callable[[str], str] = _same_name
    publish: str = ""
    not_bundled: frozenset[str] = frozenset()
    affinity: Affinity | None = None

    @property
    def templates(self) -> Path:
        """Return the folder of this framework's templates; a template's path is its output path."""
        return self.folder / "templates"

    @property
    def bundled(self) -> Path:
        """Return the folder of the templates that only bundles use."""
        return self.folder / "bundled"
