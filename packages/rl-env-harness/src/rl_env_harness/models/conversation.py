"""A conversation with a model, as it is recorded and as it is sent to a server."""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from ..blocks import image_url
from . import refused_keywords, sampled
from .replies import NOTHING, REASONING, SIGNED, Call, Reply
from .responses import as_items, called, input_image

Blocks = list[dict[str, Any]]
"""An observation: text and image blocks, in the form of `episode.Step`."""
FOLLOWS = "(an image follows)"


@dataclass(frozen=True)
class Results:
    """The results of the calls in one message, in order."""

    of: tuple[tuple[Call, Blocks], ...]
    steps: tuple[int, ...] = ()
    """The steps to which these blocks belong, if this is not one step for each call."""


@dataclass(frozen=True)
class Habits:
    """A server's peculiarities, learned from its refusals and kept for all later requests."""

    without: set[str] = field(default_factory=set)
    """Fields of a reply that the server does not accept when they are sent back."""
    pictures_in_tools: bool = False
    """Whether tool messages contain pictures, instead of a user message after the tool messages."""
    renamed: dict[str, str] = field(default_factory=dict)
    """Settings for which the server uses another name."""
    no_empty_text: bool = False
    """Whether the server refuses empty text, but accepts null alongside calls."""
    thought_everywhere: bool = False
    """Whether the server requires reasoning in every message of the model, even if empty."""
    keywords: set[str] = field(default_factory=set)
    """Keywords of tool schemas that the server refuses."""

    def learnt(
        self, refusal: str, sent: Collection[str], tools: Iterable[dict[str, Any]] = ()
    ) -> "Habits":
        """Return these habits, with the changes that a refusal suggests.

        Args:
            sent: Names of the fields in the request's messages.
            tools: The request's tools.
        """
        said = refusal.lower()
        gone = {n for n in (*REASONING, *SIGNED) if n in sent and _names(said, n)}
        gone |= {"reasoning"} if "not persisted" in said and "reasoning" in sent else set()
        wanted = "reasoning_content" in said and bool(_WANTED.search(said))
        both = "max_tokens" in said and "max_completion_tokens" in said
        return Habits(
            self.without | (set() if wanted else gone),
            self.pictures_in_tools or "role 'user' after role 'tool'" in said,
            self.renamed | ({"max_tokens": "max_completion_tokens"} if both else {}),
            self.no_empty_text or ("non-empty" in said and "content" in said),
            self.thought_everywhere or wanted,
            self.keywords | refused_keywords.refused(refusal, tools),
        )


_WANTED = re.compile(r"missing|required|must be (passed|sent|provided|included)")
"""Matches a refusal about a missing field."""


def _names(text: str, field: str) -> bool:
    """Return whether a refusal mentions a field by name, and not as a part of a longer name."""
    at = text.find(field)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(field) : at + len(field) + 1]
        if not (before.isalnum() or before == "_" or after.isalnum() or after == "_"):
            return True
        at = text.find(field, at + 1)
    return False


_CALLS = ("tool_calls", "tool_call_id")
"""Fields of earlier calls and their results."""


