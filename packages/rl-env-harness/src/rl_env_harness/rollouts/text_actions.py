"""Read tool calls from a model's text, and play them.

The module searches a message for tags once, from left to right. It never executes the message: the content of
the tags goes to `Episode` as data.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import unescape

from jsonschema import Draft202012Validator

from ..arguments import UNPARSED, clean, read_arguments, read_json, why_no_object
from ..blocks import NO_IMAGE, content_of
from ..env_spec import ENCLOSED, FORMS, INSTRUCTIONS, MESSAGE, PARTS, TAGS, TOOLS, WITH_CALLS
from ..episode import Episode, EpisodeFailed
from ..models.conversation import FOLLOWS
from ..tool_rules import MESSAGE as SAY
from . import openings

_TOOLS = {tag: tool for tool, tag in TAGS.items()}
_FIELDS = {tool["name"]: tool["parameters"]["properties"] for tool in TOOLS}
_TYPES = {
    "integer": (int, float),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
_ANY_CASE = re.IGNORECASE | re.ASCII
_NAME = "|".join(map(re.escape, [*FORMS, "think", "thinking"]))
_TAG = re.compile(rf"<(/?)({_NAME})(?=[\s/>])", _ANY_CASE)
_ATTRIBUTE = re.compile(r"""\s+([^\W\d]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>/=]+))""")
_REST = re.compile(rf"(?P<attributes>(?:{_ATTRIBUTE.pattern})*+)(?:\s*(?P<end>/?>))?")
_END = {
    tag: re.compile("</{0}\\s*>|<{0}[\\s/>]".format(re.escape(tag)), _ANY_CASE) for tag in FORMS
}
_QUOTES = {"&quot;": '"', "&apos;": "'"}
_THOUGHT_END = re.compile(r"</think(ing)?\s*>", _ANY_CASE)
_NO_TOOL = "Your message calls no tool, so nothing was played. Write one of:"
_SHOWN = 500


@dataclass(frozen=True)
class Call:
    """A tool call in a message; `Episode` decides whether it is valid."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Stop:
    """A request by the model to end the episode."""


@dataclass(frozen=True)
class Unreadable:
    """An invalid call, and the explanation for the model."""

    said: str
    why: str


Action = Call | Stop | Unreadable


@dataclass(frozen=True)
class Answer:
    """The result of a message: the steps that it played, in order, and the text of the observation.

    `reward` is the reward of the whole message, and `final_reward` is the part of this reward for stopping.
    """

    text: str
    steps: list[dict[str, Any]]
    reward: float
    final_reward: float

    @property
    def content(self) -> str | list[dict[str, Any]]:
        """The observation as content of a user message: its text, followed by the pictures of the steps."""
        blocks = [block for step in self.steps for block in step["observation"]]
        pictures = [block for block in blocks if block["type"] == "image"]
        text = self.text.replace(NO_IMAGE, FOLLOWS) if pictures else self.text
        return content_of([{"type": "text", "text": text}, *pictures])


def opening(
    messages: list[dict[str, Any]], tools: Sequence[dict[str, Any]] = ()
) -> list[dict[str, Any]]:
    """Return an episode's opening messages for a model whose actions are text.

    Args:
        tools: The episode's tools, which the instructions list if tasks offer different tools.
    """
    return openings.in_text(messages, INSTRUCTIONS, TAGS, ENCLOSED, tools)


def play(episode: Episode, message: str) -> Answer:
    """Play a message. Raise EpisodeFailed if the domain fails, never because of the message."""
    steps: list[dict[str, Any]] = []
    texts: list[str] = []
    final_reward = 0.0
    try:
        for action in read(message):
            if isinstance(action, Stop):
                final_reward = episode.end()
                texts.append("\n".join(filter(None, ["The episode is over.", episode.status])))
                break
            if isinstance(action, Call):
                step = episode.call(action.tool, action.arguments)
            else:
                step = episode.refuse(action.said, action.why)
            steps.append(episode.steps[-1])
            texts.append(step.text)
    except EpisodeFailed as error:
        error.steps = steps
        raise
    reward = sum(step["reward"] for step in steps) + final_reward
    return Answer(openings.numbered(texts), steps, reward, final_reward)


def read(message: str) -> list[Action]:
    """Return all actions of a message, in order. The list has at least one action.

    Reasoning is skipped: everything between <think> and </think>, everything after a <think> that is never
    closed, and everything before a </think> without an opening tag, because some chat templates put the opening
    tag into the prompt. Text after an unclosed tag is also skipped, because it may belong to the tag. If the
    environment accepts plain messages as actions, a message without a tag is one action.
    """
    message = clean(message)
    why = "\n".join([_NO_TOOL, *FORMS.values()])
    found: list[Action] = []
    spans: list[tuple[int, int]] = []
    at = 0
    while tag := _TAG.search(message, at):
        at, name = tag.end(), tag[2].lower()
        if name in FORMS:
            if not tag[1]:
                action, at = _opened(message, tag.start(), name)
                found += [action] if action else []
                spans += [(tag.start(), at)] if isinstance(action, Call) else []
        elif tag[1]:
            found.clear()
            spans.clear()
        elif end := re.compile(rf"</{name}\s*>", _ANY_CASE).search(message, at):
            at = end.end()
        else:
            why = f"Nothing was played: your thinking is not closed by </{name}>."
            break
    if WITH_CALLS:
        return [_graded(message, found, spans)]
    if not found and MESSAGE:
        return [Call(SAY, {"text": message})]
    return found or [Unreadable(message.strip()[-_SHOWN:], why)]


