"""Models inside an environment, which a domain receives as `models`. `skill-tools render` overwrites this.

env.yaml declares the roles. The author's stand-in replies for each role, unless the process environment names
a model (`role_replies.py`). This module counts, limits and records requests, whatever the source of the
reply.
"""

import copy
import importlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from jsonschema import Draft202012Validator

from . import env_spec, role_replies
from .arguments import clean, clean_all
from .opening import filled

_FENCED = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)


class ModelFailed(RuntimeError):
    """Raised when a role gives no usable reply. The episode then has no score, even if the domain catches this
    exception."""


@dataclass(frozen=True)
class Reply:
    """A model's reply to a request that offered tools.

    Attributes:
        text: The text, or "" if the model only calls tools.
        calls: The calls, each with a `name` and an object `arguments`.
    """

    text: str = ""
    calls: Sequence[dict[str, Any]] = ()


class Models:
    """The models inside the environment for one episode. Each model is an attribute, named after its role."""

    def __init__(self, task: Mapping[str, Any], seed: int) -> None:
        """Find the source of each role's replies. Raise ModelFailed if there is no source."""
        self.task, self.seed = copy.deepcopy(dict(task)), seed
        self.requests: list[dict[str, Any]] = []
        """Every request so far with its reply, in the form of a trajectory's `requests`."""
        self.steps: Callable[[], int] = lambda: 0
        """Called for the number of steps that were played before a request."""
        self.failure: str | None = None
        self.replies = role_replies.Source(self.task, seed)
        self._roles = {
            name: _kind(rule)(name, rule, self) for name, rule in env_spec.MODELS.items()
        }
        for name in self._roles:
            try:
                self.replies.model(name)
            except LookupError as error:
                raise ModelFailed(str(error)) from error

    def __getattr__(self, name: str) -> "Role":
        """Return a role by its name."""
        roles = vars(self).get("_roles", {})
        if name not in roles:
            known = ", ".join(roles) or "none"
            raise AttributeError(f"env.yaml declares no model {name!r}; its models are: {known}")
        role: Role = roles[name]
        return role


