"""The policy endpoint, which is an OpenAI-compatible server on loopback that plays scripts.

It supports Chat Completions and Responses (https://platform.openai.com/docs/api-reference), streaming or not, and
Anthropic's Messages (https://platform.claude.com/docs/en/api/messages). It uses a provider's own computer tool if the
request offers it (see ``screen_payloads``). It keeps no state between requests, so it serves any number of rollouts
simultaneously. A request names its script by ``model`` and by the label in the header ``X-Episode`` (or
``metadata.episode``, ``metadata.user_id``, ``user``, if those are accepted). The number of assistant messages in the
conversation determines the next turn. The response to a request without tools is text that contains the calls.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self
from urllib.parse import unquote

from rl_env_harness.blocks import said
from rl_env_harness.models.responses import as_items

from skill_tools.errors import nearest
from skill_tools.policies import tokens
from skill_tools.policies.loopback import HttpAnswer, HttpRequest, Loopback
from skill_tools.policies.payloads import Payload, chunks, completion, events, model, response
from skill_tools.policies.requests import EXTRA, ServerQuirks, Wrong, describe, read
from skill_tools.policies.screen_payloads import anthropic_message, qwen_calls, wants_qwen
from skill_tools.policies.scripted import Script, Turn

FINISHED = Turn(text="I have nothing further to do.")
ANY_LABEL = "*"
"""Label of a script that serves every episode without its own."""
EPISODE = "x-episode"
"""The header with an episode's label, quoted as in a URL; some servers refuse a field with a label."""


class PolicyEndpoint:
    """A server that plays ``scripts[model][label]``. Use the server as a context manager.

    Args:
        scripts: Scripts by model and episode label.
        write: A function that turns a turn into text for requests without tools; if None, turns keep their tool calls.
        screen: Screen size in pixels, for a model that counts in thousandths of the screen.
        **quirks: Fields of ``ServerQuirks``, such as ``context=2048``.
    """

    def __init__(
        self,
        scripts: Mapping[str, Mapping[str, Script]],
        write: Callable[[Turn], str] | None = None,
        screen: tuple[int, int] = (1024, 768),
        **quirks: Any,
    ) -> None:
        self.scripts = scripts
        self.quirks = ServerQuirks(**quirks)
        self.screen = screen
        self.write = write
        self.base_url = ""
        self.routes: dict[tuple[str, str], Callable[[HttpRequest], HttpAnswer]] = {
            ("GET", "/v1/models"): self._models,
            ("POST", "/v1/chat/completions"): self._chat,
            ("POST", "/v1/responses"): self._responses,
            ("POST", "/v1/messages"): self._messages,
        }

    @staticmethod
    def refusals(
        request: HttpRequest, body: Mapping[str, Any], quirks: ServerQuirks
    ) -> Sequence[Wrong]:
        """Return reasons to refuse a request; the tests substitute the refusals of real servers."""
        return ()

    def __enter__(self) -> Self:
        self._server = Loopback(self.answer)
        self.base_url = f"{self._server.open()}/v1"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()

    def answer(self, request: HttpRequest) -> HttpAnswer:
        """Return the response to a request, including an error response for an invalid request."""
        route = self.routes.get((request.method, request.path))
        if route is None:
            known = any(request.path == path for _, path in self.routes)
            return HttpAnswer("", 405 if known else 404, "text/plain")
        try:
            return route(request)
        except Declined as refusal:
            return _json(refusal.body, refusal.status)
        except (AttributeError, KeyError, TypeError) as error:
            wrong = Wrong("", f"the request cannot be read: {type(error).__name__}: {error}")
            return _json({"error": {"message": describe([wrong])}}, 400)

    def _models(self, request: HttpRequest) -> HttpAnswer:
        return _json(
            {"object": "list", "data": [model(name, self.quirks) for name in self.scripts]}
        )

    def _chat(self, request: HttpRequest) -> HttpAnswer:
        body = _body(request)
        _refuse(self.refusals(request, body, self.quirks))
        position = _assistants(body["messages"])
        turn = self._turn(request, body, position)
        if wants_qwen(body):
            calls = [said for call in turn.calls for said in qwen_calls(call, self.screen)]
            turn = Turn(tuple(calls), turn.text)
        said = self._said(turn, body, "max_completion_tokens", "max_tokens")
        if self._streams(body):
            return _stream(chunks(body, position, said), named=False)
        return _json(completion(body, position, said))

    def _responses(self, request: HttpRequest) -> HttpAnswer:
        body = _body(request)
        _refuse(self.refusals(request, body, self.quirks))
        position = _turns_taken(body["input"])
        said = self._said(self._turn(request, body, position), body, "max_output_tokens")
        whole = response(body, position, said)
        if self._streams(body):
            return _stream(events(whole), named=True)
        return _json(whole)

    def _messages(self, request: HttpRequest) -> HttpAnswer:
        body = _body(request)
        if wrong := self.refusals(request, body, self.quirks):
            error = {"type": "invalid_request_error", "message": describe(wrong)}
            raise Declined(400, {"type": "error", "error": error})
        position = _assistants(body["messages"])
        said = self._said(self._turn(request, body, position), body, "max_tokens")
        return _json(anthropic_message(body, position, said))

    def _streams(self, body: Mapping[str, Any]) -> bool:
        asked = body.get("stream")
        return self.quirks.streams_by_default if asked is None else asked

    def _said(self, turn: Turn, body: Mapping[str, Any], *limits: str) -> tokens.Said:
        """Return a turn, cut to the limits of the request and of the context; raise Declined if the context
        overflows."""
        asked = tokens.of_request(body)
        wanted = next((body[name] for name in limits if body.get(name) is not None), None)
        context = self.quirks.context
        if context is None:
            return tokens.within(turn, asked, wanted)
        refused = tokens.overflow(self.quirks.overflow, asked, wanted, context)
        if refused:
            raise Declined(400, refused)
        return tokens.within(turn, asked, min(wanted or context, context - asked))

    def _turn(self, request: HttpRequest, body: Mapping[str, Any], position: int) -> Turn:
        model = body["model"]
        if model not in self.scripts:
            raise _missing(f"there is no policy {model!r}{nearest(model, self.scripts)}")
        metadata = body.get("metadata") or {}
        labels = metadata.get("episode"), metadata.get("user_id"), body.get("user")
        label = unquote(request.headers.get(EPISODE, "")) or next(filter(None, labels), "")
        scripts = self.scripts[model]
        script = scripts.get(label, scripts.get(ANY_LABEL))
        if script is None:
            raise _missing(f"policy {model!r} has no script for the episode {label!r}")
        position -= _said_before(script[0].earlier if script else (), body)
        turn = script[position] if position < len(script) else FINISHED
        return Turn(text=self.write(turn)) if self.write and not body.get("tools") else turn


