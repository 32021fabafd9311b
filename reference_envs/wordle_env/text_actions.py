"""Reads tool calls out of what a model writes, and plays them.

Rendered from env.yaml; `skill-tools render` overwrites it. A message is read once, from left to
right, and never run: it is searched for tags, and what they hold goes to `Episode` as data.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import unescape

from .episode import TOOLS, UNPARSED, Episode
from .tool_calls import read_arguments, read_json

INSTRUCTIONS = (
    "Here you call a tool by writing its tag into your message:\n"
    "\n"
    "<guess>WORD</guess>\n"
    "    Guess the secret word. Returns green, yellow or gray for each letter and the guesses left.\n"
    "    WORD (text, 5 characters): A five-letter English word.\n"
    "\n"
    "<end_episode/>\n"
    "    Stops the episode. Write it only when there is nothing left to do.\n"
    "\n"
    "- Every tag is one turn. Several tags in one message are played in the order written.\n"
    "- A message without a tag plays nothing and costs a turn.\n"
    "- Nothing between <think> and </think> is played.\n"
    '- <tool_call>{"name": "guess", "arguments": {"word": "WORD"}}</tool_call>, with the arguments as JSON, is understood as well.\n'
    "- Text between an opening and a closing tag is taken as it stands, unescaped."
)
TAGS = {"guess": "guess"}
"""The tag that calls each tool."""
ENCLOSED = {"guess": "word"}
"""The parameter that stands between a tool's tags; the others are attributes."""
FORMS = {
    "guess": "<guess>WORD</guess>",
    "end_episode": "<end_episode/>",
    "tool_call": '<tool_call>{"name": TOOL, "arguments": {...}}</tool_call>',
}
"""What to write for each tag."""

_TOOLS = {tag: tool for tool, tag in TAGS.items()}
_FIELDS = {tool["name"]: tool["parameters"]["properties"] for tool in TOOLS}
_THINKING = ("think", "thinking")
_TAG = re.compile(rf"<(/?)({'|'.join(map(re.escape, [*FORMS, *_THINKING]))})(?=[\s/>])")
_ATTRIBUTE = re.compile(r"""\s+([^\W\d]\w*)\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>/=]+)""")
_TAG_END = re.compile(r"\s*(/?)>")
_SHOWN = 500


