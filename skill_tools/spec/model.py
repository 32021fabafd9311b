"""The env spec: the declaration of one environment, independent of any framework."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from skill_tools.spec import surroundings
from skill_tools.spec.accepted_findings import CheckBound, CheckException
from skill_tools.spec.examples import Example
from skill_tools.spec.parameters import Strict
from skill_tools.spec.tools import Message, Tool

FrameworkName = Literal["openenv", "ors", "verifiers", "nemo_gym", "skyrl_gym", "gem", "trl"]
FRAMEWORK_NAMES: tuple[FrameworkName, ...] = get_args(FrameworkName)
USUAL_FRAMEWORKS = FRAMEWORK_NAMES[:4]
"""The frameworks that are rendered by default."""
BackendName = Literal["local", "e2b"]
BACKEND_NAMES: tuple[BackendName, ...] = get_args(BackendName)
VaryingName = Literal["address", "time", "duration", "path"]
VARYING_NAMES: tuple[VaryingName, ...] = get_args(VaryingName)
BestName = Literal["top", "by_task", "luck"]
ArchetypeName = Literal[
    "single-turn",
    "conversation",
    "pure-python-game",
    "stateful-sandbox",
    "vision-computer-use",
    "text-action",
]
ARCHETYPE_NAMES: tuple[ArchetypeName, ...] = get_args(ArchetypeName)

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
REFERENCE = re.compile(r"([a-z_][a-z0-9_]*):([A-Za-z_][A-Za-z0-9_]*)")
TAG = re.compile(r"[a-z][a-z0-9_-]*")
TASK_FILES = "{split}.jsonl"
MESSAGE = "message"
"""The domain's method that plays an assistant message without tool calls, and its name in records."""
PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
SHARED = "_shared"
"""The folder of rendered code that is the same in every environment."""
SANDBOX = "sandbox"
"""The former folder of what is now the package rl-env-sandbox; rendering removes it."""
VENDOR = "vendor"
"""The folder with the wheel of rl-env-sandbox, if there is a backend."""
RENDERED_FOLDERS = frozenset({SHARED, SANDBOX, VENDOR})
"""Folders of an environment next to those of its variants."""
RESERVED_TAGS = frozenset({"end_episode", "tool_call", "think", "thinking"})
"""Tags that a text action cannot use, because they mean something else in a message."""
RESERVED_METHODS = frozenset({"observe", "finish", "close", "valid_calls", "reward", "done"})
"""Members of the domain itself, which cannot play a tool."""
END_EPISODE = "end_episode"
"""The name by which an orchestrator ends an episode, which no tool can have."""


def class_name_of(name: str) -> str:
    """Return an environment's name, written as a class name."""
    return "".join(part.capitalize() for part in name.split("_"))


class Prompt(Strict):
    """The opening messages, which may use {observation} and any task field that is not hidden."""

    system: str = ""
    """The system prompt with all the rules, because a model knows only what the prompt states."""
    user: Annotated[str, Field(min_length=1)]
    """The first user message; usually {observation}, the domain's description of the start."""
    history: str | None = None
    """A task field with earlier messages in OpenAI's chat form, which come between the system and the user message."""


class Reward(Strict):
    """The range of all returns, and the time at which the reward is given."""

    range: Annotated[list[float], Field(min_length=2, max_length=2, strict=False)] = [0.0, 1.0]
    """The lowest and highest return that an episode can have."""
    timing: Literal["terminal", "per_step", "post_episode"] = "terminal"
    """When reward is given. terminal: at the end; per_step: at each step; post_episode: after the end, by finish()."""
    best: BestName = "top"
    """The maximum return of a task. top: the top of the range; by_task: the result of `best(task, seed)` in
    the oracle's module; luck: no policy wins every deal, so the oracle plays without hindsight and the checks
    judge its mean."""
    soft: dict[str, surroundings.SoftShare] = {}
    """The share of the range that each model under `models` decides, such as {judge: 0.1}."""


