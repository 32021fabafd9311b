"""The declaration: the promises of an environment, whether or not skill-tools rendered the environment."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict
from rl_env_harness.rollouts import openings

from skill_tools.render import text_actions
from skill_tools.spec.examples import Example
from skill_tools.spec.model import PLACEHOLDER, BestName, EnvSpec

PLACES = ("split", "task", "tool", "parameter", "file")
"""The places that an exception may name in addition to its check."""


class Excepted(BaseModel):
    """A finding that is accepted in this environment, and the reason. An empty field matches every place.

    ``where`` is a part of the finding's message. Older files use this field.
    """

    model_config = ConfigDict(frozen=True)

    check: str
    split: str = ""
    task: str = ""
    tool: str = ""
    parameter: str = ""
    file: str = ""
    where: str = ""
    because: str

    def applies(
        self, names: Collection[str], message: str, places: Mapping[str, Collection[str]]
    ) -> bool:
        """Return whether this exception covers a finding. ``places`` holds the names of the finding's
        place, for each kind in PLACES."""
        wanted = {each: getattr(self, each) for each in PLACES}
        there = all(name in places.get(each, ()) for each, name in wanted.items() if name)
        return self.check in names and there and self.where in message


class Allowed(BaseModel):
    """The share of the reward that a player may get before a check reports a defect, and the reason for this share."""

    model_config = ConfigDict(frozen=True)

    share: float
    because: str

    @property
    def said(self) -> str:
        """The bound as text, for the message of a finding."""
        return f"env.yaml allows {self.share:.0%}: {self.because}"


class Declaration(BaseModel):
    """Everything that checks need to know about an environment; ``of`` makes a declaration from an env spec.

    None means undeclared: checks that need the field are skipped.

    Attributes:
        tools: The name, description and argument schema of each tool. In an env spec these are the author's own
            tools; otherwise, the tools that models see.
        prompt: The opening messages as one text, before placeholders are filled in.
        reward_range: The minimum and maximum return.
        best: How the maximum return of a task is defined.
        max_refusals: Number of refused calls that end an episode, if a refusal costs no turn.
        hidden: Task fields that the agent must never see.
        used_fields: Task fields that env.yaml names for the environment itself to read.
        seed_used: Whether a different seed gives a different problem.
        varies: The kinds of text that may differ if the same actions are repeated (``checks.reading.variation``).
        tolerance: The share of a picture's pixels that may differ when the same actions are repeated.
        runs_programs: Whether the agent runs its own programs in the environment.
        text_rules: How to write a tool call if actions are text.
        tags: The tag that calls each tool if actions are text.
        history: The task field with earlier messages.
        exceptions: Findings that are accepted in this environment.
        bounds: The shares that players may get, by the id or name of the check that reports larger shares.
        examples: Calls worked out by hand, and their results.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    title: str = ""
    description: str = ""
    tools: list[dict[str, Any]] | None = None
    messages: bool = False
    prompt: str | None = None
    reward_range: tuple[float, float] | None = None
    reward_timing: Literal["terminal", "per_step", "post_episode"] | None = None
    best: BestName = "top"
    max_turns: int | None = None
    max_refusals: int | None = None
    hidden: list[str] | None = None
    used_fields: frozenset[str] = frozenset()
    seed_used: bool | None = None
    varies: list[str] = []
    tolerance: float = 0.0
    runs_programs: bool = False
    text_rules: str | None = None
    tags: dict[str, str] = {}
    history: str | None = None
    exceptions: list[Excepted] = []
    bounds: dict[str, Allowed] = {}
    examples: list[Example] | None = None

    def exception_for(
        self, names: Collection[str], message: str, places: Mapping[str, Collection[str]]
    ) -> Excepted | None:
        """Return the declared exception that covers a finding, or None."""
        several = (e for e in self.exceptions if e.applies(names, message, places))
        return next(several, None)

    def bound_of(self, identity: str, name: str) -> Allowed | None:
        """Return the declared bound for a check, or None."""
        return self.bounds.get(identity, self.bounds.get(name))

    @classmethod
    def of(cls, spec: EnvSpec) -> Declaration:
        """Return the declaration of an env spec."""
        low, high = spec.reward.range
        return cls(
            name=spec.name,
            title=spec.title,
            description=spec.description,
            tools=spec.tool_rules(),
            messages=spec.message is not None,
            prompt=f"{spec.prompt.system}\n{spec.prompt.user}",
            reward_range=(low, high),
            reward_timing=spec.reward.timing,
            best=spec.reward.best,
            max_turns=spec.episode.max_turns,
            max_refusals=spec.episode.free_refusals,
            hidden=spec.hidden,
            used_fields=frozenset(filter(None, [spec.offer, spec.prompt.history])),
            seed_used=spec.seed.used,
            varies=list(spec.varies),
            tolerance=spec.display.tolerance if spec.display else 0.0,
            runs_programs=spec.backend != "none",
            text_rules=text_actions.instructions(spec),
            tags=text_actions.tags(spec),
            history=spec.prompt.history,
            examples=spec.examples,
            exceptions=[Excepted(**each.model_dump()) for each in spec.exceptions],
            bounds={name: Allowed(**each.model_dump()) for name, each in spec.bounds.items()},
        )

    @property
    def parameters(self) -> dict[str, dict[str, dict[str, Any]]]:
        """The JSON Schema of every parameter, by tool and name."""
        return {
            tool["name"]: tool.get("parameters", {}).get("properties", {})
            for tool in self.tools or []
        }

    @property
    def said(self) -> str | None:
        """All sentences that the examples claim to demonstrate, as one text, or None if the examples claim nothing."""
        return "\n".join(each.says for each in self.examples or () if each.says) or None

    @property
    def placeholders(self) -> set[str]:
        """The placeholders in the prompt, and the task field with earlier messages."""
        found = set(PLACEHOLDER.findall(self.prompt or ""))
        return found | {self.history} if self.history else found

    def open_in_text(
        self, prompt: list[dict[str, Any]], tools: list[dict[str, Any]]
    ) -> list[dict[str, Any]] | None:
        """Return the opening messages for a model that acts in text, or None if there are no rules for text actions."""
        if self.text_rules is None:
            return None
        schemas = {tool["name"]: tool["parameters"] for tool in self.tools or () if self.tags}
        enclosed = {name: text_actions.content_of(schema) for name, schema in schemas.items()}
        inside = {name: parameter for name, parameter in enclosed.items() if parameter}
        return openings.in_text(prompt, self.text_rules, self.tags, inside, tools)