@dataclass(frozen=True)
class Call:
    """A tool call that a message makes; whether it is a valid one is for `Episode` to say."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Stop:
    """The wish to end the episode."""


@dataclass(frozen=True)
class Unreadable:
    """What was meant as a call and is none, and what the model is told about it."""

    said: str
    why: str


Action = Call | Stop | Unreadable


@dataclass(frozen=True)
class Answer:
    """What a message brought: the steps it played, in order, and the text that answers it.

    `reward` is what the whole message was paid; `final_reward` the part of it for stopping.
    """

    text: str
    steps: list[dict[str, Any]]
    reward: float
    final_reward: float


def opening(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    """The opening messages of an episode, with how to act at the end of the system message."""
    if messages[0]["role"] == "system":
        first, *rest = messages
        return [{**first, "content": f"{first['content'].rstrip()}\n\n{INSTRUCTIONS}"}, *rest]
    return [{"role": "system", "content": INSTRUCTIONS}, *messages]


def play(episode: Episode, message: str) -> Answer:
    """Play what a message says. Raises EpisodeFailed when the domain breaks, never for a message."""
    steps: list[dict[str, Any]] = []
    texts: list[str] = []
    final_reward = 0.0
    for action in read(message):
        if isinstance(action, Stop):
            final_reward = episode.end()
            texts.append("The episode is over.")
            break
        if isinstance(action, Call):
            step = episode.call(action.tool, action.arguments)
        else:
            step = episode.refuse(action.said, action.why)
        steps.append(episode.steps[-1])
        texts.append(step.text)
    if len(texts) > 1:
        texts = [f"[{number}] {text}" for number, text in enumerate(texts, 1)]
    reward = sum(step["reward"] for step in steps) + final_reward
    return Answer("\n\n".join(texts), steps, reward, final_reward)


def read(message: str) -> list[Action]:
    """Everything that a message does, in the order written; at least one action.

    Not read is what a model thinks: all between <think> and </think>, all after a <think> that is
    never closed, and all before a </think> that nothing opened, because some chat templates put
    the opening tag into the prompt.
    """
    found: list[Action] = []
    reader = _Reader(message)
    while tag := reader.next_tag():
        closing, name = tag
        if closing and name in _THINKING:
            found.clear()
        elif name in _THINKING:
            if reader.content(name) is None:
                break
        elif not closing and (action := reader.action(name)):
            found.append(action)
    return found or [_no_action(message, cut_off=tag is not None)]


class _Reader:
    """A position in a message, and what stands there."""

    def __init__(self, message: str) -> None:
        self.message = message
        self.at = 0
        self._closing: dict[str, int] = {}

    def next_tag(self) -> tuple[str, str] | None:
        """The next tag with a meaning, as ("/" or "", name); moves behind its name."""
        match = _TAG.search(self.message, self.at)
        if not match:
            return None
        self.at = match.end()
        return match[1], match[2]

    def action(self, tag: str) -> Action | None:
        """What the opening tag before this position does; None if it is only mentioned."""
        start = self.at - len(tag) - 1
        attributes: dict[str, str] = {}
        problem = ""
        while match := _ATTRIBUTE.match(self.message, self.at):
            if match[1] in attributes:
                problem = f"it gives {match[1]} twice"
            attributes[match[1]] = _value(match[2])
            self.at = match.end()
        end = _TAG_END.match(self.message, self.at)
        if not end:
            return self._unreadable(start, tag, "it is neither closed by > nor by />")
        self.at = end.end()
        content = None
        if not end[1]:
            if self._mentioned(tag):
                return None
            content = self.content(tag)
            if content is None:
                return self._unreadable(start, tag, f"</{tag}> is missing after it")
        if not problem:
            action = _action(tag, attributes, content)
            if not isinstance(action, str):
                return action
            problem = action
        return self._unreadable(start, tag, problem)

    def content(self, tag: str) -> str | None:
        """The text up to the closing tag; moves behind that, or returns None if there is none."""
        closing = self._closing_of(tag)
        if closing < 0:
            return None
        text = self.message[self.at : closing]
        self.at = closing + len(tag) + 3
        return text

    def _mentioned(self, tag: str) -> bool:
        # In "write <guess> like this: <guess>crane</guess>" only the second tag is meant.
        closing = self._closing_of(tag)
        inner = re.compile(rf"<{re.escape(tag)}[\s/>]")
        return closing >= 0 and inner.search(self.message, self.at, closing) is not None

    def _closing_of(self, tag: str) -> int:
        # Remembered, so that a message of unclosed tags is not searched once for each of them.
        known = self._closing.get(tag)
        if known is None or 0 <= known < self.at:
            self._closing[tag] = self.message.find(f"</{tag}>", self.at)
        return self._closing[tag]

    def _unreadable(self, start: int, tag: str, problem: str) -> Unreadable:
        why = f"Your <{tag}> was not played: {problem}. Write {FORMS[tag]}"
        return Unreadable(self.message[start : max(self.at, start + 80)][:_SHOWN], why)


def _action(tag: str, attributes: dict[str, str], content: str | None) -> Call | Stop | str:
    """What a complete tag does, or what is wrong with it."""
    if tag == "tool_call":
        return _from_json(content or "")
    if tag == "end_episode":
        return "it takes nothing" if attributes or (content or "").strip() else Stop()
    tool = _TOOLS[tag]
    fields = _FIELDS[tool]
    arguments = {name: _typed(fields.get(name), text) for name, text in attributes.items()}
    if content is not None:
        enclosed = ENCLOSED.get(tool) or (next(iter(fields)) if len(fields) == 1 else None)
        text = _trimmed(content)
        if enclosed in arguments and text:
            return f"it gives {enclosed} twice"
        if enclosed is None and text:
            return "no argument stands between its tags"
        if enclosed is not None and enclosed not in arguments:
            arguments[enclosed] = _typed(fields[enclosed], text)
    return Call(tool, arguments)


def _from_json(content: str) -> Call | str:
    call = read_arguments(content)
    name, arguments = call.get("name"), call.get("arguments", {})
    if not isinstance(name, str):
        return 'it holds no JSON object with a "name"'
    if isinstance(arguments, str):
        # Some models write the arguments as a string of JSON, as the chat APIs carry them.
        arguments = read_arguments(arguments)
    return Call(name, arguments if isinstance(arguments, dict) else {UNPARSED: str(arguments)})


def _value(text: str) -> str:
    """An attribute's value without its quotes and escapes."""
    bare = text[1:-1] if text[0] in "\"'" else text
    return unescape(bare, {"&quot;": '"', "&apos;": "'"})


def _typed(field: dict[str, Any] | None, text: str) -> Any:
    """Text as a value of the field's type; as it is where it is none, for `Episode` to refuse."""
    kind = field["type"] if field else "string"
    if kind == "string":
        return text
    try:
        value = read_json(text.strip().lower() if kind == "boolean" else text)
    except ValueError:
        return text
    expected = {"boolean": bool, "array": list}.get(kind, int | float)
    fits = isinstance(value, expected) and (kind == "boolean" or not isinstance(value, bool))
    return value if fits else text


def _trimmed(content: str) -> str:
    """Content without the white space around it; lines that begin on their own keep their indent."""
    lines = re.sub(r"\A(?:[ \t]*\r?\n)+", "", content.rstrip())
    return lines if "\n" in lines and lines != content.rstrip() else lines.strip()


def _no_action(message: str, *, cut_off: bool) -> Unreadable:
    said = message.strip()[-_SHOWN:]
    if cut_off:
        return Unreadable(said, "Nothing was played: your thinking is not closed by </think>.")
    forms = "\n".join(FORMS.values())
    return Unreadable(
        said, f"Your message calls no tool, so nothing was played. Write one of:\n{forms}"
    )
