"""Asks a model server what it can do, before its answers are believed.

`skill-tools render` overwrites this file.
"""

from dataclasses import dataclass, replace
from typing import Any

from openai import APIError, APIStatusError

from . import replies
from .conversation import Conversation
from .model_server import Model, ServerFailed, connect, context_full

WAIT = 30.0
"""Seconds for a question that no model has to think about."""
LABEL = "preflight"
"""In place of an episode's label, so that logs tell these requests apart."""
NO_TOOLS = (
    "{url} drops the tools: it counts {tokens} tokens with and without them. The chat template of "
    "{model} has none: give the server one that does (llama.cpp: --jinja --chat-template-file), or "
    "play it where actions are text (SkyRL Gym, GEM)"
)


@dataclass(frozen=True)
class Finding:
    """One thing asked of a server: whether it is as it should be, and what was seen."""

    what: str
    ok: bool
    seen: str


async def look(model: Model, line: dict[str, Any]) -> None:
    """After a first episode in which no tool was called, ask whether the server knows of any."""
    if model.looked or not line["tools"] or line["failure"]:
        return
    model.looked = True
    counted = next((t["usage"].get("input_tokens") for t in line["turns"] if t["usage"]), None)
    if line["steps"] or not counted:
        return
    if counted == await _tokens(model, line["prompt"], []):
        model.answered["tools_dropped"] = True
        told = NO_TOOLS.format(url=model.url, tokens=counted, model=model.name)
        model.tell(f"warning: {told}")


async def examine(
    model: Model, prompt: list[dict[str, Any]], tools: list[dict[str, Any]], turns: int
) -> list[Finding]:
    """Everything worth knowing before a rollout; a finding for each thing."""
    try:
        bare = await _tokens(model, prompt, [], strict=True)
    except (ServerFailed, replies.NoReply, APIError) as error:
        return [Finding("answers", False, f"{model.url}: {_short(error)}")]
    found = [Finding("answers", True, f"{model.url}, as {model.answered.get('model', model.name)}")]
    found += await _about_tools(model, prompt, tools, bare) if tools else ()
    other = "/responses" if model.options.api == "chat" else "/chat/completions"
    found += [finding async for finding in _routes(model, other)]
    return [*found, *await _context(model, bare, turns)]


async def _about_tools(
    model: Model, prompt: list[dict[str, Any]], tools: list[dict[str, Any]], bare: int | None
) -> list[Finding]:
    try:
        told = await _tokens(model, prompt, tools, strict=True)
    except (ServerFailed, replies.NoReply, APIError) as error:
        return [Finding("takes the tools", False, f"refuses their schemas: {_short(error)}")]
    if not told or not bare:
        return [Finding("takes the tools", True, "it counts no tokens, so this cannot be told")]
    if told == bare:
        text = NO_TOOLS.format(url=model.url, tokens=told, model=model.name)
        return [Finding("takes the tools", False, text)]
    return [Finding("takes the tools", True, f"{told - bare} tokens for {len(tools)} tools")]


async def _routes(model: Model, other: str) -> Any:
    """Which other routes the server has; that one is missing is nothing wrong."""
    for path, body in ((other, {}), ("/tokenize", {"content": "a", "prompt": "a"})):
        status = await _status(model, path, {"model": model.name, **body})
        there = status not in (404, 405, 501, None)
        yield Finding(f"route {path}", True, "there" if there else "not there")


async def _context(model: Model, prompt: int | None, turns: int) -> list[Finding]:
    """The context, where the server tells it, beside what the prompt takes of it."""
    size = await _context_size(model)
    if size is None:
        return [Finding("context", True, "the server does not say how long it is")]
    asked = model.options.sampling.get("max_tokens")
    seen = f"{size} tokens; the prompt takes {prompt or 'an unknown number'} of them"
    if prompt and asked and prompt + turns * asked > size:
        more = f", and {turns} turns of --max-tokens {asked} do not fit: episodes end context_full"
        return [Finding("context", False, seen + more)]
    return [Finding("context", not prompt or prompt < size, seen)]


async def _context_size(model: Model) -> int | None:
    """vLLM and SGLang tell it in /v1/models, llama.cpp there (meta) or at /props."""
    listed = await _get(model, f"{model.url.rstrip('/')}/models")
    for entry in (listed or {}).get("data") or []:
        if isinstance(entry, dict) and entry.get("id") in (model.name, None):
            meta = entry.get("meta") if isinstance(entry.get("meta"), dict) else {}
            for size in (
                entry.get("max_model_len"),
                entry.get("context_length"),
                meta.get("n_ctx"),
            ):
                if type(size) is int:
                    return size
    props = await _get(model, model.url.rstrip("/").removesuffix("/v1") + "/props")
    settings = (props or {}).get("default_generation_settings")
    size = settings.get("n_ctx") if isinstance(settings, dict) else None
    return size if type(size) is int else None


async def _tokens(
    model: Model, prompt: list[dict[str, Any]], tools: list[dict[str, Any]], strict: bool = False
) -> int | None:
    """How many tokens the server counts of an opening; None where it does not say or refuses."""
    short = replace(
        model.options, sampling={**model.options.sampling, "max_tokens": 1}, stream=False
    )
    asked = Model(model.name, model.url, model.key, short, model.headers)
    asked.habits = model.habits
    read = replies.of_response if short.api == "responses" else replies.of_chat
    try:
        body = asked.request(Conversation(prompt), tools)
        reply = read(await asked.post(body, LABEL), set(), 0)
    except APIStatusError as error:
        text = error.response.text
        if strict:
            full = "the opening does not fit into the context: "
            raise ServerFailed(
                f"{full if context_full(error.status_code, text) else ''}{text}"
            ) from error
        return None
    except (APIError, replies.NoReply, ServerFailed):
        if strict:
            raise
        return None
    model.answered |= {"model": reply.model} if reply.model else {}
    return reply.usage.get("input_tokens")


async def _status(model: Model, path: str, body: dict[str, Any]) -> int | None:
    try:
        client = connect(model.url, model.key)
        await client.post(path, cast_to=object, body=body, options={"timeout": WAIT})
    except APIStatusError as error:
        return error.status_code
    except APIError:
        return None
    return 200


async def _get(model: Model, url: str) -> dict[str, Any] | None:
    try:
        client = connect(model.url, model.key)
        found = await client.get(url, cast_to=object, options={"timeout": WAIT})
    except (APIError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _short(error: Exception) -> str:
    return str(error)[:300]
