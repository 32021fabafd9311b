"""One episode, with the same semantics in every framework. `skill-tools render` overwrites this file.

The author's domain has the rules. Each variant wraps `Episode` and adds only its framework's types.
"""

import copy
import importlib
import inspect
import os
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import env_spec, opening
from .arguments import UNPARSED, clean, clean_all
from .blocks import as_blocks, as_text, ended_by
from .returned import as_done, as_metrics, as_reward, settled
from .tool_rules import MESSAGE, RULES, offered, problem_of, repeated, whole, without_nulls
from .visible_text import visible

LAST_REFUSAL = "That was the last refusal: the episode is over."
"""Appended to the refusal that ends an episode, if the domain has a status()."""

_module, _, _class = env_spec.DOMAIN.partition(":")
_domain = importlib.import_module(f"..{_module}", __package__)
_roles = importlib.import_module(".roles", __package__) if env_spec.MODELS else None


class EpisodeFailed(RuntimeError):
    """Raised when the environment itself breaks. The episode then has no score."""

    steps: Sequence[dict[str, Any]] = ()
    """The steps that the same message had already played."""


@dataclass(frozen=True)
class Step:
    """The result of one tool call.

    Attributes:
        observation: Blocks that the model sees, `{"type": "text", "text": ...}` or `{"type": "image",
            "media_type": "image/png", "data": <base64>}`.
        reward: Change of the return through this call.
        done: Whether the episode is over.
        error: The kind of refusal (unknown_tool, invalid_arguments, invalid_action, unreadable or episode_over);
            None if the call was not refused.
    """

    observation: list[dict[str, Any]]
    reward: float
    done: bool
    error: str | None = None

    @property
    def text(self) -> str:
        """The observation as plain text, with a note in place of each image."""
        return as_text(self.observation)


