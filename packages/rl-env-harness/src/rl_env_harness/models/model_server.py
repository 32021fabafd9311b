"""A model behind a server with OpenAI's APIs.

This module sends requests and returns replies, whatever the server's peculiarities. It learns from refusals
which fields a request must not contain, waits out transient faults, and distinguishes a full context from a
fault.
"""

import asyncio
import email.utils
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from . import connections, refused_keywords, replies, streams
from .connections import Refused, Unreached
from .conversation import Conversation, Habits
from .deadline import time_is_over
from .replies import NoReply, Reply

EPISODE = "X-Episode"
"""Header with the label of the episode, for logs and for scripted models. Servers ignore it."""
PASSING = frozenset({409, 425, 429, 500, 502, 503, 529})
"""Status codes of refusals that may be transient. 408 and 504 are excluded, because a slow request stays slow."""
ATTEMPTS = 4
"""Maximum attempts at a request; after that many failures the error is treated as permanent."""
LONGEST_WAIT = 60.0
"""Maximum seconds between two attempts, because servers usually limit requests per minute."""
Read = Callable[[Any, set[str], int], Reply]
"""Parses an answer, given its data, the ids of earlier calls, and the number of the turn."""
_CONTEXT = re.compile(
    r"maximum (context|prompt|input|sequence)|context[ _](length|size|window|limit)"
    r"|exceed_context_size|max_(model|seq|input)_len"
    r"|(prompt|input|request|conversation|message)s?( \(.{0,40}\))? (is|are) too (long|large)"
    r"|input[ _]too[ _]l(ong|arge)|too many (input )?tokens|reduce the length"
    r"|(input|prompt|requested)s?\W[ _a-z]{0,20}tokens?[^.]{0,60}"
    r"(exceed|larger|longer|greater|more than|less than)"
    r"|max_tokens must be at least 1, got -|tokens \+ `?max_new_tokens`? must be"
    r"|exceeds? the (available|maximum|model|allowed)[^.]{0,40}"
    r"(context|(?<!output )(?<!completion )tokens)"
    r"|must have less than \d+ tokens|exceeded model token limit|range of input length",
    re.IGNORECASE,
)
"""Server messages about a conversation that is too long; never about `max_tokens` alone."""


_BAD_CALL = re.compile(
    r"tool_use_failed|failed to call a function|error parsing tool call", re.IGNORECASE
)
"""Server messages about a request that is refused because of a call that the server's own model wrote."""


class ContextFull(RuntimeError):
    """Raised when the server refuses a request because the conversation is longer than the model's context."""


class ServerFailed(RuntimeError):
    """Raised when the server gives no answer, sends an invalid answer, or refuses a request that fits the context."""


@dataclass(frozen=True)
class Options:
    """Settings for the requests to a model.

    Attributes:
        api: `chat` or `responses`.
        sampling: `temperature`, `top_p`, `max_tokens`, `seed` and `stop`; only settings that were given.
        extra: Fields of the request's body, which take precedence.
        keep_reasoning: Whether the model's reasoning is sent back to the model.
    """

    api: str = "chat"
    stream: bool = False
    keep_reasoning: bool = True
    sampling: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)

    def settings(self, sample: int, habits: Habits) -> dict[str, Any]:
        """Return the request's sampling fields. Each sample has its own seed."""
        chosen = dict(self.sampling)
        if "seed" in chosen:
            chosen["seed"] += sample
        names = habits.renamed if self.api == "chat" else {"max_tokens": "max_output_tokens"}
        return self.streaming | {names.get(k, k): v for k, v in chosen.items()} | self.extra

    @property
    def streaming(self) -> dict[str, Any]:
        """Return the request's fields for streaming."""
        if self.api == "responses":
            # Explicit, because some servers stream by default.
            return {"stream": self.stream}
        return {"stream": True, "stream_options": {"include_usage": True}} if self.stream else {}