def _graded(message: str, found: list[Action], spans: list[tuple[int, int]]) -> Call:
    """Return one `Call` for a message whose calls are graded. Its arguments are the other text and the calls."""
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(message)]
    text = "".join(message[end:start] for end, start in zip(ends, starts, strict=True))
    calls = [{"name": a.tool, "arguments": a.arguments} for a in found if isinstance(a, Call)]
    return Call(SAY, {"text": text.strip() if calls else text, "calls": calls})


def graded(message: str) -> Call:
    """Return a message as one action, for an environment that grades the calls in a message."""
    return next(action for action in read(message) if isinstance(action, Call))


class _Broken(ValueError):
    """The reason why a tag cannot be read as an action."""


def _opened(message: str, start: int, tag: str) -> tuple[Action | None, int]:
    """Return the action of the tag at `start`, and the position where the action ends.

    The action is None if the message only mentions the tag.
    """
    rest = _REST.match(message, start + 1 + len(tag))
    assert rest  # it matches nothing
    at = rest.end()
    found = _ATTRIBUTE.finditer(rest["attributes"])
    attributes = [(each[1], unescape(each[each.lastindex or 0], _QUOTES)) for each in found]
    try:
        if rest["end"] == "/>":
            return _action(tag, attributes, None), at
        # Also finds the next tag of its name, so that no part is searched twice for one name.
        end = _END[tag].search(message, at) if rest["end"] else None
        if end and end[0][1] != "/":
            # In "write <guess> like this: <guess>crane</guess>" only the second tag is meant.
            return None, at
        if end:
            content, at = message[at : end.start()], end.end()
            return _action(tag, attributes, content), at
        # The content of a broken tag ends with the message, or with the reasoning around it.
        thought = _THOUGHT_END.search(message, at)
        begin, at = at, thought.start() if thought else len(message)
        if not rest["end"]:
            raise _Broken("its opening tag is broken, so nothing after it was read")
        if tag != "tool_call":
            raise _Broken(f"</{tag}> is missing, so nothing after it was read")
        # A complete JSON object was not cut off; a stop string may remove its end tag.
        return _action(tag, attributes, message[begin:at]), at
    except _Broken as problem:
        said = message[start:at][:_SHOWN]
        return Unreadable(said, f"Your <{tag}> was not played: {problem}. Write {FORMS[tag]}"), at


def _action(tag: str, attributes: list[tuple[str, str]], content: str | None) -> Call | Stop:
    """Return the action of a complete tag."""
    text = _trimmed(content or "")
    if tag == "tool_call":
        return _from_json(text)
    if tag == "end_episode":
        if attributes or text:
            raise _Broken("it takes nothing")
        return Stop()
    tool = _TOOLS[tag]
    fields, split = _FIELDS[tool], PARTS.get(tool, {})
    items = {part: fields[name]["items"] for name, parts in split.items() for part in parts}
    arguments: dict[str, Any] = {}
    for name, value in attributes:
        if name in arguments:
            raise _Broken(f"it gives {name} twice")
        arguments[name] = _typed(fields.get(name, items.get(name)), value)
    for name, parts in split.items():
        if name not in arguments and all(part in arguments for part in parts):
            arguments[name] = [arguments.pop(part) for part in parts]
    enclosed = ENCLOSED.get(tool) or (next(iter(fields)) if len(fields) == 1 else None)
    if text and (enclosed is None or enclosed in arguments):
        why = f"it gives {enclosed} twice" if enclosed else "no argument stands between its tags"
        raise _Broken(why)
    # Free text may be empty; for another argument, an empty tag means that none was given.
    given = content is not None and tool in ENCLOSED and enclosed not in arguments
    if enclosed and (text or given):
        arguments[enclosed] = _typed(fields[enclosed], text)
    return Call(tool, arguments)


def _from_json(text: str) -> Call:
    # Some models put the JSON into a Markdown fence.
    text = text.strip("`").removeprefix("json")
    call = read_arguments(text)
    name = call.get("name")
    if not isinstance(name, str):
        why = why_no_object(text) if UNPARSED in call else ""
        raise _Broken(f'it holds no JSON object with a "name"{f" ({why})" if why else ""}')
    tool = name if name in _FIELDS else _TOOLS.get(name, name)
    arguments = call.get("arguments", call.get("parameters"))
    if not isinstance(arguments, dict | str | None):
        arguments = json.dumps(arguments)
    # Some models write the arguments as a JSON string, as the chat APIs carry them.
    return Call(tool, arguments if isinstance(arguments, dict) else read_arguments(arguments))


def _typed(field: dict[str, Any] | None, text: str) -> Any:
    """Return text as a value of the field's type, or unchanged if that fails, so that `Episode` refuses it."""
    kind = "string" if field is None else field.get("type")
    if field is None or kind == "string":
        return text
    try:
        value = read_json(text.lower() if kind == "boolean" else text)
    except ValueError:
        return text
    if kind is None:  # a choice, of which text needs no quotes
        fits = not isinstance(value, str) and Draft202012Validator(field).is_valid(value)
        return value if fits else text
    return value if value is None or type(value) in _TYPES[kind] else text


def _trimmed(content: str) -> str:
    """Return content without surrounding whitespace.

    If the content begins on a new line, the line keeps its indent.
    """
    lines = re.sub(r"\A(?:[ \t]*\r?\n)+", "", content.rstrip())
    return lines if "\n" in lines and lines != content.rstrip() else lines.strip()
