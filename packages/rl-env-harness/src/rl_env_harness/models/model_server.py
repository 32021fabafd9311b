"""A model behind a server that speaks OpenAI's APIs.

It asks and gives back what was said, whatever the server's ways: what a request may not hold is
learnt from its refusal, a passing fault is waited out, and a full context is told from a fault.
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
"""Status of a refusal that may pass. Not 408 and 504: what took too long would do so again."""
ATTEMPTS = 4
"""How often a request is sent: what fails as often is no passing fault."""
LONGEST_WAIT = 60.0
"""Maximum seconds between two attempts: servers that count requests do so by the minute."""
Read = Callable[[Any, set[str], int], Reply]
"""Reads an answer: of the data, the ids of calls that were used, and the number of the turn."""
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
"""What servers say of a conversation that is too long; never of `max_tokens` alone."""


_BAD_CALL = re.compile(
    r"tool_use_failed|failed to call a function|error parsing tool call", re.IGNORECASE
)
"""Of a server that refuses a call of its own model's, and with it the request."""


class ContextFull(RuntimeError):
    """The server refused a request because the conversation is longer than the model's context."""


class ServerFailed(RuntimeError):
    """The server gave no answer, refused the request for another reason, or answered none."""


@dataclass(frozen=True)
class Options:
    """How a model is asked.

    api: `chat` or `responses`. sampling: `temperature`, `top_p`, `max_tokens`, `seed`, `stop`, only
    those that were chosen. extra: fields of the request's body, which win. keep_reasoning: whether
    what the model thought goes back to it.
    """

    api: str = "chat"
    stream: bool = False
    keep_reasoning: bool = True
    sampling: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)

    def settings(self, sample: int, habits: Habits) -> dict[str, Any]:
        """The fields of a request that set how it is answered; each sample has a seed of its own."""
        chosen = dict(self.sampling)
        if "seed" in chosen:
            chosen["seed"] += sample
        names = habits.renamed if self.api == "chat" else {"max_tokens": "max_output_tokens"}
        return self.streaming | {names.get(k, k): v for k, v in chosen.items()} | self.extra

    @property
    def streaming(self) -> dict[str, Any]:
        """The fields of a request that say whether the answer is streamed."""
        if self.api == "responses":
            # Said outright: there are servers that stream unless they are told not to.
            return {"stream": self.stream}
        return {"stream": True, "stream_options": {"include_usage": True}} if self.stream else {}


