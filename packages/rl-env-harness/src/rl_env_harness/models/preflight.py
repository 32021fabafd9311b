"""Checks of a model server's abilities, before its answers are trusted."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

from . import connections, replies
from .connections import Refused, Unreached
from .conversation import Conversation
from .model_server import Model, ServerFailed, context_full

WAIT = 30.0
"""Seconds for a request without inference."""
FIRST = 300.0
"""Seconds for a request to the model; some servers load the model only at the first request."""
SHORT = 16
"""Maximum tokens in a reply to these checks: the minimum that OpenAI's Responses API accepts."""
LABEL = "preflight"
"""Used instead of an episode's label, so that logs distinguish these requests."""
NO_TOOLS = (
    "{url} drops the tools: it counts {tokens} tokens with and without them. The chat template of "
    "{model} does not include tools: use one that does (llama.cpp: --jinja --chat-template-file), or "
    "play a variant with text actions (SkyRL Gym, GEM)"
)


@dataclass(frozen=True)
class Finding:
    """The result of one check of a server: whether the server passed, and a description."""

    what: str
    ok: bool
    seen: str


async def look(model: Model, line: dict[str, Any]) -> None:
    """If the first episode made no tool calls, check whether the tools reach the model, and warn if they do not."""
    if model.looked or not line["tools"] or line["failure"]:
        return
    model.looked = True
    counted = next((t["usage"].get("input_tokens") for t in line["turns"] if t["usage"]), None)
    if line["steps"] or not _counts(counted, line["prompt"]):
        return
    try:
        bare = await _tokens(model, line["prompt"], [])
    except (ServerFailed, replies.NoReply, Refused, Unreached):
        return
    if counted == bare:
        model.answered["tools_dropped"] = True
        message = NO_TOOLS.format(url=model.url, tokens=counted, model=model.name)
        model.tell(f"warning: {message}")


async def examine(
    model: Model, prompt: list[dict[str, Any]], tools: list[dict[str, Any]], turns: int
) -> list[Finding]:
    """Check a server before a rollout, and return a finding for each check."""
    try:
        bare = await _tokens(model, prompt, [])
    except (ServerFailed, replies.NoReply, Refused, Unreached) as error:
        return [Finding("answers", False, f"{model.url}: {_short(error)}")]
    found = [Finding("answers", True, f"{model.url}, as {model.answered.get('model', model.name)}")]
    with_tools = bare
    if tools:
        taken, with_tools = await _about_tools(model, prompt, tools, bare)
        found.append(taken)
    found += [finding async for finding in _routes(model)]
    return [
        *found,
        *await _context(model, with_tools if _counts(with_tools, prompt) else None, turns),
    ]


async def _about_tools(
    model: Model, prompt: list[dict[str, Any]], tools: list[dict[str, Any]], bare: int | None
) -> tuple[Finding, int | None]:
    """Check whether the tools reach the model, and return the token count of the opening with tools."""
    what = "takes the tools"
    try:
        counted = await _tokens(model, prompt, tools)
    except (ServerFailed, replies.NoReply, Refused, Unreached) as error:
        return Finding(what, False, f"refuses a request with tools: {_short(error)}"), bare
    if counted is None or bare is None or not (_counts(counted, prompt) and _counts(bare, prompt)):
        return Finding(
            what, True, "it does not report tokens: whether the tools arrive is unknown"
        ), counted
    if counted == bare:
        return Finding(
            what, False, NO_TOOLS.format(url=model.url, tokens=counted, model=model.name)
        ), counted
    return Finding(what, True, f"they are {counted - bare} tokens"), counted


def _counts(tokens: int | None, prompt: list[dict[str, Any]]) -> bool:
    """Return whether a number is plausible as a prompt's token count. Some servers always answer 0 or 1."""
    words = sum(len(str(message["content"]).split()) for message in prompt)
    return bool(tokens and tokens > words / 4)


