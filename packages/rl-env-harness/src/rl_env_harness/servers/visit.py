"""One person's episode on the page for people, and what the page tells of it."""

import html
import io
import json
import logging
from base64 import b64decode
from collections.abc import Awaitable
from typing import Any

from .. import env_spec, task_table
from ..blocks import as_text
from ..episode import Episode
from ..tool_rules import RULES
from .threads import EpisodeThread

Arguments = dict[str, Any]

PLACE = "coordinate"
"""The argument that is a place on the screen; of a drag, where it ends."""
START = "start_coordinate"
"""The argument where a drag starts."""
SCROLL = "scroll"
"""The tool that turns the wheel."""
WHEEL = 5
"""Clicks of the wheel that a button sends."""
TOOLS: dict[str, Arguments] = {tool["name"]: tool["parameters"] for tool in env_spec.TOOLS}


class Visit:
    """An episode in a thread of its own. `note` is what to tell besides."""

    def __init__(self) -> None:
        """Start the thread; `open` sets up the world."""
        self._thread = EpisodeThread()
        self.episode: Episode | None = None
        self.note = ""
        self._place = [length // 2 for length in env_spec.DISPLAY["size"]]
        self._start: list[int] | None = None

    async def open(self, split: str, index: int) -> Any:
        """Open an episode on a task, and look at the screen, with which a model begins too."""
        problem = task_table.problem(split, index)
        self.episode = await self._thread.run(self._thread.hold, Episode, *problem)
        return await self.play("screenshot", {}) if "screenshot" in TOOLS else None

    async def click(self, tool: str, place: list[int]) -> Any:
        """Click at a place; of a drag, the first click is where it starts."""
        self._place = place
        if START not in TOOLS[tool]["required"]:
            return await self.play(tool, {PLACE: place})
        start, self._start = self._start, None
        if start:
            return await self.play(tool, {START: start, PLACE: place})
        self._start, self.note = place, f"From {place}: now click where the drag ends."
        return None

    async def play(self, tool: str, arguments: Arguments) -> Any:
        """Play one action; the picture that it brings, or None. The wheel turns at the last click."""
        if self.episode is None or self.episode.over:
            return None
        if tool == SCROLL:
            arguments = {PLACE: self._place, **arguments}
        step = await self._thread.run(self.episode.call, tool, arguments)
        if step.done:
            self.close()
        pictures = [block["data"] for block in step.observation if block["type"] == "image"]
        return _picture(pictures[-1]) if pictures else None

    async def stop(self) -> None:
        """End the episode as a model does that calls no further tool."""
        if self.episode is not None and not self.episode.over:
            await self._thread.run(self.episode.end)
            self.close()

    async def attempt(self, doing: Awaitable[Any]) -> Any:
        """What is done brings; of what goes wrong, the note tells."""
        self.note = ""
        try:
            return await doing
        except (LookupError, ValueError) as error:  # it names no task
            self.note = str(error.args[0])
        except Exception:
            if self.episode and self.episode.over and not self.episode.failure:
                return None  # it came together with the episode's end
            # Not told to who plays: what broke can name what the task hides.
            logging.getLogger(__name__).exception("an episode on the page broke")
            self.note = "The environment broke, there is no score; the server's log says why."
        self.close()
        return None

    def close(self) -> None:
        """Free the desktop after the action that it is in; does not wait. Fine to call twice."""
        self._thread.close_soon()

    def instruction(self) -> str:
        """What the model would be told of the task, as HTML."""
        message = self.episode.prompt[-1]["content"] if self.episode else ""
        return f"<p>{html.escape(message.strip())}</p>"

    def status(self) -> str:
        """How far the episode is and what it pays, as HTML."""
        found, message = self.episode, []
        if found and not found.failure:
            turns = f"Turn {found.turns} of {found.max_turns}"
            if found.over:
                limit = ", the limit" if found.truncated else ""
                turns = f"The episode is over after {found.turns} turns{limit}"
            message = [f"<b>{turns}</b>", f"Reward {found.total}"]
        message += [html.escape(self.note)] if self.note else []
        kind = ' class="over"' if found and found.over else ""
        return f"<p{kind}>{'<br>'.join(message)}</p>"

    def actions(self) -> str:
        """What was done and what came back, the newest first, as HTML."""
        lines = []
        for step in self.episode.steps if self.episode else ():
            given = json.dumps(step["arguments"], ensure_ascii=False) if step["arguments"] else ""
            text = html.escape(as_text(step["observation"], "").strip())
            kind = ' class="refused"' if step["error"] else ""
            call = f"<code>{html.escape(step['tool'])} {html.escape(given)}</code>"
            lines.append(f"<li{kind}>{call}<small>{text}</small></li>")
        return f"<ol reversed>{''.join(reversed(lines))}</ol>"


def _picture(data: str) -> Any:
    from PIL import Image  # Gradio brings it

    return Image.open(io.BytesIO(b64decode(data)))


def by_shape() -> tuple[list[str], list[str], list[tuple[str, Arguments]]]:
    """The tools that a click can be, those that take one text, and the calls for buttons."""
    clicks: list[str] = []
    texts: list[str] = []
    calls: list[tuple[str, Arguments]] = []
    for name, schema in RULES.items():
        wanted = schema["required"]
        only = schema["properties"][wanted[0]] if len(wanted) == 1 else {}
        if wanted in ([PLACE], [START, PLACE]):
            clicks.append(name)
        elif not wanted:
            calls.append((name, {}))
        elif "enum" in only:
            calls += [(name, {wanted[0]: value}) for value in only["enum"]]
        elif only.get("type") == "string":
            texts.append(name)
        elif name == SCROLL and "scroll_direction" in wanted:
            ways = schema["properties"]["scroll_direction"].get("enum", ())
            calls += [(name, {"scroll_direction": way, "scroll_amount": WHEEL}) for way in ways]
    return clicks, texts, calls