class Declined(Exception):
    """Error for a request that gets an error response."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        super().__init__(body)
        self.status, self.body = status, body


def _body(request: HttpRequest) -> dict[str, Any]:
    try:
        return read(request.body)
    except (ValueError, RecursionError) as error:
        _refuse([Wrong("", f"the body is not valid JSON: {error}")])
        raise


def _refuse(problems: Sequence[Wrong]) -> None:
    """Raise Declined for problems of a request, with the error body of a strict server.

    The body has Mistral's format for fields that Mistral forbids, and otherwise OpenAI's format.
    """
    extra = [one for one in problems if one.code == EXTRA]
    if extra:
        detail = [
            {"type": one.code, "loc": ["body", *_steps(one.place)], "msg": one.says, "input": None}
            for one in extra
        ]
        body = {"object": "error", "message": {"detail": detail}, "type": "invalid_request_error"}
        raise Declined(422, {**body, "param": None, "code": None})
    if problems:
        error: dict[str, str | None] = {
            "message": describe(problems),
            "type": "invalid_request_error",
        }
        error |= {"param": problems[0].place or None, "code": problems[0].code}
        raise Declined(400, {"error": error})


def _missing(message: str) -> Declined:
    error = {
        "message": message,
        "type": "invalid_request_error",
        "param": None,
        "code": "no_script",
    }
    return Declined(404, {"error": error})


def _steps(place: str) -> list[str | int]:
    """Return a place in pydantic's form: "messages[1].role" becomes ["messages", 1, "role"]."""
    steps = place.replace("[", ".").replace("]", "").split(".")
    return [int(step) if step.isdigit() else step for step in steps]


def _assistants(messages: Sequence[Mapping[str, Any]]) -> int:
    return sum(message["role"] == "assistant" for message in messages)


def _said_before(earlier: Sequence[Mapping[str, Any]], body: Mapping[str, Any]) -> int:
    """Return the number of assistant turns in the opening.

    The number is 0 if a framework without roles shows the opening's messages as one text.
    """
    question = next((each for each in earlier if each["role"] != "system"), None)
    if question is None:
        return 0
    sent = body["messages"] if "messages" in body else body["input"]
    first = next(each for each in sent if each.get("role") not in ("system", "developer"))
    if first.get("role") == "user" and said(first) != said(question):
        return 0
    if "messages" in body:
        return _assistants(earlier)
    return _turns_taken([item for each in earlier for item in as_items(dict(each))])


def _json(payload: Mapping[str, Any], status: int = 200) -> HttpAnswer:
    return HttpAnswer(_text(payload), status)


def _text(payload: Mapping[str, Any]) -> str:
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair travels only as an escape
        return json.dumps(payload, separators=(",", ":"))
    return text


def _turns_taken(items: Any) -> int:
    """Return the number of assistant turns in Responses input; one turn may have several items."""
    turns, inside = 0, False
    for item in [] if isinstance(items, str) else items:
        kind = item.get("type", "message")
        assistant = kind in ("function_call", "computer_call", "reasoning") or (
            kind == "message" and item.get("role") == "assistant"
        )
        turns += assistant and not inside
        inside = assistant
    return turns


def _stream(payloads: Iterator[Payload], *, named: bool) -> HttpAnswer:
    def lines() -> Iterator[str]:
        for payload in payloads:
            name = f"event: {payload['type']}\n" if named else ""
            yield f"{name}data: {_text(payload)}\n\n"
        if not named:
            yield "data: [DONE]\n\n"

    return HttpAnswer(lines(), kind="text/event-stream; charset=utf-8")