@dataclass
class Model:
    """A model and its address. All episodes with the model share this object, including everything it learns."""

    name: str
    url: str
    key: str = field(repr=False)
    options: Options = field(default_factory=Options)
    tell: Callable[[str], None] = print
    """Function that receives messages about a server's faults and about our reaction to each fault."""
    answered: dict[str, Any] = field(default_factory=dict)
    """The server's description of itself: the model's own name, and whether it dropped the tools."""
    looked: bool = False
    """Whether the server's support for tools was checked or seen."""
    exchange: Callable[..., Awaitable[str]] = connections.exchange
    """The function that sends a request."""

    def __post_init__(self) -> None:
        dropped = () if self.options.keep_reasoning else (*replies.REASONING, "encrypted_content")
        self.habits = Habits(set(dropped))

    async def ask(
        self, conversation: Conversation, tools: list[dict[str, Any]], label: str, sample: int = 0
    ) -> Reply:
        """Add the model's next message. Raises ContextFull if the context is full, ServerFailed if the server fails."""
        read = replies.of_response if self.options.api == "responses" else replies.of_chat

        def body() -> dict[str, Any]:
            return self.request(conversation, tools, sample)

        return await self.talk(conversation, body, read, label)

    async def talk(
        self, conversation: Conversation, body: Callable[[], dict[str, Any]], read: Read, label: str
    ) -> Reply:
        """Send a request body, with retries. Parse the answer, and add it to the conversation.

        If the server still refuses requests when the episode's time ends, the server is at fault.
        """
        started, retries = time.monotonic(), list[dict[str, Any]]()
        wait, refusal = 0.0, Exception()
        while True:
            try:
                if wait:
                    await asyncio.sleep(wait)
                request = self._taken(body())
                data = await self.post(request, label, len(retries))
                used = set(conversation.used)
                reply = read(data, used, len(conversation.turns))
                if request.get("tools") and reply.lost:
                    raise NoReply(f"finish_reason is {reply.finish_reason}, and there is no call")
                break
            except asyncio.CancelledError:
                if retries and time_is_over():
                    late = f"{refusal}; it did not answer in time ({self.url})"
                    raise ServerFailed(late) from refusal
                raise
            except NoReply as odd:
                refusal, status, said = odd, odd.status or 502, odd.error
            except Refused as error:
                refusal, status, said = error, error.status, error.text
                if bad_call(said):  # the model's mistake, without a message
                    used, reply = conversation.used, Reply(finish_reason="bad_call")
                    break
                self.learn(status, said, request)
                if self._taken(body()) != request:  # by this episode, or by another one meanwhile
                    words = ", ".join(sorted(self.habits.keywords)) if "tools" in request else ""
                    what = f"; tool schemas are now sent without {words}" if words else ""
                    self.tell(
                        f"{self.name}: repeated the request without the parts that the server refused{what}"
                    )
                    wait = 0.0
                    continue
            except Unreached as error:
                refusal, status, said = error, 503, ""
            wait = self._wait(refusal, status, said, len(retries) + 1)
            retries.append({"status": status, "waited": wait})
            self.tell(f"{self.name}: {str(refusal)[:200]}; the request is repeated in {wait:g} s")
        conversation.used = used
        self.answered |= {"model": reply.model} if reply.model else {}
        took = round(time.monotonic() - started, 3)
        conversation.add(reply, seconds=took, **({"retries": retries} if retries else {}))
        return reply

    def request(
        self, conversation: Conversation, tools: list[dict[str, Any]], sample: int = 0
    ) -> dict[str, Any]:
        """Return the body of the next request."""
        settings = self.options.settings(sample, self.habits)
        if self.options.api == "responses":
            body = {"model": self.name, "input": conversation.items(self.habits), **settings}
            offered = [{"type": "function", "strict": False, **tool} for tool in tools]
        else:
            body = {"model": self.name, "messages": conversation.messages(self.habits), **settings}
            offered = [{"type": "function", "function": tool} for tool in tools]
        return self._taken({**body, "tools": offered} if offered else body)

    def _taken(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return the request without the schema keywords that the server has refused in tools."""
        if not (self.habits.keywords and body.get("tools")):
            return body
        self.answered["refused_keywords"] = sorted(self.habits.keywords)
        return {**body, "tools": refused_keywords.without(body["tools"], self.habits.keywords)}

    def learn(self, status: int, refusal: str, request: Mapping[str, Any]) -> None:
        """Learn from a refusal which format the server requires of all requests."""
        if status in (400, 404, 422) and not context_full(status, refusal):
            tools = request.get("tools") or ()
            self.habits = self.habits.learnt(refusal, _fields(request), tools)

    async def post(self, body: dict[str, Any], label: str, attempt: int = 0) -> Any:
        """Send one request, and return the answer. A streamed answer is assembled first."""
        path = "/responses" if self.options.api == "responses" else "/chat/completions"
        # The second header lets Verifiers' own server recognize a repetition, and sample nothing twice.
        headers = {EPISODE: quote(label), "x-stainless-retry-count": str(attempt)}
        return streams.whole(await self.send(path, body, headers))

    async def send(self, path: str, body: dict[str, Any], headers: Mapping[str, str]) -> str:
        """Send a request unchanged, and return the answer as text."""
        url = f"{self.url.rstrip('/')}{path}"
        return await self.exchange("POST", url, self.key, headers=headers, body=body)

    def _wait(self, error: Exception, status: int, said: str, attempts: int) -> float:
        """Return the seconds until the next attempt. Raise the error if a retry is useless."""
        if context_full(status, said):
            raise ContextFull(f"{self.url}: {said[:500]}") from error
        if status not in PASSING or attempts >= ATTEMPTS:
            tries = f" after {attempts} attempts" if attempts > 1 else ""
            more = "" if said[:40] in str(error) else f": {said[:300]}"
            raise ServerFailed(f"{error}{more}{tries} ({self.url})") from error
        return min(_wanted_wait(error) or 0.5 * 2 ** (attempts - 1), LONGEST_WAIT)


def bad_call(said: str) -> bool:
    """Return whether a refusal states that the server could not parse the model's call."""
    return bool(_BAD_CALL.search(said))


def context_full(status: int, said: str) -> bool:
    """Return whether a refusal states that the conversation exceeds the model's context."""
    if status == 413:  # the limit of the body, or of a quota, which is not the model's context
        return not re.search(r"per (minute|day)|rate.?limit", said, re.IGNORECASE)
    return status in (400, 422, 500, 502) and bool(_CONTEXT.search(said))


def _fields(body: Mapping[str, Any]) -> set[str]:
    """Return the names of the fields in a request's messages or items."""
    found: set[str] = set()
    for entry in body.get("messages") or body.get("input") or []:
        found |= set(entry)
        for call in entry.get("tool_calls") or []:
            found |= set(call)
        if entry.get("type") == "reasoning":
            found.add("reasoning")
    return found


def _wanted_wait(error: Exception) -> float | None:
    """Return how many seconds the server asks the client to wait, or None if the headers name no wait."""
    headers = error.headers if isinstance(error, Refused) else {}
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        if not (value := headers.get("retry-after")):
            return None
        if re.fullmatch(r"[\d.]+", value):
            return float(value)
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