class Role:
    """A model with one purpose in one episode."""

    def __init__(self, name: str, rule: Mapping[str, Any], models: Models) -> None:
        """Store the name, the declaration in env.yaml, and the episode's models."""
        self.name, self.rule, self.models = name, rule, models

    def ask(
        self,
        messages: Sequence[Mapping[str, Any]] | str,
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        schema: Mapping[str, Any] | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> Any:
        """Request a reply and return it. The reply is a text; with `schema` it is a JSON value, and with `tools` a
        `Reply`.

        Raises ModelFailed if the model cannot be reached, refuses, or is cut off, or if its reply is empty or does
        not match the schema. The exception is raised only after the retries that env.yaml declares.

        Args:
            messages: Chat messages in OpenAI's format; a text is one message of the user.
            tools: Functions that the model may call, each with `name`, `description` and `parameters`.
            schema: The JSON Schema of the reply.
            data: The parts from which the messages were written, for a stand-in that takes a third argument.
        """
        if isinstance(messages, str):
            messages = [{"role": "user", "content": messages}]
        asked = clean_all(copy.deepcopy([dict(each) for each in messages]))
        request = role_replies.Request(
            self.name,
            asked,
            [dict(each) for each in tools],
            None if schema is None else dict(schema),
            dict(data or {}),
        )
        why = ""
        for attempt in range(1 + int(self.rule["retries"])):
            reply = self._request(request, attempt)
            try:
                return _taken(request, reply)
            except ValueError as error:
                why = self.models.requests[-1]["error"] = str(error)
        raise self._failed(why)

    def _request(self, request: role_replies.Request, attempt: int) -> role_replies.Answer:
        """Send one request and record it."""
        models = self.models
        if models.failure:
            raise ModelFailed(models.failure)
        mine = [each for each in models.requests if each["role"] == self.name]
        if len(mine) >= self.rule["max_requests"]:
            raise self._failed(f"{len(mine)} requests in one episode, the maximum (max_requests)")
        spent = sum(sum(each["usage"].values()) for each in mine)
        if (most := self.rule["max_total_tokens"]) and spent >= most:
            raise self._failed(
                f"{spent} tokens in one episode; the maximum is {most} (max_total_tokens)"
            )
        record = {
            "role": self.name,
            "purpose": self.rule["purpose"],
            "step": models.steps(),
            "model": models.replies.model(self.name),
            "messages": request.messages,
            **({"tools": request.tools} if request.tools else {}),
            **({"schema": request.schema} if request.schema else {}),
            "reply": None,
            "usage": {},
            "error": None,
        }
        models.requests.append(record)
        started = perf_counter()
        try:
            answer = models.replies.answer(request, self.rule, attempt)
        except Exception as error:
            said = clean(f"{type(error).__name__}: {error}")
            record |= {"error": said, "seconds": round(perf_counter() - started, 3)}
            raise self._failed(said) from error
        record |= {"reply": answer.text, "usage": answer.usage}
        record |= {"finish_reason": answer.finish_reason} if answer.finish_reason else {}
        record |= {"cut": True} if answer.cut else {}
        record |= {"calls": answer.calls} if answer.calls else {}
        record |= {"model": answer.model} if answer.model else {}
        record["seconds"] = round(perf_counter() - started, 3)
        return answer

    def _failed(self, why: str) -> ModelFailed:
        self.models.failure = f"the model {self.name}: {why}"
        return ModelFailed(self.models.failure)


class Partner(Role):
    """A partner with whom the agent talks: a simulated user, or the player of another seat.

    The role's `instructions` are the system message. For the role, the agent's messages are user messages, and
    the role's own replies are assistant messages.
    """

    def __init__(self, name: str, rule: Mapping[str, Any], models: Models) -> None:
        """Begin an empty conversation."""
        super().__init__(name, rule, models)
        self.stopped = False
        """Whether a message of the model held the stop text."""
        self.said: list[dict[str, str]] = []
        """The conversation so far, from the role's point of view."""

    def opening(self) -> str:
        """Return the role's first message: the task field that env.yaml names, or a first reply of the model."""
        if (name := self.rule["opening"]) is not None:
            first = str(self.models.task[name])
            self.said.append({"role": "assistant", "content": first})
            return first
        return self.reply("(The conversation begins. Write your first message.)")

    def reply(self, text: str) -> str:
        """Return the role's reply to a message of the agent, without the stop text. Set `stopped` if the reply
        contained it."""
        self.said.append({"role": "user", "content": str(text) or "(no text)"})
        stop = self.rule["stop"]
        answer = str(self.ask(self._messages(), data={"text": text}))
        self.said.append({"role": "assistant", "content": answer})
        if stop and stop in answer:
            self.stopped = True
            answer = answer.replace(stop, "").strip()
        return answer

    def _messages(self) -> list[dict[str, str]]:
        fields = {key: text_of(value) for key, value in self.models.task.items()}
        shown = filled(str(self.rule["instructions"]), fields)
        return [*([{"role": "system", "content": shown}] if shown else []), *self.said]


def text_of(value: Any) -> str:
    """Return a task field as text for a model."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _kind(rule: Mapping[str, Any]) -> type[Role]:
    if rule["purpose"] != "judge":
        return Partner
    judge: type[Role] = importlib.import_module(".rubric", __package__).Judge
    return judge


def _taken(request: role_replies.Request, answer: role_replies.Answer) -> Any:
    """Return the value of a reply. Raise ValueError if the reply is cut off, empty, or does not match the schema."""
    if answer.cut:
        raise ValueError(f"its reply was cut off (finish_reason {answer.finish_reason})")
    if request.tools:
        if not (answer.text.strip() or answer.calls):
            raise ValueError("its reply is empty")
        return Reply(answer.text, tuple(answer.calls))
    if not answer.text.strip():
        raise ValueError("its reply is empty")
    if request.schema is None:
        return answer.text
    fenced = _FENCED.fullmatch(answer.text)
    try:
        value = json.loads(fenced[1] if fenced else answer.text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"its reply is not JSON: {error}: {answer.text[:100]!r}") from error
    for wrong in Draft202012Validator(request.schema).iter_errors(value):
        raise ValueError(
            f"its reply does not match the schema: {wrong.json_path}: {wrong.message}"[:500]
        )
    return value