@dataclass
class Model:
    """A model by name, at an address; one for all its episodes, which share what is learnt."""

    name: str
    url: str
    key: str = field(repr=False)
    options: Options = field(default_factory=Options)
    tell: Callable[[str], None] = print
    """Called with what is done about a server's faults."""
    answered: dict[str, Any] = field(default_factory=dict)
    """What the server said of itself: the model's own name, and whether it dropped the tools."""
    looked: bool = False
    """Whether that it knows of the tools was asked, or seen."""
    exchange: Callable[..., Awaitable[str]] = connections.exchange
    """What sends a request."""

    def __post_init__(self) -> None:
        dropped = () if self.options.keep_reasoning else (*replies.REASONING, "encrypted_content")
        self.habits = Habits(set(dropped))

    async def ask(
        self, conversation: Conversation, tools: list[dict[str, Any]], label: str, sample: int = 0
    ) -> Reply:
        """Ask for the next message, and add it. Raises ContextFull or ServerFailed."""
        read = replies.of_response if self.options.api == "responses" else replies.of_chat

        def body() -> dict[str, Any]:
            return self.request(conversation, tools, sample)

        return await self.talk(conversation, body, read, label)

    async def talk(
        self, conversation: Conversation, body: Callable[[], dict[str, Any]], read: Read, label: str
    ) -> Reply:
        """Ask for what a body asks, in as many attempts as it takes; read it, and add it.

        If the episode's time ends while refusals have no answer yet, that is the server's fault.
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
                if bad_call(said):  # the model's mistake, and it has no message
                    used, reply = conversation.used, Reply(finish_reason="bad_call")
                    break
                self.learn(status, said, request)
                if self._taken(body()) != request:  # by this, or by another episode's meanwhile
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
        """The body of the next request."""
        settings = self.options.settings(sample, self.habits)
        if self.options.api == "responses":
            body = {"model": self.name, "input": conversation.items(self.habits), **settings}
            offered = [{"type": "function", "strict": False, **tool} for tool in tools]
        else:
            body = {"model": self.name, "messages": conversation.messages(self.habits), **settings}
            offered = [{"type": "function", "function": tool} for tool in tools]
        return self._taken({**body, "tools": offered} if offered else body)

    def _taken(self, body: dict[str, Any]) -> dict[str, Any]:
        """A request as the server takes it: its tools without the keywords that it refused."""
        if not (self.habits.keywords and body.get("tools")):
            return body
        self.answered["refused_keywords"] = sorted(self.habits.keywords)
        return {**body, "tools": refused_keywords.without(body["tools"], self.habits.keywords)}

    def learn(self, status: int, refusal: str, request: Mapping[str, Any]) -> None:
        """Keep in mind what the refusal of a request says about the shape of all of them."""
        if status in (400, 404, 422) and not context_full(status, refusal):
            tools = request.get("tools") or ()
            self.habits = self.habits.learnt(refusal, _fields(request), tools)

    async def post(self, body: dict[str, Any], label: str, attempt: int = 0) -> Any:
        """Send one request; returns what was answered, put together if it came as a stream."""
        path = "/responses" if self.options.api == "responses" else "/chat/completions"
        # By the second header Verifiers' own server knows a repetition, and samples nothing twice.
        headers = {EPISODE: quote(label), "x-stainless-retry-count": str(attempt)}
        return streams.whole(await self.send(path, body, headers))

    async def send(self, path: str, body: dict[str, Any], headers: Mapping[str, str]) -> str:
        """Send a request as it is; returns what was answered, as text."""
        url = f"{self.url.rstrip('/')}{path}"
        return await self.exchange("POST", url, self.key, headers=headers, body=body)

    def _wait(self, error: Exception, status: int, said: str, attempts: int) -> float:
        """Seconds to the next attempt; raises what this is if there is no use in one."""
        if context_full(status, said):
            raise ContextFull(f"{self.url}: {said[:500]}") from error
        if status not in PASSING or attempts >= ATTEMPTS:
            tries = f" after {attempts} attempts" if attempts > 1 else ""
            more = "" if said[:40] in str(error) else f": {said[:300]}"
            raise ServerFailed(f"{error}{more}{tries} ({self.url})") from error
        return min(_wanted_wait(error) or 0.5 * 2 ** (attempts - 1), LONGEST_WAIT)


def bad_call(said: str) -> bool:
    """Whether a refusal says that the model wrote a call that its server could not read."""
    return bool(_BAD_CALL.search(said))


def context_full(status: int, said: str) -> bool:
    """Whether a refusal says that the conversation is longer than the model's context."""
    if status == 413:  # of the body, or of a quota, which is another limit than the model's
        return not re.search(r"per (minute|day)|rate.?limit", said, re.IGNORECASE)
    return status in (400, 422, 500, 502) and bool(_CONTEXT.search(said))


def _fields(body: Mapping[str, Any]) -> set[str]:
    """Names of the fields that a request's messages or items have."""
    found: set[str] = set()
    for entry in body.get("messages") or body.get("input") or []:
        found |= set(entry)
        for call in entry.get("tool_calls") or []:
            found |= set(call)
        if entry.get("type") == "reasoning":
            found.add("reasoning")
    return found


def _wanted_wait(error: Exception) -> float | None:
    """Seconds that the server wants to be left alone, in any of the ways to say so."""
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
