"""A conversation with a model: what was said, as it is kept and as it is sent to a server."""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from . import refused_keywords, sampled
from .replies import NOTHING, REASONING, SIGNED, Call, Reply

Blocks = list[dict[str, Any]]
"""An observation: text and image blocks, as `episode.Step` has them."""
FOLLOWS = "(an image follows)"


@dataclass(frozen=True)
class Results:
    """What the calls of one message brought, in their order."""

    of: tuple[tuple[Call, Blocks], ...]
    steps: tuple[int, ...] = ()
    """The steps that have these blocks, where there is not one for each call."""


@dataclass(frozen=True)
class Habits:
    """What a server turned out to take; learnt from its refusals, and kept for all that follows."""

    without: set[str] = field(default_factory=set)
    """Fields that it does not take back."""
    pictures_in_tools: bool = False
    """Whether pictures travel in tool messages, instead of in a user message after them."""
    renamed: dict[str, str] = field(default_factory=dict)
    """Names of settings that it has another name for."""
    no_empty_text: bool = False
    """Whether it refuses a text that is empty, and takes null beside calls."""
    thought_everywhere: bool = False
    """Whether it wants a thought in every message of the model, and be it an empty one."""
    keywords: set[str] = field(default_factory=set)
    """Keywords of tool schemas that it refuses."""

    def learnt(
        self, refusal: str, sent: Collection[str], tools: Iterable[dict[str, Any]] = ()
    ) -> "Habits":
        """These habits, and what a refusal names next to them, if it can be changed.

        sent: the names of the fields that the messages of the request had. tools: those that it had.
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
"""Of a refusal of what is not there."""


def _names(text: str, field: str) -> bool:
    """Whether a refusal is about a field: by its name, and not as a part of a longer one."""
    at = text.find(field)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(field) : at + len(field) + 1]
        if not (before.isalnum() or before == "_" or after.isalnum() or after == "_"):
            return True
        at = text.find(field, at + 1)
    return False


class Conversation:
    """The opening messages, and after them replies, results of calls, and what a user says."""

    def __init__(self, opening: Iterable[dict[str, Any]]) -> None:
        self.opening = [{"role": m["role"], "content": m["content"]} for m in opening]
        self.entries: list[Reply | Results | dict[str, Any]] = list(self.opening)
        self.pictures: dict[int, tuple[str, ...]] = {}
        """Of a user's message by its place, what the record refers to for its pictures."""
        self.used: set[str] = set()
        """Ids of calls so far."""
        self.read: list[int] = []
        """Tokens of the model's last prompt and message, where they were told."""
        self.turns: list[dict[str, Any]] = []
        """Of each reply what is kept besides its message."""

    def add(self, reply: Reply, **more: Any) -> None:
        """Add what the model said; `more` is kept of the turn."""
        self.entries.append(reply)
        tokens = sampled.kept(reply.tokens, self.read)
        self.read = [*reply.tokens.get("prompt_ids", ()), *reply.tokens.get("ids", ())]
        self.turns.append({**reply.about, **({"tokens": tokens} if tokens else {}), **more})

    def answer(self, seen: Iterable[tuple[Call, Blocks]]) -> None:
        """Add what the calls of the last message brought."""
        self.entries.append(Results(tuple(seen)))

    def note(self, seen: Iterable[tuple[Call, Blocks, int]]) -> None:
        """Add what calls brought, each with the step that has it: one call may be several steps."""
        found = list(seen)
        self.entries.append(
            Results(tuple((c, blocks) for c, blocks, _ in found), tuple(s for *_, s in found))
        )

    def adopt(self, reply: Reply, of: "Conversation") -> None:
        """Add what the model said in another conversation about the same."""
        self.entries.append(reply)
        self.turns.append(of.turns[-1])

    def say(self, content: Any, pictures: Iterable[str] = ()) -> None:
        """Add a message of the user; `pictures` says where in the trajectory each of its own is."""
        self.pictures[len(self.entries)] = tuple(pictures)
        self.entries.append({"role": "user", "content": content})

    def record(self) -> list[dict[str, Any]]:
        """The conversation as chat messages, as it was.

        A picture is a reference into the trajectory, `#/steps/3/observation/0`, which has it already.
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
                    messages.append(_tool_message(call, _referred(blocks, place)))
                    step += 1
            else:
                content = _without_data(entry["content"], self.pictures.get(at, ()))
                messages.append({**entry, "content": content})
        return messages

    def messages(self, habits: Habits) -> list[dict[str, Any]]:
        """The conversation as a Chat Completions server takes it."""
        sent: list[dict[str, Any]] = []
        for entry, after in zip(self.entries, [*self.entries[1:], None], strict=True):
            if isinstance(entry, Reply):
                answered = after is None or isinstance(after, Results)
                sent.append(_sent(entry, habits, answered))
            elif isinstance(entry, Results):
                sent += tool_messages(entry.of, in_tools=habits.pictures_in_tools)
            else:
                sent.append(entry)
        return sent

    def items(self, habits: Habits) -> list[dict[str, Any]]:
        """The conversation as a Responses server takes it."""
        sent: list[dict[str, Any]] = []
        for entry, after in zip(self.entries, [*self.entries[1:], None], strict=True):
            if isinstance(entry, Reply):
                if not habits.without & {"reasoning", "encrypted_content"}:
                    sent += entry.items
                answered = after is None or isinstance(after, Results)
                calls = entry.calls if answered else ()  # else actions were read from the text
                if entry.text or not calls:
                    text = entry.text or NOTHING
                    sent.append({"type": "message", "role": "assistant", "content": text})
                sent += [_call_item(call) for call in calls]
            elif isinstance(entry, Results):
                images: list[dict[str, Any]] = []
                for call, blocks in entry.of:
                    text, shown = _split(blocks, _input_image)
                    output = {"type": "function_call_output", "call_id": call.id, "output": text}
                    sent.append(output)
                    images += shown
                if images:
                    sent.append({"type": "message", "role": "user", "content": images})
            else:
                said = {"role": entry["role"], "content": _as_input(entry["content"])}
                sent.append({"type": "message", **said})
        return sent


def _sent(reply: Reply, habits: Habits, answered: bool) -> dict[str, Any]:
    """A message of the model as a server takes it back; calls go only where they are answered."""
    message = reply.message(sent=True, without=habits.without)
    if not answered:  # actions were read from the text
        message.pop("tool_calls", None)
        message["content"] = message["content"] or NOTHING
    if habits.no_empty_text and not message["content"]:  # beside calls
        message["content"] = None
    if habits.thought_everywhere and "reasoning_content" not in habits.without:
        message.setdefault("reasoning_content", "")
    return message


def tool_messages(
    seen: Iterable[tuple[Call, Blocks]], *, in_tools: bool = False
) -> list[dict[str, Any]]:
    """What a turn's calls brought to see: tool messages, then user messages for the images.

    Most chat endpoints take images from users only, and want all tool messages of a turn together.
    """
    answers, images = [], []
    for call, blocks in seen:
        text, shown = _split(blocks, _image_url)
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
    """The text of an observation, and its pictures in the form that an API has for them."""
    text = "\n".join(block["text"] for block in blocks if block["type"] == "text")
    shown = [picture(block) for block in blocks if block["type"] == "image"]
    return text or (FOLLOWS if shown else ""), shown


def _image_url(block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": _url(block)}}


def _input_image(block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "input_image", "detail": "auto", "image_url": _url(block)}


def _url(block: dict[str, Any]) -> str:
    return f"data:{block['media_type']};base64,{block['data']}"


def _call_item(call: Call) -> dict[str, Any]:
    function = call.written(sent=True)["function"]
    return {"type": "function_call", "call_id": call.id, **function}


def _tool_message(call: Call, content: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call.id, "content": content}


def _referred(blocks: Blocks, place: str) -> Any:
    """An observation for the record: its text, or parts that refer to the pictures in the steps."""
    if all(block["type"] == "text" for block in blocks):
        return "\n".join(block["text"] for block in blocks)
    return [
        block
        if block["type"] == "text"
        else {"type": "image_url", "image_url": {"url": f"{place}/{number}"}}
        for number, block in enumerate(blocks)
    ]


def _without_data(content: Any, pictures: Iterable[str]) -> Any:
    """The parts of a user's message, with references in the place of the pictures."""
    if not isinstance(content, list):
        return content
    places = iter(pictures)
    return [
        {"type": "image_url", "image_url": {"url": next(places, "#")}}
        if part.get("type") == "image_url"
        else part
        for part in content
    ]


def _as_input(content: Any) -> Any:
    """A user's message in chat form as the Responses API has it."""
    if not isinstance(content, list):
        return content
    return [
        {"type": "input_image", "detail": "auto", "image_url": part["image_url"]["url"]}
        if part.get("type") == "image_url"
        else {"type": "input_text", "text": part["text"]}
        for part in content
    ]
