"""The source of a role's replies: a stand-in, recorded replies, or a model. `skill-tools render` overwrites
this file.

The process environment selects the source. The variables begin with the environment's name and the role's
name, or ROLES for all roles at once. `NAME_ROLE_MODEL`, `NAME_ROLE_BASE_URL` and `NAME_ROLE_API_KEY` name a
model. `NAME_REPLIES` is a trajectory file whose replies are played again. `NAME_STAND_INS` is the author's
folder, if the environment was copied without it.
"""

import hashlib
import importlib
import inspect
import json
import os
import sys
import threading
import types
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from . import env_spec
from .returned import settled

STAND_IN, RECORDED = "stand-in", "recorded"
"""What a record has in place of a model's name."""
ALL = "ROLES"
SETTINGS = ("MODEL", "BASE_URL", "API_KEY")
CACHED = 10_000
"""Replies of judges that are kept in a process."""
OTHERS: dict[str, Callable[["Request"], Any]] = {}
"""Stand-ins that checks put in the place of the author's, by role."""
NATIVE: dict[str, dict[str, str]] = {}
"""Models that a framework's own configuration names, by role, as `model`, `base_url` and `api_key`."""
_own = threading.local()
_kept: dict[str, "Answer"] = {}
_keeping = threading.Lock()


@dataclass(frozen=True)
class Request:
    """A request to a role."""

    role: str
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] = field(default_factory=list)
    schema: dict[str, Any] | None = None
    data: dict[str, Any] = field(default_factory=dict)
    """The parts of which the messages were written; only stand-ins see them."""

    @property
    def key(self) -> str:
        """A digest of everything that a model sees in the request."""
        return digest(self.role, self.messages, self.tools, self.schema)


@dataclass(frozen=True)
class Answer:
    """A role's reply.

    Attributes:
        usage: `input_tokens` and `output_tokens`, if the server reports them.
        cut: Whether a limit ended the reply.
        model: The server's name for the model, if the server reports it.
    """

    text: str
    calls: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, int] = field(default_factory=dict)
    finish_reason: str | None = None
    cut: bool = False
    model: str | None = None


class Source:
    """The source of the replies of models inside the environment, for one episode."""

    def __init__(self, task: Mapping[str, Any], seed: int) -> None:
        self.task, self.seed = dict(task), seed
        self.asked: Counter[str] = Counter()
        """How often each request was made in this episode."""

    def model(self, role: str) -> str:
        """Return the name of the model that answers for a role, or STAND_IN or RECORDED if no model answers.

        If there is no source of replies, raises LookupError with the variables to set.
        """
        if role in OTHERS:
            return STAND_IN
        if variable("REPLIES"):
            return RECORDED
        if found := settings(role)["model"]:
            return found
        if _stand_in(role) is None:
            mine = f"{env_spec.NAME}_{role}".upper()
            everybody = f"{env_spec.NAME}_{ALL}".upper()
            raise LookupError(
                f"there is no source of replies for the model {role!r}: its stand-in "
                f"{env_spec.MODELS[role]['stand_in']} is not here; set {mine}_MODEL, {mine}_BASE_URL and "
                f"{mine}_API_KEY, or {everybody}_… for all roles"
            )
        return STAND_IN

    def answer(self, request: Request, rule: Mapping[str, Any], attempt: int) -> Answer:
        """Return the reply to a request. Errors of the server or the stand-in are passed on."""
        key = request.key
        turn = self.asked[key]
        self.asked[key] += 1
        model = self.model(request.role)
        if model == STAND_IN:
            return self._stand_in(request)
        if model == RECORDED:
            return self._recorded(variable("REPLIES"), request, turn)
        if not rule["cache"]:
            return _live(request, rule)
        place = f"{model} {key} {turn}"
        with _keeping:
            kept = _kept.get(place)
        if kept is None or attempt:
            kept = _live(request, rule)
            with _keeping:
                if len(_kept) >= CACHED:
                    _kept.pop(next(iter(_kept)))
                _kept[place] = kept
        return kept

    def _stand_in(self, request: Request) -> Answer:
        if other := OTHERS.get(request.role):
            return _answer_of(settled(other(request)))
        stand_in = _stand_in(request.role)
        if isinstance(stand_in, Path):
            return self._recorded(str(stand_in), request, self.asked[request.key] - 1)
        assert stand_in is not None  # model() raised otherwise
        given = [self.task, request.messages, request.data][: _parameters(stand_in)]
        return _answer_of(settled(stand_in(*given)))

    def _recorded(self, path: str, request: Request, turn: int) -> Answer:
        by_episode, by_content = recorded(path)
        task = str(self.task.get("id"))
        found = by_episode.get((task, self.seed, request.key)) or by_content.get(request.key)
        if not found:
            raise LookupError(
                f"{path} has no reply of {request.role} to this request: {request.messages[-1]}"
            )
        return found[min(turn, len(found) - 1)]