class Episode:
    """One problem being played: a task, a seed and the state between tool calls."""

    def __init__(self, task: dict[str, Any], seed: int | None = None, max_turns: int | None = None):
        """Set up the world. Raises EpisodeFailed if the domain raises an exception."""
        self.task = clean_all(copy.deepcopy(task))
        self.seed = int(task.get("seed", 0) if seed is None else seed)
        self.max_turns = min(
            env_spec.MAX_TURNS, env_spec.MAX_TURNS if max_turns is None else max(1, max_turns)
        )
        self.steps: list[dict[str, Any]] = []
        self.turns, self.refusals = 0, 0
        self.over = False
        self.truncated = False
        self.total = 0.0
        self.metrics: dict[str, float] = {}
        self.failure: str | None = None
        self.status = ""
        self.requests: list[dict[str, Any]] = []
        self._reported = 0
        self._world: Any = None
        self._models: Any = None
        try:
            self.history = opening.history_of(self.task)
        except opening.WrongHistory as error:
            raise self._broken(f"the task field {env_spec.HISTORY!r}", error) from error
        try:
            self.tools = offered(self.task)
            given = [copy.deepcopy(self.task), self.seed]
            if _roles:
                self._models = _roles.Models(self.task, self.seed)
                self._models.steps, self.requests = lambda: len(self.steps), self._models.requests
                given.append(self._models)
            self._world = getattr(_domain, _class)(*given)
        except (Exception, SystemExit) as error:
            self.close()
            raise self._broken("setting up", error) from error
        try:
            # A prompt of task fields alone needs none.
            shows = hasattr(self._world, "observe")
            self.first_observation = self._ask("observe", as_blocks) if shows else as_blocks("")
            self._ask_status()
            self._check_models()
        except EpisodeFailed:
            self.close()
            raise

    @property
    def prompt(self) -> list[dict[str, Any]]:
        """The opening chat messages, in the format of OpenAI's chat API."""
        return opening.prompt(self.task, self.history, self.first_observation)

    def call(self, tool: str, arguments: Any, note: str = "") -> Step:
        """Play one tool call.

        ``note`` is added to the refusal of arguments that do not match the tool's schema. Raises EpisodeFailed if the
        domain fails, but never for a bad call.
        """
        return self._turn(tool, arguments, note=note)

    def message(self, text: str, calls: Sequence[dict[str, Any]] = ()) -> Step:
        """Play a message of the model. The domain does not see the reasoning in the message.

        ``calls`` are the tool calls in the message, with name and arguments, if the domain grades them.
        """
        beside = {"calls": list(calls)} if env_spec.WITH_CALLS else {}
        return self.call(MESSAGE, {"text": text, **beside})

    def method(self, tool: str) -> Callable[..., Any]:
        """Return the domain's method that plays a tool."""
        method: Callable[..., Any] = getattr(self._world, env_spec.METHODS.get(tool, tool))
        return method

    def refuse(self, said: str, why: str) -> Step:
        """Refuse text from the agent that is not a tool call. No call is played."""
        return self._turn("", {UNPARSED: said}, unreadable=why)

    def end(self) -> float:
        """End the episode because the agent stopped. Return the final reward."""
        if self.failure:
            raise EpisodeFailed(self.failure)
        if self.over:
            return 0.0
        self._finish("stopped")
        paid = self._pay()
        self._ask_status()
        self._check_models()
        return paid

    def close(self) -> None:
        """Free the world's resources. Calling this twice is safe."""
        self.over = True
        world, self._world = self._world, None
        if close := getattr(world, "close", None):
            settled(close())

    def record(self) -> dict[str, Any]:
        """Return all steps so far, the return, the metrics and the way in which the episode ended, as JSON data."""
        ended = {"turns": self.turns, "over": self.over, "truncated": self.truncated}
        named = {"metrics": self.metrics} if env_spec.METRICS else {}
        return {"steps": self.steps, "return": self.total, **named, **ended}

    def new_requests(self) -> list[dict[str, Any]]:
        """Return the requests to models since the last call of this method, for the record of a rollout.

        The requests hold facts that the agent must not see. A server therefore reports them only to a rollout that
        started the server and set NAME_RECORDS_REQUESTS.
        """
        if os.environ.get(f"{env_spec.NAME}_RECORDS_REQUESTS".upper()) != "1":
            return []
        new = self.requests[self._reported :]
        self._reported += len(new)
        return new

    def _turn(
        self, tool: str, arguments: Any, unreadable: str | None = None, note: str = ""
    ) -> Step:
        if self.failure:
            raise EpisodeFailed(self.failure)
        tool = clean(tool)
        try:
            arguments = clean_all(arguments)
        except RecursionError:
            arguments = {UNPARSED: "nested too deeply"}
        if tool == MESSAGE and env_spec.MESSAGE and "text" in arguments:
            arguments = {**arguments, "text": visible(str(arguments["text"]))}
        if self.over:
            told = as_blocks("The episode is over: no further tool call is possible.")
            step = Step(ended_by(told, self.status), 0.0, True, "episode_over")
            return self._log(tool, arguments, step)
        if unreadable is None:
            observation, error = self._play(tool, arguments)
        else:
            observation, error = as_blocks(unreadable), "unreadable"
        if note and error == "invalid_arguments":
            observation += as_blocks(note)
        if error is not None and self._offers("refused"):
            self._ask("refused")
        free = error is not None and env_spec.MAX_REFUSALS is not None
        self.refusals += free
        self.turns += not free
        done = self._read("done", as_done)
        refusing = self.refusals == env_spec.MAX_REFUSALS
        if done or self.turns >= self.max_turns or refusing:
            self.truncated = not done
            self._finish("terminated" if done else "refusals" if refusing else "turns")
            if self.status and refusing and not done:
                observation = ended_by(observation, LAST_REFUSAL)
        paid = self._pay()
        self._ask_status()
        self._check_models()
        observation = ended_by(observation, self.status)
        return self._log(tool, arguments, Step(observation, paid, self.over, error))

    def _play(self, tool: str, arguments: Any) -> tuple[list[dict[str, Any]], str | None]:
        names = [each["name"] for each in self.tools]
        if tool not in RULES or tool not in (*names, MESSAGE):
            known = ", ".join(names)
            hint = f"The tools are: {known}." if known else "Answer with a message."
            return as_blocks(f"There is no tool {repeated(tool)}. {hint}"), "unknown_tool"
        given = without_nulls(RULES[tool], arguments)
        if problem := problem_of(tool, given):
            return as_blocks(f"{tool}: {problem}"), "invalid_arguments"
        given = whole(RULES[tool], given)
        try:
            try:
                said, refused = settled(self.method(tool)(**given)), None
            except _domain.InvalidAction as error:
                said, refused = str(error), "invalid_action"
            return as_blocks(said), refused
        except (Exception, SystemExit) as error:
            raise self._broken(f"{tool}()", error) from error

    def _check_models(self) -> None:
        """Raise EpisodeFailed if a model failed, even if the domain caught the exception."""
        if self._models and self._models.failure:
            raise self._broken("a request", RuntimeError(self._models.failure))

    def _finish(self, reason: str) -> None:
        self.over = True
        if finish := getattr(self._world, "finish", None):
            try:
                asks = "reason" in inspect.signature(finish).parameters
                settled(finish(**({"reason": reason} if asks else {})))
            except (Exception, SystemExit) as error:
                raise self._broken("finish()", error) from error

    def _ask_status(self) -> None:
        """Store the domain's status line, which ends each observation and no longer changes after the episode's end."""
        if not self._offers("status"):
            return
        before = self._read("reward"), self._read("done")
        line = self._ask("status")
        is_text = isinstance(line, str) and bool(line.strip())
        if not is_text or len(line.splitlines()) > 1:
            wrong = f"it returned {repeated(line)}, but it must return one line of text"
            raise self._broken("status()", (ValueError if is_text else TypeError)(wrong))
        if (self._read("reward"), self._read("done")) != before:
            raise self._broken("status()", ValueError("it changed reward or done"))
        self.status = clean(line)

    def _offers(self, name: str) -> bool:
        """Return whether the domain has an optional method. A method that plays a tool does not count."""
        played = {env_spec.METHODS.get(tool, tool) for tool in RULES}
        return name not in played and callable(getattr(type(self._world), name, None))

    def _ask(self, name: str, take: Callable[[Any], Any] = lambda found: found) -> Any:
        try:
            return take(settled(getattr(self._world, name)()))
        except (Exception, SystemExit) as error:
            raise self._broken(f"{name}()", error) from error

    def _read(self, name: str, take: Callable[[Any], Any] = lambda found: found) -> Any:
        try:
            return take(getattr(self._world, name))
        except (Exception, SystemExit) as error:
            raise self._broken(name, error) from error

    def _pay(self) -> float:
        reward: float = self._read("reward", as_reward)
        change, self.total = reward - self.total, reward
        if env_spec.METRICS:
            self.metrics = self._read("metrics", lambda found: as_metrics(found, env_spec.METRICS))
        return change

    def _log(self, tool: str, arguments: Any, step: Step) -> Step:
        self.steps.append({"tool": tool, "arguments": arguments, **vars(step)})
        return step

    def _broken(self, where: str, error: BaseException) -> EpisodeFailed:
        self.over = True
        ours, frames = Path(__file__).parent, traceback.extract_tb(error.__traceback__)
        theirs = [frame for frame in frames if Path(frame.filename).parent != ours]
        place = f" ({Path(theirs[-1].filename).name}:{theirs[-1].lineno})" if theirs else ""
        cause = clean(f"{type(error).__name__}: {error}{place}")
        self.failure = f"the environment failed in {where}: {cause}"
        return EpisodeFailed(self.failure)
