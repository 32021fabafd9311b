"""The declaration: what is promised of an environment, whoever wrote it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from skill_tools.render import text_actions
from skill_tools.spec.examples import Example
from skill_tools.spec.model import PLACEHOLDER, BestName, EnvSpec

PLACES = ("split", "task", "tool", "parameter", "file")
"""What an exception may name in addition to its check."""


class Excepted(BaseModel):
    """A finding that is right here, and why: of one check, at some place or at all.

    where: words of its message, as older files have them.
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
        """Whether a finding of a check of these names is this exception; places: all names of its place,
        for each of PLACES."""
        wanted = {each: getattr(self, each) for each in PLACES}
        there = all(name in places.get(each, ()) for each, name in wanted.items() if name)
        return self.check in names and there and self.where in message


class Allowed(BaseModel):
    """The share that somebody may earn here before a check tells of it as a defect, and why."""

    model_config = ConfigDict(frozen=True)

    share: float
    because: str

    @property
    def said(self) -> str:
        """The same in words, for who reads a finding."""
        return f"env.yaml allows {self.share:.0%}: {self.because}"


class Declaration(BaseModel):
    """What checks need to know of an environment; an env spec is one kind, see ``of``.

    None means that nobody said so, and the checks that need it are skipped. tools: name,
    description and JSON Schema of the arguments: of an env spec the author's own, of anybody's
    environment what models see. prompt: the messages before
    anything is filled in, as one text. reward_range: the least and the greatest return. best:
    what the most is that a task pays. hidden:
    task fields that the agent must never see. seed_used: whether another seed gives another
    problem. varies: what in observations may differ when the same actions are played again (see
    ``checks.varying``). tolerance: the share of a picture's pixels that may differ then. max_refusals: how
    many refused calls end an episode, where they cost no turn. runs_programs: whether the agent's own
    programs run in it. text_rules: how to write a tool call where actions are text. exceptions: findings
    that are right here. bounds: what players may earn here, by the id or name of the check that tells of
    it. examples: calls worked out by hand, and what comes back.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    title: str = ""
    description: str = ""
    tools: list[dict[str, Any]] | None = None
    prompt: str | None = None
    reward_range: tuple[float, float] | None = None
    reward_timing: Literal["terminal", "per_step", "post_episode"] | None = None
    best: BestName = "top"
    max_turns: int | None = None
    max_refusals: int | None = None
    hidden: list[str] | None = None
    seed_used: bool | None = None
    varies: list[str] = []
    tolerance: float = 0.0
    runs_programs: bool = False
    text_rules: str | None = None
    exceptions: list[Excepted] = []
    bounds: dict[str, Allowed] = {}
    examples: list[Example] | None = None

    def exception_for(
        self, names: Collection[str], message: str, places: Mapping[str, Collection[str]]
    ) -> Excepted | None:
        """The declared exception that a finding of a check is, if it is one."""
        several = (e for e in self.exceptions if e.applies(names, message, places))
        return next(several, None)

    def bound_of(self, identity: str, name: str) -> Allowed | None:
        """What players may earn here before a check tells of it, where somebody said so."""
        return self.bounds.get(identity, self.bounds.get(name))

    @classmethod
    def of(cls, spec: EnvSpec) -> Declaration:
        """What an env spec declares."""
        low, high = spec.reward.range
        return cls(
            name=spec.name,
            title=spec.title,
            description=spec.description,
            tools=spec.tool_rules(),
            prompt=f"{spec.prompt.system}\n{spec.prompt.user}",
            reward_range=(low, high),
            reward_timing=spec.reward.timing,
            best=spec.reward.best,
            max_turns=spec.episode.max_turns,
            max_refusals=spec.episode.free_refusals,
            hidden=spec.hidden,
            seed_used=spec.seed.used,
            varies=list(spec.varies),
            tolerance=spec.display.tolerance if spec.display else 0.0,
            runs_programs=spec.backend != "none",
            text_rules=text_actions.instructions(spec),
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
        """All that the examples say that they show; None if none says it."""
        return "\n".join(each.says for each in self.examples or () if each.says) or None

    @property
    def placeholders(self) -> set[str]:
        """The names that the prompt wants filled in."""
        return set(PLACEHOLDER.findall(self.prompt or ""))

    def open_in_text(self, prompt: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
        """The opening messages where actions are text; None if nothing says how they are told."""
        return text_actions.opening(prompt, self.text_rules) if self.text_rules else None
