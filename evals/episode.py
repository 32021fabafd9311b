"""What a case's behaviour.py is written with: episodes that play and expect, in any framework.

An episode is a function that gets a ``Play``. It names its expectations beforehand, so that one
which a broken environment never reaches is lost rather than forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


class PlayError(Exception):
    """The environment could not be played on: it broke, or does not do what any must."""


@dataclass(frozen=True)
class Seen:
    """What came back for one call, or for opening an episode."""

    text: str
    images: tuple[str, ...] = ()
    """PNG data, as base64."""
    reward: float | None = None
    """None where the framework pays at the end only."""
    done: bool | None = None
    unseen: bool = False
    """Whether the framework shows no model what came back; so for Verifiers' last observation."""


@dataclass(frozen=True)
class Ended:
    """How an episode came out; the return is the sum of its rewards."""

    returned: float | None


@dataclass(frozen=True)
class Tool:
    """A tool as the framework's client shows it."""

    name: str
    schema: Mapping[str, Any]

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters' schemas by name."""
        found: Mapping[str, Any] = self.schema.get("properties", {})
        return found


class Player(Protocol):
    """A variant that is being served; ``variant.py`` has the real ones."""

    framework: str

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        """Have the framework's client do something; raises PlayError if it cannot."""
        ...


@dataclass
class Step:
    """One entry of an episode as the report shows it."""

    said: str
    seen: str | None
    """None: nobody is shown it."""
    reward: float | None = None
    done: bool | None = None


@dataclass
class Play:
    """One episode as it is played; ``behaviour.py`` sees nothing else of a framework."""

    player: Player
    names: tuple[str, ...]
    steps: list[Step] = field(default_factory=list)
    outcomes: dict[str, tuple[bool, str]] = field(default_factory=dict)
    tools: list[Tool] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    done: bool = False

    def open(self, split: str | None = None, index: int = 0) -> Seen:
        """Open an episode on a task of a split, by default of the first; what the model reads."""
        answer = self.player.ask("open", split=split, index=index)
        self.tools = [Tool(each["name"], each["schema"]) for each in answer.get("tools", [])]
        self.rewards, self.done = [], False
        return self._keep(f"open {split or 'first split'} {index}", answer)

    def call(self, tool: str, **arguments: Any) -> Seen:
        """Call a tool."""
        answer = self.player.ask("call", tool=tool, arguments=arguments)
        listed = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        return self._played(f"{tool}({listed})", answer)

    def message(self, text: str) -> Seen:
        """Send an assistant message without tool calls, which is an action."""
        return self._played(f"message({text!r})", self.player.ask("message", text=text))

    def close(self) -> Ended:
        """End the episode; what it paid in all."""
        answer = self.player.ask("close")
        returned = answer.get("returned")
        if returned is None and self.rewards:
            returned = sum(self.rewards) + answer.get("final", 0.0)
        self.steps.append(Step("end", "", returned, None))
        return Ended(returned)

    def splits(self) -> dict[str, int] | None:
        """Splits and how many tasks each has; None where the framework cannot tell."""
        return self.player.ask("splits").get("splits")

    def tool(self, name: str | None = None) -> Tool:
        """The tool of that name, or the only one there is; PlayError if there is none such."""
        found = [each for each in self.tools if name in (None, each.name)]
        if len(found) != 1:
            there = ", ".join(each.name for each in self.tools) or "none"
            wanted = f"a tool {name!r}" if name else "exactly one tool"
            raise PlayError(f"expected {wanted}; there are: {there}")
        return found[0]

    def expect(self, name: str, held: object, found: object = "") -> None:
        """Say whether an expectation held; of one said twice, the first that failed counts."""
        if name not in self.names:
            raise AssertionError(f"{name!r} is not among what the episode declares: {self.names}")
        before = self.outcomes.get(name)
        if before is None or before[0]:
            self.outcomes[name] = (bool(held), "" if held else str(found)[:2000])

    def _played(self, said: str, answer: Mapping[str, Any]) -> Seen:
        seen = self._keep(said, answer)
        if seen.reward is not None:
            self.rewards.append(seen.reward)
        self.done = self.done or bool(seen.done)
        return seen

    def _keep(self, said: str, answer: Mapping[str, Any]) -> Seen:
        seen = Seen(
            answer.get("text", ""), tuple(answer.get("images", ())), answer.get("reward"),
            answer.get("done"), answer.get("unseen", False),
        )  # fmt: skip
        text = None if seen.unseen else seen.text + "".join("\n[image]" for _ in seen.images)
        self.steps.append(Step(said, text, seen.reward, seen.done))
        return seen


@dataclass(frozen=True)
class Episode:
    """A scripted episode and the expectations that it decides."""

    name: str
    names: tuple[str, ...]
    script: Callable[[Play], None]
    about: str = ""


def episode(*names: str) -> Callable[[Callable[[Play], None]], Episode]:
    """Mark a function as an episode that decides these expectations."""

    def marked(script: Callable[[Play], None]) -> Episode:
        about = (script.__doc__ or "").strip()
        return Episode(script.__name__, names, script, about)

    return marked