async def _routes(model: Model) -> AsyncIterator[Finding]:
    """Check which other routes the server has. A missing route is not an error."""
    other = "/responses" if model.options.api == "chat" else "/chat/completions"
    places: dict[str, tuple[str, dict[str, Any]]] = {
        f"/v1{other}": (f"{model.url.rstrip('/')}{other}", {})
    }
    # vLLM, SGLang and llama.cpp have it next to /v1.
    places["/tokenize"] = (f"{_root(model)}/tokenize", {"content": "a", "prompt": "a"})
    for path, (url, body) in places.items():
        status = await _status(model, url, {"model": model.name, **body})
        there = status not in (404, 405, 501, None)
        yield Finding(f"route {path}", True, "there" if there else "not there")


async def _context(model: Model, prompt: int | None, turns: int) -> list[Finding]:
    """Compare the context size, if the server reports it, with the tokens of the prompt and the tools."""
    size = await _context_size(model)
    if size is None:
        return [Finding("context", True, "the server does not report its length")]
    asked = model.options.sampling.get("max_tokens")
    seen = f"{size} tokens; prompt and tools take {prompt or 'an unknown number'} of them"
    if prompt and asked and prompt + turns * asked > size:
        more = f", and {turns} turns of --max-tokens {asked} do not fit: episodes end context_full"
        return [Finding("context", False, seen + more)]
    if prompt and prompt < size:
        seen += f", which leaves {(size - prompt) // turns} for each of {turns} turns"
    return [Finding("context", not prompt or prompt < size, seen)]


async def _context_size(model: Model) -> int | None:
    """Return the context size from /v1/models (vLLM, SGLang), from `meta` in its entries, or from /props
    (llama.cpp)."""
    listed = (await _get(model, f"{model.url.rstrip('/')}/models") or {}).get("data")
    entries = (
        [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    )
    for entry in entries:
        if entry.get("id") != model.name and len(entries) > 1:
            continue
        meta = entry.get("meta")
        meta = meta if isinstance(meta, dict) else {}
        for size in (entry.get("max_model_len"), entry.get("context_length"), meta.get("n_ctx")):
            if type(size) is int:
                return size
    settings = (await _get(model, f"{_root(model)}/props") or {}).get("default_generation_settings")
    size = settings.get("n_ctx") if isinstance(settings, dict) else None
    return size if type(size) is int else None


def _root(model: Model) -> str:
    return model.url.rstrip("/").removesuffix("/v1")


async def _tokens(
    model: Model, prompt: list[dict[str, Any]], tools: list[dict[str, Any]]
) -> int | None:
    """Return the server's token count of an opening, None if unreported. Raises ServerFailed if there is no reply."""
    options = model.options
    short = replace(options, sampling={**options.sampling, "max_tokens": SHORT}, stream=False)
    asked = Model(model.name, model.url, model.key, short)
    asked.habits = model.habits
    read = replies.of_response if short.api == "responses" else replies.of_chat
    try:
        async with asyncio.timeout(FIRST):
            reply = read(await _posted(asked, prompt, tools), set(), 0)
    except TimeoutError as error:
        raise ServerFailed(f"no answer within {FIRST:g} s") from error
    except Refused as error:
        full = context_full(error.status, error.text)
        why = "the opening does not fit into the context: " if full else ""
        raise ServerFailed(f"{why}{error.status} {error.text}") from error
    model.answered |= {"model": reply.model} if reply.model else {}
    return reply.usage.get("input_tokens")


async def _posted(asked: Model, prompt: list[dict[str, Any]], tools: list[dict[str, Any]]) -> Any:
    """Return the answer to an opening. After a refusal, repeat the request in the format that the refusal suggests."""
    while True:
        body = asked.request(Conversation(prompt), tools)
        try:
            return await asked.post(body, LABEL)
        except Refused as error:
            asked.learn(error.status, error.text, body)
            if asked.request(Conversation(prompt), tools) == body:
                raise


async def _status(model: Model, url: str, body: dict[str, Any]) -> int | None:
    try:
        await connections.exchange("POST", url, model.key, body=body, seconds=WAIT)
    except Refused as error:
        return error.status
    except Unreached:
        return None
    return 200


async def _get(model: Model, url: str) -> dict[str, Any] | None:
    try:
        found = json.loads(await connections.exchange("GET", url, model.key, seconds=WAIT))
    except (Refused, Unreached, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _short(error: Exception) -> str:
    """Return an error's message on one line."""
    return " ".join(str(error).split())[:300]
