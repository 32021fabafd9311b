"""The building blocks of a case's behaviour.py: episodes that play and check expectations, in any framework.

An episode is a function that gets a ``Play``. It declares its expectations in advance, so that an expectation
counts as lost if a broken environment never reaches it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


class PlayError(Exception):
    """An error that ends an episode: the environment broke, or does not do what every environment must do."""


@dataclass(frozen=True)
class Seen:
    """The result of one call, or of opening an episode."""

    text: str
    images: tuple[str, ...] = ()
    """PNG data, as base64."""
    reward: float | None = None
    """None if the framework gives a reward only at the end."""
    done: bool | None = None
    unseen: bool = False
    """Whether the framework shows this result to no model, as with the last observation in Verifiers."""


@dataclass(frozen=True)
class Ended:
    """The end of an episode, with its return, which is the sum of its rewards."""

    returned: float | None


@dataclass(frozen=True)
class Tool:
    """A tool as the framework's client shows it."""

    name: str
    schema: Mapping[str, Any]

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters' schemas, keyed by name."""
        found: Mapping[str, Any] = self.schema.get("properties", {})
        return found


class Player(Protocol):
    """A variant that is being served. ``variant.py`` has the real players."""

    framework: str

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        """Let the framework's client perform an action. Raise PlayError if the client fails."""
        ...


@dataclass
class Step:
    """One step of an episode, as the report shows the step."""

    said: str
    seen: str | None
    """None if the report does not show it."""
    reward: float | None = None
    done: bool | None = None


@dataclass
class Play:
    """One episode that is being played. ``behaviour.py`` sees nothing else of a framework."""

    player: Player
    names: tuple[str, ...]
    steps: list[Step] = field(default_factory=list)
    outcomes: dict[str, tuple[bool, str]] = field(default_factory=dict)
    tools: list[Tool] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    done: bool = False

    def open(self, split: str | None = None, index: int = 0) -> Seen:
        """Open an episode on a task, by default the first task of the first split. Return the text that the model
        reads."""
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
        """Send an assistant message without tool calls, as an action."""
        return self._played(f"message({text!r})", self.player.ask("message", text=text))

    def close(self) -> Ended:
        """End the episode. Return the end, with the episode's total reward."""
        answer = self.player.ask("close")
        returned = answer.get("returned")
        if returned is None and self.rewards:
            returned = sum(self.rewards) + answer.get("final", 0.0)
        self.steps.append(Step("end", "", returned, None))
        return Ended(returned)

    def splits(self) -> dict[str, int] | None:
        """Return the splits with the number of tasks in each split, or None if the framework does not report them."""
        return self.player.ask("splits").get("splits")

    def tool(self, name: str | None = None) -> Tool:
        """Return the tool with this name, or the only tool if no name is given. Raise PlayError if there is none."""
        found = [each for each in self.tools if name in (None, each.name)]
        if len(found) != 1:
            there = ", ".join(each.name for each in self.tools) or "none"
            wanted = f"a tool {name!r}" if name else "exactly one tool"
            raise PlayError(f"expected {wanted}; there are: {there}")
        return found[0]

    def expect(self, name: str, held: object, found: object = "") -> None:
        """Record whether an expectation held. If an expectation is recorded several times, its first failure counts."""
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
    """A scripted episode and the expectations that it checks."""

    name: str
    names: tuple[str, ...]
    script: Callable[[Play], None]
    about: str = ""


def episode(*names: str) -> Callable[[Callable[[Play], None]], Episode]:
    """Mark a function as an episode that checks these expectations."""

    def marked(script: Callable[[Play], None]) -> Episode:
        about = (script.__doc__ or "").strip()
        return Episode(script.__name__, names, script, about)

    return marked