def variable(*names: str) -> str:
    """Return a variable of the process environment that begins with the environment's name, or "" if it is not set."""
    return os.environ.get("_".join((env_spec.NAME, *names)).upper(), "").strip()


def settings(role: str) -> dict[str, str]:
    """Return `model`, `base_url` and `api_key` of a role's model. `model` is "" if no model is configured."""
    if role in NATIVE:
        return {"model": "", "base_url": "", "api_key": "", **NATIVE[role]}
    found = {each.lower(): variable(role, each) or variable(ALL, each) for each in SETTINGS}
    own = getattr(_own, "keys", {})
    keys = [own.get(f"{env_spec.NAME}_{name}_API_KEY".upper()) for name in (role, ALL)]
    return found | {"api_key": next(filter(None, keys), found["api_key"])}


def use_keys(keys: Mapping[str, str]) -> None:
    """Use a client's own keys for the episodes of this thread. ``keys`` maps the name of a variable to its key."""
    _own.keys = dict(keys)


def digest(role: str, messages: Any, tools: Any, schema: Any) -> str:
    """Return a digest of a request."""
    asked = json.dumps([role, messages, tools or [], schema], sort_keys=True)
    return hashlib.sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def recorded(path: str) -> tuple[dict[Any, list[Answer]], dict[str, list[Answer]]]:
    """Return the replies in a file, in two mappings: keyed by task id, seed and request, and keyed by request.

    The file holds trajectories, or lines with a request and its reply.
    """
    by_episode: dict[Any, list[Answer]] = {}
    by_content: dict[str, list[Answer]] = {}
    played: set[tuple[str, Any]] = set()
    for line in filter(str.strip, Path(path).read_text("utf-8").splitlines()):
        found = json.loads(line)
        episode = (str(found.get("task_id")), found.get("seed"))
        first = episode not in played  # of several samples, the first is played again
        played.add(episode)
        for each in found.get("requests", [found] if "reply" in found else ()):
            if each.get("reply") is None and not each.get("calls"):
                continue
            key = digest(each["role"], each["messages"], each.get("tools"), each.get("schema"))
            reason = each.get("finish_reason")
            said, calls = each["reply"] or "", each.get("calls") or []
            answer = Answer(said, calls, finish_reason=reason, cut=bool(each.get("cut")))
            by_content.setdefault(key, []).append(answer)
            if first:
                by_episode.setdefault((*episode, key), []).append(answer)
    return by_episode, by_content


@cache
def _stand_in(role: str) -> Callable[..., Any] | Path | None:
    """Return the author's stand-in, which is a function or a file of replies. Return None if it is missing, as in a
    bundle."""
    place = env_spec.MODELS[role]["stand_in"]
    if place.endswith(".jsonl"):
        path = Path(__file__).parent.parent / place
        return path if path.is_file() else None
    module, _, name = place.partition(":")
    found = _module(module)
    if found is None:
        return None
    if not hasattr(found, name):
        raise LookupError(
            f"{module}.py has no function {name}(task, messages), the stand-in of the model {role!r}"
        )
    stand_in: Callable[..., Any] = getattr(found, name)
    return stand_in


def _module(name: str) -> types.ModuleType | None:
    """Return an author's module from the environment's folder, or from the folder that NAME_STAND_INS names."""
    elsewhere = variable("STAND_INS")
    if elsewhere:
        package = types.ModuleType(f"{env_spec.NAME}_stand_ins")
        package.__path__ = [elsewhere]
        sys.modules.setdefault(package.__name__, package)
    home = f"{env_spec.NAME}_stand_ins" if elsewhere else str(__package__).rpartition(".")[0]
    try:
        return importlib.import_module(f"{home}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{home}.{name}":
            raise
        return None


def _parameters(function: Callable[..., Any]) -> int:
    """Return the number of arguments of a stand-in: 2 for task and messages, or 3 with data."""
    try:
        inspect.signature(function).bind("task", "messages", "data")
    except TypeError:
        return 2
    return 3


def _answer_of(said: Any) -> Answer:
    """Return a stand-in's result as a reply. The result is text, a JSON value, or an object with `text` and `calls`."""
    if isinstance(said, Answer):
        return said
    if isinstance(said, dict) and set(said) <= {"text", "calls"} and "calls" in said:
        return Answer(str(said.get("text") or ""), [dict(each) for each in said["calls"]])
    return Answer(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False))


def _live(request: Request, rule: Mapping[str, Any]) -> Answer:
    """Ask a model over HTTP, and return its reply."""
    # Imported here and by name: an environment without the harness has stand-ins alone.
    role_server = importlib.import_module(".models.role_server", __package__)
    known = settings(request.role)
    answer: Answer = role_server.ask(request, rule, known, f"{env_spec.NAME}/{request.role}")
    return answer