class EpisodeLimits(Strict):
    """Limits of an episode."""

    max_turns: Annotated[int, Field(ge=1, le=10_000)] = 20
    """Maximum number of turns. Each tool call is a turn, including refused calls unless refusals are free."""
    refusals: Literal["turn", "free"] = "turn"
    """turn: a refused call costs a turn; free: it costs nothing, and max_refusals limits refused calls."""
    max_refusals: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """The number of free refusals that ends the episode: with 6, the sixth ends it. Default: max_turns."""
    in_thread: bool = False
    """Whether calls wait for a process, so that servers run them in a thread."""

    @property
    def free_refusals(self) -> int | None:
        """The number of free refusals after which an episode ends; None if each refusal costs a turn."""
        return None if self.refusals == "turn" else self.max_refusals or self.max_turns

    @property
    def most_calls(self) -> int:
        """Maximum number of calls in an episode."""
        return self.max_turns + (self.free_refusals or 1) - 1


class Seed(Strict):
    """Whether the seed changes the problem, and if not, the reason."""

    used: bool = True
    """Whether a different seed gives a different problem; checks verify this."""
    reason: str = ""
    """If the seed is not used, the reason, in one sentence."""


class EnvSpec(Strict):
    """The declaration of one environment. The JSON Schema in ``env.schema.json`` documents every field."""

    name: str
    """The name in snake_case; package, class and server names are derived from it."""
    title: Annotated[str, Field(min_length=1)]
    """The human-readable name."""
    description: Annotated[str, Field(min_length=1)]
    """What the agent does, in one or two sentences."""
    archetype: ArchetypeName
    """The kind of environment; see `skill-tools archetypes`."""
    version: str = "0.1.0"
    """The environment's own version."""
    license: Annotated[str, Field(pattern=r"^[A-Za-z0-9.+ ()-]+$")] = "Apache-2.0"
    """The license, as an SPDX expression."""
    domain: str
    """The rules, as module:Class; the module is next to this file."""
    tasks: str
    """The tasks, as module:NAME of a table {split: [task, ...]} or as tasks/{split}.jsonl."""
    oracle: str
    """The oracle, as module:function; called with (task, seed), it returns the calls of a solution."""
    include: list[str] = []
    """Further files (data, modules, notices) that are published with the domain; `assets/` is a whole folder."""
    hidden: list[str] = []
    """Task fields that the agent must never see; leak checks look for their values."""
    prompt: Prompt
    """The opening messages."""
    tools: dict[str, Tool] = {}
    """The model's tools, each implemented by a method of the domain; optional if `message` is set."""
    offer: str | None = None
    """The task field that names the task's tools, or has their schemas if no call is played. Default: all tools."""
    message: Message | None = None
    """Makes every assistant message without tool calls an action; otherwise, such a message ends the episode."""
    reward: Reward = Reward()
    """The range of returns, and when the reward is given."""
    metrics: dict[str, Annotated[str, Field(min_length=1)]] = {}
    """Scores that are reported next to the reward, and what each means; the domain's `metrics` has their values."""
    models: dict[str, surroundings.ModelRole] = {}
    """The domain's models, by name: judges, simulated users, players. Its third argument has them."""
    episode: EpisodeLimits = EpisodeLimits()
    """The limits of an episode."""
    seed: Seed = Seed()
    """Whether the seed varies the problem."""
    varies: list[VaryingName] = []
    """Kinds of program output that vary between runs and are not compared; `address` is an object's memory address."""
    backend: Literal["none", BackendName] = "none"
    """Where the agent's programs run, using the package rl-env-sandbox; <NAME>_BACKEND overrides this."""
    display: surroundings.Display | None = None
    """The screen of a desktop, if the agent works on one; needs a backend."""
    examples: list[Example] = []
    """Calls with expected results that were worked out by hand, here or in an examples.yaml next to this file."""
    exceptions: list[CheckException] = []
    """Findings that are accepted in this environment, and why."""
    bounds: dict[str, CheckBound] = {}
    """Maps the id or name of a check, such as luck-pays, to the share of the maximum that a player
    may earn here, and the reason."""
    packages: list[str] = []
    """Requirements for packages that the domain imports beyond the standard library."""
    secrets: list[surroundings.SecretVariable] = []
    """Environment variables (API keys) that the domain needs, or `{name, optional: true}`; unrelated to `hidden`."""
    frameworks: Annotated[list[FrameworkName], Field(min_length=1)] = list(USUAL_FRAMEWORKS)
    """The variants to render; `--framework` renders others on request."""

    @property
    def package(self) -> str:
        """Import name of the environment's folder, which is the namespace package that variants import."""
        return f"{self.name}_domain"

    @property
    def kebab(self) -> str:
        """The environment's name in kebab-case, as distributions use it."""
        return self.name.replace("_", "-")

    @property
    def class_name(self) -> str:
        """The environment's name, written as a class name."""
        return class_name_of(self.name)

    @property
    def domain_module(self) -> str:
        """Module of the domain class, without the suffix ``.py``."""
        return self.domain.partition(":")[0]

    @property
    def domain_class(self) -> str:
        """Name of the domain class."""
        return self.domain.partition(":")[2]

    @property
    def tasks_in_files(self) -> bool:
        """Whether tasks are in JSON lines files, one file per split, instead of a Python table."""
        return self.tasks.endswith(TASK_FILES)

    @property
    def blocking(self) -> bool:
        """Whether tools wait for the world, such as a kernel or a desktop."""
        return self.backend != "none" or self.archetype in (
            "stateful-sandbox",
            "vision-computer-use",
        )

    @property
    def waits(self) -> bool:
        """Whether an episode may wait for the world or a model, so that a variant plays it in its own thread."""
        return self.blocking or bool(self.models) or self.episode.in_thread

    @property
    def domain_files(self) -> list[str]:
        """The files that are published with the domain. The oracle is never among them."""
        files = [f"{self.domain_module}.py", *self.include]
        files.append(
            self.tasks.partition(":")[0] + ".py" if not self.tasks_in_files else self.tasks
        )
        return list(dict.fromkeys(files))

    def with_frameworks(self, frameworks: Iterable[str]) -> EnvSpec:
        """Return this spec with additional frameworks, in the order of FRAMEWORK_NAMES."""
        more = set(frameworks) - set(self.frameworks)
        named = [*self.frameworks, *(name for name in FRAMEWORK_NAMES if name in more)]
        return self.model_copy(update={"frameworks": named})

    @property
    def tags(self) -> dict[str, str]:
        """The tag that calls each tool in a message, for actions that are written as text."""
        return {
            name: tool.tag
            or (f"{name}_action" if name in RESERVED_TAGS else name.lower().strip("_"))
            for name, tool in self.tools.items()
        }

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Return the tools as models see them: names, descriptions, and JSON Schemas that every server accepts."""
        return [
            {"name": name, "description": tool.description, "parameters": tool.shown_schema()}
            for name, tool in self.tools.items()
        ]

    @property
    def one_message(self) -> bool:
        """Whether an episode is one question, one message and one score."""
        plays_tools = self.tools and not self.grades_calls
        return self.message is not None and not plays_tools and self.episode.max_turns == 1

    @property
    def grades_calls(self) -> bool:
        """Whether the domain grades the tool calls of a message, so that these calls are not played."""
        return self.message is not None and self.message.with_calls

    @property
    def methods(self) -> dict[str, str]:
        """The domain's method for each tool, if the method and the tool have different names."""
        return {name: tool.method for name, tool in self.tools.items() if tool.method}

    @property
    def actions(self) -> dict[str, Tool]:
        """All actions that a domain plays: the tools, and the message as a call of ``MESSAGE``."""
        played = {} if self.grades_calls else self.tools
        return played | ({MESSAGE: self.message.as_tool()} if self.message else {})

    def tool_rules(self) -> list[dict[str, Any]]:
        """Return the actions with the author's whole schemas, against which the environment validates calls."""
        return [
            {"name": name, "description": tool.description, "parameters": tool.json_schema()}
            for name, tool in self.actions.items()
        ]

    def model_rules(self) -> dict[str, dict[str, Any]]:
        """Return each model's declaration as an episode uses it, with the defaults filled in."""
        module = self.oracle.partition(":")[0]
        return {name: role.rule(name, module) for name, role in self.models.items()}

    def role_variables(self, *settings: str) -> list[str]:
        """Return the names of the environment variables that configure the models inside the environment."""
        return surroundings.role_variables(self.name, self.models, *settings)

    def unshown_rules(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the whole schema of each parameter for which ``tool_schemas`` leaves out a keyword."""
        found = {name: tool.unshown() for name, tool in self.tools.items()}
        return {name: by_parameter for name, by_parameter in found.items() if by_parameter}
