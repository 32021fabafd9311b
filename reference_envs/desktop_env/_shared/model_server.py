"""A model behind a server that speaks OpenAI's APIs. `skill-tools render` overwrites this file.

It asks and gives back what was said, whatever the server's ways: what a request may not hold is
learnt from its refusal, a passing fault is waited out, and a full context is told from a fault.
"""

import asyncio
import email.utils
import functools
import ipaddress
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlsplit

from openai import (
    APIConnectionError,
    APIStatusError,
    AsyncOpenAI,
    DefaultAsyncHttpxClient,
    Timeout,
)

from . import replies, streams
from .conversation import Conversation, Habits
from .replies import NoReply, Reply

EPISODE = "X-Episode"
"""Header with the label of the episode, for logs and for scripted models. Servers ignore it."""
PASSING = frozenset({409, 425, 429, 500, 502, 503, 529})
"""Status of a refusal that may pass. Not 408 and 504: what took too long would do so again."""
ATTEMPTS, LONGEST_WAIT = 4, 60.0
"""How often a request is sent, and seconds between two attempts at the most."""
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
    headers: Mapping[str, str] = field(default_factory=dict)
    tell: Callable[[str], None] = print
    """Called with what is done about a server's faults."""
    answered: dict[str, Any] = field(default_factory=dict)
    """What the server said of itself: the model's own name, and whether it dropped the tools."""
    looked: bool = False
    """Whether that it knows of the tools was asked, or seen."""

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
        """Ask for what a body asks, in as many attempts as it takes; read it, and add it."""
        started, retries = time.monotonic(), []
        while True:
            request = body()
            try:
                data = await self.post(request, label, len(retries))
                used = set(conversation.used)
                reply = read(data, used, len(conversation.turns))
                if request.get("tools") and reply.lost:
                    raise NoReply(f"finish_reason is {reply.finish_reason}, and there is no call")
                break
            except NoReply as odd:
                await self._again(odd, odd.status or 502, odd.error, retries)
            except APIStatusError as error:
                if bad_call(error.response.text):  # the model's mistake, and it has no message
                    used, reply = conversation.used, Reply(finish_reason="bad_call")
                    break
                said, status = error.response.text, error.status_code
                self.learn(status, said, request)
                if body() != request:  # by this refusal, or by that of another episode meanwhile
                    self.tell(f"{self.name}: asked once more without what the server refused")
                else:
                    await self._again(error, status, said, retries)
            except APIConnectionError as error:
                await self._again(error, 503, str(error.__cause__ or error), retries)
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
        return {**body, "tools": offered} if offered else body

    def learn(self, status: int, refusal: str, request: Mapping[str, Any]) -> None:
        """Keep in mind what the refusal of a request says about the shape of all of them."""
        if status in (400, 404, 422) and not context_full(status, refusal):
            self.habits = self.habits.learnt(refusal, _fields(request))

    async def post(self, body: dict[str, Any], label: str, attempt: int = 0) -> Any:
        """Send one request; returns what was answered, put together if it came as a stream."""
        path = "/responses" if self.options.api == "responses" else "/chat/completions"
        # By the second header Verifiers' own server knows a repetition, and samples nothing twice.
        headers = {EPISODE: quote(label), "x-stainless-retry-count": str(attempt), **self.headers}
        return streams.whole(await self.send(path, body, headers))

    async def send(self, path: str, body: dict[str, Any], headers: Mapping[str, str]) -> str:
        """Send a request as it is; returns what was answered, as text."""
        # Not by the client's types, which hold servers to shapes that many of them do not keep.
        return await connect(self.url, self.key).post(
            path, cast_to=str, body=body, options={"headers": dict(headers)}
        )

    async def _again(
        self, error: Exception, status: int, said: str, retries: list[dict[str, Any]]
    ) -> None:
        """Wait before another attempt, or raise what this is if there is no use in one."""
        if context_full(status, said):
            raise ContextFull(f"{self.url}: {said[:500]}") from error
        if status not in PASSING or len(retries) + 1 >= ATTEMPTS:
            tries = f" after {len(retries) + 1} attempts" if retries else ""
            # A client shows what a server says only where it stands under the usual name.
            more = "" if said and said[:40] in str(error) else f": {said[:300]}"
            raise ServerFailed(f"{error}{more}{tries} ({self.url})") from error
        wait = min(_wanted_wait(error) or 0.5 * 2 ** len(retries), LONGEST_WAIT)
        retries.append({"status": status, "waited": wait})
        self.tell(f"{self.name}: {str(error)[:200]}; asked again in {wait:g} s")
        await asyncio.sleep(wait)


def bad_call(said: str) -> bool:
    """Whether a refusal says that the model wrote a call that its server could not read."""
    return bool(_BAD_CALL.search(said))


def context_full(status: int, said: str) -> bool:
    """Whether a refusal says that the conversation is longer than the model's context."""
    if status == 413:  # of the body, or of a quota, which is another limit than the model's
        return not re.search(r"per (minute|day)|rate.?limit", said, re.IGNORECASE)
    return status in (400, 422, 500, 502) and bool(_CONTEXT.search(said))


def connect(url: str, key: str) -> AsyncOpenAI:
    """One client for all episodes: each new one reads the certificate store again.

    No limit of its own and no attempts of its own: how long an episode takes is for the rollout to
    say. Raises ServerFailed where a proxy of the environment cannot be used.
    """
    return _client(url, key, asyncio.get_running_loop())


@functools.cache
def _client(url: str, key: str, _: asyncio.AbstractEventLoop) -> AsyncOpenAI:
    timeout = Timeout(None, connect=30.0)
    try:
        http = DefaultAsyncHttpxClient(trust_env=not on_loopback(url), timeout=timeout)
    except ImportError as error:
        raise ServerFailed(f"{error}; or unset ALL_PROXY (it is for {url})") from error
    return AsyncOpenAI(base_url=url, api_key=key, http_client=http, timeout=timeout, max_retries=0)


def on_loopback(url: str) -> bool:
    """Whether an address is of this machine, where no proxy is between."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


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
    headers = error.response.headers if isinstance(error, APIStatusError) else {}
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        if not (told := headers.get("retry-after")):
            return None
        if re.fullmatch(r"[\d.]+", told):
            return float(told)
        return max(0.0, email.utils.parsedate_to_datetime(told).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