class Conversation:
    """The opening messages, followed by replies, results of calls, and user messages."""

    def __init__(self, opening: Iterable[dict[str, Any]]) -> None:
        self.opening = [
            {
                "role": m["role"],
                "content": m["content"] or "",
                **{k: m[k] for k in _CALLS if k in m},
            }
            for m in opening
        ]
        self.entries: list[Reply | Results | dict[str, Any]] = list(self.opening)
        self.pictures: dict[int, tuple[str, ...]] = {}
        """References to recorded pictures, by the position of a user message."""
        self.used: set[str] = set()
        """Ids of the calls so far."""
        self.read: list[int] = []
        """Tokens of the model's last prompt and message, if the server reported them."""
        self.turns: list[dict[str, Any]] = []
        """For each reply, the data recorded in addition to its message."""

    def add(self, reply: Reply, **more: Any) -> None:
        """Add a reply of the model. `more` is recorded with the turn."""
        self.entries.append(reply)
        tokens = sampled.kept(reply.tokens, self.read)
        self.read = [*reply.tokens.get("prompt_ids", ()), *reply.tokens.get("ids", ())]
        self.turns.append({**reply.about, **({"tokens": tokens} if tokens else {}), **more})

    def answer(self, seen: Iterable[tuple[Call, Blocks]]) -> None:
        """Add the results of the calls in the last message."""
        self.entries.append(Results(tuple(seen)))

    def note(self, seen: Iterable[tuple[Call, Blocks, int]]) -> None:
        """Add results of calls, each with its step number, because one call may be several steps."""
        found = list(seen)
        self.entries.append(
            Results(tuple((c, blocks) for c, blocks, _ in found), tuple(s for *_, s in found))
        )

    def adopt(self, reply: Reply, of: "Conversation") -> None:
        """Add a reply that the model gave in another conversation with the same content."""
        self.entries.append(reply)
        self.turns.append(of.turns[-1])

    def say(self, content: Any, pictures: Iterable[str] = ()) -> None:
        """Add a user message. `pictures` are the paths in the trajectory at which the message's pictures are stored."""
        self.pictures[len(self.entries)] = tuple(pictures)
        self.entries.append({"role": "user", "content": content})

    def reply(self, blocks: Blocks, step: int) -> None:
        """Add the observation of a step as a user message, in answer to a message of the model."""
        text, shown = _split(blocks, image_url)
        places = [
            f"#/steps/{step}/observation/{n}" for n, b in enumerate(blocks) if b["type"] == "image"
        ]
        self.say([{"type": "text", "text": text}, *shown] if shown else text, places)

    def record(self) -> list[dict[str, Any]]:
        """Return the original conversation as chat messages.

        A picture of a step is a reference into the trajectory, such as `#/steps/3/observation/0`, because the
        trajectory already contains the picture.
        """
        messages: list[dict[str, Any]] = []
        step = 0
        for at, entry in enumerate(self.entries):
            if isinstance(entry, Reply):
                messages.append(entry.message())
            elif isinstance(entry, Results):
                for number, (call, blocks) in enumerate(entry.of):
                    step = entry.steps[number] if entry.steps else step
                    place = f"#/steps/{step}/observation"
                    told = {"tool_call_id": call.id, "content": _referred(blocks, place)}
                    messages.append({"role": "tool", **told})
                    step += 1
            else:
                content = _without_data(entry["content"], self.pictures.get(at))
                messages.append({**entry, "content": content})
        return messages

    def messages(self, habits: Habits) -> list[dict[str, Any]]:
        """Return the conversation in the format that a Chat Completions server accepts."""
        sent: list[dict[str, Any]] = []
        for entry, after in zip(self.entries, [*self.entries[1:], None], strict=True):
            if isinstance(entry, Reply):
                answered = after is None or isinstance(after, Results)
                sent.append(_sent(entry, habits, answered))
            elif isinstance(entry, Results):
                sent += tool_messages(entry.of, in_tools=habits.pictures_in_tools)
            elif habits.no_empty_text and entry.get("tool_calls") and not entry["content"]:
                sent.append({**entry, "content": None})
            else:
                sent.append(entry)
        return sent

    def items(self, habits: Habits) -> list[dict[str, Any]]:
        """Return the conversation in the format that a Responses server accepts."""
        sent: list[dict[str, Any]] = []
        for entry, after in zip(self.entries, [*self.entries[1:], None], strict=True):
            if isinstance(entry, Reply):
                if not habits.without & {"reasoning", "encrypted_content"}:
                    sent += entry.items
                answered = after is None or isinstance(after, Results)
                calls = entry.calls if answered else ()  # otherwise actions were read from the text
                if entry.text or not calls:
                    text = entry.text or NOTHING
                    sent.append({"type": "message", "role": "assistant", "content": text})
                sent += [called(call.id, call.written(sent=True)["function"]) for call in calls]
            elif isinstance(entry, Results):
                images: list[dict[str, Any]] = []
                for call, blocks in entry.of:
                    text, shown = _split(blocks, input_image)
                    output = {"type": "function_call_output", "call_id": call.id, "output": text}
                    sent.append(output)
                    images += shown
                if images:
                    sent.append({"type": "message", "role": "user", "content": images})
            else:
                sent += as_items(entry)
        return sent


def _sent(reply: Reply, habits: Habits, answered: bool) -> dict[str, Any]:
    """Return a model's message in the format that a server accepts, with its calls only if they were answered."""
    message = reply.message(sent=True, without=habits.without)
    if not answered:  # actions were read from the text
        message.pop("tool_calls", None)
        message["content"] = message["content"] or NOTHING
    if habits.no_empty_text and not message["content"]:  # next to calls
        message["content"] = None
    if habits.thought_everywhere and "reasoning_content" not in habits.without:
        message.setdefault("reasoning_content", "")
    return message


def tool_messages(
    seen: Iterable[tuple[Call, Blocks]], *, in_tools: bool = False
) -> list[dict[str, Any]]:
    """Return a turn's results as tool messages, followed by user messages for the images.

    Most chat endpoints accept images only from users, and require all tool messages of a turn together.
    """
    answers, images = [], []
    for call, blocks in seen:
        text, shown = _split(blocks, image_url)
        content: Any = text
        if shown and in_tools:
            content = [{"type": "text", "text": text}, *shown]
        elif shown:
            images.append({"role": "user", "content": shown})
        answers.append({"role": "tool", "tool_call_id": call.id, "content": content})
    return answers + images


def _split(
    blocks: Blocks, picture: Callable[[dict[str, Any]], dict[str, Any]]
) -> tuple[str, list[dict[str, Any]]]:
    """Return the text of an observation, and its pictures as converted by ``picture``."""
    text = "\n".join(block["text"] for block in blocks if block["type"] == "text")
    shown = [picture(block) for block in blocks if block["type"] == "image"]
    return text or (FOLLOWS if shown else ""), shown


def _referred(blocks: Blocks, place: str) -> Any:
    """Return an observation for the record: its text, or a list of parts that refer to the pictures in the steps."""
    if all(block["type"] == "text" for block in blocks):
        return "\n".join(block["text"] for block in blocks)
    return [
        block
        if block["type"] == "text"
        else {"type": "image_url", "image_url": {"url": f"{place}/{number}"}}
        for number, block in enumerate(blocks)
    ]


def _without_data(content: Any, pictures: Iterable[str] | None) -> Any:
    """Return the parts of a user message, with references in place of the pictures of steps."""
    if pictures is None or not isinstance(content, list):
        return content
    places = iter(pictures)
    return [
        {"type": "image_url", "image_url": {"url": next(places, "#")}}
        if part.get("type") == "image_url"
        else part
        for part in content
    ]
